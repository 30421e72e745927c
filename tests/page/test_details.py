from __future__ import annotations

from collections.abc import Iterator

import pytest

from batt.jobs import Results
from batt.jobs.matrix import CellState, Matrix
from batt.page import details
from batt.page.details import all_details, candidates_of, task_details
from batt.runtime.reference.process import Tracer


@pytest.fixture(scope="module")
def tracer() -> Iterator[Tracer]:
    with Tracer() as made:
        yield made


def test_fitting_solvers_come_first_and_have_steps(results: Results, matrix: Matrix):
    found = [(each.solver.name, each.state, each.with_steps) for each in candidates_of(results, matrix, 0)]
    assert found[0] == ("solve_mirror", CellState.CORRECT, True)
    assert found[-1] == ("solve_same", CellState.WRONG, False)


def test_a_view_shows_pairs_programs_and_steps(results: Results, matrix: Matrix, tracer: Tracer):
    shown = task_details(results, matrix, 0, tracer)
    assert shown["id"] == "mirror"
    assert [pair["name"] for pair in shown["pairs"]] == ["train 0", "train 1", "test 0"]
    assert shown["pairs"][0] == {"name": "train 0", "input": ["12"], "expected": ["21"]}
    first = shown["candidates"][0]
    assert "x = vmirror(I)" in first["source"]
    assert [each["mark"] for each in first["outputs"]] == ["equal"] * 3
    (step,) = first["steps"][0]
    assert (step["text"], step["value"]["pictures"][0]["rows"]) == ("x = vmirror(I)", ["21"])


def test_differing_cells_are_marked(results: Results, matrix: Matrix, tracer: Tracer):
    last = task_details(results, matrix, 0, tracer)["candidates"][-1]
    assert last["solver"] == "solve_same"
    assert "steps" not in last
    assert [each["wrong"] for each in last["outputs"]] == [[0, 1], [0, 2], [0, 1]]


def test_a_fit_that_is_not_correct_shows_where(results: Results, matrix: Matrix, tracer: Tracer):
    trapped = task_details(results, matrix, 1, tracer)["candidates"][-1]
    assert (trapped["solver"], trapped["state"]) == ("solve_same", CellState.FITS)
    assert [each["mark"] for each in trapped["outputs"]] == ["equal", "equal", "different", "different"]


def test_pairs_and_candidates_are_capped(
    results: Results, matrix: Matrix, tracer: Tracer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(details, "MAX_FITTING", 1)
    monkeypatch.setattr(details, "MAX_PAIRS", dict.fromkeys(details.MAX_PAIRS, 1))
    shown = task_details(results, matrix, 1, tracer)
    assert [pair["name"] for pair in shown["pairs"]] == ["train 0", "test 0"]
    assert (len(shown["candidates"]), shown["fitting"]) == (1, 3)


def test_all_views_come_in_the_order_of_the_tasks(results: Results, matrix: Matrix):
    assert [each["id"] for each in all_details(results, matrix, [1, 0])] == ["trap", "mirror"]
