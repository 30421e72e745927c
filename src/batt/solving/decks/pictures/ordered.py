"""Grids whose cells, rows or columns are in another order."""

from batt.dsl import *


def by_rows(place):
    """A number that orders places row by row."""
    return place[0] * 30 + place[1]


def by_columns(place):
    """A number that orders places column by column."""
    return place[1] * 30 + place[0]


def by_count(grid, cell):
    """A number that orders cells by how often their colour occurs, the most frequent first."""
    return cell[0] - 10 * colorcount(grid, cell[0])


def by_colour(grid, cell):
    """A number that orders cells by their colour."""
    return cell[0]


def laid(grid, places, key):
    """The cells of a grid in the order of a key, laid on these places."""
    colours = apply(first, order(asobject(grid), key))
    return paint(grid, frozenset(papply(astuple, colours, places)))


def solve_cells_by_count(I):
    """All cells, those of the most frequent colour first, row by row."""
    return laid(I, order(asindices(I), by_rows), lbind(by_count, I))


def solve_cells_by_count_in_columns(I):
    """All cells, those of the most frequent colour first, column by column."""
    return laid(I, order(asindices(I), by_columns), lbind(by_count, I))


def solve_cells_by_count_up(I):
    """All cells, those of the most frequent colour last, row by row."""
    return rot180(laid(I, order(asindices(I), by_rows), lbind(by_count, I)))


def solve_cells_by_count_in_columns_up(I):
    """All cells, those of the most frequent colour last, column by column."""
    return rot180(laid(I, order(asindices(I), by_columns), lbind(by_count, I)))


def solve_cells_by_count_from_right(I):
    """All cells, those of the most frequent colour first, row by row from the right."""
    return vmirror(laid(I, order(asindices(I), by_rows), lbind(by_count, I)))


def solve_cells_by_count_from_below(I):
    """All cells, those of the most frequent colour first, column by column from below."""
    return hmirror(laid(I, order(asindices(I), by_columns), lbind(by_count, I)))


def solve_cells_by_colour(I):
    """All cells by colour, row by row."""
    return laid(I, order(asindices(I), by_rows), lbind(by_colour, I))


def solve_cells_by_colour_in_columns(I):
    """All cells by colour, column by column."""
    return laid(I, order(asindices(I), by_columns), lbind(by_colour, I))


def sorted_rows(grid, key):
    """The rows, one below the other, with the cells of each in the order of a key."""
    rows = vsplit(grid, height(grid))
    return merge(apply(lambda row: laid(row, order(asindices(row), by_rows), key), rows))


def solve_rows_sorted(I):
    """Each row with the cells of the most frequent colour first."""
    return sorted_rows(I, lbind(by_count, I))


def solve_rows_sorted_up(I):
    """Each row with the cells of the most frequent colour last."""
    return vmirror(sorted_rows(I, lbind(by_count, I)))


def solve_columns_sorted(I):
    """Each column with the cells of the most frequent colour first."""
    return dmirror(sorted_rows(dmirror(I), lbind(by_count, I)))


def solve_columns_sorted_up(I):
    """Each column with the cells of the most frequent colour last."""
    return hmirror(dmirror(sorted_rows(dmirror(I), lbind(by_count, I))))


def rows_in_order(grid):
    """The rows of a grid, those with most cells of its most frequent colour first."""
    ground = mostcolor(grid)
    return order(grid, lambda row: -size(sfilter(row, matcher(identity, ground))))


def solve_rows_in_order(I):
    """The rows, the emptiest first."""
    return rows_in_order(I)


def solve_rows_in_order_up(I):
    """The rows, the emptiest last."""
    return hmirror(rows_in_order(I))


def solve_columns_in_order(I):
    """The columns, the emptiest first."""
    return dmirror(rows_in_order(dmirror(I)))


def solve_columns_in_order_up(I):
    """The columns, the emptiest last."""
    return vmirror(dmirror(rows_in_order(dmirror(I))))


def solve_next_row(I):
    """All rows one place further down, the last one at the top."""
    bottom = crop(I, (height(I) - 1, 0), (1, width(I)))
    return vconcat(bottom, crop(I, ORIGIN, (height(I) - 1, width(I))))


def solve_row_before(I):
    """All rows one place further up, the first one at the bottom."""
    return vconcat(crop(I, DOWN, (height(I) - 1, width(I))), crop(I, ORIGIN, (1, width(I))))


def solve_next_column(I):
    """All columns one place to the right, the last one at the left."""
    end = crop(I, (0, width(I) - 1), (height(I), 1))
    return hconcat(end, crop(I, ORIGIN, (height(I), width(I) - 1)))


def solve_column_before(I):
    """All columns one place to the left, the first one at the right."""
    return hconcat(crop(I, RIGHT, (height(I), width(I) - 1)), crop(I, ORIGIN, (height(I), 1)))


def solve_without_repeats(I):
    """The rows and columns that differ from those before, each once."""
    return dmirror(dedupe(dmirror(dedupe(I))))
