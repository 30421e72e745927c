"""Edits that move a figure as far as it is wide or high, or has cells."""

from batt.dsl import *
from batt.words import *


def solve_edit_up_by_width(S, I):
    """The figure moved up by its width."""
    return lambda figure: shift(figure, toivec(-width(figure)))


def solve_edit_down_by_width(S, I):
    """The figure moved down by its width."""
    return lambda figure: shift(figure, toivec(width(figure)))


def solve_edit_right_by_height(S, I):
    """The figure moved right by its height."""
    return lambda figure: shift(figure, tojvec(height(figure)))


def solve_edit_left_by_height(S, I):
    """The figure moved left by its height."""
    return lambda figure: shift(figure, tojvec(-height(figure)))


def solve_edit_up_by_size(S, I):
    """The figure moved up by the number of its cells."""
    return lambda figure: shift(figure, toivec(-size(figure)))


def solve_edit_down_by_size(S, I):
    """The figure moved down by the number of its cells."""
    return lambda figure: shift(figure, toivec(size(figure)))


def solve_edit_right_by_size(S, I):
    """The figure moved right by the number of its cells."""
    return lambda figure: shift(figure, tojvec(size(figure)))


def solve_edit_left_by_size(S, I):
    """The figure moved left by the number of its cells."""
    return lambda figure: shift(figure, tojvec(-size(figure)))
