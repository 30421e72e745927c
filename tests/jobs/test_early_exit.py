"""Early exit: what is skipped, and that all else is as without it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import batt
from batt.bench.frozen import first_132
from batt.jobs import Results, evaluate
from batt.jobs.keeping import KeptRows
from batt.runtime import Limits, Status
from handmade import deck
from native_library import needs_library

LIMITS = Limits(steps=300_000, max_items=20_000, wall_s=60)
ENGINES = ["reference", pytest.param("cpu", marks=needs_library)]
SMALL = {
    "a": {
        "train": [
            {"input": [[1, 2]], "output": [[2, 1]]},
            {"input": [[1, 1]], "output": [[1, 1]]},
            {"input": [[3, 2]], "output": [[3, 2]]},
        ],
        "test": [{"input": [[1]], "output": [[1]]}, {"input": [[2]]}],
    },
    "b": {"train": [{"input": [[1]], "output": [[1]]}], "test": [{"input": [[4, 5]], "output": [[5, 4]]}]},
}
SOLVERS = deck(mirror=("x = vmirror(I)",), same=("x = identity(I)",), fails=("x = first(())",))


def words(results: Results) -> list[list[str]]:
    rows = results.records["status"].reshape(len(results.deck), -1).tolist()
    return [[Status(each).word for each in row] for row in rows]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_solver_stops_at_the_first_demonstration_that_is_unequal_or_fails(engine: str):
    found = evaluate(SOLVERS, batt.tasks_from_dict(SMALL), engine=engine, early_exit=True)
    assert words(found) == [
        ["ok", "ok", "ok", "skipped", "skipped", "ok", "ok"],
        ["ok", "skipped", "skipped", "skipped", "skipped", "ok", "ok"],
        ["raised", "skipped", "skipped", "skipped", "skipped", "raised", "skipped"],
    ]
    assert found.skipped == 11
    assert sum(found.counts.values()) == 10
    assert found.not_run == 0
    assert not found.interrupted
    assert found.fits.tolist() == [[False, True], [False, True], [False, False]]


def test_what_was_skipped_is_neither_correct_nor_undecided():
    found = evaluate(SOLVERS, batt.tasks_from_dict({"b": SMALL["b"]}), early_exit=True)
    assert found.skipped == 1
    assert found.correct.tolist() == [[True], [False], [False]]
    assert not found.undecided.any()


def assert_same_but_for_skipped(found: Results, whole: Results) -> None:
    ran = found.records["status"] != Status.SKIPPED
    assert np.array_equal(found.records[ran], whole.records[ran])
    assert np.array_equal(found.fits, whole.fits)
    keys = [sample.part.value for sample in found.evaluations.samples]
    solvers, samples = found.evaluations.columns()
    tasks = [found.tasks.ids.index(found.evaluations.samples[at].task) for at in samples]
    fits = found.fits[solvers, tasks]
    assert ran[fits].all()
    assert not ran[~fits & (np.array(keys)[samples] == "test")].any()


@pytest.mark.parametrize("engine", ENGINES)
def test_what_runs_has_the_outcomes_of_a_whole_run(engine: str):
    solvers = first_132().select(first_132().names[:12])
    tasks = batt.load_tasks("arc1-training").select(None, 10)
    options: dict[str, Any] = {"engine": engine, "limits": LIMITS}
    whole = evaluate(solvers, tasks, **options)
    found = evaluate(solvers, tasks, early_exit=True, **options)
    assert_same_but_for_skipped(found, whole)
    assert found.skipped > len(found) // 2


@needs_library
def test_engines_and_forms_skip_the_same():
    solvers = first_132().select(first_132().names[20:40])
    tasks = batt.load_tasks("arc1-training").select(None, 8)
    runs = [
        evaluate(solvers, tasks, engine="cpu", limits=LIMITS, early_exit=True, compiled=compiled, share=share)
        for compiled, share in ((False, False), (True, False), (True, True))
    ]
    reference = evaluate(solvers, tasks, engine="reference", limits=LIMITS, early_exit=True)
    for each in runs:
        assert np.array_equal(each.records, reference.records)


@needs_library
def test_solvers_on_their_own_tasks_and_a_cache_go_with_it(tmp_path: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path))
    solvers = first_132().select(first_132().names[:10])
    training = batt.load_tasks("arc1-training")
    own = training.select([name.removeprefix("solve_") for name in solvers.names])
    whole = evaluate(solvers, own, own=True)
    assert np.array_equal(evaluate(solvers, own, own=True, early_exit=True).records, whole.records)
    tasks = training.select(None, 4)
    plain = evaluate(solvers, tasks, early_exit=True)
    for cached in (0, len(plain) - plain.skipped):
        found = evaluate(solvers, tasks, early_exit=True, cache=True)
        assert np.array_equal(found.records, plain.records)
        assert found.cached == cached


def test_exports_leave_out_what_was_skipped():
    found = evaluate(SOLVERS, batt.tasks_from_dict(SMALL), early_exit=True)
    rows = KeptRows(found)
    assert [len(rows.of_solver(solver)[0]) for solver in range(3)] == [5, 3, 2]


def test_progress_counts_what_was_skipped():
    calls: list[tuple[int, int]] = []
    evaluate(SOLVERS, batt.tasks_from_dict(SMALL), early_exit=True, progress=lambda *each: calls.append(each))
    assert calls[-1] == (21, 21)
