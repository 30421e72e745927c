"""Options: what may be done with a figure, for which figures it is right, and the tests that tell figures apart.

An option is an edit and its colour. It is right for a figure if all that it paints for it is in the output.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from batt.solving.expressions import Expression
from batt.solving.figures.figures import COUNTED, RANKED, FigureFunction, derived
from batt.solving.figures.measuring import FigureImages, FigureTable, Numbers
from batt.solving.frame import TaskFrame
from batt.solving.parts import passing, recoloured_by, without
from batt.solving.work import Work

Mask: TypeAlias = npt.NDArray[np.bool_]
Gains: TypeAlias = npt.NDArray[np.float32]

NO_COLOUR = 10
"""What a source of colours gives for a figure that has none."""
IMAGE_UNITS, CELL_UNITS = 8_000, 3
"""The units of work for an image of an edit, and for each of its cells."""
SAME_COLOUR = "same_colour"
"""What is derived of a source of colours: whether it gives a figure's own colour."""
TEST_UNITS = 2_000
"""The units of work for the tests of a feature."""


@dataclass(frozen=True, slots=True)
class FigureOption:
    """An edit, its colour (None: its own colours), and whether it paints only the ground or erases the figure first."""

    images: FigureImages
    colour: int | FigureFunction | None
    is_under: bool = False
    is_erasing: bool = False

    @property
    def size(self) -> int:
        """Return about how long it is."""
        is_plain = self.colour is None or isinstance(self.colour, int) or self.colour.name == "own"
        return self.images.function.size + self.is_under + (not is_plain)

    def function(self, figures: Expression, grid: Expression) -> Expression:
        """Return the expression of the function from a figure to what is painted."""
        made = self.images.function.of(figures, grid)
        if self.colour is None:
            return made
        return recoloured_by(made, self.colour if isinstance(self.colour, int) else self.colour.of(figures, grid))


@dataclass(frozen=True, slots=True)
class FigureTest:
    """A test of figures: a measure, or what is derived of it or of a colour, has a value; or it is greater."""

    measure: FigureFunction
    kind: str | None
    value: int
    is_greater: bool = False

    @property
    def size(self) -> int:
        """Return about how long it is."""
        if self.kind is None:
            return 2 + self.is_greater + (self.measure.name in RANKED)
        # Only the first, the last and the single one of their kind are usual, and what is of the same colour.
        return 2 + (self.value != (0 if self.kind in ("rank_down", "rank_up") else 1)) + (self.kind == SAME_COLOUR)

    def passing(self, among: Expression, figures: Expression, grid: Expression) -> Expression:
        """Return the expression of those figures of `among` that pass."""
        made = self.measure.of(figures, grid)
        if self.kind is not None:
            made = derived(self.kind, figures, grid, made)
        return passing(among, made, self.value, self.is_greater)


class RuleProblem:
    """The figures of a table with tests, options of which rules are made, and the cells that must change.

    `masks` has a row for each test and a column for each figure. `shown` counts the figures of demonstrations.
    Rules are sought `until` a share of the work is done.
    """

    def __init__(self, table: FigureTable, frame: TaskFrame, work: Work, until: float = 1.0) -> None:
        self.until = until
        self.table, self.frame, self.work = table, frame, work
        self.own = table.base.cells.astype(np.int64)
        self.target = np.concatenate([each.ravel() for each in frame.targets]).astype(np.int64)
        self.shown, self.shown_cells = table.starts[frame.train], table.cells[frame.train]
        self.changes: Mask = self.own[: self.shown_cells] != self.target
        sizes = np.diff(table.cells)
        self.sample_of_cell = np.repeat(np.arange(frame.size), sizes)
        self.ground = np.repeat([np.bincount(value.ravel()).argmax() for value in table.base.values], sizes)
        self.is_ground: Mask = self.own == self.ground
        self.options: list[FigureOption] = []
        self.tests, self.masks = figure_tests(table, self.shown, work)

    @property
    def are_leaving(self) -> bool:
        """Tell whether outputs have the ground where figures are."""
        itself, ground = self.table.itself[: self.shown_cells], self.ground[: self.shown_cells]
        return bool(((itself >= 0) & self.changes & (self.target == ground)).any())


class FigureProblem(RuleProblem):
    """The figures of a table with all options of the deck.

    `right` and `gain` have a row for each option and a column for each figure of the demonstrations: whether it is
    right, and the cells that it changes then. The options of a `known` problem with the same figures are kept.
    """

    def __init__(self, table: FigureTable, frame: TaskFrame, work: Work, known: FigureProblem | None = None) -> None:
        super().__init__(table, frame, work)
        self.options = [] if known is None else [*known.options]
        self._rows: list[tuple[Mask, Gains]] = [] if known is None else [*known._rows]
        self._seen: set[bytes] = set() if known is None else {*known._seen}
        self._add_patches()
        self._add_edits()
        self.right = np.array([right for right, _ in self._rows], bool).reshape(-1, self.shown)
        self.gain = np.array([gain for _, gain in self._rows], np.float32).reshape(-1, self.shown)

    def _add(self, option: FigureOption, right: Mask, gain: Gains) -> None:
        useful = np.where(right, gain, 0).astype(np.float32)
        # Of options that change the same cells for the same figures, one is enough.
        changed = self.painted(option, right) & self.changes
        key = np.packbits(right).tobytes() + np.packbits(changed).tobytes()
        if key not in self._seen:
            self._seen.add(key)
            self.options.append(option)
            self._rows.append((right, useful))

    def _add_patches(self) -> None:
        """Add all patches with all colours, on all cells and on the ground alone."""
        # Sources that give the same colours for all figures of demonstrations are one.
        different = {row[: self.shown].tobytes(): each for each, row in reversed(self.table.sources.items())}
        kept = {*different.values()}
        sources = [each for each in self.table.sources if each in kept]
        values = np.array([self.table.sources[each][: self.shown] for each in sources])
        for images in self.table.patches(self.work):
            owner = images.owner[: self.shown_cells]
            everywhere = owner >= 0
            for is_under in (False, True):
                held = everywhere & self.is_ground[: self.shown_cells] if is_under else everywhere
                self.work.spend(IMAGE_UNITS + CELL_UNITS * held.size)
                if is_under and held.sum() == everywhere.sum():
                    continue
                gain = self._count(owner, held & self.changes).astype(np.float32)
                if not gain.any():
                    continue
                counts = np.bincount(owner[held] * 10 + self.target[held], minlength=self.shown * 10)
                right = counts.reshape(-1, 10) == self._count(owner, held)[:, None]
                for colour in self.frame.target_colours:
                    if (right[:, colour] & (gain > 0)).any():
                        self._add(FigureOption(images, colour, is_under), right[:, colour], gain)
                rows = (values < NO_COLOUR) & right[np.arange(self.shown)[None], np.minimum(values, 9)]
                for at in np.flatnonzero((rows & (gain > 0)[None]).any(axis=1)).tolist():
                    self._add(FigureOption(images, sources[at], is_under), rows[at], gain)

    def _count(self, owner: Numbers, cells: Mask) -> Numbers:
        """Count these cells by the figure that owns them."""
        return np.bincount(owner[cells], minlength=self.shown)

    def _add_edits(self) -> None:
        """Add all edits in their own colours, with and without erasing the figure."""
        itself, ground = self.table.itself[: self.shown_cells], self.ground[: self.shown_cells]
        for images in self.table.edits(self.work):
            assert images.colours is not None, "an edit has colours"
            owner, colours = images.owner[: self.shown_cells], images.colours[: self.shown_cells]
            held = owner >= 0
            self.work.spend(IMAGE_UNITS + 2 * CELL_UNITS * held.size)
            wrong = self._count(owner, held & (colours != self.target))
            gain = self._count(owner, held & self.changes).astype(np.float32)
            if ((wrong == 0) & (gain > 0)).any():
                self._add(FigureOption(images, None), wrong == 0, gain)
            left = (itself >= 0) & ~held
            wrong += self._count(itself, left & (self.target != ground))
            gain_left = self._count(itself, left & self.changes)
            if ((wrong == 0) & (gain_left > 0)).any():
                self._add(FigureOption(images, None, is_erasing=True), wrong == 0, gain + gain_left)

    def painted(self, option: FigureOption, figures: Mask) -> Mask:
        """Return the cells of demonstrations that an option paints for these figures of demonstrations."""
        owner, itself = option.images.owner[: self.shown_cells], self.table.itself[: self.shown_cells]
        made: Mask = (owner >= 0) & figures[owner]
        if option.is_under:
            made &= self.is_ground[: self.shown_cells]
        if option.is_erasing:
            made |= (itself >= 0) & figures[itself]
        return made


def figure_tests(table: FigureTable, shown: int, work: Work) -> tuple[list[FigureTest], Mask]:
    """Return tests that tell figures of demonstrations apart, each mask once, and their masks over all figures."""
    rows = list(_features(table))
    work.spend(TEST_UNITS * len(rows))
    made: list[tuple[FigureTest, Mask]] = []
    for measure, kind, values in rows:
        own = np.unique(values[:shown]).tolist()
        made += [(FigureTest(measure, kind, value), values == value) for value in own]
        if kind is None and measure.name in RANKED:
            made += [(FigureTest(measure, kind, value, True), values > value) for value in own[1:-2]]
    found: dict[bytes, tuple[FigureTest, Mask]] = {}
    for test, mask in sorted(made, key=lambda each: each[0].size):
        if 0 < mask[:shown].sum() < shown:
            # A test and its opposite split figures alike.
            found.setdefault(np.packbits(mask if mask[0] else ~mask).tobytes(), (test, mask))
    masks = [mask for _, mask in found.values()]
    return [test for test, _ in found.values()], np.array(masks, bool).reshape(-1, table.starts[-1])


@dataclass(frozen=True, slots=True, eq=False)
class FigureChoice:
    """Some figures of a table, and how many of them each sample has. `size` is the description length of the choice."""

    figures: Expression
    mask: Mask
    counts: Numbers
    size: int


def figure_choices(table: FigureTable, frame: TaskFrame, work: Work) -> list[FigureChoice]:
    """Return all figures, and those that pass a test or fail it."""
    figures, base = table.figures, table.base.expression
    tests, masks = figure_tests(table, table.starts[frame.train], work)
    every = np.concatenate([np.ones((1, table.starts[-1]), bool), masks, ~masks])
    counts = np.add.reduceat(every, table.starts[:-1], axis=1, dtype=np.int64)
    made = [FigureChoice(figures, every[0], counts[0], 0)]
    for is_failed, test_rows in ((False, range(1, 1 + len(tests))), (True, range(1 + len(tests), len(every)))):
        for test, row in zip(tests, test_rows, strict=True):
            passing = test.passing(figures, figures, base)
            kept = without(figures, passing) if is_failed else passing
            made.append(FigureChoice(kept, every[row], counts[row], test.size + is_failed))
    return made


def _features(table: FigureTable) -> Iterator[tuple[FigureFunction, str | None, Numbers]]:
    """Yield the measures, and then what is derived of them."""
    for measure, values in table.measures.items():
        yield measure, None, values
    for kind in ("rank_down", "rank_up", "equal_count"):
        for measure, values in table.measures.items():
            if measure.name in (COUNTED if kind == "equal_count" else RANKED):
                yield measure, kind, _derived(table, values, kind)
    own = table.measure("colour")
    for source, colours in table.sources.items():
        if own is not None and source.name != "own":
            yield source, SAME_COLOUR, (colours == own).astype(np.int64)


def _derived(table: FigureTable, values: Numbers, kind: str) -> Numbers:
    """Return for each figure the rank of its value in its sample, or the number of figures that have it."""
    # A value of another sample is another value.
    apart = int(values.max()) + 1
    keyed = values + table.sample_of * apart
    found, inverse, counts = np.unique(keyed, return_inverse=True, return_counts=True)
    if kind == "equal_count":
        return np.asarray(counts[inverse])
    first = np.searchsorted(found, np.arange(len(table.starts)) * apart)
    low, high = first[table.sample_of], first[table.sample_of + 1]
    return np.asarray(inverse - low if kind == "rank_up" else high - 1 - inverse)
