"""The grid cut into three to five parts: the first, the last, the second, and the one that is unlike the others."""

from batt.dsl import *


def second(parts):
    """The second part."""
    return parts[1]


def part_of(I, count, cut, pick):
    """One part of the grid."""
    parts = cut(I, count)
    part = pick(parts)
    return part


def counted(I, count, make):
    """What is made of the grid with a count."""
    part = make(I, count)
    return part


def solve_split(I):
    """One of three to five parts side by side, or one below the other."""
    unlike = (part_of, (hsplit, vsplit), (first, last, leastcommon))
    middle = (part_of, (hsplit, vsplit), (second,))
    return counted, (3, 4, 5), (unlike, middle)
