"""Growing: a copy tree that also reads the cells it has made, applied again and again until nothing changes.

It reads made cells on one side only (above, or above and to the left …). So the output of a demonstration has what it
reads at every cell, and a tree that fits these makes the output from the input, a little more in each round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from batt.ir import Literal, Program, Slot, Step
from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.cells.cells import CellFeatures, Mask
from batt.solving.cells.trees import FEATURE_UNITS, CellTree, TreeLearner, group_cells, leaves_of, tree_expression
from batt.solving.expressions import INPUT, SHOWN, Expression, compose_step
from batt.solving.frame import TaskFrame, as_grid
from batt.solving.parts import cells_at, chosen, equal_places, handed, handed_parts, places_of, repeated
from batt.solving.running import Array
from batt.solving.work import Work
from batt.types.kinds import Grid

Offset = tuple[int, int]

OUTSIDE = 10
"""What a cell outside the grid counts as."""
ROUNDS = (10, 20, 40, 80)
"""How often a tree is applied: the least of these with which nothing changes any more."""
LINE = 8
"""How far a cell of its own row or column is read."""
ROUND_UNITS = 40.0
"""The units of work for a cell in a round."""


def windows() -> tuple[tuple[Offset, ...], ...]:
    """Return what a tree may read: cells of a line before it, of two lines above it, and of these and its own line.

    Each is turned to all sides, and the last one mirrored, too.
    """
    line = tuple([(0, -far) for far in range(1, LINE + 1)])
    above = tuple([(down, right) for down in (-1, -2) for right in (-2, -1, 0, 1, 2)])
    before = (*above, (0, -1), (0, -2))
    mirrored = tuple([(down, -right) for down, right in before])
    found: list[tuple[Offset, ...]] = []
    for each in (line, above, before, mirrored):
        for _ in range(4):
            found.append(each)
            each = tuple([(right, -down) for down, right in each])
    return tuple(found)


@dataclass(frozen=True, slots=True)
class MadeTest:
    """A test of made cells: that at an offset has a value, or the same as that at another one."""

    one: int
    value: int
    other: int | None = None

    def holds(self, made: Array) -> Mask:
        """Tell for which cells it holds; `made` has a row for each offset."""
        found: Mask = made[self.one] == (self.value if self.other is None else made[self.other])
        return found


class GrowthProblem:
    """The tests and sources of a window after those of the features of a task, as rows over the demonstrations."""

    def __init__(self, features: CellFeatures, frame: TaskFrame, offsets: Sequence[Offset]) -> None:
        self.features, self.frame, self.offsets = features, frame, offsets
        self.target = np.concatenate([target.ravel() for target in frame.targets])
        made = self.read(frame.targets)
        self.tests = [MadeTest(at, value) for at, row in enumerate(made) for value in np.unique(row).tolist()]
        self.tests += [MadeTest(at, 0, other) for at in range(len(offsets)) for other in range(at)]
        known = features.masks[:, : len(self.target)]
        self.masks: Mask = np.concatenate([known, np.array([test.holds(made) for test in self.tests], bool)])
        self.right: Mask = np.concatenate([features.colours[:, : len(self.target)], made]) == self.target[None]

    def read(self, grids: Sequence[Array]) -> Array:
        """Return the cells of grids at each offset, as rows."""
        return np.stack([np.concatenate([beside(grid, each).ravel() for grid in grids]) for each in self.offsets])

    def is_made(self, tree: CellTree) -> bool:
        """Tell whether a tree reads made cells."""
        if isinstance(tree, int):
            return tree >= len(self.features.sources)
        return tree.test >= len(self.features.tests) or self.is_made(tree.then) or self.is_made(tree.other)

    def grown(self, tree: CellTree, sample: int) -> tuple[Array, int]:
        """Return what a tree makes of the input of a sample, and in how many rounds."""
        grid = self.frame.input.values[sample]
        cells = self.features.cells([sample])
        for number in range(ROUNDS[-1]):
            made = self._applied(tree, self.read([grid]), cells, np.arange(len(cells))).reshape(grid.shape)
            if np.array_equal(made, grid):
                return grid, number
            grid = made
        return grid, ROUNDS[-1] + 1

    def _applied(
        self, tree: CellTree, made: Array, cells: npt.NDArray[np.int64], places: npt.NDArray[np.int64]
    ) -> Array:
        known = self.features
        if isinstance(tree, int):
            sources = len(known.sources)
            copied: Array = known.colours[tree, cells[places]] if tree < sources else made[tree - sources, places]
            return copied
        tests = len(known.tests)
        rows = known.masks[tree.test, cells] if tree.test < tests else self.tests[tree.test - tests].holds(made)
        holds = rows[places]
        found = np.empty(len(places), np.uint8)
        found[holds] = self._applied(tree.then, made, cells, places[holds])
        found[~holds] = self._applied(tree.other, made, cells, places[~holds])
        return found

    def expression(self, tree: CellTree, rounds: int) -> Expression:
        """Return a tree that is applied `rounds` times as an expression."""
        return _Rounds(self).expression(tree, rounds)


class _Rounds:
    """Writes a tree as a function of the grid made so far. What does not depend on it is made once and handed in."""

    def __init__(self, problem: GrowthProblem) -> None:
        self.problem = problem
        self.fixed: list[Expression] = []

    def expression(self, tree: CellTree, rounds: int) -> Expression:
        # The places of handed in values are known only when all of them are.
        self._written(tree, SHOWN)
        count, self.fixed = len(self.fixed), []
        self.places = handed_parts(SHOWN, count)
        step = Literal(compose_step(self._written(tree, None)))
        return Expression(_CALLED, (repeated(step, handed(self.fixed), rounds), INPUT))

    def _written(self, tree: CellTree, place: Expression | None) -> Expression:
        problem, known = self.problem, self.problem.features
        if not problem.is_made(tree):
            return self._hand(tree_expression(tree, known), place)
        if isinstance(tree, int):
            return cells_at(INPUT, problem.offsets[tree - len(known.sources)], OUTSIDE)
        if tree.test < len(known.tests):
            places = self._hand(known.tests[tree.test].places, place)
        else:
            test = problem.tests[tree.test - len(known.tests)]
            one = cells_at(INPUT, problem.offsets[test.one], OUTSIDE)
            other = None if test.other is None else cells_at(INPUT, problem.offsets[test.other], OUTSIDE)
            places = places_of(one, test.value) if other is None else equal_places(one, other)
        return chosen(places, self._written(tree.then, place), self._written(tree.other, place))

    def _hand(self, value: Expression, place: Expression | None) -> Expression:
        self.fixed.append(value)
        return self.places[len(self.fixed) - 1] if place is None else place


_CALLED = Program(("function", "value"), 2, (Step(Slot(0), (Slot(1),), "made", 1),), Slot(2))


def beside(grid: Array, offset: Offset) -> Array:
    """Return for each cell the one at an offset from it."""
    height, width = grid.shape
    down, right = offset
    found = np.full(grid.shape, OUTSIDE, np.uint8)
    rows = slice(max(0, -down), max(0, min(height, height - down)))
    columns = slice(max(0, -right), max(0, min(width, width - right)))
    part = grid[max(0, down) : max(0, height + min(0, down)), max(0, right) : max(0, width + min(0, right))]
    found[rows, columns] = part
    return found


def growth_candidates(features: CellFeatures, frame: TaskFrame, work: Work, share: float) -> Iterator[SearchCandidate]:
    """Yield the growing trees that fit the demonstrations, until a share of the work is done."""
    for offsets in windows():
        if not work.is_left(share):
            return
        problem = GrowthProblem(features, frame, offsets)
        work.spend(FEATURE_UNITS * problem.masks.size)
        groups = group_cells(problem.masks, problem.right, features.starts, frame.train)
        learner = TreeLearner(problem.masks[:, groups.first], problem.right[:, groups.first], groups.counts, work)
        tree = learner.fit(np.arange(len(groups.first)))
        if tree is None or not problem.is_made(tree):
            continue
        made = [problem.grown(tree, sample) for sample in range(frame.size)]
        work.spend(ROUND_UNITS * sum([grid.size * (1 + number) for grid, number in made]))
        fits = all(np.array_equal(grid, target) for (grid, _), target in zip(made, frame.targets, strict=False))
        rounds = next((each for each in ROUNDS if each > max([number for _, number in made])), None)
        if not fits or rounds is None:
            continue
        held_out = None
        if frame.train > 1 and work.is_left():
            held_out = _holds_out(learner, groups.sample, problem)
        outputs: list[Grid | None] = [
            as_grid(grid) if grid.max(initial=0) < OUTSIDE else None for grid, _ in made[frame.train :]
        ]
        yield SearchCandidate(Layer.GROW, problem.expression(tree, rounds), tuple(outputs), leaves_of(tree), held_out)


def _holds_out(learner: TreeLearner, sample: npt.NDArray[np.int64], problem: GrowthProblem) -> bool:
    """Tell whether trees that are fitted without one demonstration make its output, for each of them."""
    for left_out in range(problem.frame.train):
        tree = learner.fit(np.flatnonzero(sample != left_out))
        if tree is None or not np.array_equal(problem.grown(tree, left_out)[0], problem.frame.targets[left_out]):
            return False
    return True
