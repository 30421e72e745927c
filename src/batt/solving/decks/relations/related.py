"""Relations: the figures that a figure is related to, and what is read of them."""

from batt.dsl import *
from batt.words import *

from ..idioms import NO_COLOUR, all_turns, form_of, is_within, sum_of


def nearest_of(others, figure):
    """The figures of some others that are the nearest to one."""
    least = minimum(apply(lambda each: manhattan(each, figure), totuple(others)))
    return sfilter(others, lambda each: equality(manhattan(each, figure), least))


def of_least(others, measure):
    """The figures for which a measure gives the least."""
    least = minimum(apply(measure, totuple(others)))
    return sfilter(others, matcher(measure, least))


def all_forms(figure):
    """The form of a figure, turned and mirrored in all eight ways."""
    return apply(form_of, all_turns(figure))


def is_unlike(first_one, other):
    """Whether two figures have different colours."""
    return flip(equality(mostcolor(first_one), mostcolor(other)))


def in_order_of(measure, figures, figure):
    """The figures of the next greater value of a measure."""
    own = measure(figure)
    return of_least(sfilter(figures, lambda each: greater(measure(each), own)), measure)


def code_of(figure):
    """A number that tells figures of a grid apart, mostly."""
    corner = ulcorner(figure)
    last_cell = lrcorner(figure)
    return (corner[0] * 37 + corner[1] * 101 + last_cell[0] * 59 + last_cell[1] * 13 + size(figure) * 7) % 199 + 1


def solve_related_code(S, I, C):
    """A number of the figures that a figure is related to."""
    return lambda figure: sum_of(apply(code_of, totuple(C(figure)))) % 8009


def solve_related_count(S, I, C):
    """The number of figures that a figure is related to."""
    return compose(size, C)


def solve_related_colour(S, I, C):
    """The main colour of the related figures; NO_COLOUR if there are none."""
    return lambda figure: mostcolor(insert((NO_COLOUR, ORIGIN), merge(C(figure))))


def relate_nearest(figures, grid, colour):
    """The nearest figures."""
    return lambda figure: nearest_of(remove(figure, figures), figure)


def relate_same_colour(figures, grid, colour):
    """The others of its colour."""
    return lambda figure: sfilter(remove(figure, figures), matcher(mostcolor, mostcolor(figure)))


def relate_other_colour(figures, grid, colour):
    """The others of another colour."""
    return lambda figure: sfilter(figures, lbind(is_unlike, figure))


def relate_nearest_same_colour(figures, grid, colour):
    """The nearest figures of its colour."""
    return lambda figure: nearest_of(sfilter(remove(figure, figures), matcher(mostcolor, mostcolor(figure))), figure)


def relate_nearest_other_colour(figures, grid, colour):
    """The nearest figures of another colour."""
    return lambda figure: nearest_of(sfilter(figures, lbind(is_unlike, figure)), figure)


def relate_same_form(figures, grid, colour):
    """The others of its form."""
    return lambda figure: sfilter(remove(figure, figures), matcher(form_of, form_of(figure)))


def relate_turned_form(figures, grid, colour):
    """The others of its form, however turned."""
    return lambda figure: sfilter(remove(figure, figures), matcher(all_forms, all_forms(figure)))


def relate_same_size(figures, grid, colour):
    """The others of its size."""
    return lambda figure: sfilter(remove(figure, figures), matcher(size, size(figure)))


def relate_touching(figures, grid, colour):
    """The others that touch it, also at a corner."""
    return lambda figure: sfilter(
        remove(figure, figures),
        lambda each: size(intersection(toindices(each), mapply(neighbors, toindices(figure)))),
    )


def relate_outer(figures, grid, colour):
    """The others in whose box it is."""
    return lambda figure: sfilter(remove(figure, figures), lambda each: is_within(figure, each))


def relate_inner(figures, grid, colour):
    """The others in its box."""
    return lambda figure: sfilter(remove(figure, figures), lambda each: is_within(each, figure))


def relate_in_line(figures, grid, colour):
    """The others in its rows or columns."""
    return lambda figure: sfilter(
        remove(figure, figures), lambda each: either(hmatching(each, figure), vmatching(each, figure))
    )


def relate_nearest_in_line(figures, grid, colour):
    """The nearest others in its rows or columns."""
    return lambda figure: nearest_of(
        sfilter(remove(figure, figures), lambda each: either(hmatching(each, figure), vmatching(each, figure))), figure
    )


def relate_unlike_in_line(figures, grid, colour):
    """The nearest figures of another colour in its rows or columns."""
    return lambda figure: nearest_of(
        sfilter(
            sfilter(figures, lbind(is_unlike, figure)),
            lambda each: either(hmatching(each, figure), vmatching(each, figure)),
        ),
        figure,
    )


def relate_above(figures, grid, colour):
    """The nearest one above it, in its columns."""
    return lambda figure: nearest_of(
        sfilter(
            figures, lambda each: both(vmatching(each, figure), greater(uppermost(figure), lowermost(each)))
        ),
        figure,
    )


def relate_below(figures, grid, colour):
    """The nearest one below it, in its columns."""
    return lambda figure: nearest_of(
        sfilter(
            figures, lambda each: both(vmatching(each, figure), greater(uppermost(each), lowermost(figure)))
        ),
        figure,
    )


def relate_left(figures, grid, colour):
    """The nearest one left of it, in its rows."""
    return lambda figure: nearest_of(
        sfilter(
            figures, lambda each: both(hmatching(each, figure), greater(leftmost(figure), rightmost(each)))
        ),
        figure,
    )


def relate_right(figures, grid, colour):
    """The nearest one right of it, in its rows."""
    return lambda figure: nearest_of(
        sfilter(
            figures, lambda each: both(hmatching(each, figure), greater(leftmost(each), rightmost(figure)))
        ),
        figure,
    )


def relate_largest(figures, grid, colour):
    """The largest figure, if that is another one."""
    found = of_least(figures, lambda each: invert(size(each)))
    return lambda figure: remove(figure, found)


def relate_smallest(figures, grid, colour):
    """The smallest figure, if that is another one."""
    found = of_least(figures, size)
    return lambda figure: remove(figure, found)


def relate_most_colours(figures, grid, colour):
    """The figure of the most colours, if that is another one."""
    found = of_least(figures, lambda each: invert(numcolors(each)))
    return lambda figure: remove(figure, found)


def relate_odd_colour(figures, grid, colour):
    """The other figures whose colour no other figure has."""
    colours = apply(mostcolor, totuple(figures))
    found = sfilter(figures, lambda each: equality(size(sfilter(colours, matcher(identity, mostcolor(each)))), ONE))
    return lambda figure: remove(figure, found)


def relate_next_larger(figures, grid, colour):
    """The figures of the next greater size."""
    return lbind(lbind(in_order_of, size), figures)


def relate_next_right(figures, grid, colour):
    """The figures that start next, from left to right."""
    return lbind(lbind(in_order_of, leftmost), figures)


def relate_next_below(figures, grid, colour):
    """The figures that start next, from top to bottom."""
    return lbind(lbind(in_order_of, uppermost), figures)


def relate_larger(figures, grid, colour):
    """The nearest larger figures."""
    return lambda figure: nearest_of(sfilter(figures, lambda each: greater(size(each), size(figure))), figure)


def relate_smaller(figures, grid, colour):
    """The nearest smaller figures."""
    return lambda figure: nearest_of(sfilter(figures, lambda each: greater(size(figure), size(each))), figure)


def relate_with_its_colour(figures, grid, colour):
    """The larger figures of several colours that have its colour."""
    return lambda figure: sfilter(
        remove(figure, figures),
        lambda each: both(greater(numcolors(each), ONE), contained(mostcolor(figure), palette(each))),
    )


def relate_coloured_all(figures, grid, colour):
    """All other figures of the colour."""
    found = colorfilter(figures, colour)
    return lambda figure: remove(figure, found)


def relate_coloured_nearest(figures, grid, colour):
    """The nearest other figures of the colour."""
    found = colorfilter(figures, colour)
    return lambda figure: nearest_of(remove(figure, found), figure)


def solve_related(S, I, C):
    """The relation of the number and the colour C."""
    makers = (
        relate_nearest,
        relate_same_colour,
        relate_other_colour,
        relate_nearest_other_colour,
        relate_nearest_same_colour,
        relate_touching,
        relate_largest,
        relate_in_line,
        relate_same_form,
        relate_coloured_nearest,
        relate_unlike_in_line,
        relate_inner,
        relate_outer,
        relate_coloured_all,
        relate_nearest_in_line,
        relate_smallest,
        relate_turned_form,
        relate_most_colours,
        relate_larger,
        relate_smaller,
        relate_above,
        relate_below,
        relate_left,
        relate_right,
        relate_odd_colour,
        relate_with_its_colour,
        relate_same_size,
        relate_next_larger,
        relate_next_right,
        relate_next_below,
    )
    make = makers[C[0]]
    return make(S, I, C[1])
