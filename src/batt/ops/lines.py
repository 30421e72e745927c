"""Lines and boxes: the places on them. No grid is involved, so nothing is clipped."""

from __future__ import annotations

from typing import Any

from batt.ops.known import knows
from batt.ops.meter import items, unit
from batt.ops.shapes import bottom, components, left, right, top
from batt.ops.table import op
from batt.types import Kind, OrderedSet, ordered
from batt.types.kinds import Indices, Pair, Patch

INDICES, PAIR, PATCH = Kind.INDICES, Kind.PAIR, Kind.PATCH

REACH = 42
"""The length of a shot, in multiples of its direction."""

FRONTIER = 30
"""The number of places of a frontier, for any grid."""


def _connect_cost(a: Any, b: Any) -> int:
    """2 + the larger of the distances in rows and in columns; 1 where either is no pair of ints"""
    start, stop = _pair_of_ints(a), _pair_of_ints(b)
    if start is None or stop is None:
        return 1
    return 2 + max(abs(stop[0] - start[0]), abs(stop[1] - start[1]))


def _shoot_cost(start: Any, direction: Any) -> int:
    """2 + 42 × the larger of the direction's sizes in rows and in columns; 1 where it is no pair of ints"""
    step = _pair_of_ints(direction[:2]) if isinstance(direction, tuple) else None
    return 1 if step is None else 2 + REACH * max(abs(step[0]), abs(step[1]))


def _outline_cost(patch: Any) -> int:
    """1 + items of the patch + twice the height and twice the width of its bounding box"""
    return 1 + items(patch) + 2 * sum(extent(patch))


def extent(patch: Any) -> Pair:
    """Return height and width of the bounding box, (0, 0) if there is none. Never raises, for use in costs."""
    try:
        rows, columns = components(patch)
        return max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
    except (TypeError, ValueError, IndexError):
        return 0, 0


def _pair_of_ints(value: Any) -> Pair | None:
    if isinstance(value, (tuple, frozenset)) and len(value) == 2:
        i, j = ordered(value)
        if isinstance(i, int) and isinstance(j, int):
            return i, j
    return None


@op(PAIR, PAIR, result=INDICES, cost=_connect_cost)
@knows(gives="*>sz", refuses="a b: inezg")
def connect(a: Pair, b: Pair) -> Indices:
    """The places from a to b on their shared row, column or diagonal; none if they share none.

    >>> connect((0, 0), (2, 2))
    {(0, 0), (1, 1), (2, 2)}
    >>> connect((0, 0), (1, 2))
    {}
    """
    return _line(a, b)


@op(PAIR, PAIR, result=INDICES, cost=_shoot_cost)
@knows(gives="*>sz", refuses="start direction: inegzs")
def shoot(start: Pair, direction: Pair) -> Indices:
    """The places from start to 42 times direction away from it.

    >>> size(shoot((3, 3), (1, 0)))
    43
    """
    return _line(start, (_ahead(start[0], direction[0]), _ahead(start[1], direction[1])))


@op(PAIR, result=INDICES, cost=unit)
@knows(gives="*>s", refuses="location: inezs")
def hfrontier(location: Pair) -> Indices:
    """The first 30 places of the location's row.

    >>> contained((3, 29), hfrontier((3, 5)))
    True
    """
    row = location[0]
    return OrderedSet.from_ascending([(row, j) for j in range(FRONTIER)])


@op(PAIR, result=INDICES, cost=unit)
@knows(gives="*>s", refuses="location: inezs")
def vfrontier(location: Pair) -> Indices:
    """The first 30 places of the location's column.

    >>> contained((29, 5), vfrontier((3, 5)))
    True
    """
    column = location[1]
    return OrderedSet.from_ascending([(i, column) for i in range(FRONTIER)])


@op(PATCH, result=INDICES, cost=_outline_cost)
@knows(gives="e>e z>z *>s", refuses="patch: inp")
def box(patch: Patch) -> Patch:
    """The outline of the patch's bounding box; an empty patch unchanged.

    >>> box({(0, 0), (2, 2)})
    {(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)}
    """
    if len(patch) == 0:
        return patch
    rows, columns = components(patch)
    return _outline(min(rows), min(columns), max(rows), max(columns))


@op(PATCH, result=INDICES, cost=_outline_cost)
@knows(gives="*>s", refuses="patch: inepz")
def outbox(patch: Patch) -> Indices:
    """The outline one place outside the patch's bounding box.

    >>> outbox({(1, 1)})
    {(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)}
    """
    return _outline(top(patch) - 1, left(patch) - 1, bottom(patch) + 1, right(patch) + 1)


@op(PATCH, result=INDICES, cost=_outline_cost)
@knows(gives="*>s", refuses="patch: inepz")
def inbox(patch: Patch) -> Indices:
    """The outline one place inside the patch's bounding box; a side of length 1 grows to 3, one of length 2 stays.

    >>> inbox({(0, 0), (2, 3)})
    {(1, 1), (1, 2)}
    """
    return _outline(top(patch) + 1, left(patch) + 1, bottom(patch) - 1, right(patch) - 1)


def _line(a: Pair, b: Pair) -> Indices:
    ai, aj = ordered(a)
    bi, bj = ordered(b)
    rows = range(min(ai, bi), max(ai, bi) + 1)
    columns = range(min(aj, bj), max(aj, bj) + 1)
    if ai == bi:
        return OrderedSet.from_ascending([(ai, j) for j in columns])
    if aj == bj:
        return OrderedSet.from_ascending([(i, aj) for i in rows])
    if len(rows) != len(columns):
        return OrderedSet()
    falling = (ai < bi) == (aj < bj)
    return OrderedSet.from_ascending(zip(rows, columns if falling else reversed(columns), strict=True))


def _ahead(start: Any, step: Any) -> int:
    """Return the place 42 steps ahead; a step that is no int would be repeated, not multiplied."""
    if isinstance(start, int) and isinstance(step, int):
        return start + REACH * step
    raise TypeError("a shot starts at two ints and steps by two ints")


def _outline(i: int, j: int, k: int, m: int) -> Indices:
    """Return the outline of the rectangle with opposite corners (i, j) and (k, m), in row-major order."""
    first_row, last_row = min(i, k), max(i, k)
    first_column, last_column = min(j, m), max(j, m)
    columns = range(first_column, last_column + 1)
    sides = (first_column, last_column) if first_column < last_column else (first_column,)
    places = [(first_row, j) for j in columns]
    places += [(i, j) for i in range(first_row + 1, last_row) for j in sides]
    if first_row < last_row:
        places += [(last_row, j) for j in columns]
    return OrderedSet.from_ascending(places)
