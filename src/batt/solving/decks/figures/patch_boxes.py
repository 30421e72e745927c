"""Patches of a figure itself: its cells, its box, and what is around them."""

from batt.dsl import *
from batt.words import *

from .parts import around_of


def solve_patch_itself(S, I):
    """The figure itself."""
    return toindices


def solve_patch_holes(S, I):
    """Its holes."""
    return rbind(holes, F)


def solve_patch_holes_8(S, I):
    """Its holes that no path leads out of, not even around a corner."""
    return rbind(holes, T)


def solve_patch_delta(S, I):
    """The places of its box that it does not have."""
    return delta


def solve_patch_backdrop(S, I):
    """Its box."""
    return backdrop


def solve_patch_box(S, I):
    """The outline of its box."""
    return box


def solve_patch_outbox(S, I):
    """The outline around its box."""
    return outbox


def solve_patch_second_outbox(S, I):
    """The outline around the one around its box."""
    return compose(outbox, outbox)


def solve_patch_inbox(S, I):
    """The outline inside of its box."""
    return inbox


def solve_patch_corners(S, I):
    """The corners of its box."""
    return corners


def solve_patch_outer_corners(S, I):
    """The corners around its box."""
    return lambda figure: corners(outbox(figure))


def solve_patch_corner_above_left(S, I):
    """The corner around its box, above left."""
    return lambda figure: initset(add(ulcorner(figure), NEG_UNITY))


def solve_patch_corner_above_right(S, I):
    """The corner around its box, above right."""
    return lambda figure: initset(add(urcorner(figure), UP_RIGHT))


def solve_patch_corner_below_left(S, I):
    """The corner around its box, below left."""
    return lambda figure: initset(add(llcorner(figure), DOWN_LEFT))


def solve_patch_corner_below_right(S, I):
    """The corner around its box, below right."""
    return lambda figure: initset(add(lrcorner(figure), UNITY))


def solve_patch_line_above(S, I):
    """The line above its box."""
    return lambda figure: shift(connect(ulcorner(figure), urcorner(figure)), UP)


def solve_patch_line_below(S, I):
    """The line below its box."""
    return lambda figure: shift(connect(llcorner(figure), lrcorner(figure)), DOWN)


def solve_patch_line_left(S, I):
    """The line left of its box."""
    return lambda figure: shift(connect(ulcorner(figure), llcorner(figure)), LEFT)


def solve_patch_line_right(S, I):
    """The line right of its box."""
    return lambda figure: shift(connect(urcorner(figure), lrcorner(figure)), RIGHT)


def solve_patch_inner(S, I):
    """The box without its outline."""
    return lambda figure: difference(backdrop(figure), box(figure))


def solve_patch_around(S, I):
    """The places around it."""
    return around_of


def solve_patch_beside(S, I):
    """The places beside it, not at corners."""
    return lambda figure: difference(mapply(dneighbors, toindices(figure)), toindices(figure))


def solve_patch_diagonal(S, I):
    """The places that only touch it at a corner."""
    return lambda figure: difference(mapply(ineighbors, toindices(figure)), toindices(figure))


def solve_patch_core(S, I):
    """Its cells that have only its cells around them."""
    return lambda figure: difference(toindices(figure), mapply(neighbors, around_of(figure)))


def solve_patch_rim(S, I):
    """Its cells that have other cells around them."""
    return lambda figure: intersection(toindices(figure), mapply(neighbors, around_of(figure)))


def solve_patch_rim_4(S, I):
    """Its cells that have other cells beside them."""
    return lambda figure: intersection(toindices(figure), mapply(dneighbors, around_of(figure)))


def solve_patch_center(S, I):
    """The middle of its box."""
    return lambda figure: initset(center(figure))


def solve_patch_row(S, I):
    """The row of its middle."""
    return lambda figure: hfrontier(center(figure))


def solve_patch_column(S, I):
    """The column of its middle."""
    return lambda figure: vfrontier(center(figure))


def solve_patch_cross(S, I):
    """The row and the column of its middle."""
    return lambda figure: combine(hfrontier(center(figure)), vfrontier(center(figure)))


def solve_patch_rows(S, I):
    """All its rows."""
    return lambda figure: mapply(hfrontier, toindices(figure))


def solve_patch_columns(S, I):
    """All its columns."""
    return lambda figure: mapply(vfrontier, toindices(figure))


def solve_patch_diagonals(S, I):
    """The diagonals through its middle."""
    return lambda figure: mapply(lbind(shoot, center(figure)), ineighbors(ORIGIN))
