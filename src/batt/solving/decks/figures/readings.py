"""What is read of all figures at once, and measures that are derived from others. C is a measure or an edit."""

from batt.dsl import *
from batt.words import *

from ..idioms import NO_COLOUR


def solve_measures(S, I, C):
    """What the measure C gives for each figure, in two rows: the value modulo 90, and divided by 90."""
    values = apply(C, totuple(S))
    low = apply(lambda value: value % 90, values)
    high = apply(lambda value: value // 90, values)
    return (low, high)


def solve_numbered(S, I, C):
    """For each place the number of the last figure whose edit C has it, from 1; 0 for no figure."""
    figures = totuple(S)
    numbers = interval(ONE, increment(size(figures)), ONE)
    numbered = papply(recolor, numbers, apply(C, figures))
    return paintorder(canvas(ZERO, shape(I)), numbered)


def solve_coloured(S, I, C):
    """The figures edited by C alone, on NO_COLOUR."""
    return paintorder(canvas(NO_COLOUR, shape(I)), apply(C, totuple(S)))


def rank_down(values, measure, figure):
    """The number of different values above that of a figure."""
    own = measure(figure)
    return size(sfilter(values, rbind(greater, own)))


def rank_up(values, measure, figure):
    """The number of different values below that of a figure."""
    own = measure(figure)
    return size(sfilter(values, lbind(greater, own)))


def equal_count(values, measure, figure):
    """The number of figures that have the same value."""
    own = measure(figure)
    return size(sfilter(values, matcher(identity, own)))


def solve_rank_down(S, I, C):
    """The rank of a figure, 0 for the greatest value."""
    return lbind(lbind(rank_down, apply(C, S)), C)


def solve_rank_up(S, I, C):
    """The rank of a figure, 0 for the least value."""
    return lbind(lbind(rank_up, apply(C, S)), C)


def solve_equal_count(S, I, C):
    """The number of figures that have the same value."""
    return lbind(lbind(equal_count, apply(C, totuple(S))), C)


def solve_cells_of(S, I, C):
    """The number of cells of the colour C."""
    return rbind(colorcount, C)


def solve_same_colour(S, I, C):
    """1 if the main colour of a figure is what C gives for it, 0 if not."""
    return lambda figure: branch(equality(mostcolor(figure), C(figure)), ONE, ZERO)
