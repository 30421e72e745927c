"""All figures, and the largest and the smallest one, in gray; the grid without single cells."""

from batt.dsl import *


def solve_boxes_filled(I):
    """The boxes of all figures filled with gray."""
    figures = objects(I, T, T, T)
    places = mapply(delta, figures)
    made = fill(I, FIVE, places)
    return made


def solve_rings(I):
    """Rings around all figures in gray."""
    figures = objects(I, T, T, T)
    places = mapply(outbox, figures)
    made = underfill(I, FIVE, places)
    return made


def solve_inner_rings(I):
    """Rings within all figures in gray."""
    figures = objects(I, T, F, T)
    places = mapply(inbox, figures)
    made = fill(I, FIVE, places)
    return made


def solve_largest_in_one(I):
    """The largest figure in gray."""
    figures = objects(I, T, F, T)
    found = argmax(figures, size)
    made = fill(I, FIVE, found)
    return made


def solve_smallest_in_one(I):
    """The smallest figure in gray."""
    figures = objects(I, T, F, T)
    found = argmin(figures, size)
    made = fill(I, FIVE, found)
    return made


def solve_dots_gone_one(I):
    """The grid without single cells."""
    figures = objects(I, T, F, T)
    dots = sizefilter(figures, ONE)
    cells = merge(dots)
    made = cover(I, cells)
    return made


def solve_largest_in_one_8(I):
    """The largest figure in gray."""
    figures = objects(I, T, T, T)
    found = argmax(figures, size)
    made = fill(I, FIVE, found)
    return made


def solve_smallest_in_one_8(I):
    """The smallest figure in gray."""
    figures = objects(I, T, T, T)
    found = argmin(figures, size)
    made = fill(I, FIVE, found)
    return made


def solve_dots_gone_one_8(I):
    """The grid without single cells."""
    figures = objects(I, T, T, T)
    dots = sizefilter(figures, ONE)
    cells = merge(dots)
    made = cover(I, cells)
    return made


def solve_largest_in_all_8(I):
    """The largest figure in gray."""
    figures = objects(I, F, T, T)
    found = argmax(figures, size)
    made = fill(I, FIVE, found)
    return made


def solve_smallest_in_all_8(I):
    """The smallest figure in gray."""
    figures = objects(I, F, T, T)
    found = argmin(figures, size)
    made = fill(I, FIVE, found)
    return made


def solve_dots_gone_all_8(I):
    """The grid without single cells."""
    figures = objects(I, F, T, T)
    dots = sizefilter(figures, ONE)
    cells = merge(dots)
    made = cover(I, cells)
    return made
