"""What the functions of figures are made of."""

from batt.dsl import *
from batt.words import *

from ..idioms import form_of


def others_of(figures, figure):
    """The figures beside this one, as a tuple."""
    return totuple(remove(figure, figures))


def turned_forms(figure):
    """The form of a figure, turned and mirrored in all eight ways."""
    plain = form_of(figure)
    two = frozenset([plain, dmirror(plain)])
    four = combine(two, apply(hmirror, two))
    return combine(four, apply(vmirror, four))


def touching(figures, figure):
    """The other figures that touch this one, also at a corner."""
    around = mapply(neighbors, toindices(figure))
    return sfilter(others_of(figures, figure), lambda each: size(intersection(toindices(each), around)))


def around_of(figure):
    """The places around a figure, also at its corners."""
    return difference(mapply(neighbors, toindices(figure)), toindices(figure))


def nearest(figures, figure):
    """The other figures, the nearest first."""
    return order(others_of(figures, figure), lambda each: manhattan(each, figure))


def of_colour(figure, colour):
    """The places of a figure that have a colour."""
    return toindices(sfilter(figure, lambda cell: equality(cell[0], colour)))


def pulled(figure, goals):
    """A figure moved to the first of some others; itself if there is none."""
    goal = (totuple(goals) + (figure,))[0]
    is_other = flip(equality(goal, figure))
    return shift(figure, multiply(gravitate(figure, goal), is_other))
