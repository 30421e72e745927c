"""Figures of a grid: how it is cut into them, what is measured of each, and how each may be edited.

A `segment_…` takes the grid. In all others S is the set of figures and I the grid, and the result is a function of a
figure: a `measure_…` gives a number, a `colour_…` a colour or NO_COLOUR, a `patch_…` places, an `edit_…` an object.
"""

from batt.dsl import *
from batt.words import *

NO_COLOUR = 10


# Parts of the others


def others_of(figures, figure):
    """The figures beside this one, as a tuple."""
    return totuple(remove(figure, figures))


def colour_of_first(figures):
    """The main colour of the first of some figures; NO_COLOUR if there is none."""
    colours = apply(mostcolor, totuple(figures)) + (NO_COLOUR,)
    return colours[0]


def main_colour(figure):
    """The most frequent colour of a figure; NO_COLOUR if it is empty."""
    return mostcolor(insert((NO_COLOUR, ORIGIN), figure))


def drawn_places(grid):
    """The places that are not of the most frequent colour."""
    return difference(asindices(grid), ofcolor(grid, mostcolor(grid)))


def form_of(figure):
    """The places of a figure, moved to the corner."""
    return toindices(normalize(figure))


def cell_code(place):
    """A number of a place, to tell forms apart."""
    return (place[0] * 37 + place[1] * 101 + place[0] * place[1] * 59 + place[0] * place[0] * 23) % 997


def form_code(figure):
    """A number of a form: equal forms have equal numbers, others seldom do."""
    codes = apply(cell_code, totuple(form_of(figure)))
    return size(merge(apply(lambda code: interval(ZERO, code, ONE), codes))) % 8009


def turned_forms(figure):
    """The form of a figure, turned and mirrored in all eight ways."""
    plain = form_of(figure)
    two = frozenset([plain, dmirror(plain)])
    four = combine(two, apply(hmirror, two))
    return combine(four, apply(vmirror, four))


def is_in_box(inner, outer):
    """Whether the box of one figure is within that of another."""
    rest = difference(backdrop(inner), backdrop(outer))
    return equality(size(rest), ZERO)


def touching(figures, figure):
    """The other figures that touch this one, also at a corner."""
    around = mapply(neighbors, toindices(figure))
    return sfilter(others_of(figures, figure), lambda each: size(intersection(toindices(each), around)))


def around_of(figure):
    """The places around a figure, also at its corners."""
    return difference(mapply(neighbors, toindices(figure)), toindices(figure))


def hole_count(figure):
    """The number of separate holes of a figure."""
    inner = holes(figure, F)
    blank = canvas(ZERO, shape(figure))
    drawn = fill(blank, ONE, shift(inner, invert(ulcorner(figure))))
    return size(colorfilter(objects(drawn, T, F, F), ONE))


def nearest(figures, figure):
    """The other figures, the nearest first."""
    return order(others_of(figures, figure), lambda each: manhattan(each, figure))


# Segments


def segment_one_colour(grid):
    """The figures of one colour, four neighbours."""
    return objects(grid, T, F, T)


def segment_one_colour_8(grid):
    """The figures of one colour, eight neighbours."""
    return objects(grid, T, T, T)


def segment_all_colours(grid):
    """The figures of any colours, four neighbours."""
    return objects(grid, F, F, T)


def segment_all_colours_8(grid):
    """The figures of any colours, eight neighbours."""
    return objects(grid, F, T, T)


def segment_black(grid):
    """The connected parts of black."""
    return colorfilter(objects(grid, T, F, F), ZERO)


def segment_ground(grid):
    """The connected parts of the most frequent colour."""
    return colorfilter(objects(grid, T, F, F), mostcolor(grid))


def segment_colours(grid):
    """All cells of a colour are a figure; the most frequent colour is none."""
    return fgpartition(grid)


def segment_parts(grid):
    """The figures of one colour and the parts of the ground, four neighbours."""
    return objects(grid, T, F, F)


def segment_panels(grid):
    """The panels that lines of one colour cut apart."""
    lines = merge(frontiers(grid))
    marked = fill(canvas(ZERO, shape(grid)), ONE, lines)
    panels_found = colorfilter(objects(marked, T, F, F), ZERO)
    return apply(rbind(toobject, grid), panels_found)


def segment_not_black(grid):
    """The figures of any colours but black, eight neighbours."""
    rest = difference(asindices(grid), ofcolor(grid, ZERO))
    marked = fill(canvas(ZERO, shape(grid)), ONE, rest)
    return apply(rbind(toobject, grid), colorfilter(objects(marked, T, T, F), ONE))


def segment_cells(grid):
    """Every cell that is not of the most frequent colour is a figure."""
    return apply(initset, toobject(drawn_places(grid), grid))


def solve_segmented(S, I):
    """The figures of the segment with number S, the most useful one first."""
    makers = (
        segment_one_colour,
        segment_parts,
        segment_colours,
        segment_panels,
        segment_cells,
        segment_all_colours,
        segment_black,
        segment_all_colours_8,
        segment_not_black,
        segment_one_colour_8,
        segment_ground,
    )
    make = makers[S]
    return make(I)


# What is read of all figures at once


def solve_measures(S, I, C):
    """What the measure C gives for each figure, in two rows: the value modulo 90, and divided by 90."""
    values = apply(C, totuple(S))
    low = apply(lambda value: value % 90, values)
    high = apply(lambda value: value // 90, values)
    return (low, high)


def solve_numbered(S, I, C):
    """For each place the number of the last figure whose edit C has it, from 1; 0 for no figure."""
    figures = totuple(S)
    numbers = interval(ONE, increment(size(figures)), ONE)
    numbered = papply(recolor, numbers, apply(C, figures))
    return paintorder(canvas(ZERO, shape(I)), numbered)


def solve_coloured(S, I, C):
    """The figures edited by C alone, on NO_COLOUR."""
    return paintorder(canvas(NO_COLOUR, shape(I)), apply(C, totuple(S)))


# Derived measures: C is a measure


def rank_down(values, measure, figure):
    """The number of different values above that of a figure."""
    own = measure(figure)
    return size(sfilter(values, rbind(greater, own)))


def rank_up(values, measure, figure):
    """The number of different values below that of a figure."""
    own = measure(figure)
    return size(sfilter(values, lbind(greater, own)))


def equal_count(values, measure, figure):
    """The number of figures that have the same value."""
    own = measure(figure)
    return size(sfilter(values, matcher(identity, own)))


def solve_rank_down(S, I, C):
    """The rank of a figure, 0 for the greatest value."""
    return lbind(lbind(rank_down, apply(C, S)), C)


def solve_rank_up(S, I, C):
    """The rank of a figure, 0 for the least value."""
    return lbind(lbind(rank_up, apply(C, S)), C)


def solve_equal_count(S, I, C):
    """The number of figures that have the same value."""
    return lbind(lbind(equal_count, apply(C, totuple(S))), C)


def solve_same_colour(S, I, C):
    """1 if the main colour of a figure is what C gives for it, 0 if not."""
    return lambda figure: branch(equality(mostcolor(figure), C(figure)), ONE, ZERO)


# Measures


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
    return lambda figure: size(sfilter(S, lambda each: is_in_box(figure, each))) - 1


def solve_measure_contains(S, I):
    """The number of other figures that are in its box."""
    return lambda figure: size(sfilter(S, lambda each: is_in_box(each, figure))) - 1


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


# Colours


def solve_colour_own(S, I):
    """The main colour."""
    return mostcolor


def solve_colour_least(S, I):
    """The least frequent colour of the figure."""
    return leastcolor


def solve_colour_ground(S, I):
    """The most frequent colour of the grid."""
    ground = mostcolor(I)
    return lambda figure: ground


def solve_colour_rarest(S, I):
    """The least frequent colour of the grid."""
    rarest = leastcolor(I)
    return lambda figure: rarest


def solve_colour_of_largest(S, I):
    """The colour of the largest figure."""
    found = mostcolor(argmax(S, size))
    return lambda figure: found


def solve_colour_of_smallest(S, I):
    """The colour of the smallest figure."""
    found = mostcolor(argmin(S, size))
    return lambda figure: found


def solve_colour_of_nearest(S, I):
    """The colour of the nearest figure."""
    return lambda figure: colour_of_first(nearest(S, figure))


def solve_colour_of_touching(S, I):
    """The colour of a figure that it touches."""
    return lambda figure: colour_of_first(touching(S, figure))


def solve_colour_around(S, I):
    """The most frequent colour around it that is not the ground."""
    ground = mostcolor(I)
    return lambda figure: main_colour(
        sfilter(toobject(around_of(figure), I), lambda cell: flip(equality(cell[0], ground)))
    )


def solve_colour_around_any(S, I):
    """The most frequent colour around it."""
    return lambda figure: mostcolor(toobject(around_of(figure), I))


def solve_colour_of_inner(S, I):
    """The colour of a figure in its box."""
    return lambda figure: colour_of_first(sfilter(others_of(S, figure), lambda each: is_in_box(each, figure)))


def solve_colour_of_outer(S, I):
    """The colour of a figure in whose box it is."""
    return lambda figure: colour_of_first(sfilter(others_of(S, figure), lambda each: is_in_box(figure, each)))


def solve_colour_of_same_form(S, I):
    """The colour of another figure of the same form."""
    return lambda figure: colour_of_first(sfilter(others_of(S, figure), matcher(form_of, form_of(figure))))


def solve_colour_of_turned_form(S, I):
    """The colour of another figure of the same form, however turned."""
    return lambda figure: colour_of_first(sfilter(others_of(S, figure), matcher(turned_forms, turned_forms(figure))))


def solve_colour_of_same_size(S, I):
    """The colour of another figure of the same size."""
    return lambda figure: colour_of_first(sfilter(others_of(S, figure), matcher(size, size(figure))))


def solve_colour_in_rows(S, I):
    """The colour of another figure in its rows."""
    return lambda figure: colour_of_first(sfilter(others_of(S, figure), rbind(hmatching, figure)))


def solve_colour_in_columns(S, I):
    """The colour of another figure in its columns."""
    return lambda figure: colour_of_first(sfilter(others_of(S, figure), rbind(vmatching, figure)))


def solve_colour_row_start(S, I):
    """The colour at the start of its first row."""
    return lambda figure: index(I, (uppermost(figure), 0))


def solve_colour_row_end(S, I):
    """The colour at the end of its first row."""
    last_column = decrement(width(I))
    return lambda figure: index(I, astuple(uppermost(figure), last_column))


def solve_colour_column_start(S, I):
    """The colour at the top of its first column."""
    return lambda figure: index(I, (0, leftmost(figure)))


def solve_colour_column_end(S, I):
    """The colour at the bottom of its first column."""
    last_row = decrement(height(I))
    return lambda figure: index(I, astuple(last_row, leftmost(figure)))


def solve_colour_box_rarest(S, I):
    """The least frequent colour in its box."""
    return lambda figure: leastcolor(subgrid(figure, I))


def solve_colour_corner(S, I):
    """The colour of the first cell of the grid."""
    found = index(I, ORIGIN)
    return lambda figure: found


def solve_colour_of_smallest_in_rows(S, I):
    """The colour of the smallest figure in its rows."""
    return lambda figure: mostcolor(argmin(sfilter(S, rbind(hmatching, figure)), size))


def solve_colour_of_smallest_in_columns(S, I):
    """The colour of the smallest figure in its columns."""
    return lambda figure: mostcolor(argmin(sfilter(S, rbind(vmatching, figure)), size))


def solve_colour_of_smallest_around(S, I):
    """The colour of the smallest figure in its box."""
    return lambda figure: mostcolor(argmin(sfilter(S, lambda each: is_in_box(each, figure)), size))


def solve_colour_of_nearest_other(S, I):
    """The colour of the nearest figure of another colour."""
    return lambda figure: colour_of_first(
        sfilter(nearest(S, figure), compose(flip, matcher(mostcolor, mostcolor(figure))))
    )


def keys_of(grid):
    """The figures of several colours, the smallest first."""
    return order(sfilter(objects(grid, F, T, T), lambda each: greater(numcolors(each), ONE)), size)


def key_colour(keys, colour):
    """The other colour of the smallest figure of several colours that has a colour; NO_COLOUR if there is none."""
    found = sfilter(keys, lambda each: contained(colour, palette(each))) + (frozenset(),)
    return main_colour(sfilter(found[0], lambda cell: flip(equality(cell[0], colour))))


def solve_colour_key(S, I):
    """The colour that is with its colour in the smallest figure of several colours."""
    keys = keys_of(I)
    return lambda figure: key_colour(keys, mostcolor(figure))


def colour_beside(grid, offset, colour):
    """The most frequent colour at an offset from cells of a colour that is neither the ground nor this colour."""
    ground = mostcolor(grid)
    cells = toobject(shift(ofcolor(grid, colour), offset), grid)
    return main_colour(sfilter(cells, lambda cell: flip(either(equality(cell[0], ground), equality(cell[0], colour)))))


def solve_colour_key_right(S, I):
    """The colour that is right of cells of its colour."""
    return lambda figure: colour_beside(I, RIGHT, mostcolor(figure))


def solve_colour_key_left(S, I):
    """The colour that is left of cells of its colour."""
    return lambda figure: colour_beside(I, LEFT, mostcolor(figure))


def solve_colour_key_below(S, I):
    """The colour that is below cells of its colour."""
    return lambda figure: colour_beside(I, DOWN, mostcolor(figure))


def solve_colour_key_above(S, I):
    """The colour that is above cells of its colour."""
    return lambda figure: colour_beside(I, UP, mostcolor(figure))


def seen_colour(grid, direction, figure):
    """The first colour that is seen from the middle of a figure in a direction, but the ground and the figure itself."""
    ground = mostcolor(grid)
    start = center(figure)
    line = difference(shoot(start, direction), toindices(figure))
    cells = sfilter(toobject(line, grid), lambda cell: flip(equality(cell[0], ground)))
    ordered = order(cells, lambda cell: manhattan(initset(cell), initset((ZERO, start))))
    return (apply(lambda cell: cell[0], ordered) + (NO_COLOUR,))[0]


def solve_colour_seen_up(S, I):
    """The first colour above its middle."""
    return lambda figure: seen_colour(I, UP, figure)


def solve_colour_seen_down(S, I):
    """The first colour below its middle."""
    return lambda figure: seen_colour(I, DOWN, figure)


def solve_colour_seen_left(S, I):
    """The first colour left of its middle."""
    return lambda figure: seen_colour(I, LEFT, figure)


def solve_colour_seen_right(S, I):
    """The first colour right of its middle."""
    return lambda figure: seen_colour(I, RIGHT, figure)


# Patches


def solve_patch_itself(S, I):
    """The figure itself."""
    return toindices


def solve_patch_holes(S, I):
    """Its holes."""
    return rbind(holes, F)


def solve_patch_holes_8(S, I):
    """Its holes that no path leads out of, not even around a corner."""
    return rbind(holes, T)


def solve_patch_delta(S, I):
    """The places of its box that it does not have."""
    return delta


def solve_patch_backdrop(S, I):
    """Its box."""
    return backdrop


def solve_patch_box(S, I):
    """The outline of its box."""
    return box


def solve_patch_outbox(S, I):
    """The outline around its box."""
    return outbox


def solve_patch_second_outbox(S, I):
    """The outline around the one around its box."""
    return compose(outbox, outbox)


def solve_patch_inbox(S, I):
    """The outline inside of its box."""
    return inbox


def solve_patch_corners(S, I):
    """The corners of its box."""
    return corners


def solve_patch_outer_corners(S, I):
    """The corners around its box."""
    return lambda figure: corners(outbox(figure))


def solve_patch_corner_above_left(S, I):
    """The corner around its box, above left."""
    return lambda figure: initset(add(ulcorner(figure), NEG_UNITY))


def solve_patch_corner_above_right(S, I):
    """The corner around its box, above right."""
    return lambda figure: initset(add(urcorner(figure), UP_RIGHT))


def solve_patch_corner_below_left(S, I):
    """The corner around its box, below left."""
    return lambda figure: initset(add(llcorner(figure), DOWN_LEFT))


def solve_patch_corner_below_right(S, I):
    """The corner around its box, below right."""
    return lambda figure: initset(add(lrcorner(figure), UNITY))


def solve_patch_line_above(S, I):
    """The line above its box."""
    return lambda figure: shift(connect(ulcorner(figure), urcorner(figure)), UP)


def solve_patch_line_below(S, I):
    """The line below its box."""
    return lambda figure: shift(connect(llcorner(figure), lrcorner(figure)), DOWN)


def solve_patch_line_left(S, I):
    """The line left of its box."""
    return lambda figure: shift(connect(ulcorner(figure), llcorner(figure)), LEFT)


def solve_patch_line_right(S, I):
    """The line right of its box."""
    return lambda figure: shift(connect(urcorner(figure), lrcorner(figure)), RIGHT)


def solve_patch_inner(S, I):
    """The box without its outline."""
    return lambda figure: difference(backdrop(figure), box(figure))


def solve_patch_around(S, I):
    """The places around it."""
    return around_of


def solve_patch_beside(S, I):
    """The places beside it, not at corners."""
    return lambda figure: difference(mapply(dneighbors, toindices(figure)), toindices(figure))


def solve_patch_diagonal(S, I):
    """The places that only touch it at a corner."""
    return lambda figure: difference(mapply(ineighbors, toindices(figure)), toindices(figure))


def solve_patch_core(S, I):
    """Its cells that have only its cells around them."""
    return lambda figure: difference(toindices(figure), mapply(neighbors, around_of(figure)))


def solve_patch_rim(S, I):
    """Its cells that have other cells around them."""
    return lambda figure: intersection(toindices(figure), mapply(neighbors, around_of(figure)))


def solve_patch_rim_4(S, I):
    """Its cells that have other cells beside them."""
    return lambda figure: intersection(toindices(figure), mapply(dneighbors, around_of(figure)))


def solve_patch_center(S, I):
    """The middle of its box."""
    return lambda figure: initset(center(figure))


def solve_patch_row(S, I):
    """The row of its middle."""
    return lambda figure: hfrontier(center(figure))


def solve_patch_column(S, I):
    """The column of its middle."""
    return lambda figure: vfrontier(center(figure))


def solve_patch_cross(S, I):
    """The row and the column of its middle."""
    return lambda figure: combine(hfrontier(center(figure)), vfrontier(center(figure)))


def solve_patch_rows(S, I):
    """All its rows."""
    return lambda figure: mapply(hfrontier, toindices(figure))


def solve_patch_columns(S, I):
    """All its columns."""
    return lambda figure: mapply(vfrontier, toindices(figure))


def solve_patch_diagonals(S, I):
    """The diagonals through its middle."""
    return lambda figure: mapply(lbind(shoot, center(figure)), ineighbors(ORIGIN))


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


def gap_of(one, other):
    """The places between two figures, on their common rows or columns."""
    rows = intersection(apply(first, toindices(one)), apply(first, toindices(other)))
    columns = intersection(apply(last, toindices(one)), apply(last, toindices(other)))
    span = backdrop(combine(toindices(one), toindices(other)))
    between = difference(span, combine(backdrop(one), backdrop(other)))
    return sfilter(between, lambda place: either(contained(place[0], rows), contained(place[1], columns)))


def gaps_to(others, figure):
    """The places between a figure and others, on their common rows or columns."""
    return mapply(lambda each: gap_of(figure, each), frozenset(others))


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
    return lambda figure: gap_of(figure, (nearest(S, figure) + (figure,))[0])


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


def solve_patch_checks(S, I):
    """Every second place of its box, like a chess-board, from its corner."""
    return lambda figure: sfilter(
        backdrop(figure), lambda place: even(place[0] + place[1] - uppermost(figure) - leftmost(figure))
    )


def solve_patch_other_checks(S, I):
    """Every second place of its box, like a chess-board, beside its corner."""
    return lambda figure: sfilter(
        backdrop(figure), lambda place: (place[0] + place[1] - uppermost(figure) - leftmost(figure)) % 2
    )


def solve_patch_even_columns(S, I):
    """Every second column of it."""
    return lambda figure: sfilter(toindices(figure), lambda place: even(place[1] - leftmost(figure)))


def solve_patch_even_rows(S, I):
    """Every second row of it."""
    return lambda figure: sfilter(toindices(figure), lambda place: even(place[0] - uppermost(figure)))


def solve_patch_mirrored(S, I):
    """Its form, mirrored left to right."""
    return compose(vmirror, toindices)


def solve_patch_mirrored_down(S, I):
    """Its form, mirrored top to bottom."""
    return compose(hmirror, toindices)


def solve_patch_below(S, I):
    """The places below it that are as wide as it is, to the edge."""
    return lambda figure: mapply(rbind(shoot, DOWN), backdrop(figure))


def solve_patch_upper_half(S, I):
    """The upper half of it."""
    return lambda figure: sfilter(
        toindices(figure), lambda place: greater(uppermost(figure) + lowermost(figure), place[0] * 2)
    )


def solve_patch_left_half(S, I):
    """The left half of it."""
    return lambda figure: sfilter(
        toindices(figure), lambda place: greater(leftmost(figure) + rightmost(figure), place[1] * 2)
    )


def solve_patch_halo(S, I):
    """The places around its box, as far away as half its height."""
    return lambda figure: difference(
        backdrop(power(compose(outbox, backdrop), increment(height(figure) // 2))(figure)), backdrop(figure)
    )


def pointed_ray(figure):
    """The ray from a figure's rarest cells, away from its middle."""
    tip = of_colour(figure, leastcolor(figure))
    way = sign(subtract(center(tip), center(figure)))
    return mapply(lambda place: shoot(place, way), tip)


def solve_patch_pointed_ray(S, I):
    """The ray from its rarest cells, away from its middle."""
    return lambda figure: difference(pointed_ray(figure), toindices(figure))


def solve_patch_opposite_ray(S, I):
    """The ray from its middle, away from its rarest cells."""
    return lambda figure: difference(
        shoot(center(figure), sign(subtract(center(figure), center(of_colour(figure, leastcolor(figure)))))),
        toindices(figure),
    )


def of_colour(figure, colour):
    """The places of a figure that have a colour."""
    return toindices(sfilter(figure, lambda cell: equality(cell[0], colour)))


def solve_patch_main_part(S, I):
    """Its cells of its main colour."""
    return lambda figure: of_colour(figure, mostcolor(figure))


def solve_patch_least_part(S, I):
    """Its cells of its least frequent colour."""
    return lambda figure: of_colour(figure, leastcolor(figure))


# Edits


def solve_edit_itself(S, I):
    """The figure unchanged."""
    return identity


def solve_edit_mirrored(S, I):
    """The figure mirrored left to right."""
    return vmirror


def solve_edit_mirrored_down(S, I):
    """The figure mirrored top to bottom."""
    return hmirror


def solve_edit_turned(S, I):
    """The figure turned by half."""
    return compose(vmirror, hmirror)


def solve_edit_across(S, I):
    """The figure mirrored across its diagonal."""
    return dmirror


def solve_edit_across_other(S, I):
    """The figure mirrored across its other diagonal."""
    return cmirror


def solve_edit_quarter(S, I):
    """The figure turned by a quarter, clockwise."""
    return compose(vmirror, dmirror)


def solve_edit_three_quarters(S, I):
    """The figure turned by a quarter, anticlockwise."""
    return compose(hmirror, dmirror)


def solve_edit_box_mirrored(S, I):
    """The cells of its box mirrored left to right."""
    return lambda figure: vmirror(toobject(backdrop(figure), I))


def solve_edit_box_mirrored_down(S, I):
    """The cells of its box mirrored top to bottom."""
    return lambda figure: hmirror(toobject(backdrop(figure), I))


def swapped(figure):
    """A figure with its main colour and its least frequent one exchanged."""
    return apply(
        lambda cell: (
            branch(
                equality(cell[0], mostcolor(figure)),
                leastcolor(figure),
                branch(equality(cell[0], leastcolor(figure)), mostcolor(figure), cell[0]),
            ),
            cell[1],
        ),
        figure,
    )


def solve_edit_swapped(S, I):
    """The figure with two colours exchanged."""
    return swapped


def solve_edit_left_copy(S, I):
    """A mirrored copy on its left."""
    return lambda figure: shift(vmirror(figure), tojvec(-width(figure)))


def solve_edit_right_copy(S, I):
    """A mirrored copy on its right."""
    return lambda figure: shift(vmirror(figure), tojvec(width(figure)))


def solve_edit_upper_copy(S, I):
    """A mirrored copy above it."""
    return lambda figure: shift(hmirror(figure), toivec(-height(figure)))


def solve_edit_lower_copy(S, I):
    """A mirrored copy below it."""
    return lambda figure: shift(hmirror(figure), toivec(height(figure)))


def solve_edit_by_width(S, I):
    """The figure moved right by its width."""
    return lambda figure: shift(figure, tojvec(width(figure)))


def solve_edit_back_by_width(S, I):
    """The figure moved left by its width."""
    return lambda figure: shift(figure, tojvec(-width(figure)))


def solve_edit_by_height(S, I):
    """The figure moved down by its height."""
    return lambda figure: shift(figure, toivec(height(figure)))


def solve_edit_back_by_height(S, I):
    """The figure moved up by its height."""
    return lambda figure: shift(figure, toivec(-height(figure)))


def solve_edit_grid_mirrored(S, I):
    """The figure where it is in the grid mirrored left to right."""
    return lambda figure: shift(vmirror(figure), tojvec(width(I) - 1 - leftmost(figure) - rightmost(figure)))


def solve_edit_grid_mirrored_down(S, I):
    """The figure where it is in the grid mirrored top to bottom."""
    return lambda figure: shift(hmirror(figure), toivec(height(I) - 1 - uppermost(figure) - lowermost(figure)))


def solve_edit_top(S, I):
    """The figure at the top of the grid."""
    return lambda figure: shift(figure, toivec(-uppermost(figure)))


def solve_edit_bottom(S, I):
    """The figure at the bottom of the grid."""
    return lambda figure: shift(figure, toivec(height(I) - 1 - lowermost(figure)))


def solve_edit_left(S, I):
    """The figure at the left of the grid."""
    return lambda figure: shift(figure, tojvec(-leftmost(figure)))


def solve_edit_right(S, I):
    """The figure at the right of the grid."""
    return lambda figure: shift(figure, tojvec(width(I) - 1 - rightmost(figure)))


def is_free(places, figure):
    """Whether all places of a figure are among these."""
    return equality(size(difference(toindices(figure), places)), ZERO)


def slid(free, direction, figure):
    """A figure moved in a direction until a place is not free."""
    allowed = combine(free, toindices(figure))
    moves = apply(lambda count: multiply(direction, count), interval(ONE, 30, ONE))
    blocked = extract(moves, lambda offset: flip(is_free(allowed, shift(figure, offset))))
    return shift(figure, subtract(blocked, direction))


def ground_of(grid):
    """The places of the most frequent colour."""
    return ofcolor(grid, mostcolor(grid))


def solve_edit_slid_down(S, I):
    """The figure moved down until something stops it."""
    return lbind(lbind(slid, ground_of(I)), DOWN)


def solve_edit_slid_up(S, I):
    """The figure moved up until something stops it."""
    return lbind(lbind(slid, ground_of(I)), UP)


def solve_edit_slid_left(S, I):
    """The figure moved to the left until something stops it."""
    return lbind(lbind(slid, ground_of(I)), LEFT)


def solve_edit_slid_right(S, I):
    """The figure moved to the right until something stops it."""
    return lbind(lbind(slid, ground_of(I)), RIGHT)


def pulled(figure, goals):
    """A figure moved to the first of some others; itself if there is none."""
    goal = (totuple(goals) + (figure,))[0]
    is_other = flip(equality(goal, figure))
    return shift(figure, multiply(gravitate(figure, goal), is_other))


def solve_edit_to_largest(S, I):
    """The figure moved to the largest one."""
    goals = (argmax(S, size),)
    return lambda figure: pulled(figure, goals)


def solve_edit_to_smallest(S, I):
    """The figure moved to the smallest one."""
    goals = (argmin(S, size),)
    return lambda figure: pulled(figure, goals)


def solve_edit_to_nearest(S, I):
    """The figure moved to the nearest one."""
    return lambda figure: pulled(figure, nearest(S, figure))


def solve_edit_to_same_colour(S, I):
    """The figure moved to another of its colour."""
    return lambda figure: pulled(figure, sfilter(nearest(S, figure), matcher(mostcolor, mostcolor(figure))))


def solve_edit_at_nearest(S, I):
    """The figure at the corner of the nearest one."""
    return lambda figure: shift(
        figure, subtract(ulcorner((nearest(S, figure) + (figure,))[0]), ulcorner(figure))
    )


def solve_edit_at_same_form(S, I):
    """The figure at the place of another of the same form."""
    return lambda figure: shift(
        figure,
        subtract(
            ulcorner((sfilter(others_of(S, figure), matcher(form_of, form_of(figure))) + (figure,))[0]), ulcorner(figure)
        ),
    )


def solve_edit_on_largest_row(S, I):
    """The figure moved to the first row of the largest one."""
    goal = uppermost(argmax(S, size))
    return lambda figure: shift(figure, toivec(goal - uppermost(figure)))


def solve_edit_on_largest_column(S, I):
    """The figure moved to the first column of the largest one."""
    goal = leftmost(argmax(S, size))
    return lambda figure: shift(figure, tojvec(goal - leftmost(figure)))


def placed_on(template, figure):
    """A template with its middle on that of a figure."""
    return shift(template, subtract(center(figure), center(template)))


def solve_edit_largest_here(S, I):
    """The largest figure, with its middle on this one."""
    return lbind(placed_on, argmax(S, size))


def solve_edit_most_colours_here(S, I):
    """The figure of the most colours, with its middle on this one."""
    return lbind(placed_on, argmax(S, numcolors))


def solve_patch_largest_here(S, I):
    """The form of the largest figure, with its middle on this one."""
    return lbind(placed_on, toindices(argmax(S, size)))


def solve_patch_smallest_here(S, I):
    """The form of the smallest figure, with its middle on this one."""
    return lbind(placed_on, toindices(argmin(S, size)))


def solve_patch_most_colours_here(S, I):
    """The form of the figure of the most colours, with its middle on this one."""
    return lbind(placed_on, toindices(argmax(S, numcolors)))


def joined_to(template, figure):
    """A template moved so that its cells of a figure's colour are on the figure."""
    colour = mostcolor(figure)
    part = of_colour(template, colour)
    anchor = branch(equality(size(part), ZERO), template, part)
    return shift(template, subtract(ulcorner(figure), ulcorner(anchor)))


def solve_edit_most_colours_joined(S, I):
    """The figure of the most colours, with its cells of this one's colour on this one."""
    return lbind(joined_to, argmax(S, numcolors))


def reflected(anchor, figure):
    """A figure turned by half about the middle of the box of another."""
    turned = vmirror(hmirror(figure))
    return shift(turned, subtract(add(ulcorner(anchor), lrcorner(anchor)), add(ulcorner(figure), lrcorner(figure))))


def reflected_across(anchor, figure):
    """A figure mirrored left to right about the middle of the box of another."""
    sides = leftmost(anchor) + rightmost(anchor) - leftmost(figure) - rightmost(figure)
    return shift(vmirror(figure), tojvec(sides))


def reflected_along(anchor, figure):
    """A figure mirrored top to bottom about the middle of the box of another."""
    sides = uppermost(anchor) + lowermost(anchor) - uppermost(figure) - lowermost(figure)
    return shift(hmirror(figure), toivec(sides))


def solve_edit_reflected_in_smallest(S, I):
    """The figure turned by half about the smallest one."""
    return lbind(reflected, argmin(S, size))


def solve_edit_reflected_across_smallest(S, I):
    """The figure mirrored left to right about the smallest one."""
    return lbind(reflected_across, argmin(S, size))


def solve_edit_reflected_along_smallest(S, I):
    """The figure mirrored top to bottom about the smallest one."""
    return lbind(reflected_along, argmin(S, size))


def solve_edit_reflected_in_largest(S, I):
    """The figure turned by half about the largest one."""
    return lbind(reflected, argmax(S, size))


def solve_edit_reflected_across_largest(S, I):
    """The figure mirrored left to right about the largest one."""
    return lbind(reflected_across, argmax(S, size))


def solve_edit_reflected_along_largest(S, I):
    """The figure mirrored top to bottom about the largest one."""
    return lbind(reflected_along, argmax(S, size))


def facing(figures, figure):
    """The other figures of another colour in its rows or columns, the nearest first."""
    others = sfilter(nearest(figures, figure), compose(flip, matcher(mostcolor, mostcolor(figure))))
    return sfilter(others, lambda each: either(hmatching(each, figure), vmatching(each, figure)))


def solve_edit_to_facing(S, I):
    """The figure moved to the nearest one of another colour in its rows or columns."""
    return lambda figure: pulled(figure, facing(S, figure))


def repeated(figure, step):
    """A figure again and again, each time one step further."""
    return mapply(lambda count: shift(figure, multiply(step, count)), frozenset(interval(ZERO, 30, ONE)))


def solve_edit_repeated_right(S, I):
    """The figure repeated to the right, side by side."""
    return lambda figure: repeated(figure, tojvec(width(figure)))


def solve_edit_repeated_left(S, I):
    """The figure repeated to the left, side by side."""
    return lambda figure: repeated(figure, tojvec(-width(figure)))


def solve_edit_repeated_down(S, I):
    """The figure repeated downwards."""
    return lambda figure: repeated(figure, toivec(height(figure)))


def solve_edit_repeated_up(S, I):
    """The figure repeated upwards."""
    return lambda figure: repeated(figure, toivec(-height(figure)))


def solve_edit_repeated_right_apart(S, I):
    """The figure repeated to the right, one column apart."""
    return lambda figure: repeated(figure, tojvec(width(figure) + 1))


def solve_edit_repeated_down_apart(S, I):
    """The figure repeated downwards, one row apart."""
    return lambda figure: repeated(figure, toivec(height(figure) + 1))


def solve_edit_repeated_diagonally(S, I):
    """The figure repeated down and right, corner to corner."""
    return lambda figure: repeated(figure, shape(figure))


def with_mirror(figure):
    """A figure with its mirror image, left to right, where it has no cells."""
    return combine(figure, outside_of(vmirror(figure), toindices(figure)))


def with_mirror_down(figure):
    """A figure with its mirror image, top to bottom, where it has no cells."""
    return combine(figure, outside_of(hmirror(figure), toindices(figure)))


def with_turn(figure):
    """A figure with its mirror image across the diagonal, where it has no cells."""
    return combine(figure, outside_of(dmirror(figure), toindices(figure)))


def outside_of(figure, places):
    """The cells of a figure that are not in these places."""
    return sfilter(figure, lambda cell: flip(contained(cell[1], places)))


def solve_edit_with_mirror(S, I):
    """The figure with its mirror image, left to right."""
    return with_mirror


def solve_edit_with_mirror_down(S, I):
    """The figure with its mirror image, top to bottom."""
    return with_mirror_down


def solve_edit_with_mirrors(S, I):
    """The figure with its mirror images in both ways."""
    return compose(with_mirror_down, with_mirror)


def solve_edit_with_turns(S, I):
    """The figure with its mirror images in all ways."""
    return lambda figure: with_mirror_down(with_mirror(with_turn(figure)))


def holder(figures, figure):
    """The other figure of several colours that has a figure's colour, the one of the most colours; itself if none has."""
    colour = mostcolor(figure)
    others = sfilter(others_of(figures, figure), lambda each: contained(colour, palette(each)))
    several = sfilter(others, lambda each: greater(numcolors(each), ONE))
    return (order(several, lambda each: -numcolors(each)) + (figure,))[0]


def solve_edit_holder_joined(S, I):
    """The figure of several colours that has this one's colour, with its cells of this colour on this one."""
    return lambda figure: joined_to(holder(S, figure), figure)


def solve_edit_on_nearest(S, I):
    """The figure with its middle on that of the nearest one."""
    return lambda figure: placed_on(figure, (nearest(S, figure) + (figure,))[0])


def solve_edit_on_same_colour(S, I):
    """The figure with its middle on that of the nearest one of its colour."""
    return lambda figure: placed_on(
        figure, (sfilter(nearest(S, figure), matcher(mostcolor, mostcolor(figure))) + (figure,))[0]
    )


def solve_edit_twice(S, I):
    """The figure scaled by two."""
    return rbind(upscale, TWO)


# Edits by a step: C is a pair


def solve_shifted(S, I, C):
    """The figure moved by C."""
    return rbind(shift, C)


# Crops: C is a figure


def solve_crop_box(S, I, C):
    """The part of the grid in its box."""
    return subgrid(C, I)


def solve_crop_alone(S, I, C):
    """The figure alone, on black."""
    return paint(canvas(ZERO, shape(C)), normalize(C))


def solve_crop_on_ground(S, I, C):
    """The figure alone, on the most frequent colour of the grid."""
    return paint(canvas(mostcolor(I), shape(C)), normalize(C))


def solve_crop_inner(S, I, C):
    """The part of the grid in its box, without the outermost cells."""
    return trim(subgrid(C, I))


def solve_crop_wide(S, I, C):
    """The part of the grid in its box and one cell around it."""
    return subgrid(outbox(C), I)
