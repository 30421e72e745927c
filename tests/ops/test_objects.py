"""Facts of the objects family that its vectors do not make obvious."""

from __future__ import annotations

import random
from itertools import product

import pytest

from batt.dsl import fgpartition, frontiers, mostcolor, objects, partition
from batt.types import OrderedSet, ascending

FLAGS = list(product((False, True), repeat=3))


def _components(grid, univalued, diagonal, without_bg):
    """By joining, one after the other, whichever neighbours belong together."""
    ignored = mostcolor(grid) if without_bg else None
    owner = {(i, j): {(v, (i, j))} for i, row in enumerate(grid) for j, v in enumerate(row) if v != ignored}
    for (i, j), (k, m) in product(owner, repeat=2):
        near = max(abs(i - k), abs(j - m)) == 1 and (diagonal or i == k or j == m)
        if near and (not univalued or grid[i][j] == grid[k][m]) and owner[i, j] is not owner[k, m]:
            owner[i, j] |= owner[k, m]
            for _, place in owner[k, m]:
                owner[place] = owner[i, j]
    return {frozenset(cells) for cells in owner.values()}


@pytest.mark.parametrize(("univalued", "diagonal", "without_bg"), FLAGS)
def test_objects_are_the_connected_components(univalued, diagonal, without_bg):
    rng = random.Random(7)
    for _ in range(12):
        columns = rng.randrange(1, 7)
        grid = tuple(tuple(rng.choice((0, 0, 1, 2, None)) for _ in range(columns)) for _ in range(rng.randrange(1, 7)))
        found = objects(grid, univalued, diagonal, without_bg)
        assert found == _components(grid, univalued, diagonal, without_bg)


@pytest.mark.parametrize("flags", FLAGS)
def test_objects_and_their_cells_ascend(flags):
    grid = ((3, 0, 1), (0, 1, 0), (2, 0, 3))
    found = objects(grid, *flags)
    assert list(found) == list(ascending(frozenset.__iter__(found)))
    for each in (*found, *partition(grid), *fgpartition(grid), *frontiers(((1, 1), (2, 2)))):
        assert list(each) == sorted(each)


def test_the_last_column_does_not_touch_the_first_of_the_next_row():
    assert len(objects(((0, 0, 1), (1, 0, 0)), True, False, True)) == 2
    assert len(objects(((0, 0, 1), (1, 0, 0)), True, True, True)) == 2


def test_none_is_background_only_where_no_background_is_asked_for():
    grid = ((None, 1),)
    assert objects(grid, True, False, False) == {frozenset({(1, (0, 1))})}
    assert objects(((None, 1, 1),), True, False, True) == {frozenset({(None, (0, 0))})}


def test_an_empty_grid_fails_by_the_flag():
    with pytest.raises(ValueError, match="empty"):
        objects((), True, True, True)
    with pytest.raises(IndexError):
        objects((), True, True, False)
    assert objects(((),), True, True, False) == OrderedSet()


def test_a_tie_for_the_background_goes_to_the_lowest_colour():
    assert objects(((5, 3),), True, False, True) == {frozenset({(5, (0, 0))})}
    assert fgpartition(((5, 3),)) == {frozenset({(5, (0, 0))})}


def test_true_and_one_are_one_colour():
    assert len(partition(((True, 1),))) == 1
    assert len(objects(((True, 1),), True, False, False)) == 1


def test_the_only_cell_is_one_frontier_and_not_two():
    assert frontiers(((4,),)) == {frozenset({(4, (0, 0))})}
