"""Edits and patches by another figure: a figure is replaced by it, mirrored about it, or moved up to it."""

from batt.dsl import *
from batt.words import *

from ..idioms import about, about_across, about_along, joined_to, on_middle
from .parts import nearest, pulled


def solve_edit_largest_here(S, I):
    """The largest figure, with its middle on this one."""
    return lbind(on_middle, argmax(S, size))


def solve_edit_most_colours_here(S, I):
    """The figure of the most colours, with its middle on this one."""
    return lbind(on_middle, argmax(S, numcolors))


def solve_patch_largest_here(S, I):
    """The form of the largest figure, with its middle on this one."""
    return lbind(on_middle, toindices(argmax(S, size)))


def solve_patch_smallest_here(S, I):
    """The form of the smallest figure, with its middle on this one."""
    return lbind(on_middle, toindices(argmin(S, size)))


def solve_patch_most_colours_here(S, I):
    """The form of the figure of the most colours, with its middle on this one."""
    return lbind(on_middle, toindices(argmax(S, numcolors)))


def solve_edit_most_colours_joined(S, I):
    """The figure of the most colours, with its cells of this one's colour on this one."""
    return rbind(joined_to, argmax(S, numcolors))


def solve_edit_reflected_in_smallest(S, I):
    """The figure turned by half about the smallest one."""
    return rbind(about, argmin(S, size))


def solve_edit_reflected_across_smallest(S, I):
    """The figure mirrored left to right about the smallest one."""
    return rbind(about_across, argmin(S, size))


def solve_edit_reflected_along_smallest(S, I):
    """The figure mirrored top to bottom about the smallest one."""
    return rbind(about_along, argmin(S, size))


def solve_edit_reflected_in_largest(S, I):
    """The figure turned by half about the largest one."""
    return rbind(about, argmax(S, size))


def solve_edit_reflected_across_largest(S, I):
    """The figure mirrored left to right about the largest one."""
    return rbind(about_across, argmax(S, size))


def solve_edit_reflected_along_largest(S, I):
    """The figure mirrored top to bottom about the largest one."""
    return rbind(about_along, argmax(S, size))


def facing(figures, figure):
    """The other figures of another colour in its rows or columns, the nearest first."""
    others = sfilter(nearest(figures, figure), compose(flip, matcher(mostcolor, mostcolor(figure))))
    return sfilter(others, lambda each: either(hmatching(each, figure), vmatching(each, figure)))


def solve_edit_to_facing(S, I):
    """The figure moved to the nearest one of another colour in its rows or columns."""
    return lambda figure: pulled(figure, facing(S, figure))
