"""Patches that reach from a figure to a corner of the grid."""

from batt.dsl import *
from batt.words import *


def nearest_corner(grid, figure):
    """The corner of the grid that is nearest to a figure."""
    return argmin(corners(asindices(grid)), lambda each: manhattan(initset(each), toindices(figure)))


def solve_patch_to_nearest_corner(S, I):
    """The box from it to the nearest corner of the grid."""
    return lambda figure: backdrop(insert(nearest_corner(I, figure), toindices(figure)))


def solve_patch_to_corner_above_left(S, I):
    """The box from it to the corner of the grid above left."""
    return lambda figure: backdrop(insert(ORIGIN, toindices(figure)))


def solve_patch_to_corner_above_right(S, I):
    """The box from it to the corner of the grid above right."""
    goal = urcorner(asindices(I))
    return lambda figure: backdrop(insert(goal, toindices(figure)))


def solve_patch_to_corner_below_left(S, I):
    """The box from it to the corner of the grid below left."""
    goal = llcorner(asindices(I))
    return lambda figure: backdrop(insert(goal, toindices(figure)))


def solve_patch_to_corner_below_right(S, I):
    """The box from it to the corner of the grid below right."""
    goal = lrcorner(asindices(I))
    return lambda figure: backdrop(insert(goal, toindices(figure)))
