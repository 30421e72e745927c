"""Stamps: a template is painted wherever a part of it is found.

A template is a figure of several colours, or a box of the grid. A part are the cells of some of its colours.
"""

from batt.dsl import *
from batt.words import *

from ..idioms import all_turns, of_colours


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


def is_whole(grid, part):
    """Whether no cell around a part has one of its colours."""
    places = toindices(part)
    ring = toobject(difference(mapply(neighbors, places), places), grid)
    return equality(size(of_colours(ring, palette(part))), ZERO)


def whole_stamps(grid, make, template):
    """A template wherever one of its parts is found with no more cells of its colours around."""
    parts = make(grid, template)
    return mapply(
        lambda part: apply(
            lambda found: shift(template, subtract(ulcorner(found), ulcorner(part))),
            sfilter(
                apply(lambda place: shift(part, subtract(place, ulcorner(part))), occurrences(grid, part)),
                lbind(is_whole, grid),
            ),
        ),
        parts,
    )


def stamped_whole(grid, figures, ways, make):
    """The grid with all that figures stamp on it, changed in some ways, where a part is found as a whole."""
    made = mapply(lambda each: whole_stamps(grid, make, each), mapply(ways, figures))
    return paint(grid, merge(sfilter(made, lbind(fits, grid))))


def main_box(grid):
    """The box of the largest figure of one colour, as a set of one."""
    return frozenset([toobject(backdrop(argmax(objects(grid, T, F, T), size)), grid)])


def solve_main_sizes_whole_minor(I):
    """The template of the most colours, scaled, where all but its main colour is found as a whole."""
    return stamped_whole(I, main_template(I), all_sizes, minor_parts)


def solve_box_turned_minor(I):
    """The box of the largest figure, turned, where all but its main colour is found."""
    return stamped(I, main_box(I), all_turns, minor_parts)
