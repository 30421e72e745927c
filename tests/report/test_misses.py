"""Which solvers do not fit, why, and how nearly."""

from __future__ import annotations

import pytest

from batt.jobs import Results, evaluate
from batt.report.misses import Miss, misses
from batt.runtime import Limits, Status
from batt.runtime.records import unfilled
from batt.tasks import tasks_from_dict
from handmade import MIRROR, RAISES, SAME, deck, pairs, plain_tasks

COSTLY = ("x = I", *["x = combine(x, x)"] * 40)


def found(results: Results) -> list[Miss]:
    return misses(results, results.fits)


def run(own: bool = False, **solvers: tuple[str, ...]) -> Results:
    tasks = tasks_from_dict(plain_tasks())
    limits = Limits(steps=100_000)
    return evaluate(deck(**solvers), tasks, own=own, workers=1, engine="reference", limits=limits)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (RAISES, "raised StopIteration on train 0"),
        (COSTLY, "over budget on train 0 (raise --steps)"),
        (("x = asindices(I)",), "no grid on train 0"),
        (SAME, "4 of 5 cells differ, first on train 0"),
        (("x = hconcat(I, I)",), "9 of 10 cells differ, first on train 0"),
        (("x = replace(vmirror(I), 5, 0)",), "1 of 5 cells differ, first on train 1; 1 of 2 demonstrations equal"),
    ],
)
def test_a_solver_that_does_not_fit_its_own_task_has_a_reason(lines: tuple[str, ...], reason: str):
    (miss,) = found(run(own=True, solve_mirror=lines))
    assert (miss.solver, miss.task, miss.reason) == ("solve_mirror", "mirror", reason)


def test_a_time_out_is_a_reason():
    miss = Miss("solve_a", "a", 0, 2, 4, 4, 1, Status.TIMED_OUT, "", False)
    assert miss.reason == "timed out on train 1 (raise -t or --memory)"


def test_solvers_that_fit_are_no_misses_and_the_nearest_comes_first():
    results = run(own=True, solve_mirror=SAME, solve_mirror_2=MIRROR, solve_mirror_3=RAISES, solve_trap=SAME)
    assert [miss.solver for miss in found(results)] == ["solve_mirror", "solve_mirror_3"]


def test_a_task_that_no_solver_fits_has_its_nearest_solver():
    plain = plain_tasks()
    plain["far"] = {"train": pairs(([[1, 2]], [[2, 0]])), "test": pairs(([[1, 2]], [[2, 0]]))}
    solvers = deck(solve_raise=RAISES, solve_same=SAME, solve_mirror=MIRROR, solve_again=MIRROR)
    results = evaluate(solvers, tasks_from_dict(plain), workers=1, engine="reference")
    (miss,) = found(results)
    assert (miss.task, miss.solver, miss.differing, miss.cells) == ("far", "solve_mirror", 1, 2)


def test_nearness_does_not_look_at_tests():
    plain = {"t": {"train": pairs(([[1, 2]], [[2, 0]])), "test": pairs(([[3, 4]], [[3, 4]]))}}
    solvers = deck(solve_same=SAME, solve_mirror=MIRROR)
    (miss,) = found(evaluate(solvers, tasks_from_dict(plain), workers=1, engine="reference"))
    assert miss.solver == "solve_mirror"


def test_what_was_not_run_is_no_miss():
    results = run(solve_same=SAME)
    assert [miss.task for miss in found(results)] == ["mirror"]
    results.records[0:1] = unfilled(1)
    assert found(results) == []
    own = run(own=True, solve_mirror=SAME)
    own.records[0:1] = unfilled(1)
    assert [miss.pair for miss in found(own)] == [1]
    own.records[1:2] = unfilled(1)
    assert found(own) == []
