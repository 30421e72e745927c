"""Figures that a property picks: their boxes, also without the edge, the figures alone, and the grid without them."""

from batt.dsl import *

from ..idioms import form_of, is_mirrored, of_all_colours, of_all_colours_8, of_one_colour, of_one_colour_8
from .properties import box_area, commonest, fullness, gaps, is_not_mirrored, of_figures, picked, rarest


def with_ground(grid):
    """The figures of one colour, four neighbours, also those of the ground."""
    return objects(grid, T, F, F)


def alone(found, grid):
    """A figure alone on black."""
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def inside(found, grid):
    """The box of a figure without its edge."""
    part = subgrid(found, grid)
    inner = trim(part)
    return inner


def removed(found, grid):
    """The grid without a figure."""
    rest = cover(grid, found)
    return rest


def solve_crops(I):
    """The figures that properties pick, for each way to cut the grid, as they are used."""
    crop = (subgrid,)
    uses = (subgrid, alone, inside, removed)
    ends = (argmax, argmin)
    sizes = (picked, (size,), ends, uses)
    sides = (picked, (height, width), ends, crop)
    colours = (picked, (numcolors,), ends, crop)
    boxes = (picked, (box_area, gaps, fullness, uppermost, leftmost, lowermost, rightmost), ends, crop)
    tests = (picked, (is_mirrored, is_not_mirrored, square), (extract,), crop)
    rare_form = (picked, (form_of,), (rarest,), uses)
    common_form = (picked, (form_of,), (commonest,), crop)
    shared_by_one = (picked, (color, size, shape, palette), (rarest, commonest), crop)
    shared_by_all = (picked, (size, shape, numcolors, palette), (rarest, commonest), crop)
    # Figures of one colour each differ by it, the others by how many they have.
    of_one = (sizes, sides, boxes, tests, rare_form, common_form, shared_by_one)
    of_all = (sizes, sides, colours, boxes, tests, rare_form, common_form, shared_by_all)
    return (
        (of_figures, (of_one_colour, of_one_colour_8), of_one),
        (of_figures, (of_all_colours, of_all_colours_8), of_all),
        (of_figures, (with_ground, partition, fgpartition), of_one),
    )
