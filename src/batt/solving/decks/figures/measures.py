"""Measures: numbers of a figure."""

from batt.dsl import *
from batt.words import *

from ..idioms import form_of, is_within
from .parts import around_of, touching, turned_forms


def cell_code(place):
    """A number of a place, to tell forms apart."""
    return (place[0] * 37 + place[1] * 101 + place[0] * place[1] * 59 + place[0] * place[0] * 23) % 997


def form_code(figure):
    """A number of a form: equal forms have equal numbers, others seldom do."""
    codes = apply(cell_code, totuple(form_of(figure)))
    return size(merge(apply(lambda code: interval(ZERO, code, ONE), codes))) % 8009


def hole_count(figure):
    """The number of separate holes of a figure."""
    inner = holes(figure, F)
    blank = canvas(ZERO, shape(figure))
    drawn = fill(blank, ONE, shift(inner, invert(ulcorner(figure))))
    return size(colorfilter(objects(drawn, T, F, F), ONE))


def outline_of(figure):
    """The line, the box or else the whole box that a figure would be if nothing lay on it."""
    lines = (connect(ulcorner(figure), lrcorner(figure)), connect(urcorner(figure), llcorner(figure)))
    outlines = lines + (box(figure), backdrop(figure))
    cells = toindices(figure)
    return first(sfilter(outlines, lambda each: equality(size(difference(cells, each)), ZERO)))


def hidden_part(figure):
    """The places of the outline of a figure that it does not have."""
    return difference(outline_of(figure), toindices(figure))


def solve_measure_colour(S, I):
    """The main colour."""
    return mostcolor


def solve_measure_size(S, I):
    """The number of cells."""
    return size


def solve_measure_height(S, I):
    """The height."""
    return height


def solve_measure_width(S, I):
    """The width."""
    return width


def solve_measure_area(S, I):
    """The area of the box."""
    return fork(multiply, height, width)


def solve_measure_colours(S, I):
    """The number of colours."""
    return numcolors


def solve_measure_least_colour(S, I):
    """The least frequent colour."""
    return leastcolor


def solve_measure_least_count(S, I):
    """The number of cells that are not of the main colour."""
    return lambda figure: size(figure) - colorcount(figure, mostcolor(figure))


def solve_measure_top(S, I):
    """The first row."""
    return uppermost


def solve_measure_left(S, I):
    """The first column."""
    return leftmost


def solve_measure_bottom(S, I):
    """The last row."""
    return lowermost


def solve_measure_right(S, I):
    """The last column."""
    return rightmost


def solve_measure_holes(S, I):
    """The number of holes."""
    return hole_count


def solve_measure_hollow(S, I):
    """The number of cells of the box that are not of the figure."""
    return compose(size, delta)


def solve_measure_form(S, I):
    """A number of the form."""
    return form_code


def solve_measure_turned_form(S, I):
    """A number of the form, equal if it is turned or mirrored."""
    return lambda figure: form_code(first(turned_forms(figure)))


def solve_measure_borders(S, I):
    """Whether it touches the edge of the grid."""
    return rbind(bordering, I)


def solve_measure_tallness(S, I):
    """0 if it is wider than high, 1 if both are equal, 2 if it is higher."""
    return lambda figure: sign(height(figure) - width(figure)) + 1


def solve_measure_is_full(S, I):
    """Whether it fills its box."""
    return lambda figure: equality(size(delta(figure)), ZERO)


def solve_measure_is_mirrored(S, I):
    """Whether it is its own mirror image, left to right."""
    return lambda figure: equality(form_of(figure), vmirror(form_of(figure)))


def solve_measure_is_mirrored_down(S, I):
    """Whether it is its own mirror image, top to bottom."""
    return lambda figure: equality(form_of(figure), hmirror(form_of(figure)))


def solve_measure_is_mirrored_across(S, I):
    """Whether it is its own mirror image across a diagonal."""
    return lambda figure: equality(form_of(figure), dmirror(form_of(figure)))


def solve_measure_symmetries(S, I):
    """The number of different forms that turns and mirrors give."""
    return lambda figure: size(turned_forms(figure))


def solve_measure_is_picture_mirrored(S, I):
    """Whether it is its own mirror image, left to right, with its colours."""
    return lambda figure: equality(figure, vmirror(figure))


def solve_measure_is_picture_mirrored_down(S, I):
    """Whether it is its own mirror image, top to bottom, with its colours."""
    return lambda figure: equality(figure, hmirror(figure))


def solve_measure_touching(S, I):
    """The number of other figures that touch it."""
    return lambda figure: size(touching(S, figure))


def solve_measure_inside(S, I):
    """The number of other figures in whose box it is."""
    return lambda figure: size(sfilter(S, lambda each: is_within(figure, each))) - 1


def solve_measure_contains(S, I):
    """The number of other figures that are in its box."""
    return lambda figure: size(sfilter(S, lambda each: is_within(each, figure))) - 1


def solve_measure_box_colours(S, I):
    """The number of colours in its box."""
    return lambda figure: numcolors(subgrid(figure, I))


def solve_measure_around_colours(S, I):
    """The number of colours around it."""
    return lambda figure: size(palette(toobject(around_of(figure), I)))


def solve_measure_in_rows(S, I):
    """The number of figures in its rows."""
    return lambda figure: size(sfilter(S, rbind(hmatching, figure)))


def solve_measure_in_columns(S, I):
    """The number of figures in its columns."""
    return lambda figure: size(sfilter(S, rbind(vmatching, figure)))


def solve_measure_lower_half(S, I):
    """0 if it is in the upper half of the grid, 1 in the middle, 2 in the lower half."""
    return lambda figure: sign(uppermost(figure) + lowermost(figure) + 1 - height(I)) + 1


def solve_measure_right_half(S, I):
    """0 if it is in the left half of the grid, 1 in the middle, 2 in the right half."""
    return lambda figure: sign(leftmost(figure) + rightmost(figure) + 1 - width(I)) + 1


def solve_measure_odd_size(S, I):
    """Whether the number of cells is odd."""
    return lambda figure: size(figure) % 2


def solve_measure_odd_height(S, I):
    """Whether the height is odd."""
    return lambda figure: height(figure) % 2


def solve_measure_odd_width(S, I):
    """Whether the width is odd."""
    return lambda figure: width(figure) % 2


def solve_measure_odd_top(S, I):
    """Whether the first row is odd."""
    return lambda figure: uppermost(figure) % 2


def solve_measure_odd_left(S, I):
    """Whether the first column is odd."""
    return lambda figure: leftmost(figure) % 2


def solve_measure_edges(S, I):
    """The edges of the grid that it touches, as a sum: 1 for the upper one, 2 lower, 4 left, 8 right."""
    last_row, last_column = height(I) - 1, width(I) - 1
    return lambda figure: (
        branch(uppermost(figure), ZERO, ONE)
        + branch(equality(lowermost(figure), last_row), TWO, ZERO)
        + branch(leftmost(figure), ZERO, FOUR)
        + branch(equality(rightmost(figure), last_column), EIGHT, ZERO)
    )


def solve_measure_is_central(S, I):
    """Whether it has the middle of the grid."""
    middle = center(asindices(I))
    return lambda figure: branch(contained(middle, toindices(figure)), ONE, ZERO)


def solve_measure_count(S, I):
    """The number of figures."""
    return lambda figure: size(S)


def pairs_in_pile(figures):
    """All pairs of figures of which the first lies on the second: it has places of the second one's outline."""
    parts = apply(lambda each: astuple(each, hidden_part(each)), totuple(figures))
    covered = sfilter(parts, lambda each: greater(size(each[1]), ZERO))
    lies_on = lambda under, each: greater(size(intersection(toindices(each), under[1])), ZERO)
    above = lambda under: sfilter(totuple(figures), lbind(lies_on, under))
    return merge(apply(lambda under: apply(rbind(astuple, under[0]), above(under)), covered))


def with_those_below(pairs_found, figures):
    """Figures, and those that one of them lies on."""
    below = sfilter(pairs_found, lambda each: contained(each[0], figures))
    return combine(figures, apply(last, below))


def solve_measure_height_in_pile(S, I):
    """The number of figures that lie below it, also below others that do, and itself."""
    grow = power(lbind(with_those_below, pairs_in_pile(S)), 8)
    return lambda figure: size(grow(initset(figure)))
