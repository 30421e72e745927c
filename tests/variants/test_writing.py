"""Programs as source text: they read back as they were, in names and words that a person would choose."""

from __future__ import annotations

import pytest

import batt
import handmade
from batt.check.generate import random_source
from batt.front import Deck
from batt.variants.writing import solver_of, source
from rearc import verifiers


@pytest.mark.parametrize("deck", [batt.load_deck(), verifiers()], ids=["built-in", "re-arc"])
def test_every_solver_reads_back_as_it_was_written(deck):
    for solver in deck:
        again = solver_of(solver, "again", "solve_again", solver.program, "As it was.")
        assert again.program == solver.program
        assert Deck.from_sources({"again": again.source})["again"].program == solver.program


@pytest.mark.parametrize(
    "lines",
    [
        ("x1 = (1, 2)", "x = (x1, (3, 4))"),
        ("x1 = (1, 2)", "x2 = (x1,)", "x3 = (x2, x2)", "x2_2 = (x1, 5, x1)", "x = (x3, x2_2)"),
        ("x1 = ()", "x = (x1, ZERO, T)"),
        ("x = (T, 1)", "y = (x, x)", "z = (y, (x, I))"),
        ("x = branch(I, ((1, 0), (0, 2)), ((1, 1), ((0, 0), T)))",),
    ],
)
def test_tuples_of_tuples_given_by_name_stay_steps(lines: tuple[str, ...]):
    program = handmade.program(*lines)
    text = source("solve_a", program, "Said.", set())
    assert Deck.from_sources({"a": text})["a"].program == program


def test_random_programs_read_back_as_they_were_written():
    for seed in range(200):
        (solver,) = Deck.from_sources({"solve": random_source(seed)})
        again = solver_of(solver, "again", "solve_again", solver.program, "As it was.")
        assert Deck.from_sources({"again": again.source})["again"].program == solver.program, seed


def test_names_and_constants_are_those_of_the_language_and_the_source():
    program = handmade.program("objs = objects(I, T, F, T)", "x = fill(I, TWO, first(objs))", "y = shift(x, (1, 0))")
    assert source("solve_a", program, "Said.", set()).splitlines() == [
        "def solve_a(I):",
        '    """Said."""',
        "    objs = objects(I, T, F, T)",
        "    x2 = first(objs)",
        "    x = fill(I, TWO, x2)",
        "    y = shift(x, DOWN)",
        "    return x",
    ]


def test_a_name_that_is_assigned_twice_or_taken_gets_a_number():
    program = handmade.program("x = vmirror(I)", "x = hmirror(x)")
    text = source("solve_a", program, "Said.", {"I"})
    assert "x_2 = hmirror(x)" in text
    assert "def solve_a(I_2):" in text


def test_helpers_and_constants_come_along():
    text = "HUE = 12\n\n\ndef paint_all(grid, c):\n    x = fill(grid, c, asindices(grid))\n    return x\n\n\n"
    deck = Deck.from_sources({"solve_a": text + handmade.source("solve_a", "x = paint_all(I, HUE)")})
    made = solver_of(deck[0], "solve_b", "solve_b", deck[0].program, "Said.")
    assert "def paint_all(grid, c):" in made.source
    assert made.program == deck[0].program
    assert made.place == deck[0].place
    assert Deck.from_sources({"b": made.source})["b"].program == made.program
