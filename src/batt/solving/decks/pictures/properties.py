"""Properties of figures, the figures that they pick, and what is made of them."""

from batt.dsl import *

from ..idioms import is_mirrored


def box_area(figure):
    """The number of places in the box of a figure."""
    box_of = backdrop(figure)
    count = size(box_of)
    return count


def gaps(figure):
    """The number of empty places in the box of a figure."""
    rest = delta(figure)
    count = size(rest)
    return count


def fullness(figure):
    """How much of its box a figure fills, in percent."""
    full = multiply(100, size(figure))
    whole = box_area(figure)
    share = divide(full, whole)
    return share


def is_not_mirrored(figure):
    """Whether a figure is not its own mirror image, left to right."""
    is_one = is_mirrored(figure)
    answer = flip(is_one)
    return answer


def same_as(measure, figures, figure):
    """The number of figures with the same measure."""
    own = measure(figure)
    is_same = matcher(measure, own)
    found = sfilter(figures, is_same)
    count = size(found)
    return count


def rarest_by(figures, measure):
    """The figure whose measure the fewest figures have."""
    alike = lbind(lbind(same_as, measure), figures)
    found = argmin(figures, alike)
    return found


def commonest_by(figures, measure):
    """A figure whose measure the most figures have."""
    alike = lbind(lbind(same_as, measure), figures)
    found = argmax(figures, alike)
    return found


def rarest(figures, measure):
    """A choice of products in which the call of `rarest_by` stays a call."""
    return rarest_by(figures, measure)


def commonest(figures, measure):
    """A choice of products in which the call of `commonest_by` stays a call."""
    return commonest_by(figures, measure)


def of_figures(I, cut, make):
    """What is made of the figures of a grid."""
    figures = cut(I)
    made = make(figures, I)
    return made


def picked(figures, grid, measure, pick, use):
    """What a use makes of the figure that a measure or a test picks."""
    found = pick(figures, measure)
    part = use(found, grid)
    return part
