"""Where cells lie: what is around them, how far the next figure is, their place within a figure, a panel or the grid.

Each is a grid of the input's size, as in `cells`: a `source_…` holds colours, a `mark_…` small numbers.
"""

from batt.dsl import *
from batt.words import *

FURTHEST = 30


# What the marks are made of


def drawn_places(grid):
    """The places that are not of the most frequent colour."""
    ground = mostcolor(grid)
    cells = asindices(grid)
    empty = ofcolor(grid, ground)
    rest = difference(cells, empty)
    return rest


def zeros(grid):
    """A grid of zeros of the same size."""
    size_of = shape(grid)
    blank = canvas(ZERO, size_of)
    return blank


def marked(grid, patch):
    """A grid with 1 in these places, and 0 elsewhere."""
    blank = zeros(grid)
    found = fill(blank, ONE, patch)
    return found


def painted(grid, figures):
    """The figures alone, on a grid of zeros."""
    blank = zeros(grid)
    cells = merge(figures)
    found = paint(blank, cells)
    return found


def minimum_of(limit, value):
    """The smaller of the two."""
    both_values = astuple(limit, value)
    least = minimum(both_values)
    return least


def measured(grid, figures, measure):
    """Each figure painted with its measure, at most 30, on zeros."""
    kept = compose(lbind(minimum_of, FURTHEST), measure)
    coloured = fork(recolor, kept, identity)
    made = apply(coloured, figures)
    found = painted(grid, made)
    return found


def numbered(grid, places, number):
    """Each of the places painted with its number, on zeros."""
    blank = zeros(grid)
    cell = fork(astuple, number, identity)
    cells = apply(cell, places)
    found = paint(blank, cells)
    return found


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


def around(grid, patch, reach):
    """For each cell how many of the places around it are in the patch."""
    near = compose(lbind(intersection, patch), reach)
    count = compose(size, near)
    cells = asindices(grid)
    found = numbered(grid, cells, count)
    return found


def alike_around(grid, reach):
    """For each cell how many cells around it have its colour."""
    layers = partition(grid)
    made = mapply(lbind(alike_in, reach), layers)
    blank = zeros(grid)
    found = paint(blank, made)
    return found


def alike_in(reach, layer):
    """The places of a layer, each with the number of places around it that are in the layer."""
    places = toindices(layer)
    near = compose(lbind(intersection, places), reach)
    count = compose(size, near)
    cell = fork(astuple, count, identity)
    cells = apply(cell, places)
    return cells


def less_by(measure, figures, figure):
    """The number of figures whose measure is less, plus one."""
    own = measure(figure)
    is_less = compose(lbind(greater, own), measure)
    before = sfilter(figures, is_less)
    count = size(before)
    place = increment(count)
    return place


def more_by(measure, figures, figure):
    """The number of figures whose measure is greater, plus one."""
    own = measure(figure)
    is_more = compose(rbind(greater, own), measure)
    before = sfilter(figures, is_more)
    count = size(before)
    place = increment(count)
    return place


def within(figure, number):
    """The cells of a figure, each with the number of its place in the box of the figure."""
    places = toindices(figure)
    cell = fork(astuple, number, identity)
    cells = apply(cell, places)
    return cells


def rows_within(figure):
    """The cells of a figure with their row in its box, from 1."""
    top = decrement(uppermost(figure))
    number = compose(rbind(subtract, top), first)
    cells = within(figure, number)
    return cells


def columns_within(figure):
    """The cells of a figure with their column in its box, from 1."""
    start = decrement(leftmost(figure))
    number = compose(rbind(subtract, start), last)
    cells = within(figure, number)
    return cells


def rows_from_below(figure):
    """The cells of a figure with their row in its box, counted from below, from 1."""
    bottom = increment(lowermost(figure))
    number = compose(lbind(subtract, bottom), first)
    cells = within(figure, number)
    return cells


def columns_from_right(figure):
    """The cells of a figure with their column in its box, counted from the right, from 1."""
    end = increment(rightmost(figure))
    number = compose(lbind(subtract, end), last)
    cells = within(figure, number)
    return cells


def halves_down(figure):
    """The cells of a figure: 1 in the upper half of its box, 2 in its middle row, 3 in the lower half."""
    twice = add(uppermost(figure), lowermost(figure))
    side = chain(sign, rbind(subtract, twice), compose(double, first))
    cells = within(figure, compose(rbind(add, TWO), side))
    return cells


def halves_across(figure):
    """The cells of a figure: 1 in the left half of its box, 2 in its middle column, 3 in the right half."""
    twice = add(leftmost(figure), rightmost(figure))
    side = chain(sign, rbind(subtract, twice), compose(double, last))
    cells = within(figure, compose(rbind(add, TWO), side))
    return cells


def depth_within(figure):
    """The cells of a figure with how far they are from the edge of its box, from 1."""
    upper = decrement(ulcorner(figure))
    lower = increment(lrcorner(figure))
    from_upper = rbind(subtract, upper)
    from_lower = lbind(subtract, lower)
    number = compose(minimum, fork(combine, from_upper, from_lower))
    cells = within(figure, number)
    return cells


def hole_count(figure):
    """The number of places that a figure encloses, plus one."""
    places = holes(figure, F)
    count = size(places)
    more = increment(count)
    return more


def of_one_colour(grid):
    """The figures of one colour, four neighbours."""
    return objects(grid, T, F, T)


def of_one_colour_8(grid):
    """The figures of one colour, eight neighbours."""
    return objects(grid, T, T, T)


def of_all_colours_8(grid):
    """The figures of any colours, eight neighbours."""
    return objects(grid, F, T, T)


def of_ground(grid):
    """The connected parts of the ground."""
    ground = mostcolor(grid)
    every = objects(grid, T, F, F)
    found = colorfilter(every, ground)
    return found


def of_panels(grid):
    """The parts of the grid between rows and columns of one colour."""
    lines = merge(frontiers(grid))
    blank = zeros(grid)
    ruled = fill(blank, ONE, lines)
    parts = objects(ruled, T, F, F)
    found = colorfilter(parts, ZERO)
    return found


def drawn_in(places, figure):
    """The number of these places that are in a figure, plus one."""
    found = intersection(places, toindices(figure))
    count = size(found)
    more = increment(count)
    return more


def colours_in(grid, figure):
    """The number of colours that the grid has in a figure."""
    cells = toobject(figure, grid)
    count = numcolors(cells)
    return count


def main_in(grid, ground, figure):
    """A figure in the most frequent colour but the ground that the grid has there; the ground if there is none."""
    cells = toobject(figure, grid)
    is_drawn = compose(flip, matcher(first, ground))
    kept = sfilter(cells, is_drawn)
    chosen = branch(greater(size(kept), ZERO), kept, cells)
    colour = mostcolor(chosen)
    made = recolor(colour, figure)
    return made


def rarest_in(grid, figure):
    """A figure in the rarest colour that the grid has there."""
    cells = toobject(figure, grid)
    colour = leastcolor(cells)
    made = recolor(colour, figure)
    return made


def row_of(cells, place):
    """The number of places in the row of a place, at most 30."""
    line = hfrontier(place)
    found = intersection(cells, line)
    count = size(found)
    return count


def column_of(cells, place):
    """The number of places in the column of a place, at most 30."""
    line = vfrontier(place)
    found = intersection(cells, line)
    count = size(found)
    return count


# Sources


def solve_source_edge_left(I):
    """The first cell of each row, all over the row."""
    w = width(I)
    first_column = crop(I, ORIGIN, astuple(height(I), ONE))
    made = hupscale(first_column, w)
    return made


def solve_source_edge_right(I):
    """The last cell of each row, all over the row."""
    w = width(I)
    turned = vmirror(I)
    last_column = crop(turned, ORIGIN, astuple(height(I), ONE))
    made = hupscale(last_column, w)
    return made


def solve_source_edge_top(I):
    """The first cell of each column, all over the column."""
    h = height(I)
    first_row = crop(I, ORIGIN, astuple(ONE, width(I)))
    made = vupscale(first_row, h)
    return made


def solve_source_edge_bottom(I):
    """The last cell of each column, all over the column."""
    h = height(I)
    turned = hmirror(I)
    last_row = crop(turned, ORIGIN, astuple(ONE, width(I)))
    made = vupscale(last_row, h)
    return made


def solve_source_spread_4(I):
    """The nearest colour by four neighbours."""
    ground = mostcolor(I)
    made = spread(I, ground, NEG_ONE, dneighbors(ORIGIN))
    return made


def solve_source_spread_8(I):
    """The nearest colour by eight neighbours."""
    ground = mostcolor(I)
    made = spread(I, ground, NEG_ONE, neighbors(ORIGIN))
    return made


def solve_source_panel_main(I):
    """Each panel in its most frequent colour but the ground."""
    figures = of_panels(I)
    ground = mostcolor(toobject(merge(figures), I))
    made = apply(lbind(lbind(main_in, I), ground), figures)
    cells = merge(made)
    found = paint(I, cells)
    return found


def solve_source_panel_rarest(I):
    """Each panel in its rarest colour."""
    figures = of_panels(I)
    made = apply(lbind(rarest_in, I), figures)
    cells = merge(made)
    found = paint(I, cells)
    return found


# Marks


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


def solve_mark_around_8(I):
    """The number of neighbours that are not ground."""
    places = drawn_places(I)
    found = around(I, places, neighbors)
    return found


def solve_mark_around_4(I):
    """The number of neighbours that are not ground, diagonal ones aside."""
    places = drawn_places(I)
    found = around(I, places, dneighbors)
    return found


def solve_mark_alike_8(I):
    """The number of neighbours of the same colour."""
    found = alike_around(I, neighbors)
    return found


def solve_mark_alike_4(I):
    """The number of neighbours of the same colour, diagonal ones aside."""
    found = alike_around(I, dneighbors)
    return found


def solve_mark_inside_4(I):
    """The cells of the ground that figures enclose."""
    ground = mostcolor(I)
    places = inside(I, ground, F)
    found = marked(I, places)
    return found


def solve_mark_inside_8(I):
    """The cells of the ground that figures enclose without a diagonal gap."""
    ground = mostcolor(I)
    places = inside(I, ground, T)
    found = marked(I, places)
    return found


def solve_mark_depth(I):
    """How far a cell is from the edge of the grid."""
    cells = asobject(I)
    made = depth_within(cells)
    blank = zeros(I)
    found = paint(blank, made)
    return found


def solve_mark_halves_down(I):
    """The upper half of the grid, its middle row, and the lower half."""
    cells = asobject(I)
    made = halves_down(cells)
    blank = zeros(I)
    found = paint(blank, made)
    return found


def solve_mark_halves_across(I):
    """The left half of the grid, its middle column, and the right half."""
    cells = asobject(I)
    made = halves_across(cells)
    blank = zeros(I)
    found = paint(blank, made)
    return found


def solve_mark_drawn_in_row(I):
    """The number of cells of the row that are not ground."""
    places = drawn_places(I)
    cells = asindices(I)
    found = numbered(I, cells, lbind(row_of, places))
    return found


def solve_mark_drawn_in_column(I):
    """The number of cells of the column that are not ground."""
    places = drawn_places(I)
    cells = asindices(I)
    found = numbered(I, cells, lbind(column_of, places))
    return found


def solve_mark_rows_within_of_one_colour(I):
    """Each cell of figures of one colour: its row in its box."""
    figures = of_one_colour(I)
    made = apply(rows_within, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_within_of_one_colour(I):
    """Each cell of figures of one colour: its column in its box."""
    figures = of_one_colour(I)
    made = apply(columns_within, figures)
    found = painted(I, made)
    return found


def solve_mark_rows_from_below_of_one_colour(I):
    """Each cell of figures of one colour: its row in its box from below."""
    figures = of_one_colour(I)
    made = apply(rows_from_below, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_from_right_of_one_colour(I):
    """Each cell of figures of one colour: its column in its box from the right."""
    figures = of_one_colour(I)
    made = apply(columns_from_right, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_down_of_one_colour(I):
    """Each cell of figures of one colour: its upper or lower half of its box."""
    figures = of_one_colour(I)
    made = apply(halves_down, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_across_of_one_colour(I):
    """Each cell of figures of one colour: its left or right half of its box."""
    figures = of_one_colour(I)
    made = apply(halves_across, figures)
    found = painted(I, made)
    return found


def solve_mark_depth_within_of_one_colour(I):
    """Each cell of figures of one colour: its distance from the edge of its box."""
    figures = of_one_colour(I)
    made = apply(depth_within, figures)
    found = painted(I, made)
    return found


def solve_mark_rows_within_of_all_colours_8(I):
    """Each cell of figures of any colours: its row in its box."""
    figures = of_all_colours_8(I)
    made = apply(rows_within, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_within_of_all_colours_8(I):
    """Each cell of figures of any colours: its column in its box."""
    figures = of_all_colours_8(I)
    made = apply(columns_within, figures)
    found = painted(I, made)
    return found


def solve_mark_rows_from_below_of_all_colours_8(I):
    """Each cell of figures of any colours: its row in its box from below."""
    figures = of_all_colours_8(I)
    made = apply(rows_from_below, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_from_right_of_all_colours_8(I):
    """Each cell of figures of any colours: its column in its box from the right."""
    figures = of_all_colours_8(I)
    made = apply(columns_from_right, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_down_of_all_colours_8(I):
    """Each cell of figures of any colours: its upper or lower half of its box."""
    figures = of_all_colours_8(I)
    made = apply(halves_down, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_across_of_all_colours_8(I):
    """Each cell of figures of any colours: its left or right half of its box."""
    figures = of_all_colours_8(I)
    made = apply(halves_across, figures)
    found = painted(I, made)
    return found


def solve_mark_depth_within_of_all_colours_8(I):
    """Each cell of figures of any colours: its distance from the edge of its box."""
    figures = of_all_colours_8(I)
    made = apply(depth_within, figures)
    found = painted(I, made)
    return found


def solve_mark_rows_within_of_ground(I):
    """Each cell of parts of the ground: its row in its box."""
    figures = of_ground(I)
    made = apply(rows_within, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_within_of_ground(I):
    """Each cell of parts of the ground: its column in its box."""
    figures = of_ground(I)
    made = apply(columns_within, figures)
    found = painted(I, made)
    return found


def solve_mark_rows_from_below_of_ground(I):
    """Each cell of parts of the ground: its row in its box from below."""
    figures = of_ground(I)
    made = apply(rows_from_below, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_from_right_of_ground(I):
    """Each cell of parts of the ground: its column in its box from the right."""
    figures = of_ground(I)
    made = apply(columns_from_right, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_down_of_ground(I):
    """Each cell of parts of the ground: its upper or lower half of its box."""
    figures = of_ground(I)
    made = apply(halves_down, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_across_of_ground(I):
    """Each cell of parts of the ground: its left or right half of its box."""
    figures = of_ground(I)
    made = apply(halves_across, figures)
    found = painted(I, made)
    return found


def solve_mark_depth_within_of_ground(I):
    """Each cell of parts of the ground: its distance from the edge of its box."""
    figures = of_ground(I)
    made = apply(depth_within, figures)
    found = painted(I, made)
    return found


def solve_mark_rows_within_of_panels(I):
    """Each cell of panels: its row in its box."""
    figures = of_panels(I)
    made = apply(rows_within, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_within_of_panels(I):
    """Each cell of panels: its column in its box."""
    figures = of_panels(I)
    made = apply(columns_within, figures)
    found = painted(I, made)
    return found


def solve_mark_rows_from_below_of_panels(I):
    """Each cell of panels: its row in its box from below."""
    figures = of_panels(I)
    made = apply(rows_from_below, figures)
    found = painted(I, made)
    return found


def solve_mark_columns_from_right_of_panels(I):
    """Each cell of panels: its column in its box from the right."""
    figures = of_panels(I)
    made = apply(columns_from_right, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_down_of_panels(I):
    """Each cell of panels: its upper or lower half of its box."""
    figures = of_panels(I)
    made = apply(halves_down, figures)
    found = painted(I, made)
    return found


def solve_mark_halves_across_of_panels(I):
    """Each cell of panels: its left or right half of its box."""
    figures = of_panels(I)
    made = apply(halves_across, figures)
    found = painted(I, made)
    return found


def solve_mark_depth_within_of_panels(I):
    """Each cell of panels: its distance from the edge of its box."""
    figures = of_panels(I)
    made = apply(depth_within, figures)
    found = painted(I, made)
    return found


def solve_mark_place_uppermost_of_one_colour(I):
    """The rank of figures of one colour from above."""
    figures = of_one_colour(I)
    place = lbind(lbind(less_by, uppermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_leftmost_of_one_colour(I):
    """The rank of figures of one colour from the left."""
    figures = of_one_colour(I)
    place = lbind(lbind(less_by, leftmost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_lowermost_of_one_colour(I):
    """The rank of figures of one colour from below."""
    figures = of_one_colour(I)
    place = lbind(lbind(more_by, lowermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_rightmost_of_one_colour(I):
    """The rank of figures of one colour from the right."""
    figures = of_one_colour(I)
    place = lbind(lbind(more_by, rightmost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_uppermost_of_all_colours_8(I):
    """The rank of figures of any colours from above."""
    figures = of_all_colours_8(I)
    place = lbind(lbind(less_by, uppermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_leftmost_of_all_colours_8(I):
    """The rank of figures of any colours from the left."""
    figures = of_all_colours_8(I)
    place = lbind(lbind(less_by, leftmost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_lowermost_of_all_colours_8(I):
    """The rank of figures of any colours from below."""
    figures = of_all_colours_8(I)
    place = lbind(lbind(more_by, lowermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_rightmost_of_all_colours_8(I):
    """The rank of figures of any colours from the right."""
    figures = of_all_colours_8(I)
    place = lbind(lbind(more_by, rightmost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_uppermost_of_ground(I):
    """The rank of parts of the ground from above."""
    figures = of_ground(I)
    place = lbind(lbind(less_by, uppermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_leftmost_of_ground(I):
    """The rank of parts of the ground from the left."""
    figures = of_ground(I)
    place = lbind(lbind(less_by, leftmost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_lowermost_of_ground(I):
    """The rank of parts of the ground from below."""
    figures = of_ground(I)
    place = lbind(lbind(more_by, lowermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_rightmost_of_ground(I):
    """The rank of parts of the ground from the right."""
    figures = of_ground(I)
    place = lbind(lbind(more_by, rightmost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_uppermost_of_panels(I):
    """The rank of panels from above."""
    figures = of_panels(I)
    place = lbind(lbind(less_by, uppermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_leftmost_of_panels(I):
    """The rank of panels from the left."""
    figures = of_panels(I)
    place = lbind(lbind(less_by, leftmost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_lowermost_of_panels(I):
    """The rank of panels from below."""
    figures = of_panels(I)
    place = lbind(lbind(more_by, lowermost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_place_rightmost_of_panels(I):
    """The rank of panels from the right."""
    figures = of_panels(I)
    place = lbind(lbind(more_by, rightmost), figures)
    found = measured(I, figures, place)
    return found


def solve_mark_hole_count_of_one_colour_8(I):
    """How many places the figures of one colour enclose."""
    figures = of_one_colour_8(I)
    found = measured(I, figures, hole_count)
    return found


def solve_mark_hole_count_of_all_colours_8(I):
    """How many places the figures of any colours enclose."""
    figures = of_all_colours_8(I)
    found = measured(I, figures, hole_count)
    return found


def solve_mark_drawn_of_panels(I):
    """The number of cells in panels that are not ground."""
    places = drawn_places(I)
    figures = of_panels(I)
    found = measured(I, figures, lbind(drawn_in, places))
    return found


def solve_mark_most_drawn_of_panels(I):
    """The rank of panels by the number of cells that are not ground."""
    places = drawn_places(I)
    figures = of_panels(I)
    rank = lbind(lbind(more_by, lbind(drawn_in, places)), figures)
    found = measured(I, figures, rank)
    return found


def solve_mark_colours_of_panels(I):
    """The number of colours in panels."""
    figures = of_panels(I)
    found = measured(I, figures, lbind(colours_in, I))
    return found
