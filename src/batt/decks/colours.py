"""Colours that are exchanged, passed on, or told by another part of the grid; no cell moves."""

from batt.dsl import *

from .idioms import best_turned, blank_like, by_frequency, foreground, is_line, turned_back, turned_to_fit


def solve_5582e5ca(I):
    """Paint the whole grid in its most frequent colour."""
    plain = blank_like(I)
    return plain


def solve_b1948b0a(I):
    """Magenta turns red."""
    red = replace(I, SIX, TWO)
    return red


def solve_d511f180(I):
    """Grey and cyan are exchanged."""
    exchanged = switch(I, FIVE, EIGHT)
    return exchanged


def solve_0d3d703e(I):
    """Exchange the colours of four fixed pairs."""
    green = switch(I, THREE, FOUR)
    blue = switch(green, ONE, FIVE)
    red = switch(blue, TWO, SIX)
    cyan = switch(red, EIGHT, NINE)
    return cyan


def solve_f76d97a5(I):
    """Grey takes the other colour, which turns black."""
    hues = palette(I)
    hue = other(hues, FIVE)
    cleared = replace(I, hue, ZERO)
    colored = replace(cleared, FIVE, hue)
    return colored


def solve_aabf363d(I):
    """The shape takes the colour of the mark in the bottom corner, and the mark vanishes."""
    mark_color = leastcolor(I)
    mark = ofcolor(I, mark_color)
    cleared = cover(I, mark)
    figure = foreground(cleared)
    colored = fill(cleared, mark_color, figure)
    return colored


def solve_9565186b(I):
    """The commonest colour stays and every other cell turns grey."""
    values = merge(I)
    common = mostcommon(values)
    kept = ofcolor(I, common)
    places = asindices(I)
    rest = difference(places, kept)
    result = fill(I, FIVE, rest)
    return result


def solve_b94a9452(I):
    """The square and the core inside it are cut out and exchange their colours."""
    figure = foreground(I)
    cut = subgrid(figure, I)
    outer = index(cut, ORIGIN)
    hues = palette(cut)
    inner = other(hues, outer)
    exchanged = switch(cut, outer, inner)
    return exchanged


def solve_bda2d7a6(I):
    """Every ring takes the colour of the next ring outside it, and the outermost that of the innermost."""
    rings = objects(I, T, F, F)
    inwards = order(rings, leftmost)
    hues = apply(color, inwards)
    outermost = first(hues)
    rest = remove(outermost, hues)
    innermost = last(rest)
    start = repeat(innermost, ONE)
    shifted = combine(start, hues)
    recolored = mpapply(recolor, shifted, inwards)
    turned = paint(I, recolored)
    return turned


def solve_d4469b4b(I):
    """The colour of the noise names the sign: blue a plus, red a T, green a corner."""
    colors = palette(I)
    blue = contained(ONE, colors)
    green = contained(THREE, colors)
    low_or_top = branch(green, TWO_BY_ZERO, ORIGIN)
    level = branch(blue, DOWN, low_or_top)
    stem = branch(green, ZERO_BY_TWO, RIGHT)
    bar = hfrontier(level)
    post = vfrontier(stem)
    sign_cells = combine(bar, post)
    blank = canvas(ZERO, THREE_BY_THREE)
    drawn = fill(blank, FIVE, sign_cells)
    return drawn


def solve_77fdfe62(I):
    """Each quarter of the drawing in the frame takes the colour of the cell in its corner."""
    outer = trim(I)
    drawing = trim(outer)
    ends = fork(astuple, first, last)
    row_ends = apply(ends, I)
    hues = ends(row_ends)
    extent = shape(drawing)
    half = halve(extent)
    rows = first(half)
    columns = last(half)
    tall = vupscale(hues, rows)
    quarters = hupscale(tall, columns)
    ground = index(I, ZERO_BY_TWO)
    empty = ofcolor(drawing, ground)
    answer = fill(quarters, ground, empty)
    return answer


def solve_ddf7fa4f(I):
    """Every block takes the colour of the dot at the edge that lies in line with it."""
    parts = objects(I, T, F, T)
    dots = sfilter(parts, is_line)
    blocks = difference(parts, dots)
    cells = merge(dots)
    rows = height(cells)
    lying = equality(rows, ONE)
    matching = branch(lying, vmatching, hmatching)
    pairs = product(dots, blocks)
    in_line = fork(matching, first, last)
    matched = sfilter(pairs, in_line)
    dot_color = compose(color, first)
    recolored = fork(recolor, dot_color, last)
    colored = mapply(recolored, matched)
    painted = paint(I, colored)
    return painted


def has_side_walls(grid):
    """Whether the first column is all of one colour."""
    columns = dmirror(grid)
    side = first(columns)
    kinds = dedupe(side)
    count = size(kinds)
    answer = equality(count, ONE)
    return answer


def solve_2204b7a8(I):
    """Every speck takes the colour of the nearer of the two opposite walls."""
    upright, way = turned_to_fit(I, has_side_walls)
    start = index(upright, ORIGIN)
    turned = rot180(upright)
    end = index(turned, ORIGIN)
    inside = trim(upright)
    speck = leastcolor(inside)
    columns = width(upright)
    half = halve(columns)
    specks = ofcolor(upright, speck)
    before_half = lbind(greater, half)
    is_left = compose(before_half, last)
    near_start = sfilter(specks, is_left)
    right = fill(upright, end, specks)
    joined = fill(right, start, near_start)
    answer = turned_back(joined, way)
    return answer


def solve_85c4e7cd(I):
    """Nested rings keep their places but take their colours in the reverse order."""
    extent = shape(I)
    corner = decrement(extent)
    shortest = minimum(extent)
    count = halve(shortest)
    depths = interval(ZERO, count, ONE)
    to_start = fork(astuple, identity, identity)
    starts = apply(to_start, depths)
    opposite = lbind(subtract, corner)
    span = fork(astuple, identity, opposite)
    to_ring = compose(box, span)
    rings = apply(to_ring, starts)
    inwards = order(starts, invert)
    look_up = lbind(index, I)
    hues = apply(look_up, inwards)
    recolored = mpapply(recolor, hues, rings)
    result = paint(I, recolored)
    return result


def solve_c9f8e694(I):
    """The blocks take, row by row, the colours of the bar at the edge."""
    ranked = by_frequency(I)
    colours = remove(ZERO, ranked)
    block_colour = last(colours)
    to_black = rbind(replace, ZERO)
    bare = rbind(to_black, block_colour)
    edge = compose(first, dmirror)
    shades = chain(size, dedupe, edge)
    edge_shades = compose(shades, bare)
    upright, way = best_turned(I, edge_shades)
    columns = dmirror(upright)
    bar = first(columns)
    across = width(upright)
    lying = repeat(bar, across)
    stripes = dmirror(lying)
    blocks = ofcolor(upright, block_colour)
    striped = toobject(blocks, stripes)
    painted = paint(upright, striped)
    answer = turned_back(painted, way)
    return answer
