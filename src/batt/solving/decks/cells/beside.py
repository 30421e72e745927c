"""The colours of the cells beside a cell and two steps away."""

from batt.dsl import *

OUTSIDE = 10


def beside(grid, offset):
    """For each cell the colour of the cell at the opposite of `offset`."""
    size_of = shape(grid)
    blank = canvas(OUTSIDE, size_of)
    cells = asobject(grid)
    moved = shift(cells, offset)
    found = paint(blank, moved)
    return found


def solve_colour_beside_right(I):
    """The colour of the neighbour against right."""
    found = beside(I, RIGHT)
    return found


def solve_colour_beside_left(I):
    """The colour of the neighbour against left."""
    found = beside(I, LEFT)
    return found


def solve_colour_beside_down(I):
    """The colour of the neighbour against down."""
    found = beside(I, DOWN)
    return found


def solve_colour_beside_up(I):
    """The colour of the neighbour against up."""
    found = beside(I, UP)
    return found


def solve_colour_beside_down_right(I):
    """The colour of the neighbour against down and right."""
    found = beside(I, UNITY)
    return found


def solve_colour_beside_up_left(I):
    """The colour of the neighbour against up and left."""
    found = beside(I, NEG_UNITY)
    return found


def solve_colour_beside_down_left(I):
    """The colour of the neighbour against down and left."""
    found = beside(I, DOWN_LEFT)
    return found


def solve_colour_beside_up_right(I):
    """The colour of the neighbour against up and right."""
    found = beside(I, UP_RIGHT)
    return found


def solve_colour_two_right(I):
    """The colour two cells away, against right."""
    found = beside(I, ZERO_BY_TWO)
    return found


def solve_colour_two_down(I):
    """The colour two cells away, against down."""
    found = beside(I, TWO_BY_ZERO)
    return found


def solve_colour_two_left(I):
    """The colour two cells away, against left."""
    found = beside(I, (0, -2))
    return found


def solve_colour_two_up(I):
    """The colour two cells away, against up."""
    found = beside(I, (-2, 0))
    return found
