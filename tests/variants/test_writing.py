"""Solvers of programs: their sources read back as they were, with all that they need."""

from __future__ import annotations

import pytest

import handmade
from batt.bench.frozen import first_132
from batt.check.generate import random_source
from batt.front import Deck
from batt.variants.inferring import solver_of
from rearc import verifiers


@pytest.mark.parametrize("deck", [first_132(), verifiers()], ids=["first-132", "re-arc"])
def test_every_solver_reads_back_as_it_was_written(deck):
    for solver in deck:
        again = solver_of(solver, "again", "solve_again", solver.program, "As it was.")
        assert again.program == solver.program
        assert Deck.from_sources({"again": again.source})["again"].program == solver.program


def test_random_programs_read_back_as_they_were_written():
    for seed in range(200):
        (solver,) = Deck.from_sources({"solve": random_source(seed)})
        again = solver_of(solver, "again", "solve_again", solver.program, "As it was.")
        assert Deck.from_sources({"again": again.source})["again"].program == solver.program, seed


def test_helpers_and_constants_come_along():
    text = "HUE = 12\n\n\ndef paint_all(grid, c):\n    x = fill(grid, c, asindices(grid))\n    return x\n\n\n"
    deck = Deck.from_sources({"solve_a": text + handmade.source("solve_a", "x = paint_all(I, HUE)")})
    made = solver_of(deck[0], "solve_b", "solve_b", deck[0].program, "Said.")
    assert "def paint_all(grid, c):" in made.source
    assert made.program == deck[0].program
    assert made.place == deck[0].place
    assert Deck.from_sources({"b": made.source})["b"].program == made.program
