"""Folds: what is on one side of the lines that cross the grid is mirrored to the other side."""

from batt.dsl import *
from batt.words import *

from ..idioms import about_across, about_along, drawn_places


def lines_across(grid):
    """The places of the rows of one colour that is not the most frequent one."""
    found = sfilter(frontiers(grid), lambda each: both(hline(each), flip(equality(mostcolor(each), mostcolor(grid)))))
    return toindices(merge(found))


def lines_along(grid):
    """The places of the columns of one colour that is not the most frequent one."""
    found = sfilter(frontiers(grid), lambda each: both(vline(each), flip(equality(mostcolor(each), mostcolor(grid)))))
    return toindices(merge(found))


def folded(mirror, lines, grid):
    """The grid with its drawn cells mirrored about lines, where there is ground."""
    return underpaint(grid, mirror(toobject(drawn_places(grid), grid), lines))


def solve_folded_down(I):
    """Mirrored about the rows of one colour."""
    return folded(about_along, lines_across(I), I)


def solve_folded_across(I):
    """Mirrored about the columns of one colour."""
    return folded(about_across, lines_along(I), I)


def solve_folded_twice(I):
    """Mirrored about the rows of one colour, and then about the columns."""
    return folded(about_across, lines_along(I), folded(about_along, lines_across(I), I))
