"""Crops: grids that are cut out. C is a figure."""

from batt.dsl import *
from batt.words import *


def solve_crop_box(S, I, C):
    """The part of the grid in its box."""
    return subgrid(C, I)


def solve_crop_alone(S, I, C):
    """The figure alone, on black."""
    return paint(canvas(ZERO, shape(C)), normalize(C))


def solve_crop_on_ground(S, I, C):
    """The figure alone, on the most frequent colour of the grid."""
    return paint(canvas(mostcolor(I), shape(C)), normalize(C))


def solve_crop_inner(S, I, C):
    """The part of the grid in its box, without the outermost cells."""
    return trim(subgrid(C, I))


def solve_crop_wide(S, I, C):
    """The part of the grid in its box and one cell around it."""
    return subgrid(outbox(C), I)
