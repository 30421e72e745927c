"""How many cells of the grid have a cell's colour."""

from batt.dsl import *

from ..idioms import measured
from .figure_sizes import rank_of


def solve_mark_own_count(I):
    """The number of cells of the same colour in the grid."""
    layers = partition(I)
    found = measured(I, layers, size)
    return found


def solve_mark_colour_rank(I):
    """The rank of the cell's colour by its number of cells."""
    layers = partition(I)
    place = lbind(rank_of, layers)
    found = measured(I, layers, place)
    return found
