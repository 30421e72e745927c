"""The holes of figures, and what is drawn in panels."""

from batt.dsl import *
from batt.words import *

from ..idioms import drawn_places, measured, of_all_colours_8, of_one_colour_8, of_panels
from .parts import more_by


def hole_count(figure):
    """The number of places that a figure encloses, plus one."""
    places = holes(figure, F)
    count = size(places)
    more = increment(count)
    return more


def drawn_in(places, figure):
    """The number of these places that are in a figure, plus one."""
    found = intersection(places, toindices(figure))
    count = size(found)
    more = increment(count)
    return more


def colours_in(grid, figure):
    """The number of colours that the grid has in a figure."""
    cells = toobject(figure, grid)
    count = numcolors(cells)
    return count


def solve_mark_hole_count_of_one_colour_8(I):
    """How many places the figures of one colour enclose."""
    figures = of_one_colour_8(I)
    found = measured(I, figures, hole_count)
    return found


def solve_mark_hole_count_of_all_colours_8(I):
    """How many places the figures of any colours enclose."""
    figures = of_all_colours_8(I)
    found = measured(I, figures, hole_count)
    return found


def solve_mark_drawn_of_panels(I):
    """The number of cells in panels that are not ground."""
    places = drawn_places(I)
    figures = of_panels(I)
    found = measured(I, figures, lbind(drawn_in, places))
    return found


def solve_mark_most_drawn_of_panels(I):
    """The rank of panels by the number of cells that are not ground."""
    places = drawn_places(I)
    figures = of_panels(I)
    rank = lbind(lbind(more_by, lbind(drawn_in, places)), figures)
    found = measured(I, figures, rank)
    return found


def solve_mark_colours_of_panels(I):
    """The number of colours in panels."""
    figures = of_panels(I)
    found = measured(I, figures, lbind(colours_in, I))
    return found
