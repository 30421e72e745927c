"""Random decks whose solvers share steps."""

from __future__ import annotations

from random import Random

from batt.check.shared_decks import shared_sources, variants
from batt.codegen.plan import plan
from batt.compiler import compile_deck
from batt.front import Deck
from batt.ir.graph import Level


def test_solvers_over_a_pool_share_values_of_every_level():
    levels = set()
    for seed in range(30):
        deck = Deck.from_sources(shared_sources(Random(seed), 6, 1_000))
        assert len(deck) == 6
        levels |= {entry.level for entry in plan(compile_deck(deck).graph).entries}
    assert levels == {Level.CONSTANT, Level.TASK, Level.SAMPLE}


def test_variants_of_a_program_share_its_steps():
    shared = 0
    for seed in range(20):
        deck = Deck.from_sources(variants(seed, Random(seed), 6))
        shared += bool(plan(compile_deck(deck).graph).entries)
    assert shared >= 8


def test_the_same_seed_gives_the_same_deck():
    assert shared_sources(Random(7), 6, 500) == shared_sources(Random(7), 6, 500)
    assert variants(7, Random(7), 6) == variants(7, Random(7), 6)
