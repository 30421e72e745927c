"""Rules over figures: a small tree of tests picks, for each figure, the options that are applied to it.

Options of a leaf are right for all its figures; what those of all leaves paint must be all that changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from batt.solving.figures.options import FigureProblem, Mask, RuleProblem
from batt.solving.work import PRODUCT_UNITS

MOST_OPTIONS = 4
"""The options of a leaf."""
TRIED_OPTIONS = 60
"""The options that are compared cell by cell to find the next one of a leaf."""
DEPTH = 3
TRIED_TESTS = 12
TRIED_ROOTS = 4
"""The tests that are tried alone, and as the root of a tree."""
NODE_UNITS, LEAF_UNITS = 30_000, 120_000
"""The units of work to find a test, and to find the options of a leaf, beside the products."""


@dataclass(frozen=True, slots=True)
class RuleLeaf:
    """The numbers of the options that are applied."""

    options: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RuleSplit:
    """The number of a test, the rule for figures that pass, and the rule for others."""

    test: int
    then: FigureRule
    other: FigureRule


FigureRule: TypeAlias = "RuleLeaf | RuleSplit"


def rule_parts(rule: FigureRule, masks: Mask, figures: Mask) -> Iterator[tuple[tuple[int, ...], Mask]]:
    """Yield the options of each leaf, with those of the figures that they are applied to."""
    if isinstance(rule, RuleLeaf):
        yield rule.options, figures
    else:
        yield from rule_parts(rule.then, masks, figures & masks[rule.test])
        yield from rule_parts(rule.other, masks, figures & ~masks[rule.test])


def rule_size(rule: FigureRule, problem: RuleProblem) -> int:
    """Return the description length of a rule."""
    if isinstance(rule, RuleLeaf):
        return sum([problem.options[at].size for at in rule.options])
    return problem.tests[rule.test].size + rule_size(rule.then, problem) + rule_size(rule.other, problem)


class RuleLearner:
    """Fits rules to the figures of some demonstrations.

    `nearest` is the rule that changed `most` cells of all that were tried.
    """

    def __init__(self, problem: FigureProblem, samples: Sequence[int]) -> None:
        self.problem = problem
        self._inside: Mask = np.isin(problem.table.sample_of[: problem.shown], samples)
        self._changes: Mask = problem.changes & np.isin(problem.sample_of_cell[: problem.shown_cells], samples)
        self._masks = problem.masks[:, : problem.shown]
        self._products = problem.masks[:, : problem.shown].astype(np.float32)
        self._wrong = (~problem.right).astype(np.float32)
        self.most = 0
        self.nearest: FigureRule | None = None

    def fit(self) -> Iterator[FigureRule]:
        """Yield rules that fit, the shortest first."""
        if not self._changes.any() or not self.problem.options:
            return
        whole = self._leaf(self._inside)
        if self._is_complete(whole):
            yield whole
            return
        scores = self._scores(self._inside)
        order = [at for at in np.argsort(-scores, kind="stable")[:TRIED_TESTS].tolist() if scores[at] > 0]
        for depth, tests in ((1, order), (DEPTH, order[:TRIED_ROOTS])):
            made = [self._split(test, self._inside, depth) for test in tests]
            found = sorted(filter(self._is_complete, made), key=lambda rule: rule_size(rule, self.problem))
            yield from found
            if found:
                return

    def _is_complete(self, rule: FigureRule) -> bool:
        changed = int((self._changes & self._painted(rule, self._inside)).sum())
        if changed > self.most:
            self.most, self.nearest = changed, rule
        return changed == int(self._changes.sum())

    def _painted(self, rule: FigureRule, figures: Mask) -> Mask:
        made = np.zeros(self.problem.shown_cells, bool)
        for options, kept in rule_parts(rule, self._masks, figures):
            for at in options:
                made |= self.problem.painted(self.problem.options[at], kept)
        return made

    def _leaf(self, figures: Mask) -> RuleLeaf:
        """Return options that are right for all these figures: first the one that changes the most cells."""
        problem = self.problem
        problem.work.spend(LEAF_UNITS)
        gains = np.where(problem.right[:, figures].all(axis=1), problem.gain[:, figures].sum(axis=1), 0)
        order = np.argsort(-gains, kind="stable")[:TRIED_OPTIONS].tolist()
        found: list[int] = []
        missing = self._changes.copy()
        while len(found) < MOST_OPTIONS and missing.any():
            best, most = -1, 0
            for at in order:
                # What an option changes alone bounds what it adds.
                if gains[at] <= most:
                    break
                added = int((problem.painted(problem.options[at], figures) & missing).sum())
                best, most = (at, added) if added > most else (best, most)
            if best < 0:
                break
            found.append(best)
            missing &= ~problem.painted(problem.options[best], figures)
        return RuleLeaf(tuple(found))

    def _split(self, test: int, figures: Mask, depth: int) -> RuleSplit:
        """Return a tree with this test at its root, whose sides are split again where that changes more cells."""
        sides: list[FigureRule] = []
        for side in (figures & self._masks[test], figures & ~self._masks[test]):
            made: FigureRule = self._leaf(side)
            if depth > 1 and self.problem.work.is_left():
                scores = self._scores(side)
                best = int(scores.argmax()) if len(scores) else -1
                if best >= 0 and scores[best] > (self._painted(made, side) & self._changes).sum():
                    made = self._split(best, side, depth - 1)
            sides.append(made)
        return RuleSplit(test, sides[0], sides[1])

    def _scores(self, figures: Mask) -> npt.NDArray[np.float32]:
        """Return for each test the cells that the best option of each side changes; -1 if it splits nothing."""
        masks, wrong, gain = self._products[:, figures], self._wrong[:, figures], self.problem.gain[:, figures]
        self.problem.work.spend(NODE_UNITS + 2 * masks.size * len(gain) * PRODUCT_UNITS)
        wrong_then, gain_then = masks @ wrong.T, masks @ gain.T
        then = np.where(wrong_then == 0, gain_then, 0).max(axis=1, initial=0)
        is_allowed = wrong.sum(axis=1)[None] == wrong_then
        other = np.where(is_allowed, gain.sum(axis=1)[None] - gain_then, 0).max(axis=1, initial=0)
        held = masks.sum(axis=1)
        scores: npt.NDArray[np.float32] = then + other
        scores[(held == 0) | (held == masks.shape[1])] = -1
        return scores
