"""Halves of the grid, and the grid without its edge or its plain lines."""

from batt.dsl import *


def solve_tophalf(I):
    """The grid after tophalf."""
    made = tophalf(I)
    return made


def solve_bottomhalf(I):
    """The grid after bottomhalf."""
    made = bottomhalf(I)
    return made


def solve_lefthalf(I):
    """The grid after lefthalf."""
    made = lefthalf(I)
    return made


def solve_righthalf(I):
    """The grid after righthalf."""
    made = righthalf(I)
    return made


def solve_compress(I):
    """The grid after compress."""
    made = compress(I)
    return made


def solve_trim(I):
    """The grid after trim."""
    made = trim(I)
    return made
