"""Gray cells drawn out to lines, and joined by them."""

from batt.dsl import *


def drawn(I, line):
    """Every gray cell drawn out to a line."""
    dots = ofcolor(I, FIVE)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def shot(I, way):
    """Every gray cell drawn out one way."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, way)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def straight(line):
    """Whether a line goes along a row or a column."""
    across = hline(line)
    down = vline(line)
    answer = either(across, down)
    return answer


def joined(I, colour):
    """Gray cells of one row or column joined in a colour."""
    dots = ofcolor(I, FIVE)
    lines = prapply(connect, dots, dots)
    places = mfilter(lines, straight)
    made = underfill(I, colour, places)
    return made


def solve_drawn(I):
    """Every gray cell drawn out along the row, along the column, and to each side and corner."""
    ways = (RIGHT, LEFT, DOWN, UP, UNITY, NEG_UNITY, DOWN_LEFT, UP_RIGHT)
    return (drawn, (hfrontier, vfrontier)), (shot, ways)


def solve_cross(I):
    """Every gray cell drawn out along row and column."""
    dots = ofcolor(I, FIVE)
    rows = mapply(hfrontier, dots)
    columns = mapply(vfrontier, dots)
    places = combine(rows, columns)
    made = underfill(I, FIVE, places)
    return made


def solve_diagonals(I):
    """Every gray cell drawn out along both diagonals."""
    dots = ofcolor(I, FIVE)
    a = mapply(rbind(shoot, UNITY), dots)
    b = mapply(rbind(shoot, NEG_UNITY), dots)
    c = mapply(rbind(shoot, UP_RIGHT), dots)
    e = mapply(rbind(shoot, DOWN_LEFT), dots)
    one = combine(a, b)
    two = combine(c, e)
    places = combine(one, two)
    made = underfill(I, FIVE, places)
    return made


def solve_joined(I):
    """Gray cells of one row or column joined in gray, and in red."""
    return joined, (FIVE, TWO)
