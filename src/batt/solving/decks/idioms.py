"""Helpers that several decks share: figures of a grid, grids of numbers, forms, and what a figure has to do with another.

The call of a helper is a step of a program, so helpers that run for every figure are written out.
"""

from batt.dsl import *

NO_COLOUR = 10
FURTHEST = 30


def sum_of(values):
    """The sum of a tuple of numbers."""
    return size(merge(apply(lambda value: interval(ZERO, value, ONE), values)))


# Figures of a grid


def of_one_colour(grid):
    """The figures of one colour, four neighbours."""
    return objects(grid, T, F, T)


def of_one_colour_8(grid):
    """The figures of one colour, eight neighbours."""
    return objects(grid, T, T, T)


def of_all_colours(grid):
    """The figures of any colours, four neighbours."""
    return objects(grid, F, F, T)


def of_all_colours_8(grid):
    """The figures of any colours, eight neighbours."""
    return objects(grid, F, T, T)


def of_black(grid):
    """The connected parts of black."""
    return colorfilter(objects(grid, T, F, F), ZERO)


def of_ground(grid):
    """The connected parts of the ground, which has the most frequent colour."""
    return colorfilter(objects(grid, T, F, F), mostcolor(grid))


def of_panels(grid):
    """The places of the panels: the parts of the grid between rows and columns of one colour, as zeros."""
    lines = merge(frontiers(grid))
    ruled = fill(canvas(ZERO, shape(grid)), ONE, lines)
    return colorfilter(objects(ruled, T, F, F), ZERO)


def drawn_places(grid):
    """The places that are not of the most frequent colour."""
    return difference(asindices(grid), ofcolor(grid, mostcolor(grid)))


# Grids of numbers


def zeros(grid):
    """A grid of zeros of the same size."""
    return canvas(ZERO, shape(grid))


def marked(grid, patch):
    """A grid with 1 in these places, and 0 elsewhere."""
    return fill(canvas(ZERO, shape(grid)), ONE, patch)


def painted(grid, figures):
    """The figures alone, on a grid of zeros."""
    return paint(canvas(ZERO, shape(grid)), merge(figures))


def minimum_of(limit, value):
    """The smaller of the two."""
    return minimum(astuple(limit, value))


def measured(grid, figures, measure):
    """Each figure painted with its measure, at most 30, on zeros."""
    kept = compose(lbind(minimum_of, FURTHEST), measure)
    return painted(grid, apply(fork(recolor, kept, identity), figures))


def around(grid, patch, reach):
    """For each cell how many of the places around it are in the patch."""
    count = compose(size, compose(lbind(intersection, patch), reach))
    cells = apply(fork(astuple, count, identity), asindices(grid))
    return paint(zeros(grid), cells)


# Forms and colours of figures


def of_colours(figure, colours):
    """The cells of a figure that have one of some colours."""
    return sfilter(figure, lambda cell: contained(cell[0], colours))


def form_of(figure):
    """The places of a figure, moved to the corner."""
    return toindices(normalize(figure))


def all_turns(figure):
    """A figure turned and mirrored in all eight ways."""
    two = frozenset([figure, dmirror(figure)])
    four = combine(two, apply(hmirror, two))
    return combine(four, apply(vmirror, four))


def is_mirrored(figure):
    """Whether a figure is its own mirror image, left to right."""
    plain = normalize(figure)
    return equality(plain, vmirror(plain))


# A figure and another one


def is_within(inner, outer):
    """Whether the box of one figure is within that of another."""
    return equality(size(difference(backdrop(inner), backdrop(outer))), ZERO)


def between(one, other):
    """The places between two figures, on their common rows or columns."""
    rows = intersection(apply(first, toindices(one)), apply(first, toindices(other)))
    columns = intersection(apply(last, toindices(one)), apply(last, toindices(other)))
    span = backdrop(combine(toindices(one), toindices(other)))
    inner = difference(span, combine(backdrop(one), backdrop(other)))
    return sfilter(inner, lambda place: either(contained(place[0], rows), contained(place[1], columns)))


def on_middle(figure, other):
    """A figure with its middle on that of another one."""
    return shift(figure, subtract(center(other), center(figure)))


def joined_to(figure, other):
    """Another figure, moved so that its cells of a figure's colour are on the figure."""
    colour = mostcolor(figure)
    part = sfilter(other, lambda cell: equality(cell[0], colour))
    anchor = branch(size(part), part, other)
    return shift(other, subtract(ulcorner(figure), ulcorner(anchor)))


def about(figure, other):
    """A figure turned by half about the middle of the box of another one."""
    turned = vmirror(hmirror(figure))
    return shift(turned, subtract(add(ulcorner(other), lrcorner(other)), add(ulcorner(figure), lrcorner(figure))))


def about_across(figure, other):
    """A figure mirrored left to right about the middle of the box of another one."""
    sides = leftmost(other) + rightmost(other) - leftmost(figure) - rightmost(figure)
    return shift(vmirror(figure), tojvec(sides))


def about_along(figure, other):
    """A figure mirrored top to bottom about the middle of the box of another one."""
    sides = uppermost(other) + lowermost(other) - uppermost(figure) - lowermost(figure)
    return shift(hmirror(figure), toivec(sides))
