"""New words about regions of a grid: flood from several sources, outside and inside, holes of patches."""

from __future__ import annotations

from itertools import product
from typing import Any

from batt.ops.directions import plain_directions
from batt.ops.known import knows
from batt.ops.lines import extent
from batt.ops.meter import items
from batt.ops.strict import plain_colour, plain_grid, plain_int, plain_object, plain_places
from batt.ops.table import WORDS, op, sig
from batt.types import Kind, OrderedSet
from batt.types.kinds import Grid, Indices, Pair, Patch

BOOL, GRID, INDICES, INT = Kind.BOOL, Kind.GRID, Kind.INDICES, Kind.INT
PAIR, PATCH = Kind.PAIR, Kind.PATCH

_SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
_CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


@op(GRID, INT, INT, INDICES, result=GRID, also=(sig(GRID, INT, INT, PAIR, result=GRID),), group=WORDS)
@knows(
    gives="*>g",
    refuses="grid: ineptzs; ground wall: nepgtzs; directions: in",
    proves="... ~> rect",
    colours="ground wall",
)
def spread(grid: Grid, ground: int, wall: int, directions: Indices | Pair) -> Grid:
    """Let all cells spread their colours over the ground at once, step by step, until nothing changes.

    In a step, a cell of the colour ground takes the colour of the cell from which a direction leads to it; of several
    colours, the lowest. Cells of the colour wall do not spread. Directions are those of rays.

    >>> spread(((1, 0, 0, 0, 2),), 0, -1, {(0, -1), (0, 1)})
    ((1, 1, 1, 2, 2),)
    >>> spread(((1, 0, 5, 0), (0, 0, 5, 0)), 0, 5, {(-1, 0), (0, -1), (0, 1), (1, 0)})
    ((1, 1, 5, 0), (1, 1, 5, 0))
    """
    rows, steps = plain_grid(grid), plain_directions(directions)
    ground, wall = plain_colour(ground), plain_int(wall)
    open_places = {(i, j) for i, row in enumerate(rows) for j, v in enumerate(row) if v == ground}
    made = [list(row) for row in rows]
    front = [(i, j) for i, row in enumerate(rows) for j, v in enumerate(row) if v not in (ground, wall)]
    while front:
        reached: dict[Pair, int] = {}
        for i, j in front:
            for down, right in steps:
                place = i + down, j + right
                if place in open_places:
                    reached[place] = min(reached.get(place, made[i][j]), made[i][j])
        open_places -= reached.keys()
        for (i, j), colour in reached.items():
            made[i][j] = colour
        front = list(reached)
    return tuple(map(tuple, made))


@op(GRID, INT, BOOL, result=INDICES, group=WORDS)
@knows(
    gives="*>sz",
    refuses="grid: ineptzs; value diagonal: nepgtzs",
    colours="value",
)
def outside(grid: Grid, value: int, diagonal: bool) -> Indices:
    """The places of a colour that a path over cells of that colour joins to the border; diagonally, too, if asked.

    >>> outside(((0, 1, 1, 1), (1, 1, 0, 1), (1, 1, 1, 1)), 0, False)
    {(0, 0)}
    >>> outside(((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 1, 1)), 0, True)
    {(0, 0), (1, 1)}
    """
    found, _ = _outside_and_inside(grid, value, diagonal)
    return OrderedSet(found)


@op(GRID, INT, BOOL, result=INDICES, group=WORDS)
@knows(
    gives="*>sz",
    refuses="grid: ineptzs; value diagonal: nepgtzs",
    colours="value",
)
def inside(grid: Grid, value: int, diagonal: bool) -> Indices:
    """The places of a colour that are not outside.

    >>> inside(((0, 1, 1, 1), (1, 1, 0, 1), (1, 1, 1, 1)), 0, False)
    {(1, 2)}
    """
    _, found = _outside_and_inside(grid, value, diagonal)
    return OrderedSet(found)


def _holes_cost(patch: Any, diagonal: Any) -> int:
    """1 + items of the patch + height × width of its bounding box"""
    height, width = extent(patch)
    return 1 + items(patch) + height * width


@op(PATCH, BOOL, result=INDICES, cost=_holes_cost, group=WORDS)
@knows(gives="*>sz", refuses="patch: inepgt; diagonal: nepgtzs")
def holes(patch: Patch, diagonal: bool) -> Indices:
    """The places of the patch's bounding box, outside the patch, that no path around the patch joins to the box's edge.

    A path goes diagonally, too, if asked: then a ring needs its corners.

    >>> holes({(0, 1), (1, 0), (1, 2), (2, 1)}, False)
    {(1, 1)}
    >>> holes({(0, 1), (1, 0), (1, 2), (2, 1)}, True)
    {}
    """
    spots, diagonal = _plain_patch(patch), bool(plain_int(diagonal))
    if not spots:
        return OrderedSet()
    rows, columns = [range(min(along), max(along) + 1) for along in zip(*spots, strict=True)]
    free = set(product(rows, columns)) - spots
    edges = {(i, j) for i, j in free if i in (rows[0], rows[-1]) or j in (columns[0], columns[-1])}
    return OrderedSet(free - _reached(free, edges, diagonal))


def _plain_patch(patch: Patch) -> set[Pair]:
    """Return the places of a set of plain places, or of plain cells."""
    if isinstance(patch, frozenset) and any(map(_looks_like_cell, patch)):
        return {place for _, place in plain_object(patch)}
    return set(plain_places(patch))


def _looks_like_cell(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], tuple)


def _outside_and_inside(grid: Grid, value: int, diagonal: bool) -> tuple[set[Pair], set[Pair]]:
    rows, value, diagonal = plain_grid(grid), plain_colour(value), bool(plain_int(diagonal))
    last_row, last_column = len(rows) - 1, len(rows[0]) - 1
    found = {(i, j) for i, row in enumerate(rows) for j, v in enumerate(row) if v == value}
    edges = {(i, j) for i, j in found if i in (0, last_row) or j in (0, last_column)}
    reached = _reached(found, edges, diagonal)
    return reached, found - reached


def _reached(places: set[Pair], starts: set[Pair], diagonal: bool) -> set[Pair]:
    """Return those of the places that a path within them joins to a start."""
    steps = (*_SIDES, *_CORNERS) if diagonal else _SIDES
    found, front = set(starts), list(starts)
    for i, j in front:
        around = [(i + down, j + right) for down, right in steps]
        near = [place for place in around if place in places and place not in found]
        found.update(near)
        front += near
    return found
