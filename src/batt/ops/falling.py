"""The new word for gravity: objects move until they meet something."""

from __future__ import annotations

from typing import Any

from batt.ops.directions import plain_direction
from batt.ops.known import knows
from batt.ops.meter import items
from batt.ops.strict import plain_colour, plain_grid, plain_object
from batt.ops.table import WORDS, op
from batt.types import Kind, ordered
from batt.types.kinds import Cell, Grid, Objects, Pair

GRID, INT, OBJECTS, PAIR = Kind.GRID, Kind.INT, Kind.OBJECTS, Kind.PAIR


def _fall_cost(grid: Any, ground: Any, objs: Any, direction: Any) -> int:
    """1 + items of the grid × (1 + objects) + cells of all objects"""
    each = list(objs) if isinstance(objs, tuple | frozenset) else []
    return 1 + items(grid) * (1 + len(each)) + sum(map(items, each))


@op(GRID, INT, OBJECTS, PAIR, result=GRID, cost=_fall_cost, group=WORDS)
@knows(
    gives="*>g",
    refuses="grid: ineptzs; ground: nepgtzs; objs: inpg; direction: inegtzs",
    proves="... ~> rect",
    colours="ground",
)
def fall(grid: Grid, ground: int, objs: Objects, direction: Pair) -> Grid:
    """Let all objects move in the direction at once, each until the border, another cell or another object stops it.

    Objects are a set or tuple of sets of cells. They keep their shape, pass over cells of the colour ground, and leave
    that colour behind. An object on one that still moves moves along. Cells outside the grid are ignored; a place that
    several cells share belongs to the first of them. The direction is one of those of rays.

    >>> fall(((1, 1, 0), (0, 2, 0), (0, 0, 0), (0, 0, 5)), 0, {{(1, (0, 0)), (1, (0, 1))}, {(2, (1, 1))}}, (1, 0))
    ((0, 0, 0), (0, 0, 0), (1, 1, 0), (0, 2, 5))
    """
    rows, ground = plain_grid(grid), plain_colour(ground)
    cells = _owned_cells(rows, _plain_objects(objs))
    down, right = plain_direction(direction)
    most, behind = _constraints(rows, ground, {place: owner for place, (owner, _) in cells.items()}, (down, right))
    is_changing = True
    while is_changing:
        is_changing = False
        for (owner, ahead), gap in behind.items():
            if ahead in most and most[ahead] + gap < most.get(owner, most[ahead] + gap + 1):
                most[owner] = most[ahead] + gap
                is_changing = True
    made = [[ground if (i, j) in cells else v for j, v in enumerate(row)] for i, row in enumerate(rows)]
    for (i, j), (owner, colour) in cells.items():
        made[i + most[owner] * down][j + most[owner] * right] = colour
    return tuple(map(tuple, made))


def _plain_objects(objs: Objects) -> list[list[Cell]]:
    """Return the cells of each object of a set or tuple of plain objects, in order."""
    if not isinstance(objs, tuple | frozenset):
        raise TypeError("expected objects")
    return [list(ordered(plain_object(each))) for each in ordered(objs)]


def _owned_cells(rows: Grid, objs: list[list[Cell]]) -> dict[Pair, tuple[int, int]]:
    """Return by place the number of the object that has it, and its colour."""
    height, width = len(rows), len(rows[0])
    found: dict[Pair, tuple[int, int]] = {}
    for number, cells in enumerate(objs):
        for colour, (i, j) in cells:
            if 0 <= i < height and 0 <= j < width:
                found.setdefault((i, j), (number, colour))
    return found


def _constraints(
    rows: Grid, ground: int, owners: dict[Pair, int], step: Pair
) -> tuple[dict[int, int], dict[Pair, int]]:
    """Return how far objects can move before something fixed, and how far behind another object each is."""
    height, width = len(rows), len(rows[0])
    most: dict[int, int] = {}
    behind: dict[Pair, int] = {}
    for (i, j), owner in owners.items():
        gap, ahead = 0, (i + step[0], j + step[1])
        while 0 <= ahead[0] < height and 0 <= ahead[1] < width and ahead not in owners:
            if rows[ahead[0]][ahead[1]] != ground:
                break
            gap, ahead = gap + 1, (ahead[0] + step[0], ahead[1] + step[1])
        other = owners.get(ahead)
        if other is None:
            most[owner] = min(most.get(owner, gap), gap)
        elif other != owner:
            behind[owner, other] = min(behind.get((owner, other), gap), gap)
    return most, behind
