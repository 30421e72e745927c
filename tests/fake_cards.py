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
from batt.runtime import Limits, Sample
from batt.runtime.cuda import kernels
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.options import Options
from batt.runtime.tier import CUDA_THREADS
from fake_cupy import Card, FakeCupy
from fake_kernel import FakeKernel
from gathered import Once
from handmade import sample
from small_launches import FEW_STEPS

PATIENT = Limits(steps=FEW_STEPS, wall_s=600)
"""No more steps than a launch of threads gives: warps are not opened then."""
CARD = Card(total_bytes=1 << 28, processors=1)
"""It has no room for warps."""
ROOMY = Card(total_bytes=1 << 30, processors=1)
"""It has room for two launches of warps at once."""


class Cards:
    """Fake cards, their kernel, and the run on them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, count: int = 1, card: Card = CARD) -> None:
        self.cupy = FakeCupy([card] * count).use(monkeypatch)
        self.kernel = FakeKernel(self.cupy, self.loaded)
        self.ladder: Ladder | None = None
        self.told: list[str] = []

    def loaded(self) -> Any:
        assert self.ladder is not None
        loaded = self.ladder.context.loaded.result()
        return loaded.program, loaded.batch

    def make(
        self, job: Job, limits: Limits = PATIENT, outputs: bool = False, kind: type[Once] = Once, **options: Any
    ) -> Ladder:
        """A run on these cards that reports to a `kind` of observer."""
        given = {name: options.pop(name) for name in ("devices", "gpu_memory", "scores") if name in options}
        wanted = Options(engine="cuda", limits=limits, outputs=outputs, workers=2, **given)
        observer = kind(job.evaluations.total, self.told.append)
        self.ladder = Ladder(job, wanted, observer=observer, **{"beside": False, **options})
        return self.ladder

    def watch(self, monkeypatch: pytest.MonkeyPatch, module: Any) -> None:
        """Run what a module runs on GPUs on these cards."""
        cards = self

        class Watched(Ladder):
            def __init__(self, *args: Any, **options: Any) -> None:
                super().__init__(*args, **options)
                if CUDA_THREADS in self.context.tiers:
                    cards.ladder = self

        monkeypatch.setattr(module, "Ladder", Watched)

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


def seen(ladder: Ladder) -> Once:
    """What a run was seen to give. No evaluation may come twice."""
    assert isinstance(ladder.observer, Once)
    return ladder.observer


def gather(ladder: Ladder) -> list[Any]:
    """Run to the end; the records by number."""
    ladder.run()
    return seen(ladder).records.tolist()


def on_cpu(job: Job, limits: Limits = PATIENT, **options: Any) -> Ladder:
    """A run on the cpu engine."""
    wanted = Options(engine="cpu", limits=limits, workers=2)
    return Ladder(job, wanted, observer=Once(job.evaluations.total), **options)


def by_cpu(job: Job, limits: Limits = PATIENT) -> list[Any]:
    return gather(on_cpu(job, limits))


def card_of_evaluate(monkeypatch: pytest.MonkeyPatch, cache: Path) -> Cards:
    """A card for all that `evaluate` runs on engine `cuda`, with an empty cache of kernels there."""
    monkeypatch.setenv("BATT_CACHE_DIR", str(cache))
    monkeypatch.setattr(kernels, "_made", {})
    cards = Cards(monkeypatch)
    cards.watch(monkeypatch, evaluation)
    return cards
