"""Solvers in the form in which people publish them, made by hand: imports, subscripts, unpacking, lambdas, operators."""

import numpy as np
from synth_package.core import *
from typing import FrozenSet, Tuple

from .helpers import something_else as another

BORDER = 1


def frame_size(grid: Tuple) -> int:
    h, w = shape(grid)
    return 2 * (h + w) - 4


def solve_corner(I):
    """The colour of the lower right corner everywhere."""
    last_row = I[-1]
    colour = last_row[-1]
    return canvas(colour, shape(I))


def solve_taller(S, I):
    """As many copies, one below the other, as the first demonstration shows."""
    pair = S[0]
    given, expected = pair
    ratio = height(expected) // height(given)
    return I * ratio


def verify_shifted(I: Tuple) -> Tuple:
    a, b = shape(I)
    objs = objects(I, T, F, T)
    offset = (a - b, -1)
    moved = apply(lambda obj: shift(obj, offset), objs)
    kept = sfilter(moved, lambda obj: uppermost(obj) >= 0)
    cells = frozenset(merge(kept)) - frozenset()
    n = frame_size(I)
    n += BORDER
    is_large = n > 10
    return paint(I, branch(is_large, cells, cells))
