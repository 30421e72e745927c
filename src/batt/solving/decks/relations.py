"""Relations between figures, and what may be done with a figure and another one that it is related to.

In all of them S is the set of figures and I the grid. A relation is a function from a figure to the figures
that it is related to. A `near_…` and a `join_…` are functions of a figure and such a function, C: the first give places, the
others objects, for all related figures together.
"""

from batt.dsl import *
from batt.words import *

NO_COLOUR = 10


# Parts of the others


def nearest_of(others, figure):
    """The figures of some others that are the nearest to one."""
    least = minimum(apply(lambda each: manhattan(each, figure), totuple(others)))
    return sfilter(others, lambda each: equality(manhattan(each, figure), least))


def of_least(others, measure):
    """The figures for which a measure gives the least."""
    least = minimum(apply(measure, totuple(others)))
    return sfilter(others, matcher(measure, least))


def is_within(inner, outer):
    """Whether the box of one figure is within that of another."""
    return equality(size(difference(backdrop(inner), backdrop(outer))), ZERO)


def plain_form(figure):
    """The places of a figure, moved to the corner."""
    return toindices(normalize(figure))


def all_turns(figure):
    """A figure turned and mirrored in all eight ways."""
    two = frozenset([figure, dmirror(figure)])
    four = combine(two, apply(hmirror, two))
    return combine(four, apply(vmirror, four))


def all_forms(figure):
    """The form of a figure, turned and mirrored in all eight ways."""
    return apply(plain_form, all_turns(figure))


def is_unlike(first_one, other):
    """Whether two figures have different colours."""
    return flip(equality(mostcolor(first_one), mostcolor(other)))


def with_all(found, edit, figure):
    """What an edit makes of a figure with each of the related ones, together."""
    return mapply(lambda other: edit(figure, other), frozenset(found(figure)))


def in_order_of(measure, figures, figure):
    """The figures of the next greater value of a measure."""
    own = measure(figure)
    return of_least(sfilter(figures, lambda each: greater(measure(each), own)), measure)


def code_of(figure):
    """A number that tells figures of a grid apart, mostly."""
    corner = ulcorner(figure)
    last_cell = lrcorner(figure)
    return (corner[0] * 37 + corner[1] * 101 + last_cell[0] * 59 + last_cell[1] * 13 + size(figure) * 7) % 199 + 1


def sum_of(values):
    """The sum of a tuple of numbers."""
    return size(merge(apply(lambda value: interval(ZERO, value, ONE), values)))


# What is read of related figures: C is a relation


def solve_related_code(S, I, C):
    """A number of the figures that a figure is related to."""
    return lambda figure: sum_of(apply(code_of, totuple(C(figure)))) % 8009


def solve_related_count(S, I, C):
    """The number of figures that a figure is related to."""
    return compose(size, C)


def solve_related_colour(S, I, C):
    """The main colour of the related figures; NO_COLOUR if there are none."""
    return lambda figure: mostcolor(insert((NO_COLOUR, ORIGIN), merge(C(figure))))


# Relations


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
    return lambda figure: sfilter(remove(figure, figures), matcher(plain_form, plain_form(figure)))


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


# Relations to a colour


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


# Places: C is a relation


def between(one, other):
    """The places between two figures, on their common rows or columns."""
    rows = intersection(apply(first, toindices(one)), apply(first, toindices(other)))
    columns = intersection(apply(last, toindices(one)), apply(last, toindices(other)))
    span = backdrop(combine(toindices(one), toindices(other)))
    inner = difference(span, combine(backdrop(one), backdrop(other)))
    return sfilter(inner, lambda place: either(contained(place[0], rows), contained(place[1], columns)))


def way_to(one, other):
    """The direction in rows and columns from one figure to another; 0 where they overlap."""
    down = greater(uppermost(other), lowermost(one))
    up = greater(uppermost(one), lowermost(other))
    right = greater(leftmost(other), rightmost(one))
    left = greater(leftmost(one), rightmost(other))
    return (branch(down, 1, branch(up, -1, 0)), branch(right, 1, branch(left, -1, 0)))


def rays_of(figure, way):
    """Rays from all cells of a figure in a direction, without the figure; none for no direction."""
    moving = branch(equality(way, ORIGIN), frozenset(), toindices(figure))
    goal = branch(equality(way, ORIGIN), UNITY, way)
    return difference(mapply(rbind(shoot, goal), moving), toindices(figure))


def ray_towards(figure, other):
    """Rays from a figure towards another one and through it."""
    return rays_of(figure, way_to(figure, other))


def ray_away(figure, other):
    """Rays from a figure away from another one."""
    return rays_of(figure, invert(way_to(figure, other)))


def until(figure, other):
    """Rays from a figure towards another one, to where its box begins."""
    way = way_to(figure, other)
    behind = mapply(rbind(shoot, branch(equality(way, ORIGIN), UNITY, way)), box(other))
    return difference(difference(rays_of(figure, way), behind), box(other))


def corner_paths(is_first, figure, other):
    """The way from the middle of a figure to that of another one, with one corner."""
    start, goal = center(figure), center(other)
    turn = branch(is_first, astuple(start[0], goal[1]), astuple(goal[0], start[1]))
    path = combine(connect(start, turn), connect(turn, goal))
    return difference(path, combine(toindices(figure), toindices(other)))


def straight(figure, other):
    """The straight line between the middles of two figures, without them."""
    line = connect(center(figure), center(other))
    return difference(line, combine(toindices(figure), toindices(other)))


def moved_form(figure, other):
    """The form of another figure, with its middle on that of a figure."""
    return shift(toindices(other), subtract(center(figure), center(other)))


def solve_near_itself(S, I, C):
    """The figure itself, if it is related to any."""
    return lambda figure: with_all(C, lambda one, other: toindices(one), figure)


def solve_near_other(S, I, C):
    """The related figures."""
    return lambda figure: with_all(C, lambda one, other: toindices(other), figure)


def solve_near_between(S, I, C):
    """The places between it and the related figures, on their common rows or columns."""
    return lbind(lbind(with_all, C), between)


def solve_near_until(S, I, C):
    """Rays from it towards the related figures, until their boxes."""
    return lbind(lbind(with_all, C), until)


def solve_near_towards(S, I, C):
    """Rays from it towards the related figures and through them."""
    return lbind(lbind(with_all, C), ray_towards)


def solve_near_away(S, I, C):
    """Rays from it away from the related figures."""
    return lbind(lbind(with_all, C), ray_away)


def solve_near_straight(S, I, C):
    """The straight lines from its middle to those of the related figures."""
    return lbind(lbind(with_all, C), straight)


def solve_near_row_first(S, I, C):
    """Lines from its middle along its row, and then to the middles of the related figures."""
    return lbind(lbind(with_all, C), lbind(corner_paths, T))


def solve_near_column_first(S, I, C):
    """Lines from its middle along its column, and then to the middles of the related figures."""
    return lbind(lbind(with_all, C), lbind(corner_paths, F))


def solve_near_span(S, I, C):
    """The box around it and the related figures, without them."""
    return lambda figure: with_all(
        C,
        lambda one, other: difference(
            backdrop(combine(toindices(one), toindices(other))), combine(toindices(one), toindices(other))
        ),
        figure,
    )


def solve_near_other_box(S, I, C):
    """The boxes of the related figures, without these."""
    return lambda figure: with_all(C, lambda one, other: delta(other), figure)


def solve_near_other_around(S, I, C):
    """The outlines around the boxes of the related figures."""
    return lambda figure: with_all(C, lambda one, other: outbox(other), figure)


def solve_near_other_edge(S, I, C):
    """The outlines of the boxes of the related figures."""
    return lambda figure: with_all(C, lambda one, other: box(other), figure)


def solve_near_form_here(S, I, C):
    """The forms of the related figures, with their middles on its own."""
    return lbind(lbind(with_all, C), moved_form)


def solve_near_form_there(S, I, C):
    """Its form, with its middle on those of the related figures."""
    return lambda figure: with_all(C, lambda one, other: moved_form(other, one), figure)


def solve_near_contact(S, I, C):
    """Its cells that are beside the related figures."""
    return lambda figure: with_all(
        C, lambda one, other: intersection(toindices(one), mapply(dneighbors, toindices(other))), figure
    )


def solve_near_other_contact(S, I, C):
    """The cells of the related figures that are beside it."""
    return lambda figure: with_all(
        C, lambda one, other: intersection(toindices(other), mapply(dneighbors, toindices(one))), figure
    )


def solve_near_facing_part(S, I, C):
    """The cells of the related figures in its rows or columns."""
    return lambda figure: with_all(
        C,
        lambda one, other: intersection(
            toindices(other),
            combine(mapply(hfrontier, toindices(one)), mapply(vfrontier, toindices(one))),
        ),
        figure,
    )


def solve_near_crossing(S, I, C):
    """The places in the row of its middle and the column of those of the related figures."""
    return lambda figure: with_all(
        C, lambda one, other: initset(astuple(center(one)[0], center(other)[1])), figure
    )


# Objects: C is a relation


def contact(figure, other):
    """A figure moved up to another one."""
    return shift(figure, gravitate(figure, other))


def at_distance(figure, other):
    """A figure moved up to another one, with one place between."""
    return shift(figure, subtract(gravitate(figure, other), sign(gravitate(figure, other))))


def on_middle(figure, other):
    """A figure with its middle on that of another one."""
    return shift(figure, subtract(center(other), center(figure)))


def as_joined(figure, other):
    """Another figure, moved so that its cells of a figure's colour are on the figure."""
    part = sfilter(other, lambda cell: equality(cell[0], mostcolor(figure)))
    anchor = branch(size(part), part, other)
    return shift(other, subtract(ulcorner(figure), ulcorner(anchor)))


def of_palette(figure, colours):
    """The cells of a figure that have one of some colours."""
    return sfilter(figure, lambda cell: contained(cell[0], colours))


def as_turned(figure, other):
    """Another figure, turned and moved so that its cells of a figure's colours are just the figure."""
    colours = palette(figure)
    goal = normalize(figure)
    fitting = sfilter(
        all_turns(other), lambda each: equality(normalize(of_palette(each, colours)), goal)
    )
    return mapply(
        lambda each: shift(each, subtract(ulcorner(figure), ulcorner(of_palette(each, colours)))), fitting
    )


def about(figure, other):
    """A figure turned by half about the middle of the box of another one."""
    turned = vmirror(hmirror(figure))
    return shift(turned, subtract(add(ulcorner(other), lrcorner(other)), add(ulcorner(figure), lrcorner(figure))))


def about_across(figure, other):
    """A figure mirrored left to right about the middle of the box of another one."""
    return shift(
        vmirror(figure), tojvec(leftmost(other) + rightmost(other) - leftmost(figure) - rightmost(figure))
    )


def about_along(figure, other):
    """A figure mirrored top to bottom about the middle of the box of another one."""
    return shift(
        hmirror(figure), toivec(uppermost(other) + lowermost(other) - uppermost(figure) - lowermost(figure))
    )


def copies_before(figure, other):
    """A figure repeated side by side towards another one, to where its box begins."""
    way = way_to(figure, other)
    step = multiply(way, shape(figure))
    made = mapply(lambda count: shift(figure, multiply(step, count)), frozenset(interval(ZERO, 30, ONE)))
    behind = mapply(rbind(shoot, branch(equality(way, ORIGIN), UNITY, way)), backdrop(other))
    return sfilter(made, lambda cell: flip(contained(cell[1], behind)))


def copies_on(figure, other):
    """A figure repeated side by side, away from another one."""
    step = multiply(invert(way_to(figure, other)), shape(figure))
    return mapply(lambda count: shift(figure, multiply(step, count)), frozenset(interval(ZERO, 30, ONE)))


def solve_join_contact(S, I, C):
    """The figure moved up to the related ones."""
    return lbind(lbind(with_all, C), contact)


def solve_join_at_distance(S, I, C):
    """The figure moved up to the related ones, with one place between."""
    return lbind(lbind(with_all, C), at_distance)


def solve_join_on_middle(S, I, C):
    """The figure with its middle on those of the related ones."""
    return lbind(lbind(with_all, C), on_middle)


def solve_join_at_corner(S, I, C):
    """The figure with its upper left corner on those of the related ones."""
    return lambda figure: with_all(
        C, lambda one, other: shift(one, subtract(ulcorner(other), ulcorner(one))), figure
    )


def solve_join_row(S, I, C):
    """The figure moved to the first rows of the related ones."""
    return lambda figure: with_all(C, lambda one, other: shift(one, toivec(uppermost(other) - uppermost(one))), figure)


def solve_join_last_row(S, I, C):
    """The figure moved to the last rows of the related ones."""
    return lambda figure: with_all(C, lambda one, other: shift(one, toivec(lowermost(other) - lowermost(one))), figure)


def solve_join_column(S, I, C):
    """The figure moved to the first columns of the related ones."""
    return lambda figure: with_all(C, lambda one, other: shift(one, tojvec(leftmost(other) - leftmost(one))), figure)


def solve_join_last_column(S, I, C):
    """The figure moved to the last columns of the related ones."""
    return lambda figure: with_all(C, lambda one, other: shift(one, tojvec(rightmost(other) - rightmost(one))), figure)


def solve_join_middle_row(S, I, C):
    """The figure with its middle in the rows of those of the related ones."""
    return lambda figure: with_all(
        C, lambda one, other: shift(one, toivec(center(other)[0] - center(one)[0])), figure
    )


def solve_join_middle_column(S, I, C):
    """The figure with its middle in the columns of those of the related ones."""
    return lambda figure: with_all(
        C, lambda one, other: shift(one, tojvec(center(other)[1] - center(one)[1])), figure
    )


def solve_join_step(S, I, C):
    """The figure moved one step towards the related ones."""
    return lambda figure: with_all(C, lambda one, other: shift(one, way_to(one, other)), figure)


def solve_join_step_back(S, I, C):
    """The figure moved one step away from the related ones."""
    return lambda figure: with_all(C, lambda one, other: shift(one, invert(way_to(one, other))), figure)


def solve_join_copy(S, I, C):
    """The related figures, with their middles on its own."""
    return lambda figure: with_all(C, lambda one, other: on_middle(other, one), figure)


def solve_join_corner_copy(S, I, C):
    """The related figures, with their upper left corners on its own."""
    return lambda figure: with_all(
        C, lambda one, other: shift(other, subtract(ulcorner(one), ulcorner(other))), figure
    )


def solve_join_joined(S, I, C):
    """The related figures, with their cells of its colour on it."""
    return lbind(lbind(with_all, C), as_joined)


def solve_join_turned(S, I, C):
    """The related figures, turned so that their cells of its colours are just it."""
    return lbind(lbind(with_all, C), as_turned)


def solve_join_about(S, I, C):
    """The figure turned by half about the related ones."""
    return lbind(lbind(with_all, C), about)


def solve_join_about_across(S, I, C):
    """The figure mirrored left to right about the related ones."""
    return lbind(lbind(with_all, C), about_across)


def solve_join_about_along(S, I, C):
    """The figure mirrored top to bottom about the related ones."""
    return lbind(lbind(with_all, C), about_along)


def solve_join_repeated_away(S, I, C):
    """The figure repeated side by side, away from the related ones."""
    return lbind(lbind(with_all, C), copies_on)


def solve_join_repeated_before(S, I, C):
    """The figure repeated side by side, up to the related ones."""
    return lbind(lbind(with_all, C), copies_before)
