"""Edits and patches by another figure: it drawn at each one, or each one mirrored about it or moved to it."""

from batt.dsl import *
from batt.words import *

from .parts import joined_to, nearest, placed_on, pulled


def solve_edit_largest_here(S, I):
    """The largest figure, with its middle on this one."""
    return lbind(placed_on, argmax(S, size))


def solve_edit_most_colours_here(S, I):
    """The figure of the most colours, with its middle on this one."""
    return lbind(placed_on, argmax(S, numcolors))


def solve_patch_largest_here(S, I):
    """The form of the largest figure, with its middle on this one."""
    return lbind(placed_on, toindices(argmax(S, size)))


def solve_patch_smallest_here(S, I):
    """The form of the smallest figure, with its middle on this one."""
    return lbind(placed_on, toindices(argmin(S, size)))


def solve_patch_most_colours_here(S, I):
    """The form of the figure of the most colours, with its middle on this one."""
    return lbind(placed_on, toindices(argmax(S, numcolors)))


def solve_edit_most_colours_joined(S, I):
    """The figure of the most colours, with its cells of this one's colour on this one."""
    return lbind(joined_to, argmax(S, numcolors))


def reflected(anchor, figure):
    """A figure turned by half about the middle of the box of another."""
    turned = vmirror(hmirror(figure))
    return shift(turned, subtract(add(ulcorner(anchor), lrcorner(anchor)), add(ulcorner(figure), lrcorner(figure))))


def reflected_across(anchor, figure):
    """A figure mirrored left to right about the middle of the box of another."""
    sides = leftmost(anchor) + rightmost(anchor) - leftmost(figure) - rightmost(figure)
    return shift(vmirror(figure), tojvec(sides))


def reflected_along(anchor, figure):
    """A figure mirrored top to bottom about the middle of the box of another."""
    sides = uppermost(anchor) + lowermost(anchor) - uppermost(figure) - lowermost(figure)
    return shift(hmirror(figure), toivec(sides))


def solve_edit_reflected_in_smallest(S, I):
    """The figure turned by half about the smallest one."""
    return lbind(reflected, argmin(S, size))


def solve_edit_reflected_across_smallest(S, I):
    """The figure mirrored left to right about the smallest one."""
    return lbind(reflected_across, argmin(S, size))


def solve_edit_reflected_along_smallest(S, I):
    """The figure mirrored top to bottom about the smallest one."""
    return lbind(reflected_along, argmin(S, size))


def solve_edit_reflected_in_largest(S, I):
    """The figure turned by half about the largest one."""
    return lbind(reflected, argmax(S, size))


def solve_edit_reflected_across_largest(S, I):
    """The figure mirrored left to right about the largest one."""
    return lbind(reflected_across, argmax(S, size))


def solve_edit_reflected_along_largest(S, I):
    """The figure mirrored top to bottom about the largest one."""
    return lbind(reflected_along, argmax(S, size))


def facing(figures, figure):
    """The other figures of another colour in its rows or columns, the nearest first."""
    others = sfilter(nearest(figures, figure), compose(flip, matcher(mostcolor, mostcolor(figure))))
    return sfilter(others, lambda each: either(hmatching(each, figure), vmatching(each, figure)))


def solve_edit_to_facing(S, I):
    """The figure moved to the nearest one of another colour in its rows or columns."""
    return lambda figure: pulled(figure, facing(S, figure))
