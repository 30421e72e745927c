"""The height, the width, the form and the colours of a cell's figure."""

from batt.dsl import *

from ..idioms import is_mirrored, marked, measured, of_all_colours, of_all_colours_8, of_one_colour, of_one_colour_8


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
