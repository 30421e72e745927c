"""The size of a cell's figure, its rank, and whether it is large, full, a square or a line."""

from batt.dsl import *

from ..idioms import (
    marked, measured, of_all_colours, of_all_colours_8, of_black, of_ground, of_one_colour, of_one_colour_8,
)


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
