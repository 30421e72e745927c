"""Colours that a cell may copy: of the edges, of the nearest cell, and of its panel."""

from batt.dsl import *
from batt.words import *

from ..idioms import of_panels


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
