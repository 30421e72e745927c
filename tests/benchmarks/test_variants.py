"""Variants are the same for the same seed, differ from what they were made of, and are written as a deck."""

from __future__ import annotations

from pathlib import Path

import batt
from batt.bench.frozen import first_132
from variants import main, variants


def test_variants_are_those_of_their_seed():
    deck = first_132()
    one, same, other = (list(variants([deck], 300, seed)) for seed in (1, 1, 2))
    assert one == same != other
    assert len({name for name, _ in one}) == 300
    originals = {each.program for each in deck}
    assert sum(program in originals for _, program in one) < 30


def test_the_deck_that_is_written_holds_the_variants(tmp_path: Path):
    path = tmp_path / "variants.jsonl"
    assert main([str(path), "--count", "150"]) == 0
    read = batt.load_deck(path)
    wanted = dict(variants([batt.load_deck()], 150))
    assert list(read.names) == list(wanted)
    # Names and lines are those of the text; steps, operands and results are the same.
    for solver in read:
        one, other = solver.program, wanted[solver.name]
        assert [(step.callee, step.args) for step in one.steps] == [(step.callee, step.args) for step in other.steps]
        assert one.result == other.result
