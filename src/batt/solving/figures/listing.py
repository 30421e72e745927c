"""List figures: the output is a row or a column of their colours, in the order of a measure, or one cell for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.expressions import Expression
from batt.solving.figures.editing import fitting_outputs
from batt.solving.figures.figures import RANKED, FigureFunction, functions
from batt.solving.figures.measuring import FigureTable, Numbers
from batt.solving.figures.options import FigureTest, Mask, figure_tests
from batt.solving.frame import TaskFrame
from batt.solving.parts import as_column, as_row, colours_in_order, counted, without
from batt.solving.work import Work

KEPT_LISTS = 4
"""The lists of the figures of one segment that are kept."""
LIST_UNITS = 2_000
"""The units of work to compare a list with the outputs."""
BY_PLACE = 1
"""What an order by another measure than the size adds to the description length."""


def list_candidates(tables: Iterable[FigureTable], frame: TaskFrame, work: Work) -> Iterator[SearchCandidate]:
    """Yield lists of figures that fit the demonstrations, if all outputs are rows, or all are columns."""
    is_row = all(target.shape[0] == 1 for target in frame.targets)
    if not is_row and any(target.shape[1] != 1 for target in frame.targets):
        return
    lists = [target.ravel().tolist() for target in frame.targets]
    for table in tables:
        tests, masks = figure_tests(table, table.starts[frame.train], work)
        found = 0
        for expression, size in _lists(table, lists, tests, masks, work):
            outputs = fitting_outputs(as_row(expression) if is_row else as_column(expression), frame, work)
            if outputs is not None:
                found += 1
                yield SearchCandidate(
                    Layer.LIST, as_row(expression) if is_row else as_column(expression), outputs, size
                )
            if found >= KEPT_LISTS or not work.is_left():
                break


def _lists(
    table: FigureTable, lists: list[list[int]], tests: list[FigureTest], masks: Mask, work: Work
) -> Iterator[tuple[Expression, int]]:
    """Yield the expressions of tuples that are equal to the outputs, with their description lengths."""
    figures, base = table.figures, table.base.expression
    kept = [(figures, np.ones(table.starts[-1], bool), 0)]
    for test, mask in zip(tests, masks, strict=True):
        passing = test.passing(figures, figures, base)
        kept += [(passing, mask, test.size), (without(figures, passing), ~mask, test.size + 1)]
    for chosen, mask, size in kept:
        work.spend(LIST_UNITS)
        if any(_kept_count(table, mask, at) != len(each) for at, each in enumerate(lists)):
            continue
        colours = {colour for each in lists for colour in each}
        if len(colours) == 1:
            yield counted(chosen, colours.pop()), size + 1
        for measure, is_down in _orders(table, lists, mask, work):
            extra = 0 if measure.name == "size" else BY_PLACE
            yield colours_in_order(chosen, measure.of(figures, base), is_down), size + 2 + extra


def _kept_count(table: FigureTable, mask: Mask, sample: int) -> int:
    return int(mask[table.starts[sample] : table.starts[sample + 1]].sum())


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
