"""Cells taken apart by position: found where a value is known to be a cell, and only there."""

from __future__ import annotations

import pytest

from batt.errors import DeckError
from batt.front import Deck
from batt.front.module import CELL_BY_POSITION, read_module


def lines_found(*lines: str, params: str = "S, I, C") -> list[tuple[int, int]]:
    """Where the lines of a solver are told to take a cell apart: line and column."""
    text = f"def solve({params}):\n" + "".join([f"    {line}\n" for line in lines])
    mistakes = read_module(text, "a").mistakes
    assert {mistake.message for mistake in mistakes} <= {CELL_BY_POSITION}
    return [(mistake.place.line, mistake.place.column) for mistake in mistakes]


@pytest.mark.parametrize(
    "expression",
    [
        "first(first(get_nth_f(o_g(I, R5), F0)))",
        "get_nth_t(get_nth_f(asobject(I), F1), F2)",
        "apply(rbind(get_nth_t, F2), merge_f(o_g(I, R5)))",
        "apply(rbind(get_nth_t, F0), merge_f(o_g(I, R5)))",
        "sfilter_f(asobject(I), matcher(second, ONE))",
        "mapply(lbind(apply, last), o_g(I, R5))",
        "argmax(get_arg_rank_f(o_g(I, R5), size, F0), first)",
        "get_val_rank_f(merge_f(o_g(I, R5)), rbind(get_nth_t, L1), F0)",
        "last(ascell(ORIGIN, RED))",
        "last(first(celltuple(first(S), last(S))))",
        "apply(fork(ascell, last, first), asobject(mir_rot_t(I, R0)))",
        "apply(chain(first, first, totuple), o_g(I, R5))",
        "add(first(recolor_o(RED, ofcolor(I, BLUE))), ONE)",
        "size_t(first(merge_f(partition(o_g(I, F0)))))",
    ],
)
def test_an_item_of_a_cell_is_not_asked_for_by_its_position(expression: str):
    assert lines_found(f"x = {expression}", "return x") == [(2, 9)]


@pytest.mark.parametrize(
    "expression",
    [
        "apply(toij, merge_f(o_g(I, R5)))",
        "toij(get_nth_f(get_nth_f(o_g(I, R5), F0), L1))",
        "color(get_nth_f(o_g(I, R5), F0))",
        "get_nth_f(get_nth_f(o_g(I, R5), F0), F0)",
        "paint(I, insert(ascell(ORIGIN, RED), asobject(I)))",
        "contained(ascell(ORIGIN, RED), asobject(I))",
        "first(second(first(S)))",
        "apply(second, S)",
        "get_nth_t(corner(get_nth_f(o_g(I, R5), F0), R0), F0)",
        "first(toij(first(asobject_t(I))))",
        "apply(first, apply(toij, asobject_t(I)))",
        "equality(first(asobject_t(I)), last(asobject_t(I)))",
    ],
)
def test_what_is_no_cell_may_be_taken_apart_and_a_cell_may_be_handed_around(expression: str):
    assert lines_found(f"x = {expression}", "return x") == []


def test_a_solver_without_a_word_of_the_dialect_knows_what_a_cell_is():
    assert lines_found("x = asobject(I)", "y = first(x)", "z = first(y)", "return z") == []
    assert lines_found("x = asobject(I)", "y = first(x)", "z = first(y)", "return (z, RED)") == []


def test_every_line_is_told_at_its_place():
    lines = ["x = asobject_t(I)", "y = first(x)", "z = add(RED,", "        first(y))", "return last_t(y)"]
    assert lines_found(*lines) == [(4, 9), (6, 12)]
    assert lines_found(*lines, params="I") == [(4, 9), (6, 12)]


def test_functions_of_the_deck_are_followed():
    text = "def colour(cell):\n    return get_nth_t(cell, F2)\ndef solve(I):\n    return apply(colour, asobject_t(I))\n"
    with pytest.raises(DeckError) as caught:
        Deck.from_sources({"a": text})
    assert [str(mistake.place) for mistake in caught.value.mistakes] == ["a:4:12"]


@pytest.mark.parametrize("grow", ["x = compose(x, x)", "x = fork(x, x, x)", "x = lbind(x, x)"])
def test_following_ends(grow: str):
    assert lines_found("x = first_t", *[grow] * 200, "return x(asobject(I))") == []
