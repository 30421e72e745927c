"""Features of cells, each a grid of the input's size: sources to copy from, and marks to tell cells apart.

A `source_…` holds colours. A `mark_…` holds small numbers. `OUTSIDE` stands for a place that is not in the grid.
"""

from batt.dsl import *

OUTSIDE = 10


# What the sources are made of


def drawn(grid):
    """The cells that are not of the most frequent colour, as one object."""
    ground = mostcolor(grid)
    cells = asindices(grid)
    empty = ofcolor(grid, ground)
    rest = difference(cells, empty)
    found = toobject(rest, grid)
    return found


def drawn_on(grid, ground):
    """The cells that are not of the colour `ground`, as one object."""
    cells = asindices(grid)
    empty = ofcolor(grid, ground)
    rest = difference(cells, empty)
    found = toobject(rest, grid)
    return found


def reaching(grid, ground, offset):
    """The grid, with each empty cell of the colour that lies at `offset` before it."""
    cells = drawn_on(grid, ground)
    moved = shift(cells, offset)
    under = paint(grid, moved)
    over = paint(under, cells)
    return over


def ray(grid, direction):
    """For each cell the first colour that is met against the direction; the ground where there is none."""
    ground = mostcolor(grid)
    one = reaching(grid, ground, direction)
    two_away = double(direction)
    two = reaching(one, ground, two_away)
    four_away = double(two_away)
    four = reaching(two, ground, four_away)
    eight_away = double(four_away)
    eight = reaching(four, ground, eight_away)
    sixteen_away = double(eight_away)
    sixteen = reaching(eight, ground, sixteen_away)
    size_of = shape(grid)
    blank = canvas(ground, size_of)
    cells = drawn_on(sixteen, ground)
    moved = shift(cells, direction)
    met = paint(blank, moved)
    return met


def either_way(one, other, ground):
    """The first grid, with the second where the first is empty."""
    cells = drawn_on(one, ground)
    both = paint(other, cells)
    return both


def beside(grid, offset):
    """For each cell the colour of the cell at the opposite of `offset`."""
    size_of = shape(grid)
    blank = canvas(OUTSIDE, size_of)
    cells = asobject(grid)
    moved = shift(cells, offset)
    found = paint(blank, moved)
    return found


def painted(grid, figures):
    """The figures alone, on a grid of zeros."""
    size_of = shape(grid)
    blank = canvas(ZERO, size_of)
    cells = merge(figures)
    found = paint(blank, cells)
    return found


def marked(grid, patch):
    """A grid with 1 in these places, and 0 elsewhere."""
    size_of = shape(grid)
    blank = canvas(ZERO, size_of)
    found = fill(blank, ONE, patch)
    return found


def measured(grid, figures, measure):
    """Each figure painted with its measure, from 1 to 30, on zeros."""
    kept = compose(lbind(minimum_of, 30), measure)
    coloured = fork(recolor, kept, identity)
    made = apply(coloured, figures)
    found = painted(grid, made)
    return found


def minimum_of(limit, value):
    """The smaller of the two."""
    both_values = astuple(limit, value)
    least = minimum(both_values)
    return least


def rank_of(figures, figure):
    """The number of figures that are larger, plus one."""
    larger = compose(rbind(greater, size(figure)), size)
    before = sfilter(figures, larger)
    count = size(before)
    place = increment(count)
    return place


def is_largest(grid, figures):
    """A mark on the figures of the greatest size."""
    most = valmax(figures, size)
    found = sizefilter(figures, most)
    cells = merge(found)
    made = marked(grid, cells)
    return made


def is_smallest(grid, figures):
    """A mark on the figures of the least size."""
    least = valmin(figures, size)
    found = sizefilter(figures, least)
    cells = merge(found)
    made = marked(grid, cells)
    return made


def is_full(figure):
    """Whether a figure fills its box."""
    rest = delta(figure)
    count = size(rest)
    answer = equality(count, ZERO)
    return answer


def is_mirrored(figure):
    """Whether a figure is its own mirror image, left to right."""
    plain = normalize(figure)
    turned = vmirror(plain)
    answer = equality(plain, turned)
    return answer


def is_mirrored_down(figure):
    """Whether a figure is its own mirror image, top to bottom."""
    plain = normalize(figure)
    turned = hmirror(plain)
    answer = equality(plain, turned)
    return answer


def alike(figures, figure):
    """The number of figures of the same form."""
    form = compose(toindices, normalize)
    own = form(figure)
    same = matcher(form, own)
    found = sfilter(figures, same)
    count = size(found)
    return count


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


def of_ground(grid):
    """The connected parts of the ground."""
    ground = mostcolor(grid)
    every = objects(grid, T, F, F)
    found = colorfilter(every, ground)
    return found


def of_black(grid):
    """The connected parts of black."""
    every = objects(grid, T, F, F)
    found = colorfilter(every, ZERO)
    return found


# Sources


def solve_source_ray_right(I):
    """The first colour met looking against right."""
    met = ray(I, RIGHT)
    return met


def solve_source_ray_left(I):
    """The first colour met looking against left."""
    met = ray(I, LEFT)
    return met


def solve_source_ray_down(I):
    """The first colour met looking against down."""
    met = ray(I, DOWN)
    return met


def solve_source_ray_up(I):
    """The first colour met looking against up."""
    met = ray(I, UP)
    return met


def solve_source_ray_down_right(I):
    """The first colour met looking against down and right."""
    met = ray(I, UNITY)
    return met


def solve_source_ray_up_left(I):
    """The first colour met looking against up and left."""
    met = ray(I, NEG_UNITY)
    return met


def solve_source_ray_down_left(I):
    """The first colour met looking against down and left."""
    met = ray(I, DOWN_LEFT)
    return met


def solve_source_ray_up_right(I):
    """The first colour met looking against up and right."""
    met = ray(I, UP_RIGHT)
    return met


def solve_source_row(I):
    """The nearest colour in the row, on the left before on the right."""
    ground = mostcolor(I)
    left = ray(I, RIGHT)
    right = ray(I, LEFT)
    both = either_way(left, right, ground)
    return both


def solve_source_column(I):
    """The nearest colour in the column, above before below."""
    ground = mostcolor(I)
    above = ray(I, DOWN)
    below = ray(I, UP)
    both = either_way(above, below, ground)
    return both


def solve_source_vmirror(I):
    """The grid turned left to right."""
    turned = vmirror(I)
    return turned


def solve_source_hmirror(I):
    """The grid turned top to bottom."""
    turned = hmirror(I)
    return turned


def solve_source_rot180(I):
    """The grid turned by half a turn."""
    turned = rot180(I)
    return turned


def solve_source_dmirror(I):
    """The grid turned about the diagonal."""
    turned = dmirror(I)
    return turned


def solve_source_cmirror(I):
    """The grid turned about the other diagonal."""
    turned = cmirror(I)
    return turned


def solve_source_rot90(I):
    """The grid turned by a quarter turn."""
    turned = rot90(I)
    return turned


def solve_source_rot270(I):
    """The grid turned by three quarters of a turn."""
    turned = rot270(I)
    return turned


def solve_source_ground(I):
    """A grid of the most frequent colour."""
    colour = mostcolor(I)
    size_of = shape(I)
    made = canvas(colour, size_of)
    return made


def solve_source_rarest(I):
    """A grid of the rarest colour."""
    colour = leastcolor(I)
    size_of = shape(I)
    made = canvas(colour, size_of)
    return made


def solve_source_main(I):
    """A grid of the most frequent colour but the ground."""
    cells = drawn(I)
    colour = mostcolor(cells)
    size_of = shape(I)
    made = canvas(colour, size_of)
    return made


def solve_source_mostcolor_of_all_colours_8(I):
    """Each figure in its most frequent colour."""
    figures = of_all_colours_8(I)
    coloured = fork(recolor, mostcolor, identity)
    made = mapply(coloured, figures)
    grid = paint(I, made)
    return grid


def solve_source_mostcolor_of_all_colours(I):
    """Each figure in its most frequent colour."""
    figures = of_all_colours(I)
    coloured = fork(recolor, mostcolor, identity)
    made = mapply(coloured, figures)
    grid = paint(I, made)
    return grid


def solve_source_leastcolor_of_all_colours_8(I):
    """Each figure in its rarest colour."""
    figures = of_all_colours_8(I)
    coloured = fork(recolor, leastcolor, identity)
    made = mapply(coloured, figures)
    grid = paint(I, made)
    return grid


def solve_source_leastcolor_of_all_colours(I):
    """Each figure in its rarest colour."""
    figures = of_all_colours(I)
    coloured = fork(recolor, leastcolor, identity)
    made = mapply(coloured, figures)
    grid = paint(I, made)
    return grid


def solve_source_backdrop(I):
    """Each box of a figure filled with the figure's rarest colour."""
    figures = of_all_colours_8(I)
    coloured = fork(recolor, leastcolor, backdrop)
    made = mapply(coloured, figures)
    grid = paint(I, made)
    return grid


def solve_source_box(I):
    """Each box of a figure of one colour filled with its colour."""
    figures = of_one_colour_8(I)
    coloured = fork(recolor, color, backdrop)
    made = mapply(coloured, figures)
    grid = paint(I, made)
    return grid


def solve_source_outbox(I):
    """The ring around each figure in its colour."""
    figures = of_one_colour_8(I)
    coloured = fork(recolor, color, outbox)
    made = mapply(coloured, figures)
    grid = underpaint(I, made)
    return grid


def solve_source_h_lines(I):
    """Each drawn cell drawn out as a line, where the grid is empty."""
    cells = drawn(I)
    line = compose(hfrontier, last)
    coloured = fork(recolor, first, line)
    made = mapply(coloured, cells)
    grid = underpaint(I, made)
    return grid


def solve_source_v_lines(I):
    """Each drawn cell drawn out as a line, where the grid is empty."""
    cells = drawn(I)
    line = compose(vfrontier, last)
    coloured = fork(recolor, first, line)
    made = mapply(coloured, cells)
    grid = underpaint(I, made)
    return grid


# Marks


def solve_colour_beside_right(I):
    """The colour of the neighbour against right."""
    found = beside(I, RIGHT)
    return found


def solve_colour_beside_left(I):
    """The colour of the neighbour against left."""
    found = beside(I, LEFT)
    return found


def solve_colour_beside_down(I):
    """The colour of the neighbour against down."""
    found = beside(I, DOWN)
    return found


def solve_colour_beside_up(I):
    """The colour of the neighbour against up."""
    found = beside(I, UP)
    return found


def solve_colour_beside_down_right(I):
    """The colour of the neighbour against down and right."""
    found = beside(I, UNITY)
    return found


def solve_colour_beside_up_left(I):
    """The colour of the neighbour against up and left."""
    found = beside(I, NEG_UNITY)
    return found


def solve_colour_beside_down_left(I):
    """The colour of the neighbour against down and left."""
    found = beside(I, DOWN_LEFT)
    return found


def solve_colour_beside_up_right(I):
    """The colour of the neighbour against up and right."""
    found = beside(I, UP_RIGHT)
    return found


def solve_colour_two_right(I):
    """The colour two cells away, against right."""
    found = beside(I, ZERO_BY_TWO)
    return found


def solve_colour_two_down(I):
    """The colour two cells away, against down."""
    found = beside(I, TWO_BY_ZERO)
    return found


def solve_colour_two_left(I):
    """The colour two cells away, against left."""
    found = beside(I, (0, -2))
    return found


def solve_colour_two_up(I):
    """The colour two cells away, against up."""
    found = beside(I, (-2, 0))
    return found


def solve_mark_size_of_one_colour(I):
    """The size of the figure."""
    figures = of_one_colour(I)
    found = measured(I, figures, size)
    return found


def solve_mark_rank_of_one_colour(I):
    """The rank of the figure by size."""
    figures = of_one_colour(I)
    place = lbind(rank_of, figures)
    found = measured(I, figures, place)
    return found


def solve_mark_largest_of_one_colour(I):
    """Whether the figure is the largest."""
    figures = of_one_colour(I)
    found = is_largest(I, figures)
    return found


def solve_mark_smallest_of_one_colour(I):
    """Whether the figure is the smallest."""
    figures = of_one_colour(I)
    found = is_smallest(I, figures)
    return found


def solve_mark_bordering_of_one_colour(I):
    """Whether the figure touches the edge of the grid."""
    figures = of_one_colour(I)
    touches = rbind(bordering, I)
    cells = mfilter(figures, touches)
    found = marked(I, cells)
    return found


def solve_mark_square_of_one_colour(I):
    """Whether the figure is: square."""
    figures = of_one_colour(I)
    cells = mfilter(figures, square)
    found = marked(I, cells)
    return found


def solve_mark_is_full_of_one_colour(I):
    """Whether the figure is: full."""
    figures = of_one_colour(I)
    cells = mfilter(figures, is_full)
    found = marked(I, cells)
    return found


def solve_mark_hline_of_one_colour(I):
    """Whether the figure is: hline."""
    figures = of_one_colour(I)
    cells = mfilter(figures, hline)
    found = marked(I, cells)
    return found


def solve_mark_vline_of_one_colour(I):
    """Whether the figure is: vline."""
    figures = of_one_colour(I)
    cells = mfilter(figures, vline)
    found = marked(I, cells)
    return found


def solve_mark_size_of_one_colour_8(I):
    """The size of the figure."""
    figures = of_one_colour_8(I)
    found = measured(I, figures, size)
    return found


def solve_mark_rank_of_one_colour_8(I):
    """The rank of the figure by size."""
    figures = of_one_colour_8(I)
    place = lbind(rank_of, figures)
    found = measured(I, figures, place)
    return found


def solve_mark_largest_of_one_colour_8(I):
    """Whether the figure is the largest."""
    figures = of_one_colour_8(I)
    found = is_largest(I, figures)
    return found


def solve_mark_smallest_of_one_colour_8(I):
    """Whether the figure is the smallest."""
    figures = of_one_colour_8(I)
    found = is_smallest(I, figures)
    return found


def solve_mark_bordering_of_one_colour_8(I):
    """Whether the figure touches the edge of the grid."""
    figures = of_one_colour_8(I)
    touches = rbind(bordering, I)
    cells = mfilter(figures, touches)
    found = marked(I, cells)
    return found


def solve_mark_square_of_one_colour_8(I):
    """Whether the figure is: square."""
    figures = of_one_colour_8(I)
    cells = mfilter(figures, square)
    found = marked(I, cells)
    return found


def solve_mark_is_full_of_one_colour_8(I):
    """Whether the figure is: full."""
    figures = of_one_colour_8(I)
    cells = mfilter(figures, is_full)
    found = marked(I, cells)
    return found


def solve_mark_size_of_all_colours(I):
    """The size of the figure."""
    figures = of_all_colours(I)
    found = measured(I, figures, size)
    return found


def solve_mark_rank_of_all_colours(I):
    """The rank of the figure by size."""
    figures = of_all_colours(I)
    place = lbind(rank_of, figures)
    found = measured(I, figures, place)
    return found


def solve_mark_largest_of_all_colours(I):
    """Whether the figure is the largest."""
    figures = of_all_colours(I)
    found = is_largest(I, figures)
    return found


def solve_mark_smallest_of_all_colours(I):
    """Whether the figure is the smallest."""
    figures = of_all_colours(I)
    found = is_smallest(I, figures)
    return found


def solve_mark_bordering_of_all_colours(I):
    """Whether the figure touches the edge of the grid."""
    figures = of_all_colours(I)
    touches = rbind(bordering, I)
    cells = mfilter(figures, touches)
    found = marked(I, cells)
    return found


def solve_mark_square_of_all_colours(I):
    """Whether the figure is: square."""
    figures = of_all_colours(I)
    cells = mfilter(figures, square)
    found = marked(I, cells)
    return found


def solve_mark_is_full_of_all_colours(I):
    """Whether the figure is: full."""
    figures = of_all_colours(I)
    cells = mfilter(figures, is_full)
    found = marked(I, cells)
    return found


def solve_mark_size_of_all_colours_8(I):
    """The size of the figure."""
    figures = of_all_colours_8(I)
    found = measured(I, figures, size)
    return found


def solve_mark_rank_of_all_colours_8(I):
    """The rank of the figure by size."""
    figures = of_all_colours_8(I)
    place = lbind(rank_of, figures)
    found = measured(I, figures, place)
    return found


def solve_mark_largest_of_all_colours_8(I):
    """Whether the figure is the largest."""
    figures = of_all_colours_8(I)
    found = is_largest(I, figures)
    return found


def solve_mark_smallest_of_all_colours_8(I):
    """Whether the figure is the smallest."""
    figures = of_all_colours_8(I)
    found = is_smallest(I, figures)
    return found


def solve_mark_bordering_of_all_colours_8(I):
    """Whether the figure touches the edge of the grid."""
    figures = of_all_colours_8(I)
    touches = rbind(bordering, I)
    cells = mfilter(figures, touches)
    found = marked(I, cells)
    return found


def solve_mark_square_of_all_colours_8(I):
    """Whether the figure is: square."""
    figures = of_all_colours_8(I)
    cells = mfilter(figures, square)
    found = marked(I, cells)
    return found


def solve_mark_is_full_of_all_colours_8(I):
    """Whether the figure is: full."""
    figures = of_all_colours_8(I)
    cells = mfilter(figures, is_full)
    found = marked(I, cells)
    return found


def solve_mark_size_of_ground(I):
    """The size of the figure."""
    figures = of_ground(I)
    found = measured(I, figures, size)
    return found


def solve_mark_rank_of_ground(I):
    """The rank of the figure by size."""
    figures = of_ground(I)
    place = lbind(rank_of, figures)
    found = measured(I, figures, place)
    return found


def solve_mark_largest_of_ground(I):
    """Whether the figure is the largest."""
    figures = of_ground(I)
    found = is_largest(I, figures)
    return found


def solve_mark_smallest_of_ground(I):
    """Whether the figure is the smallest."""
    figures = of_ground(I)
    found = is_smallest(I, figures)
    return found


def solve_mark_bordering_of_ground(I):
    """Whether the figure touches the edge of the grid."""
    figures = of_ground(I)
    touches = rbind(bordering, I)
    cells = mfilter(figures, touches)
    found = marked(I, cells)
    return found


def solve_mark_square_of_ground(I):
    """Whether the figure is: square."""
    figures = of_ground(I)
    cells = mfilter(figures, square)
    found = marked(I, cells)
    return found


def solve_mark_is_full_of_ground(I):
    """Whether the figure is: full."""
    figures = of_ground(I)
    cells = mfilter(figures, is_full)
    found = marked(I, cells)
    return found


def solve_mark_hline_of_ground(I):
    """Whether the figure is: hline."""
    figures = of_ground(I)
    cells = mfilter(figures, hline)
    found = marked(I, cells)
    return found


def solve_mark_vline_of_ground(I):
    """Whether the figure is: vline."""
    figures = of_ground(I)
    cells = mfilter(figures, vline)
    found = marked(I, cells)
    return found


def solve_mark_size_of_black(I):
    """The size of the figure."""
    figures = of_black(I)
    found = measured(I, figures, size)
    return found


def solve_mark_rank_of_black(I):
    """The rank of the figure by size."""
    figures = of_black(I)
    place = lbind(rank_of, figures)
    found = measured(I, figures, place)
    return found


def solve_mark_largest_of_black(I):
    """Whether the figure is the largest."""
    figures = of_black(I)
    found = is_largest(I, figures)
    return found


def solve_mark_smallest_of_black(I):
    """Whether the figure is the smallest."""
    figures = of_black(I)
    found = is_smallest(I, figures)
    return found


def solve_mark_bordering_of_black(I):
    """Whether the figure touches the edge of the grid."""
    figures = of_black(I)
    touches = rbind(bordering, I)
    cells = mfilter(figures, touches)
    found = marked(I, cells)
    return found


def solve_mark_square_of_black(I):
    """Whether the figure is: square."""
    figures = of_black(I)
    cells = mfilter(figures, square)
    found = marked(I, cells)
    return found


def solve_mark_is_full_of_black(I):
    """Whether the figure is: full."""
    figures = of_black(I)
    cells = mfilter(figures, is_full)
    found = marked(I, cells)
    return found


def solve_mark_hline_of_black(I):
    """Whether the figure is: hline."""
    figures = of_black(I)
    cells = mfilter(figures, hline)
    found = marked(I, cells)
    return found


def solve_mark_vline_of_black(I):
    """Whether the figure is: vline."""
    figures = of_black(I)
    cells = mfilter(figures, vline)
    found = marked(I, cells)
    return found


def solve_mark_height_of_one_colour(I):
    """The height of the figure."""
    figures = of_one_colour(I)
    found = measured(I, figures, height)
    return found


def solve_mark_width_of_one_colour(I):
    """The width of the figure."""
    figures = of_one_colour(I)
    found = measured(I, figures, width)
    return found


def solve_mark_alike_of_one_colour(I):
    """The number of figures of the same form."""
    figures = of_one_colour(I)
    count = lbind(alike, figures)
    found = measured(I, figures, count)
    return found


def solve_mark_is_mirrored_of_one_colour(I):
    """Whether the figure is its own mirror image."""
    figures = of_one_colour(I)
    cells = mfilter(figures, is_mirrored)
    found = marked(I, cells)
    return found


def solve_mark_is_mirrored_down_of_one_colour(I):
    """Whether the figure is its own mirror image."""
    figures = of_one_colour(I)
    cells = mfilter(figures, is_mirrored_down)
    found = marked(I, cells)
    return found


def solve_mark_height_of_one_colour_8(I):
    """The height of the figure."""
    figures = of_one_colour_8(I)
    found = measured(I, figures, height)
    return found


def solve_mark_width_of_one_colour_8(I):
    """The width of the figure."""
    figures = of_one_colour_8(I)
    found = measured(I, figures, width)
    return found


def solve_mark_alike_of_one_colour_8(I):
    """The number of figures of the same form."""
    figures = of_one_colour_8(I)
    count = lbind(alike, figures)
    found = measured(I, figures, count)
    return found


def solve_mark_is_mirrored_of_one_colour_8(I):
    """Whether the figure is its own mirror image."""
    figures = of_one_colour_8(I)
    cells = mfilter(figures, is_mirrored)
    found = marked(I, cells)
    return found


def solve_mark_is_mirrored_down_of_one_colour_8(I):
    """Whether the figure is its own mirror image."""
    figures = of_one_colour_8(I)
    cells = mfilter(figures, is_mirrored_down)
    found = marked(I, cells)
    return found


def solve_mark_height_of_all_colours(I):
    """The height of the figure."""
    figures = of_all_colours(I)
    found = measured(I, figures, height)
    return found


def solve_mark_width_of_all_colours(I):
    """The width of the figure."""
    figures = of_all_colours(I)
    found = measured(I, figures, width)
    return found


def solve_mark_alike_of_all_colours(I):
    """The number of figures of the same form."""
    figures = of_all_colours(I)
    count = lbind(alike, figures)
    found = measured(I, figures, count)
    return found


def solve_mark_is_mirrored_of_all_colours(I):
    """Whether the figure is its own mirror image."""
    figures = of_all_colours(I)
    cells = mfilter(figures, is_mirrored)
    found = marked(I, cells)
    return found


def solve_mark_is_mirrored_down_of_all_colours(I):
    """Whether the figure is its own mirror image."""
    figures = of_all_colours(I)
    cells = mfilter(figures, is_mirrored_down)
    found = marked(I, cells)
    return found


def solve_mark_height_of_all_colours_8(I):
    """The height of the figure."""
    figures = of_all_colours_8(I)
    found = measured(I, figures, height)
    return found


def solve_mark_width_of_all_colours_8(I):
    """The width of the figure."""
    figures = of_all_colours_8(I)
    found = measured(I, figures, width)
    return found


def solve_mark_alike_of_all_colours_8(I):
    """The number of figures of the same form."""
    figures = of_all_colours_8(I)
    count = lbind(alike, figures)
    found = measured(I, figures, count)
    return found


def solve_mark_is_mirrored_of_all_colours_8(I):
    """Whether the figure is its own mirror image."""
    figures = of_all_colours_8(I)
    cells = mfilter(figures, is_mirrored)
    found = marked(I, cells)
    return found


def solve_mark_is_mirrored_down_of_all_colours_8(I):
    """Whether the figure is its own mirror image."""
    figures = of_all_colours_8(I)
    cells = mfilter(figures, is_mirrored_down)
    found = marked(I, cells)
    return found


def solve_mark_numcolors_of_all_colours(I):
    """The number of colours of the figure."""
    figures = of_all_colours(I)
    found = measured(I, figures, numcolors)
    return found


def solve_mark_numcolors_of_all_colours_8(I):
    """The number of colours of the figure."""
    figures = of_all_colours_8(I)
    found = measured(I, figures, numcolors)
    return found


def solve_mark_delta_of_one_colour_8(I):
    """The places of the delta of every figure."""
    figures = of_one_colour_8(I)
    places = mapply(delta, figures)
    found = marked(I, places)
    return found


def solve_mark_box_of_one_colour_8(I):
    """The places of the box of every figure."""
    figures = of_one_colour_8(I)
    places = mapply(box, figures)
    found = marked(I, places)
    return found


def solve_mark_outbox_of_one_colour_8(I):
    """The places of the outbox of every figure."""
    figures = of_one_colour_8(I)
    places = mapply(outbox, figures)
    found = marked(I, places)
    return found


def solve_mark_inbox_of_one_colour_8(I):
    """The places of the inbox of every figure."""
    figures = of_one_colour_8(I)
    places = mapply(inbox, figures)
    found = marked(I, places)
    return found


def solve_mark_corners_of_one_colour_8(I):
    """The places of the corners of every figure."""
    figures = of_one_colour_8(I)
    places = mapply(corners, figures)
    found = marked(I, places)
    return found


def solve_mark_backdrop_of_one_colour_8(I):
    """The places of the backdrop of every figure."""
    figures = of_one_colour_8(I)
    places = mapply(backdrop, figures)
    found = marked(I, places)
    return found


def solve_mark_delta_of_all_colours_8(I):
    """The places of the delta of every figure."""
    figures = of_all_colours_8(I)
    places = mapply(delta, figures)
    found = marked(I, places)
    return found


def solve_mark_box_of_all_colours_8(I):
    """The places of the box of every figure."""
    figures = of_all_colours_8(I)
    places = mapply(box, figures)
    found = marked(I, places)
    return found


def solve_mark_outbox_of_all_colours_8(I):
    """The places of the outbox of every figure."""
    figures = of_all_colours_8(I)
    places = mapply(outbox, figures)
    found = marked(I, places)
    return found


def solve_mark_inbox_of_all_colours_8(I):
    """The places of the inbox of every figure."""
    figures = of_all_colours_8(I)
    places = mapply(inbox, figures)
    found = marked(I, places)
    return found


def solve_mark_corners_of_all_colours_8(I):
    """The places of the corners of every figure."""
    figures = of_all_colours_8(I)
    places = mapply(corners, figures)
    found = marked(I, places)
    return found


def solve_mark_backdrop_of_all_colours_8(I):
    """The places of the backdrop of every figure."""
    figures = of_all_colours_8(I)
    places = mapply(backdrop, figures)
    found = marked(I, places)
    return found


def solve_mark_uniform_lines(I):
    """Rows and columns of one colour."""
    lines = frontiers(I)
    places = merge(lines)
    found = marked(I, places)
    return found


def solve_mark_edge(I):
    """The cells at the edge of the grid."""
    cells = asindices(I)
    places = box(cells)
    found = marked(I, places)
    return found


def solve_mark_second_ring(I):
    """The cells next to those at the edge."""
    cells = asindices(I)
    places = inbox(cells)
    found = marked(I, places)
    return found


def solve_mark_even_rows(I):
    """Every other row, from the first."""
    h = height(I)
    w = width(I)
    rows = interval(ZERO, h, TWO)
    columns = interval(ZERO, w, ONE)
    places = product(rows, columns)
    found = marked(I, places)
    return found


def solve_mark_even_columns(I):
    """Every other column, from the first."""
    h = height(I)
    w = width(I)
    rows = interval(ZERO, h, ONE)
    columns = interval(ZERO, w, TWO)
    places = product(rows, columns)
    found = marked(I, places)
    return found


def solve_mark_chequers(I):
    """Every other cell, as on a chess board."""
    h = height(I)
    w = width(I)
    even_rows = interval(ZERO, h, TWO)
    odd_rows = interval(ONE, h, TWO)
    even_columns = interval(ZERO, w, TWO)
    odd_columns = interval(ONE, w, TWO)
    black = product(even_rows, even_columns)
    white = product(odd_rows, odd_columns)
    places = combine(black, white)
    found = marked(I, places)
    return found


def solve_mark_first_row(I):
    """The first row."""
    places = hfrontier(ORIGIN)
    found = marked(I, places)
    return found


def solve_mark_first_column(I):
    """The first column."""
    places = vfrontier(ORIGIN)
    found = marked(I, places)
    return found


def solve_mark_diagonal(I):
    """The diagonal."""
    places = shoot(ORIGIN, UNITY)
    found = marked(I, places)
    return found


def solve_mark_last_row(I):
    """The last row."""
    h = height(I)
    last_row = decrement(h)
    place = toivec(last_row)
    places = hfrontier(place)
    found = marked(I, places)
    return found


def solve_mark_last_column(I):
    """The last column."""
    w = width(I)
    last_column = decrement(w)
    place = tojvec(last_column)
    places = vfrontier(place)
    found = marked(I, places)
    return found


def solve_mark_other_diagonal(I):
    """The other diagonal."""
    w = width(I)
    last_column = decrement(w)
    place = tojvec(last_column)
    places = shoot(place, DOWN_LEFT)
    found = marked(I, places)
    return found


def solve_mark_own_count(I):
    """The number of cells of the same colour in the grid."""
    layers = partition(I)
    found = measured(I, layers, size)
    return found


def solve_mark_colour_rank(I):
    """The rank of the cell's colour by its number of cells."""
    layers = partition(I)
    place = lbind(rank_of, layers)
    found = measured(I, layers, place)
    return found
