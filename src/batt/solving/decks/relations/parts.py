"""What the functions of related figures are made of."""

from batt.dsl import *
from batt.words import *


def with_all(found, edit, figure):
    """What an edit makes of a figure with each of the related ones, together."""
    return mapply(lambda other: edit(figure, other), frozenset(found(figure)))


def way_to(one, other):
    """The direction in rows and columns from one figure to another; 0 where they overlap."""
    down = greater(uppermost(other), lowermost(one))
    up = greater(uppermost(one), lowermost(other))
    right = greater(leftmost(other), rightmost(one))
    left = greater(leftmost(one), rightmost(other))
    return (branch(down, 1, branch(up, -1, 0)), branch(right, 1, branch(left, -1, 0)))
