"""Lay figures out: a cell for each, in the rows and columns in which they lie. What is known of them are its values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.cells.cells import cell_states, constant_states, features_of
from batt.solving.cells.trees import tree_candidates
from batt.solving.expressions import INPUT, Expression, call, count_steps
from batt.solving.figures.figures import FigureFunction, figure_program
from batt.solving.figures.measuring import FigureTable, Numbers
from batt.solving.figures.options import NO_COLOUR, FigureChoice, Mask, figure_choices
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.parts import blank
from batt.solving.running import LARGEST_CELL, Array
from batt.solving.work import Work

MOST_LAYOUTS = 6
"""The layouts of a task whose cells are learned."""
LAYOUT_ROOTS = 3
"""The tests that are tried as the root of a tree over a layout."""
LAYOUT_UNITS = 10_000
"""The units of work to lay out the figures of a task."""


@dataclass(frozen=True, slots=True, eq=False)
class FigureLayout:
    """Some figures of a table, and for each sample a grid of their numbers, -1 where none is.

    `size` is the description length of their choice.
    """

    table: FigureTable
    kept: Expression
    owners: tuple[Numbers, ...]
    size: int

    def state(self, function: FigureFunction, values: Numbers, is_count: bool) -> GridState | None:
        """Return what a function gives for the figures, as a state; None if that is more than a cell may hold."""
        grids = tuple([np.where(owner >= 0, values[owner], 0) for owner in self.owners])
        if max(int(grid.max()) for grid in grids) >= (LARGEST_CELL if is_count else NO_COLOUR):
            return None
        given = function.of(self.table.figures, self.table.base.expression)
        made = Expression(figure_program("layout"), (self.kept, self.table.base.expression, given))
        small: tuple[Array, ...] = tuple([grid.astype(np.uint8) for grid in grids])
        return GridState(made, small, count_steps(made), is_count)


def figure_layouts(tables: Iterable[FigureTable], frame: TaskFrame, work: Work) -> Iterator[FigureLayout]:
    """Yield layouts that have the size of the outputs: of all figures, and of those that pass or fail a test."""
    if all(target.size == 1 for target in frame.targets):
        return
    for table in tables:
        seen: set[bytes] = set()
        for choice in _fitting_choices(table, frame, work):
            owners = _owners(table, choice.mask, work)
            if owners is None or any(a.shape != b.shape for a, b in zip(owners, frame.targets, strict=False)):
                continue
            key = b"".join([owner.tobytes() for owner in owners])
            if key not in seen:
                seen.add(key)
                yield FigureLayout(table, choice.figures, owners, choice.size)


def _fitting_choices(table: FigureTable, frame: TaskFrame, work: Work) -> Iterator[FigureChoice]:
    """Yield figures of which there are as many as rows and columns need, and not more than places."""
    least = np.array([max(target.shape) for target in frame.targets])
    most = np.array([target.size for target in frame.targets])
    for choice in figure_choices(table, frame, work):
        shown = choice.counts[: frame.train]
        if choice.counts.all() and (shown >= least).all() and (shown <= most).all():
            yield choice


def _owners(table: FigureTable, mask: Mask, work: Work) -> tuple[Numbers, ...] | None:
    """Return the layout of figures on each sample; None if two of them are in one place."""
    work.spend(LAYOUT_UNITS)
    tops, bottoms, lefts, rights = [table.measure(name) for name in ("top", "bottom", "left", "right")]
    if tops is None or bottoms is None or lefts is None or rights is None:
        return None
    made = []
    for start, stop in zip(table.starts[:-1], table.starts[1:], strict=True):
        numbers = start + np.flatnonzero(mask[start:stop])
        row, height = _bands(tops[numbers], bottoms[numbers])
        column, width = _bands(lefts[numbers], rights[numbers])
        if len(np.unique(row * width + column)) < len(numbers):
            return None
        owner = np.full((height, width), -1, np.int64)
        owner[row, column] = numbers
        made.append(owner)
    return tuple(made)


def _bands(first: Numbers, last: Numbers) -> tuple[Numbers, int]:
    """Return the band of each figure, and how many there are. A band begins where a figure does and none crosses."""
    starts = np.unique(first)
    crossed = ((first[None] < starts[:, None]) & (last[None] >= starts[:, None])).any(axis=1)
    begun = starts[~crossed]
    return np.searchsorted(begun, first, side="right") - 1, len(begun)


def layout_candidates(layout: FigureLayout, frame: TaskFrame, work: Work) -> Iterator[SearchCandidate]:
    """Yield layouts of colours that fit the demonstrations, and copy trees over what is known of the figures."""
    table = layout.table
    sources = [layout.state(each, values, is_count=False) for each, values in table.sources.items()]
    marks = [layout.state(each, values, is_count=True) for each, values in table.measures.items()]
    shown = {state.key: state for state in reversed(sources) if state is not None}
    colours = list(shown.values())[::-1]
    for number, state in enumerate(colours):
        if all((a == b).all() for a, b in zip(state.values, frame.targets, strict=False)):
            outputs = tuple([as_grid(value) for value in state.values[frame.train :]])
            yield SearchCandidate(Layer.LAYOUT, state.expression, outputs, 1 + layout.size + bool(number))
    if not colours:
        return
    base = colours[0]
    _, around = cell_states(base, frame, work)
    grounds = tuple(
        [
            np.full_like(value, np.bincount(grid.ravel()).argmax())
            for value, grid in zip(base.values, frame.input.values, strict=True)
        ]
    )
    ground = GridState(blank(call("mostcolor", INPUT), base.expression), grounds, base.steps + 2)
    constants = [ground, *constant_states(base, frame.target_colours)]
    known = [state for state in marks if state is not None]
    features = features_of(colours, [*known, *around], [], constants, frame.train)
    yield from tree_candidates(features, frame, Layer.LAYOUT_TREE, work, LAYOUT_ROOTS)
