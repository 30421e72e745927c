"""The grid cut into three to five parts: the first, the last, the second, and the one that is unlike the others."""

from batt.dsl import *


def solve_first_of_hsplit_3(I):
    """The first part of hsplit by 3."""
    parts = hsplit(I, 3)
    part = first(parts)
    return part


def solve_last_of_hsplit_3(I):
    """The last part of hsplit by 3."""
    parts = hsplit(I, 3)
    part = last(parts)
    return part


def solve_rare_of_hsplit_3(I):
    """The part of hsplit by 3 that is unlike the others."""
    parts = hsplit(I, 3)
    part = leastcommon(parts)
    return part


def solve_first_of_vsplit_3(I):
    """The first part of vsplit by 3."""
    parts = vsplit(I, 3)
    part = first(parts)
    return part


def solve_last_of_vsplit_3(I):
    """The last part of vsplit by 3."""
    parts = vsplit(I, 3)
    part = last(parts)
    return part


def solve_rare_of_vsplit_3(I):
    """The part of vsplit by 3 that is unlike the others."""
    parts = vsplit(I, 3)
    part = leastcommon(parts)
    return part


def solve_middle_of_hsplit_3(I):
    """The second part of hsplit by 3."""
    parts = hsplit(I, 3)
    part = parts[1]
    return part


def solve_middle_of_vsplit_3(I):
    """The second part of vsplit by 3."""
    parts = vsplit(I, 3)
    part = parts[1]
    return part


def solve_first_of_hsplit_4(I):
    """The first part of hsplit by 4."""
    parts = hsplit(I, 4)
    part = first(parts)
    return part


def solve_last_of_hsplit_4(I):
    """The last part of hsplit by 4."""
    parts = hsplit(I, 4)
    part = last(parts)
    return part


def solve_rare_of_hsplit_4(I):
    """The part of hsplit by 4 that is unlike the others."""
    parts = hsplit(I, 4)
    part = leastcommon(parts)
    return part


def solve_first_of_vsplit_4(I):
    """The first part of vsplit by 4."""
    parts = vsplit(I, 4)
    part = first(parts)
    return part


def solve_last_of_vsplit_4(I):
    """The last part of vsplit by 4."""
    parts = vsplit(I, 4)
    part = last(parts)
    return part


def solve_rare_of_vsplit_4(I):
    """The part of vsplit by 4 that is unlike the others."""
    parts = vsplit(I, 4)
    part = leastcommon(parts)
    return part


def solve_middle_of_hsplit_4(I):
    """The second part of hsplit by 4."""
    parts = hsplit(I, 4)
    part = parts[1]
    return part


def solve_middle_of_vsplit_4(I):
    """The second part of vsplit by 4."""
    parts = vsplit(I, 4)
    part = parts[1]
    return part


def solve_first_of_hsplit_5(I):
    """The first part of hsplit by 5."""
    parts = hsplit(I, 5)
    part = first(parts)
    return part


def solve_last_of_hsplit_5(I):
    """The last part of hsplit by 5."""
    parts = hsplit(I, 5)
    part = last(parts)
    return part


def solve_rare_of_hsplit_5(I):
    """The part of hsplit by 5 that is unlike the others."""
    parts = hsplit(I, 5)
    part = leastcommon(parts)
    return part


def solve_first_of_vsplit_5(I):
    """The first part of vsplit by 5."""
    parts = vsplit(I, 5)
    part = first(parts)
    return part


def solve_last_of_vsplit_5(I):
    """The last part of vsplit by 5."""
    parts = vsplit(I, 5)
    part = last(parts)
    return part


def solve_rare_of_vsplit_5(I):
    """The part of vsplit by 5 that is unlike the others."""
    parts = vsplit(I, 5)
    part = leastcommon(parts)
    return part


def solve_middle_of_hsplit_5(I):
    """The second part of hsplit by 5."""
    parts = hsplit(I, 5)
    part = parts[1]
    return part


def solve_middle_of_vsplit_5(I):
    """The second part of vsplit by 5."""
    parts = vsplit(I, 5)
    part = parts[1]
    return part
