"""How far the next figure is in a direction."""

from batt.dsl import *
from batt.words import *

from ..idioms import FURTHEST, drawn_places, zeros


def moved_by(places, direction, count):
    """Cells with the number `count`, that many steps from the places."""
    offset = multiply(direction, count)
    moved = shift(places, offset)
    cells = recolor(count, moved)
    return cells


def distance(grid, direction):
    """For each cell how far it is from the next figure against the direction; 0 if there is none."""
    places = drawn_places(grid)
    counts = interval(FURTHEST, ZERO, NEG_ONE)
    pieces = apply(lbind(lbind(moved_by, places), direction), counts)
    blank = zeros(grid)
    found = paintorder(blank, pieces)
    return found


def solve_mark_distance_right(I):
    """How far the next figure is against the direction right."""
    found = distance(I, RIGHT)
    return found


def solve_mark_distance_left(I):
    """How far the next figure is against the direction left."""
    found = distance(I, LEFT)
    return found


def solve_mark_distance_down(I):
    """How far the next figure is against the direction down."""
    found = distance(I, DOWN)
    return found


def solve_mark_distance_up(I):
    """How far the next figure is against the direction up."""
    found = distance(I, UP)
    return found


def solve_mark_distance_down_right(I):
    """How far the next figure is against the direction down right."""
    found = distance(I, UNITY)
    return found


def solve_mark_distance_up_left(I):
    """How far the next figure is against the direction up left."""
    found = distance(I, NEG_UNITY)
    return found


def solve_mark_distance_down_left(I):
    """How far the next figure is against the direction down left."""
    found = distance(I, DOWN_LEFT)
    return found


def solve_mark_distance_up_right(I):
    """How far the next figure is against the direction up right."""
    found = distance(I, UP_RIGHT)
    return found
