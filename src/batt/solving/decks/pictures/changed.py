"""The grid in another scale, its halves, the grid without its edge or its plain lines, mirrored and turned."""

from batt.dsl import *


def scaled(I, factor, scale):
    """The grid in another scale."""
    made = scale(I, factor)
    return made


def changed(I, change):
    """The grid after one call."""
    made = change(I)
    return made


def solve_scaled(I):
    """The grid in scales of 2 to 4, of both sides or one."""
    return scaled, (2, 3, 4), (upscale, hupscale, vupscale, downscale)


def solve_part(I):
    """The halves of the grid, and the grid without its plain lines or its edge."""
    return changed, (tophalf, bottomhalf, lefthalf, righthalf, compress, trim)


def solve_turned(I):
    """The grid mirrored and turned."""
    return changed, (hmirror, vmirror, rot90, rot180, rot270, dmirror, cmirror)
