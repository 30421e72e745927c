"""Colours: those of figures and places that a figure has to do with, of keys, and those seen from it."""

from batt.dsl import *
from batt.words import *

from ..idioms import NO_COLOUR, form_of, is_within
from .parts import around_of, nearest, others_of, touching, turned_forms


def colour_of_first(figures):
    """The main colour of the first of some figures; NO_COLOUR if there is none."""
    colours = apply(mostcolor, totuple(figures)) + (NO_COLOUR,)
    return colours[0]


def main_colour(figure):
    """The most frequent colour of a figure; NO_COLOUR if it is empty."""
    return mostcolor(insert((NO_COLOUR, ORIGIN), figure))


def solve_colour_own(S, I):
    """The main colour."""
    return mostcolor


def solve_colour_least(S, I):
    """The least frequent colour of the figure."""
    return leastcolor


def solve_colour_ground(S, I):
    """The most frequent colour of the grid."""
    ground = mostcolor(I)
    return lambda figure: ground


def solve_colour_rarest(S, I):
    """The least frequent colour of the grid."""
    rarest = leastcolor(I)
    return lambda figure: rarest


def solve_colour_of_largest(S, I):
    """The colour of the largest figure."""
    found = mostcolor(argmax(S, size))
    return lambda figure: found


def solve_colour_of_smallest(S, I):
    """The colour of the smallest figure."""
    found = mostcolor(argmin(S, size))
    return lambda figure: found


def solve_colour_of_nearest(S, I):
    """The colour of the nearest figure."""
    return lambda figure: colour_of_first(nearest(S, figure))


def solve_colour_of_touching(S, I):
    """The colour of a figure that it touches."""
    return lambda figure: colour_of_first(touching(S, figure))


def solve_colour_around(S, I):
    """The most frequent colour around it that is not the ground."""
    ground = mostcolor(I)
    return lambda figure: main_colour(
        sfilter(toobject(around_of(figure), I), lambda cell: flip(equality(cell[0], ground)))
    )


def solve_colour_around_any(S, I):
    """The most frequent colour around it."""
    return lambda figure: mostcolor(toobject(around_of(figure), I))


def solve_colour_of_inner(S, I):
    """The colour of a figure in its box."""
    return lambda figure: colour_of_first(sfilter(others_of(S, figure), lambda each: is_within(each, figure)))


def solve_colour_of_outer(S, I):
    """The colour of a figure in whose box it is."""
    return lambda figure: colour_of_first(sfilter(others_of(S, figure), lambda each: is_within(figure, each)))


def solve_colour_of_same_form(S, I):
    """The colour of another figure of the same form."""
    return lambda figure: colour_of_first(sfilter(others_of(S, figure), matcher(form_of, form_of(figure))))


def solve_colour_of_turned_form(S, I):
    """The colour of another figure of the same form, however turned."""
    return lambda figure: colour_of_first(sfilter(others_of(S, figure), matcher(turned_forms, turned_forms(figure))))


def solve_colour_of_same_size(S, I):
    """The colour of another figure of the same size."""
    return lambda figure: colour_of_first(sfilter(others_of(S, figure), matcher(size, size(figure))))


def solve_colour_in_rows(S, I):
    """The colour of another figure in its rows."""
    return lambda figure: colour_of_first(sfilter(others_of(S, figure), rbind(hmatching, figure)))


def solve_colour_in_columns(S, I):
    """The colour of another figure in its columns."""
    return lambda figure: colour_of_first(sfilter(others_of(S, figure), rbind(vmatching, figure)))


def solve_colour_row_start(S, I):
    """The colour at the start of its first row."""
    return lambda figure: index(I, (uppermost(figure), 0))


def solve_colour_row_end(S, I):
    """The colour at the end of its first row."""
    last_column = decrement(width(I))
    return lambda figure: index(I, astuple(uppermost(figure), last_column))


def solve_colour_column_start(S, I):
    """The colour at the top of its first column."""
    return lambda figure: index(I, (0, leftmost(figure)))


def solve_colour_column_end(S, I):
    """The colour at the bottom of its first column."""
    last_row = decrement(height(I))
    return lambda figure: index(I, astuple(last_row, leftmost(figure)))


def solve_colour_box_rarest(S, I):
    """The least frequent colour in its box."""
    return lambda figure: leastcolor(subgrid(figure, I))


def solve_colour_corner(S, I):
    """The colour of the first cell of the grid."""
    found = index(I, ORIGIN)
    return lambda figure: found


def solve_colour_of_smallest_in_rows(S, I):
    """The colour of the smallest figure in its rows."""
    return lambda figure: mostcolor(argmin(sfilter(S, rbind(hmatching, figure)), size))


def solve_colour_of_smallest_in_columns(S, I):
    """The colour of the smallest figure in its columns."""
    return lambda figure: mostcolor(argmin(sfilter(S, rbind(vmatching, figure)), size))


def solve_colour_of_smallest_around(S, I):
    """The colour of the smallest figure in its box."""
    return lambda figure: mostcolor(argmin(sfilter(S, lambda each: is_within(each, figure)), size))


def solve_colour_of_nearest_other(S, I):
    """The colour of the nearest figure of another colour."""
    return lambda figure: colour_of_first(
        sfilter(nearest(S, figure), compose(flip, matcher(mostcolor, mostcolor(figure))))
    )


def keys_of(grid):
    """The figures of several colours, the smallest first."""
    return order(sfilter(objects(grid, F, T, T), lambda each: greater(numcolors(each), ONE)), size)


def key_colour(keys, colour):
    """The other colour of the smallest figure of several colours that has a colour; NO_COLOUR if there is none."""
    found = sfilter(keys, lambda each: contained(colour, palette(each))) + (frozenset(),)
    return main_colour(sfilter(found[0], lambda cell: flip(equality(cell[0], colour))))


def solve_colour_key(S, I):
    """The colour that is with its colour in the smallest figure of several colours."""
    keys = keys_of(I)
    return lambda figure: key_colour(keys, mostcolor(figure))


def colour_beside(grid, offset, colour):
    """The most frequent colour at an offset from cells of a colour that is neither the ground nor this colour."""
    ground = mostcolor(grid)
    cells = toobject(shift(ofcolor(grid, colour), offset), grid)
    return main_colour(sfilter(cells, lambda cell: flip(either(equality(cell[0], ground), equality(cell[0], colour)))))


def solve_colour_key_right(S, I):
    """The colour that is right of cells of its colour."""
    return lambda figure: colour_beside(I, RIGHT, mostcolor(figure))


def solve_colour_key_left(S, I):
    """The colour that is left of cells of its colour."""
    return lambda figure: colour_beside(I, LEFT, mostcolor(figure))


def solve_colour_key_below(S, I):
    """The colour that is below cells of its colour."""
    return lambda figure: colour_beside(I, DOWN, mostcolor(figure))


def solve_colour_key_above(S, I):
    """The colour that is above cells of its colour."""
    return lambda figure: colour_beside(I, UP, mostcolor(figure))


def seen_colour(grid, direction, figure):
    """The first colour that is seen from the middle of a figure in a direction, but the ground and the figure itself."""
    ground = mostcolor(grid)
    start = center(figure)
    line = difference(shoot(start, direction), toindices(figure))
    cells = sfilter(toobject(line, grid), lambda cell: flip(equality(cell[0], ground)))
    ordered = order(cells, lambda cell: manhattan(initset(cell), initset((ZERO, start))))
    return (apply(lambda cell: cell[0], ordered) + (NO_COLOUR,))[0]


def solve_colour_seen_up(S, I):
    """The first colour above its middle."""
    return lambda figure: seen_colour(I, UP, figure)


def solve_colour_seen_down(S, I):
    """The first colour below its middle."""
    return lambda figure: seen_colour(I, DOWN, figure)


def solve_colour_seen_left(S, I):
    """The first colour left of its middle."""
    return lambda figure: seen_colour(I, LEFT, figure)


def solve_colour_seen_right(S, I):
    """The first colour right of its middle."""
    return lambda figure: seen_colour(I, RIGHT, figure)
