"""Fake cards with a kernel that evaluates for real, jobs for them, and what the cpu engine makes of such jobs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import batt
from batt.front import Deck
from batt.ir import Program
from batt.jobs import evaluation, samples_of
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Sample, Status
from batt.runtime.cpu import CpuEngine, Job
from batt.runtime.cuda import kernels
from batt.runtime.cuda.engine import CudaEngine
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.options import Options
from batt.runtime.records import unfilled
from fake_cupy import Card, FakeCupy
from fake_kernel import FakeKernel
from handmade import sample
from small_lanes import FEW_STEPS

PATIENT = Limits(steps=FEW_STEPS, wall_s=600)
"""No steps that only launches with lanes together have: those are not opened then."""
CARD = Card(total_bytes=1 << 28, processors=1)
"""It has no room for launches with lanes together."""
ROOMY = Card(total_bytes=1 << 30, processors=1)
"""It has room for two of them at once."""


class Cards:
    """Fake cards, their kernel, and the engine that runs on them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, count: int = 1, card: Card = CARD) -> None:
        self.cupy = FakeCupy([card] * count).use(monkeypatch)
        self.kernel = FakeKernel(self.cupy, self.loaded)
        self.engine: CudaEngine | None = None
        self.told: list[str] = []

    def loaded(self) -> Any:
        assert self.engine is not None
        return self.engine._loaded

    def make(self, job: Job, limits: Limits = PATIENT, outputs: bool = False, **options: Any) -> CudaEngine:
        given = {name: options.pop(name) for name in ("devices", "gpu_memory") if name in options}
        wanted = Options(limits=limits, outputs=outputs, workers=2, **given)
        self.engine = CudaEngine(job, wanted, tell=self.told.append, **{"beside": False, **options})
        return self.engine

    def watch(self, monkeypatch: pytest.MonkeyPatch, module: Any) -> None:
        """Run the engines on these cards that a module makes."""
        cards = self

        class Watched(CudaEngine):
            def __init__(self, *args: Any, **options: Any) -> None:
                super().__init__(*args, **options)
                cards.engine = self

        monkeypatch.setattr(module, "CudaEngine", Watched)

    def assert_all_is_given_back(self) -> None:
        """But for cards that are lost, which nothing can be called on."""
        assert [self.cupy.used(number) for number in range(len(self.cupy.cards)) if number not in self.cupy.lost] == [
            0
        ] * (len(self.cupy.cards) - len(self.cupy.lost))
        if not self.cupy.lost:
            assert (self.cupy.taken, self.cupy.handles) == ({}, set())


def plain_job(programs: Sequence[Program], samples: Sequence[Sample], *columns: Integers) -> Job:
    """A job of programs as they stand."""
    named = {f"s{number}": each for number, each in enumerate(programs)}
    return prepare(named, Options(compiled=False)).on(Evaluations(samples, len(named), *columns))


def samples(count: int) -> list[Sample]:
    return [sample(((n % 10,) * (1 + n % 7),), ((1, n % 10),), n) for n in range(count)]


def deck_job(solvers: Deck, tasks: int, compiled: bool) -> Job:
    taken = samples_of(batt.load_tasks("arc1-training").select(None, tasks))
    return prepare(solvers.programs, Options(compiled=compiled, share=False)).on(Evaluations(taken, len(solvers)))


def gather(engine: CpuEngine, blocks: Any = None) -> list[Any]:
    """The records by number; no evaluation may come twice."""
    records = unfilled(engine.job.evaluations.total)
    for block in engine.run() if blocks is None else blocks:
        assert (records["status"][block.numbers] == Status.NOT_RUN).all(), "an evaluation came twice"
        records[block.numbers] = block.records
    return records.tolist()


def by_cpu(job: Job, limits: Limits = PATIENT) -> list[Any]:
    return gather(CpuEngine(job, Options(limits=limits, workers=2)))


def card_of_evaluate(monkeypatch: pytest.MonkeyPatch, cache: Path) -> Cards:
    """A card for all that `evaluate` runs on engine `cuda`, with an empty cache of kernels there."""
    monkeypatch.setenv("BATT_CACHE_DIR", str(cache))
    monkeypatch.setattr(kernels, "_made", {})
    cards = Cards(monkeypatch)
    cards.watch(monkeypatch, evaluation)
    return cards
