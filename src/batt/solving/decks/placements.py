"""Placements: the grid I on a grid of the size S, the rest in the colour C. What lies outside is cut off."""

from batt.dsl import *
from batt.words import *


def placed(dims, grid, colour, offset):
    """A grid at an offset on a grid of a size and a colour."""
    return paint(canvas(colour, dims), shift(asobject(grid), offset))


def solve_placed_upper_left(S, I, C):
    """In the upper left corner."""
    return placed(S, I, C, ORIGIN)


def solve_placed_upper_right(S, I, C):
    """In the upper right corner."""
    return placed(S, I, C, multiply(subtract(S, shape(I)), RIGHT))


def solve_placed_lower_left(S, I, C):
    """In the lower left corner."""
    return placed(S, I, C, multiply(subtract(S, shape(I)), DOWN))


def solve_placed_lower_right(S, I, C):
    """In the lower right corner."""
    return placed(S, I, C, subtract(S, shape(I)))


def solve_placed_middle(S, I, C):
    """In the middle."""
    return placed(S, I, C, divide(subtract(S, shape(I)), TWO))


def solve_scaled(S, I, C):
    """Scaled to the size."""
    return resize(I, S)
