"""Drawing patches onto grids. Places outside the grid are ignored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import repeat
from typing import Any, TypeAlias

from batt.ops.known import knows
from batt.ops.shapes import background, is_sorted, moved, places
from batt.ops.table import op, sig
from batt.types import Kind, ordered, unordered
from batt.types.kinds import Container, Grid, Object, Pair, Patch, Value

ANY, GRID, INT, OBJECT, PAIR, PATCH = Kind.ANY, Kind.GRID, Kind.INT, Kind.OBJECT, Kind.PAIR, Kind.PATCH

_ANY_VALUE = (sig(GRID, ANY, PATCH, result=GRID),)

Brush: TypeAlias = Callable[[Iterable[Any]], None]


class _Canvas:
    """A grid that is being drawn on: its rows as lists, its height, and the width of its first row."""

    __slots__ = ("height", "rows", "width")

    def __init__(self, grid: Grid) -> None:
        self.height, self.width = len(grid), len(grid[0])
        self.rows: list[list[Value]] = [list(row) for row in grid]

    def put(self, cells: Iterable[Any]) -> None:
        """Set every cell's place to its value; a later cell replaces an earlier one."""
        rows, height, width = self.rows, self.height, self.width
        for value, (i, j) in cells:
            if 0 <= i < height and 0 <= j < width:
                rows[i][j] = value

    def put_under(self, cells: Iterable[Any], backdrop: Value) -> None:
        """Do the same, but only while the place still has the background."""
        rows, height, width = self.rows, self.height, self.width
        for value, (i, j) in cells:
            if 0 <= i < height and 0 <= j < width and rows[i][j] == backdrop:
                rows[i][j] = value

    def grid(self) -> Grid:
        return tuple(map(tuple, self.rows))


@op(GRID, INT, PATCH, result=GRID, also=_ANY_VALUE)
@knows(
    gives="g>g t>gt",
    refuses="patch: inp; grid: inepzs",
    proves="g, i, x ~> g; r, x, y ~> rect[r]",
    colours="value",
)
def fill(grid: Grid, value: Value, patch: Patch) -> Grid:
    """Put value at every place of the patch.

    >>> fill(((0, 0), (0, 0)), 7, {(0, 1), (5, 5)})
    ((0, 7), (0, 0))
    """
    canvas = _Canvas(grid)
    _draw(places(patch), lambda spots: canvas.put(_coloured(value, spots)))
    return canvas.grid()


@op(GRID, OBJECT, result=GRID)
@knows(gives="g>g t>gt", refuses="obj: inp; grid: inepzs", proves="r, x ~> rect[r]")
def paint(grid: Grid, obj: Object) -> Grid:
    """Put every cell of the object at its place; if two share one, the highest colour shows.

    >>> paint(((0, 0), (0, 0)), {(3, (0, 0)), (5, (0, 0)), (4, (1, 1))})
    ((5, 0), (0, 4))
    """
    canvas = _Canvas(grid)
    _draw_layers(obj, canvas.put)
    return canvas.grid()


@op(GRID, INT, PATCH, result=GRID, also=_ANY_VALUE)
@knows(
    gives="g>g t>gt",
    refuses="patch: inp; grid: inepzs",
    proves="g, i, x ~> g; r, x, y ~> rect[r]",
    colours="value",
)
def underfill(grid: Grid, value: Value, patch: Patch) -> Grid:
    """Put value at those places of the patch that show the grid's background.

    >>> underfill(((0, 0), (0, 8)), 7, {(0, 1), (1, 1)})
    ((0, 7), (0, 8))
    """
    canvas = _Canvas(grid)
    backdrop = background(grid)
    _draw(places(patch), lambda spots: canvas.put_under(_coloured(value, spots), backdrop))
    return canvas.grid()


@op(GRID, OBJECT, result=GRID)
@knows(gives="g>g t>gt", refuses="obj: inp; grid: inepzs", proves="r, x ~> rect[r]")
def underpaint(grid: Grid, obj: Object) -> Grid:
    """Put those cells of the object whose place shows the grid's background; of two at one place the lowest stays.

    >>> underpaint(((0, 0), (0, 8)), {(3, (0, 0)), (5, (0, 0)), (4, (1, 1))})
    ((3, 0), (0, 8))
    """
    canvas = _Canvas(grid)
    backdrop = background(grid)
    _draw_layers(obj, lambda cells: canvas.put_under(cells, backdrop))
    return canvas.grid()


@op(GRID, PATCH, result=GRID)
@knows(gives="g>g t>gt", refuses="patch: inp; grid: inepzs", proves="g, x ~> g; r, x ~> rect[r]")
def cover(grid: Grid, patch: Patch) -> Grid:
    """Put the grid's background at every place of the patch.

    >>> cover(((0, 0), (0, 8)), {(1, 1)})
    ((0, 0), (0, 0))
    """
    return _covered(grid, patch).grid()


@op(GRID, OBJECT, PAIR, result=GRID)
@knows(
    gives="g>g t>gt",
    refuses="obj: inp; grid: inepzs; offset: inezg if obj=pgts",
    proves="r, x, y ~> rect[r]",
)
def move(grid: Grid, obj: Object, offset: Pair) -> Grid:
    """Cover the object and paint it again, shifted by offset.

    >>> move(((8, 0), (0, 0)), {(8, (0, 0))}, (1, 1))
    ((0, 0), (0, 8))
    """
    canvas = _covered(grid, obj)
    _draw_layers(moved(obj, offset), canvas.put)
    return canvas.grid()


def _covered(grid: Grid, patch: Patch) -> _Canvas:
    backdrop = background(grid)
    canvas = _Canvas(grid)
    _draw(places(patch), lambda spots: canvas.put(_coloured(backdrop, spots)))
    return canvas


def _coloured(value: Value, spots: Iterable[Any]) -> Iterable[Any]:
    return zip(repeat(value), spots, strict=False)


def _draw_layers(obj: Container, put: Brush) -> None:
    """Draw cells one over the other; they need no sorting if their places are distinct."""
    if isinstance(obj, frozenset) and not is_sorted(obj) and _overlap(obj):
        put(ordered(obj))
    else:
        _draw(obj, put)


def _overlap(obj: Container) -> bool:
    try:
        spots = {place for _, place in unordered(obj)}
    except (TypeError, ValueError):
        return True
    # A set of two ints is a place as well, and may equal a place given as a tuple.
    return len(spots) < len(obj) or set(map(type, spots)) != {tuple}


def _draw(items: Container, put: Brush) -> None:
    """Draw items whose order does not matter, except that the first bad one decides the error."""
    if is_sorted(items):
        put(items)
        return
    try:
        put(unordered(items))
    except (TypeError, ValueError, IndexError):
        put(ordered(items))
