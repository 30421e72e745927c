"""Facts of the mirrors family that its vectors do not make obvious."""

from __future__ import annotations

import random
from typing import Any

import pytest

from batt.dsl import cmirror, dmirror, hmirror, normalize, rot90, rot180, rot270, toobject, ulcorner, vmirror
from batt.types import OrderedSet

EMPTY: OrderedSet[Any] = OrderedSet()
GRID = ((1, 2, 3), (4, 5, 6))


def corner_object(grid: tuple[tuple[int, ...], ...], row: int, column: int) -> OrderedSet[Any]:
    """The grid as an object whose upper left cell lies at (row, column)."""
    return OrderedSet([(v, (row + i, column + j)) for i, line in enumerate(grid) for j, v in enumerate(line)])


def test_rotations_compose_as_turns_do() -> None:
    assert rot90(rot90(GRID)) == rot180(GRID)
    assert rot90(rot270(GRID)) == GRID


@pytest.mark.parametrize("mirror", [hmirror, vmirror, dmirror, cmirror])
def test_a_patch_is_mirrored_like_the_grid_that_it_shows(mirror: Any) -> None:
    assert mirror(corner_object(GRID, -3, 7)) == corner_object(mirror(GRID), -3, 7)


@pytest.mark.parametrize("mirror", [hmirror, vmirror, dmirror, cmirror])
def test_mirroring_a_patch_twice_restores_it_and_keeps_its_corner(mirror: Any) -> None:
    chance = random.Random(1)
    for _ in range(20):
        patch = OrderedSet([(chance.randrange(-5, 5), chance.randrange(-5, 5)) for _ in range(6)])
        assert mirror(mirror(patch)) == patch
        assert ulcorner(mirror(patch)) == ulcorner(patch)


@pytest.mark.parametrize(
    ("mirror", "error"), [(hmirror, IndexError), (vmirror, IndexError), (cmirror, IndexError), (dmirror, ValueError)]
)
def test_an_empty_patch_has_no_box_to_be_mirrored_in(mirror: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        mirror(EMPTY)


@pytest.mark.parametrize("turn", [rot90, rot180, rot270])
def test_a_set_cannot_be_turned_even_where_its_items_look_like_rows(turn: Any) -> None:
    with pytest.raises(TypeError):
        turn(OrderedSet([(1, 2), (3, 4)]))


def test_empty_rows_vanish_when_rows_become_columns() -> None:
    assert rot90(((), ())) == rot270(((), ())) == dmirror(((), ())) == cmirror(((), ())) == ()
    assert rot180(((), ())) == ((), ())


def test_two_colours_at_one_place_stay_together() -> None:
    both = OrderedSet([(1, (0, 0)), (2, (0, 0)), (3, (0, 2))])
    assert vmirror(both) == {(1, (0, 2)), (2, (0, 2)), (3, (0, 0))}


def test_the_first_bad_item_in_canonical_order_decides_the_error() -> None:
    with pytest.raises(ValueError, match="unpack"):
        hmirror(frozenset([(0, 1), (0, 1, 2)]))


def test_mirrored_cells_are_found_where_the_mirrored_grid_shows_them() -> None:
    cells = normalize(vmirror(corner_object(GRID, 4, 4)))
    assert toobject(cells, vmirror(GRID)) == cells
