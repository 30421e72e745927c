"""The boxes of all that is drawn, and single cells of one colour."""

from batt.dsl import *


def solve_drawn_box(I):
    """The box of all that is drawn."""
    layers = fgpartition(I)
    cells = merge(layers)
    part = subgrid(cells, I)
    return part


def solve_box_of_not_black(I):
    """The box of all that is not black."""
    places = asindices(I)
    black = ofcolor(I, ZERO)
    rest = difference(places, black)
    part = subgrid(rest, I)
    return part


def solve_box_of_black(I):
    """The box of all that is black."""
    places = ofcolor(I, ZERO)
    part = subgrid(places, I)
    return part


def solve_cell_of_most(I):
    """A single cell of the most frequent colour."""
    colour = mostcolor(I)
    made = canvas(colour, UNITY)
    return made


def solve_cell_of_least(I):
    """A single cell of the rarest colour."""
    colour = leastcolor(I)
    made = canvas(colour, UNITY)
    return made


def solve_cell_of_drawn(I):
    """A single cell of the most frequent colour that is drawn."""
    layers = fgpartition(I)
    cells = merge(layers)
    colour = mostcolor(cells)
    made = canvas(colour, UNITY)
    return made
