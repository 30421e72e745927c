"""Edits that lay a figure on another one or another one on it, and those that scale it or move it by a step, C."""

from batt.dsl import *
from batt.words import *

from ..idioms import joined_to, on_middle
from .parts import nearest, others_of


def holder(figures, figure):
    """The other figure of several colours that has a figure's colour, the one of the most colours; itself if none has."""
    colour = mostcolor(figure)
    others = sfilter(others_of(figures, figure), lambda each: contained(colour, palette(each)))
    several = sfilter(others, lambda each: greater(numcolors(each), ONE))
    return (order(several, lambda each: -numcolors(each)) + (figure,))[0]


def solve_edit_holder_joined(S, I):
    """The figure of several colours that has this one's colour, with its cells of this colour on this one."""
    return lambda figure: joined_to(figure, holder(S, figure))


def solve_edit_on_nearest(S, I):
    """The figure with its middle on that of the nearest one."""
    return lambda figure: on_middle(figure, (nearest(S, figure) + (figure,))[0])


def solve_edit_on_same_colour(S, I):
    """The figure with its middle on that of the nearest one of its colour."""
    return lambda figure: on_middle(
        figure, (sfilter(nearest(S, figure), matcher(mostcolor, mostcolor(figure))) + (figure,))[0]
    )


def solve_edit_twice(S, I):
    """The figure scaled by two."""
    return rbind(upscale, TWO)


def solve_shifted(S, I, C):
    """The figure moved by C."""
    return rbind(shift, C)


def solve_edit_holder_mirrored(S, I):
    """The figure of several colours that has this one's colour, mirrored, with its cells of this colour on this one."""
    return lambda figure: joined_to(figure, vmirror(holder(S, figure)))


def solve_edit_holder_mirrored_down(S, I):
    """The same, mirrored top to bottom."""
    return lambda figure: joined_to(figure, hmirror(holder(S, figure)))


def solve_edit_holder_turned(S, I):
    """The same, turned by half."""
    return lambda figure: joined_to(figure, vmirror(hmirror(holder(S, figure))))
