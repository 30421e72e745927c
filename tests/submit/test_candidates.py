"""The ranking of outputs: votes of solvers that fit, then simplicity, then near misses."""

from __future__ import annotations

import numpy as np
import pytest

from batt.front import Deck
from batt.jobs import Results, evaluate
from batt.runtime import Equality
from batt.submit.candidates import MOST_NEAR, Candidates
from batt.tasks import load_tasks
from handmade import MIRROR, RAISES, SAME, deck, pairs
from submit_tasks import FLIP

SYMMETRIC = {
    "t": {"train": pairs(([[1, 1]], [[1, 1]]), ([[2]], [[2]])), "test": pairs(([[3, 4], [5, 6]], None))},
}
"""Mirrors and the identity fit it, and give different outputs for the test."""


def of(solvers: Deck, tasks: object) -> list[list[tuple[str, int]]]:
    """The candidates for each test input of the first task: the solver and the votes of each."""
    results = evaluate(solvers, load_tasks(tasks), workers=1)  # type: ignore[arg-type]
    found = Candidates([each.program for each in solvers], results.evaluations).of_task(0, results.records)
    return [[(solvers.names[results.evaluations.pair(each.number)[0]], each.votes) for each in one] for one in found]


def test_agreement_of_different_programs_comes_before_simplicity():
    solvers = deck(
        one=SAME,
        long=("y = rot180(I)", "x = hmirror(y)"),
        longer=("y = rot90(I)", "z = rot90(y)", "x = hmirror(z)"),
    )
    assert of(solvers, SYMMETRIC) == [[("long", 2), ("one", 1)]]


def test_solvers_of_one_program_have_one_vote():
    solvers = deck(one=SAME, a=MIRROR, b=("out = vmirror(I)", "x = identity(out)"), c=MIRROR, d=MIRROR)
    assert of(solvers, SYMMETRIC) == [[("a", 2), ("one", 1)]]
    assert of(deck(one=SAME, a=MIRROR, c=MIRROR, d=MIRROR), SYMMETRIC) == [[("one", 1), ("a", 1)]]


def test_of_equal_votes_the_shorter_program_comes_first_then_the_earlier_one():
    solvers = deck(long=("y = rot180(I)", "x = hmirror(y)"), short=SAME, later=("x = hmirror(I)",))
    assert of(solvers, SYMMETRIC) == [[("short", 1), ("later", 1), ("long", 1)]]


def test_near_misses_follow_by_equal_demonstrations_then_by_the_share_of_cells():
    task = {
        "t": {
            "train": pairs(([[1, 2, 3]], [[3, 2, 1]]), ([[4, 4]], [[4, 4]]), ([[5, 6, 7]], [[7, 6, 5]])),
            "test": pairs(([[1, 2]], None)),
        }
    }
    solvers = deck(
        raises=RAISES,
        nothing=("x = canvas(9, (1, 1))",),
        same=SAME,
        tall=("x = vconcat(I, I)",),
        mirror=MIRROR,
    )
    # same: one pair equal, 4 of 8 cells; tall: none equal, though it overlaps; nothing: no cell right.
    assert of(solvers, task) == [[("mirror", 1), ("same", 0), ("tall", 0)]]


def test_outputs_that_cannot_be_handed_in_are_no_candidates():
    solvers = deck(mirror=MIRROR, large=("y = canvas(1, (31, 2))", "x = y"), number=("x = size(I)",), fails=RAISES)
    assert of(solvers, FLIP) == [[("mirror", 1)], [("mirror", 1)]]


def test_there_are_only_some_near_misses():
    solvers = deck(**{f"s{n}": (f"x = replace(I, 5, {n})",) for n in range(10)}, t=SAME)
    task = {"t": {"train": pairs(([[1, 2, 3]], [[3, 2, 1]])), "test": pairs(([[1, 2]], None))}}
    assert [len(each) for each in of(solvers, task)] == [MOST_NEAR]


@pytest.mark.parametrize("own", [False, True])
def test_what_records_say_about_test_outputs_counts_nothing(own: bool, some_results: Results):
    results = some_results
    if own:
        results = evaluate(results.deck, results.tasks, own=True, workers=1)
    made = Candidates([each.program for each in results.deck], results.evaluations)
    _, samples = results.evaluations.columns()
    is_test = ~made.keys.is_train[samples]
    changed = results.records.copy()
    rng = np.random.default_rng(1)
    changed["equal"][is_test] = rng.choice(list(Equality), int(is_test.sum()))
    changed["differing"][is_test] = rng.integers(0, 100, int(is_test.sum()))
    for task in range(len(made.keys.ids)):
        assert made.of_task(task, results.records) == made.of_task(task, changed)
