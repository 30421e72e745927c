"""Grids of two or four parts that are compared, laid over one another, or chosen from."""

from batt.dsl import *

from .idioms import lay_under, shared_colour, shared_colours


def halves(grid):
    """The two halves of a grid that a line divides, one above the other or side by side."""
    lines = frontiers(grid)
    line = first(lines)
    lying = hline(line)
    upper = tophalf(grid)
    lower = bottomhalf(grid)
    left = lefthalf(grid)
    right = righthalf(grid)
    stacked = astuple(upper, lower)
    beside = astuple(left, right)
    answer = branch(lying, stacked, beside)
    return answer


def empty_in_both(pieces, shade):
    """A piece that shows the shade where both pieces are empty, that is, of their common colour, and else nothing."""
    piece, partner = pieces
    shared = shared_colours(piece, partner)
    ground = minimum(shared)
    empty = ofcolor(piece, ground)
    partner_empty = ofcolor(partner, ground)
    places = intersection(empty, partner_empty)
    extent = shape(piece)
    blank = canvas(ground, extent)
    marked = fill(blank, shade, places)
    return marked


def solve_1b2d62fb(I):
    """Mark in cyan the places that are empty in both halves."""
    pieces = halves(I)
    marked = empty_in_both(pieces, EIGHT)
    return marked


def in_one_only(pieces, shade):
    """A piece that shows the shade where just one of the pieces is empty, that is, of their common colour."""
    piece, partner = pieces
    shared = shared_colours(piece, partner)
    ground = minimum(shared)
    empty = ofcolor(piece, ground)
    partner_empty = ofcolor(partner, ground)
    only_piece = difference(partner_empty, empty)
    only_partner = difference(empty, partner_empty)
    single = combine(only_piece, only_partner)
    extent = shape(piece)
    blank = canvas(ground, extent)
    marked = fill(blank, shade, single)
    return marked


def solve_3428a4f5(I):
    """Mark in green the places that are coloured on exactly one side of the line."""
    pieces = halves(I)
    marked = in_one_only(pieces, THREE)
    return marked


def unlike_halves(grid):
    """The two halves: upper and lower if they have just one colour in common, else left and right."""
    upper = tophalf(grid)
    lower = bottomhalf(grid)
    left = lefthalf(grid)
    right = righthalf(grid)
    shared = shared_colours(upper, lower)
    count = size(shared)
    stacked = equality(count, ONE)
    above_below = astuple(upper, lower)
    side_by_side = astuple(left, right)
    pieces = branch(stacked, above_below, side_by_side)
    return pieces


def solve_6430c8c4(I):
    """Places that are empty above and below the separating line turn green."""
    pieces = unlike_halves(I)
    marked = empty_in_both(pieces, THREE)
    return marked


def solve_99b1bc43(I):
    """Mark in green the places that are coloured in exactly one of the two halves."""
    pieces = unlike_halves(I)
    marked = in_one_only(pieces, THREE)
    return marked


def solve_f2829549(I):
    """Places that are empty on both sides of the separating line turn green."""
    pieces = halves(I)
    marked = empty_in_both(pieces, THREE)
    return marked


def solve_fafffa47(I):
    """Places that are empty in both halves turn red."""
    pieces = unlike_halves(I)
    marked = empty_in_both(pieces, TWO)
    return marked


def solve_88a62173(I):
    """The answer is the one quarter of the grid that differs from the other three."""
    halves = vsplit(I, TWO)
    in_two = rbind(hsplit, TWO)
    quarters = mapply(in_two, halves)
    result = leastcommon(quarters)
    return result


def solve_cf98881b(I):
    """The three panes are laid over each other: the first on top, the second next, the third at the bottom."""
    left, middle, right = hsplit(I, THREE)
    ground = shared_colour(left, middle)
    two_layers = lay_under(left, middle, ground)
    three_layers = lay_under(two_layers, right, ground)
    return three_layers


def solve_7b7f7511(I):
    """The grid shows one picture twice, side by side or one below the other: keep it once."""
    upper = tophalf(I)
    lower = bottomhalf(I)
    left = lefthalf(I)
    stacked = equality(upper, lower)
    once = branch(stacked, upper, left)
    return once


def solve_94f9d214(I):
    """Cells that are empty in both halves turn red."""
    one, two = unlike_halves(I)
    ground = shared_colour(one, two)
    empty_one = ofcolor(one, ground)
    empty_two = ofcolor(two, ground)
    shared = intersection(empty_one, empty_two)
    area = shape(one)
    blank = canvas(ground, area)
    result = fill(blank, TWO, shared)
    return result


def solve_a68b268e(I):
    """Lay the four quarters over each other, the first in reading order on top."""
    strips = vsplit(I, TWO)
    cut = rbind(hsplit, TWO)
    quarters = mapply(cut, strips)
    upper_left, upper_right, lower_left, lower_right = quarters
    ground = shared_colour(upper_left, upper_right)
    two = lay_under(upper_left, upper_right, ground)
    three = lay_under(two, lower_left, ground)
    four = lay_under(three, lower_right, ground)
    return four


def solve_ce4f8723(I):
    """The places coloured in at least one of the two halves turn green."""
    lines = frontiers(I)
    across = sfilter(lines, hline)
    lay = branch(across, identity, dmirror)
    upright = lay(I)
    upper = tophalf(upright)
    lower = bottomhalf(upright)
    either_one = cellwise(upper, lower, THREE)
    answer = lay(either_one)
    return answer


def solve_0520fde7(I):
    """Mark in red the places that are coloured in both halves."""
    left, right = halves(I)
    shared = shared_colours(left, right)
    ground = minimum(shared)
    empty_left = ofcolor(left, ground)
    empty_right = ofcolor(right, ground)
    empty = combine(empty_left, empty_right)
    extent = shape(left)
    red = canvas(TWO, extent)
    common = fill(red, ground, empty)
    return common


def solve_75b8110e(I):
    """Lay the four quarters over one another: upper right before lower left, lower right, upper left."""
    upper = tophalf(I)
    lower = bottomhalf(I)
    upper_left = lefthalf(upper)
    upper_right = righthalf(upper)
    lower_left = lefthalf(lower)
    lower_right = righthalf(lower)
    ground = shared_colour(upper_left, upper_right)
    two = lay_under(upper_right, lower_left, ground)
    three = lay_under(two, lower_right, ground)
    four = lay_under(three, upper_left, ground)
    return four


def solve_dae9d2b5(I):
    """Mark in magenta the places that are foreground in at least one of the two halves."""
    left = lefthalf(I)
    right = righthalf(I)
    left_colours = palette(left)
    right_colours = palette(right)
    stacked = equality(left_colours, right_colours)
    upper = tophalf(I)
    lower = bottomhalf(I)
    one = branch(stacked, upper, left)
    two = branch(stacked, lower, right)
    marked = cellwise(one, two, SIX)
    return marked


def solve_bc1d5164(I):
    """Lay the four corners of the grid, which share its middle row, over each other."""
    whole = shape(I)
    middle = halve(whole)
    ground = index(I, middle)
    colours = palette(I)
    shade = other(colours, ground)
    extent = add(middle, DOWN)
    rest = subtract(whole, extent)
    extremes = astuple(ORIGIN, rest)
    starts = corners(extremes)
    sized = rbind(crop, extent)
    cut = lbind(sized, I)
    pieces = apply(cut, starts)
    drawn = rbind(ofcolor, shade)
    figure = mapply(drawn, pieces)
    blank = canvas(ground, extent)
    together = fill(blank, shade, figure)
    return together
