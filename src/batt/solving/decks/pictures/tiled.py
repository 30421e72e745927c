"""The grid laid beside itself, also mirrored and turned."""

from batt.dsl import *


def solve_h_own_own(I):
    """own and own, side by side."""
    made = hconcat(I, I)
    return made


def solve_v_own_own(I):
    """own above own."""
    made = vconcat(I, I)
    return made


def solve_h_own_vmirror(I):
    """own and vmirror, side by side."""
    b = vmirror(I)
    made = hconcat(I, b)
    return made


def solve_v_own_vmirror(I):
    """own above vmirror."""
    b = vmirror(I)
    made = vconcat(I, b)
    return made


def solve_h_own_rot180(I):
    """own and rot180, side by side."""
    b = rot180(I)
    made = hconcat(I, b)
    return made


def solve_v_own_rot180(I):
    """own above rot180."""
    b = rot180(I)
    made = vconcat(I, b)
    return made


def solve_h_own_hmirror(I):
    """own and hmirror, side by side."""
    b = hmirror(I)
    made = hconcat(I, b)
    return made


def solve_v_own_hmirror(I):
    """own above hmirror."""
    b = hmirror(I)
    made = vconcat(I, b)
    return made


def solve_h_vmirror_own(I):
    """vmirror and own, side by side."""
    a = vmirror(I)
    made = hconcat(a, I)
    return made


def solve_v_vmirror_own(I):
    """vmirror above own."""
    a = vmirror(I)
    made = vconcat(a, I)
    return made


def solve_h_hmirror_own(I):
    """hmirror and own, side by side."""
    a = hmirror(I)
    made = hconcat(a, I)
    return made


def solve_v_hmirror_own(I):
    """hmirror above own."""
    a = hmirror(I)
    made = vconcat(a, I)
    return made


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
