"""Cells that correspond to a cell: at its place in another panel, or where its figure is mirrored.

Each is a grid of the input's size: with colours to copy, as a `source_…` of `cells`, or with numbers, as a `mark_…`.
"""

from batt.dsl import *
from batt.words import *

SIDE = 31


# What the sources are made of


def ruled(grid):
    """The parts of the grid between rows and columns of one colour, as objects with their colours."""
    lines = merge(frontiers(grid))
    blank = canvas(ZERO, shape(grid))
    parts = colorfilter(objects(fill(blank, ONE, lines), T, F, F), ZERO)
    found = apply(lambda part: toobject(toindices(part), grid), parts)
    return found


def drawn_cells(ground, figure):
    """The cells of a figure that are not of a colour."""
    found = sfilter(figure, lambda cell: flip(equality(cell[0], ground)))
    return found


def drawn_count(ground, figure):
    """How many cells of a figure are not of a colour."""
    found = size(drawn_cells(ground, figure))
    return found


def order_of(panel):
    """A number that grows from row to row, and from left to right."""
    found = add(multiply(SIDE, uppermost(panel)), leftmost(panel))
    return found


def placed(panel, other):
    """The cells of another panel at the place of a panel; the panel itself if their sizes differ."""
    moved = shift(normalize(other), ulcorner(panel))
    found = branch(equality(shape(panel), shape(other)), moved, panel)
    return found


def all_like(grid, other):
    """The grid with all panels of the size of another one replaced by it."""
    made = mapply(rbind(placed, other), ruled(grid))
    found = paint(grid, made)
    return found


def from_side(grid, is_before, measure):
    """The grid with each panel replaced by the nearest of those that come before it, by the measure."""
    parts = ruled(grid)
    made = mapply(lambda panel: placed(panel, nearest_before(parts, is_before, measure, panel)), parts)
    found = paint(grid, made)
    return found


def nearest_before(parts, is_before, measure, panel):
    """The panel that comes next before a panel; the panel itself if it is the first."""
    before = sfilter(parts, lambda other: is_before(other, panel))
    found = argmin(insert(panel, before), lambda other: key_before(measure, other, panel))
    return found


def key_before(measure, other, panel):
    """How far another panel is; the panel itself comes last."""
    far = abs_of(subtract(measure(other), measure(panel)))
    found = branch(equality(far, ZERO), 1000, far)
    return found


def abs_of(number):
    """The number without its sign."""
    found = maximum(astuple(number, invert(number)))
    return found


def is_left(other, panel):
    """Whether another panel is left of a panel, in its rows."""
    found = both(equality(uppermost(other), uppermost(panel)), greater(leftmost(panel), leftmost(other)))
    return found


def is_right(other, panel):
    """Whether another panel is right of a panel, in its rows."""
    found = is_left(panel, other)
    return found


def is_above(other, panel):
    """Whether another panel is above a panel, in its columns."""
    found = both(equality(leftmost(other), leftmost(panel)), greater(uppermost(panel), uppermost(other)))
    return found


def is_below(other, panel):
    """Whether another panel is below a panel, in its columns."""
    found = is_above(panel, other)
    return found


def boxes_turned(grid, figures, turn):
    """The grid with what is in the box of each figure mirrored there."""
    made = mapply(lambda figure: shift(asobject(turn(subgrid(figure, grid))), ulcorner(figure)), figures)
    found = paint(grid, made)
    return found


def drawn(grid):
    """The cells that are not of the most frequent colour, as one object in a set."""
    ground = mostcolor(grid)
    cells = toobject(difference(asindices(grid), ofcolor(grid, ground)), grid)
    found = initset(cells)
    return found


# Sources: other panels


def solve_source_panel_first(I):
    """Each panel like the first one."""
    return all_like(I, argmin(ruled(I), order_of))


def solve_source_panel_last(I):
    """Each panel like the last one."""
    return all_like(I, argmax(ruled(I), order_of))


def solve_source_panel_most_drawn(I):
    """Each panel like the one in which the most is drawn."""
    parts = ruled(I)
    ground = mostcolor(merge(parts))
    return all_like(I, argmax(parts, lbind(drawn_count, ground)))


def solve_source_panel_least_drawn(I):
    """Each panel like the one in which the least is drawn."""
    parts = ruled(I)
    ground = mostcolor(merge(parts))
    return all_like(I, argmin(parts, lbind(drawn_count, ground)))


def solve_source_panel_most_colours(I):
    """Each panel like the one with the most colours."""
    return all_like(I, argmax(ruled(I), numcolors))


def solve_source_panel_left(I):
    """Each panel like the next one on its left."""
    return from_side(I, is_left, leftmost)


def solve_source_panel_right(I):
    """Each panel like the next one on its right."""
    return from_side(I, is_right, leftmost)


def solve_source_panel_above(I):
    """Each panel like the next one above it."""
    return from_side(I, is_above, uppermost)


def solve_source_panel_below(I):
    """Each panel like the next one below it."""
    return from_side(I, is_below, uppermost)


def solve_source_panels_together(I):
    """Each panel with what is drawn in any panel."""
    parts = ruled(I)
    ground = mostcolor(merge(parts))
    corners = apply(ulcorner, parts)
    cells = mapply(lambda panel: shift(drawn_cells(ground, panel), invert(ulcorner(panel))), parts)
    made = mapply(lambda corner: shift(cells, corner), corners)
    return paint(I, made)


# Sources: panels as large as the cells of one


def rank_among(values, value):
    """The number of different values that are less."""
    found = size(sfilter(frozenset(values), lbind(greater, value)))
    return found


def like_cell(small, place, part):
    """A part in the colour that a small figure has at a place; the part itself if it has none there."""
    cell = sfilter(small, matcher(last, place))
    found = branch(size(cell), recolor(mostcolor(branch(size(cell), cell, part)), part), part)
    return found


def expanded(grid, panel):
    """The grid with each panel in the colour that another panel has at its place among the panels."""
    parts = totuple(ruled(grid))
    tops, lefts = apply(uppermost, parts), apply(leftmost, parts)
    small = normalize(panel)
    cell_of = lambda part: astuple(rank_among(tops, uppermost(part)), rank_among(lefts, leftmost(part)))
    made = mapply(lambda part: like_cell(small, cell_of(part), part), frozenset(parts))
    found = paint(grid, made)
    return found


def solve_source_expanded_most_colours(I):
    """Each panel in the colour of a cell of the panel with the most colours."""
    return expanded(I, argmax(ruled(I), numcolors))


def solve_source_expanded_least_colours(I):
    """Each panel in the colour of a cell of the panel with the fewest colours."""
    return expanded(I, argmin(ruled(I), numcolors))


def solve_source_expanded_most_drawn(I):
    """Each panel in the colour of a cell of the panel in which the most is drawn."""
    parts = ruled(I)
    return expanded(I, argmax(parts, lbind(drawn_count, mostcolor(merge(parts)))))


# Sources: colours that come again after a number of lines


def residue_colours(number_of, period, cells):
    """The colours of cells with the remainder of their line's number."""
    found = apply(lambda cell: astuple(number_of(cell[1]) % period, cell[0]), cells)
    return found


def is_period(number_of, cells, period):
    """Whether lines whose numbers have the same remainder have the same colour."""
    pairs = residue_colours(number_of, period, cells)
    found = equality(size(pairs), size(apply(first, pairs)))
    return found


def periodic(grid, number_of):
    """The grid with each line, by its number, in the colour of lines that are some least period away."""
    drawn_now = drawn_cells(mostcolor(grid), asobject(grid))
    periods = sfilter(interval(TWO, TEN, ONE), lambda each: is_period(number_of, drawn_now, each))
    period = (periods + (ONE,))[0]
    cells = branch(size(periods), drawn_now, frozenset())
    places = asindices(grid)
    made = mapply(
        lambda pair: recolor(pair[1], sfilter(places, lambda place: equality(number_of(place) % period, pair[0]))),
        residue_colours(number_of, period, cells),
    )
    found = paint(grid, made)
    return found


def solve_source_periodic_down(I):
    """Each row in the colour of rows some period away."""
    return periodic(I, first)


def solve_source_periodic_across(I):
    """Each column in the colour of columns some period away."""
    return periodic(I, last)


def solve_source_periodic_diagonal(I):
    """Each diagonal in the colour of diagonals some period away."""
    return periodic(I, lambda place: place[0] - place[1] + 30)


def solve_source_periodic_other_diagonal(I):
    """Each diagonal, the other way, in the colour of diagonals some period away."""
    return periodic(I, lambda place: place[0] + place[1])


# Marks: the remainder of a line's number


def by_three(grid, number_of):
    """A grid with the remainder of each place's number by three."""
    blank = canvas(ZERO, shape(grid))
    found = paint(blank, apply(lambda place: astuple(number_of(place) % 3, place), asindices(grid)))
    return found


def solve_mark_rows_by_three(I):
    """The remainder of the row by three."""
    return by_three(I, first)


def solve_mark_columns_by_three(I):
    """The remainder of the column by three."""
    return by_three(I, last)


def solve_mark_diagonals_by_three(I):
    """The remainder of the diagonal by three."""
    return by_three(I, lambda place: place[0] + place[1])


# Sources: keys, which pair colours


def mapped(grid, function):
    """The grid with each colour but the ground replaced by what a function gives for it."""
    colours = remove(mostcolor(grid), palette(grid))
    made = mapply(lambda colour: recolor(function(colour), ofcolor(grid, colour)), colours)
    found = paint(grid, made)
    return found


def key_colour(keys, colour):
    """The other colour of the smallest figure of several colours that has a colour; the colour if there is none."""
    figure = (sfilter(keys, lambda each: contained(colour, palette(each))) + (initset((colour, ORIGIN)),))[0]
    rest = sfilter(figure, lambda cell: flip(equality(cell[0], colour)))
    found = mostcolor(branch(equality(size(rest), ZERO), figure, rest))
    return found


def colour_beside(grid, offset, colour):
    """The most frequent colour at an offset from cells of a colour, but it and the ground; the colour if there is none."""
    ground = mostcolor(grid)
    cells = toobject(shift(ofcolor(grid, colour), offset), grid)
    rest = sfilter(cells, lambda cell: flip(either(equality(cell[0], ground), equality(cell[0], colour))))
    found = mostcolor(branch(equality(size(rest), ZERO), initset((colour, ORIGIN)), rest))
    return found


def solve_source_key(I):
    """Each cell in the colour that is with its colour in the smallest figure of several colours."""
    keys = order(sfilter(objects(I, F, T, T), lambda each: greater(numcolors(each), ONE)), size)
    return mapped(I, lbind(key_colour, keys))


def solve_source_key_right(I):
    """Each cell in the colour that is right of cells of its colour."""
    return mapped(I, lbind(lbind(colour_beside, I), RIGHT))


def solve_source_key_left(I):
    """Each cell in the colour that is left of cells of its colour."""
    return mapped(I, lbind(lbind(colour_beside, I), LEFT))


def solve_source_key_below(I):
    """Each cell in the colour that is below cells of its colour."""
    return mapped(I, lbind(lbind(colour_beside, I), DOWN))


def solve_source_key_above(I):
    """Each cell in the colour that is above cells of its colour."""
    return mapped(I, lbind(lbind(colour_beside, I), UP))


# Sources: mirrored figures


def solve_source_figures_vmirror(I):
    """The box of each figure mirrored left to right."""
    return boxes_turned(I, objects(I, F, T, T), vmirror)


def solve_source_figures_hmirror(I):
    """The box of each figure mirrored top to bottom."""
    return boxes_turned(I, objects(I, F, T, T), hmirror)


def solve_source_figures_rot180(I):
    """The box of each figure turned upside down."""
    return boxes_turned(I, objects(I, F, T, T), rot180)


def solve_source_figures_dmirror(I):
    """The box of each figure mirrored at its diagonal."""
    return boxes_turned(I, objects(I, F, T, T), dmirror)


def solve_source_drawn_vmirror(I):
    """The box of all that is drawn mirrored left to right."""
    return boxes_turned(I, drawn(I), vmirror)


def solve_source_drawn_hmirror(I):
    """The box of all that is drawn mirrored top to bottom."""
    return boxes_turned(I, drawn(I), hmirror)


def solve_source_drawn_rot180(I):
    """The box of all that is drawn turned upside down."""
    return boxes_turned(I, drawn(I), rot180)


def solve_source_drawn_dmirror(I):
    """The box of all that is drawn mirrored at its diagonal."""
    return boxes_turned(I, drawn(I), dmirror)
