"""Gray cells drawn out to lines, and joined by them."""

from batt.dsl import *


def solve_fill_rows(I):
    """Every cell of gray drawn out along the row."""
    dots = ofcolor(I, FIVE)
    places = mapply(hfrontier, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_fill_columns(I):
    """Every cell of gray drawn out along the column."""
    dots = ofcolor(I, FIVE)
    places = mapply(vfrontier, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_right(I):
    """Every gray cell drawn out to right."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, RIGHT)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_left(I):
    """Every gray cell drawn out to left."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, LEFT)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_down(I):
    """Every gray cell drawn out to down."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, DOWN)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_up(I):
    """Every gray cell drawn out to up."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, UP)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_down_right(I):
    """Every gray cell drawn out to down right."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, UNITY)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_up_left(I):
    """Every gray cell drawn out to up left."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, NEG_UNITY)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_down_left(I):
    """Every gray cell drawn out to down left."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, DOWN_LEFT)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_up_right(I):
    """Every gray cell drawn out to up right."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, UP_RIGHT)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


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


def straight(line):
    """Whether a line goes along a row or a column."""
    across = hline(line)
    down = vline(line)
    answer = either(across, down)
    return answer


def solve_joined(I):
    """Gray cells of one row or column joined."""
    dots = ofcolor(I, FIVE)
    lines = prapply(connect, dots, dots)
    places = mfilter(lines, straight)
    made = underfill(I, FIVE, places)
    return made


def solve_joined_in_red(I):
    """Gray cells of one row or column joined in red."""
    dots = ofcolor(I, FIVE)
    lines = prapply(connect, dots, dots)
    places = mfilter(lines, straight)
    made = underfill(I, TWO, places)
    return made
