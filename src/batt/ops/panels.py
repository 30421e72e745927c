"""New words that cut a grid along separator lines, or leave out lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from batt.ops.known import knows
from batt.ops.strict import plain_colour, plain_grid
from batt.ops.table import WORDS, op
from batt.types import Kind
from batt.types.kinds import Grid

GRID, INT, TUPLE = Kind.GRID, Kind.INT, Kind.TUPLE

Parts = list[range]


@op(GRID, result=TUPLE, group=WORDS)
@knows(types="grid -> tuple grid", gives="*>g", refuses="grid: inepzs")
def panels(grid: Grid) -> tuple[Grid, ...]:
    """The panels of a grid that lines of one colour cut apart, row by row.

    A separator is a row or a column that has one colour throughout, and a panel what lies between separators of that
    colour. Of the colours whose separators leave a panel, the one counts with two or more panels; then with panels of
    one size; then other than 0; then the lowest. Without any, the grid itself is the only panel.

    >>> panels(((1, 5, 2), (5, 5, 5), (3, 5, 4)))
    (((1,),), ((2,),), ((3,),), ((4,),))
    """
    return tuple([panel for row in _panel_rows(plain_grid(grid)) for panel in row])


@op(GRID, result=TUPLE, group=WORDS)
@knows(types="grid -> tuple tuple grid", gives="*>g", refuses="grid: inepzs")
def panelrows(grid: Grid) -> tuple[tuple[Grid, ...], ...]:
    """The panels as rows of panels, cut as by panels.

    >>> panelrows(((1, 5, 2), (5, 5, 5), (3, 5, 4)))
    ((((1,),), ((2,),)), (((3,),), ((4,),)))
    """
    return _panel_rows(plain_grid(grid))


def _panel_rows(grid: Grid) -> tuple[tuple[Grid, ...], ...]:
    down, across = _cuts(grid)
    return tuple([tuple([tuple([grid[i][c.start : c.stop] for i in r]) for c in across]) for r in down])


def _cuts(grid: Grid) -> tuple[Parts, Parts]:
    """Return the rows and the columns of the panels."""
    rows, columns = _line_colours(grid), _line_colours(tuple(zip(*grid, strict=True)))
    found, best = ([range(len(grid))], [range(len(grid[0]))]), -1
    for colour in sorted([each for each in {*rows, *columns} if each is not None]):
        down, across = _between(rows, colour), _between(columns, colour)
        is_even = len({*map(len, down)}) == 1 and len({*map(len, across)}) == 1
        rank = 4 * (len(down) * len(across) > 1) + 2 * is_even + (colour != 0)
        if down and across and rank > best:
            found, best = (down, across), rank
    return found


def _line_colours(rows: Sequence[Sequence[int]]) -> list[int | None]:
    """Return the colour of each line that has one colour throughout, and None for the others."""
    return [row[0] if row.count(row[0]) == len(row) else None for row in rows]


def _between(colours: list[int | None], colour: int) -> Parts:
    """Return the runs of lines that are not separators."""
    ends = [-1, *[at for at, each in enumerate(colours) if each == colour], len(colours)]
    return [range(a + 1, b) for a, b in pairwise(ends) if a + 1 < b]


@op(GRID, INT, result=GRID, group=WORDS)
@knows(gives="*>eg", refuses="grid: inepzs; value: nepgtzs", colours="value")
def dropblank(grid: Grid, value: int) -> Grid:
    """The grid without the rows and the columns that have only the value; () if nothing is left.

    >>> dropblank(((1, 0, 2), (0, 0, 0), (3, 0, 3)), 0)
    ((1, 2), (3, 3))
    """
    cells, blank = plain_grid(grid), plain_colour(value)
    kept = [j for j, column in enumerate(zip(*cells, strict=True)) if any(cell != blank for cell in column)]
    return tuple([tuple([row[j] for j in kept]) for row in cells if any(cell != blank for cell in row)])


@op(GRID, result=GRID, group=WORDS)
@knows(gives="*>g", refuses="grid: inepzs", proves="... ~> rect")
def mergelines(grid: Grid) -> Grid:
    """The grid with equal rows side by side merged into one, and then equal columns.

    >>> mergelines(((1, 1, 2), (1, 1, 2), (3, 3, 3), (1, 1, 2)))
    ((1, 2), (3, 3), (1, 2))
    """
    rows = _merged(plain_grid(grid))
    return tuple(zip(*_merged(tuple(zip(*rows, strict=True))), strict=True))


def _merged(rows: Grid) -> Grid:
    return tuple([row for i, row in enumerate(rows) if i == 0 or row != rows[i - 1]])
