"""Segments: the ways to cut a grid into figures. Each takes the grid."""

from batt.dsl import *
from batt.words import *

from ..idioms import drawn_places, of_all_colours, of_all_colours_8, of_black, of_ground, of_one_colour, of_one_colour_8


def segment_colours(grid):
    """All cells of a colour are a figure; the most frequent colour is none."""
    return fgpartition(grid)


def segment_parts(grid):
    """The figures of one colour and the parts of the ground, four neighbours."""
    return objects(grid, T, F, F)


def segment_panels(grid):
    """The panels that lines of one colour cut apart."""
    lines = merge(frontiers(grid))
    marked = fill(canvas(ZERO, shape(grid)), ONE, lines)
    panels_found = colorfilter(objects(marked, T, F, F), ZERO)
    return apply(rbind(toobject, grid), panels_found)


def segment_not_black(grid):
    """The figures of any colours but black, eight neighbours."""
    rest = difference(asindices(grid), ofcolor(grid, ZERO))
    marked = fill(canvas(ZERO, shape(grid)), ONE, rest)
    return apply(rbind(toobject, grid), colorfilter(objects(marked, T, T, F), ONE))


def segment_cells(grid):
    """Every cell that is not of the most frequent colour is a figure."""
    return apply(initset, toobject(drawn_places(grid), grid))


def segment_between_lines(grid):
    """The figures of any colours between lines that cross the grid, four neighbours."""
    ground = mostcolor(grid)
    return objects(fill(grid, ground, merge(frontiers(grid))), F, F, T)


def solve_segmented(S, I):
    """The figures of the segment with number S, the most useful one first."""
    makers = (
        of_one_colour,
        segment_parts,
        segment_colours,
        segment_panels,
        segment_cells,
        of_all_colours,
        of_black,
        of_all_colours_8,
        segment_not_black,
        of_one_colour_8,
        of_ground,
        segment_between_lines,
    )
    make = makers[S]
    return make(I)
