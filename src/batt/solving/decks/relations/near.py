"""Places that a figure and those that it is related to give together. C is a relation."""

from batt.dsl import *
from batt.words import *

from ..idioms import between
from .parts import way_to, with_all


def rays_of(figure, way):
    """Rays from all cells of a figure in a direction, without the figure; none for no direction."""
    moving = branch(equality(way, ORIGIN), frozenset(), toindices(figure))
    goal = branch(equality(way, ORIGIN), UNITY, way)
    return difference(mapply(rbind(shoot, goal), moving), toindices(figure))


def ray_towards(figure, other):
    """Rays from a figure towards another one and through it."""
    return rays_of(figure, way_to(figure, other))


def ray_away(figure, other):
    """Rays from a figure away from another one."""
    return rays_of(figure, invert(way_to(figure, other)))


def until(figure, other):
    """Rays from a figure towards another one, to where its box begins."""
    way = way_to(figure, other)
    behind = mapply(rbind(shoot, branch(equality(way, ORIGIN), UNITY, way)), box(other))
    return difference(difference(rays_of(figure, way), behind), box(other))


def corner_paths(is_first, figure, other):
    """The way from the middle of a figure to that of another one, with one corner."""
    start, goal = center(figure), center(other)
    turn = branch(is_first, astuple(start[0], goal[1]), astuple(goal[0], start[1]))
    path = combine(connect(start, turn), connect(turn, goal))
    return difference(path, combine(toindices(figure), toindices(other)))


def straight(figure, other):
    """The straight line between the middles of two figures, without them."""
    line = connect(center(figure), center(other))
    return difference(line, combine(toindices(figure), toindices(other)))


def moved_form(figure, other):
    """The form of another figure, with its middle on that of a figure."""
    return shift(toindices(other), subtract(center(figure), center(other)))


def solve_near_itself(S, I, C):
    """The figure itself, if it is related to any."""
    return lambda figure: with_all(C, lambda one, other: toindices(one), figure)


def solve_near_other(S, I, C):
    """The related figures."""
    return lambda figure: with_all(C, lambda one, other: toindices(other), figure)


def solve_near_between(S, I, C):
    """The places between it and the related figures, on their common rows or columns."""
    return lbind(lbind(with_all, C), between)


def solve_near_until(S, I, C):
    """Rays from it towards the related figures, until their boxes."""
    return lbind(lbind(with_all, C), until)


def solve_near_towards(S, I, C):
    """Rays from it towards the related figures and through them."""
    return lbind(lbind(with_all, C), ray_towards)


def solve_near_away(S, I, C):
    """Rays from it away from the related figures."""
    return lbind(lbind(with_all, C), ray_away)


def solve_near_straight(S, I, C):
    """The straight lines from its middle to those of the related figures."""
    return lbind(lbind(with_all, C), straight)


def solve_near_row_first(S, I, C):
    """Lines from its middle along its row, and then to the middles of the related figures."""
    return lbind(lbind(with_all, C), lbind(corner_paths, T))


def solve_near_column_first(S, I, C):
    """Lines from its middle along its column, and then to the middles of the related figures."""
    return lbind(lbind(with_all, C), lbind(corner_paths, F))


def solve_near_span(S, I, C):
    """The box around it and the related figures, without them."""
    return lambda figure: with_all(
        C,
        lambda one, other: difference(
            backdrop(combine(toindices(one), toindices(other))), combine(toindices(one), toindices(other))
        ),
        figure,
    )


def solve_near_other_box(S, I, C):
    """The boxes of the related figures, without these."""
    return lambda figure: with_all(C, lambda one, other: delta(other), figure)


def solve_near_other_around(S, I, C):
    """The outlines around the boxes of the related figures."""
    return lambda figure: with_all(C, lambda one, other: outbox(other), figure)


def solve_near_other_edge(S, I, C):
    """The outlines of the boxes of the related figures."""
    return lambda figure: with_all(C, lambda one, other: box(other), figure)


def solve_near_form_here(S, I, C):
    """The forms of the related figures, with their middles on its own."""
    return lbind(lbind(with_all, C), moved_form)


def solve_near_form_there(S, I, C):
    """Its form, with its middle on those of the related figures."""
    return lambda figure: with_all(C, lambda one, other: moved_form(other, one), figure)


def solve_near_contact(S, I, C):
    """Its cells that are beside the related figures."""
    return lambda figure: with_all(
        C, lambda one, other: intersection(toindices(one), mapply(dneighbors, toindices(other))), figure
    )


def solve_near_other_contact(S, I, C):
    """The cells of the related figures that are beside it."""
    return lambda figure: with_all(
        C, lambda one, other: intersection(toindices(other), mapply(dneighbors, toindices(one))), figure
    )


def solve_near_facing_part(S, I, C):
    """The cells of the related figures in its rows or columns."""
    return lambda figure: with_all(
        C,
        lambda one, other: intersection(
            toindices(other),
            combine(mapply(hfrontier, toindices(one)), mapply(vfrontier, toindices(one))),
        ),
        figure,
    )


def solve_near_crossing(S, I, C):
    """The places in the row of its middle and the column of those of the related figures."""
    return lambda figure: with_all(
        C, lambda one, other: initset(astuple(center(one)[0], center(other)[1])), figure
    )
