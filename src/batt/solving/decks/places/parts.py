"""What the marks of places are made of."""

from batt.dsl import *
from batt.words import *


def more_by(measure, figures, figure):
    """The number of figures whose measure is greater, plus one."""
    own = measure(figure)
    is_more = compose(rbind(greater, own), measure)
    before = sfilter(figures, is_more)
    count = size(before)
    place = increment(count)
    return place


def within(figure, number):
    """The cells of a figure, each with the number of its place in the box of the figure."""
    places = toindices(figure)
    cell = fork(astuple, number, identity)
    cells = apply(cell, places)
    return cells


def halves_down(figure):
    """The cells of a figure: 1 in the upper half of its box, 2 in its middle row, 3 in the lower half."""
    twice = add(uppermost(figure), lowermost(figure))
    side = chain(sign, rbind(subtract, twice), compose(double, first))
    cells = within(figure, compose(rbind(add, TWO), side))
    return cells


def halves_across(figure):
    """The cells of a figure: 1 in the left half of its box, 2 in its middle column, 3 in the right half."""
    twice = add(leftmost(figure), rightmost(figure))
    side = chain(sign, rbind(subtract, twice), compose(double, last))
    cells = within(figure, compose(rbind(add, TWO), side))
    return cells


def depth_within(figure):
    """The cells of a figure with how far they are from the edge of its box, from 1."""
    upper = decrement(ulcorner(figure))
    lower = increment(lrcorner(figure))
    from_upper = rbind(subtract, upper)
    from_lower = lbind(subtract, lower)
    number = compose(minimum, fork(combine, from_upper, from_lower))
    cells = within(figure, number)
    return cells
