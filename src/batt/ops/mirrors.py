"""Mirrors and rotations of grids, and of patches within their bounding boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from batt.ops.known import knows
from batt.ops.shapes import corners_of, is_object
from batt.ops.table import op, sig
from batt.types import Kind, OrderedSet, ordered, unordered
from batt.types.kinds import Grid, Pair, Patch, Piece, Set

GRID, INDICES, OBJECT = Kind.GRID, Kind.INDICES, Kind.OBJECT

_PATCHES = (sig(OBJECT, result=OBJECT), sig(INDICES, result=INDICES))

Reflection: TypeAlias = Callable[[int, int], Pair]


@op(GRID, result=GRID)
@knows(gives="e>e g>g t>eg", refuses="grid: inpzs", proves="r -> r", symmetry=5)
def rot90(grid: Grid) -> Grid:
    """Turn the grid a quarter clockwise.

    >>> rot90(((1, 2), (3, 4)))
    ((3, 1), (4, 2))
    """
    return tuple(zip(*grid[::-1], strict=False))


@op(GRID, result=GRID)
@knows(gives="e>e g>g t>gt", refuses="grid: inpzs", proves="r -> r", symmetry=6)
def rot180(grid: Grid) -> Grid:
    """Turn the grid by half.

    >>> rot180(((1, 2), (3, 4)))
    ((4, 3), (2, 1))
    """
    return tuple([row[::-1] for row in grid[::-1]])


@op(GRID, result=GRID)
@knows(gives="e>e g>g t>eg", refuses="grid: inpzs", proves="r -> r", symmetry=7)
def rot270(grid: Grid) -> Grid:
    """Turn the grid a quarter anticlockwise.

    >>> rot270(((1, 2), (3, 4)))
    ((2, 4), (1, 3))
    """
    # The inner slice changes no grid, but makes a set a TypeError.
    return tuple(zip(*grid[:], strict=False))[::-1]


@op(GRID, result=GRID, also=_PATCHES)
@knows(gives="e>e p>p g>g t>t s>s", refuses="piece: inz", proves="r -> r", symmetry=1)
def hmirror(piece: Piece) -> Piece:
    """Mirror upside down; a patch within its bounding box.

    >>> hmirror(((1, 2), (3, 4)))
    ((3, 4), (1, 2))
    >>> hmirror({(0, 0), (2, 1)})
    {(0, 1), (2, 0)}
    """
    if isinstance(piece, tuple):
        return piece[::-1]
    first, last = corners_of(piece)
    rows = first[0] + last[0]
    return _reflected(piece, lambda i, j: (rows - i, j))


@op(GRID, result=GRID, also=_PATCHES)
@knows(gives="e>e g>g t>egt s>s", refuses="piece: inpz", proves="r -> r; t ~> t", symmetry=3)
def vmirror(piece: Piece) -> Piece:
    """Mirror left to right; a patch within its bounding box.

    >>> vmirror(((1, 2), (3, 4)))
    ((2, 1), (4, 3))
    >>> vmirror({(5, (0, 1)), (6, (0, 3))})
    {(5, (0, 3)), (6, (0, 1))}
    """
    if isinstance(piece, tuple):
        return tuple([row[::-1] for row in piece])
    first, last = corners_of(piece)
    columns = first[1] + last[1]
    return _reflected(piece, lambda i, j: (i, columns - j))


@op(GRID, result=GRID, also=_PATCHES)
@knows(gives="e>e g>g t>egt s>s", refuses="piece: inpz", proves="r -> r", symmetry=2)
def dmirror(piece: Piece) -> Piece:
    """Mirror across the main diagonal; the upper left corner of a patch's bounding box stays.

    >>> dmirror(((1, 2), (3, 4)))
    ((1, 3), (2, 4))
    >>> dmirror({(1, 0), (1, 2)})
    {(1, 0), (3, 0)}
    """
    if isinstance(piece, tuple):
        return tuple(zip(*piece, strict=False))
    first, _ = corners_of(piece)
    top, left = first
    return _reflected(piece, lambda i, j: (top + j - left, left + i - top))


@op(GRID, result=GRID, also=_PATCHES)
@knows(gives="e>e g>g t>egt s>s", refuses="piece: inpz", proves="r -> r", symmetry=4)
def cmirror(piece: Piece) -> Piece:
    """Mirror across the other diagonal; the upper left corner of a patch's bounding box stays.

    >>> cmirror(((1, 2), (3, 4)))
    ((4, 2), (3, 1))
    >>> cmirror({(1, 0), (1, 2)})
    {(1, 0), (3, 0)}
    """
    if isinstance(piece, tuple):
        return tuple(zip(*[row[::-1] for row in piece[::-1]], strict=False))
    first, last = corners_of(piece)
    rows, columns = first[0] + last[1], first[1] + last[0]
    return _reflected(piece, lambda i, j: (rows - j, columns - i))


def _reflected(patch: Patch, reflect: Reflection) -> Patch:
    """Return the patch with every place reflected, colours kept; the first bad item decides the error."""
    cells = is_object(patch)
    try:
        return _reflect_all(unordered(patch), cells, reflect)
    except (TypeError, ValueError):
        return _reflect_all(ordered(patch), cells, reflect)


def _reflect_all(patch: Iterable[Any], cells: bool, reflect: Reflection) -> Set:
    if cells:
        return OrderedSet([(colour, reflect(i, j)) for colour, (i, j) in patch])
    return OrderedSet([reflect(i, j) for i, j in patch])
