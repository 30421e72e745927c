"""Moves: rules that say for each figure where it is in the output, and in which colour.

A move is any pair of a row and a column that spans give, so that both are chosen independently. It is right for a
figure if all its cells are in the output there. A rule picks one move for each figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from batt.solving.figures.measuring import FigureImages, FigureTable, Numbers
from batt.solving.figures.options import FigureOption, Mask, RuleProblem
from batt.solving.figures.rules import FigureRule, RuleLeaf, RuleSplit, rule_size
from batt.solving.figures.spans import SpanLine, gone_function, lines_of, moved_function
from batt.solving.frame import TaskFrame
from batt.solving.work import PRODUCT_UNITS, Work

REACH = 29
"""How far a figure is moved at most along an axis."""
MOST_LINES = 80
"""The functions that give a first row, or a first column, of which all pairs are tried."""
MOST_PAIRS = 4_000
"""The pairs of them, with a colour, that are compared: those that are right for most figures."""
NOT_THERE = 11
"""What stands around outputs."""
DEPTH = 3
"""The tests that a figure meets at most."""
TRIED_TESTS, TRIED_NEXT, KEPT_SPLITS = 6, 3, 8
"""The first and the next tests after which others are tried, and the rules of one test that are kept."""
PLACE_UNITS, PAIR_UNITS, CELL_UNITS, SIDE_UNITS = 0.5, 1.5, 4, 3
"""The units of work: to compare a cell at a place, a figure for a pair of functions, and to move a cell, and for a test
with a move."""


@dataclass(frozen=True, slots=True)
class Move:
    """A row and a column, and the colour; None for the figure's own ones. Without a row it stays, or is gone."""

    row: SpanLine | None = None
    column: SpanLine | None = None
    colour: int | None = None
    is_gone: bool = False


class MoveProblem(RuleProblem):
    """The figures of a table with moves; of those that are right for the same figures the shortest.

    `right` has a row for each of the `moves`, the shortest first, and a column for each figure of the demonstrations.
    The first one leaves figures as they are, the last one removes them.
    """

    def __init__(self, table: FigureTable, frame: TaskFrame, work: Work, until: float = 1.0) -> None:
        super().__init__(table, frame, work, until)
        self.moves: list[Move] = []
        self.right: Mask = np.zeros((0, self.shown), bool)
        self._numbers: dict[Move, int] = {}
        grounds = {*self.ground.tolist()}
        self.colours = [None, *[each for each in frame.target_colours if each not in grounds]]
        if not self.are_leaving:
            return
        allowed = self._allowed()
        rows, columns = lines_of(table, work)
        self._compare(_kept(rows, allowed, 0, self._begins(0)), _kept(columns, allowed, 1, self._begins(1)), allowed)

    def _begins(self, axis: int) -> Numbers:
        found = self.table.measure(("top", "left")[axis])
        return np.zeros(self.shown, np.int64) if found is None else found[: self.shown]

    def _allowed(self) -> Mask:
        """Return where figures may be moved to, by colour, figure, and offsets from -REACH on.

        The first colour is their own, the others are those of outputs that are not the ground.
        """
        table, side = self.table, 2 * REACH + 1
        allowed: Mask = np.zeros((len(self.colours), self.shown, side, side), bool)
        for sample, target in enumerate(self.frame.targets):
            base = table.base.values[sample]
            itself = table.itself[table.cells[sample] : table.cells[sample + 1]].reshape(base.shape)
            wide = np.full((base.shape[0] + 2 * REACH, base.shape[1] + 2 * REACH), NOT_THERE, np.uint8)
            wide[REACH:-REACH, REACH:-REACH] = target
            for figure in range(table.starts[sample], table.starts[sample + 1]):
                places = np.argwhere(itself == figure).tolist()
                self.work.spend(PLACE_UNITS * len(places) * side * side * 2)
                if not places:
                    continue
                windows = [wide[row : row + side, column : column + side] for row, column in places]
                same = np.all([part == windows[0] for part in windows], axis=0)
                allowed[0, figure] = np.all(
                    [part == base[row, column] for part, (row, column) in zip(windows, places, strict=True)], axis=0
                )
                for at, colour in enumerate(self.colours[1:], 1):
                    allowed[at, figure] = same & (windows[0] == colour)
        return allowed

    def _compare(self, rows: Sequence[SpanLine], columns: Sequence[SpanLine], allowed: Mask) -> None:
        """Find for which figures each move is right, and keep of those that are right alike the shortest."""
        figures = np.arange(self.shown)
        found = [(Move(), allowed[0, figures, REACH, REACH])]
        if rows and columns:
            down, across = [
                _offsets(lines, self._begins(axis), self.shown) for axis, lines in enumerate((rows, columns))
            ]
            self.work.spend(PAIR_UNITS * len(allowed) * len(rows) * len(columns) * self.shown)
            right = allowed[:, figures, np.maximum(down, 0)[:, None], np.maximum(across, 0)[None]]
            right &= (down >= 0)[:, None] & (across >= 0)[None]
            sizes = [[each.size for each in lines] for lines in (rows, columns)]
            size = np.add.outer(np.arange(len(allowed)) > 0, np.add.outer(*sizes)).ravel()
            counts = right.sum(axis=-1).ravel()
            order = np.lexsort((size, -counts))[:MOST_PAIRS]
            order = order[counts[order] > 0]
            order = order[np.argsort(size[order], kind="stable")]
            packed = np.packbits(right.reshape(-1, self.shown)[order], axis=1)
            _, first = np.unique(packed.view(f"V{packed.shape[1]}").ravel(), return_index=True)
            for at in order[np.sort(first)].tolist():
                colour, row, column = np.unravel_index(at, right.shape[:3])
                move = Move(rows[row], columns[column], self.colours[colour])
                found.append((move, right[colour, row, column]))
        found.append((Move(is_gone=True), self._vanishing()))
        self.moves = [move for move, _ in found]
        self.right = np.array([mask for _, mask in found], bool)

    def _vanishing(self) -> Mask:
        """Return the figures of which outputs have the ground in most places."""
        itself, is_ground = self.table.itself[: self.shown_cells], self.target == self.ground[: self.shown_cells]
        held = itself >= 0
        gone = np.bincount(itself[held & is_ground], minlength=self.shown)
        vanishing: Mask = 2 * gone > np.bincount(itself[held], minlength=self.shown)
        return vanishing

    def options_of(self, at: int) -> tuple[int, ...]:
        """Return the options of a move, by its number: none for leaving figures as they are."""
        move = self.moves[at]
        if move.row is None and not move.is_gone:
            return ()
        if move not in self._numbers:
            self._numbers[move] = len(self.options)
            self.work.spend(CELL_UNITS * self.table.cells[-1])
            images = moved_images(move, self.table, np.ones(self.table.starts[-1], bool))
            self.options.append(FigureOption(images, move.colour, is_erasing=True))
        return (self._numbers[move],)


def _offsets(lines: Sequence[SpanLine], begins: Numbers, shown: int) -> Numbers:
    """Return how far lines move figures of demonstrations, from -REACH on; -1 for what is further."""
    found = np.array([line.lines[:shown] for line in lines]) - begins + REACH
    return np.where((found >= 0) & (found <= 2 * REACH), found, -1)


def _kept(lines: Sequence[SpanLine], allowed: Mask, axis: int, begins: Numbers) -> list[SpanLine]:
    """Return the lines that are right for most figures together with any line on the other axis, the shortest first."""
    if not lines:
        return []
    any_other: Mask = np.any(allowed, axis=(0, 3 - axis))
    offsets = _offsets(lines, begins, len(begins))
    counts = (any_other[np.arange(len(begins)), np.maximum(offsets, 0)] & (offsets >= 0)).sum(axis=1)
    order = [at for at in np.argsort(-counts, kind="stable")[:MOST_LINES].tolist() if counts[at]]
    return [lines[at] for at in sorted(order)]


@dataclass(frozen=True, slots=True, eq=False)
class MovedImages(FigureImages):
    """The images of moved figures. Of figures on the same cells the last one is seen."""

    move: Move = Move()
    table: FigureTable | None = None

    def of(self, figures: Mask) -> FigureImages:
        """Return the images of these figures alone: others hide none of their cells."""
        assert self.table is not None, "figures of a table are moved"
        return moved_images(self.move, self.table, figures)


def moved_images(move: Move, table: FigureTable, figures: Mask) -> FigureImages:
    """Return what a move makes of these figures."""
    row, column, top, left = move.row, move.column, table.measure("top"), table.measure("left")
    owner: Numbers = np.full(table.cells[-1], -1, np.int64)
    colours = np.zeros(table.cells[-1], np.uint8)
    if row is None or column is None or top is None or left is None:
        return FigureImages(gone_function(), owner, colours)
    for sample, base in enumerate(table.base.values):
        cells = slice(table.cells[sample], table.cells[sample + 1])
        itself, (height, width) = table.itself[cells], base.shape
        places = np.flatnonzero((itself >= 0) & figures[itself])
        places = places[np.argsort(itself[places], kind="stable")]
        moved = itself[places]
        down = places // width + row.lines[moved] - top[moved]
        across = places % width + column.lines[moved] - left[moved]
        inside = (down >= 0) & (down < height) & (across >= 0) & (across < width)
        goals = cells.start + down[inside] * width + across[inside]
        owner[goals] = moved[inside]
        colours[goals] = base.ravel()[places[inside]]
    own_colours = colours if move.colour is None else None
    return MovedImages(moved_function(row, column), owner, own_colours, move, table)


class MoveLearner:
    """Fits rules that pick one move for each figure of some demonstrations.

    A rule is a list of tests: figures that pass one, or do not, have a move; the others meet the next test.
    """

    def __init__(self, problem: MoveProblem, samples: Sequence[int]) -> None:
        self.problem = problem
        self._inside: Mask = np.isin(problem.table.sample_of[: problem.shown], samples)
        self._masks = problem.masks[:, : problem.shown]
        self._wrong = (~problem.right).astype(np.float32)
        self._end = 0
        self.most, self.nearest = 0, None

    def fit(self) -> Iterator[FigureRule]:
        """Yield rules that fit, the shortest first."""
        if not self.problem.moves:
            return
        # Whether it is right that a figure is gone depends on all others, so that is tried last.
        for end in (len(self._wrong) - 1, len(self._wrong)):
            self._end = end
            found = self._rules(self._inside, DEPTH)
            yield from sorted(found, key=lambda rule: rule_size(rule, self.problem))

    def _leaf(self, move: int) -> RuleLeaf:
        return RuleLeaf(self.problem.options_of(move))

    def _rules(self, figures: Mask, depth: int) -> list[FigureRule]:
        """Return rules for these figures: one move, or those of the first number of tests that is enough."""
        problem = self.problem
        right = problem.right[: self._end if depth < DEPTH else -1, figures].all(axis=1)
        if right.any():
            return [self._leaf(int(right.argmax()))]
        if not depth or not problem.work.is_left(problem.until):
            return []
        sides = self._sides(figures)
        done = (sides >= 0).all(axis=0)
        found: list[FigureRule] = []
        for test in np.flatnonzero(done).tolist():
            found.append(RuleSplit(test, self._leaf(sides[0, test]), self._leaf(sides[1, test])))
        if found:
            return sorted(found, key=lambda rule: rule_size(rule, problem))[:KEPT_SPLITS]
        # Tests one side of which has a move, most figures first.
        masks = self._masks[:, figures]
        counts = np.where(sides[0] >= 0, masks.sum(axis=1), np.where(sides[1] >= 0, (~masks).sum(axis=1), 0))
        tried = TRIED_TESTS if depth == DEPTH else TRIED_NEXT
        for test in np.argsort(-counts, kind="stable")[:tried].tolist():
            if not counts[test] or counts[test] == masks.shape[1]:
                continue
            is_then = sides[0, test] >= 0
            rest = figures & ~self._masks[test] if is_then else figures & self._masks[test]
            for rule in self._rules(rest, depth - 1)[:1]:
                leaf = self._leaf(sides[0 if is_then else 1, test])
                found.append(RuleSplit(test, leaf, rule) if is_then else RuleSplit(test, rule, leaf))
        return found

    def _sides(self, figures: Mask) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        """Return for each test the shortest move for the figures that pass, and for the others; -1 for none."""
        masks, wrong = self._masks[:, figures].astype(np.float32), self._wrong[: self._end, figures]
        self.problem.work.spend((SIDE_UNITS * len(masks) + masks.size * PRODUCT_UNITS) * len(wrong))
        wrong_then = masks @ wrong.T
        wrong_other = wrong.sum(axis=1)[None] - wrong_then
        return np.array([_first_zero(each) for each in (wrong_then, wrong_other)])


def _first_zero(counts: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> Numbers:
    """Return the place of the first zero of each row, or -1."""
    is_zero = counts == 0
    found: Numbers = np.where(is_zero.any(axis=1), is_zero.argmax(axis=1), -1)
    return found
