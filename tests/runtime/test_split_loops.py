"""Split loops: a library that runs the lanes of a warp one after the other gives what other libraries give.

On a GPU, with all lanes at once: tests/gpu/test_engine.py.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from numpy.lib.recfunctions import append_fields

import hard_programs
from batt.bench import rearc
from batt.bench.frozen import first_132
from batt.bytecode.table import Table
from batt.front import Deck, load_deck
from batt.jobs import samples_of
from batt.jobs.prepare import prepare
from batt.own.building import COMPILERS
from batt.runtime import Limits, Sample, Status, context
from batt.runtime.collected import Collected
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.memory import MEMORY, WorkerMemory
from batt.runtime.native import Library
from batt.runtime.options import Options
from batt.runtime.tier import CPU
from batt.tasks import load_tasks
from handmade import deck
from native_library import needs_library

pytestmark = needs_library

SOURCE = Path(__file__).resolve().parents[2] / "native" / "host" / "api.cpp"
FLAGS = ("-std=c++17", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-DBATT_SPLIT_LOOPS")
FIELDS = ("status", "error", "steps", "hash", "equal")
PATIENT = Limits(steps=400_000, wall_s=600)


@pytest.fixture(scope="module")
def splitting(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Table], Library]:
    """The library that splits loops."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        pytest.skip(f"none of {', '.join(COMPILERS)} is there")
    path = tmp_path_factory.mktemp("split") / "split.so"
    subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(path)], check=True, timeout=600)
    return lambda table: Library(path, table)


@cache
def prepared(deck: Deck, compiled: bool, share: bool) -> Job:
    """The programs of a deck, which every run of them shares."""
    return prepare(deck.programs, Options(compiled=compiled, share=share))


def results(
    deck: Deck,
    samples: list[Sample],
    limits: Limits,
    compiled: bool,
    memory: WorkerMemory = MEMORY,
    share: bool = False,
) -> npt.NDArray[np.void]:
    """The record and the steps of every solver on every sample; what native code defers is not run."""
    job = prepared(deck, compiled, share).on(Evaluations(samples, len(deck)))
    found = Collected(job.evaluations.total)
    Ladder(job, Options(limits=limits, workers=2, memory=memory), (CPU,), found).run()
    return append_fields(found.records, "steps", found.steps, usemask=False)


def both(
    monkeypatch: pytest.MonkeyPatch, splitting: Callable[[Table], Library], run: Callable[[], npt.NDArray[np.void]]
) -> tuple[npt.NDArray[np.void], npt.NDArray[np.void]]:
    plain = run()
    monkeypatch.setattr(context, "library", splitting)
    return plain, run()


def training(count: int, skip: int = 0) -> list[Sample]:
    return list(samples_of(load_tasks("arc1-training")[skip : skip + count]))


@cache
def deck_named(name: str) -> Deck:
    return {"hard": hard_programs.deck, "built-in": load_deck, "re-arc": rearc.verifiers}[name]()


@pytest.mark.parametrize("compiled", [False, True], ids=["as they stand", "compiled"])
@pytest.mark.parametrize("steps", [400_000, 3_000], ids=["plenty", "tight"])
@pytest.mark.parametrize("name", ["hard", "built-in", "re-arc"])
def test_split_loops_give_what_loops_give(
    monkeypatch: pytest.MonkeyPatch, splitting: Callable[[Table], Library], name: str, steps: int, compiled: bool
):
    if name == "re-arc" and not rearc.is_installed():
        pytest.skip("re-arc is not installed")
    taken = list(hard_programs.samples(40)) if name == "hard" else training(5, skip=30)
    limits = Limits(steps=steps, wall_s=600)
    plain, split = both(monkeypatch, splitting, lambda: results(deck_named(name), taken, limits, compiled))
    for field in FIELDS:
        assert plain[field].tolist() == split[field].tolist(), field


@pytest.mark.parametrize("arena_bytes", [1 << 17, 1 << 19, 1 << 21])
def test_lanes_without_room_are_run_alone(
    monkeypatch: pytest.MonkeyPatch, splitting: Callable[[Table], Library], arena_bytes: int
):
    deck, taken = first_132(), training(3, skip=60)
    plain, split = both(monkeypatch, splitting, lambda: results(deck, taken, PATIENT, True, WorkerMemory(arena_bytes)))
    # What has no room at all may differ: lanes need some for what they came to.
    known = (plain["status"] < 4) & (split["status"] < 4)
    assert known.mean() > 0.9
    for field in FIELDS:
        assert plain[field][known].tolist() == split[field][known].tolist(), field


@pytest.mark.parametrize("stage_bytes", [0, 3_000, 1 << 30])
def test_lanes_run_shared_values_that_were_not_kept(
    monkeypatch: pytest.MonkeyPatch, splitting: Callable[[Table], Library], stage_bytes: int
):
    lines = (
        "a = interval(0, 40, 1)",
        "b = apply(lbind(add, size(interval(0, 700, 1))), a)",
        "c = apply(compose(rbind(contained, interval(0, 900, 1)), double), b)",
        "d = mapply(lbind(apply, lbind(add, size(interval(0, 300, 1)))), (a, b))",
        # Some of these calls end in an error, with a value in use that was not kept.
        "e = apply(compose(lbind(divide, size(interval(0, 500, 1))), lbind(subtract, 739)), b)",
    )
    solvers = {f"solve_{n}": (*lines[: 4 + n % 2], f"x = (c, d, {n})") for n in range(6)}
    taken = training(2)
    alone = results(deck(**solvers), taken, PATIENT, True)
    assert 0 < (alone["status"] == Status.OK).sum() < len(alone)
    memory = WorkerMemory(stage_bytes=stage_bytes, trim_bytes=0, trim_steps=0)
    plain, lanes = both(monkeypatch, splitting, lambda: results(deck(**solvers), taken, PATIENT, True, memory, True))
    for field in FIELDS:
        assert alone[field].tolist() == plain[field].tolist() == lanes[field].tolist(), field
