"""The grid mirrored and turned."""

from batt.dsl import *


def solve_hmirror(I):
    """The grid after hmirror."""
    made = hmirror(I)
    return made


def solve_vmirror(I):
    """The grid after vmirror."""
    made = vmirror(I)
    return made


def solve_rot90(I):
    """The grid after rot90."""
    made = rot90(I)
    return made


def solve_rot180(I):
    """The grid after rot180."""
    made = rot180(I)
    return made


def solve_rot270(I):
    """The grid after rot270."""
    made = rot270(I)
    return made


def solve_dmirror(I):
    """The grid after dmirror."""
    made = dmirror(I)
    return made


def solve_cmirror(I):
    """The grid after cmirror."""
    made = cmirror(I)
    return made
