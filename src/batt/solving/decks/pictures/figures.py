"""All figures, and the largest and the smallest one, in gray; the grid without single cells."""

from batt.dsl import *

from ..idioms import of_all_colours_8, of_one_colour, of_one_colour_8
from .properties import of_figures, picked


def solve_boxes_filled(I):
    """The boxes of all figures filled with gray."""
    figures = objects(I, T, T, T)
    places = mapply(delta, figures)
    made = fill(I, FIVE, places)
    return made


def solve_rings(I):
    """Rings around all figures in gray."""
    figures = objects(I, T, T, T)
    places = mapply(outbox, figures)
    made = underfill(I, FIVE, places)
    return made


def solve_inner_rings(I):
    """Rings within all figures in gray."""
    figures = objects(I, T, F, T)
    places = mapply(inbox, figures)
    made = fill(I, FIVE, places)
    return made


def in_gray(found, grid):
    """A figure in gray."""
    made = fill(grid, FIVE, found)
    return made


def without_dots(figures, grid):
    """The grid without single cells."""
    dots = sizefilter(figures, ONE)
    cells = merge(dots)
    made = cover(grid, cells)
    return made


def solve_in_gray(I):
    """For three ways to cut the grid: the largest and the smallest figure in gray, and the grid without single cells."""
    cuts = (of_one_colour, of_one_colour_8, of_all_colours_8)
    return of_figures, cuts, ((picked, (size,), (argmax, argmin), (in_gray,)), without_dots)
