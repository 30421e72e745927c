"""Choose at most two answers for each test input, by the demonstrations alone: all layers on one scale of evidence.

An answer's odds are those of the best program that gives it, more if other families and more programs agree, and less
if it breaks invariants of the demonstrations. The weights are fitted to training tasks by `benchmarks/evidence.py`. A
new layer is one row of `LAYERS`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from importlib import resources
from math import exp, log, log2

from batt.solving.answers.invariants import Aspect, Broken, Invariants
from batt.solving.candidates import Layer, SearchCandidate
from batt.types.kinds import Grid

ANSWERS = 2
WEIGHTS = "evidence.json"
USUAL_SIZE = 8
"""The description length for which the guess of a row holds."""
PER_SIZE, HELD_OUT, MISSED, PER_FAMILY, PER_PROGRAM, SAME_FAMILY = 0.4, 1.5, -3.0, 1.0, 0.2, 0.5
"""What counts until weights are fitted: a doubled size, held-out success, a missed demonstration, another family that
agrees, twice the programs; and what a second answer of the same family counts."""
PER_BROKEN = 1.0
"""What a broken invariant of an aspect counts against an answer until weights are fitted, and twice as many more."""
LEAST_ODDS, MOST_ODDS = -12.0, 12.0
MOST_CHECKED = 40
"""The likeliest outputs of a test input, of which one is chosen by its invariants."""


class Family(Enum):
    """Layers that are right and wrong together."""

    DECKS = "decks"
    TREES = "trees"
    TABLES = "tables"
    STACKS = "stacks"
    FIGURES = "figures"
    NEAR = "near"


@dataclass(frozen=True, slots=True)
class LayerRow:
    """The family of a layer, and a guess how often its programs are right, which counts until it is fitted."""

    family: Family
    guess: float


LAYERS = {
    Layer.DECK: LayerRow(Family.DECKS, 0.95),
    Layer.VARIANT: LayerRow(Family.DECKS, 0.97),
    Layer.TEMPLATE: LayerRow(Family.DECKS, 0.85),
    Layer.CHAIN: LayerRow(Family.DECKS, 0.9),
    Layer.EXPRESSION: LayerRow(Family.DECKS, 0.85),
    Layer.EXPRESSION_TREE: LayerRow(Family.TREES, 0.4),
    Layer.TABLE: LayerRow(Family.TABLES, 0.68),
    Layer.PAIR: LayerRow(Family.TABLES, 0.3),
    Layer.RECOLOUR: LayerRow(Family.TABLES, 0.6),
    Layer.STACK: LayerRow(Family.STACKS, 0.85),
    Layer.FAMILY: LayerRow(Family.STACKS, 0.9),
    Layer.SCENE: LayerRow(Family.FIGURES, 0.9),
    Layer.JOIN: LayerRow(Family.STACKS, 0.95),
    Layer.TREE: LayerRow(Family.TREES, 0.5),
    Layer.STATE_TREE: LayerRow(Family.TREES, 0.5),
    Layer.DEEP_TREE: LayerRow(Family.TREES, 0.4),
    Layer.BASE_TREE: LayerRow(Family.TREES, 0.3),
    Layer.GROW: LayerRow(Family.TREES, 0.3),
    Layer.RULE: LayerRow(Family.FIGURES, 0.6),
    Layer.NEXT_RULE: LayerRow(Family.FIGURES, 0.4),
    Layer.RELATION: LayerRow(Family.FIGURES, 0.5),
    Layer.MOVE: LayerRow(Family.FIGURES, 0.6),
    Layer.BASE_RULE: LayerRow(Family.FIGURES, 0.4),
    Layer.LIST: LayerRow(Family.FIGURES, 0.7),
    Layer.LAYOUT: LayerRow(Family.FIGURES, 0.8),
    Layer.LAYOUT_TREE: LayerRow(Family.FIGURES, 0.5),
    Layer.COLLAGE: LayerRow(Family.FIGURES, 0.8),
    Layer.PICK: LayerRow(Family.FIGURES, 0.8),
    Layer.NEAR: LayerRow(Family.NEAR, 0.8),
    Layer.NEAR_TREE: LayerRow(Family.NEAR, 0.5),
}
"""All layers."""


@dataclass(frozen=True, slots=True)
class Vote:
    """The best program of a layer for an answer: its description length, and what else speaks for it.

    `steps` is the length of the whole program: that of a tree counts its leaves, but not what they copy from.
    """

    layer: Layer
    size: int
    held_out: bool | None = None
    missed: int = 0
    steps: int = 0

    @property
    def kind(self) -> str:
        """Return the name of its evidence: the layer, and whether it was held out or misses a demonstration."""
        held = "" if self.held_out is None else "+" if self.held_out else "-"
        return f"{self.layer.name.lower()}{held}{'~' if self.missed else ''}"


@dataclass(frozen=True, slots=True)
class EvidenceWeights:
    """Natural logarithms of odds: of each kind of evidence, and what sizes, steps, families and programs add.

    `broken` has for each aspect what broken invariants take away.
    """

    kinds: Mapping[str, float] = field(default_factory=dict)
    sizes: Mapping[str, float] = field(default_factory=dict)
    steps: Mapping[str, float] = field(default_factory=dict)
    broken: Mapping[str, float] = field(default_factory=dict)
    per_family: float = PER_FAMILY
    per_program: float = PER_PROGRAM
    same_family: float = SAME_FAMILY

    def of_vote(self, vote: Vote) -> float:
        """Return the odds that an answer with this vote alone is right."""
        row = LAYERS[vote.layer]
        per_size = self.sizes.get(row.family.value, PER_SIZE)
        odds = self.kinds.get(vote.kind)
        if odds is None:
            odds = log(row.guess / (1 - row.guess)) + per_size * log2(1 + USUAL_SIZE)
            odds += 0 if vote.held_out is None else HELD_OUT if vote.held_out else -HELD_OUT
            odds += MISSED * vote.missed
        odds -= per_size * log2(1 + vote.size) + self.steps.get(row.family.value, 0.0) * log2(1 + vote.steps)
        return max(LEAST_ODDS, min(MOST_ODDS, odds))

    def of_broken(self, aspect: Aspect, count: int) -> float:
        """Return what broken invariants of an aspect take from the odds."""
        return self.broken.get(aspect.value, PER_BROKEN) * log2(1 + count)


@cache
def fitted_weights() -> EvidenceWeights:
    """Return the weights that were fitted to training tasks."""
    return EvidenceWeights(**json.loads(resources.files("batt.solving").joinpath(WEIGHTS).read_text("utf-8")))


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """The evidence for an answer: the best vote of each layer, the best first, and the number of programs.

    `broken` counts by aspect the invariants that it breaks.
    """

    votes: tuple[Vote, ...]
    programs: int
    broken: Broken = field(default_factory=dict)

    @property
    def families(self) -> set[Family]:
        """Return the families that agree."""
        return {LAYERS[vote.layer].family for vote in self.votes}

    def odds(self, weights: EvidenceWeights) -> float:
        """Return the logarithm of the odds that the answer is right rather than none."""
        best = max(map(weights.of_vote, self.votes))
        agreeing = weights.per_family * (len(self.families) - 1) + weights.per_program * log2(self.programs)
        return best + agreeing - sum([weights.of_broken(aspect, count) for aspect, count in self.broken.items()])


@dataclass(frozen=True, slots=True)
class RankedAnswer:
    """An output for a test input: the candidates that give it, the best first, the evidence, and how sure it is."""

    grid: Grid
    candidates: tuple[SearchCandidate, ...]
    evidence: AnswerEvidence
    sure: float


def vote_of(candidate: SearchCandidate) -> Vote:
    """Return what speaks for a candidate."""
    return Vote(candidate.layer, candidate.size, candidate.held_out, candidate.missed, candidate.steps)


def choose(
    candidates: Sequence[SearchCandidate],
    test: int,
    invariants: Invariants | None = None,
    weights: EvidenceWeights | None = None,
) -> list[RankedAnswer]:
    """Return the outputs for a test input, the likeliest first. Only `MOST_CHECKED` are checked for `invariants`."""
    weights = weights or fitted_weights()
    groups: dict[Grid, list[tuple[float, int, int]]] = {}
    votes = [vote_of(each) for each in candidates]
    for at, candidate in enumerate(candidates):
        grid = candidate.outputs[test]
        if grid is not None:
            groups.setdefault(grid, []).append((-weights.of_vote(votes[at]), candidate.size, at))
    grids = list(groups)
    ranked = [[at for _, _, at in sorted(groups[grid])] for grid in grids]
    evidence = [evidence_of([votes[at] for at in group]) for group in ranked]
    if invariants is not None:
        best = sorted(range(len(grids)), key=lambda at: -evidence[at].odds(weights))[:MOST_CHECKED]
        grids, ranked = [grids[at] for at in best], [ranked[at] for at in best]
        evidence = [
            replace(evidence[at], broken=invariants.broken(test, grid)) for at, grid in zip(best, grids, strict=True)
        ]
    shares = probabilities([each.odds(weights) for each in evidence])
    found = [
        RankedAnswer(grid, tuple([candidates[at] for at in group]), each, share)
        for grid, group, each, share in zip(grids, ranked, evidence, shares, strict=True)
    ]
    return in_order(found, weights.same_family)


def evidence_of(votes: Sequence[Vote]) -> AnswerEvidence:
    """Return the evidence of programs that give one answer, the best first."""
    best = {vote.layer: vote for vote in reversed(votes)}
    return AnswerEvidence(tuple([vote for vote in votes if best[vote.layer] is vote]), len(votes))


def probabilities(odds: Sequence[float]) -> list[float]:
    """Return how likely each answer of a test input is right: at most one is, or none."""
    weights = [exp(each) for each in odds]
    return [each / (1 + sum(weights)) for each in weights]


def in_order(found: Sequence[RankedAnswer], same_family: float) -> list[RankedAnswer]:
    """Return answers by descending certainty; after the first, those of other families come sooner."""
    ordered = sorted(found, key=lambda each: (-each.sure, each.candidates[0].size, each.grid))
    if len(ordered) > ANSWERS:
        first = ordered[0].evidence.families
        ordered[1:] = sorted(
            ordered[1:], key=lambda each: -each.sure * (same_family if each.evidence.families <= first else 1)
        )
    return ordered
