"""Orders: rows or columns by what they have, and lines in their main colour."""

from batt.dsl import *
from batt.words import *

from ..idioms import drawn_places


def drawn_count(ground, row):
    """The number of cells of a row that are not of the ground."""
    return size(sfilter(row, lambda cell: flip(equality(cell, ground))))


def rows_ordered(grid):
    """The rows of a grid by the number of their drawn cells, the fewest first."""
    ground = mostcolor(grid)
    return order(grid, lambda row: drawn_count(ground, row))


def rows_ordered_back(grid):
    """The rows of a grid by the number of their drawn cells, the most first."""
    ground = mostcolor(grid)
    return order(grid, lambda row: invert(drawn_count(ground, row)))


def pushed(direction, grid):
    """The grid with all its cells moved in a direction until something stops them."""
    return fall(grid, mostcolor(grid), apply(initset, toobject(drawn_places(grid), grid)), direction)


def main_rows(grid):
    """Each row in its most frequent colour."""
    return apply(lambda row: repeat(mostcommon(row), size(row)), grid)


def solve_rows_ordered(I):
    """The rows with the fewest drawn cells first."""
    return rows_ordered(I)


def solve_rows_ordered_back(I):
    """The rows with the most drawn cells first."""
    return rows_ordered_back(I)


def solve_columns_ordered(I):
    """The columns with the fewest drawn cells first."""
    return dmirror(rows_ordered(dmirror(I)))


def solve_columns_ordered_back(I):
    """The columns with the most drawn cells first."""
    return dmirror(rows_ordered_back(dmirror(I)))


def solve_rows_ordered_left(I):
    """The rows with the fewest drawn cells first, which all move to the left."""
    return rows_ordered(pushed(LEFT, I))


def solve_rows_ordered_right(I):
    """The rows with the fewest drawn cells first, which all move to the right."""
    return rows_ordered(pushed(RIGHT, I))


def solve_columns_ordered_up(I):
    """The columns with the fewest drawn cells first, which all move up."""
    return dmirror(rows_ordered(dmirror(pushed(UP, I))))


def solve_columns_ordered_down(I):
    """The columns with the fewest drawn cells first, which all move down."""
    return dmirror(rows_ordered(dmirror(pushed(DOWN, I))))


def solve_main_rows(I):
    """Each row in its most frequent colour."""
    return main_rows(I)


def solve_main_columns(I):
    """Each column in its most frequent colour."""
    return dmirror(main_rows(dmirror(I)))


def changed_count(grid, made):
    """The number of cells that differ."""
    return size(difference(asobject(grid), asobject(made)))


def solve_main_lines(I):
    """Each row, or each column, in its most frequent colour, by which changes fewer cells."""
    along, across = dmirror(main_rows(dmirror(I))), main_rows(I)
    return branch(greater(changed_count(I, along), changed_count(I, across)), across, along)
