"""Counts: numbers of a grid, grids that show numbers, and the places that come first in an order.

A `count_…` gives a number, of a colour S if its name ends in `_of`. A `panels_…` has a number for each panel, a `bars_…`
a line for each colour. In a `first_…`, S is a number and I a size: 1 in that many places, 0 elsewhere.
"""

from batt.dsl import *
from batt.words import *

SIDE = 31


# Numbers


def solve_count_colours(S, I, C):
    """The number of colours but one, the ground."""
    return decrement(numcolors(I))


def solve_count_figures(S, I, C):
    """The number of figures of one colour, four neighbours."""
    return size(objects(I, T, F, T))


def solve_count_figures_8(S, I, C):
    """The number of figures of one colour, eight neighbours."""
    return size(objects(I, T, T, T))


def solve_count_groups(S, I, C):
    """The number of figures of any colours, eight neighbours."""
    return size(objects(I, F, T, T))


def solve_count_largest(S, I, C):
    """The size of the largest figure."""
    return valmax(objects(I, T, F, T), size)


def solve_count_drawn(S, I, C):
    """The number of cells that are not of the most frequent colour."""
    return subtract(multiply(height(I), width(I)), colorcount(I, mostcolor(I)))


def solve_count_panels(S, I, C):
    """The number of panels."""
    return size(panels(I))


def solve_count_cells_of(S, I, C):
    """The number of cells of the colour S."""
    return colorcount(I, S)


def solve_count_figures_of(S, I, C):
    """The number of figures of the colour S."""
    return size(colorfilter(objects(I, T, F, F), S))


def solve_count_figures_8_of(S, I, C):
    """The number of figures of the colour S, eight neighbours."""
    return size(colorfilter(objects(I, T, T, F), S))


def solve_count_squares_of(S, I, C):
    """The number of squares of the colour S that have several cells."""
    figures = colorfilter(objects(I, T, F, F), S)
    return size(sfilter(figures, lambda each: both(square(each), greater(size(each), ONE))))


# A number for each panel


def by_panel(grid, function):
    """What a function gives for each panel, as a grid."""
    return apply(lambda row: apply(function, row), panelrows(grid))


def drawn_in(ground, panel):
    """The places of a panel that are not of a colour."""
    return difference(asindices(panel), ofcolor(panel, ground))


def panel_ground(grid):
    """The most frequent colour of all panels."""
    return mostcommon(merge(apply(merge, panels(grid))))


def place_code(place):
    """A number of a place, to tell forms apart."""
    return (place[0] * 37 + place[1] * 11 + place[0] * place[1] * 59 + 7) % 89


def total(numbers):
    """The sum of some numbers, each at most 89."""
    return size(merge(apply(lambda pair: apply(lbind(astuple, pair), interval(ZERO, pair[0], ONE)), numbers)))


def form_number(ground, panel):
    """A number from 1 to 89 of the form that is drawn in a panel."""
    numbers = apply(lambda place: astuple(place_code(place), place), totuple(drawn_in(ground, panel)))
    return total(numbers) % 89 + 1


def solve_panels_drawn(I):
    """The number of cells that are drawn in each panel."""
    ground = panel_ground(I)
    return by_panel(I, lambda panel: size(drawn_in(ground, panel)))


def solve_panels_colours(I):
    """The number of colours of each panel."""
    return by_panel(I, numcolors)


def solve_panels_figures(I):
    """The number of figures in each panel."""
    return by_panel(I, lambda panel: size(objects(panel, T, F, T)))


def solve_panels_form(I):
    """A number of the form that is drawn in each panel."""
    ground = panel_ground(I)
    return by_panel(I, lbind(form_number, ground))


def solve_panels_least(I):
    """The least frequent colour of each panel."""
    return by_panel(I, leastcolor)


# A line for each colour


def bar(ground, longest, count, colour):
    """A row that begins with a number of cells of a colour, and goes on with the ground."""
    return repeat(colour, count) + repeat(ground, subtract(longest, count))


def bars(ground, colours, count_of):
    """A row for each colour, as long as its count."""
    longest = valmax(colours, count_of)
    return apply(lambda colour: bar(ground, longest, count_of(colour), colour), colours)


def drawn_colours(grid):
    """The colours but the most frequent one."""
    return remove(mostcolor(grid), palette(grid))


def figures_of(grid, colour):
    """The number of figures of a colour."""
    return size(colorfilter(objects(grid, T, F, F), colour))


def solve_bars_cells(I):
    """A row for each colour but the ground, as long as it has cells, the longest first."""
    count_of = lbind(colorcount, I)
    return bars(mostcolor(I), order(drawn_colours(I), compose(invert, count_of)), count_of)


def solve_bars_figures(I):
    """A row for each colour but the ground, as long as it has figures, the longest first."""
    count_of = lbind(figures_of, I)
    return bars(mostcolor(I), order(drawn_colours(I), compose(invert, count_of)), count_of)


def solve_bars_cells_down(I):
    """A column for each colour but the ground, as high as it has cells, the highest first."""
    count_of = lbind(colorcount, I)
    return dmirror(bars(mostcolor(I), order(drawn_colours(I), compose(invert, count_of)), count_of))


def solve_bars_figures_down(I):
    """A column for each colour but the ground, as high as it has figures, the highest first."""
    count_of = lbind(figures_of, I)
    return dmirror(bars(mostcolor(I), order(drawn_colours(I), compose(invert, count_of)), count_of))


def solve_bars_all(I):
    """A row for each colour, as long as it has cells, the longest first, on black."""
    count_of = lbind(colorcount, I)
    return bars(ZERO, order(palette(I), compose(invert, count_of)), count_of)


def solve_bars_all_down(I):
    """A column for each colour, as high as it has cells, the highest first, on black."""
    count_of = lbind(colorcount, I)
    return dmirror(bars(ZERO, order(palette(I), compose(invert, count_of)), count_of))


# The first places in an order


def marked_first(dims, count, number_of):
    """A grid with 1 in the places whose number is below a count, and 0 elsewhere."""
    blank = canvas(ZERO, dims)
    return fill(blank, ONE, sfilter(asindices(blank), lambda place: greater(count, number_of(place))))


def solve_first_by_row(S, I, C):
    """The first places, row by row."""
    return marked_first(I, S, lambda place: place[0] * I[1] + place[1])


def solve_first_by_column(S, I, C):
    """The first places, column by column."""
    return marked_first(I, S, lambda place: place[1] * I[0] + place[0])


def solve_first_to_and_fro(S, I, C):
    """The first places, row by row, every second row from the right."""
    return marked_first(
        I, S, lambda place: place[0] * I[1] + branch(even(place[0]), place[1], I[1] - 1 - place[1])
    )


def solve_first_apart(S, I, C):
    """The first of every second place, row by row."""
    return marked_first(
        I, S, lambda place: branch(even(place[0] * I[1] + place[1]), (place[0] * I[1] + place[1]) // 2, 1000)
    )


def solve_first_rows(S, I, C):
    """The first rows."""
    return marked_first(I, S, lambda place: place[0])


def solve_first_columns(S, I, C):
    """The first columns."""
    return marked_first(I, S, lambda place: place[1])


def solve_last_rows(S, I, C):
    """The last rows."""
    return marked_first(I, S, lambda place: I[0] - 1 - place[0])


def solve_last_columns(S, I, C):
    """The last columns."""
    return marked_first(I, S, lambda place: I[1] - 1 - place[1])


def solve_first_diagonal(S, I, C):
    """The first places of the diagonal."""
    return marked_first(I, S, lambda place: branch(equality(place[0], place[1]), place[0], 1000))
