"""The built-in measures in plain Python: the definition of each.

A score is an int, 0 exactly if the candidate is perfect and larger the worse it is, with a tuple of details; or None,
with the reason. A value that is not a grid, that is no rectangle of ints, counts as a grid without cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import Any, TypeAlias

from batt.jobs.values import Failed
from batt.runtime.outcome import area, differing_cells, shape_of

Score: TypeAlias = tuple[int | None, tuple[Any, ...]]
"""The score of a candidate, and its detail."""

Shape: TypeAlias = tuple[int, int]
Measure: TypeAlias = Callable[[Any, Any], Score]

UNKNOWN: Score = (None, ("unknown",))
"""There is no expected output to compare with."""


def no_score(candidate: Any, expected: Any) -> Score | None:
    """Return why there is no score, which includes how a failed candidate ended; None if there is a score."""
    if isinstance(candidate, Failed):
        return None, (candidate.kind,)
    return UNKNOWN if expected is None else None


def union_area(one: Shape, other: Shape) -> int:
    """Return the number of places that one or both of two grids have."""
    return area(one) + area(other) - min(one[0], other[0]) * min(one[1], other[1])


def equal(candidate: Any, expected: Any) -> Score:
    """Score 0 if the two are equal, else 1. The detail is the shapes of both."""
    why = no_score(candidate, expected)
    if why is not None:
        return why
    return int(candidate != expected), (shape_of(candidate), shape_of(expected))


def cells(candidate: Any, expected: Any) -> Score:
    """Count the places of either grid that differ. The detail is how many are equal, and how many there are."""
    why = no_score(candidate, expected)
    if why is not None:
        return why
    shape, wanted = shape_of(candidate), shape_of(expected)
    differing = differing_cells(candidate, shape, expected)
    places = union_area(shape, wanted)
    return differing, (places - differing, places)


def colours(candidate: Any, expected: Any) -> Score:
    """Count the colours that only one of the grids has. The detail is those missing, and those in addition."""
    why = no_score(candidate, expected)
    if why is not None:
        return why
    shown, wanted = set(_cells(candidate)), set(_cells(expected))
    missing, extra = tuple(sorted(map(int, wanted - shown))), tuple(sorted(map(int, shown - wanted)))
    return len(missing) + len(extra), (missing, extra)


def singles(candidate: Any, expected: Any) -> Score:
    """Count the single-cell objects that only one of the grids has. The detail is how many are missing, and extra.

    An object is as in `objects(grid, T, F, T)`: adjacent cells of one colour, not of the most frequent colour.
    """
    why = no_score(candidate, expected)
    if why is not None:
        return why
    shown, wanted = _single_cells(candidate), _single_cells(expected)
    missing, extra = len(wanted - shown), len(shown - wanted)
    return missing + extra, (missing, extra)


def _cells(grid: Any) -> list[int]:
    return list(chain.from_iterable(grid)) if shape_of(grid) != (0, 0) else []


def _single_cells(grid: Any) -> set[tuple[int, int, int]]:
    """Return colour, row and column of cells without a neighbour of their colour, except the background."""
    counts = Counter(_cells(grid))
    if not counts:
        return set()
    background = min(counts, key=lambda colour: (-counts[colour], colour))
    height, width = shape_of(grid)
    found = set()
    for i, row in enumerate(grid):
        for j, colour in enumerate(row):
            beside = ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))
            near = [grid[y][x] for y, x in beside if 0 <= y < height and 0 <= x < width]
            if colour != background and colour not in near:
                found.add((int(colour), i, j))
    return found
