"""Profiles as tables: every view, as many rows as asked for, and names that are never taken for markup."""

from __future__ import annotations

import pytest
from rich.console import Console

from batt.profile.figures import EvaluationRow, Figures, OpRow, PatternRow, SolverRow, Spent, StepRow
from batt.profile.table import STANDARD, VIEWS, profile_tables

SPENT = Spent(1_234, 56_789, 0.25, 0.125)
TOLD = Figures(
    *("deck", 3, 4, 12, 12, 2, True, 0.5, 2.0, 3.0, 4.0, 0.5, 99_000, ("7 evaluations over their budget",)),
    by_op=(OpRow("machine", "machine", Spent(None, None, 1.5, 0.75)), OpRow("size", "patches", SPENT)),
    by_step=(StepRow("size(A0)", True, 5, ("solve_a", "solve_b", "solve_c"), SPENT),),
    by_solver=(SolverRow("solve_a", SPENT), SolverRow("solve_b", Spent(1, 2, 3e-6, 0.0))),
    by_pattern=(PatternRow("mfilter[size equality]", 2, SPENT),),
    by_evaluation=(EvaluationRow("solve_a", "t", "train", 1, SPENT),),
)


def shown(*views: str, rows: int = 12) -> str:
    out = Console(width=140, markup=False, highlight=False)
    with out.capture() as captured:
        out.print(profile_tables(TOLD, views, rows))
    return captured.get()


def test_the_head_tells_the_run():
    text = shown()
    for part in ("deck: 12 evaluations, 2.00 s in native code, 6/s", "99,000 steps; 500.00 ms by the clock"):
        assert part in text
    for part in (
        "2 threads, 500.00 ms of it for shared steps",
        "ops, 1.50 × as long; instructions, 2.00 ×",
        "7 evaluations over",
    ):
        assert part in text


@pytest.mark.parametrize(
    ("view", "words"),
    [
        ("op", ["machine machine     –      –    1.50 s 75.0%", "1,234 56,789 250.00 ms 12.5%"]),
        ("step", ["size(A0) (shared)", "solve_a, solve_b and 3 more", "inclusive"]),
        ("solver", ["evaluations", "3.0 µs"]),
        ("pattern", ["mfilter[size equality]", "inclusive"]),
        ("evaluation", ["solve_a on t train1"]),
    ],
)
def test_every_view_has_its_table(view: str, words: list[str]):
    text = shown(view)
    for word in words:
        assert word in text


def test_rows_that_are_left_out_are_counted():
    assert "1 more" in shown("solver", rows=1)
    assert "solve_b" not in shown("solver", rows=1)


def test_the_standard_views_are_views():
    assert set(STANDARD) <= set(VIEWS)
