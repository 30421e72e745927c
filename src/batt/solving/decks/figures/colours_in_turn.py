"""Colours of other figures in an order: of the next one, the one before, or the opposite one."""

from batt.dsl import *
from batt.words import *


def place_of(figures, measure, figure):
    """The number of figures for which a measure gives less."""
    own = measure(figure)
    return size(sfilter(figures, lambda each: greater(own, measure(each))))


def in_turn(figures, measure, step):
    """The main colours of figures, in the order of a measure, `step` places further on in a cycle."""
    colours = apply(mostcolor, order(totuple(figures), measure))
    place = lbind(lbind(place_of, figures), measure)
    return lambda figure: colours[(place(figure) + step) % size(colours)]


def in_reverse(figures, measure):
    """The main colours of figures, in the reverse order of a measure."""
    colours = apply(mostcolor, order(totuple(figures), measure))
    place = lbind(lbind(place_of, figures), measure)
    return lambda figure: colours[size(colours) - 1 - place(figure)]


def solve_colour_next_larger(S, I):
    """The colour of the next larger figure; of the smallest one for the largest."""
    return in_turn(S, size, 1)


def solve_colour_next_smaller(S, I):
    """The colour of the next smaller figure; of the largest one for the smallest."""
    return in_turn(S, size, -1)


def solve_colour_opposite_size(S, I):
    """The colour of the figure that is as small among others as it is large."""
    return in_reverse(S, size)


def solve_colour_next_right(S, I):
    """The colour of the figure that starts next on the right; of the first one for the last."""
    return in_turn(S, leftmost, 1)


def solve_colour_next_left(S, I):
    """The colour of the figure that starts next on the left; of the last one for the first."""
    return in_turn(S, leftmost, -1)


def solve_colour_opposite_column(S, I):
    """The colour of the figure that is as far right among others as it is left."""
    return in_reverse(S, leftmost)


def solve_colour_next_below(S, I):
    """The colour of the figure that starts next below; of the first one for the last."""
    return in_turn(S, uppermost, 1)


def solve_colour_next_above(S, I):
    """The colour of the figure that starts next above; of the last one for the first."""
    return in_turn(S, uppermost, -1)


def solve_colour_opposite_row(S, I):
    """The colour of the figure that is as far down among others as it is up."""
    return in_reverse(S, uppermost)
