"""What the features of cells are made of."""

from batt.dsl import *


def painted(grid, figures):
    """The figures alone, on a grid of zeros."""
    size_of = shape(grid)
    blank = canvas(ZERO, size_of)
    cells = merge(figures)
    found = paint(blank, cells)
    return found


def marked(grid, patch):
    """A grid with 1 in these places, and 0 elsewhere."""
    size_of = shape(grid)
    blank = canvas(ZERO, size_of)
    found = fill(blank, ONE, patch)
    return found


def measured(grid, figures, measure):
    """Each figure painted with its measure, from 1 to 30, on zeros."""
    kept = compose(lbind(minimum_of, 30), measure)
    coloured = fork(recolor, kept, identity)
    made = apply(coloured, figures)
    found = painted(grid, made)
    return found


def minimum_of(limit, value):
    """The smaller of the two."""
    both_values = astuple(limit, value)
    least = minimum(both_values)
    return least


def rank_of(figures, figure):
    """The number of figures that are larger, plus one."""
    larger = compose(rbind(greater, size(figure)), size)
    before = sfilter(figures, larger)
    count = size(before)
    place = increment(count)
    return place


def of_one_colour(grid):
    """The figures of one colour, four neighbours."""
    return objects(grid, T, F, T)


def of_one_colour_8(grid):
    """The figures of one colour, eight neighbours."""
    return objects(grid, T, T, T)


def of_all_colours(grid):
    """The figures of any colours, four neighbours."""
    return objects(grid, F, F, T)


def of_all_colours_8(grid):
    """The figures of any colours, eight neighbours."""
    return objects(grid, F, T, T)
