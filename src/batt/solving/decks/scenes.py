"""Whole-grid actions that no function of a single figure is.

Stamps: a figure of several colours is a template, and is painted wherever a part of it is found. A part are the cells of
some of its colours. The template is painted where it changes nothing but the ground.

Bounces: a straight diagonal line goes on from its ends, and turns where something stops it.
"""

from batt.dsl import *
from batt.words import *

from .idioms import all_turns, of_colours


def templates(grid):
    """The figures of several colours."""
    return sfilter(objects(grid, F, T, T), lambda each: greater(numcolors(each), ONE))


def main_template(grid):
    """The figure of the most colours, the largest of these, as a set of one."""
    return frozenset([argmax(templates(grid), lambda each: numcolors(each) * 1000 + size(each))])


def fits(grid, stamp):
    """Whether a stamp changes nothing but cells of the most frequent colour."""
    below = toobject(toindices(stamp), grid)
    changed = sfilter(difference(below, stamp), lambda cell: flip(equality(cell[0], mostcolor(grid))))
    return equality(size(changed), ZERO)


def seen_parts(grid, figure):
    """The cells of a figure in the colours of each figure of the grid that has only such colours."""
    known = sfilter(
        apply(palette, objects(grid, F, T, T)), lambda each: equality(size(difference(each, palette(figure))), ZERO)
    )
    return apply(lambda each: of_colours(figure, each), known)


def minor_parts(grid, figure):
    """The cells of a figure that are not of its main colour."""
    return frozenset([of_colours(figure, remove(mostcolor(figure), palette(figure)))])


def several_cells(make, grid, figure):
    """The parts that have at least two cells."""
    return sfilter(make(grid, figure), lambda each: greater(size(each), ONE))


def as_it_is(figure):
    """A figure alone."""
    return frozenset([figure])


def all_sizes(figure):
    """A figure in its size, and scaled by two and three."""
    plain = normalize(figure)
    return apply(lbind(upscale, plain), frozenset([ONE, TWO, THREE]))


def turned_sizes(figure):
    """A figure turned in all eight ways, each in three sizes."""
    return mapply(all_sizes, all_turns(figure))


def stamps_of(grid, make, template):
    """A template wherever one of its parts is found."""
    parts = make(grid, template)
    return mapply(
        lambda part: apply(
            lambda place: shift(template, subtract(place, ulcorner(part))), occurrences(grid, part)
        ),
        parts,
    )


def stamped(grid, figures, ways, make):
    """The grid with all that figures stamp on it, changed in some ways."""
    changed = mapply(ways, figures)
    made = mapply(lambda each: stamps_of(grid, make, each), changed)
    return paint(grid, merge(sfilter(made, lbind(fits, grid))))


def solve_stamped_seen(I):
    """The templates where a part in the colours of a figure is found."""
    return stamped(I, templates(I), as_it_is, seen_parts)


def solve_stamped_minor(I):
    """The templates where all but their main colour is found."""
    return stamped(I, templates(I), as_it_is, minor_parts)


def solve_turned_seen(I):
    """The templates, turned, where a part in the colours of a figure is found."""
    return stamped(I, templates(I), all_turns, lbind(several_cells, seen_parts))


def solve_turned_minor(I):
    """The templates, turned, where all but their main colour is found."""
    return stamped(I, templates(I), all_turns, lbind(several_cells, minor_parts))


def solve_main_turned_seen(I):
    """The template of the most colours, turned, where a part in the colours of a figure is found."""
    return stamped(I, main_template(I), all_turns, lbind(several_cells, seen_parts))


def solve_main_turned_minor(I):
    """The template of the most colours, turned, where all but its main colour is found."""
    return stamped(I, main_template(I), all_turns, lbind(several_cells, minor_parts))


def solve_scaled_minor(I):
    """The templates, scaled, where all but their main colour is found."""
    return stamped(I, templates(I), all_sizes, lbind(several_cells, minor_parts))


def solve_main_sized_minor(I):
    """The template of the most colours, turned and scaled, where all but its main colour is found."""
    return stamped(I, main_template(I), turned_sizes, lbind(several_cells, minor_parts))


# Bounces


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
