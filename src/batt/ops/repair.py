"""New words that fill the masked cells of a grid from the rest of it: by periods, symmetries, or similar places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any, TypeAlias

from batt.ops.known import knows
from batt.ops.meter import items
from batt.ops.strict import plain_colour, plain_grid, plain_pair
from batt.ops.table import WORDS, op
from batt.types import Kind
from batt.types.kinds import Grid, Pair

GRID, INT, PAIR = Kind.GRID, Kind.INT, Kind.PAIR

Known: TypeAlias = dict[Pair, int]
Image: TypeAlias = Callable[[int, int], Pair]

_AROUND: tuple[Pair, ...] = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


def _sides(grid: Any) -> Pair:
    """Return the rows and columns of a grid, for use in costs. Never raises."""
    rows = len(grid) if isinstance(grid, tuple) else 0
    return rows, items(grid) // max(1, rows)


def _lines_cost(grid: Any, mask: Any, axes: Any) -> int:
    """1 + items of the grid × (1 + rows + columns)"""
    rows, columns = _sides(grid)
    return 1 + items(grid) * (1 + rows + columns)


@op(GRID, INT, PAIR, result=GRID, cost=_lines_cost, group=WORDS)
@knows(
    gives="*>g",
    refuses="grid: ineptzs; mask: nepgtzs; axes: inegtzs",
    proves="... ~> rect",
    colours="mask",
)
def retile(grid: Grid, mask: int, axes: Pair) -> Grid:
    """Fill the masked cells of a grid that repeats: downwards if the first of axes is not 0, sideways if the second.

    The period downwards is the least number of rows at whose multiples no column has two unequal cells, masked ones
    aside; sideways likewise. A masked cell takes the colour of the first cell, row by row, that lies whole periods
    away and is not masked; if there is none, it stays.

    >>> retile(((1, 2, 1, 9), (9, 9, 9, 9), (1, 2, 1, 2)), 9, (1, 1))
    ((1, 2, 1, 2), (1, 2, 1, 2), (1, 2, 1, 2))
    >>> retile(((1, 2, 1, 9), (9, 9, 9, 9), (1, 2, 1, 2)), 9, (0, 1))
    ((1, 2, 1, 2), (9, 9, 9, 9), (1, 2, 1, 2))
    """
    rows, mask, (down, right) = plain_grid(grid), plain_colour(mask), plain_pair(axes)
    height, width = len(rows), len(rows[0])
    known = _known(rows, mask)
    tall = _period([(i, j, v) for (i, j), v in known.items()], height) if down else height
    wide = _period([(j, i, v) for (i, j), v in known.items()], width) if right else width
    first: Known = {}
    for (i, j), v in known.items():
        first.setdefault((i % tall, j % wide), v)
    return _filled(rows, known, lambda i, j: first.get((i % tall, j % wide), mask))


def _period(cells: list[tuple[int, int, int]], length: int) -> int:
    """Return the least period of lines, given as (place along the line, line, colour)."""
    for period in range(1, length):
        seen: Known = {}
        if all(seen.setdefault((line, at % period), colour) == colour for at, line, colour in cells):
            return period
    return length


def _mend_cost(grid: Any, mask: Any, axis: Any) -> int:
    """1 + items of the grid × (1 + rows + columns), or × (1 + rows × columns) for the axis (0, 0)"""
    rows, columns = _sides(grid)
    return 1 + items(grid) * (1 + (rows * columns if axis == (0, 0) else rows + columns))


@op(GRID, INT, PAIR, result=GRID, cost=_mend_cost, group=WORDS)
@knows(
    gives="*>g",
    refuses="grid: ineptzs; mask: nepgtzs; axis: inegtzs",
    proves="... ~> rect",
    colours="mask",
)
def mend(grid: Grid, mask: int, axis: Pair) -> Grid:
    """Fill the masked cells of a grid that is symmetric about an axis, which need not pass through its middle.

    The axis runs in the direction: (0, 1) is a mirror that swaps above and below, (1, 0) left and right, (1, 1) and
    (1, -1) are diagonals, and (0, 0) is a half turn about a point; other pairs are a ValueError. Of all such axes, also
    between cells, that give at least half of the cells an image in the grid, and no cell an unequal one, masked ones
    aside, the axis is that with most images; in a tie, the first one from above, then from the left. A masked cell
    takes the colour of its image. Without such an axis, or an image, it stays.

    >>> mend(((1, 2, 3, 2, 9), (4, 5, 6, 9, 9)), 9, (1, 0))
    ((1, 2, 3, 2, 1), (4, 5, 6, 5, 4))
    >>> mend(((1, 2, 3, 3), (4, 5, 6, 9)), 9, (1, 0))
    ((1, 2, 3, 3), (4, 5, 6, 6))
    """
    rows, mask, axis = plain_grid(grid), plain_colour(mask), plain_pair(axis)
    if not (-1 <= axis[0] <= 1 and -1 <= axis[1] <= 1):
        raise ValueError("an axis is a pair of -1, 0 and 1")
    known = _known(rows, mask)
    for image in _images(len(rows), len(rows[0]), axis):
        pairs = [(v, known.get(image(i, j), v)) for (i, j), v in known.items()]
        if all(v == other for v, other in pairs):
            return _filled(rows, known, lambda i, j: known.get(image(i, j), mask))  # noqa: B023
    return rows


def _images(height: int, width: int, axis: Pair) -> Iterator[Image]:
    """Yield the symmetries about the axes of a direction, those with most images first.

    A symmetry is found by the sums or differences of a place and its image: i + i and j + j of a mirror or half turn,
    i - j of the image across a diagonal, i + j across the other.
    """
    down, right = axis
    if down and right:
        # The image of (i, j) is (offset + j, i - offset), or (offset - j, offset - i).
        sign, least = (1, 1 - width) if down == right else (-1, 0)
        offsets = range(least, least + height + width - 1)
        square = {offset: _diagonal_images(height, width, sign, offset) for offset in offsets}
        for offset in _most_first(square, height * width):
            yield lambda i, j, at=offset: (at + sign * j, sign * (i - at))  # type: ignore[misc]
        return
    row_sums = range(2 * height - 1) if not down else [None]
    column_sums = range(2 * width - 1) if not right else [None]
    images = {
        (row_sum, column_sum): _line_images(height, row_sum) * _line_images(width, column_sum)
        for row_sum, column_sum in product(row_sums, column_sums)
    }
    for row_sum, column_sum in _most_first(images, height * width):
        yield lambda i, j, a=row_sum, b=column_sum: (i if a is None else a - i, j if b is None else b - j)  # type: ignore[misc]


def _most_first(images: dict[Any, int], cells: int) -> Iterable[Any]:
    """Return those with images for at least half of the cells, most images first, in the order given."""
    kept = [each for each, count in images.items() if 2 * count >= cells]
    return sorted(kept, key=lambda each: -images[each])


def _line_images(length: int, total: int | None) -> int:
    return length if total is None else length - abs(total - length + 1)


def _diagonal_images(height: int, width: int, sign: int, offset: int) -> int:
    # The columns whose image's row, offset + sign × column, lies in the grid, and as many rows.
    last = offset + sign * (width - 1)
    return max(0, min(height - 1, max(offset, last)) - max(0, min(offset, last)) + 1) ** 2


def _inpaint_cost(grid: Any, mask: Any) -> int:
    """1 + items of the grid × (1 + masked cells)"""
    is_read = isinstance(grid, tuple) and isinstance(mask, int)
    masked = sum([row.count(mask) for row in grid if isinstance(row, tuple)]) if is_read else 0
    return 1 + items(grid) * (1 + masked)


@op(GRID, INT, result=GRID, cost=_inpaint_cost, group=WORDS)
@knows(gives="*>g", refuses="grid: ineptzs; mask: nepgtzs", proves="... ~> rect", colours="mask")
def inpaint(grid: Grid, mask: int) -> Grid:
    """Fill masked cells, one after the other, as similar places of the grid are.

    The next cell is that with most neighbours, diagonal ones included, that are not or no longer masked; in a tie, the
    first one row by row. Places of the given grid vote for their colour if they are not masked, and have equal
    neighbours on those sides. The cell takes the colour with most votes, in a tie the lowest; without a vote it stays.

    >>> inpaint(((1, 2, 1, 2, 1), (2, 1, 2, 1, 2), (1, 2, 1, 9, 9)), 9)
    ((1, 2, 1, 2, 1), (2, 1, 2, 1, 2), (1, 2, 1, 2, 1))
    """
    rows, mask = plain_grid(grid), plain_colour(mask)
    given = _known(rows, mask)
    known = dict(given)
    masked = [place for place in product(range(len(rows)), range(len(rows[0]))) if place not in known]
    counts = {place: len(_known_around(known, place)) for place in masked}
    while counts and (most := max(counts.values())):
        place = next(place for place, count in counts.items() if count == most)
        del counts[place]
        around = _known_around(known, place)
        votes = Counter([v for (i, j), v in given.items() if _agrees(given, i, j, around)])
        if not votes:
            continue
        known[place] = min(votes, key=lambda colour: (-votes[colour], colour))
        for near in [(place[0] + down, place[1] + right) for down, right in _AROUND]:
            if near in counts:
                counts[near] += 1
    return _filled(rows, known, lambda i, j: mask)


def _known_around(known: Known, place: Pair) -> list[tuple[Pair, int]]:
    i, j = place
    return [(step, known[near]) for step in _AROUND if (near := (i + step[0], j + step[1])) in known]


def _agrees(given: Known, i: int, j: int, around: list[tuple[Pair, int]]) -> bool:
    return all(given.get((i + down, j + right)) == colour for (down, right), colour in around)


def _known(rows: Grid, mask: int) -> Known:
    """Return the cells that are not masked, row by row."""
    return {(i, j): v for i, row in enumerate(rows) for j, v in enumerate(row) if v != mask}


def _filled(rows: Grid, known: Known, colour_of: Callable[[int, int], int]) -> Grid:
    """Return the grid with the masked cells filled."""
    width = len(rows[0])
    return tuple(
        [tuple([known[i, j] if (i, j) in known else colour_of(i, j) for j in range(width)]) for i in range(len(rows))]
    )
