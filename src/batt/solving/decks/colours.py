"""What cells have to do with one colour, S: whether they are beside it, in line with it, in its box or enclosed by it.

Each is a grid of the input's size, as in `cells`: a `mark_…` holds small numbers.
"""

from batt.dsl import *
from batt.words import *

from .idioms import FURTHEST, around, marked, of_panels, zeros


# What the marks are made of


def shot(grid, colour, direction):
    """The places that lie in a direction from a cell of the colour."""
    places = shift(ofcolor(grid, colour), direction)
    found = mapply(rbind(shoot, direction), places)
    return found


def meets(places, figure):
    """Whether a figure has one of these places."""
    common = intersection(places, toindices(figure))
    found = positive(size(common))
    return found


def meeting(grid, figures, places):
    """A grid with 1 in the figures that have one of these places."""
    found = mfilter(figures, lbind(meets, places))
    made = marked(grid, toindices(found))
    return made


def counted_in(places, figure):
    """A figure painted with the number of these places that it has, at most 30."""
    common = intersection(places, toindices(figure))
    both_values = astuple(FURTHEST, size(common))
    made = recolor(minimum(both_values), figure)
    return made


def counted(grid, figures, places):
    """The figures, each painted with the number of these places that it has, on zeros."""
    made = mapply(lbind(counted_in, places), figures)
    found = paint(zeros(grid), made)
    return found


def ringed(grid, places, reach):
    """Each cell painted with its distance from these places, at most 7, on a grid of sevens."""
    one = combine(places, mapply(reach, places))
    two = combine(one, mapply(reach, one))
    three = combine(two, mapply(reach, two))
    four = combine(three, mapply(reach, three))
    five = combine(four, mapply(reach, four))
    six = combine(five, mapply(reach, five))
    blank = canvas(SEVEN, shape(grid))
    far = fill(fill(fill(blank, SIX, six), FIVE, five), FOUR, four)
    found = fill(fill(fill(fill(far, THREE, three), TWO, two), ONE, one), ZERO, places)
    return found


# Marks


def solve_mark_touches(S, I):
    """The parts of one colour that have a cell of the colour beside them."""
    near = mapply(dneighbors, ofcolor(I, S))
    return meeting(I, objects(I, T, F, F), near)


def solve_mark_touches_8(S, I):
    """The parts of one colour, with eight neighbours, that have a cell of the colour around them."""
    near = mapply(neighbors, ofcolor(I, S))
    return meeting(I, objects(I, T, T, F), near)


def solve_mark_count_in_figure(S, I):
    """How many cells of the colour the figure has."""
    return counted(I, objects(I, F, T, T), ofcolor(I, S))


def solve_mark_count_in_panel(S, I):
    """How many cells of the colour the panel has."""
    return counted(I, of_panels(I), ofcolor(I, S))


def solve_mark_box_has(S, I):
    """The figures whose box has a cell of the colour."""
    places = ofcolor(I, S)
    found = mfilter(objects(I, T, T, T), lambda figure: meets(places, backdrop(figure)))
    return marked(I, toindices(found))


def solve_mark_in_row(S, I):
    """The rows that have the colour."""
    return marked(I, mapply(hfrontier, ofcolor(I, S)))


def solve_mark_in_column(S, I):
    """The columns that have the colour."""
    return marked(I, mapply(vfrontier, ofcolor(I, S)))


def solve_mark_right(S, I):
    """The cells right of one of the colour."""
    return marked(I, shot(I, S, RIGHT))


def solve_mark_left(S, I):
    """The cells left of one of the colour."""
    return marked(I, shot(I, S, LEFT))


def solve_mark_down(S, I):
    """The cells below one of the colour."""
    return marked(I, shot(I, S, DOWN))


def solve_mark_up(S, I):
    """The cells above one of the colour."""
    return marked(I, shot(I, S, UP))


def solve_mark_between_across(S, I):
    """The cells between two of the colour in their row."""
    return marked(I, intersection(shot(I, S, RIGHT), shot(I, S, LEFT)))


def solve_mark_between_along(S, I):
    """The cells between two of the colour in their column."""
    return marked(I, intersection(shot(I, S, DOWN), shot(I, S, UP)))


def solve_mark_down_right(S, I):
    """The cells on a diagonal down right from one of the colour."""
    return marked(I, shot(I, S, UNITY))


def solve_mark_up_left(S, I):
    """The cells on a diagonal up left from one of the colour."""
    return marked(I, shot(I, S, NEG_UNITY))


def solve_mark_up_right(S, I):
    """The cells on a diagonal up right from one of the colour."""
    return marked(I, shot(I, S, UP_RIGHT))


def solve_mark_down_left(S, I):
    """The cells on a diagonal down left from one of the colour."""
    return marked(I, shot(I, S, DOWN_LEFT))


def solve_mark_diagonals(S, I):
    """The cells on a diagonal of one of the colour."""
    one = combine(shot(I, S, UNITY), shot(I, S, NEG_UNITY))
    other = combine(shot(I, S, UP_RIGHT), shot(I, S, DOWN_LEFT))
    return marked(I, combine(one, other))


def solve_mark_in_box(S, I):
    """The cells in the box of the colour."""
    return marked(I, backdrop(ofcolor(I, S)))


def solve_mark_box(S, I):
    """The outline of the box of the colour."""
    return marked(I, box(ofcolor(I, S)))


def solve_mark_enclosed(S, I):
    """The cells that the colour encloses."""
    alone = marked(I, ofcolor(I, S))
    return marked(I, inside(alone, 0, F))


def solve_mark_enclosed_8(S, I):
    """The cells that the colour encloses, if a way out may not be diagonal."""
    alone = marked(I, ofcolor(I, S))
    return marked(I, inside(alone, 0, T))


def solve_mark_around_8(S, I):
    """How many cells of the colour are around."""
    return around(I, ofcolor(I, S), neighbors)


def solve_mark_around_4(S, I):
    """How many cells of the colour are beside."""
    return around(I, ofcolor(I, S), dneighbors)


def solve_mark_in_enclosed_figures(S, I):
    """The parts of one colour that the colour encloses in whole."""
    alone = marked(I, ofcolor(I, S))
    places = inside(alone, 0, F)
    found = mfilter(objects(I, T, F, T), lambda figure: equality(size(difference(toindices(figure), places)), ZERO))
    return marked(I, toindices(found))


def solve_mark_above_all(S, I):
    """The rows above all cells of the colour."""
    start = uppermost(ofcolor(I, S))
    return marked(I, sfilter(asindices(I), lambda cell: greater(start, cell[0])))


def solve_mark_below_all(S, I):
    """The rows below all cells of the colour."""
    end = lowermost(ofcolor(I, S))
    return marked(I, sfilter(asindices(I), lambda cell: greater(cell[0], end)))


def solve_mark_left_of_all(S, I):
    """The columns left of all cells of the colour."""
    start = leftmost(ofcolor(I, S))
    return marked(I, sfilter(asindices(I), lambda cell: greater(start, cell[1])))


def solve_mark_right_of_all(S, I):
    """The columns right of all cells of the colour."""
    end = rightmost(ofcolor(I, S))
    return marked(I, sfilter(asindices(I), lambda cell: greater(cell[1], end)))


def solve_mark_even_rows_off(S, I):
    """The rows at an even distance from the first row of the colour."""
    start = uppermost(ofcolor(I, S))
    return marked(I, sfilter(asindices(I), lambda cell: even(subtract(cell[0], start))))


def solve_mark_even_columns_off(S, I):
    """The columns at an even distance from the first column of the colour."""
    start = leftmost(ofcolor(I, S))
    return marked(I, sfilter(asindices(I), lambda cell: even(subtract(cell[1], start))))


def solve_mark_rings(S, I):
    """How many steps, diagonal ones included, the next cell of the colour is away, at most 7."""
    return ringed(I, ofcolor(I, S), neighbors)


def solve_mark_steps(S, I):
    """How many steps up, down, left or right the next cell of the colour is away, at most 7."""
    return ringed(I, ofcolor(I, S), dneighbors)


def solve_mark_rows_off(S, I):
    """The distance from the first row of the colour, modulo 4."""
    start = uppermost(ofcolor(I, S))
    return paint(I, apply(lambda cell: astuple((cell[0] - start) % 4, cell), asindices(I)))


def solve_mark_columns_off(S, I):
    """The distance from the first column of the colour, modulo 4."""
    start = leftmost(ofcolor(I, S))
    return paint(I, apply(lambda cell: astuple((cell[1] - start) % 4, cell), asindices(I)))
