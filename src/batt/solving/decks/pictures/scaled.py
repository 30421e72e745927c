"""The grid in another scale."""

from batt.dsl import *


def solve_upscale_2(I):
    """The grid after upscale by 2."""
    made = upscale(I, 2)
    return made


def solve_hupscale_2(I):
    """The grid after hupscale by 2."""
    made = hupscale(I, 2)
    return made


def solve_vupscale_2(I):
    """The grid after vupscale by 2."""
    made = vupscale(I, 2)
    return made


def solve_downscale_2(I):
    """The grid after downscale by 2."""
    made = downscale(I, 2)
    return made


def solve_upscale_3(I):
    """The grid after upscale by 3."""
    made = upscale(I, 3)
    return made


def solve_hupscale_3(I):
    """The grid after hupscale by 3."""
    made = hupscale(I, 3)
    return made


def solve_vupscale_3(I):
    """The grid after vupscale by 3."""
    made = vupscale(I, 3)
    return made


def solve_downscale_3(I):
    """The grid after downscale by 3."""
    made = downscale(I, 3)
    return made


def solve_upscale_4(I):
    """The grid after upscale by 4."""
    made = upscale(I, 4)
    return made


def solve_hupscale_4(I):
    """The grid after hupscale by 4."""
    made = hupscale(I, 4)
    return made


def solve_vupscale_4(I):
    """The grid after vupscale by 4."""
    made = vupscale(I, 4)
    return made


def solve_downscale_4(I):
    """The grid after downscale by 4."""
    made = downscale(I, 4)
    return made
