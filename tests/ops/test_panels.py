"""Panels between separators, and lines that are left out."""

from __future__ import annotations

from batt.words import dropblank, mergelines, panelrows, panels


def test_a_grid_without_separators_is_one_panel():
    grid = ((1, 2), (3, 4))
    assert panels(grid) == (grid,)
    assert panels(((7, 7), (7, 7))) == (((7, 7), (7, 7)),)


def test_separators_at_the_border_and_side_by_side_cut_no_empty_panels():
    grid = ((5, 5, 5, 5, 5), (5, 1, 5, 5, 2), (5, 5, 5, 5, 5))
    assert panels(grid) == (((1,),), ((2,),))
    assert panelrows(grid) == ((((1,),), ((2,),)),)


def test_panels_of_one_size_decide_before_the_colour():
    grid = ((1, 2), (3, 3), (0, 0), (2, 1), (1, 2))
    assert panels(grid) == (grid[:2], grid[3:])


def test_separators_of_another_colour_decide_before_black():
    assert panels(((1, 0, 4, 0, 2), (2, 0, 4, 0, 1))) == (((1, 0), (2, 0)), ((0, 2), (0, 1)))


def test_two_panels_decide_before_one():
    assert panels(((1, 2), (3, 4), (0, 0), (1, 2), (4, 3), (9, 9))) == (
        ((1, 2), (3, 4)),
        ((1, 2), (4, 3), (9, 9)),
    )


def test_a_grid_of_blanks_leaves_nothing():
    assert dropblank(((3, 3), (3, 3)), 3) == ()
    assert dropblank(((3, 3), (3, 4)), 3) == ((4,),)
    assert dropblank(((3, 3), (3, 4)), 0) == ((3, 3), (3, 4))


def test_only_neighbouring_lines_are_merged():
    assert mergelines(((1, 2, 1), (1, 2, 1))) == ((1, 2, 1),)
    assert mergelines(((4, 4), (4, 4))) == ((4,),)
