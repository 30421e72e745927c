"""What is made of all cells of a colour: these alone, around them, their box, what they enclose, other colours."""

from batt.dsl import *


def around(I, near_cell):
    """The neighbours of gray cells in red."""
    places = ofcolor(I, FIVE)
    near = mapply(near_cell, places)
    made = underfill(I, TWO, near)
    return made


def enclosed(I, by_corners):
    """Parts of black that do not touch the edge in gray."""
    every = objects(I, T, by_corners, F)
    black = colorfilter(every, ZERO)
    touches = rbind(bordering, I)
    is_inside = compose(flip, touches)
    places = mfilter(black, is_inside)
    made = fill(I, FIVE, places)
    return made


def solve_only(I):
    """The gray cells alone, on black."""
    places = ofcolor(I, FIVE)
    size_of = shape(I)
    blank = canvas(ZERO, size_of)
    made = fill(blank, FIVE, places)
    return made


def solve_around(I):
    """The neighbours of gray cells in red: all, or those at the sides."""
    return around, (neighbors, dneighbors)


def solve_gray_box(I):
    """The box of gray."""
    places = ofcolor(I, FIVE)
    part = subgrid(places, I)
    return part


def solve_gray_box_inside(I):
    """The box of gray without its edge."""
    places = ofcolor(I, FIVE)
    part = subgrid(places, I)
    inner = trim(part)
    return inner


def solve_gray_hull(I):
    """The box of gray filled with gray where it is empty."""
    places = ofcolor(I, FIVE)
    hull = backdrop(places)
    made = underfill(I, FIVE, hull)
    return made


def solve_enclosed(I):
    """Enclosed parts of black in gray, and those that are enclosed even by corners."""
    return enclosed, (F, T)


def solve_swap(I):
    """Gray and red exchanged."""
    made = switch(I, FIVE, TWO)
    return made


def solve_recoloured(I):
    """Gray turned to red."""
    made = replace(I, FIVE, TWO)
    return made


def solve_drawn_in(I):
    """All that is drawn in gray."""
    layers = fgpartition(I)
    cells = merge(layers)
    made = fill(I, FIVE, cells)
    return made
