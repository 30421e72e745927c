"""Choose at most two answers for each test input, by the demonstrations alone: all layers on one scale of evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from batt.solving.candidates import Layer, SearchCandidate
from batt.types.kinds import Grid

ANSWERS = 2
SAME_FAMILY = 0.5
"""A second answer from the families of the first counts this much less: they tend to be wrong together."""
MOST_SURE = 0.99

HELD_OUT = 0.95
"""How often a copy tree is right that is found again without each demonstration in turn."""
BY_LEAVES = ((2, 0.75), (5, 0.45), (8, 0.2), (99, 0.05))
"""How often other copy trees are right, by their number of leaves at most."""
OTHER_BASE, OTHER_ROOT = 0.6, 0.3
"""What a tree over another base counts, and one that is not the best of its cells and so was not held out."""
FAMILIES = (
    frozenset({Layer.TREE, Layer.STATE_TREE, Layer.BASE_TREE}),
    frozenset({Layer.DECK, Layer.VARIANT, Layer.TEMPLATE, Layer.CHAIN}),
    frozenset({Layer.TABLE, Layer.PAIR, Layer.RECOLOUR}),
    frozenset({Layer.STACK, Layer.JOIN}),
)
"""Layers that are right and wrong together."""
BY_LAYER = {
    Layer.DECK: 0.95,
    Layer.VARIANT: 0.97,
    Layer.TEMPLATE: 0.85,
    Layer.CHAIN: 0.9,
    Layer.TABLE: 0.68,
    Layer.PAIR: 0.3,
    Layer.STACK: 0.85,
    Layer.JOIN: 0.95,
    Layer.RECOLOUR: 0.6,
}
"""How often programs of the other layers are right."""
PER_STEP = 0.004
"""What each step of a program of these layers takes from that."""


@dataclass(frozen=True, slots=True)
class RankedAnswer:
    """An output for a test input, the candidates that give it, the best first, and how sure it is."""

    grid: Grid
    candidates: tuple[SearchCandidate, ...]
    sure: float


def belief(candidate: SearchCandidate) -> float:
    """Return how likely a candidate is right, by its evidence."""
    if candidate.layer in FAMILIES[0]:
        if candidate.held_out:
            return HELD_OUT
        share = next(share for leaves, share in BY_LEAVES if candidate.size <= leaves)
        share *= OTHER_BASE if candidate.layer is Layer.BASE_TREE else 1
        return share * (OTHER_ROOT if candidate.held_out is None else 1)
    share = BY_LAYER[candidate.layer] - PER_STEP * candidate.size
    if candidate.held_out is not None:
        share = share * 1.1 if candidate.held_out else share * 0.6
    return max(0.02, min(MOST_SURE, share))


def choose(candidates: Sequence[SearchCandidate], test: int) -> list[RankedAnswer]:
    """Return the outputs for a test input, the likeliest first.

    Candidates of different families that agree support one another; of one family, the best counts.
    """
    groups: dict[Grid, list[SearchCandidate]] = {}
    for candidate in candidates:
        grid = candidate.outputs[test]
        if grid is not None:
            groups.setdefault(grid, []).append(candidate)
    found = []
    for grid, group in groups.items():
        ranked = sorted(group, key=lambda each: (-belief(each), each.size))
        doubt = 1.0
        for family in FAMILIES:
            doubt *= 1 - max([belief(each) for each in ranked if each.layer in family], default=0.0)
        found.append(RankedAnswer(grid, tuple(ranked), min(MOST_SURE, 1 - doubt)))
    found.sort(key=lambda each: (-each.sure, each.candidates[0].size, each.grid))
    if len(found) > ANSWERS:
        first = _families(found[0])
        found[1:] = sorted(found[1:], key=lambda each: -each.sure * (SAME_FAMILY if _families(each) <= first else 1))
    return found


def _families(ranked: RankedAnswer) -> set[int]:
    """Return the families of the candidates that give an answer, by number."""
    layers = {each.layer for each in ranked.candidates}
    return {number for number, family in enumerate(FAMILIES) if layers & family}
