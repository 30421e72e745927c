"""Copy trees: a leaf names the source that a cell is copied from, not a colour. A tree is a program of paints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.cells.cells import CellFeatures, Mask
from batt.solving.expressions import Expression
from batt.solving.frame import TaskFrame, as_grid
from batt.solving.parts import chosen
from batt.solving.work import PRODUCT_UNITS, Work
from batt.types.kinds import Grid

DEPTH = 6
MOST_LEAVES = 11
ROOTS = 8
"""The tests that are tried as the root of a tree."""
ROOTS_IN_VAIN = 2
"""The tests that are tried as the root if the best one does not lead to a tree."""
KEPT_TREES = 4
FEATURE_UNITS = 2.0
"""The units of work for a cell of a test."""
NODE_UNITS = 20_000
"""The units of work for a node of a tree, whatever its cells."""
TEST_UNITS, SOURCE_UNITS = 0.25, 0.5
"""The units of work for a cell of a test in a node, and for a test of a source, beside the products."""
PURE_BONUS = 0.02
"""What a side of a split that one source gets right counts, as a share of all cells."""
SIDE_BONUS = 0.3
"""What such a side counts for a learner that looks for them first, as a share of the side's cells."""
SIDE_ROOTS = 4
"""The tests that such a learner tries as the root."""
NEAR_DEPTHS = (2, 3, 4, 5)
"""The depths of trees that miss some cells."""
NEAR_AFTER = (Layer.TREE, Layer.STATE_TREE)
"""The layers that try such trees where no tree fits."""

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
    """Fits copy trees to groups of equal cells.

    `right` marks the groups that each source gets right, `counts` is the number of cells of each group. With a
    `side_bonus`, it first looks for tests that settle many cells. Other roots than the best are tried only `until` a
    share of the work is done.
    """

    def __init__(self, masks: Mask, right: Mask, counts: npt.NDArray[np.float32], work: Work) -> None:
        self.masks = masks
        self.work = work
        self.side_bonus = 0.0
        self.until = 1.0
        self.counts = counts
        self._masks = masks.astype(np.float32)
        # Sums stay below 2**24, so they are exact, in whatever order a library adds.
        self._right = right.astype(np.float32) * counts[None]
        self._leaves = 0

    def fit(self, cells: Cells, depth: int = DEPTH) -> CellTree | None:
        """Return a tree that gets all cells right, or None."""
        self._leaves = 0
        return self._grow(cells, depth)

    def fit_all(self, cells: Cells, roots: int) -> list[CellTree]:
        """Return trees that get all cells right, the best and one for each of the next roots, the smallest first."""
        tree = self.fit(cells)
        if isinstance(tree, int):
            return [tree]
        found: list[CellTree] = [] if tree is None else [tree]
        done = set() if tree is None else {tree.test}
        scores = self.scores(cells)
        # If the best root leads nowhere, others seldom do.
        tried = roots if found else min(roots, ROOTS_IN_VAIN)
        for test in np.argsort(-scores, kind="stable")[:tried].tolist():
            if test in done or scores[test] < 0 or not self.work.is_left(self.until):
                continue
            self._leaves = 0
            holds = self.masks[test, cells]
            then = self._grow(cells[holds], DEPTH - 1)
            other = None if then is None else self._grow(cells[~holds], DEPTH - 1)
            if then is not None and other is not None:
                found.append(CellSplit(test, then, other))
        return sorted(found, key=leaves_of)[:KEPT_TREES]

    def _grow(self, cells: Cells, depth: int) -> CellTree | None:
        right = self._right[:, cells]
        total = right.sum(axis=1)
        best = int(total.argmax())
        if total[best] == self.counts[cells].sum():
            self._leaves += 1
            return best
        if depth == 0 or self._leaves >= MOST_LEAVES or not self.work.is_left():
            return None
        scores = self.scores(cells)
        test = int(scores.argmax()) if len(scores) else -1
        if test < 0 or scores[test] < 0:
            return None
        holds = self.masks[test, cells]
        then = self._grow(cells[holds], depth - 1)
        other = None if then is None else self._grow(cells[~holds], depth - 1)
        return None if then is None or other is None else CellSplit(test, then, other)

    def fit_most(self, cells: Cells, depth: int) -> CellTree:
        """Return a tree of at most `depth` tests in a row that gets most cells right, if not all."""
        total = self._right[:, cells].sum(axis=1)
        best = int(total.argmax())
        if depth == 0 or total[best] == self.counts[cells].sum() or not self.work.is_left():
            return best
        scores = self.scores(cells)
        test = int(scores.argmax()) if len(scores) else -1
        if test < 0 or scores[test] < 0:
            return best
        holds = self.masks[test, cells]
        then, other = self.fit_most(cells[holds], depth - 1), self.fit_most(cells[~holds], depth - 1)
        return then if then == other else CellSplit(test, then, other)

    def scores(self, cells: Cells) -> npt.NDArray[np.float64]:
        """Return for each test the cells that the best sources of both sides get right; -1 if it splits nothing."""
        masks, right, counts = self._masks[:, cells], self._right[:, cells], self.counts[cells]
        tests, sources = len(masks), len(right)
        self.work.spend(NODE_UNITS + tests * (sources * PRODUCT_UNITS + TEST_UNITS) * len(cells))
        self.work.spend(SOURCE_UNITS * tests * sources)
        then = masks @ right.T
        held = masks @ counts
        best_then = then.max(axis=1)
        best_other = (right.sum(axis=1)[None] - then).max(axis=1)
        whole = float(counts.sum())
        then_is_pure, other_is_pure = best_then == held, best_other == whole - held
        pure = then_is_pure.astype(np.float64) + other_is_pure
        scores: npt.NDArray[np.float64] = best_then + best_other + PURE_BONUS * whole * pure
        if self.side_bonus:
            scores += self.side_bonus * (held * then_is_pure + (whole - held) * other_is_pure)
        scores[(held == 0) | (held == whole)] = -1
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


@dataclass(frozen=True, slots=True, eq=False)
class CellGroups:
    """Cells of demonstrations that have equal features: one of each group, their number, and their demonstration."""

    first: Cells
    counts: npt.NDArray[np.float32]
    sample: Cells


def grouped_cells(features: CellFeatures, right: Mask, train: int) -> CellGroups:
    """Group the cells of each demonstration that no test and no source tells apart."""
    return group_cells(features.masks[:, : right.shape[1]], right, features.starts, train)


def group_cells(masks: Mask, right: Mask, starts: Sequence[int], train: int) -> CellGroups:
    """Group the cells of each demonstration that have equal `masks` and `right`."""
    sample = np.repeat(np.arange(train), np.diff(starts[: train + 1]))
    bits = np.packbits(np.concatenate([masks, right]), axis=0)
    rows = np.ascontiguousarray(np.concatenate([sample[None].astype(np.uint8), bits]).T)
    _, first, counts = np.unique(rows.view(f"V{rows.shape[1]}").ravel(), return_index=True, return_counts=True)
    order = np.argsort(first)
    return CellGroups(first[order], counts[order].astype(np.float32), sample[first[order]])


def tree_candidates(
    features: CellFeatures, frame: TaskFrame, layer: Layer, work: Work, roots: int = ROOTS, until: float = 1.0
) -> Iterator[SearchCandidate]:
    """Yield the copy trees that fit the demonstrations of a task; more than the best `until` a share is done."""
    target = np.concatenate([target.ravel() for target in frame.targets])
    right = features.colours[:, : len(target)] == target[None]
    work.spend(FEATURE_UNITS * features.masks.size)
    groups = grouped_cells(features, right, frame.train)
    learner = TreeLearner(features.masks[:, groups.first], right[:, groups.first], groups.counts, work)
    learner.until = until
    found: set[CellTree] = set()
    for bonus, count in ((0.0, roots), (SIDE_BONUS, min(roots, SIDE_ROOTS))):
        learner.side_bonus = bonus
        is_held = False
        for number, tree in enumerate(learner.fit_all(np.arange(len(groups.first)), count)):
            if tree in found:
                continue
            found.add(tree)
            tried = number == 0 and frame.train > 1 and work.is_left()
            held_out = _holds_out(learner, groups, features, target) if tried else None
            is_held |= bool(held_out)
            outputs = tree_outputs(tree, features, frame)
            yield SearchCandidate(layer, tree_expression(tree, features), outputs, leaves_of(tree), held_out)
        if is_held or not work.is_left(until):
            break
    if not found and layer in NEAR_AFTER:
        yield from near_trees(learner, features, frame)


def near_trees(learner: TreeLearner, features: CellFeatures, frame: TaskFrame) -> Iterator[SearchCandidate]:
    """Yield small trees that miss some cells of the demonstrations, but give at least one demonstration."""
    learner.side_bonus = 0.0
    for depth in NEAR_DEPTHS:
        tree = learner.fit_most(np.arange(len(learner.counts)), depth)
        made = [apply_tree(tree, features, features.cells([at])) for at in range(frame.train)]
        missed = sum([bool((a != b.ravel()).any()) for a, b in zip(made, frame.targets, strict=True)])
        if 0 < missed < frame.train:
            outputs = tree_outputs(tree, features, frame)
            expression = tree_expression(tree, features)
            yield SearchCandidate(Layer.NEAR_TREE, expression, outputs, leaves_of(tree), missed=missed)


def tree_outputs(tree: CellTree, features: CellFeatures, frame: TaskFrame) -> tuple[Grid | None, ...]:
    """Return what a tree gives for the test inputs."""
    outputs: list[Grid | None] = []
    for sample in range(frame.train, frame.size):
        made = apply_tree(tree, features, features.cells([sample])).reshape(features.shapes[sample])
        outputs.append(as_grid(made) if made.max(initial=0) <= 9 else None)
    return tuple(outputs)


def _holds_out(learner: TreeLearner, groups: CellGroups, features: CellFeatures, target: npt.NDArray[np.uint8]) -> bool:
    """Tell whether trees that are fitted without one demonstration get it right, for each of them."""
    for left_out in np.unique(groups.sample).tolist():
        tree = learner.fit(np.flatnonzero(groups.sample != left_out))
        cells = features.cells([left_out])
        if tree is None or (apply_tree(tree, features, cells) != target[cells]).any():
            return False
    return True
