"""Figures of a task's samples: the objects that grids are cut into, what is measured of each, and what edits make.

All values come from the engine: the programs of the deck `figures` are run on all samples at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from batt.ir import Literal, Program, Slot, Step
from batt.runtime import Sample, Status
from batt.solving.expressions import INPUT, SHOWN, Argument, Expression, compose
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.library import solving_deck
from batt.solving.running import GridBatch, PreparedFunctions
from batt.solving.work import Work

Numbers = npt.NDArray[np.int64]

MOST_FIGURES = 60
"""The figures of a sample at most."""
SEGMENTS = 11
"""The ways to cut a grid into figures."""
NOTHING = Literal(None)
STEPS = tuple(
    [(i, j) for i in range(-2, 3) for j in range(-2, 3) if (i, j) != (0, 0) and (not i or not j or i in (j, -j))]
)
"""The moves by a fixed step that are tried."""
_EXTENTS = ("size", "height", "width", "area", "colours", "least_count", "holes", "hollow", "symmetries")
_PLACES = ("top", "left", "bottom", "right", "touching", "contains", "in_rows", "in_columns")
RANKED = frozenset((*_EXTENTS, *_PLACES))
"""The measures by which figures are ranked."""
COUNTED = RANKED | {"colour", "form", "turned_form"}
"""The measures of which it counts how many figures have the same value."""
LOW = 90
"""Measures come in two rows: modulo this, and divided by it."""


@dataclass(frozen=True, slots=True)
class FigureFunction:
    """A function of a figure, given by a program (figures, grid, argument) that returns it."""

    name: str
    program: Program
    argument: Argument = NOTHING

    def of(self, figures: Expression, grid: Expression) -> Expression:
        """Return the function's expression for these figures of a grid."""
        return Expression(self.program, (figures, grid, self.argument))


@cache
def _programs() -> dict[str, Program]:
    return {solver.name.removeprefix("solve_"): solver.program for solver in solving_deck("figures")}


@cache
def functions(kind: str) -> tuple[FigureFunction, ...]:
    """Return the functions of a kind: measure, colour, patch or edit."""
    found = [
        FigureFunction(name.removeprefix(f"{kind}_"), program)
        for name, program in _programs().items()
        if name.startswith(f"{kind}_")
    ]
    if kind == "edit":
        shifted = _programs()["shifted"]
        found += [FigureFunction(f"shifted {step}", shifted, Literal(step)) for step in STEPS]
    return tuple(found)


@cache
def segments() -> tuple[Program, ...]:
    """Return the ways to cut a grid, as programs (I)."""
    makers = _programs()["segmented"].steps[0].args[0]
    assert isinstance(makers, Literal), "a tuple of helpers"
    return tuple(
        [Program(("grid",), 1, (Step(Literal(maker), (Slot(0),), "made", 1),), Slot(1)) for maker in makers.value]
    )


def derived(kind: str, figures: Expression, grid: Expression, measure: Expression) -> Expression:
    """Return a derived measure: rank_down, rank_up or equal_count of another one."""
    return Expression(_programs()[kind], (figures, grid, measure))


class _FigurePrograms:
    """The programs of all functions of figures, compiled once. S is the number of the segment."""

    def __init__(self) -> None:
        figures = Expression(_programs()["segmented"], (SHOWN, INPUT, NOTHING))
        self._figures = figures
        self.rows = self._prepared("measures", (*functions("measure"), *functions("colour")))
        self.patches = self._prepared("numbered", functions("patch"))
        self.edits = self._prepared("numbered", functions("edit"))
        self.pictures = self._prepared("coloured", functions("edit"))

    def _prepared(self, reader: str, made: Sequence[FigureFunction]) -> PreparedFunctions:
        program = _programs()[reader]
        figures = self._figures
        return PreparedFunctions(
            [compose(Expression(program, (figures, INPUT, each.of(figures, INPUT)))) for each in made]
        )


@cache
def _compiled() -> _FigurePrograms:
    return _FigurePrograms()


@dataclass(frozen=True, slots=True, eq=False)
class FigureImages:
    """What a function makes of all figures: for each cell of all samples the figure that has it, or -1, and colours."""

    function: FigureFunction
    owner: Numbers
    colours: npt.NDArray[np.uint8] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FigureTable:
    """The figures of all samples, one after the other: sample i has those from `starts[i]`, its cells from `cells[i]`.

    `measures` and `sources` hold a value for each figure.
    """

    segment: int
    base: GridState
    starts: list[int]
    cells: list[int]
    measures: dict[FigureFunction, Numbers]
    sources: dict[FigureFunction, Numbers]
    patches: list[FigureImages]
    edits: list[FigureImages]

    @property
    def figures(self) -> Expression:
        """Return the expression of the figures."""
        return Expression(segments()[self.segment], (self.base.expression,))

    @property
    def sample_of(self) -> Numbers:
        """Return the sample of each figure."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


def figure_tables(base: GridState, frame: TaskFrame, work: Work) -> Iterator[FigureTable]:
    """Yield the table of each way to cut the grids of a state; each set of figures once."""
    seen: set[bytes] = set()
    for segment in range(SEGMENTS):
        if not work.is_left():
            return
        table = _rows(segment, base, frame, work)
        if table is None:
            continue
        itself = table.patches[0]
        key = itself.owner.tobytes()
        if key not in seen:
            seen.add(key)
            yield table


def _rows(segment: int, base: GridState, frame: TaskFrame, work: Work) -> FigureTable | None:
    """Return the table of a segment; None if a sample has no figures, or too many."""
    grids = None if not base.steps else [as_grid(value) for value in base.values]
    samples = frame.samples(grids, segment)
    made = _compiled().rows.run(samples, outputs=True)
    work.spend_run(made.records.size, made.steps)
    names = (*functions("measure"), *functions("colour"))
    rows = {each: row for at, each in enumerate(names) if (row := _values(made, at)) is not None}
    sized = [row for each, row in rows.items() if each.name == "size"]
    if not sized:
        return None
    counts = [len(values) for values in sized[0]]
    if min(counts) == 0 or max(counts) > MOST_FIGURES:
        return None
    joined = {each: np.concatenate(row) for each, row in rows.items()}
    starts = np.concatenate([[0], np.cumsum(counts)]).tolist()
    cells = np.concatenate([[0], np.cumsum([value.size for value in base.values])]).tolist()
    measures = {each: joined[each] for each in functions("measure") if each in joined}
    sources = {each: joined[each] for each in functions("colour") if each in joined}
    patch_run = _compiled().patches.run(samples, outputs=True)
    work.spend_run(patch_run.records.size, patch_run.steps)
    patches = [
        FigureImages(function, owner)
        for at, function in enumerate(functions("patch"))
        if (owner := _owner(patch_run, at, starts)) is not None
    ]
    return FigureTable(segment, base, starts, cells, measures, sources, patches, edits_of(samples, starts, work))


def edits_of(samples: Sequence[Sample], starts: Sequence[int], work: Work) -> list[FigureImages]:
    """Return what all edits make of the figures."""
    numbered = _compiled().edits.run(samples, outputs=True)
    coloured = _compiled().pictures.run(samples, outputs=True)
    work.spend_run(2 * numbered.records.size, numbered.steps + coloured.steps)
    found = []
    for at, function in enumerate(functions("edit")):
        owner = _owner(numbered, at, starts)
        if owner is not None and (colours := coloured.grids(at)) is not None:
            found.append(FigureImages(function, owner, np.concatenate([each.ravel() for each in colours])))
    return found


def _values(made: GridBatch, at: int) -> list[Numbers] | None:
    """Return the values of a measure for the figures of each sample; None if it fails somewhere."""
    if (made.records["status"][at] != Status.OK).any():
        return None
    grids = made.grids(at)
    if grids is None:
        return None
    return [grid[0].astype(np.int64) + LOW * grid[1] for grid in grids]


def _owner(made: GridBatch, at: int, starts: Sequence[int]) -> Numbers | None:
    """Return for each cell of all samples the figure that has it, or -1; None if it fails somewhere."""
    if (made.records["status"][at] != Status.OK).any():
        return None
    grids = made.grids(at)
    if grids is None:
        return None
    numbers = [each.ravel().astype(np.int64) for each in grids]
    return np.concatenate(
        [np.where(each > 0, each - 1 + start, -1) for each, start in zip(numbers, starts, strict=False)]
    )
