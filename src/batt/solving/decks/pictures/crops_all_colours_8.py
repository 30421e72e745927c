"""Crops of a figure of all colours, eight neighbours, that a property picks."""

from batt.dsl import *

from ..idioms import form_of, is_mirrored
from .properties import box_area, commonest_by, fullness, gaps, is_not_mirrored, rarest_by


def solve_crop_most_size_all_8(I):
    """The box of the most size among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_most_size_all_8(I):
    """The most size among figures of all colours, eight neighbours, alone on black."""
    figures = objects(I, F, T, T)
    found = argmax(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_most_size_all_8(I):
    """The box of the most size among figures of all colours, eight neighbours, without its edge."""
    figures = objects(I, F, T, T)
    found = argmax(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_most_size_all_8(I):
    """The grid without the most size among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_least_size_all_8(I):
    """The box of the least size among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_least_size_all_8(I):
    """The least size among figures of all colours, eight neighbours, alone on black."""
    figures = objects(I, F, T, T)
    found = argmin(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_least_size_all_8(I):
    """The box of the least size among figures of all colours, eight neighbours, without its edge."""
    figures = objects(I, F, T, T)
    found = argmin(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_least_size_all_8(I):
    """The grid without the least size among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_most_height_all_8(I):
    """The box of the most height among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_least_height_all_8(I):
    """The box of the least height among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_most_width_all_8(I):
    """The box of the most width among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_least_width_all_8(I):
    """The box of the least width among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_most_numcolors_all_8(I):
    """The box of the most numcolors among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, numcolors)
    part = subgrid(found, I)
    return part


def solve_crop_least_numcolors_all_8(I):
    """The box of the least numcolors among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, numcolors)
    part = subgrid(found, I)
    return part


def solve_crop_most_box_area_all_8(I):
    """The box of the most box area among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_least_box_area_all_8(I):
    """The box of the least box area among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_most_gaps_all_8(I):
    """The box of the most gaps among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_least_gaps_all_8(I):
    """The box of the least gaps among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_most_fullness_all_8(I):
    """The box of the most fullness among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_least_fullness_all_8(I):
    """The box of the least fullness among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_most_uppermost_all_8(I):
    """The box of the most uppermost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_uppermost_all_8(I):
    """The box of the least uppermost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_leftmost_all_8(I):
    """The box of the most leftmost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_leftmost_all_8(I):
    """The box of the least leftmost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_most_lowermost_all_8(I):
    """The box of the most lowermost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_lowermost_all_8(I):
    """The box of the least lowermost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_rightmost_all_8(I):
    """The box of the most rightmost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_rightmost_all_8(I):
    """The box of the least rightmost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_mirrored_all_8(I):
    """The box of the mirrored among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = extract(figures, is_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_not_mirrored_all_8(I):
    """The box of the not mirrored among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = extract(figures, is_not_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_square_all_8(I):
    """The box of the square among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = extract(figures, square)
    part = subgrid(found, I)
    return part


def solve_crop_rare_form_of_all_8(I):
    """The box of the rare form of among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_alone_rare_form_of_all_8(I):
    """The rare form of among figures of all colours, eight neighbours, alone on black."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, form_of)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_rare_form_of_all_8(I):
    """The box of the rare form of among figures of all colours, eight neighbours, without its edge."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_rare_form_of_all_8(I):
    """The grid without the rare form of among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, form_of)
    rest = cover(I, found)
    return rest


def solve_crop_common_form_of_all_8(I):
    """The box of the common form of among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = commonest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_crop_rare_size_all_8(I):
    """The box of the rare size among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_common_size_all_8(I):
    """The box of the common size among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = commonest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_rare_shape_all_8(I):
    """The box of the rare shape among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_common_shape_all_8(I):
    """The box of the common shape among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = commonest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_rare_numcolors_all_8(I):
    """The box of the rare numcolors among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, numcolors)
    part = subgrid(found, I)
    return part


def solve_crop_common_numcolors_all_8(I):
    """The box of the common numcolors among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = commonest_by(figures, numcolors)
    part = subgrid(found, I)
    return part


def solve_crop_rare_palette_all_8(I):
    """The box of the rare palette among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_common_palette_all_8(I):
    """The box of the common palette among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = commonest_by(figures, palette)
    part = subgrid(found, I)
    return part
