"""Bounces: a straight diagonal line goes on from its ends, and turns where something stops it."""

from batt.dsl import *
from batt.words import *


def is_diagonal(figure):
    """Whether a figure is a diagonal line of at least two cells."""
    way = astuple(1, branch(contained(ulcorner(figure), toindices(figure)), 1, -1))
    start = branch(equality(way, UNITY), ulcorner(figure), urcorner(figure))
    line = intersection(shoot(start, way), backdrop(figure))
    return both(greater(size(figure), ONE), equality(line, toindices(figure)))


def bounced(places, path):
    """A path that goes one step on: its places, the last one, and the direction.

    It turns where a place is not among the first `places`, and ends on one of the second.
    """
    is_free, ends = places[0], places[1]
    place, way = path[1], path[2]
    stops_down = flip(contained(add(place, astuple(way[0], 0)), is_free))
    stops_across = flip(contained(add(place, astuple(0, way[1])), is_free))
    stops = flip(contained(add(place, way), is_free))
    is_corner = both(stops, flip(either(stops_down, stops_across)))
    down = branch(either(stops_down, is_corner), invert(way[0]), way[0])
    across = branch(either(stops_across, is_corner), invert(way[1]), way[1])
    turned = branch(stops, astuple(down, across), way)
    goal = add(place, turned)
    is_open = contained(goal, is_free)
    return (
        branch(is_open, insert(goal, path[0]), path[0]),
        branch(is_open, goal, place),
        branch(both(is_open, flip(contained(goal, ends))), turned, ORIGIN),
    )


def bounces(places, figure):
    """The places on which a diagonal line goes on from both ends."""
    falls = contained(ulcorner(figure), toindices(figure))
    high = branch(falls, ulcorner(figure), urcorner(figure))
    low = branch(falls, lrcorner(figure), llcorner(figure))
    way = astuple(1, branch(falls, 1, -1))
    go = power(lbind(bounced, places), 60)
    one = go((frozenset([low]), low, way))
    other = go((frozenset([high]), high, invert(way)))
    return combine(one[0], other[0])


def lines_bounced(grid, ends):
    """The grid with all diagonal lines of its figures going on over the ground, and ending in some places outside."""
    is_free = (combine(ofcolor(grid, mostcolor(grid)), ends), ends)
    lines = sfilter(objects(grid, T, T, T), is_diagonal)
    return paint(
        grid,
        mapply(lambda each: recolor(mostcolor(each), difference(bounces(is_free, each), toindices(each))), lines),
    )


def solve_bounced(I):
    """Diagonal lines go on and turn at figures, until they leave the grid."""
    return lines_bounced(I, outbox(asindices(I)))


def solve_bounced_in_grid(I):
    """Diagonal lines go on and turn at figures and at the edges of the grid."""
    return lines_bounced(I, frozenset())
