"""Pattern search: where an object occurs in a grid, and with which period it repeats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain, product
from typing import Any

from batt.ops.known import knows
from batt.ops.lines import extent
from batt.ops.meter import items
from batt.ops.shapes import is_object, normalized, shape_of
from batt.ops.table import op
from batt.types import Kind, OrderedSet, unordered
from batt.types.kinds import Container, Grid, Indices, Object, Value

GRID, INDICES, INT, OBJECT = Kind.GRID, Kind.INDICES, Kind.INT, Kind.OBJECT


def _occurrences_cost(grid: Any, obj: Any) -> int:
    """1 + items of the grid × (1 + items of the object)"""
    return 1 + items(grid) * (1 + items(obj))


def _hperiod_cost(obj: Any) -> int:
    """1 + items × (1 + width)"""
    return 1 + items(obj) * (1 + extent(obj)[1])


def _vperiod_cost(obj: Any) -> int:
    """1 + items × (1 + height)"""
    return 1 + items(obj) * (1 + extent(obj)[0])


@op(GRID, OBJECT, result=INDICES, cost=_occurrences_cost)
@knows(gives="*>sz", refuses="obj: inp; grid: inepzs")
def occurrences(grid: Grid, obj: Object) -> Indices:
    """The places of the object's upper left corner at which all its cells agree with the grid.

    >>> occurrences(((1, 2, 1), (2, 1, 2)), {(1, (5, 5)), (2, (5, 6))})
    {(0, 0), (1, 1)}
    """
    pattern: Container = normalized(obj)
    height, width = len(grid), len(grid[0])
    pattern_height, pattern_width = shape_of(obj)
    rows, columns = height - pattern_height + 1, width - pattern_width + 1
    if rows <= 0 or columns <= 0:
        return OrderedSet()
    if len(pattern) == 0:
        return OrderedSet.from_ascending(product(range(rows), range(columns)))
    if not is_object(pattern):
        raise TypeError("only cells occur in a grid, not places")
    # A tuple of cells has the shape of a grid, so its cells may lie beyond that shape.
    cells = [(colour, i, j) for colour, (i, j) in unordered(pattern)]
    rows = min(rows, height - max([i for _, i, _ in cells]))
    columns = min(columns, width - max([j for _, _, j in cells]))
    starts = _matches(grid, width, cells)
    return OrderedSet.from_ascending([(i, j) for i, j in starts if i < rows and j < columns])


def _matches(grid: Grid, width: int, cells: list[tuple[Value, int, int]]) -> list[tuple[int, int]]:
    """Return the places, row-major, from which every cell meets its colour, if the rows were one single line.

    Bit number row × width + column of an int stands for a place, and one shift tests a cell at all places at once.
    """
    line = list(chain.from_iterable(grid))[::-1]
    where: dict[Value, int] = {}
    found = -1
    for colour, i, j in cells:
        if colour not in where:
            where[colour] = int("".join(["1" if value == colour else "0" for value in line]), 2)
        found &= where[colour] >> (i * width + j)
        if not found:
            return []
    return [divmod(place, width) for place, bit in enumerate(reversed(f"{found:b}")) if bit == "1"]


@op(OBJECT, result=INT, cost=_hperiod_cost)
@knows(gives="*>i", refuses="obj: inp")
def hperiod(obj: Object) -> int:
    """The least shift to the left that lays the object onto itself, as far as it stays in its box; else its width.

    >>> hperiod({(1, (0, 0)), (2, (0, 1)), (1, (0, 2)), (2, (0, 3))})
    2
    """
    columns: defaultdict[int, set[tuple[Value, int]]] = defaultdict(set)
    for colour, (i, j) in _cells(obj, axis=1):
        columns[j].add((colour, i))
    return _period(columns)


@op(OBJECT, result=INT, cost=_vperiod_cost)
@knows(gives="*>i", refuses="obj: inp")
def vperiod(obj: Object) -> int:
    """The least shift upwards that lays the object onto itself, as far as it stays in its box; else its height.

    >>> vperiod({(1, (0, 0)), (2, (1, 0)), (3, (2, 0))})
    3
    """
    rows: defaultdict[int, set[tuple[Value, int]]] = defaultdict(set)
    for colour, (i, j) in _cells(obj, axis=0):
        rows[i].add((colour, j))
    return _period(rows)


def _cells(obj: Object, axis: int) -> Iterable[Any]:
    """Return the normalized cells in any order. Indices have none; a row or column of them is never read."""
    pattern: Container = normalized(obj)
    if len(pattern) == 0 or is_object(pattern):
        return unordered(pattern)
    if extent(pattern)[axis] > 1:
        raise TypeError("only cells have a period, not places")
    return [(0, place) for place in unordered(pattern)]


def _period(lanes: Mapping[int, set[tuple[Value, int]]]) -> int:
    """Return the least p for which every lane from number p on is part of the one p before it; lanes count from 0."""
    if not lanes:
        return 0
    last = max(lanes)
    nothing: set[tuple[Value, int]] = set()
    # The last lane is not empty, so the one p before it must exist.
    for p in sorted([last - number for number in lanes if number != last]):
        if all(lane <= lanes.get(number - p, nothing) for number, lane in lanes.items() if number >= p):
            return p
    return last + 1
