"""What is around a cell, whether figures enclose it, and where it lies in the grid."""

from batt.dsl import *
from batt.words import *

from ..idioms import around, drawn_places, marked, zeros
from .parts import depth_within, halves_across, halves_down


def numbered(grid, places, number):
    """Each of the places painted with its number, on zeros."""
    blank = zeros(grid)
    cell = fork(astuple, number, identity)
    cells = apply(cell, places)
    found = paint(blank, cells)
    return found


def alike_around(grid, reach):
    """For each cell how many cells around it have its colour."""
    layers = partition(grid)
    made = mapply(lbind(alike_in, reach), layers)
    blank = zeros(grid)
    found = paint(blank, made)
    return found


def alike_in(reach, layer):
    """The places of a layer, each with the number of places around it that are in the layer."""
    places = toindices(layer)
    near = compose(lbind(intersection, places), reach)
    count = compose(size, near)
    cell = fork(astuple, count, identity)
    cells = apply(cell, places)
    return cells


def row_of(cells, place):
    """The number of places in the row of a place, at most 30."""
    line = hfrontier(place)
    found = intersection(cells, line)
    count = size(found)
    return count


def column_of(cells, place):
    """The number of places in the column of a place, at most 30."""
    line = vfrontier(place)
    found = intersection(cells, line)
    count = size(found)
    return count


def solve_mark_around_8(I):
    """The number of neighbours that are not ground."""
    places = drawn_places(I)
    found = around(I, places, neighbors)
    return found


def solve_mark_around_4(I):
    """The number of neighbours that are not ground, diagonal ones aside."""
    places = drawn_places(I)
    found = around(I, places, dneighbors)
    return found


def solve_mark_alike_8(I):
    """The number of neighbours of the same colour."""
    found = alike_around(I, neighbors)
    return found


def solve_mark_alike_4(I):
    """The number of neighbours of the same colour, diagonal ones aside."""
    found = alike_around(I, dneighbors)
    return found


def solve_mark_inside_4(I):
    """The cells of the ground that figures enclose."""
    ground = mostcolor(I)
    places = inside(I, ground, F)
    found = marked(I, places)
    return found


def solve_mark_inside_8(I):
    """The cells of the ground that figures enclose without a diagonal gap."""
    ground = mostcolor(I)
    places = inside(I, ground, T)
    found = marked(I, places)
    return found


def solve_mark_depth(I):
    """How far a cell is from the edge of the grid."""
    cells = asobject(I)
    made = depth_within(cells)
    blank = zeros(I)
    found = paint(blank, made)
    return found


def solve_mark_halves_down(I):
    """The upper half of the grid, its middle row, and the lower half."""
    cells = asobject(I)
    made = halves_down(cells)
    blank = zeros(I)
    found = paint(blank, made)
    return found


def solve_mark_halves_across(I):
    """The left half of the grid, its middle column, and the right half."""
    cells = asobject(I)
    made = halves_across(cells)
    blank = zeros(I)
    found = paint(blank, made)
    return found


def solve_mark_drawn_in_row(I):
    """The number of cells of the row that are not ground."""
    places = drawn_places(I)
    cells = asindices(I)
    found = numbered(I, cells, lbind(row_of, places))
    return found


def solve_mark_drawn_in_column(I):
    """The number of cells of the column that are not ground."""
    places = drawn_places(I)
    cells = asindices(I)
    found = numbered(I, cells, lbind(column_of, places))
    return found
