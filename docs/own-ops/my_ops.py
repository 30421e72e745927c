"""Two ops of one's own, with C++ bodies in my_ops.h: the holes of a patch, and a majority filter."""

from collections import Counter

from batt.dsl import toindices
from batt.own import GRID, INT, PATCH, op
from batt.types.kinds import Grid, Patch


def box_places(patch: Patch) -> int:
    """1 + the places of the patch's bounding box with a border of one around it"""
    rows, columns = zip(*toindices(patch), strict=True)
    return 1 + (max(rows) - min(rows) + 3) * (max(columns) - min(columns) + 3)


@op(PATCH, result=INT, cost=box_places, native="my_ops.h")
def enclosed(patch: Patch) -> int:
    """How many holes a patch has: areas beside it, joined by their edges, that its bounding box closes in.

    >>> enclosed(box(insert((2, 3), initset((0, 0)))))
    1
    """
    places = set(toindices(patch))
    if not places:
        return 0
    rows, columns = [i for i, _ in places], [j for _, j in places]
    free = {
        (i, j)
        for i in range(min(rows) - 1, max(rows) + 2)
        for j in range(min(columns) - 1, max(columns) + 2)
        if (i, j) not in places
    }
    areas = 0
    while free:
        areas += 1
        waiting = [free.pop()]
        while waiting:
            i, j = waiting.pop()
            around = {(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)} & free
            free -= around
            waiting += around
    # One of them is what lies around the patch.
    return areas - 1


@op(GRID, result=GRID, native="my_ops.h")
def majority(grid: Grid) -> Grid:
    """Every cell in the colour that more than half of the cells have of which it is the middle, itself included.

    >>> majority(((0, 0, 0), (0, 5, 0), (0, 0, 0)))
    ((0, 0, 0), (0, 0, 0), (0, 0, 0))
    """
    return tuple([tuple([_majority_at(grid, i, j) for j in range(len(row))]) for i, row in enumerate(grid)])


def _majority_at(grid: Grid, i: int, j: int) -> int:
    rows = [row[max(0, j - 1) : j + 2] for row in grid[max(0, i - 1) : i + 2]]
    near = [colour for row in rows for colour in row]
    colour, count = Counter(near).most_common(1)[0]
    return colour if 2 * count > len(near) else grid[i][j]
