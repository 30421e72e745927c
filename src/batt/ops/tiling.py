"""New words that fill a size with copies of a grid, or scale a grid to a size."""

from __future__ import annotations

from typing import Any

from batt.ops.known import knows
from batt.ops.meter import items, whole
from batt.ops.strict import plain_grid, plain_int, plain_pair, plain_size
from batt.ops.table import WORDS, op
from batt.types import Kind
from batt.types.kinds import Grid, Pair

GRID, INT, PAIR = Kind.GRID, Kind.INT, Kind.PAIR


def _size_cost(grid: Any, dims: Any, *others: Any) -> int:
    """1 + items of the grid + rows × columns of dims"""
    area = whole(dims[0]) * whole(dims[1]) if isinstance(dims, tuple) and len(dims) == 2 else 0
    return 1 + items(grid) + area


@op(GRID, PAIR, PAIR, INT, result=GRID, cost=_size_cost, group=WORDS)
@knows(gives="*>g", refuses="grid: inepzs; dims phase: inegtzs; gap: nepgtzs", proves="... ~> rect")
def tile(grid: Grid, dims: Pair, phase: Pair, gap: int) -> Grid:
    """A grid of size dims, filled with copies of the grid.

    A copy has its upper left corner at phase, and its neighbours are gap cells apart; the cells between them are 0. A
    size or a gap that is too small is a ValueError.

    >>> tile(((1, 2),), (2, 5), (0, 0), 0)
    ((1, 2, 1, 2, 1), (1, 2, 1, 2, 1))
    >>> tile(((1, 2),), (2, 5), (0, 1), 1)
    ((0, 1, 2, 0, 1), (0, 0, 0, 0, 0))
    """
    return _tiled(grid, dims, phase, gap, is_mirrored=False)


def _tiled(grid: Grid, dims: Pair, phase: Pair, gap: int, is_mirrored: bool) -> Grid:
    rows, (height, width), (top, left) = plain_grid(grid), plain_size(dims), plain_pair(phase)
    if plain_int(gap) < 0:
        raise ValueError("a gap is 0 or more")
    down = [_line_at(i - top, len(rows), gap, is_mirrored) for i in range(height)]
    across = [_line_at(j - left, len(rows[0]), gap, is_mirrored) for j in range(width)]
    blank = (0,) * width
    return tuple([blank if i < 0 else tuple([0 if j < 0 else rows[i][j] for j in across]) for i in down])


def _line_at(distance: int, length: int, gap: int, is_mirrored: bool) -> int:
    """Return the line of the grid at a distance from the first copy, or -1 in a gap."""
    copy, line = divmod(distance, length + gap)
    if line >= length:
        return -1
    return length - 1 - line if is_mirrored and copy % 2 else line
