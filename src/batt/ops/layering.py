"""New words that put grids and objects over one another."""

from __future__ import annotations

from typing import Any

from batt.ops.known import knows
from batt.ops.meter import items
from batt.ops.strict import plain_grid, plain_object, plain_places
from batt.ops.table import WORDS, op, sig
from batt.types import Kind, ordered
from batt.types.kinds import Container, Grid, Piece

CONTAINER, GRID, INDICES, OBJECTS = Kind.CONTAINER, Kind.GRID, Kind.INDICES, Kind.OBJECTS


def _paintorder_cost(grid: Any, objs: Any) -> int:
    """1 + items of the grid + the objects + the items of all objects"""
    parts = objs if isinstance(objs, tuple | frozenset) else ()
    return 1 + items(grid) + len(parts) + sum([items(each) for each in parts])


@op(INDICES, GRID, GRID, result=GRID, also=(sig(GRID, GRID, GRID, result=GRID),), group=WORDS)
@knows(gives="*>g", refuses="mask: inep; a b: inepzs", proves="... ~> rect")
def choosecells(mask: Piece, a: Grid, b: Grid) -> Grid:
    """The cells of a where the mask is, and those of b elsewhere.

    The mask is a set of places, or a grid: then it is where its cells are not 0. A ValueError if two grids differ in
    size; places outside the grids do not matter.

    >>> choosecells({(0, 1)}, ((1, 2), (3, 4)), ((5, 6), (7, 8)))
    ((5, 2), (7, 8))
    >>> choosecells(((1, 0), (0, 9)), ((1, 2), (3, 4)), ((5, 6), (7, 8)))
    ((1, 6), (7, 4))
    """
    ours, others = plain_grid(a), plain_grid(b)
    sizes = {(len(each), len(each[0])) for each in (ours, others)}
    if isinstance(mask, tuple):
        cells = plain_grid(mask)
        sizes.add((len(cells), len(cells[0])))
        chosen = {(i, j) for i, row in enumerate(cells) for j, cell in enumerate(row) if cell}
    else:
        chosen = set(plain_places(mask))
    if len(sizes) > 1:
        raise ValueError("the grids differ in size")
    columns = range(len(ours[0]))
    rows = range(len(ours))
    return tuple([tuple([(ours if (i, j) in chosen else others)[i][j] for j in columns]) for i in rows])


@op(GRID, CONTAINER, result=GRID, cost=_paintorder_cost, group=WORDS)
@knows(
    types="grid, many object -> grid",
    usual="grid, objects -> grid",
    gives="*>g",
    refuses="grid: inepzs; objs: inpg",
    proves="... ~> rect",
)
def paintorder(grid: Grid, objs: Container) -> Grid:
    """Put the objects on the grid one after the other; a later one covers an earlier one.

    The items of a tuple are taken in its order, as `order` gives them, those of a set in ascending order. If two cells
    of one object share a place, the highest colour shows; cells outside the grid are left out.

    >>> paintorder(((0, 0, 0),), ({(5, (0, 0)), (5, (0, 1))}, {(3, (0, 1)), (3, (0, 2))}))
    ((5, 3, 3),)
    """
    rows = [list(row) for row in plain_grid(grid)]
    if not isinstance(objs, tuple | frozenset):
        raise TypeError("expected objects")
    parts = [plain_object(each) for each in ordered(objs)]
    for part in parts:
        for colour, (i, j) in ordered(part):
            if 0 <= i < len(rows) and 0 <= j < len(rows[0]):
                rows[i][j] = colour
    return tuple(map(tuple, rows))
