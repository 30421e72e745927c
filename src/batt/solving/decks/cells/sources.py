"""Colours that a cell may copy: along rays and lines, from mirrored places, from its figure, and single ones of the grid."""

from batt.dsl import *

from ..idioms import of_all_colours, of_all_colours_8, of_one_colour_8


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
