"""New words that fill a size with copies of a grid, or scale a grid to a size."""

from __future__ import annotations

from typing import Any

from batt.ops.known import knows
from batt.ops.meter import items, whole
from batt.ops.strict import plain_colour, plain_grid, plain_int, plain_pair, plain_size
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


@op(GRID, PAIR, PAIR, INT, result=GRID, cost=_size_cost, group=WORDS)
@knows(gives="*>g", refuses="grid: inepzs; dims phase: inegtzs; gap: nepgtzs", proves="... ~> rect")
def mirrortile(grid: Grid, dims: Pair, phase: Pair, gap: int) -> Grid:
    """As tile, but neighbouring copies are mirrored: the copy at phase is the grid itself.

    >>> mirrortile(((1, 2, 3),), (1, 8), (0, 0), 0)
    ((1, 2, 3, 3, 2, 1, 1, 2),)
    """
    return _tiled(grid, dims, phase, gap, is_mirrored=True)


def _blocks_cost(grid: Any, dims: Any, *others: Any) -> int:
    """1 + (rows of the grid + rows of dims) × (columns of both)"""
    rows = len(grid) if isinstance(grid, tuple) else 0
    columns = items(grid) // rows if rows else 0
    if isinstance(dims, tuple) and len(dims) == 2:
        rows, columns = rows + whole(dims[0]), columns + whole(dims[1])
    return 1 + rows * columns


@op(GRID, PAIR, result=GRID, cost=_size_cost, group=WORDS)
@knows(gives="*>g", refuses="grid: inepzs; dims: inegtzs", proves="... ~> rect")
def resize(grid: Grid, dims: Pair) -> Grid:
    """The grid scaled to the size dims.

    With H rows of h, row i is row i · h // H of the grid, and columns likewise. A size below 1 is a ValueError.

    >>> resize(((1, 2), (3, 4)), (3, 4))
    ((1, 1, 2, 2), (1, 1, 2, 2), (3, 3, 4, 4))
    """
    rows, (height, width) = plain_grid(grid), plain_size(dims)
    columns = [j * len(rows[0]) // width for j in range(width)]
    return tuple([tuple([rows[i * len(rows) // height][j] for j in columns]) for i in range(height)])


@op(GRID, PAIR, INT, result=GRID, cost=_blocks_cost, group=WORDS)
@knows(gives="*>g", refuses="grid: inepzs; dims: inegtzs; noise: nepgtzs", proves="... ~> rect", colours="noise")
def resizemost(grid: Grid, dims: Pair, noise: int) -> Grid:
    """The grid scaled to the size dims, each cell in the most frequent colour but noise of its block.

    The lowest of those tied; noise where a block has nothing else. With H rows of h, row i covers the rows from
    i · h / H, rounded down, to (i + 1) · h / H, rounded up, and columns likewise. A size below 1 is a ValueError.

    >>> resizemost(((1, 1, 2, 3), (1, 4, 3, 2)), (1, 2), 0)
    ((1, 2),)
    >>> resizemost(((1, 5, 5, 5), (5, 5, 5, 5)), (1, 2), 5)
    ((1, 5),)
    """
    rows, (height, width), ignored = plain_grid(grid), plain_size(dims), plain_colour(noise)
    down = [_block(i, len(rows), height) for i in range(height)]
    across = [_block(j, len(rows[0]), width) for j in range(width)]
    return tuple([tuple([_most(rows, r, c, ignored) for c in across]) for r in down])


def _block(i: int, lines: int, parts: int) -> range:
    return range(i * lines // parts, -(-(i + 1) * lines // parts))


def _most(rows: Grid, down: range, across: range, ignored: int = -1) -> int:
    counts: dict[int, int] = {}
    for i in down:
        for cell in rows[i][across.start : across.stop]:
            counts[cell] = counts.get(cell, 0) + 1
    # The colour to ignore is chosen only where there is no other.
    return min(counts, key=lambda colour: (colour == ignored, -counts[colour], colour))


@op(GRID, INT, result=GRID, group=WORDS)
@knows(gives="*>g", refuses="grid: inepzs; factor: nepgtzs", proves="... ~> rect")
def shrink(grid: Grid, factor: int) -> Grid:
    """Make every block of factor by factor cells one cell in its most frequent colour, the lowest of those tied.

    Blocks begin at the upper left; the last of a row or column may be smaller. A factor below 1 is a ValueError.

    >>> shrink(((1, 1, 2), (1, 4, 3), (5, 5, 3)), 2)
    ((1, 2), (5, 3))
    """
    rows = plain_grid(grid)
    if plain_int(factor) < 1:
        raise ValueError("a factor is 1 or more")
    down = [range(i, min(i + factor, len(rows))) for i in range(0, len(rows), factor)]
    across = [range(j, min(j + factor, len(rows[0]))) for j in range(0, len(rows[0]), factor)]
    return tuple([tuple([_most(rows, r, c) for c in across]) for r in down])
