"""Pictures whose cells, rows or columns are in another order."""

from __future__ import annotations

from collections import Counter

import pytest

from batt.runtime import Limits, Sample, Split, evaluate_one
from batt.solving.library import solving_deck

GRID = ((0, 2, 0, 1), (2, 0, 0, 2), (0, 0, 3, 0))
PROGRAMS = {solver.name.removeprefix("solve_"): solver.program for solver in solving_deck("pictures")}


def made(name):
    sample = Sample("t", Split.TRAIN, 0, (), GRID, None)
    return evaluate_one(PROGRAMS[name], sample, Limits()).value


def by_count():
    """All cells, the most frequent colour first; of equally frequent ones the lower colour."""
    counts = Counter(cell for row in GRID for cell in row)
    return sorted((cell for row in GRID for cell in row), key=lambda cell: (-counts[cell], cell))


def in_rows(cells):
    return tuple(tuple(cells[4 * at : 4 * at + 4]) for at in range(3))


def in_columns(cells):
    return tuple(zip(*[cells[3 * at : 3 * at + 3] for at in range(4)], strict=True))


def flipped(grid):
    return tuple(tuple(row[::-1]) for row in grid)


EXPECTED = {
    "cells_by_count": in_rows(by_count()),
    "cells_by_count_in_columns": in_columns(by_count()),
    "cells_by_count_up": in_rows(by_count()[::-1]),
    "cells_by_count_in_columns_up": in_columns(by_count()[::-1]),
    "cells_by_count_from_right": flipped(in_rows(by_count())),
    "cells_by_count_from_below": in_columns(by_count())[::-1],
    "cells_by_colour": in_rows(sorted(by_count())),
    "cells_by_colour_in_columns": in_columns(sorted(by_count())),
    "rows_in_order": (GRID[2], GRID[0], GRID[1]),
    "rows_in_order_up": (GRID[1], GRID[0], GRID[2]),
    "next_row": (GRID[2], GRID[0], GRID[1]),
    "row_before": (GRID[1], GRID[2], GRID[0]),
    "next_column": tuple((row[-1], *row[:-1]) for row in GRID),
    "column_before": tuple((*row[1:], row[0]) for row in GRID),
    "without_repeats": GRID,
}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_picture_is_in_this_order(name):
    assert made(name) == EXPECTED[name]


def test_cells_of_each_row_or_column_are_sorted_by_the_frequency_of_their_colours():
    assert [sorted(row) for row in made("rows_sorted")] == [sorted(row) for row in GRID]
    for row in made("rows_sorted"):
        zeros = row.count(0)
        assert row[:zeros] == (0,) * zeros
    assert made("rows_sorted_up") == flipped(made("rows_sorted"))
    columns = list(zip(*made("columns_sorted"), strict=True))
    assert [sorted(column) for column in columns] == [sorted(column) for column in zip(*GRID, strict=True)]
    assert made("columns_sorted_up") == made("columns_sorted")[::-1]


def test_columns_are_in_the_order_of_their_empty_cells():
    counts = [column.count(0) for column in zip(*made("columns_in_order"), strict=True)]
    assert counts == sorted(counts, reverse=True)
    assert made("columns_in_order_up") == flipped(made("columns_in_order"))
