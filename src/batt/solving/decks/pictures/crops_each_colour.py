"""Crops of the cells of a colour that a property picks."""

from batt.dsl import *

from ..idioms import form_of, is_mirrored
from .properties import box_area, commonest_by, fullness, gaps, is_not_mirrored, rarest_by


def solve_crop_most_size_colours(I):
    """The box of the most size among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_most_size_colours(I):
    """The most size among cells of each colour, alone on black."""
    figures = partition(I)
    found = argmax(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_most_size_colours(I):
    """The box of the most size among cells of each colour, without its edge."""
    figures = partition(I)
    found = argmax(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_most_size_colours(I):
    """The grid without the most size among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_least_size_colours(I):
    """The box of the least size among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_least_size_colours(I):
    """The least size among cells of each colour, alone on black."""
    figures = partition(I)
    found = argmin(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_least_size_colours(I):
    """The box of the least size among cells of each colour, without its edge."""
    figures = partition(I)
    found = argmin(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_least_size_colours(I):
    """The grid without the least size among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_most_height_colours(I):
    """The box of the most height among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_least_height_colours(I):
    """The box of the least height among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_most_width_colours(I):
    """The box of the most width among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_least_width_colours(I):
    """The box of the least width among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_most_box_area_colours(I):
    """The box of the most box area among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_least_box_area_colours(I):
    """The box of the least box area among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_most_gaps_colours(I):
    """The box of the most gaps among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_least_gaps_colours(I):
    """The box of the least gaps among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_most_fullness_colours(I):
    """The box of the most fullness among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_least_fullness_colours(I):
    """The box of the least fullness among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_most_uppermost_colours(I):
    """The box of the most uppermost among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_uppermost_colours(I):
    """The box of the least uppermost among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_leftmost_colours(I):
    """The box of the most leftmost among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_leftmost_colours(I):
    """The box of the least leftmost among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_most_lowermost_colours(I):
    """The box of the most lowermost among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_lowermost_colours(I):
    """The box of the least lowermost among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_rightmost_colours(I):
    """The box of the most rightmost among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_rightmost_colours(I):
    """The box of the least rightmost among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_mirrored_colours(I):
    """The box of the mirrored among cells of each colour."""
    figures = partition(I)
    found = extract(figures, is_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_not_mirrored_colours(I):
    """The box of the not mirrored among cells of each colour."""
    figures = partition(I)
    found = extract(figures, is_not_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_square_colours(I):
    """The box of the square among cells of each colour."""
    figures = partition(I)
    found = extract(figures, square)
    part = subgrid(found, I)
    return part


def solve_crop_rare_form_of_colours(I):
    """The box of the rare form of among cells of each colour."""
    figures = partition(I)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_alone_rare_form_of_colours(I):
    """The rare form of among cells of each colour, alone on black."""
    figures = partition(I)
    found = rarest_by(figures, form_of)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_rare_form_of_colours(I):
    """The box of the rare form of among cells of each colour, without its edge."""
    figures = partition(I)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_rare_form_of_colours(I):
    """The grid without the rare form of among cells of each colour."""
    figures = partition(I)
    found = rarest_by(figures, form_of)
    rest = cover(I, found)
    return rest


def solve_crop_common_form_of_colours(I):
    """The box of the common form of among cells of each colour."""
    figures = partition(I)
    found = commonest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_crop_rare_color_colours(I):
    """The box of the rare color among cells of each colour."""
    figures = partition(I)
    found = rarest_by(figures, color)
    part = subgrid(found, I)
    return part


def solve_crop_common_color_colours(I):
    """The box of the common color among cells of each colour."""
    figures = partition(I)
    found = commonest_by(figures, color)
    part = subgrid(found, I)
    return part


def solve_crop_rare_size_colours(I):
    """The box of the rare size among cells of each colour."""
    figures = partition(I)
    found = rarest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_common_size_colours(I):
    """The box of the common size among cells of each colour."""
    figures = partition(I)
    found = commonest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_rare_shape_colours(I):
    """The box of the rare shape among cells of each colour."""
    figures = partition(I)
    found = rarest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_common_shape_colours(I):
    """The box of the common shape among cells of each colour."""
    figures = partition(I)
    found = commonest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_rare_palette_colours(I):
    """The box of the rare palette among cells of each colour."""
    figures = partition(I)
    found = rarest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_common_palette_colours(I):
    """The box of the common palette among cells of each colour."""
    figures = partition(I)
    found = commonest_by(figures, palette)
    part = subgrid(found, I)
    return part
