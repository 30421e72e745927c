"""Edits that move a figure: beside itself, to the edges, until something stops it, or to another figure."""

from batt.dsl import *
from batt.words import *

from ..idioms import form_of
from .parts import nearest, others_of, pulled


def solve_edit_left_copy(S, I):
    """A mirrored copy on its left."""
    return lambda figure: shift(vmirror(figure), tojvec(-width(figure)))


def solve_edit_right_copy(S, I):
    """A mirrored copy on its right."""
    return lambda figure: shift(vmirror(figure), tojvec(width(figure)))


def solve_edit_upper_copy(S, I):
    """A mirrored copy above it."""
    return lambda figure: shift(hmirror(figure), toivec(-height(figure)))


def solve_edit_lower_copy(S, I):
    """A mirrored copy below it."""
    return lambda figure: shift(hmirror(figure), toivec(height(figure)))


def solve_edit_by_width(S, I):
    """The figure moved right by its width."""
    return lambda figure: shift(figure, tojvec(width(figure)))


def solve_edit_back_by_width(S, I):
    """The figure moved left by its width."""
    return lambda figure: shift(figure, tojvec(-width(figure)))


def solve_edit_by_height(S, I):
    """The figure moved down by its height."""
    return lambda figure: shift(figure, toivec(height(figure)))


def solve_edit_back_by_height(S, I):
    """The figure moved up by its height."""
    return lambda figure: shift(figure, toivec(-height(figure)))


def solve_edit_grid_mirrored(S, I):
    """The figure where it is in the grid mirrored left to right."""
    return lambda figure: shift(vmirror(figure), tojvec(width(I) - 1 - leftmost(figure) - rightmost(figure)))


def solve_edit_grid_mirrored_down(S, I):
    """The figure where it is in the grid mirrored top to bottom."""
    return lambda figure: shift(hmirror(figure), toivec(height(I) - 1 - uppermost(figure) - lowermost(figure)))


def solve_edit_top(S, I):
    """The figure at the top of the grid."""
    return lambda figure: shift(figure, toivec(-uppermost(figure)))


def solve_edit_bottom(S, I):
    """The figure at the bottom of the grid."""
    return lambda figure: shift(figure, toivec(height(I) - 1 - lowermost(figure)))


def solve_edit_left(S, I):
    """The figure at the left of the grid."""
    return lambda figure: shift(figure, tojvec(-leftmost(figure)))


def solve_edit_right(S, I):
    """The figure at the right of the grid."""
    return lambda figure: shift(figure, tojvec(width(I) - 1 - rightmost(figure)))


def is_free(places, figure):
    """Whether all places of a figure are among these."""
    return equality(size(difference(toindices(figure), places)), ZERO)


def slid(free, direction, figure):
    """A figure moved in a direction until a place is not free."""
    allowed = combine(free, toindices(figure))
    moves = apply(lambda count: multiply(direction, count), interval(ONE, 30, ONE))
    blocked = extract(moves, lambda offset: flip(is_free(allowed, shift(figure, offset))))
    return shift(figure, subtract(blocked, direction))


def ground_of(grid):
    """The places of the most frequent colour."""
    return ofcolor(grid, mostcolor(grid))


def solve_edit_slid_down(S, I):
    """The figure moved down until something stops it."""
    return lbind(lbind(slid, ground_of(I)), DOWN)


def solve_edit_slid_up(S, I):
    """The figure moved up until something stops it."""
    return lbind(lbind(slid, ground_of(I)), UP)


def solve_edit_slid_left(S, I):
    """The figure moved to the left until something stops it."""
    return lbind(lbind(slid, ground_of(I)), LEFT)


def solve_edit_slid_right(S, I):
    """The figure moved to the right until something stops it."""
    return lbind(lbind(slid, ground_of(I)), RIGHT)


def solve_edit_to_largest(S, I):
    """The figure moved to the largest one."""
    goals = (argmax(S, size),)
    return lambda figure: pulled(figure, goals)


def solve_edit_to_smallest(S, I):
    """The figure moved to the smallest one."""
    goals = (argmin(S, size),)
    return lambda figure: pulled(figure, goals)


def solve_edit_to_nearest(S, I):
    """The figure moved to the nearest one."""
    return lambda figure: pulled(figure, nearest(S, figure))


def solve_edit_to_same_colour(S, I):
    """The figure moved to another of its colour."""
    return lambda figure: pulled(figure, sfilter(nearest(S, figure), matcher(mostcolor, mostcolor(figure))))


def solve_edit_at_nearest(S, I):
    """The figure at the corner of the nearest one."""
    return lambda figure: shift(
        figure, subtract(ulcorner((nearest(S, figure) + (figure,))[0]), ulcorner(figure))
    )


def solve_edit_at_same_form(S, I):
    """The figure at the place of another of the same form."""
    return lambda figure: shift(
        figure,
        subtract(
            ulcorner((sfilter(others_of(S, figure), matcher(form_of, form_of(figure))) + (figure,))[0]), ulcorner(figure)
        ),
    )


def solve_edit_on_largest_row(S, I):
    """The figure moved to the first row of the largest one."""
    goal = uppermost(argmax(S, size))
    return lambda figure: shift(figure, toivec(goal - uppermost(figure)))


def solve_edit_on_largest_column(S, I):
    """The figure moved to the first column of the largest one."""
    goal = leftmost(argmax(S, size))
    return lambda figure: shift(figure, tojvec(goal - leftmost(figure)))
