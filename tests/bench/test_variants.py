"""Variants are the same for the same seed, and differ from what they were made of."""

from __future__ import annotations

import batt
from batt.bench.variants import variant_deck


def test_a_deck_of_variants_is_that_of_its_seed():
    deck = batt.load_deck()
    one, same, other = (variant_deck([deck], 300, seed) for seed in (1, 1, 2))
    assert [each.program for each in one] == [each.program for each in same] != [each.program for each in other]
    assert len(set(one.names)) == 300
    originals = {each.program for each in deck}
    assert sum(each.program in originals for each in one) < 30
