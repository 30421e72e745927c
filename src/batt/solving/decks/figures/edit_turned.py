"""Edits of a figure in its place: mirrored, turned, or with two colours exchanged."""

from batt.dsl import *
from batt.words import *


def solve_edit_itself(S, I):
    """The figure unchanged."""
    return identity


def solve_edit_mirrored(S, I):
    """The figure mirrored left to right."""
    return vmirror


def solve_edit_mirrored_down(S, I):
    """The figure mirrored top to bottom."""
    return hmirror


def solve_edit_turned(S, I):
    """The figure turned by half."""
    return compose(vmirror, hmirror)


def solve_edit_across(S, I):
    """The figure mirrored across its diagonal."""
    return dmirror


def solve_edit_across_other(S, I):
    """The figure mirrored across its other diagonal."""
    return cmirror


def solve_edit_quarter(S, I):
    """The figure turned by a quarter, clockwise."""
    return compose(vmirror, dmirror)


def solve_edit_three_quarters(S, I):
    """The figure turned by a quarter, anticlockwise."""
    return compose(hmirror, dmirror)


def solve_edit_box_mirrored(S, I):
    """The cells of its box mirrored left to right."""
    return lambda figure: vmirror(toobject(backdrop(figure), I))


def solve_edit_box_mirrored_down(S, I):
    """The cells of its box mirrored top to bottom."""
    return lambda figure: hmirror(toobject(backdrop(figure), I))


def swapped(figure):
    """A figure with its main colour and its least frequent one exchanged."""
    return apply(
        lambda cell: (
            branch(
                equality(cell[0], mostcolor(figure)),
                leastcolor(figure),
                branch(equality(cell[0], leastcolor(figure)), mostcolor(figure), cell[0]),
            ),
            cell[1],
        ),
        figure,
    )


def solve_edit_swapped(S, I):
    """The figure with two colours exchanged."""
    return swapped
