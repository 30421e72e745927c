"""Colours that are exchanged, passed on, or told by another part of the grid; no cell moves."""

from batt.dsl import *

from .idioms import best_turned, blank_like, by_frequency, foreground, largest_first, turn_if


def solve_5582e5ca(I):
    """Paint the whole grid in its most frequent colour."""
    plain = blank_like(I)
    return plain


def solve_b1948b0a(I):
    """Magenta turns red."""
    red = replace(I, SIX, TWO)
    return red


def solve_c8f0f002(I):
    """Orange turns grey."""
    greyed = replace(I, SEVEN, FIVE)
    return greyed


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


def solve_85c4e7cd(I):
    """Nested rings keep their places but take their colours in the reverse order."""
    rings = partition(I)
    outward = order(rings, size)
    hues = apply(color, outward)
    inward = largest_first(rings)
    recolored = mpapply(recolor, hues, inward)
    result = paint(I, recolored)
    return result


def solve_9565186b(I):
    """The commonest colour stays and every other cell turns grey."""
    values = merge(I)
    common = mostcommon(values)
    kept = ofcolor(I, common)
    places = asindices(I)
    rest = difference(places, kept)
    result = fill(I, FIVE, rest)
    return result


def solve_aabf363d(I):
    """The shape takes the color of the mark in the bottom corner, and the mark vanishes."""
    parts = objects(I, T, F, T)
    mark = argmax(parts, lowermost)
    figure = argmin(parts, lowermost)
    mark_color = color(mark)
    cleared = cover(I, mark)
    colored = fill(cleared, mark_color, figure)
    return colored


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


def solve_ddf7fa4f(I):
    """Every grey block takes the color of the dot in the top row above it."""
    parts = objects(I, T, F, T)
    blocks = colorfilter(parts, FIVE)
    dots = difference(parts, blocks)
    pairs = product(dots, blocks)
    in_line = fork(vmatching, first, last)
    matched = sfilter(pairs, in_line)
    dot_color = compose(color, first)
    recolored = fork(recolor, dot_color, last)
    colored = mapply(recolored, matched)
    painted = paint(I, colored)
    return painted


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


def solve_2204b7a8(I):
    """Give every green cell the colour of the nearer of the two opposite walls."""
    start = index(I, ORIGIN)
    flipped = vmirror(I)
    across = index(flipped, ORIGIN)
    lying = equality(start, across)
    upright = turn_if(lying, I)
    left = lefthalf(upright)
    right = righthalf(upright)
    turned = rot180(I)
    end = index(turned, ORIGIN)
    near_left = replace(left, THREE, start)
    near_right = replace(right, THREE, end)
    joined = hconcat(near_left, near_right)
    answer = turn_if(lying, joined)
    return answer


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
    upright, undo = best_turned(I, edge_shades)
    columns = dmirror(upright)
    bar = first(columns)
    across = width(upright)
    lying = repeat(bar, across)
    stripes = dmirror(lying)
    blocks = ofcolor(upright, block_colour)
    striped = toobject(blocks, stripes)
    painted = paint(upright, striped)
    answer = undo(painted)
    return answer
