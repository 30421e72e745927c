"""Building grids and measuring pieces. A tuple is a grid here; anything else is a patch."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from batt.ops.known import knows
from batt.ops.meter import unit, whole
from batt.ops.shapes import height_of, places, shape_of, width_of
from batt.ops.table import op, sig
from batt.types import Kind, OrderedSet, ordered, unordered
from batt.types.kinds import Cell, Grid, Indices, Object, Pair, Patch, Piece, Value

ANY, BOOL, GRID, INDICES, INT = Kind.ANY, Kind.BOOL, Kind.GRID, Kind.INDICES, Kind.INT
OBJECT, PAIR, PATCH, PIECE = Kind.OBJECT, Kind.PAIR, Kind.PATCH, Kind.PIECE


def _canvas_cost(value: Any, dimensions: Any) -> int:
    """1 + rows × columns, where no columns count as one"""
    if not isinstance(dimensions, tuple) or len(dimensions) < 2:
        return 1
    return 1 + whole(dimensions[0]) * max(1, whole(dimensions[1]))


@op(INT, PAIR, result=GRID, also=(sig(ANY, PAIR, result=GRID),), cost=_canvas_cost)
@knows(gives="*>egt", refuses="dimensions: inegzs", colours="value")
def canvas(value: Value, dimensions: Pair) -> Grid:
    """A grid of that many rows and columns, every item the value.

    >>> canvas(7, (2, 3))
    ((7, 7, 7), (7, 7, 7))
    """
    rows = range(dimensions[0])
    if not rows:
        return ()
    return ((value,) * len(range(dimensions[1])),) * len(rows)


@op(GRID, result=INDICES)
@knows(gives="g>s *>sz", refuses="grid: inps", proves="r -> set[r]")
def asindices(grid: Grid) -> Indices:
    """Every place of the grid.

    >>> asindices(((5, 6), (7, 8)))
    {(0, 0), (0, 1), (1, 0), (1, 1)}
    """
    if len(grid) == 0:
        return OrderedSet()
    return OrderedSet.from_ascending(product(range(len(grid)), range(len(grid[0]))))


@op(GRID, result=OBJECT)
@knows(gives="g>s *>sz", refuses="grid: inp", proves="r -> set[r]")
def asobject(grid: Grid) -> Object:
    """Every cell of the grid.

    >>> asobject(((5, 6), (7, 8)))
    {(5, (0, 0)), (6, (0, 1)), (7, (1, 0)), (8, (1, 1))}
    """
    return OrderedSet([(v, (i, j)) for i, row in enumerate(ordered(grid)) for j, v in enumerate(ordered(row))])


@op(PIECE, result=INT)
@knows(gives="*>i", refuses="piece: in", proves="r -> int")
def height(piece: Piece) -> int:
    """The number of rows of a grid, or of a patch's bounding box; 0 for an empty piece.

    >>> height({(1, 4), (3, 4)})
    3
    """
    return height_of(piece)


@op(PIECE, result=INT)
@knows(gives="*>i", refuses="piece: inp", proves="r -> int")
def width(piece: Piece) -> int:
    """The number of columns of a grid, or of a patch's bounding box; 0 for an empty piece.

    >>> width({(1, 4), (3, 4)})
    1
    """
    return width_of(piece)


@op(PIECE, result=PAIR)
@knows(gives="*>p", refuses="piece: inp", proves="r -> tuple[2]; x ~> tuple[2]")
def shape(piece: Piece) -> Pair:
    """Height and width.

    >>> shape(((1, 2, 3), (4, 5, 6)))
    (2, 3)
    """
    return shape_of(piece)


@op(PIECE, result=BOOL)
@knows(gives="*>i", refuses="piece: inp", proves="r -> bool; ... ~> bool")
def portrait(piece: Piece) -> bool:
    """Tell whether the piece is higher than it is wide.

    >>> portrait(((1,), (2,)))
    True
    """
    return height_of(piece) > width_of(piece)


@op(PIECE, result=BOOL)
@knows(gives="*>i", refuses="piece: inep", proves="r -> bool; ... ~> bool")
def square(piece: Piece) -> bool:
    """Tell whether a grid has as many rows as columns, or a patch fills a square; the empty patch does.

    >>> square({(0, 0), (0, 1), (1, 0), (1, 1)})
    True
    >>> square({(0, 0), (1, 1)})
    False
    """
    if isinstance(piece, tuple):
        return len(piece) == len(piece[0])
    rows, columns = shape_of(piece)
    return rows == columns and rows * columns == len(piece)


@op(GRID, PAIR, result=INT, also=(sig(GRID, PAIR, result=ANY),), cost=unit)
@knows(types="grid, pair -> int", refuses="grid: inepzs; loc: inezg", colours="result")
def index(grid: Grid, loc: Pair) -> Value:
    """The value at a place, None outside the grid.

    >>> index(((1, 2), (3, 4)), (1, 0))
    3
    >>> index(((1, 2), (3, 4)), (-1, 0))
    None
    """
    i, j = ordered(loc)
    rows, columns = len(grid), len(grid[0])
    if not (0 <= i < rows and 0 <= j < columns):
        return None
    return grid[loc[0]][loc[1]]


@op(PATCH, GRID, result=OBJECT)
@knows(gives="*>sz", refuses="patch: inp; grid: inepzs")
def toobject(patch: Patch, grid: Grid) -> Object:
    """The cells of the grid at the places of the patch; places outside are dropped.

    >>> toobject({(0, 1), (5, 5)}, ((1, 2), (3, 4)))
    {(2, (0, 1))}
    """
    rows, columns = len(grid), len(grid[0])
    spots = places(patch)
    try:
        return OrderedSet(_cells_at(unordered(spots), grid, rows, columns))
    except (TypeError, ValueError, IndexError):
        return OrderedSet(_cells_at(ordered(spots), grid, rows, columns))


def _cells_at(spots: Iterable[Pair], grid: Grid, rows: int, columns: int) -> list[Cell]:
    return [(grid[i][j], (i, j)) for i, j in spots if 0 <= i < rows and 0 <= j < columns]


@op(GRID, INT, result=INDICES, also=(sig(GRID, ANY, result=INDICES),))
@knows(gives="*>sz", refuses="grid: inp", proves="r, x -> set", colours="value")
def ofcolor(grid: Grid, value: Value) -> Indices:
    """The places whose value equals the given one.

    >>> ofcolor(((1, 2), (2, 1)), 2)
    {(0, 1), (1, 0)}
    """
    return OrderedSet.from_ascending(
        [(i, j) for i, row in enumerate(ordered(grid)) for j, v in enumerate(ordered(row)) if v == value]
    )
