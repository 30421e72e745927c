"""Objects that a figure and those that it is related to make together. C is a relation."""

from batt.dsl import *
from batt.words import *

from ..idioms import about, about_across, about_along, all_turns, joined_to, of_colours, on_middle
from .parts import way_to, with_all


def contact(figure, other):
    """A figure moved up to another one."""
    return shift(figure, gravitate(figure, other))


def at_distance(figure, other):
    """A figure moved up to another one, with one place between."""
    return shift(figure, subtract(gravitate(figure, other), sign(gravitate(figure, other))))


def as_turned(figure, other):
    """Another figure, turned and moved so that its cells of a figure's colours are just the figure."""
    colours = palette(figure)
    goal = normalize(figure)
    fitting = sfilter(
        all_turns(other), lambda each: equality(normalize(of_colours(each, colours)), goal)
    )
    return mapply(
        lambda each: shift(each, subtract(ulcorner(figure), ulcorner(of_colours(each, colours)))), fitting
    )


def copies_before(figure, other):
    """A figure repeated side by side towards another one, to where its box begins."""
    way = way_to(figure, other)
    step = multiply(way, shape(figure))
    made = mapply(lambda count: shift(figure, multiply(step, count)), frozenset(interval(ZERO, 30, ONE)))
    behind = mapply(rbind(shoot, branch(equality(way, ORIGIN), UNITY, way)), backdrop(other))
    return sfilter(made, lambda cell: flip(contained(cell[1], behind)))


def copies_on(figure, other):
    """A figure repeated side by side, away from another one."""
    step = multiply(invert(way_to(figure, other)), shape(figure))
    return mapply(lambda count: shift(figure, multiply(step, count)), frozenset(interval(ZERO, 30, ONE)))


def solve_join_contact(S, I, C):
    """The figure moved up to the related ones."""
    return lbind(lbind(with_all, C), contact)


def solve_join_at_distance(S, I, C):
    """The figure moved up to the related ones, with one place between."""
    return lbind(lbind(with_all, C), at_distance)


def solve_join_on_middle(S, I, C):
    """The figure with its middle on those of the related ones."""
    return lbind(lbind(with_all, C), on_middle)


def solve_join_at_corner(S, I, C):
    """The figure with its upper left corner on those of the related ones."""
    return lambda figure: with_all(
        C, lambda one, other: shift(one, subtract(ulcorner(other), ulcorner(one))), figure
    )


def solve_join_row(S, I, C):
    """The figure moved to the first rows of the related ones."""
    return lambda figure: with_all(C, lambda one, other: shift(one, toivec(uppermost(other) - uppermost(one))), figure)


def solve_join_last_row(S, I, C):
    """The figure moved to the last rows of the related ones."""
    return lambda figure: with_all(C, lambda one, other: shift(one, toivec(lowermost(other) - lowermost(one))), figure)


def solve_join_column(S, I, C):
    """The figure moved to the first columns of the related ones."""
    return lambda figure: with_all(C, lambda one, other: shift(one, tojvec(leftmost(other) - leftmost(one))), figure)


def solve_join_last_column(S, I, C):
    """The figure moved to the last columns of the related ones."""
    return lambda figure: with_all(C, lambda one, other: shift(one, tojvec(rightmost(other) - rightmost(one))), figure)


def solve_join_middle_row(S, I, C):
    """The figure with its middle in the rows of those of the related ones."""
    return lambda figure: with_all(
        C, lambda one, other: shift(one, toivec(center(other)[0] - center(one)[0])), figure
    )


def solve_join_middle_column(S, I, C):
    """The figure with its middle in the columns of those of the related ones."""
    return lambda figure: with_all(
        C, lambda one, other: shift(one, tojvec(center(other)[1] - center(one)[1])), figure
    )


def solve_join_step(S, I, C):
    """The figure moved one step towards the related ones."""
    return lambda figure: with_all(C, lambda one, other: shift(one, way_to(one, other)), figure)


def solve_join_step_back(S, I, C):
    """The figure moved one step away from the related ones."""
    return lambda figure: with_all(C, lambda one, other: shift(one, invert(way_to(one, other))), figure)


def solve_join_copy(S, I, C):
    """The related figures, with their middles on its own."""
    return lambda figure: with_all(C, lambda one, other: on_middle(other, one), figure)


def solve_join_corner_copy(S, I, C):
    """The related figures, with their upper left corners on its own."""
    return lambda figure: with_all(
        C, lambda one, other: shift(other, subtract(ulcorner(one), ulcorner(other))), figure
    )


def solve_join_joined(S, I, C):
    """The related figures, with their cells of its colour on it."""
    return lbind(lbind(with_all, C), joined_to)


def solve_join_turned(S, I, C):
    """The related figures, turned so that their cells of its colours are just it."""
    return lbind(lbind(with_all, C), as_turned)


def solve_join_about(S, I, C):
    """The figure turned by half about the related ones."""
    return lbind(lbind(with_all, C), about)


def solve_join_about_across(S, I, C):
    """The figure mirrored left to right about the related ones."""
    return lbind(lbind(with_all, C), about_across)


def solve_join_about_along(S, I, C):
    """The figure mirrored top to bottom about the related ones."""
    return lbind(lbind(with_all, C), about_along)


def solve_join_repeated_away(S, I, C):
    """The figure repeated side by side, away from the related ones."""
    return lbind(lbind(with_all, C), copies_on)


def solve_join_repeated_before(S, I, C):
    """The figure repeated side by side, up to the related ones."""
    return lbind(lbind(with_all, C), copies_before)
