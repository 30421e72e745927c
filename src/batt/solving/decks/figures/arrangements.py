"""Arrangements: grids that show all figures of a set S of the grid I, each as a cell or as a crop. C is handed over."""

from batt.dsl import *
from batt.words import *


def band_starts(figures, start_of, end_of):
    """The rows (or columns) where a figure starts and which no other figure crosses."""
    starts = apply(start_of, figures)
    crosses = lambda line, each: both(greater(line, start_of(each)), greater(end_of(each), decrement(line)))
    return sfilter(starts, lambda line: equality(size(sfilter(figures, lbind(crosses, line))), ZERO))


def band_of(starts, line):
    """The number of the band that a line is in."""
    return decrement(size(sfilter(starts, lbind(greater, increment(line)))))


def solve_layout(S, I, C):
    """A cell for each figure with what C gives for it, in the rows and columns in which the figures lie; else black."""
    rows = band_starts(S, uppermost, lowermost)
    columns = band_starts(S, leftmost, rightmost)
    cells = apply(
        lambda each: astuple(C(each), astuple(band_of(rows, uppermost(each)), band_of(columns, leftmost(each)))), S
    )
    return paint(canvas(ZERO, astuple(size(rows), size(columns))), cells)


def solve_crops_across(S, I, C):
    """The crops S side by side."""
    return dmirror(merge(apply(dmirror, S)))


def solve_crops_down(S, I, C):
    """The crops S below one another."""
    return merge(S)


def solve_row_by_row(S, I, C):
    """The colours S in the first places of the grid I, row by row."""
    return paint(I, pair(S, order(asindices(I), identity)))


def solve_column_by_column(S, I, C):
    """The colours S in the first places of the grid I, column by column."""
    return paint(I, pair(S, order(asindices(I), lambda place: astuple(place[1], place[0]))))


def solve_to_and_fro(S, I, C):
    """The colours S in the first places of the grid I, row by row, every second row from the right."""
    places = order(asindices(I), lambda place: astuple(place[0], branch(even(place[0]), place[1], invert(place[1]))))
    return paint(I, pair(S, places))


def solve_from_below(S, I, C):
    """The colours S in the first places of the grid I, row by row from below."""
    return paint(I, pair(S, order(asindices(I), lambda place: astuple(invert(place[0]), place[1]))))


def ring_of(dims, place):
    """The number of the ring of a grid of this size that a place is in, from the outside."""
    return minimum(combine(place, subtract(decrement(dims), place)))


def solve_rings(S, I, C):
    """The colours S in the rings of the grid I, from the outside."""
    of_ring = lambda place: ring_of(shape(I), place)
    places = sfilter(asindices(I), lambda place: greater(size(S), of_ring(place)))
    return paint(I, apply(lambda place: astuple(S[of_ring(place)], place), places))


def crop_cells(see_through, crop):
    """The cells of a crop that do not have a colour."""
    return toobject(difference(asindices(crop), ofcolor(crop, see_through)), crop)


def solve_crops_overlaid(S, I, C):
    """The crops S on one another, on the grid I, without their cells of the colour C."""
    return paintorder(I, apply(lbind(crop_cells, C), S))


def without_first(grid):
    """A grid without its first row."""
    return crop(grid, DOWN, subtract(shape(grid), DOWN))


def solve_crops_across_apart(S, I, C):
    """The crops S side by side, with a column of the colour C between them."""
    apart = apply(lambda each: combine(repeat(repeat(C, height(each)), ONE), dmirror(each)), S)
    return dmirror(without_first(merge(apart)))


def solve_crops_down_apart(S, I, C):
    """The crops S below one another, with a row of the colour C between them."""
    apart = apply(lambda each: combine(repeat(repeat(C, width(each)), ONE), each), S)
    return without_first(merge(apart))


# The crops of all figures


def solve_all_box(S, I, C):
    """The parts of the grid in the boxes of figures."""
    return apply(rbind(subgrid, I), S)


def solve_all_alone(S, I, C):
    """Each figure alone, on black."""
    return apply(lambda each: paint(canvas(ZERO, shape(each)), normalize(each)), S)


def solve_all_on_ground(S, I, C):
    """Each figure alone, on the most frequent colour of the grid."""
    return apply(lambda each: paint(canvas(mostcolor(I), shape(each)), normalize(each)), S)


def solve_all_inner(S, I, C):
    """The parts of the grid in the boxes of figures, without their outermost cells."""
    return apply(lambda each: trim(subgrid(each, I)), S)


def solve_all_wide(S, I, C):
    """The parts of the grid in the boxes of figures and one cell around them."""
    return apply(lambda each: subgrid(outbox(each), I), S)
