"""Spans: first and last rows, or columns, that a figure may be moved to.

A maker takes the figures, the grid and the axis, 0 for rows and 1 for columns. It returns a function from a figure to
the span. In all solvers S is the set of figures and I the grid.
"""

from batt.dsl import *
from batt.words import *

from .idioms import sum_of


def first_line(axis):
    """The function that gives the first row of a figure, or the first column."""
    return branch(axis, leftmost, uppermost)


def last_line(axis):
    """The function that gives the last row of a figure, or the last column."""
    return branch(axis, rightmost, lowermost)


def extent(axis):
    """The function that gives the number of rows of a figure or grid, or of columns."""
    return branch(axis, width, height)


def span_of(axis):
    """The function that gives the span of a figure."""
    return fork(astuple, first_line(axis), last_line(axis))


def key_by(measure, axis, figure):
    """A number that orders figures by a measure, equal ones by where they begin along an axis, and then across it."""
    return measure(figure) * 900 + first_line(axis)(figure) * 30 + first_line(1 - axis)(figure)


def stacked(figures, axis, key, figure):
    """The rows of a figure that is stacked on those before it, the first one at the top."""
    own = key(figure)
    before = sfilter(figures, lambda each: greater(own, key(each)))
    begin = sum_of(apply(extent(axis), totuple(before)))
    return (begin, begin + extent(axis)(figure) - 1)


def place_at(places, rank):
    """The span of a rank, by where figures begin."""
    return extract(places, lambda place: equality(place[1], rank))[0]


def rank_of(figures, key, figure):
    """The number of figures that come before one by a key."""
    own = key(figure)
    return size(sfilter(figures, lambda each: greater(own, key(each))))


def places_of(figures, axis):
    """The spans of figures in the order of where they begin, with their numbers."""
    spans = apply(span_of(axis), order(totuple(figures), first_line(axis)))
    return papply(astuple, spans, interval(ZERO, size(figures), ONE))


def by_slot(figures, axis, measure):
    """A function that gives the span of the figure that has a figure's rank of a measure."""
    rank = lbind(lbind(rank_of, figures), lbind(lbind(key_by, measure), axis))
    return compose(lbind(place_at, places_of(figures, axis)), rank)


def by_stack(figures, axis, measure):
    """A function that stacks figures in the order of a measure."""
    return lbind(lbind(lbind(stacked, figures), axis), lbind(lbind(key_by, measure), axis))


def by_heap(figures, grid, axis, measure):
    """A function that stacks figures from the other end in the order of a measure."""
    stack = by_stack(figures, axis, measure)
    end = extent(axis)(grid) - 1
    return lambda figure: (end - stack(figure)[1], end - stack(figure)[0])


def span_own(figures, grid, axis):
    """Where the figure is."""
    return span_of(axis)


def span_grid(figures, grid, axis):
    """All rows of the grid."""
    whole = (ZERO, extent(axis)(grid) - 1)
    return lambda figure: whole


def span_mirrored(figures, grid, axis):
    """Where the figure is in the mirrored grid."""
    end = extent(axis)(grid) - 1
    return lambda figure: (end - last_line(axis)(figure), end - first_line(axis)(figure))


def span_turned(figures, grid, axis):
    """Where the figure is on the other axis."""
    return span_of(1 - axis)


def span_all(figures, grid, axis):
    """The rows of all figures together."""
    whole = span_of(axis)(merge(figures))
    return lambda figure: whole


def neighbour(figures, axis, step):
    """A function that gives the span of the figure that begins some ranks later; after the last comes the first."""
    count = size(figures)
    rank = lbind(lbind(rank_of, figures), first_line(axis))
    other = compose(lambda own: (own + step) % count, rank)
    return compose(lbind(place_at, places_of(figures, axis)), other)


def span_next(figures, grid, axis):
    """Where the next figure begins, for the last one the first."""
    return neighbour(figures, axis, ONE)


def span_before(figures, grid, axis):
    """Where the figure before begins, for the first one the last."""
    return neighbour(figures, axis, NEG_ONE)


def span_last_first(figures, grid, axis):
    """Where the figures begin, in the reverse order."""
    return by_slot(figures, axis, compose(invert, first_line(axis)))


def span_slot_across(figures, grid, axis):
    """Where the figure begins that has this one's rank on the other axis."""
    return by_slot(figures, axis, first_line(1 - axis))


def span_slot_size(figures, grid, axis):
    """Where the figure begins that has this one's rank by size."""
    return by_slot(figures, axis, size)


def span_slot_size_down(figures, grid, axis):
    """Where the figure begins that has this one's rank by size, the largest first."""
    return by_slot(figures, axis, compose(invert, size))


def span_slot_colour(figures, grid, axis):
    """Where the figure begins that has this one's rank by colour."""
    return by_slot(figures, axis, mostcolor)


def span_slot_extent(figures, grid, axis):
    """Where the figure begins that has this one's rank by extent on the other axis."""
    return by_slot(figures, axis, extent(1 - axis))


def span_stacked(figures, grid, axis):
    """Pushed together, in the order in which they are."""
    return by_stack(figures, axis, first_line(axis))


def span_heaped(figures, grid, axis):
    """Pushed together at the other end, in the order in which they are."""
    return by_heap(figures, grid, axis, compose(invert, first_line(axis)))


def span_stacked_size(figures, grid, axis):
    """Stacked by size, the smallest first."""
    return by_stack(figures, axis, size)


def span_stacked_size_down(figures, grid, axis):
    """Stacked by size, the largest first."""
    return by_stack(figures, axis, compose(invert, size))


def span_heaped_size(figures, grid, axis):
    """Stacked from the other end by size, the smallest first."""
    return by_heap(figures, grid, axis, size)


def span_heaped_size_down(figures, grid, axis):
    """Stacked from the other end by size, the largest first."""
    return by_heap(figures, grid, axis, compose(invert, size))


def span_stacked_across(figures, grid, axis):
    """Stacked in their order on the other axis."""
    return by_stack(figures, axis, first_line(1 - axis))


def span_heaped_across(figures, grid, axis):
    """Stacked from the other end in their order on the other axis."""
    return by_heap(figures, grid, axis, first_line(1 - axis))


def span_stacked_extent(figures, grid, axis):
    """Stacked by extent on the other axis, the smallest first."""
    return by_stack(figures, axis, extent(1 - axis))


def span_heaped_extent(figures, grid, axis):
    """Stacked from the other end by extent on the other axis, the smallest first."""
    return by_heap(figures, grid, axis, extent(1 - axis))


def solve_spanned(S, I, C):
    """The span of a maker's number on an axis."""
    makers = (
        span_own,
        span_grid,
        span_mirrored,
        span_all,
        span_turned,
        span_next,
        span_before,
        span_last_first,
        span_stacked,
        span_heaped,
        span_slot_size,
        span_slot_size_down,
        span_slot_across,
        span_slot_colour,
        span_slot_extent,
        span_stacked_size,
        span_stacked_size_down,
        span_heaped_size,
        span_heaped_size_down,
        span_stacked_across,
        span_heaped_across,
        span_stacked_extent,
        span_heaped_extent,
    )
    make = makers[C[0]]
    return make(S, I, C[1])


def solve_span_rows(S, I, C):
    """The rows of the first figure that C relates a figure to; its own if there is none."""
    return lambda figure: span_of(0)((totuple(C(figure)) + (figure,))[0])


def solve_span_columns(S, I, C):
    """The columns of the first figure that C relates a figure to; its own if there is none."""
    return lambda figure: span_of(1)((totuple(C(figure)) + (figure,))[0])


def solve_spans(S, I, C):
    """The spans that C gives for all figures, in two rows."""
    spans = apply(C, totuple(S))
    return (apply(first, spans), apply(last, spans))


def solve_align_begin(S, I, C):
    """Where a figure begins that begins with the span that C[0] gives, on axis C[1]. So for all that follow."""
    return compose(first, C[0])


def solve_align_end(S, I, C):
    """Both end together."""
    span, axis = C
    return lambda figure: span(figure)[1] - extent(axis)(figure) + 1


def solve_align_after(S, I, C):
    """The figure begins after the span."""
    return compose(increment, compose(last, C[0]))


def solve_align_before(S, I, C):
    """The figure ends before the span."""
    span, axis = C
    return lambda figure: span(figure)[0] - extent(axis)(figure)


def middle_of(span):
    """Twice the middle of a span."""
    return span[0] + span[1]


def solve_align_middle(S, I, C):
    """Both have the same middle."""
    span, axis = C
    return lambda figure: (middle_of(span(figure)) - extent(axis)(figure) + 1) // 2


def way_of(own, other):
    """1 if another span begins after this one ends, -1 if it ends before this one begins, 0 if both have common rows."""
    return greater(other[0], own[1]) - greater(own[0], other[1])


def inward(own, other):
    """1 if another span has its middle further down, -1 if further up."""
    return sign(middle_of(other) - middle_of(own))


def solve_align_beside(S, I, C):
    """The figure is moved towards the span until it touches it."""
    span, axis = C
    own = span_of(axis)
    return lambda figure: own(figure)[0] + gap_of(own(figure), span(figure))


def gap_of(own, other):
    """How far a span is moved until it touches another one."""
    way = way_of(own, other)
    return branch(equality(way, ZERO), ZERO, branch(greater(way, ZERO), other[0] - own[1] - 1, other[1] + 1 - own[0]))


def solve_align_opposite(S, I, C):
    """The figure is mirrored about the span."""
    span, axis = C
    end = last_line(axis)
    return lambda figure: middle_of(span(figure)) - end(figure)


def solve_align_toward(S, I, C):
    """One step towards the span."""
    span, axis = C
    own = span_of(axis)
    return lambda figure: own(figure)[0] + way_of(own(figure), span(figure))


def solve_align_away(S, I, C):
    """One step away from the span."""
    span, axis = C
    own = span_of(axis)
    return lambda figure: own(figure)[0] - way_of(own(figure), span(figure))


def solve_align_inward(S, I, C):
    """One step towards the middle of the span."""
    span, axis = C
    own = span_of(axis)
    return lambda figure: own(figure)[0] + inward(own(figure), span(figure))


def solve_align_outward(S, I, C):
    """One step away from the middle of the span."""
    span, axis = C
    own = span_of(axis)
    return lambda figure: own(figure)[0] - inward(own(figure), span(figure))


def solve_align_inward_by_extent(S, I, C):
    """Its own extent towards the middle of the span."""
    span, axis = C
    own = span_of(axis)
    return lambda figure: own(figure)[0] + inward(own(figure), span(figure)) * (own(figure)[1] - own(figure)[0] + 1)


def solve_align_near(S, I, C):
    """At the end of the span that is nearer, within it."""
    span, axis = C
    own = span_of(axis)
    return lambda figure: end_at(greater(ZERO, inward(own(figure), span(figure))), own(figure), span(figure))


def solve_align_far(S, I, C):
    """At the end of the span that is further, within it."""
    span, axis = C
    own = span_of(axis)
    return lambda figure: end_at(greater(inward(own(figure), span(figure)), ZERO), own(figure), span(figure))


def end_at(is_last, own, other):
    """Where a figure begins that is at the end of a span: at the last one, or at the first one."""
    return branch(is_last, other[1] - own[1] + own[0], other[0])


def solve_moved(S, I, C):
    """The figure with its first row and column where C, a pair of functions, says."""
    row, column = C
    return lambda figure: shift(
        figure, (row(figure) - uppermost(figure), column(figure) - leftmost(figure))
    )


def solve_gone(S, I, C):
    """Nothing in place of a figure."""
    return lambda figure: difference(figure, figure)
