"""Patches by place: every second one, halves, mirrored forms, and wide ones around or below a figure."""

from batt.dsl import *
from batt.words import *


def solve_patch_checks(S, I):
    """Every second place of its box, like a chess-board, from its corner."""
    return lambda figure: sfilter(
        backdrop(figure), lambda place: even(place[0] + place[1] - uppermost(figure) - leftmost(figure))
    )


def solve_patch_other_checks(S, I):
    """Every second place of its box, like a chess-board, beside its corner."""
    return lambda figure: sfilter(
        backdrop(figure), lambda place: (place[0] + place[1] - uppermost(figure) - leftmost(figure)) % 2
    )


def solve_patch_even_columns(S, I):
    """Every second column of it."""
    return lambda figure: sfilter(toindices(figure), lambda place: even(place[1] - leftmost(figure)))


def solve_patch_even_rows(S, I):
    """Every second row of it."""
    return lambda figure: sfilter(toindices(figure), lambda place: even(place[0] - uppermost(figure)))


def solve_patch_mirrored(S, I):
    """Its form, mirrored left to right."""
    return compose(vmirror, toindices)


def solve_patch_mirrored_down(S, I):
    """Its form, mirrored top to bottom."""
    return compose(hmirror, toindices)


def solve_patch_below(S, I):
    """The places below it that are as wide as it is, to the edge."""
    return lambda figure: mapply(rbind(shoot, DOWN), backdrop(figure))


def solve_patch_upper_half(S, I):
    """The upper half of it."""
    return lambda figure: sfilter(
        toindices(figure), lambda place: greater(uppermost(figure) + lowermost(figure), place[0] * 2)
    )


def solve_patch_left_half(S, I):
    """The left half of it."""
    return lambda figure: sfilter(
        toindices(figure), lambda place: greater(leftmost(figure) + rightmost(figure), place[1] * 2)
    )


def solve_patch_halo(S, I):
    """The places around its box, as far away as half its height."""
    return lambda figure: difference(
        backdrop(power(compose(outbox, backdrop), increment(height(figure) // 2))(figure)), backdrop(figure)
    )
