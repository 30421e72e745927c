"""Cells in, at and around the boxes of figures."""

from batt.dsl import *

from ..idioms import marked, of_all_colours_8, of_one_colour_8


def solve_mark_delta_of_one_colour_8(I):
    """The places of the delta of every figure."""
    figures = of_one_colour_8(I)
    places = mapply(delta, figures)
    found = marked(I, places)
    return found


def solve_mark_box_of_one_colour_8(I):
    """The places of the box of every figure."""
    figures = of_one_colour_8(I)
    places = mapply(box, figures)
    found = marked(I, places)
    return found


def solve_mark_outbox_of_one_colour_8(I):
    """The places of the outbox of every figure."""
    figures = of_one_colour_8(I)
    places = mapply(outbox, figures)
    found = marked(I, places)
    return found


def solve_mark_inbox_of_one_colour_8(I):
    """The places of the inbox of every figure."""
    figures = of_one_colour_8(I)
    places = mapply(inbox, figures)
    found = marked(I, places)
    return found


def solve_mark_corners_of_one_colour_8(I):
    """The places of the corners of every figure."""
    figures = of_one_colour_8(I)
    places = mapply(corners, figures)
    found = marked(I, places)
    return found


def solve_mark_backdrop_of_one_colour_8(I):
    """The places of the backdrop of every figure."""
    figures = of_one_colour_8(I)
    places = mapply(backdrop, figures)
    found = marked(I, places)
    return found


def solve_mark_delta_of_all_colours_8(I):
    """The places of the delta of every figure."""
    figures = of_all_colours_8(I)
    places = mapply(delta, figures)
    found = marked(I, places)
    return found


def solve_mark_box_of_all_colours_8(I):
    """The places of the box of every figure."""
    figures = of_all_colours_8(I)
    places = mapply(box, figures)
    found = marked(I, places)
    return found


def solve_mark_outbox_of_all_colours_8(I):
    """The places of the outbox of every figure."""
    figures = of_all_colours_8(I)
    places = mapply(outbox, figures)
    found = marked(I, places)
    return found


def solve_mark_inbox_of_all_colours_8(I):
    """The places of the inbox of every figure."""
    figures = of_all_colours_8(I)
    places = mapply(inbox, figures)
    found = marked(I, places)
    return found


def solve_mark_corners_of_all_colours_8(I):
    """The places of the corners of every figure."""
    figures = of_all_colours_8(I)
    places = mapply(corners, figures)
    found = marked(I, places)
    return found


def solve_mark_backdrop_of_all_colours_8(I):
    """The places of the backdrop of every figure."""
    figures = of_all_colours_8(I)
    places = mapply(backdrop, figures)
    found = marked(I, places)
    return found
