"""Tables of figures: the figures of all samples, what is measured of each, and what edits make of each.

All values come from the engine: the programs of the deck `figures` are run on all samples at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from batt.ir import Literal
from batt.runtime import Sample
from batt.solving.expressions import INPUT, SHOWN, Expression, compose
from batt.solving.figures.figures import (
    CELLS_OF,
    NOTHING,
    SEGMENTS,
    FigureFunction,
    figure_program,
    functions,
    segments,
)
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.running import Array, GridBatch, PreparedFunctions
from batt.solving.work import Work

Numbers = npt.NDArray[np.int64]

MOST_FIGURES = 60
"""The figures of a sample at most."""
COUNTED_COLOURS = 8
"""The colours whose cells in each figure are counted."""
COLOURS = 10
"""The colours that cells may have."""
LOW = 90
"""Measures come in two rows: modulo this, and divided by it."""


class _FigurePrograms:
    """The programs of all functions of figures, compiled once. S is the number of the segment."""

    def __init__(self) -> None:
        figures = Expression(figure_program("segmented"), (SHOWN, INPUT, NOTHING))
        self._figures = figures
        self.rows = self._prepared("measures", (*functions("measure"), *functions("colour")))
        self.itself = self._prepared("numbered", functions("patch")[:1])
        self.patches = self._prepared("numbered", functions("patch"))
        self.edits = self._prepared("numbered", functions("edit"))
        self.pictures = self._prepared("coloured", functions("edit"))

    def _prepared(self, reader: str, made: Sequence[FigureFunction]) -> PreparedFunctions:
        program = figure_program(reader)
        figures = self._figures
        return PreparedFunctions(
            [compose(Expression(program, (figures, INPUT, each.of(figures, INPUT)))) for each in made], keep=True
        )


@cache
def _compiled() -> _FigurePrograms:
    return _FigurePrograms()


@dataclass(frozen=True, slots=True, eq=False)
class FigureImages:
    """The images that a function makes of all figures: for each cell of all samples its figure, or -1, and colours."""

    function: FigureFunction
    owner: Numbers
    colours: npt.NDArray[np.uint8] | None = None

    def of(self, figures: npt.NDArray[np.bool_]) -> FigureImages:
        """Return the images of these figures alone."""
        return replace(self, owner=np.where(figures[self.owner], self.owner, -1))


@dataclass(frozen=True, slots=True, eq=False)
class FigureTable:
    """The figures of all samples, one after the other: sample i has those from `starts[i]`, its cells from `cells[i]`.

    `measures` and `sources` hold a value for each figure. `itself` names the figure of each cell, or is -1 there.
    """

    segment: int
    base: GridState
    samples: Sequence[Sample]
    starts: list[int]
    cells: list[int]
    itself: Numbers
    measures: dict[FigureFunction, Numbers]
    sources: dict[FigureFunction, Numbers]

    @property
    def figures(self) -> Expression:
        """Return the expression of the figures."""
        return Expression(segments()[self.segment], (self.base.expression,))

    @property
    def sample_of(self) -> Numbers:
        """Return the sample of each figure."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def measure(self, name: str) -> Numbers | None:
        """Return the values of a measure; None if it fails somewhere."""
        return next((values for each, values in self.measures.items() if each.name == name), None)

    def patches(self, work: Work) -> Iterator[FigureImages]:
        """Yield the places that functions make of the figures."""
        made = _compiled().patches.run(self.samples, outputs=True)
        work.spend_run(made.records.size, made.steps)
        for function, grids in zip(functions("patch"), _grids(made), strict=True):
            if grids is not None:
                yield FigureImages(function, joined_owner(grids, self.starts))

    def edits(self, work: Work) -> Iterator[FigureImages]:
        """Yield the objects that functions make of the figures."""
        numbered = _compiled().edits.run(self.samples, outputs=True)
        coloured = _compiled().pictures.run(self.samples, outputs=True)
        work.spend_run(2 * numbered.records.size, numbered.steps + coloured.steps)
        for function, grids, colours in zip(functions("edit"), _grids(numbered), _grids(coloured), strict=True):
            if grids is not None and colours is not None:
                joined = np.concatenate([each.ravel() for each in colours])
                yield FigureImages(function, joined_owner(grids, self.starts), joined)


def figure_tables(base: GridState, frame: TaskFrame, work: Work, share: float = 1.0) -> Iterator[FigureTable]:
    """Yield the table of each way to cut the grids of a state, each set of figures once, until a share is spent."""
    seen: set[bytes] = set()
    grids = None if not base.steps else [as_grid(value) for value in base.values]
    for segment in range(SEGMENTS):
        if not work.is_left(share):
            return
        table = _table(segment, base, frame.samples(grids, segment), work)
        if table is not None and (key := table.itself.tobytes()) not in seen:
            seen.add(key)
            yield table


def _table(segment: int, base: GridState, samples: Sequence[Sample], work: Work) -> FigureTable | None:
    """Return the table of a segment; None if a sample has no figures, or too many."""
    made = _compiled().rows.run(samples, outputs=True)
    work.spend_run(made.records.size, made.steps)
    names = (*functions("measure"), *functions("colour"))
    rows = {each: _values(grids) for each, grids in zip(names, _grids(made), strict=True) if grids is not None}
    counts = next(([len(values) for values in row] for each, row in rows.items() if each.name == "size"), [0])
    if min(counts) == 0 or max(counts) > MOST_FIGURES:
        return None
    starts = np.concatenate([[0], np.cumsum(counts)]).tolist()
    cells = np.concatenate([[0], np.cumsum([value.size for value in base.values])]).tolist()
    numbered = _compiled().itself.run(samples, outputs=True)
    work.spend_run(numbered.records.size, numbered.steps)
    numbers = numbered.grids(0)
    if numbers is None:
        return None
    itself = joined_owner(numbers, starts)
    joined = {each: np.concatenate(row) for each, row in rows.items()}
    measures = {each: joined[each] for each in functions("measure") if each in joined}
    measures |= _colour_counts(itself, base, starts[-1])
    sources = {each: joined[each] for each in functions("colour") if each in joined}
    return FigureTable(segment, base, samples, starts, cells, itself, measures, sources)


def _colour_counts(itself: Numbers, base: GridState, figures: int) -> dict[FigureFunction, Numbers]:
    """Return how many cells of a colour each figure has, for the first colours that some figures share with others."""
    cells = np.concatenate([value.ravel() for value in base.values])
    held = (itself >= 0) & (cells < COLOURS)
    counts = np.bincount(itself[held] * COLOURS + cells[held], minlength=figures * COLOURS).reshape(-1, COLOURS)
    is_mixed = (counts > 0).sum(axis=1) > 1
    shared = np.flatnonzero((counts[is_mixed] > 0).any(axis=0))[:COUNTED_COLOURS].tolist()
    program = figure_program(CELLS_OF)
    return {FigureFunction(CELLS_OF, program, Literal(colour)): counts[:, colour] for colour in shared}


def _grids(made: GridBatch) -> list[list[Array] | None]:
    """Return the values of all programs; None for one that fails on a sample."""
    return made.all_grids(range(len(made.records)))


def measured_values(grids: Sequence[Array]) -> Numbers:
    """Return the values of a measure for the figures of all samples."""
    return np.concatenate(_values(grids))


def _values(grids: Sequence[Array]) -> list[Numbers]:
    """Return the values of a measure for the figures of each sample."""
    return [grid[0].astype(np.int64) + LOW * grid[1].astype(np.int64) for grid in grids]


def joined_owner(grids: Sequence[Array], starts: Sequence[int]) -> Numbers:
    """Return for each cell of all samples the figure that has it, or -1."""
    numbers = [each.ravel().astype(np.int64) for each in grids]
    return np.concatenate(
        [np.where(each > 0, each - 1 + start, -1) for each, start in zip(numbers, starts, strict=False)]
    )
