"""Edits that repeat a figure, or complete it by its mirror images."""

from batt.dsl import *
from batt.words import *


def repeated(figure, step):
    """A figure again and again, each time one step further."""
    return mapply(lambda count: shift(figure, multiply(step, count)), frozenset(interval(ZERO, 30, ONE)))


def solve_edit_repeated_right(S, I):
    """The figure repeated to the right, side by side."""
    return lambda figure: repeated(figure, tojvec(width(figure)))


def solve_edit_repeated_left(S, I):
    """The figure repeated to the left, side by side."""
    return lambda figure: repeated(figure, tojvec(-width(figure)))


def solve_edit_repeated_down(S, I):
    """The figure repeated downwards."""
    return lambda figure: repeated(figure, toivec(height(figure)))


def solve_edit_repeated_up(S, I):
    """The figure repeated upwards."""
    return lambda figure: repeated(figure, toivec(-height(figure)))


def solve_edit_repeated_right_apart(S, I):
    """The figure repeated to the right, one column apart."""
    return lambda figure: repeated(figure, tojvec(width(figure) + 1))


def solve_edit_repeated_down_apart(S, I):
    """The figure repeated downwards, one row apart."""
    return lambda figure: repeated(figure, toivec(height(figure) + 1))


def solve_edit_repeated_diagonally(S, I):
    """The figure repeated down and right, corner to corner."""
    return lambda figure: repeated(figure, shape(figure))


def with_mirror(figure):
    """A figure with its mirror image, left to right, where it has no cells."""
    return combine(figure, outside_of(vmirror(figure), toindices(figure)))


def with_mirror_down(figure):
    """A figure with its mirror image, top to bottom, where it has no cells."""
    return combine(figure, outside_of(hmirror(figure), toindices(figure)))


def with_turn(figure):
    """A figure with its mirror image across the diagonal, where it has no cells."""
    return combine(figure, outside_of(dmirror(figure), toindices(figure)))


def outside_of(figure, places):
    """The cells of a figure that are not in these places."""
    return sfilter(figure, lambda cell: flip(contained(cell[1], places)))


def solve_edit_with_mirror(S, I):
    """The figure with its mirror image, left to right."""
    return with_mirror


def solve_edit_with_mirror_down(S, I):
    """The figure with its mirror image, top to bottom."""
    return with_mirror_down


def solve_edit_with_mirrors(S, I):
    """The figure with its mirror images in both ways."""
    return compose(with_mirror_down, with_mirror)


def solve_edit_with_turns(S, I):
    """The figure with its mirror images in all ways."""
    return lambda figure: with_mirror_down(with_mirror(with_turn(figure)))
