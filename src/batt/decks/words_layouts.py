"""Layouts that the demonstrations show: sizes, roles of colours, panels, layers, and lines that are left out."""

from batt.dsl import *
from batt.words import *

from .idioms import enclosed, foreground, regions_of, third_colour


def solve_746b3537(I):
    """List the colours of the stripes: lines that are like their neighbours are merged."""
    stripes = mergelines(I)
    return stripes


def solve_1cf80156(I):
    """The figure is cut out of the empty ground: rows and columns without it are dropped."""
    ground = mostcolor(I)
    figure = dropblank(I, ground)
    return figure


def solve_2dc579da(I):
    """Of the four quarters keep the one that holds cells of a second colour."""
    quarters = panels(I)
    special = argmax(quarters, numcolors)
    return special


def solve_a416b8f3(S, I):
    """Show the grid twice, side by side."""
    extent = outsize(S, I)
    twice = tile(I, extent, ORIGIN, ZERO)
    return twice


def solve_67e8384a(S, I):
    """Set the grid and its images, mirrored to the right, downwards and both ways, around the middle."""
    extent = outsize(S, I)
    whole = mirrortile(I, extent, ORIGIN, ZERO)
    return whole


def solve_c59eb873(S, I):
    """The grid grows to the size of the answer."""
    extent = outsize(S, I)
    enlarged = resize(I, extent)
    return enlarged


def solve_c8f0f002(S, I):
    """The colour that no answer has turns grey."""
    vanishing = lostcolors(S)
    orange = first(vanishing)
    greyed = replace(I, orange, FIVE)
    return greyed


def solve_5614dbcf(I):
    """Every block of three by three shrinks to one cell of its colour, without the grey noise."""
    extent = shape(I)
    reduced = divide(extent, THREE)
    answer = resizemost(I, reduced, FIVE)
    return answer


def solve_dc1df850(S, I):
    """Every cell of the colour that all grids have gets a blue ring around it."""
    staying = keptcolors(S)
    red = last(staying)
    reds = ofcolor(I, red)
    rings = mapply(neighbors, reds)
    ringed = underfill(I, ONE, rings)
    return ringed


def solve_e98196ab(I):
    """Lay the two halves over each other: where the first is empty, the second shows."""
    parts = panels(I)
    one = first(parts)
    two = last(parts)
    ground = mostcolor(I)
    gaps = ofcolor(one, ground)
    together = choosecells(gaps, two, one)
    return together


def solve_a5313dff(S, I):
    """Rooms that are shut in by the walls take the colour that only the answers have."""
    ground = mostcolor(I)
    rooms = enclosed(I, ground)
    places = merge(rooms)
    appearing = newcolors(S)
    blue = first(appearing)
    filled = fill(I, blue, places)
    return filled


def solve_9edfc990(S, I):
    """Blue spreads through every region of the background that it touches."""
    ground = backcolor(S)
    black = regions_of(I, ground)
    blue = ofcolor(I, ONE)
    touching = rbind(adjacent, blue)
    flooded = mfilter(black, touching)
    filled = fill(I, ONE, flooded)
    return filled


def solve_794b24be(S, I):
    """As many cells turn red as the grid has blue cells: the first one, which is red in all answers, and those after it."""
    ground = mostcolor(I)
    shared = commoncells(S, ground)
    red = index(shared, ORIGIN)
    blue = ofcolor(I, ONE)
    row = connect(ORIGIN, ZERO_BY_TWO)
    spots = insert(UNITY, row)
    pairs = pair(blue, spots)
    counted = apply(last, pairs)
    marked = fill(shared, red, counted)
    return marked


def solve_178fcbfb(I):
    """Red dots become columns, and dots of any other colour become rows that are painted after them."""
    reds = ofcolor(I, TWO)
    columns = mapply(vfrontier, reds)
    upright = recolor(TWO, columns)
    no_reds = cover(I, reds)
    dots = foreground(no_reds)
    through = compose(hfrontier, last)
    row = fork(recolor, first, through)
    rows = mapply(row, dots)
    layers = astuple(upright, rows)
    crossed = paintorder(I, layers)
    return crossed


def solve_6773b310(I):
    """Show one cell for every field, blue if the field holds two dots."""
    dot = leastcolor(I)
    ground = mostcolor(I)
    fields = panelrows(I)
    dots_in = rbind(colorcount, dot)
    has_two = matcher(dots_in, TWO)
    row = lbind(apply, has_two)
    table = apply(row, fields)
    twos = ofcolor(table, ONE)
    extent = shape(table)
    blank = canvas(ground, extent)
    marked = fill(blank, ONE, twos)
    return marked


def block_size(grid):
    """The side of the largest squares of which the whole grid is built."""
    sides = interval(TEN, ZERO, NEG_ONE)
    reduced = lbind(downscale, grid)
    rebuilt = fork(upscale, reduced, identity)
    lossless = matcher(rebuilt, grid)
    answer = extract(sides, lossless)
    return answer


def solve_5ad4f10b(I):
    """The figure of large blocks is reduced to one cell a block and takes the colour of the specks."""
    objs = objects(I, T, F, T)
    largest = argmax(objs, size)
    hue = color(largest)
    figure = ofcolor(I, hue)
    cut = subgrid(figure, I)
    ground = mostcolor(I)
    speck = third_colour(I, hue)
    clean = replace(cut, speck, ground)
    side = block_size(clean)
    reduced = shrink(cut, side)
    answer = replace(reduced, hue, speck)
    return answer
