"""Blocks: which lines a solver has in a batt, and where it has to name steps of others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from batt.card.blocks import BattLine, blocks_of
from batt.card.steps import merge_steps
from batt.card.writing import check_text, write_batt
from handmade import deck


def lines_of(**solvers: tuple[str, ...]) -> list[list[BattLine]]:
    return blocks_of(merge_steps(deck(**solvers)))


def test_a_block_holds_the_steps_that_no_solver_before_has():
    found = lines_of(solve_a=("x = vmirror(I)",), solve_b=("y = vmirror(I)", "x = hmirror(y)"))
    assert found == [[1], [2]]


def test_steps_of_others_that_come_in_by_themselves_are_not_named():
    second = ("y = hmirror(I)", "z = vmirror(I)", "x = hconcat(y, z)")
    found = lines_of(solve_a=("y = vmirror(I)", "x = hmirror(I)"), solve_b=second)
    assert found[1] == [3]


def test_another_order_is_named():
    second = ("z = vmirror(I)", "y = hmirror(I)", "x = hconcat(y, z)")
    found = lines_of(solve_a=("y = vmirror(I)", "x = hmirror(I)"), solve_b=second)
    assert found[1] == [(1,), 3]


def test_a_line_that_nothing_reads_is_named_where_another_solver_made_it():
    found = lines_of(solve_a=("x = first(I)",), solve_b=("y = first(I)", "x = vmirror(I)"))
    assert found[1] == [(1,), 2]


def test_a_repeat_is_named():
    assert lines_of(solve_a=("y = vmirror(I)", "x = vmirror(I)")) == [[1, (1,)]]


def test_naming_a_step_brings_in_what_it_needs():
    first = ("y = vmirror(I)", "x = hmirror(y)")
    second = ("y = vmirror(I)", "z = hmirror(y)", "x = rot90(I)")
    assert lines_of(solve_a=first, solve_b=second)[1] == [(2,), 3]


def test_an_equal_solver_has_no_line_at_all():
    assert lines_of(solve_a=("x = vmirror(I)",), solve_b=("x = vmirror(I)",))[1] == []


def test_a_long_solver_without_order_is_laid_out_and_read_back():
    """Each of 300 shared steps is named, in reverse, which a search for the shortest way would take long for."""
    calls = [f"t{n} = shift(I, ({n}, {n}))" for n in range(300)]
    solvers = deck(solve_a=(*calls, "x = I"), solve_b=(*reversed(calls), "x = I"))
    steps = merge_steps(solvers)
    assert blocks_of(steps)[1] == [tuple(range(300, 0, -1))]
    check_text(write_batt(steps, "A batt."), steps, "batt.py")


NAMES = ["I", "a", "b", "c"]
CALLS = st.sampled_from(["{0} = vmirror({1})", "{0} = hmirror({1})", "{0} = hconcat({1}, {2})", "{0} = ({1}, {2})"])


@st.composite
def solver(draw: st.DrawFn) -> tuple[str, ...]:
    lines = ["a = I", "b = I", "c = rot90(I)"]
    for _ in range(draw(st.integers(1, 8))):
        target = draw(st.sampled_from(NAMES[1:]))
        lines.append(draw(CALLS).format(target, draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))))
    return (*lines, f"x = {draw(st.sampled_from(NAMES))}")


@given(st.lists(solver(), min_size=1, max_size=5))
def test_any_solvers_read_back_step_by_step(solvers: list[tuple[str, ...]]):
    steps = merge_steps(deck(**{f"solve_{n}": lines for n, lines in enumerate(solvers)}))
    for batch in (False, True):
        check_text(write_batt(steps, "A batt.", batch=batch), steps, "batt.py")
