"""Spans: first and last rows, or columns, that figures are aligned with, and moves to a row and a column.

A span is that of a figure itself, of another one, of the grid, of its place in a stack, and so on. A figure is aligned
with it in one of some ways, perhaps a little off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

import numpy as np

from batt.ir import Literal, Program, Slot, Step
from batt.solving.expressions import INPUT, SHOWN, Expression, call, compose
from batt.solving.figures.figures import NOTHING, FigureFunction, figure_program
from batt.solving.figures.measuring import FigureTable, Numbers
from batt.solving.figures.relations import (
    RelatedFunction,
    RelatedTable,
    related_expressions,
    relations_of_colours,
    run_relations,
)
from batt.solving.library import solving_deck
from batt.solving.parts import added
from batt.solving.running import Array, PreparedFunctions
from batt.solving.work import Work

MEASURES = ("top", "height"), ("left", "width")
"""The measures of where a figure begins, and of its extent, by axis: 0 for rows, 1 for columns."""
OFFSETS = (0, 1, -1, 2, -2)
"""How far from where it is aligned a figure may be."""


class Alignment(Enum):
    """The ways to align a figure with a span, by the names of their programs in the deck."""

    BEGIN = "begin"
    END = "end"
    AFTER = "after"
    BEFORE = "before"
    MIDDLE = "middle"
    BESIDE = "beside"
    NEAR = "near"
    FAR = "far"
    OPPOSITE = "opposite"
    TOWARD = "toward"
    AWAY = "away"
    INWARD = "inward"
    OUTWARD = "outward"
    INWARD_BY_EXTENT = "inward_by_extent"


def aligned_lines(begin: Numbers, extent: Numbers, first: Numbers, last: Numbers) -> dict[Alignment, Numbers]:
    """Return where figures begin that are aligned with spans, by where they begin now, and their extents."""
    end = begin + extent - 1
    way = (first > end).astype(np.int64) - (begin > last)
    inward = np.sign(first + last - begin - end)
    return {
        Alignment.BEGIN: first,
        Alignment.END: last - extent + 1,
        Alignment.AFTER: last + 1,
        Alignment.BEFORE: first - extent,
        Alignment.MIDDLE: (first + last - extent + 1) // 2,
        Alignment.BESIDE: np.select([way > 0, way < 0], [first - extent, last + 1], begin),
        Alignment.NEAR: np.where(inward < 0, last - extent + 1, first),
        Alignment.FAR: np.where(inward > 0, last - extent + 1, first),
        Alignment.OPPOSITE: first + last - end,
        Alignment.TOWARD: begin + way,
        Alignment.AWAY: begin - way,
        Alignment.INWARD: begin + inward,
        Alignment.OUTWARD: begin - inward,
        Alignment.INWARD_BY_EXTENT: begin + inward * extent,
    }


@dataclass(frozen=True, slots=True, eq=False)
class SpanLine:
    """A function that gives each figure a first row, or column, and what it gives for the figures of all samples."""

    span: FigureFunction
    alignment: Alignment
    offset: int
    lines: Numbers

    @property
    def size(self) -> int:
        """Return about how long it is."""
        is_own = self.span.name == "own" and self.alignment is Alignment.BEGIN
        return (not is_own) + (self.alignment is not Alignment.BEGIN) + abs(self.offset)

    def function(self, figures: Expression, grid: Expression, axis: int) -> Expression:
        """Return its expression for these figures of a grid."""
        program = _programs()[f"align_{self.alignment.value}"]
        begin = Expression(program, (figures, grid, call("astuple", self.span.of(figures, grid), axis)))
        return added(begin, self.offset) if self.offset else begin


@dataclass(frozen=True, slots=True)
class MovedFunction(FigureFunction):
    """A function that moves a figure to a row and a column."""

    lines: tuple[SpanLine, ...] = ()

    @property
    def size(self) -> int:
        """Return about how long it is."""
        return 1 + sum([line.size for line in self.lines])

    def of(self, figures: Expression, grid: Expression) -> Expression:
        """Return the function's expression for these figures of a grid."""
        begins = [line.function(figures, grid, axis) for axis, line in enumerate(self.lines)]
        return Expression(self.program, (figures, grid, call("astuple", *begins)))


Span = tuple[FigureFunction, Numbers, Numbers]
"""A function that gives each figure a span, and the first and last rows, or columns, that it gives all figures."""


class _SpanPrograms:
    """The programs that give spans, compiled once: of makers, and of figures that each one is related to."""

    def __init__(self) -> None:
        figures = Expression(figure_program("segmented"), (SHOWN, INPUT, NOTHING))
        self.made = self._prepared(figures, [each.of(figures, INPUT) for axis in (0, 1) for each in made_spans(axis)])
        figures, relation = related_expressions()
        spans = [Expression(program, (figures, INPUT, relation)) for program in _related_spans()]
        self.related = self._prepared(figures, spans)

    def _prepared(self, figures: Expression, spans: Sequence[Expression]) -> PreparedFunctions:
        program = _programs()["spans"]
        return PreparedFunctions([compose(Expression(program, (figures, INPUT, each))) for each in spans], keep=True)


@cache
def _compiled() -> _SpanPrograms:
    return _SpanPrograms()


@cache
def _programs() -> dict[str, Program]:
    return {solver.name.removeprefix("solve_"): solver.program for solver in solving_deck("spans")}


def _related_spans() -> tuple[Program, Program]:
    return _programs()["span_rows"], _programs()["span_columns"]


@cache
def made_spans(axis: int) -> tuple[FigureFunction, ...]:
    """Return the spans of makers on an axis: 0 for rows, 1 for columns."""
    makers = _programs()["spanned"].steps[1].args[0]
    assert isinstance(makers, Literal), "a tuple of helpers"
    found = []
    for maker in makers.value:
        step = Step(Literal(maker), (Slot(0), Slot(1), Slot(2)), "made", 1)
        program = Program(("figures", "grid", "axis"), 3, (step,), Slot(3))
        found.append(FigureFunction(maker.name.removeprefix("span_"), program, Literal(axis)))
    return tuple(found)


def _spans(table: FigureTable, work: Work) -> tuple[list[Span], list[Span]]:
    """Return the spans of rows, and those of columns."""
    found: tuple[list[Span], list[Span]] = ([], [])
    made = _compiled().made.run(table.samples, outputs=True)
    work.spend_run(made.records.size, made.steps)
    values = made.all_grids(range(len(made.records)))
    for axis in (0, 1):
        some = made_spans(axis)
        for function, grids in zip(some, values[axis * len(some) :], strict=False):
            _add_span(found[axis], function, grids)
    if not isinstance(table, RelatedTable):
        return found
    relations = relations_of_colours()
    for number, rows in zip(table.related, run_relations(_compiled().related, table, table.related, work), strict=True):
        for axis, program in enumerate(_related_spans()):
            function = RelatedFunction(relations[number].name, program, NOTHING, relations[number])
            _add_span(found[axis], function, rows[axis])
    return found


def _add_span(spans: list[Span], function: FigureFunction, grids: Sequence[Array] | None) -> None:
    if grids is not None:
        joined = np.concatenate([each.astype(np.int64) for each in grids], axis=1)
        spans.append((function, joined[0], joined[1]))


def lines_of(table: FigureTable, work: Work) -> tuple[list[SpanLine], list[SpanLine]]:
    """Return the lines of rows and those of columns, the simplest first, each result once."""
    found: list[list[SpanLine]] = []
    for axis, spans in enumerate(_spans(table, work)):
        begin, extent = [table.measure(name) for name in MEASURES[axis]]
        if begin is None or extent is None:
            return [], []
        made = [
            SpanLine(function, alignment, offset, lines + offset)
            for function, first, last in spans
            for alignment, lines in aligned_lines(begin, extent, first, last).items()
            for offset in OFFSETS
        ]
        # Python sorts stably, so of equal sizes the first span comes first.
        distinct: dict[bytes, SpanLine] = {}
        for line in sorted(made, key=lambda each: each.size):
            distinct.setdefault(line.lines.tobytes(), line)
        found.append(list(distinct.values()))
    return found[0], found[1]


def moved_function(row: SpanLine, column: SpanLine) -> MovedFunction:
    """Return the function that moves a figure to a row and a column."""
    return MovedFunction("moved", _programs()["moved"], lines=(row, column))


def gone_function() -> FigureFunction:
    """Return the function that makes nothing of a figure."""
    return FigureFunction("gone", _programs()["gone"])
