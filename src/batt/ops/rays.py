"""New words that draw lines of all colours at once: rays, and joins of equal cells."""

from __future__ import annotations

from collections.abc import Iterator

from batt.ops.directions import plain_directions
from batt.ops.known import knows
from batt.ops.strict import plain_colour, plain_grid, plain_int
from batt.ops.table import WORDS, op, sig
from batt.types import Kind
from batt.types.kinds import Grid, Indices, Pair

GRID, INDICES, INT, PAIR = Kind.GRID, Kind.INDICES, Kind.INT, Kind.PAIR


@op(GRID, INT, INT, PAIR, result=GRID, also=(sig(GRID, INT, INT, INDICES, result=GRID),), group=WORDS)
@knows(
    gives="*>g",
    refuses="grid: ineptzs; ground wall: nepgtzs; directions: in",
    proves="... ~> rect",
    colours="ground wall",
)
def rays(grid: Grid, ground: int, wall: int, directions: Pair | Indices) -> Grid:
    """Let every cell shoot a ray of its colour over the ground, in one direction or in each of several.

    A ray covers cells of the colour ground, and stops before any other cell and at the border. Cells of the colour wall
    do not shoot. Where rays meet, the one from the nearest cell shows, counted in steps; in a tie, the lowest colour. A
    direction is a pair of -1, 0 and 1 other than (0, 0), else a ValueError; several are a set or a tuple.

    >>> rays(((1, 0, 0, 0, 2),), 0, -1, (0, 1))
    ((1, 1, 1, 1, 2),)
    >>> rays(((0, 1, 0, 0), (0, 0, 0, 5), (3, 0, 0, 0)), 0, 5, ((1, 0), (0, 1)))
    ((0, 1, 1, 1), (0, 1, 0, 5), (3, 3, 3, 3))
    """
    rows, steps = plain_grid(grid), plain_directions(directions)
    ground, wall = plain_colour(ground), plain_int(wall)
    nearest: dict[Pair, tuple[int, int]] = {}
    for i, row in enumerate(rows):
        for j, colour in enumerate(row):
            if colour in (ground, wall):
                continue
            for step in steps:
                for distance, place in enumerate(_open_places(rows, ground, (i, j), step)):
                    nearest[place] = min(nearest.get(place, (distance, colour)), (distance, colour))
    return _painted(rows, {place: colour for place, (_, colour) in nearest.items()})


@op(GRID, INT, PAIR, result=GRID, also=(sig(GRID, INT, INDICES, result=GRID),), group=WORDS)
@knows(
    gives="*>g",
    refuses="grid: ineptzs; ground: nepgtzs; directions: in",
    proves="... ~> rect",
    colours="ground",
)
def joins(grid: Grid, ground: int, directions: Pair | Indices) -> Grid:
    """Join every two cells of one colour between which, in one of the directions, there is only ground.

    The cells of the colour ground between them take their colour. Where joins of several directions cross, the later
    direction shows: a set of directions is in ascending order. Directions are those of rays.

    >>> joins(((3, 0, 0, 3), (0, 5, 0, 4)), 0, (0, 1))
    ((3, 3, 3, 3), (0, 5, 0, 4))
    >>> joins(((0, 1, 0), (2, 0, 2), (0, 1, 0)), 0, ((0, 1), (1, 0)))
    ((0, 1, 0), (2, 1, 2), (0, 1, 0))
    """
    rows, steps = plain_grid(grid), plain_directions(directions)
    ground = plain_colour(ground)
    joined: dict[Pair, int] = {}
    for step in steps:
        for i, row in enumerate(rows):
            for j, colour in enumerate(row):
                if colour == ground:
                    continue
                between = list(_open_places(rows, ground, (i, j), step))
                end_row, end_column = (n + (len(between) + 1) * d for n, d in zip((i, j), step, strict=True))
                is_inside = 0 <= end_row < len(rows) and 0 <= end_column < len(row)
                if is_inside and rows[end_row][end_column] == colour:
                    joined.update(dict.fromkeys(between, colour))
    return _painted(rows, joined)


def _open_places(rows: Grid, ground: int, start: Pair, step: Pair) -> Iterator[Pair]:
    """Yield the places of the colour ground after `start`, up to the first other cell or the border."""
    (i, j), (down, right) = start, step
    height, width = len(rows), len(rows[0])
    while 0 <= (i := i + down) < height and 0 <= (j := j + right) < width and rows[i][j] == ground:
        yield i, j


def _painted(rows: Grid, cells: dict[Pair, int]) -> Grid:
    return tuple([tuple([cells.get((i, j), v) for j, v in enumerate(row)]) for i, row in enumerate(rows)])
