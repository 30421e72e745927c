"""Views of a task: its inputs and outputs with other colours, so that what differs between samples becomes the same.

Image families take black as empty. In a view the ground is black, and colours that only some inputs have are replaced
by their rank. What is found in a view is a program for the task: colours are replaced first, and put back at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from batt.solving.expressions import INPUT, Expression, call, op
from batt.solving.frame import GridState, TaskFrame
from batt.solving.running import Array

COLOURS = 10
MOST_RANKS = 3
"""The most colours of an input that are replaced by their rank."""


@dataclass(frozen=True, slots=True, eq=False)
class ColourView:
    """Colours that take the place of others: tables for each sample, and what programs do before and after."""

    into: Array
    back: Array
    enter: Callable[[Expression], Expression]
    leave: Callable[[Expression], Expression]
    is_plain: bool = False

    def entered(self, grids: Sequence[Array]) -> tuple[Array, ...]:
        """Return grids, one for each of the first samples, as they are in the view."""
        return tuple([self.into[at][grid] for at, grid in enumerate(grids)])

    def left(self, grids: Sequence[Array]) -> tuple[Array, ...]:
        """Return grids of the view, one for each sample, with the colours of the task."""
        return tuple([self.back[at][grid] for at, grid in enumerate(grids)])

    def entered_state(self, state: GridState) -> GridState:
        """Return a state as it is in the view."""
        if self.is_plain:
            return state
        return replace(state, expression=self.enter(state.expression), values=self.entered(state.values))

    def left_state(self, state: GridState) -> GridState:
        """Return a state of the view with the colours of the task."""
        if self.is_plain:
            return state
        return replace(state, expression=self.leave(state.expression), values=self.left(state.values))


def views_of(frame: TaskFrame) -> Iterator[ColourView]:
    """Yield the views of a task: the task itself, or with its ground made black; then colours by rank."""
    grounds = [int(np.bincount(value.ravel(), minlength=COLOURS).argmax()) for value in frame.input.values]
    tables = np.tile(np.arange(COLOURS, dtype=np.uint8), (frame.size, 1))
    if 0 in grounds:
        yield ColourView(tables, tables, _same, _same, is_plain=True)
    else:
        for table, ground in zip(tables, grounds, strict=True):
            table[[0, ground]] = table[[ground, 0]]
        yield ColourView(tables, tables, _ground_to_black, _black_to_ground)
    ranked = _ranked_view(frame)
    if ranked is not None:
        yield ranked


def _same(grid: Expression) -> Expression:
    return grid


def _ground_to_black(grid: Expression) -> Expression:
    return call("switch", grid, call("mostcolor", INPUT), 0)


def _black_to_ground(grid: Expression) -> Expression:
    return call("switch", grid, 0, call("mostcolor", INPUT))


def _ranked_view(frame: TaskFrame) -> ColourView | None:
    """Return the view in which colours that not all inputs have are replaced by their rank among these."""
    palettes = [{*value.ravel().tolist()} for value in frame.input.values]
    fixed = set.intersection(*palettes)
    counts = {len(palette - fixed) for palette in palettes}
    free = [colour for colour in range(1, COLOURS) if colour not in fixed and colour not in frame.target_colours]
    free += [colour for colour in range(1, COLOURS) if colour not in fixed and colour not in free]
    (count,) = counts if len(counts) == 1 else (0,)
    if not 1 <= count <= min(MOST_RANKS, len(free)):
        return None
    ranks = [_by_count(value, palette - fixed) for value, palette in zip(frame.input.values, palettes, strict=True)]
    slots = free[:count]
    into = np.tile(np.arange(COLOURS, dtype=np.uint8), (frame.size, 1))
    back = into.copy()
    for at, colours in enumerate(ranks):
        into[at][colours] = slots
        back[at][slots] = colours
    shown = list(zip(frame.targets, into, back, strict=False))
    if any((back_of[into_of[target]] != target).any() for target, into_of, back_of in shown):
        return None
    expressions = _rank_colours(sorted(fixed), count)

    def enter(grid: Expression) -> Expression:
        return _replaced(grid, list(zip(expressions, slots, strict=True)))

    def leave(grid: Expression) -> Expression:
        return _replaced(grid, list(zip(slots, expressions, strict=True)))

    return ColourView(into, back, enter, leave)


def _by_count(grid: Array, colours: set[int]) -> list[int]:
    """Return colours by how many cells have them, the most frequent first, of those tied the lowest."""
    return sorted(colours, key=lambda colour: (-int((grid == colour).sum()), colour))


def _rank_colours(fixed: Sequence[int], count: int) -> list[Expression]:
    """Return the expressions of the colours of the input other than these, the most frequent first."""
    rest = call("palette", INPUT)
    for colour in fixed:
        rest = call("remove", colour, rest)
    found = []
    for _ in range(count):
        found.append(call("argmax", rest, call("lbind", op("colorcount"), INPUT)))
        rest = call("remove", found[-1], rest)
    return found


def _replaced(grid: Expression, pairs: Sequence[tuple[Expression | int, Expression | int]]) -> Expression:
    """Return a grid with the first colour of each pair replaced by the second, all at once."""
    made = grid
    for old, new in pairs:
        made = call("fill", made, new, call("ofcolor", grid, old))
    return made
