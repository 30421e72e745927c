"""The place of a cell within its figure or panel, and the place of these among others."""

from batt.dsl import *
from batt.words import *

from ..idioms import measured, of_all_colours_8, of_ground, of_one_colour, of_panels, painted
from .parts import depth_within, halves_across, halves_down, more_by, within


def less_by(measure, figures, figure):
    """The number of figures whose measure is less, plus one."""
    own = measure(figure)
    is_less = compose(lbind(greater, own), measure)
    before = sfilter(figures, is_less)
    count = size(before)
    place = increment(count)
    return place


def rows_within(figure):
    """The cells of a figure with their row in its box, from 1."""
    top = decrement(uppermost(figure))
    number = compose(rbind(subtract, top), first)
    cells = within(figure, number)
    return cells


def columns_within(figure):
    """The cells of a figure with their column in its box, from 1."""
    start = decrement(leftmost(figure))
    number = compose(rbind(subtract, start), last)
    cells = within(figure, number)
    return cells


def rows_from_below(figure):
    """The cells of a figure with their row in its box, counted from below, from 1."""
    bottom = increment(lowermost(figure))
    number = compose(lbind(subtract, bottom), first)
    cells = within(figure, number)
    return cells


def columns_from_right(figure):
    """The cells of a figure with their column in its box, counted from the right, from 1."""
    end = increment(rightmost(figure))
    number = compose(lbind(subtract, end), last)
    cells = within(figure, number)
    return cells


def solve_mark_rows_within_of_one_colour(I):
    """Each cell of figures of one colour: its row in its box."""
    figures = of_one_colour(I)
    made = apply(rows_within, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_within_of_one_colour(I):
    """Each cell of figures of one colour: its column in its box."""
    figures = of_one_colour(I)
    made = apply(columns_within, figures)
    found = painted(I, made)
    return found


def solve_mark_rows_from_below_of_one_colour(I):
    """Each cell of figures of one colour: its row in its box from below."""
    figures = of_one_colour(I)
    made = apply(rows_from_below, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_from_right_of_one_colour(I):
    """Each cell of figures of one colour: its column in its box from the right."""
    figures = of_one_colour(I)
    made = apply(columns_from_right, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_down_of_one_colour(I):
    """Each cell of figures of one colour: its upper or lower half of its box."""
    figures = of_one_colour(I)
    made = apply(halves_down, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_across_of_one_colour(I):
    """Each cell of figures of one colour: its left or right half of its box."""
    figures = of_one_colour(I)
    made = apply(halves_across, figures)
    found = painted(I, made)
    return found


def solve_mark_depth_within_of_one_colour(I):
    """Each cell of figures of one colour: its distance from the edge of its box."""
    figures = of_one_colour(I)
    made = apply(depth_within, figures)
    found = painted(I, made)
    return found


def solve_mark_rows_within_of_all_colours_8(I):
    """Each cell of figures of any colours: its row in its box."""
    figures = of_all_colours_8(I)
    made = apply(rows_within, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_within_of_all_colours_8(I):
    """Each cell of figures of any colours: its column in its box."""
    figures = of_all_colours_8(I)
    made = apply(columns_within, figures)
    found = painted(I, made)
    return found


def solve_mark_rows_from_below_of_all_colours_8(I):
    """Each cell of figures of any colours: its row in its box from below."""
    figures = of_all_colours_8(I)
    made = apply(rows_from_below, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_from_right_of_all_colours_8(I):
    """Each cell of figures of any colours: its column in its box from the right."""
    figures = of_all_colours_8(I)
    made = apply(columns_from_right, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_down_of_all_colours_8(I):
    """Each cell of figures of any colours: its upper or lower half of its box."""
    figures = of_all_colours_8(I)
    made = apply(halves_down, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_across_of_all_colours_8(I):
    """Each cell of figures of any colours: its left or right half of its box."""
    figures = of_all_colours_8(I)
    made = apply(halves_across, figures)
    found = painted(I, made)
    return found


def solve_mark_depth_within_of_all_colours_8(I):
    """Each cell of figures of any colours: its distance from the edge of its box."""
    figures = of_all_colours_8(I)
    made = apply(depth_within, figures)
    found = painted(I, made)
    return found


def solve_mark_rows_within_of_ground(I):
    """Each cell of parts of the ground: its row in its box."""
    figures = of_ground(I)
    made = apply(rows_within, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_within_of_ground(I):
    """Each cell of parts of the ground: its column in its box."""
    figures = of_ground(I)
    made = apply(columns_within, figures)
    found = painted(I, made)
    return found


def solve_mark_rows_from_below_of_ground(I):
    """Each cell of parts of the ground: its row in its box from below."""
    figures = of_ground(I)
    made = apply(rows_from_below, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_from_right_of_ground(I):
    """Each cell of parts of the ground: its column in its box from the right."""
    figures = of_ground(I)
    made = apply(columns_from_right, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_down_of_ground(I):
    """Each cell of parts of the ground: its upper or lower half of its box."""
    figures = of_ground(I)
    made = apply(halves_down, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_across_of_ground(I):
    """Each cell of parts of the ground: its left or right half of its box."""
    figures = of_ground(I)
    made = apply(halves_across, figures)
    found = painted(I, made)
    return found


def solve_mark_depth_within_of_ground(I):
    """Each cell of parts of the ground: its distance from the edge of its box."""
    figures = of_ground(I)
    made = apply(depth_within, figures)
    found = painted(I, made)
    return found


def solve_mark_rows_within_of_panels(I):
    """Each cell of panels: its row in its box."""
    figures = of_panels(I)
    made = apply(rows_within, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_within_of_panels(I):
    """Each cell of panels: its column in its box."""
    figures = of_panels(I)
    made = apply(columns_within, figures)
    found = painted(I, made)
    return found


def solve_mark_rows_from_below_of_panels(I):
    """Each cell of panels: its row in its box from below."""
    figures = of_panels(I)
    made = apply(rows_from_below, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_from_right_of_panels(I):
    """Each cell of panels: its column in its box from the right."""
    figures = of_panels(I)
    made = apply(columns_from_right, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_down_of_panels(I):
    """Each cell of panels: its upper or lower half of its box."""
    figures = of_panels(I)
    made = apply(halves_down, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_across_of_panels(I):
    """Each cell of panels: its left or right half of its box."""
    figures = of_panels(I)
    made = apply(halves_across, figures)
    found = painted(I, made)
    return found


def solve_mark_depth_within_of_panels(I):
    """Each cell of panels: its distance from the edge of its box."""
    figures = of_panels(I)
    made = apply(depth_within, figures)
    found = painted(I, made)
    return found


def solve_mark_place_uppermost_of_one_colour(I):
    """The rank of figures of one colour from above."""
    figures = of_one_colour(I)
    place = lbind(lbind(less_by, uppermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_leftmost_of_one_colour(I):
    """The rank of figures of one colour from the left."""
    figures = of_one_colour(I)
    place = lbind(lbind(less_by, leftmost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_lowermost_of_one_colour(I):
    """The rank of figures of one colour from below."""
    figures = of_one_colour(I)
    place = lbind(lbind(more_by, lowermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_rightmost_of_one_colour(I):
    """The rank of figures of one colour from the right."""
    figures = of_one_colour(I)
    place = lbind(lbind(more_by, rightmost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_uppermost_of_all_colours_8(I):
    """The rank of figures of any colours from above."""
    figures = of_all_colours_8(I)
    place = lbind(lbind(less_by, uppermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_leftmost_of_all_colours_8(I):
    """The rank of figures of any colours from the left."""
    figures = of_all_colours_8(I)
    place = lbind(lbind(less_by, leftmost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_lowermost_of_all_colours_8(I):
    """The rank of figures of any colours from below."""
    figures = of_all_colours_8(I)
    place = lbind(lbind(more_by, lowermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_rightmost_of_all_colours_8(I):
    """The rank of figures of any colours from the right."""
    figures = of_all_colours_8(I)
    place = lbind(lbind(more_by, rightmost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_uppermost_of_ground(I):
    """The rank of parts of the ground from above."""
    figures = of_ground(I)
    place = lbind(lbind(less_by, uppermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_leftmost_of_ground(I):
    """The rank of parts of the ground from the left."""
    figures = of_ground(I)
    place = lbind(lbind(less_by, leftmost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_lowermost_of_ground(I):
    """The rank of parts of the ground from below."""
    figures = of_ground(I)
    place = lbind(lbind(more_by, lowermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_rightmost_of_ground(I):
    """The rank of parts of the ground from the right."""
    figures = of_ground(I)
    place = lbind(lbind(more_by, rightmost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_uppermost_of_panels(I):
    """The rank of panels from above."""
    figures = of_panels(I)
    place = lbind(lbind(less_by, uppermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_leftmost_of_panels(I):
    """The rank of panels from the left."""
    figures = of_panels(I)
    place = lbind(lbind(less_by, leftmost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_lowermost_of_panels(I):
    """The rank of panels from below."""
    figures = of_panels(I)
    place = lbind(lbind(more_by, lowermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_rightmost_of_panels(I):
    """The rank of panels from the right."""
    figures = of_panels(I)
    place = lbind(lbind(more_by, rightmost), figures)
    found = measured(I, figures, place)
    return found
