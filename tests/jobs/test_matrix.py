from __future__ import annotations

import numpy as np
import pytest

import batt
import handmade
from batt.jobs import Results
from batt.jobs.matrix import CellState, Matrix, matrix_of
from batt.runtime.records import unfilled
from handmade import MIRROR, RAISES, SAME, plain_tasks


@pytest.fixture(scope="module")
def results() -> Results:
    """A solver that is correct, one that falls for the trap, one that fails, and the first one again."""
    solvers = handmade.deck(mirror=MIRROR, same=SAME, fails=RAISES, again=MIRROR)
    return batt.evaluate(solvers, batt.tasks_from_dict(plain_tasks()), engine="reference")


@pytest.fixture(scope="module")
def matrix(results: Results) -> Matrix:
    return matrix_of(results)


FAILED, WRONG, NEAR, FITS, CORRECT = list(CellState)[1:]


def test_a_cell_says_what_became_of_a_solver_on_a_task(matrix: Matrix):
    # The first demonstration of the trap is its own mirror image, and so is the second.
    assert matrix.cells.tolist() == [[CORRECT, CORRECT], [WRONG, FITS], [FAILED, FAILED], [CORRECT, CORRECT]]


def test_the_best_solver_gives_the_state_of_a_task(matrix: Matrix):
    assert matrix.tasks.tolist() == [CORRECT, CORRECT]


def test_solvers_that_are_correct_come_first(matrix: Matrix):
    assert matrix.fitting(1) == [0, 3, 1]


def test_the_nearest_are_those_that_gave_values_and_do_not_fit(matrix: Matrix):
    assert matrix.nearest_to(0) == [1]
    assert matrix.nearest_to(1) == []


def test_the_nearest_are_sorted_by_differing_cells():
    wrong = {f"wrong{n}": (f"x = canvas({n}, (1, {width}))",) for n, width in enumerate((9, 3, 2, 6, 30))}
    results = batt.evaluate(handmade.deck(**wrong), batt.tasks_from_dict(plain_tasks()), engine="reference")
    # Cells of both grids that differ from 12 and 543: more for those that are far too wide.
    assert matrix_of(results).nearest_to(0) == [2, 1, 3]


def test_what_was_not_run_is_not_failed(results: Results):
    records = unfilled(len(results))
    empty = Results(results.deck, results.tasks, results.evaluations, records, engine="cpu", limits=results.limits)
    assert not matrix_of(empty).cells.any()


def test_a_task_whose_answers_are_unknown_fits_at_best():
    deck = handmade.deck(solve_mirror=MIRROR, solve_same=SAME)
    results = batt.evaluate(deck, batt.tasks_from_dict(plain_tasks(answers=False)), engine="reference")
    assert matrix_of(results).tasks.tolist() == [FITS, FITS]
    assert np.array_equal(matrix_of(results).cells >= FITS, results.fits)
