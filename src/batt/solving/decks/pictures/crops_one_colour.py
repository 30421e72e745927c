"""Crops of a figure of one colour, four neighbours, that a property picks."""

from batt.dsl import *

from ..idioms import form_of, is_mirrored
from .properties import box_area, commonest_by, fullness, gaps, is_not_mirrored, rarest_by


def solve_crop_most_size_one(I):
    """The box of the most size among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_most_size_one(I):
    """The most size among figures of one colour, four neighbours, alone on black."""
    figures = objects(I, T, F, T)
    found = argmax(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_most_size_one(I):
    """The box of the most size among figures of one colour, four neighbours, without its edge."""
    figures = objects(I, T, F, T)
    found = argmax(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_most_size_one(I):
    """The grid without the most size among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_least_size_one(I):
    """The box of the least size among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_least_size_one(I):
    """The least size among figures of one colour, four neighbours, alone on black."""
    figures = objects(I, T, F, T)
    found = argmin(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_least_size_one(I):
    """The box of the least size among figures of one colour, four neighbours, without its edge."""
    figures = objects(I, T, F, T)
    found = argmin(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_least_size_one(I):
    """The grid without the least size among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_most_height_one(I):
    """The box of the most height among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_least_height_one(I):
    """The box of the least height among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_most_width_one(I):
    """The box of the most width among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_least_width_one(I):
    """The box of the least width among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_most_box_area_one(I):
    """The box of the most box area among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_least_box_area_one(I):
    """The box of the least box area among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_most_gaps_one(I):
    """The box of the most gaps among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_least_gaps_one(I):
    """The box of the least gaps among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_most_fullness_one(I):
    """The box of the most fullness among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_least_fullness_one(I):
    """The box of the least fullness among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_most_uppermost_one(I):
    """The box of the most uppermost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_uppermost_one(I):
    """The box of the least uppermost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_leftmost_one(I):
    """The box of the most leftmost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_leftmost_one(I):
    """The box of the least leftmost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_most_lowermost_one(I):
    """The box of the most lowermost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_lowermost_one(I):
    """The box of the least lowermost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_rightmost_one(I):
    """The box of the most rightmost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_rightmost_one(I):
    """The box of the least rightmost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_mirrored_one(I):
    """The box of the mirrored among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = extract(figures, is_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_not_mirrored_one(I):
    """The box of the not mirrored among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = extract(figures, is_not_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_square_one(I):
    """The box of the square among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = extract(figures, square)
    part = subgrid(found, I)
    return part


def solve_crop_rare_form_of_one(I):
    """The box of the rare form of among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_alone_rare_form_of_one(I):
    """The rare form of among figures of one colour, four neighbours, alone on black."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, form_of)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_rare_form_of_one(I):
    """The box of the rare form of among figures of one colour, four neighbours, without its edge."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_rare_form_of_one(I):
    """The grid without the rare form of among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, form_of)
    rest = cover(I, found)
    return rest


def solve_crop_common_form_of_one(I):
    """The box of the common form of among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = commonest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_crop_rare_color_one(I):
    """The box of the rare color among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, color)
    part = subgrid(found, I)
    return part


def solve_crop_common_color_one(I):
    """The box of the common color among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = commonest_by(figures, color)
    part = subgrid(found, I)
    return part


def solve_crop_rare_size_one(I):
    """The box of the rare size among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_common_size_one(I):
    """The box of the common size among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = commonest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_rare_shape_one(I):
    """The box of the rare shape among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_common_shape_one(I):
    """The box of the common shape among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = commonest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_rare_palette_one(I):
    """The box of the rare palette among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_common_palette_one(I):
    """The box of the common palette among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = commonest_by(figures, palette)
    part = subgrid(found, I)
    return part
