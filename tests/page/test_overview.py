from __future__ import annotations

import pytest

from batt.jobs import Results
from batt.jobs.matrix import Matrix
from batt.page import overview
from batt.page.overview import RunInfo


def test_a_wall_that_is_too_small_leaves_out_tasks(results: Results, matrix: Matrix, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(overview, "WALL_TASKS", 1)
    shown = overview.overview(results, matrix, RunInfo("finished"), with_ops=False)
    assert [tile["id"] for tile in shown["wall"]["tiles"]] == ["mirror"]
    assert shown["wall"]["left_out"] == 1


def test_a_matrix_that_is_too_large_keeps_the_solvers_that_fit_most(
    results: Results, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(overview, "MATRIX_CELLS", 4)
    shown = overview.overview(results, matrix, RunInfo("finished"), with_ops=False)["matrix"]
    assert (shown["cells"], shown["left_out"]) == (["55", "55"], 2)
