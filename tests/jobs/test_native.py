"""Encoded decks as jobs of the cpu engine."""

from __future__ import annotations

from batt.compiler import Encoded, compile_deck, encode_deck
from batt.jobs.native import job_of
from batt.passes.plan import Plan
from batt.runtime.blocks import Order
from handmade import MIRROR, SAME, deck, sample


def test_solvers_find_their_slices_and_refused_ones_their_reasons():
    given = deck(solve_a=MIRROR, solve_b=SAME, solve_c=MIRROR)
    encoded = encode_deck(compile_deck(given), Plan.none())
    slices = {"solve_c": 0, "solve_a": 1}
    job = job_of(given, Encoded(encoded.image, slices, {"solve_b": "too long"}), (sample(),), Order(3, 1))
    assert job.slice_of.tolist() == [1, -1, 0]
    assert job.refused == {1: "too long"}
    assert [program.steps for program in job.programs] == [solver.program.steps for solver in given]
