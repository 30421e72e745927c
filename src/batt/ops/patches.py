"""The position and form of a patch: extremes, corners, centres, shifts, boxes, and neighbours of a place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from batt.ops.known import knows
from batt.ops.lines import extent
from batt.ops.meter import items, unit
from batt.ops.shapes import (
    bottom,
    center_of,
    components,
    corners_of,
    height_of,
    left,
    moved,
    normalized,
    places,
    right,
    top,
    upper_left,
    width_of,
)
from batt.ops.table import op
from batt.types import Kind, OrderedSet
from batt.types.kinds import Container, Grid, Indices, Pair, Patch

BOOL, GRID, INDICES, INT, PAIR, PATCH = Kind.BOOL, Kind.GRID, Kind.INDICES, Kind.INT, Kind.PAIR, Kind.PATCH

_UPPER_RIGHT: Mapping[int, Callable[..., int]] = {0: min, 1: max}
_LOWER_LEFT: Mapping[int, Callable[..., int]] = {0: max, 1: min}


def _box_cost(patch: Any) -> int:
    """1 + items of the patch + area of its bounding box"""
    height, width = extent(patch)
    return 1 + items(patch) + height * width


@op(PATCH, result=INDICES)
@knows(gives="e>z z>z s>s g>gs t>gts", refuses="patch: inp")
def toindices(patch: Patch) -> Container:
    """The places of an object; indices unchanged.

    >>> toindices({(1, (0, 0)), (2, (0, 1))})
    {(0, 0), (0, 1)}
    """
    return places(patch)


@op(PATCH, result=INT)
@knows(refuses="patch: inepz")
def uppermost(patch: Patch) -> int:
    """The least row.

    >>> uppermost({(1, 4), (3, 0)})
    1
    """
    return top(patch)


@op(PATCH, result=INT)
@knows(refuses="patch: inepz")
def lowermost(patch: Patch) -> int:
    """The greatest row.

    >>> lowermost({(1, 4), (3, 0)})
    3
    """
    return bottom(patch)


@op(PATCH, result=INT)
@knows(refuses="patch: inepz")
def leftmost(patch: Patch) -> int:
    """The least column.

    >>> leftmost({(1, 4), (3, 0)})
    0
    """
    return left(patch)


@op(PATCH, result=INT)
@knows(refuses="patch: inepz")
def rightmost(patch: Patch) -> int:
    """The greatest column.

    >>> rightmost({(1, 4), (3, 0)})
    4
    """
    return right(patch)


@op(PATCH, result=PAIR)
@knows(gives="*>epgt", refuses="patch: inp")
def ulcorner(patch: Patch) -> tuple[int, ...]:
    """The upper left corner of the bounding box, () for an empty patch.

    >>> ulcorner({(1, 4), (3, 0)})
    (1, 0)
    """
    return upper_left(patch)


@op(PATCH, result=PAIR)
@knows(gives="*>epgt", refuses="patch: inp")
def urcorner(patch: Patch) -> tuple[int, ...]:
    """The upper right corner of the bounding box, () for an empty patch.

    >>> urcorner({(1, 4), (3, 0)})
    (1, 4)
    """
    return _mixed_corner(patch, _UPPER_RIGHT)


@op(PATCH, result=PAIR)
@knows(gives="*>epgt", refuses="patch: inp")
def llcorner(patch: Patch) -> tuple[int, ...]:
    """The lower left corner of the bounding box, () for an empty patch.

    >>> llcorner({(1, 4), (3, 0)})
    (3, 0)
    """
    return _mixed_corner(patch, _LOWER_LEFT)


@op(PATCH, result=PAIR)
@knows(gives="*>epgt", refuses="patch: inp")
def lrcorner(patch: Patch) -> tuple[int, ...]:
    """The lower right corner of the bounding box, () for an empty patch.

    >>> lrcorner({(1, 4), (3, 0)})
    (3, 4)
    """
    return tuple(map(max, components(patch)))


@op(PATCH, result=INDICES)
@knows(gives="*>s", refuses="patch: inp")
def corners(patch: Patch) -> Indices:
    """The four corners of the bounding box.

    >>> corners({(1, 4), (3, 0)})
    {(1, 0), (1, 4), (3, 0), (3, 4)}
    """
    found: set[Any] = {*corners_of(patch), _mixed_corner(patch, _UPPER_RIGHT), _mixed_corner(patch, _LOWER_LEFT)}
    return OrderedSet(found)


@op(PATCH, result=PAIR)
@knows(gives="*>p", refuses="patch: inepz")
def center(patch: Patch) -> Pair:
    """The middle of the bounding box, the lower right one if a side is even.

    >>> center({(0, 0), (1, 4)})
    (1, 2)
    """
    return center_of(patch)


@op(PATCH, result=PAIR)
@knows(gives="*>epgt", refuses="patch: inp")
def centerofmass(patch: Patch) -> tuple[int, ...]:
    """The mean row and column of the places, rounded down; () for an empty patch.

    >>> centerofmass({(0, 0), (0, 1), (3, 2)})
    (1, 1)
    """
    return tuple([sum(values) // len(patch) for values in components(patch)])


@op(PATCH, PAIR, result=PATCH)
@knows(types="patch a, pair -> patch a", gives="e>e z>z *>s", refuses="patch: inp; directions: inezg if patch=pgts")
def shift(patch: Patch, directions: Pair) -> Patch:
    """The patch with the directions added to every place.

    >>> shift({(0, 0), (0, 1)}, (1, 1))
    {(1, 1), (1, 2)}
    """
    return moved(patch, directions)


@op(PATCH, result=PATCH)
@knows(types="patch a -> patch a", gives="e>e z>z *>s", refuses="patch: inp")
def normalize(patch: Patch) -> Patch:
    """The patch shifted so that its bounding box starts at (0, 0).

    >>> normalize({(3, (5, 6)), (3, (5, 7))})
    {(3, (0, 0)), (3, (0, 1))}
    """
    return normalized(patch)


@op(PATCH, result=BOOL)
@knows(gives="*>i", refuses="patch: inp", proves="... ~> bool")
def vline(patch: Patch) -> bool:
    """Tell whether the patch is an unbroken vertical run.

    >>> vline({(0, 1), (1, 1)})
    True
    """
    return height_of(patch) == len(patch) and width_of(patch) == 1


@op(PATCH, result=BOOL)
@knows(gives="*>i", refuses="patch: inp", proves="... ~> bool")
def hline(patch: Patch) -> bool:
    """Tell whether the patch is an unbroken horizontal run.

    >>> hline({(1, 0), (1, 1)})
    True
    """
    return width_of(patch) == len(patch) and height_of(patch) == 1


@op(PATCH, GRID, result=BOOL)
@knows(gives="*>i", refuses="patch: inepz", proves="... ~> bool")
def bordering(patch: Patch, grid: Grid) -> bool:
    """Tell whether the patch has a place in the first or last row or column of the grid.

    >>> bordering({(1, 1)}, ((1, 2, 3), (4, 5, 6), (7, 8, 9)))
    False
    """
    return top(patch) == 0 or left(patch) == 0 or bottom(patch) == len(grid) - 1 or right(patch) == len(grid[0]) - 1


@op(PATCH, result=INDICES, cost=_box_cost)
@knows(gives="e>z z>z *>s", refuses="patch: inp")
def backdrop(patch: Patch) -> Indices:
    """Every place of the bounding box.

    >>> backdrop({(0, 1), (1, 0)})
    {(0, 0), (0, 1), (1, 0), (1, 1)}
    """
    return _box_places(patch)


@op(PATCH, result=INDICES, cost=_box_cost)
@knows(gives="*>sz", refuses="patch: inp")
def delta(patch: Patch) -> Indices:
    """The places of the bounding box that the patch does not occupy.

    >>> delta({(0, 1), (1, 0)})
    {(0, 0), (1, 1)}
    """
    if len(patch) == 0:
        return OrderedSet()
    box, taken = _box_places(patch), places(patch)
    if not isinstance(taken, frozenset):
        raise TypeError("a tuple of places cannot be taken from a set")
    return OrderedSet.from_ascending([place for place in box if place not in taken])


@op(PAIR, result=INDICES, cost=unit)
@knows(gives="*>s", refuses="loc: inegzs")
def dneighbors(loc: Pair) -> Indices:
    """The four places above, below, left and right.

    >>> dneighbors((1, 1))
    {(0, 1), (1, 0), (1, 2), (2, 1)}
    """
    i, j = _indexed(loc)
    return OrderedSet.from_ascending(((i - 1, j), (i, j - 1), (i, j + 1), (i + 1, j)))


@op(PAIR, result=INDICES, cost=unit)
@knows(gives="*>s", refuses="loc: inegzs")
def ineighbors(loc: Pair) -> Indices:
    """The four diagonal places.

    >>> ineighbors((1, 1))
    {(0, 0), (0, 2), (2, 0), (2, 2)}
    """
    i, j = _indexed(loc)
    return OrderedSet.from_ascending(((i - 1, j - 1), (i - 1, j + 1), (i + 1, j - 1), (i + 1, j + 1)))


@op(PAIR, result=INDICES, cost=unit)
@knows(gives="*>s", refuses="loc: inegzs")
def neighbors(loc: Pair) -> Indices:
    """The eight places around.

    >>> neighbors((1, 1))
    {(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)}
    """
    i, j = _indexed(loc)
    around = product((i - 1, i, i + 1), (j - 1, j, j + 1))
    return OrderedSet.from_ascending([place for place in around if place != (i, j)])


def _indexed(loc: Any) -> Pair:
    """Return the first two items of a tuple, which must be ints."""
    return loc[0] + 0, loc[1] + 0


def _mixed_corner(patch: Patch, choose: Mapping[int, Callable[..., int]]) -> tuple[int, ...]:
    """Return one corner of the bounding box; a third component is a KeyError, since its extreme is undefined."""
    return tuple([choose[axis](values) for axis, values in enumerate(components(patch))])


def _box_places(patch: Patch) -> Indices:
    """Return every place of the bounding box, E for an empty patch."""
    if len(patch) == 0:
        return OrderedSet()
    (first_row, first_column), (last_row, last_column) = corners_of(patch)
    return OrderedSet.from_ascending(product(range(first_row, last_row + 1), range(first_column, last_column + 1)))
