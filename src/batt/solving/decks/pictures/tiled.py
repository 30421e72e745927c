"""The grid laid beside itself, also mirrored and turned."""

from batt.dsl import *


def twice(I, join):
    """The grid beside itself."""
    made = join(I, I)
    return made


def before_turned(I, turn, join):
    """The grid, and beside it the grid turned."""
    b = turn(I)
    made = join(I, b)
    return made


def after_turned(I, turn, join):
    """The grid turned, and beside it the grid."""
    a = turn(I)
    made = join(a, I)
    return made


def solve_beside(I):
    """The grid and itself, mirrored or turned or not, side by side or one above the other."""
    both = (hconcat, vconcat)
    return (
        (twice, both),
        (before_turned, (vmirror, rot180, hmirror), both),
        (after_turned, (vmirror, hmirror), both),
    )


def solve_four_mirrors(I):
    """The grid and its mirror images around the middle."""
    turned = vmirror(I)
    top = hconcat(I, turned)
    bottom = hmirror(top)
    made = vconcat(top, bottom)
    return made


def solve_four_mirrors_in(I):
    """The mirror images, with the grid at the lower right."""
    turned = vmirror(I)
    bottom = hconcat(turned, I)
    top = hmirror(bottom)
    made = vconcat(top, bottom)
    return made


def solve_four_turns(I):
    """The grid and its three turns."""
    right = rot90(I)
    top = hconcat(I, right)
    left = rot270(I)
    half = rot180(I)
    bottom = hconcat(left, half)
    made = vconcat(top, bottom)
    return made


def solve_two_by_two(I):
    """The grid, two by two."""
    row = hconcat(I, I)
    made = vconcat(row, row)
    return made


def solve_three_by_three(I):
    """The grid, three by three."""
    two = hconcat(I, I)
    row = hconcat(two, I)
    rows = vconcat(row, row)
    made = vconcat(rows, row)
    return made


def solve_own_pattern(I):
    """The grid in place of each of its drawn cells."""
    ground = mostcolor(I)
    h = height(I)
    big = upscale(I, h)
    two = hconcat(I, I)
    row = hconcat(two, I)
    rows = vconcat(row, row)
    tiled = vconcat(rows, row)
    made = cellwise(big, tiled, ZERO)
    return made
