"""Find objects in a grid: connected components, colours, and full rows or columns."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from batt.ops.known import knows
from batt.ops.shapes import background, colours_of
from batt.ops.table import op
from batt.types import Kind, OrderedSet, ordered
from batt.types.kinds import Cell, Grid, Object, Objects, Value

BOOL, GRID, OBJECTS = Kind.BOOL, Kind.GRID, Kind.OBJECTS

_INTS = {int, bool}
_TAKEN = object()
"""The label of a place in no object or in one already found; equal to no value."""
_EDGE: Any = (_TAKEN, None)


@op(GRID, BOOL, BOOL, BOOL, result=OBJECTS)
@knows(gives="*>sz", refuses="grid: inepzs", proves="g, x, y, z -> set")
def objects(grid: Grid, univalued: bool, diagonal: bool, without_bg: bool) -> Objects:
    """The connected components of the grid's cells, of one value each if univalued, without the background if asked.

    >>> objects(((0, 1), (2, 0), (0, 0)), True, False, True)
    {{(1, (0, 1))}, {(2, (1, 0))}}
    >>> objects(((0, 1), (2, 0), (0, 0)), False, True, True)
    {{(1, (0, 1)), (2, (1, 0))}}
    """
    ignored = background(grid) if without_bg else None
    stride = len(grid[0]) + 1
    if stride == 1:
        return OrderedSet()
    cells = _framed_cells(grid, stride)
    labels = [_TAKEN if v == ignored else v if univalued or v is _TAKEN else 1 for v, _ in cells]
    steps: tuple[int, ...] = (-stride, -1, 1, stride)
    if diagonal:
        steps += (-stride - 1, -stride + 1, stride - 1, stride + 1)
    found = [[cells[at] for at in sorted(spots)] for spots in _components(labels, steps)]
    return _by_first_cell(found) if univalued else OrderedSet(map(OrderedSet, found))


@op(GRID, result=OBJECTS)
@knows(gives="g>s *>sz", refuses="grid: inp", proves="g -> set")
def partition(grid: Grid) -> Objects:
    """One object per colour, with all cells of it.

    >>> partition(((1, 2), (2, 1)))
    {{(1, (0, 0)), (1, (1, 1))}, {(2, (0, 1)), (2, (1, 0))}}
    """
    return _of_colours(grid, set(colours_of(grid)))


@op(GRID, result=OBJECTS)
@knows(gives="*>sz", refuses="grid: inepz", proves="g -> set")
def fgpartition(grid: Grid) -> Objects:
    """One object per colour other than the most frequent one.

    >>> fgpartition(((0, 2), (0, 1)))
    {{(1, (1, 1))}, {(2, (0, 1))}}
    """
    return _of_colours(grid, set(colours_of(grid)) - {background(grid)})


@op(GRID, result=OBJECTS)
@knows(gives="*>sz", refuses="grid: inepzs")
def frontiers(grid: Grid) -> Objects:
    """Each row whose values are all equal and each such column.

    >>> frontiers(((1, 2), (3, 3)))
    {{(3, (1, 0)), (3, (1, 1))}}
    """
    height, width = len(grid), len(grid[0])
    rows = [i for i, row in enumerate(grid) if len(set(row)) == 1]
    columns = [j for j, column in enumerate(zip(*map(ordered, grid), strict=False)) if len(set(column)) == 1]
    across = [[(grid[i][j], (i, j)) for j in range(width)] for i in rows]
    down = [[(grid[i][j], (i, j)) for i in range(height)] for j in columns]
    return OrderedSet(map(_ascending_object, across + down))


def _framed_cells(grid: Grid, stride: int) -> list[Cell]:
    """Return the grid's cells row by row, framed by edge cells so that no offset wraps around."""
    cells: list[Cell] = [_EDGE] * stride
    for i, row in enumerate(grid):
        values = row[: stride - 1]
        if len(values) < stride - 1:
            raise IndexError("a row is shorter than the first")
        cells.append(_EDGE)
        cells.extend([(v, (i, j)) for j, v in enumerate(values)])
    cells.extend([_EDGE] * (stride + 1))
    return cells


def _components(labels: list[Any], steps: tuple[int, ...]) -> list[list[int]]:
    """Yield the positions of each component of equal labels, in the order of their first positions."""
    found = []
    for start, label in enumerate(labels):
        if label is _TAKEN:
            continue
        labels[start] = _TAKEN
        spots = [start]
        for at in spots:
            for step in steps:
                near = at + step
                if labels[near] == label:
                    labels[near] = _TAKEN
                    spots.append(near)
        found.append(spots)
    return found


def _of_colours(grid: Grid, colours: set[Value]) -> Objects:
    """Return the cells of each of the colours."""
    groups: dict[Value, list[Cell]] = {colour: [] for colour in colours}
    for i, row in enumerate(ordered(grid)):
        for j, v in enumerate(ordered(row)):
            if v in groups:
                groups[v].append((v, (i, j)))
    return _by_first_cell(groups.values())


def _by_first_cell(found: Collection[list[Cell]]) -> Objects:
    """Return the set of disjoint objects, each of one colour and with its cells ascending."""
    if all(type(cells[0][0]) in _INTS for cells in found):
        return OrderedSet.from_ascending(map(_ascending_object, sorted(found, key=_first_cell)))
    return OrderedSet(map(_ascending_object, found))


def _first_cell(cells: list[Cell]) -> Cell:
    return cells[0]


def _ascending_object(cells: list[Cell]) -> Object:
    return OrderedSet.from_ascending(cells)
