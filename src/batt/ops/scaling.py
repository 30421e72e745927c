"""Scaling, joining and cutting grids, by Python's slice rules."""

from __future__ import annotations

from typing import Any

from batt.ops.known import knows
from batt.ops.meter import cells, items, whole
from batt.ops.mirrors import dmirror
from batt.ops.shapes import shape_of, upper_left
from batt.ops.table import op, sig
from batt.types import Kind, OrderedSet, ordered
from batt.types.kinds import Element, Grid, Object, Pair, Patch, Value

ANY, GRID, INT, OBJECT = Kind.ANY, Kind.GRID, Kind.INT, Kind.OBJECT
PAIR, PATCH, TUPLE = Kind.PAIR, Kind.PATCH, Kind.TUPLE


def _stretch_cost(grid: Any, factor: Any) -> int:
    """1 + (rows + values in them) × (1 + factor)"""
    return 1 + cells(grid) * (1 + whole(factor))


def _upscale_cost(element: Any, factor: Any) -> int:
    """1 + (rows + values in them, or items of an object) × (1 + factor squared)"""
    return 1 + cells(element) * (1 + whole(factor) ** 2)


def _beside_cost(a: Any, b: Any) -> int:
    """1 + 2 × (rows of both + values in them)"""
    return 1 + 2 * (cells(a) + cells(b))


def _split_cost(grid: Any, n: Any) -> int:
    """1 + items of the grid + n"""
    return 1 + items(grid) + whole(n)


@op(GRID, INT, result=GRID, cost=_stretch_cost)
@knows(gives="*>egt", refuses="grid: inp; factor: nepgtzs if grid=g")
def hupscale(grid: Grid, factor: int) -> Grid:
    """Repeat every value factor times along its row.

    >>> hupscale(((1, 2), (3, 4)), 2)
    ((1, 1, 2, 2), (3, 3, 4, 4))
    """
    return tuple([tuple([value for value in row for _ in range(factor)]) for row in ordered(grid)])


@op(GRID, INT, result=GRID, cost=_stretch_cost)
@knows(gives="*>epgt", refuses="grid: in; factor: nepgtzs if grid=pgts")
def vupscale(grid: Grid, factor: int) -> Grid:
    """Repeat every row factor times.

    >>> vupscale(((1, 2), (3, 4)), 2)
    ((1, 2), (1, 2), (3, 4), (3, 4))
    """
    return tuple([row for row in ordered(grid) for _ in range(factor)])


@op(GRID, INT, result=GRID, also=(sig(OBJECT, INT, result=OBJECT),), cost=_upscale_cost)
@knows(gives="e>e z>z s>sz *>egt", refuses="element: inp; factor: nepgtzs if element=gs")
def upscale(element: Element, factor: int) -> Element:
    """Make every value or cell a square of factor by factor; the upper left corner of an object stays.

    >>> upscale(((1, 2),), 2)
    ((1, 1, 2, 2), (1, 1, 2, 2))
    >>> upscale({(3, (1, 1)), (4, (1, 2))}, 2)
    {(3, (1, 1)), (3, (1, 2)), (3, (2, 1)), (3, (2, 2)), (4, (1, 3)), (4, (1, 4)), (4, (2, 3)), (4, (2, 4))}
    """
    if isinstance(element, tuple):
        stretched: Grid = hupscale.body(element, factor)
        return tuple([row for row in stretched for _ in range(factor)])
    return _upscaled_object(element, factor) if len(element) else OrderedSet()


def _upscaled_object(cells: Object, factor: int) -> Object:
    top, left = upper_left(cells)
    square = [(di, dj) for di in range(factor) for dj in range(factor)]
    return OrderedSet(
        [
            (colour, (top + (i - top) * factor + di, left + (j - left) * factor + dj))
            for colour, (i, j) in ordered(cells)
            for di, dj in square
        ]
    )


@op(GRID, INT, result=GRID)
@knows(gives="g>g t>gt", refuses="grid: inepzs; factor: nepgtzs")
def downscale(grid: Grid, factor: int) -> Grid:
    """Keep the rows and columns whose number is a multiple of factor.

    >>> downscale(((1, 1, 2), (1, 1, 2), (3, 3, 4)), 2)
    ((1, 2), (3, 4))
    """
    width = len(grid[0])
    if not isinstance(factor, int):
        raise TypeError(f"downscale divides by an int, got {type(factor).__name__}")
    if factor == 0:
        raise ZeroDivisionError("downscale by zero")
    step = abs(factor)
    return tuple([row[:width:step] for row in grid[::step]])


@op(GRID, GRID, result=GRID, cost=_beside_cost)
@knows(gives="g+g>g *>epgt", refuses="a b: in", proves="g, h -> grid; r, r -> rect")
def hconcat(a: Grid, b: Grid) -> Grid:
    """Put b to the right of a, as far down as both have rows.

    >>> hconcat(((1, 2), (3, 4)), ((5,), (6,)))
    ((1, 2, 5), (3, 4, 6))
    """
    return tuple([left + right for left, right in zip(ordered(a), ordered(b), strict=False)])


@op(GRID, GRID, result=GRID, also=(sig(TUPLE, TUPLE, result=TUPLE),))
@knows(gives="e+e>e e+p>p e+g>g e+t>t p+e>p g+e>g t+e>t g+g>g pgt+pgt>pt", refuses="a b: inzs")
def vconcat(a: Grid, b: Grid) -> Grid:
    """Put b below a; their widths are not compared.

    >>> vconcat(((1, 2),), ((3, 4),))
    ((1, 2), (3, 4))
    """
    if isinstance(a, tuple) and isinstance(b, tuple):
        return a + b
    raise TypeError(f"vconcat joins two tuples, got {type(a).__name__} and {type(b).__name__}")


@op(GRID, PAIR, PAIR, result=GRID)
@knows(gives="*>egt", refuses="grid: inzs; start dims: inegzs")
def crop(grid: Grid, start: Pair, dims: Pair) -> Grid:
    """The part of the grid that begins at start and has shape dims, by Python's slice rules.

    >>> crop(((1, 2, 3), (4, 5, 6)), (0, 1), (2, 2))
    ((2, 3), (5, 6))
    >>> crop(((1, 2, 3), (4, 5, 6)), (-1, 0), (1, 1))
    ()
    """
    rows = grid[start[0] : start[0] + dims[0]]
    return tuple([row[start[1] : start[1] + dims[1]] for row in rows])


@op(PATCH, GRID, result=GRID)
@knows(gives="*>egt", refuses="grid: inzs; patch: inepz")
def subgrid(patch: Patch, grid: Grid) -> Grid:
    """The part of the grid under the patch's bounding box, cut as by crop.

    >>> subgrid({(0, 1), (1, 1)}, ((1, 2, 3), (4, 5, 6)))
    ((2,), (5,))
    """
    part: Grid = crop.body(grid, upper_left(patch), shape_of(patch))
    return part


@op(GRID, result=GRID)
@knows(gives="*>egt", refuses="grid: inzs")
def trim(grid: Grid) -> Grid:
    """The grid without its outermost rows and columns.

    >>> trim(((1, 2, 3), (4, 5, 6), (7, 8, 9)))
    ((5,),)
    """
    return tuple([row[1:-1] for row in grid[1:-1]])


@op(GRID, result=GRID)
@knows(gives="e>e g>eg *>epgt", refuses="grid: inzs")
def tophalf(grid: Grid) -> Grid:
    """The upper half, without a middle row.

    >>> tophalf(((1,), (2,), (3,)))
    ((1,),)
    """
    return grid[: len(grid) // 2]


@op(GRID, result=GRID)
@knows(gives="e>e g>eg *>epgt", refuses="grid: inzs")
def bottomhalf(grid: Grid) -> Grid:
    """The lower half, without a middle row.

    >>> bottomhalf(((1,), (2,), (3,)))
    ((3,),)
    """
    return grid[(len(grid) + 1) // 2 :]


@op(GRID, result=GRID)
@knows(gives="*>eg", refuses="grid: inpzs")
def lefthalf(grid: Grid) -> Grid:
    """The left half, without a middle column; () if it has no columns.

    >>> lefthalf(((1, 2, 3), (4, 5, 6)))
    ((1,), (4,))
    """
    columns = tuple(zip(*grid[:], strict=False))
    return tuple(zip(*columns[: len(columns) // 2], strict=False))


@op(GRID, result=GRID)
@knows(gives="*>eg", refuses="grid: inpzs")
def righthalf(grid: Grid) -> Grid:
    """The right half, without a middle column; () if it has no columns.

    >>> righthalf(((1, 2, 3), (4, 5, 6)))
    ((3,), (6,))
    """
    columns = tuple(zip(*grid[:], strict=False))
    return tuple(zip(*columns[(len(columns) + 1) // 2 :], strict=False))


@op(GRID, INT, result=TUPLE, cost=_split_cost)
@knows(types="grid, int -> tuple grid", gives="*>egt", refuses="grid: inepzs; n: nepgtzs")
def hsplit(grid: Grid, n: int) -> tuple[Grid, ...]:
    """Cut the grid into n equal pieces side by side, one column apart if n does not divide the width.

    >>> hsplit(((1, 2, 0, 3, 4),), 2)
    (((1, 2),), ((3, 4),))
    """
    width, rest = divmod(len(grid[0]), n)
    if width == 0:
        # All n pieces are equal, so n times as many rows are not made one by one.
        return tuple([tuple([row[:0] for row in grid])] * max(0, n))
    stride = width + (rest != 0)
    return tuple([tuple([row[k * stride : k * stride + width] for row in grid]) for k in range(n)])


@op(GRID, INT, result=TUPLE, cost=_split_cost)
@knows(types="grid, int -> tuple grid", gives="*>egt", refuses="grid: inepzs; n: nepgtzs")
def vsplit(grid: Grid, n: int) -> tuple[Grid, ...]:
    """Cut the grid into n equal pieces one below the other, one row apart if n does not divide the height.

    >>> vsplit(((1,), (2,), (3,), (4,)), 2)
    (((1,), (2,)), ((3,), (4,)))
    """
    height, rest = divmod(len(grid), n)
    width = len(grid[0])
    stride = height + (rest != 0)
    return tuple([tuple([row[:width] for row in grid[k * stride : k * stride + height]]) for k in range(n)])


@op(GRID, GRID, INT, result=GRID, also=(sig(GRID, GRID, ANY, result=GRID),))
@knows(
    gives="g>g t>gt",
    refuses="a: inepzs; b: inepzs if a=g",
    proves="r, x, y ~> rect[r]",
    colours="fallback",
)
def cellwise(a: Grid, b: Grid, fallback: Value) -> Grid:
    """The values where a and b agree, in a's shape, and fallback elsewhere.

    >>> cellwise(((1, 2),), ((1, 3),), 0)
    ((1, 0),)
    """
    columns = range(len(a[0]))
    return tuple([tuple([row[j] if row[j] == b[i][j] else fallback for j in columns]) for i, row in enumerate(a)])


@op(GRID, result=GRID)
@knows(gives="*>egt", refuses="grid: inpz")
def compress(grid: Grid) -> Grid:
    """The grid without the rows and the columns that have one value throughout.

    >>> compress(((1, 0, 2), (0, 0, 0), (3, 0, 4)))
    ((1, 2), (3, 4))
    """
    rows = [row for row in ordered(grid) if len(set(row)) != 1]
    dropped = {j for j, column in enumerate(ordered(dmirror.body(grid))) if len(set(column)) == 1}
    return tuple([tuple([value for j, value in enumerate(row) if j not in dropped]) for row in rows])
