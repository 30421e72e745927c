"""List figures: the output has their colours in an order, or a cell for each, in a row, a column or a grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from batt.ir import Program
from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.cells.sizes import OutputSize
from batt.solving.expressions import Expression, call
from batt.solving.figures.editing import fitting_outputs
from batt.solving.figures.figures import NOTHING, RANKED, FigureFunction, figure_program, functions
from batt.solving.figures.measuring import FigureTable, Numbers
from batt.solving.figures.options import FigureChoice, Mask, figure_choices
from batt.solving.frame import TaskFrame
from batt.solving.parts import as_column, as_row, colours_in_order, counted
from batt.solving.running import Array
from batt.solving.work import Work

Places: TypeAlias = tuple[Numbers, Numbers]
"""Rows and columns."""

KEPT_LISTS = 4
"""The lists of the figures of one segment that are kept."""
LIST_UNITS = 2_000
"""The units of work to compare a list with the outputs."""
BY_PLACE = 1
"""What an order by another measure than the size adds to the description length."""


def _by_row(height: int, width: int) -> Places:
    row, column = np.indices((height, width)).reshape(2, -1)
    return row, column


def _by_column(height: int, width: int) -> Places:
    column, row = _by_row(width, height)
    return row, column


def _to_and_fro(height: int, width: int) -> Places:
    row, column = _by_row(height, width)
    return row, np.where(row % 2, width - 1 - column, column)


def _from_below(height: int, width: int) -> Places:
    row, column = _by_row(height, width)
    return height - 1 - row, column


FILLS: dict[str, Callable[[int, int], Places]] = {
    "row_by_row": _by_row,
    "column_by_column": _by_column,
    "to_and_fro": _to_and_fro,
    "from_below": _from_below,
}
"""The places of a grid in an order, by the program of the deck that fills them with a list."""


@dataclass(frozen=True, slots=True)
class ListReading:
    """A way to read outputs as lists: the list of each, and how a program makes an output of a list."""

    lists: list[list[int]]
    written: Callable[[Expression], Expression]


def list_candidates(
    tables: Iterable[FigureTable], frame: TaskFrame, work: Work, size: OutputSize | None = None
) -> Iterator[SearchCandidate]:
    """Yield lists of figures that fit the demonstrations.

    Outputs are rows, columns, or grids of a `size` that is known, whose places a list fills in an order.
    """
    readings = list(_readings(frame, size))
    for table in tables if readings else ():
        choices = figure_choices(table, frame, work)
        for reading in readings:
            found = 0
            for expression, length in _lists(choices, table, reading.lists, work):
                made = reading.written(expression)
                outputs = fitting_outputs(made, frame, work)
                if outputs is not None:
                    found += 1
                    yield SearchCandidate(Layer.LIST, made, outputs, length)
                if found >= KEPT_LISTS or not work.is_left():
                    break


def _readings(frame: TaskFrame, size: OutputSize | None) -> Iterator[ListReading]:
    """Yield the ways to read the outputs: as rows, as columns, or in an order, up to the cells of the last colour."""
    targets = frame.targets
    lists = [target.ravel().tolist() for target in targets]
    if all(target.shape[0] == 1 for target in targets):
        yield ListReading(lists, as_row)
    elif all(target.shape[1] == 1 for target in targets):
        yield ListReading(lists, as_column)
    if size is None or all(1 in target.shape for target in targets):
        return
    yield from _ring_readings(frame, size)
    yield from _stripe_readings(frame, size)
    for name, order in FILLS.items():
        read = [[int(each) for each in target[order(*target.shape)]] for target in targets]
        for rest in sorted({cells[-1] for cells in read}):
            written = partial(_filled, figure_program(name), call("canvas", rest, size.expression))
            yield ListReading([_without_last(cells, rest) for cells in read], written)


def _ring_readings(frame: TaskFrame, size: OutputSize) -> Iterator[ListReading]:
    """Yield the ways to read the outputs as rings of one colour each, from the outside, up to those of the last one."""
    read = []
    for target in frame.targets:
        row, column = np.indices(target.shape)
        last_row, last_column = target.shape[0] - 1, target.shape[1] - 1
        ring = np.minimum(np.minimum(row, last_row - row), np.minimum(column, last_column - column))
        diagonal = target.diagonal()[: int(ring.max()) + 1]
        if (target != diagonal[ring]).any():
            return
        read.append([int(each) for each in diagonal])
    for rest in sorted({cells[-1] for cells in read}):
        written = partial(_filled, figure_program("rings"), call("canvas", rest, size.expression))
        yield ListReading([_without_last(cells, rest) for cells in read], written)
    yield ListReading(read, partial(_filled, figure_program("rings"), call("canvas", 0, size.expression)))


def _stripe_readings(frame: TaskFrame, size: OutputSize) -> Iterator[ListReading]:
    """Yield the ways to read the outputs as stripes of one colour and equal width each, down or across."""
    for is_down, as_line in ((True, as_column), (False, as_row)):
        targets = [target if is_down else target.T for target in frame.targets]
        if all((target == target[:, :1]).all() for target in targets):
            lists = [_stripes(target[:, 0]) for target in targets]
            yield ListReading(lists, partial(_striped, as_line, size))


def _striped(as_line: Callable[[Expression], Expression], size: OutputSize, listed: Expression) -> Expression:
    return call("resize", as_line(listed), size.expression)


def _stripes(cells: Array) -> list[int]:
    """Return the colours of the stripes of a line, as few as can be of equal width."""
    changes = np.flatnonzero(cells[1:] != cells[:-1]) + 1
    width = int(np.gcd.reduce([len(cells), *changes.tolist()]))
    return [int(each) for each in cells[::width]]


def _without_last(cells: list[int], rest: int) -> list[int]:
    """Return cells without those at the end that have a colour."""
    count = len(cells)
    while count and cells[count - 1] == rest:
        count -= 1
    return cells[:count]


def _filled(program: Program, blank: Expression, listed: Expression) -> Expression:
    return Expression(program, (listed, blank, NOTHING))


def _lists(
    choices: Sequence[FigureChoice], table: FigureTable, lists: list[list[int]], work: Work
) -> Iterator[tuple[Expression, int]]:
    """Yield the expressions of tuples that are equal to the outputs, with their description lengths."""
    lengths = [len(each) for each in lists]
    if not all(lengths):
        return
    for chosen in choices:
        if chosen.counts[: len(lists)].tolist() != lengths:
            continue
        work.spend(LIST_UNITS)
        colours = {colour for each in lists for colour in each}
        if len(colours) == 1:
            yield counted(chosen.figures, colours.pop()), chosen.size + 1
        for measure, is_down in _orders(table, lists, chosen.mask, work):
            extra = 0 if measure.name == "size" else BY_PLACE
            listed = colours_in_order(chosen.figures, measure.of(table.figures, table.base.expression), is_down)
            yield listed, chosen.size + 2 + extra


def _orders(
    table: FigureTable, lists: list[list[int]], mask: Mask, work: Work
) -> Iterator[tuple[FigureFunction, bool]]:
    """Yield the measures, ascending or descending, by which the colours of these figures are the outputs."""
    colours = table.sources.get(functions("colour")[0])
    if colours is None:
        return
    for measure, values in table.measures.items():
        if measure.name not in RANKED:
            continue
        for is_down in (False, True):
            work.spend(LIST_UNITS)
            if all(_listed(table, values, colours, mask, at, is_down) == each for at, each in enumerate(lists)):
                yield measure, is_down


def _listed(table: FigureTable, values: Numbers, colours: Numbers, mask: Mask, sample: int, is_down: bool) -> list[int]:
    part = slice(table.starts[sample], table.starts[sample + 1])
    own = values[part][mask[part]]
    order = np.argsort(-own if is_down else own, kind="stable")
    listed: list[int] = colours[part][mask[part]][order].tolist()
    return listed
