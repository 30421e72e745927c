"""Patches that lead away from a figure: rays, and gaps and lines between it and others."""

from batt.dsl import *
from batt.words import *

from ..idioms import between, drawn_places, form_of
from .parts import nearest, others_of


def solve_patch_corner_rays(S, I):
    """Rays from the corners of its box, outwards."""
    return lambda figure: mapply(
        lambda place: shoot(place, position(initset(center(figure)), initset(place))), corners(outbox(figure))
    )


def ray_from(direction, figure):
    """Rays from all cells of a figure."""
    return mapply(rbind(shoot, direction), toindices(figure))


def solve_patch_ray_up(S, I):
    """Rays up."""
    return lbind(ray_from, UP)


def solve_patch_ray_down(S, I):
    """Rays down."""
    return lbind(ray_from, DOWN)


def solve_patch_ray_left(S, I):
    """Rays to the left."""
    return lbind(ray_from, LEFT)


def solve_patch_ray_right(S, I):
    """Rays to the right."""
    return lbind(ray_from, RIGHT)


def solve_patch_ray_up_left(S, I):
    """Rays up and left."""
    return lbind(ray_from, NEG_UNITY)


def solve_patch_ray_down_right(S, I):
    """Rays down and right."""
    return lbind(ray_from, UNITY)


def solve_patch_ray_up_right(S, I):
    """Rays up and right."""
    return lbind(ray_from, UP_RIGHT)


def solve_patch_ray_down_left(S, I):
    """Rays down and left."""
    return lbind(ray_from, DOWN_LEFT)


def stopped_rays(grid, directions, figure):
    """Rays from all cells of a figure, each until it meets a cell that is not of the ground."""
    walls = fill(canvas(ZERO, shape(grid)), FIVE, drawn_places(grid))
    drawn = rays(fill(walls, THREE, toindices(figure)), ZERO, FIVE, directions)
    return difference(ofcolor(drawn, THREE), toindices(figure))


def solve_patch_stopped_up(S, I):
    """Rays up until something stops them."""
    return lbind(lbind(stopped_rays, I), (UP,))


def solve_patch_stopped_down(S, I):
    """Rays down until something stops them."""
    return lbind(lbind(stopped_rays, I), (DOWN,))


def solve_patch_stopped_left(S, I):
    """Rays to the left until something stops them."""
    return lbind(lbind(stopped_rays, I), (LEFT,))


def solve_patch_stopped_right(S, I):
    """Rays to the right until something stops them."""
    return lbind(lbind(stopped_rays, I), (RIGHT,))


def solve_patch_stopped_across(S, I):
    """Rays to the left and right until something stops them."""
    return lbind(lbind(stopped_rays, I), (LEFT, RIGHT))


def solve_patch_stopped_along(S, I):
    """Rays up and down until something stops them."""
    return lbind(lbind(stopped_rays, I), (UP, DOWN))


def solve_patch_stopped_cross(S, I):
    """Rays in four directions until something stops them."""
    return lbind(lbind(stopped_rays, I), (UP, DOWN, LEFT, RIGHT))


def solve_patch_stopped_diagonals(S, I):
    """Rays in four diagonal directions until something stops them."""
    return lbind(lbind(stopped_rays, I), (UNITY, NEG_UNITY, UP_RIGHT, DOWN_LEFT))


def solve_patch_stopped_up_left(S, I):
    """Rays up and left until something stops them."""
    return lbind(lbind(stopped_rays, I), (NEG_UNITY,))


def solve_patch_stopped_up_right(S, I):
    """Rays up and right until something stops them."""
    return lbind(lbind(stopped_rays, I), (UP_RIGHT,))


def solve_patch_stopped_down_left(S, I):
    """Rays down and left until something stops them."""
    return lbind(lbind(stopped_rays, I), (DOWN_LEFT,))


def solve_patch_stopped_down_right(S, I):
    """Rays down and right until something stops them."""
    return lbind(lbind(stopped_rays, I), (UNITY,))


def solve_patch_ray_to_largest(S, I):
    """The ray from its middle towards the largest figure."""
    goal = argmax(S, size)
    return lambda figure: shoot(center(figure), position(figure, goal))


def solve_patch_ray_from_largest(S, I):
    """The ray from its middle away from the largest figure."""
    goal = argmax(S, size)
    return lambda figure: shoot(center(figure), position(goal, figure))


def gaps_to(others, figure):
    """The places between a figure and others, on their common rows or columns."""
    return mapply(lambda each: between(figure, each), frozenset(others))


def solve_patch_gap_same_colour(S, I):
    """The places between it and others of its colour."""
    return lambda figure: gaps_to(sfilter(others_of(S, figure), matcher(mostcolor, mostcolor(figure))), figure)


def solve_patch_gap_other_colour(S, I):
    """The places between it and others of another colour."""
    return lambda figure: gaps_to(
        sfilter(others_of(S, figure), compose(flip, matcher(mostcolor, mostcolor(figure)))), figure
    )


def solve_patch_gap_same_form(S, I):
    """The places between it and others of its form."""
    return lambda figure: gaps_to(sfilter(others_of(S, figure), matcher(form_of, form_of(figure))), figure)


def solve_patch_gap_nearest(S, I):
    """The places between it and the nearest other figure."""
    return lambda figure: between(figure, (nearest(S, figure) + (figure,))[0])


def solve_patch_line_to_largest(S, I):
    """The line from its middle to that of the largest figure, if there is one."""
    goal = center(argmax(S, size))
    return lambda figure: connect(center(figure), goal)


def lines_to(others, figure):
    """The straight lines between the middle of a figure and those of others."""
    start = center(figure)
    return mapply(lambda each: connect(start, center(each)), frozenset(others))


def solve_patch_lines_same_colour(S, I):
    """The straight lines between its middle and those of others of its colour."""
    return lambda figure: lines_to(sfilter(others_of(S, figure), matcher(mostcolor, mostcolor(figure))), figure)


def solve_patch_lines_other_colour(S, I):
    """The straight lines between its middle and those of others of another colour."""
    return lambda figure: lines_to(
        sfilter(others_of(S, figure), compose(flip, matcher(mostcolor, mostcolor(figure)))), figure
    )


def edge_way(grid, figure):
    """The direction from a figure to the nearest edge of the grid."""
    ways = (
        (uppermost(figure), UP),
        (height(grid) - 1 - lowermost(figure), DOWN),
        (leftmost(figure), LEFT),
        (width(grid) - 1 - rightmost(figure), RIGHT),
    )
    return argmin(ways, first)[1]


def solve_patch_ray_to_edge(S, I):
    """Rays to the nearest edge of the grid."""
    return lambda figure: difference(ray_from(edge_way(I, figure), figure), toindices(figure))


def solve_patch_ray_from_edge(S, I):
    """Rays away from the nearest edge of the grid."""
    return lambda figure: difference(ray_from(invert(edge_way(I, figure)), figure), toindices(figure))


def solve_patch_opening_ray(S, I):
    """The ray out of the opening in the outline of its box."""
    return lambda figure: opening_ray(figure, difference(box(figure), toindices(figure)))


def opening_ray(figure, opening):
    """The rays from an opening in the outline of a figure's box, outwards; none if there is no opening."""
    return mapply(lambda place: shoot(place, outward(figure, place)), opening)


def outward(figure, place):
    """The direction out of a figure's box from a place of its outline."""
    down = branch(equality(place[0], lowermost(figure)), 1, 0) - branch(equality(place[0], uppermost(figure)), 1, 0)
    right = branch(equality(place[1], rightmost(figure)), 1, 0) - branch(equality(place[1], leftmost(figure)), 1, 0)
    return astuple(down, right)
