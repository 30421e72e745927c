"""Rows, columns, rings and diagonals of the grid."""

from batt.dsl import *

from ..idioms import marked


def solve_mark_uniform_lines(I):
    """Rows and columns of one colour."""
    lines = frontiers(I)
    places = merge(lines)
    found = marked(I, places)
    return found


def solve_mark_edge(I):
    """The cells at the edge of the grid."""
    cells = asindices(I)
    places = box(cells)
    found = marked(I, places)
    return found


def solve_mark_second_ring(I):
    """The cells next to those at the edge."""
    cells = asindices(I)
    places = inbox(cells)
    found = marked(I, places)
    return found


def solve_mark_even_rows(I):
    """Every other row, from the first."""
    h = height(I)
    w = width(I)
    rows = interval(ZERO, h, TWO)
    columns = interval(ZERO, w, ONE)
    places = product(rows, columns)
    found = marked(I, places)
    return found


def solve_mark_even_columns(I):
    """Every other column, from the first."""
    h = height(I)
    w = width(I)
    rows = interval(ZERO, h, ONE)
    columns = interval(ZERO, w, TWO)
    places = product(rows, columns)
    found = marked(I, places)
    return found


def solve_mark_chequers(I):
    """Every other cell, as on a chess board."""
    h = height(I)
    w = width(I)
    even_rows = interval(ZERO, h, TWO)
    odd_rows = interval(ONE, h, TWO)
    even_columns = interval(ZERO, w, TWO)
    odd_columns = interval(ONE, w, TWO)
    black = product(even_rows, even_columns)
    white = product(odd_rows, odd_columns)
    places = combine(black, white)
    found = marked(I, places)
    return found


def solve_mark_first_row(I):
    """The first row."""
    places = hfrontier(ORIGIN)
    found = marked(I, places)
    return found


def solve_mark_first_column(I):
    """The first column."""
    places = vfrontier(ORIGIN)
    found = marked(I, places)
    return found


def solve_mark_diagonal(I):
    """The diagonal."""
    places = shoot(ORIGIN, UNITY)
    found = marked(I, places)
    return found


def solve_mark_last_row(I):
    """The last row."""
    h = height(I)
    last_row = decrement(h)
    place = toivec(last_row)
    places = hfrontier(place)
    found = marked(I, places)
    return found


def solve_mark_last_column(I):
    """The last column."""
    w = width(I)
    last_column = decrement(w)
    place = tojvec(last_column)
    places = vfrontier(place)
    found = marked(I, places)
    return found


def solve_mark_other_diagonal(I):
    """The other diagonal."""
    w = width(I)
    last_column = decrement(w)
    place = tojvec(last_column)
    places = shoot(place, DOWN_LEFT)
    found = marked(I, places)
    return found
