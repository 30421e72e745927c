"""Copy trees: a leaf names the source that a cell is copied from, not a colour. A tree is a program of paints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.cells import CellFeatures, Mask
from batt.solving.expressions import Expression
from batt.solving.frame import TaskFrame, as_grid
from batt.solving.parts import chosen
from batt.solving.work import PRODUCT_UNITS, Work

DEPTH = 6
MOST_LEAVES = 11
ROOTS = 8
"""The tests that are tried as the root of a tree."""
KEPT_TREES = 4
PURE_BONUS = 0.02
"""What a side of a split that one source gets right counts, in cells."""

Cells: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CellSplit:
    """An inner node: a test, the node for cells where it holds, and the node for the others."""

    test: int
    then: CellTree
    other: CellTree


CellTree: TypeAlias = "int | CellSplit"
"""A leaf is the number of a source."""


class TreeLearner:
    """Fits copy trees to cells. `right` tells for each source which cells it gets right."""

    def __init__(self, masks: Mask, right: Mask, work: Work) -> None:
        self.masks = masks
        self.right = right
        self.work = work
        self._masks = masks.astype(np.float32)
        self._right = right.astype(np.float32)
        self._leaves = 0

    def fit(self, cells: Cells, depth: int = DEPTH) -> CellTree | None:
        """Return a tree that gets all cells right, or None."""
        self._leaves = 0
        return self._grow(cells, depth)

    def fit_all(self, cells: Cells) -> list[CellTree]:
        """Return trees that get all cells right, one for each of the best roots, the smallest first."""
        tree = self.fit(cells)
        if isinstance(tree, int):
            return [tree]
        found: list[CellTree] = [] if tree is None else [tree]
        done = set() if tree is None else {tree.test}
        scores = self._scores(cells)
        for test in np.argsort(-scores, kind="stable")[:ROOTS].tolist():
            if test in done or scores[test] < 0 or not self.work.is_left():
                continue
            self._leaves = 0
            holds = self.masks[test, cells]
            then = self._grow(cells[holds], DEPTH - 1)
            other = None if then is None else self._grow(cells[~holds], DEPTH - 1)
            if then is not None and other is not None:
                found.append(CellSplit(test, then, other))
        return sorted(found, key=leaves_of)[:KEPT_TREES]

    def _grow(self, cells: Cells, depth: int) -> CellTree | None:
        right = self.right[:, cells]
        total = right.sum(axis=1)
        best = int(total.argmax())
        if total[best] == len(cells):
            self._leaves += 1
            return best
        if depth == 0 or self._leaves >= MOST_LEAVES or not self.work.is_left():
            return None
        scores = self._scores(cells)
        test = int(scores.argmax()) if len(scores) else -1
        if test < 0 or scores[test] < 0:
            return None
        holds = self.masks[test, cells]
        then = self._grow(cells[holds], depth - 1)
        other = None if then is None else self._grow(cells[~holds], depth - 1)
        return None if then is None or other is None else CellSplit(test, then, other)

    def _scores(self, cells: Cells) -> npt.NDArray[np.float64]:
        """Return for each test the cells that the best sources of both sides get right; -1 if it splits nothing."""
        masks, right = self._masks[:, cells], self._right[:, cells]
        self.work.spend(masks.shape[0] * right.shape[0] * len(cells) * PRODUCT_UNITS)
        then = masks @ right.T
        count = masks.sum(axis=1)
        best_then = then.max(axis=1)
        best_other = (right.sum(axis=1)[None] - then).max(axis=1)
        pure = (best_then == count).astype(np.float64) + (best_other == len(cells) - count)
        scores: npt.NDArray[np.float64] = best_then + best_other + PURE_BONUS * len(cells) * pure
        scores[(count == 0) | (count == len(cells))] = -1
        return scores


def leaves_of(tree: CellTree) -> int:
    """Count the leaves of a tree."""
    return 1 if isinstance(tree, int) else leaves_of(tree.then) + leaves_of(tree.other)


def apply_tree(tree: CellTree, features: CellFeatures, cells: Cells) -> npt.NDArray[np.uint8]:
    """Return what a tree gives for these cells."""
    if isinstance(tree, int):
        copied: npt.NDArray[np.uint8] = features.colours[tree, cells]
        return copied
    holds = features.masks[tree.test, cells]
    made = np.empty(len(cells), np.uint8)
    made[holds] = apply_tree(tree.then, features, cells[holds])
    made[~holds] = apply_tree(tree.other, features, cells[~holds])
    return made


def tree_expression(tree: CellTree, features: CellFeatures) -> Expression:
    """Return a tree as an expression: what holds for cells that pass a test is painted on the rest."""
    if isinstance(tree, int):
        return features.sources[tree].expression
    places = features.tests[tree.test].places
    then = tree_expression(tree.then, features)
    other = tree_expression(tree.other, features)
    return chosen(places, then, other)


def tree_candidates(features: CellFeatures, frame: TaskFrame, layer: Layer, work: Work) -> Iterator[SearchCandidate]:
    """Yield the copy trees that fit the demonstrations of a task."""
    cells = features.cells(range(frame.train))
    target = np.concatenate([target.ravel() for target in frame.targets])
    right = features.colours[:, : len(cells)] == target[None]
    learner = TreeLearner(features.masks[:, : len(cells)], right, work)
    for number, tree in enumerate(learner.fit_all(cells)):
        outputs = []
        for sample in range(frame.train, frame.size):
            made = apply_tree(tree, features, features.cells([sample])).reshape(features.shapes[sample])
            outputs.append(as_grid(made) if made.max(initial=0) <= 9 else None)
        held_out = None
        if number == 0 and frame.train > 1 and work.is_left():
            held_out = _holds_out(learner, features, target, frame.train)
        expression = tree_expression(tree, features)
        yield SearchCandidate(layer, expression, tuple(outputs), leaves_of(tree), held_out)


def _holds_out(learner: TreeLearner, features: CellFeatures, target: npt.NDArray[np.uint8], train: int) -> bool:
    """Tell whether trees that are fitted without one demonstration get it right, for each of them."""
    for left_out in range(train):
        tree = learner.fit(features.cells([each for each in range(train) if each != left_out]))
        cells = features.cells([left_out])
        if tree is None or (apply_tree(tree, features, cells) != target[cells]).any():
            return False
    return True
