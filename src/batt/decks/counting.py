"""Counting and ranking: sizes, numbers and orders of things become colours, bars, rows or a choice."""

from batt.dsl import *

from .idioms import (
    best_turned, foreground, largest_first, minor_colours, pieces_on, regions_of, stamp, turned_back,
    unlike, without,
)


def solve_ae4f1146(I):
    """Cut out the piece with the most blue cells."""
    pieces = objects(I, F, F, T)
    blue_cells = rbind(colorcount, ONE)
    bluest = argmax(pieces, blue_cells)
    cut = subgrid(bluest, I)
    return cut


def solve_39a8645d(I):
    """The shape that occurs most often is cut out."""
    objs = objects(I, T, T, T)
    pieces = totuple(objs)
    cut_out = rbind(subgrid, I)
    pictures = apply(cut_out, pieces)
    common = mostcommon(pictures)
    return common


def edge_colour(grid):
    """The prevailing colour along the edge of the grid."""
    everywhere = asindices(grid)
    edge = box(everywhere)
    cells = toobject(edge, grid)
    prevailing = mostcolor(cells)
    return prevailing


def solve_e50d258f(I):
    """Cut out the piece with the most red cells."""
    ground = edge_colour(I)
    pieces = pieces_on(I, ground)
    red_cells = rbind(colorcount, TWO)
    reddest = argmax(pieces, red_cells)
    cut = subgrid(reddest, I)
    return cut


def solve_f8b3ba0a(I):
    """The colours of the odd blocks are listed from the most frequent to the rarest."""
    colours = minor_colours(I)
    ranked = largest_first(colours)
    hues = apply(color, ranked)
    row = repeat(hues, ONE)
    column = dmirror(row)
    return column


def solve_f8ff0b80(I):
    """List the colours of the objects in a column, the largest object first."""
    objs = objects(I, T, T, T)
    ranked = largest_first(objs)
    hues = apply(color, ranked)
    column = apply(initset, hues)
    answer = apply(totuple, column)
    return answer


def solve_6e82a1ae(I):
    """Grey objects of four, three and two cells turn blue, red and green."""
    objs = objects(I, T, F, T)
    from_five = lbind(subtract, FIVE)
    hue = compose(from_five, size)
    to_hue = fork(recolor, hue, identity)
    recolored = mapply(to_hue, objs)
    result = paint(I, recolored)
    return result


def solve_d2abd087(I):
    """Objects of six cells turn red, all others blue."""
    objs = objects(I, T, F, T)
    sixes = sizefilter(objs, SIX)
    six_cells = merge(sixes)
    cells = merge(objs)
    blue = fill(I, ONE, cells)
    sorted_out = fill(blue, TWO, six_cells)
    return sorted_out


def solve_d631b094(I):
    """Lay the coloured cells side by side in one row."""
    hues = palette(I)
    hue = other(hues, ZERO)
    cells = ofcolor(I, hue)
    count = size(cells)
    extent = astuple(ONE, count)
    row = canvas(hue, extent)
    return row


def solve_e8593010(I):
    """Regions of one, two and three cells turn green, red and blue."""
    regions = objects(I, T, F, T)
    from_four = lbind(subtract, FOUR)
    hue = compose(from_four, size)
    to_hue = fork(recolor, hue, identity)
    recolored = mapply(to_hue, regions)
    painted = paint(I, recolored)
    return painted


def solve_a3325580(I):
    """The largest objects, from left to right, each give a column as tall as their size."""
    objs = objects(I, T, F, T)
    sizes = apply(size, objs)
    most = maximum(sizes)
    largest = sizefilter(objs, most)
    ranked = order(largest, leftmost)
    row = apply(color, ranked)
    result = repeat(row, most)
    return result


def solve_a61f2674(I):
    """The longest grey bar turns blue, the shortest turns red and the others vanish."""
    bars = objects(I, T, F, T)
    longest = argmax(bars, size)
    shortest = argmin(bars, size)
    bar_cells = merge(bars)
    cleared = cover(I, bar_cells)
    with_blue = fill(cleared, ONE, longest)
    result = fill(with_blue, TWO, shortest)
    return result


def solve_de1cd16c(I):
    """Of the plain areas, the one with the most specks gives its colour to a single cell."""
    layers = partition(I)
    gaps = compose(size, delta)
    specks = argmax(layers, gaps)
    areas = remove(specks, layers)
    speckled = argmax(areas, gaps)
    hue = color(speckled)
    answer = canvas(hue, UNITY)
    return answer


def solve_ea32f347(I):
    """The shortest grey line turns red, the middle one yellow and the longest blue."""
    lines = objects(I, T, F, T)
    ranked = order(lines, size)
    shorter = astuple(TWO, FOUR)
    longest = initset(ONE)
    colors = combine(shorter, longest)
    recolored = mpapply(recolor, colors, ranked)
    painted = paint(I, recolored)
    return painted


def solve_d0f5fe59(I):
    """Draw a diagonal of as many cells as there are objects."""
    objs = objects(I, T, F, T)
    count = size(objs)
    area = astuple(count, count)
    ground = mostcolor(I)
    blank = canvas(ground, area)
    hue = leastcolor(I)
    diagonal = shoot(ORIGIN, UNITY)
    counted = fill(blank, hue, diagonal)
    return counted


def solve_ff28f65a(I):
    """One blue cell is set for each red square, in reading order on a small checkerboard."""
    parts = objects(I, T, F, T)
    red = colorfilter(parts, TWO)
    ground = mostcolor(I)
    blank = canvas(ground, THREE_BY_THREE)
    board = asindices(blank)
    tips = corners(board)
    spots = insert(UNITY, tips)
    pairs = pair(red, spots)
    marked = apply(last, pairs)
    counted = fill(blank, ONE, marked)
    return counted


def rank_of(numbers, number):
    """One more than how many of the numbers are greater than the given one."""
    is_greater = rbind(greater, number)
    larger = sfilter(numbers, is_greater)
    count = size(larger)
    rank = increment(count)
    return rank


def solve_08ed6ac7(I):
    """Colour the bars by rank: the tallest blue, then red, green and yellow."""
    cells = foreground(I)
    places = toindices(cells)
    in_column = lbind(intersection, places)
    bar_of = compose(in_column, vfrontier)
    bars = apply(bar_of, places)
    heights = apply(height, bars)
    rank_among = lbind(rank_of, heights)
    rank = compose(rank_among, height)
    ranked = fork(recolor, rank, identity)
    coloured = mapply(ranked, bars)
    answer = paint(I, coloured)
    return answer


def solve_1fad071e(I):
    """As many cells of a short row turn blue as the grid has blue squares of two by two."""
    parts = objects(I, T, F, T)
    blue = colorfilter(parts, ONE)
    fours = sizefilter(blue, FOUR)
    squares = sfilter(fours, square)
    ground = mostcolor(I)
    extent = astuple(ONE, FIVE)
    blank = canvas(ground, extent)
    spots = asindices(blank)
    pairs = pair(squares, spots)
    counted = apply(last, pairs)
    row = fill(blank, ONE, counted)
    return row


def solve_8efcae92(I):
    """The answer is the rectangle with the most odd cells in it."""
    odd = leastcolor(I)
    odds = ofcolor(I, odd)
    around = mapply(neighbors, odds)
    near = toobject(around, I)
    block_color = mostcolor(near)
    plain = replace(I, odd, block_color)
    rectangles = regions_of(plain, block_color)
    among = rbind(intersection, odds)
    richness = chain(size, among, toindices)
    richest = argmax(rectangles, richness)
    result = subgrid(richest, I)
    return result


def solve_eb5a1d5d(I):
    """Each nested region shrinks to a ring one cell wide."""
    thin_and_turn = compose(dmirror, dedupe)
    thin_both_ways = power(thin_and_turn, TWO)
    quarter = thin_both_ways(I)
    flipped = vmirror(quarter)
    extent = shape(quarter)
    right = crop(flipped, RIGHT, extent)
    upper = hconcat(quarter, right)
    reflection = hmirror(upper)
    larger = shape(upper)
    lower = crop(reflection, DOWN, larger)
    whole = vconcat(upper, lower)
    return whole


def solve_4be741c5(I):
    """List the colours of the ragged stripes in order, along the direction they follow."""
    top = first(I)
    across = dedupe(top)
    columns = dmirror(I)
    side = first(columns)
    down = dedupe(side)
    row = repeat(across, ONE)
    lying = repeat(down, ONE)
    column = dmirror(lying)
    downs = size(down)
    acrosses = size(across)
    vertical = greater(downs, acrosses)
    answer = branch(vertical, column, row)
    return answer


def solve_beb8660c(I):
    """The bars are stacked by length upon the cyan line, the longest next to it, flush with one side."""
    is_cyan = lbind(equality, EIGHT)
    cyan = rbind(sfilter, is_cyan)
    base = chain(size, cyan, last)
    upright, way = best_turned(I, base)
    ground = mostcolor(I)
    is_bar = unlike(ground)
    push = rbind(order, is_bar)
    flush = apply(push, upright)
    bar = rbind(sfilter, is_bar)
    length = compose(size, bar)
    stacked = order(flush, length)
    answer = turned_back(stacked, way)
    return answer


def solve_6e02f1e3(I):
    """One colour gives a top row, two colours a falling diagonal, three a rising one."""
    count = numcolors(I)
    is_two = equality(count, TWO)
    is_three = equality(count, THREE)
    places = asindices(I)
    end = urcorner(places)
    top = connect(ORIGIN, end)
    falling = shoot(ORIGIN, UNITY)
    rising = shoot(end, DOWN_LEFT)
    diagonal = branch(is_two, falling, top)
    line = branch(is_three, rising, diagonal)
    area = shape(I)
    blank = canvas(ZERO, area)
    result = fill(blank, FIVE, line)
    return result


def solve_cdecee7f(I):
    """The colours of the dots, from left to right, fill a square of three by three like a snake."""
    dots = foreground(I)
    column = compose(last, last)
    ranked = order(dots, column)
    hues = apply(first, ranked)
    ground = mostcolor(I)
    padding = repeat(ground, NINE)
    padded = combine(hues, padding)
    strip = repeat(padded, ONE)
    extent = astuple(ONE, NINE)
    cut = crop(strip, ORIGIN, extent)
    top, middle, bottom = hsplit(cut, THREE)
    flipped = vmirror(middle)
    upper = vconcat(top, flipped)
    snake = vconcat(upper, bottom)
    return snake


def solve_91413438(I):
    """Copies, one for each coloured cell, fill a grid that is as many tiles wide as there are black cells."""
    figure = without(I, ZERO)
    count = size(figure)
    side = colorcount(I, ZERO)
    extent = shape(I)
    large = multiply(extent, side)
    blank = canvas(ZERO, large)
    numbers = interval(ZERO, side, ONE)
    slots = product(numbers, numbers)
    used = interval(ZERO, count, ONE)
    numbered = pair(slots, used)
    chosen = apply(first, numbered)
    enlarge = lbind(multiply, extent)
    starts = apply(enlarge, chosen)
    copies = stamp(figure, starts)
    tiled = paint(blank, copies)
    return tiled


def solve_9af7a82c(I):
    """Each colour becomes a column as tall as its number of cells, the tallest first."""
    layers = partition(I)
    ranked = largest_first(layers)
    bottom = chain(toivec, decrement, size)
    from_top = lbind(connect, ORIGIN)
    column = compose(from_top, bottom)
    to_bar = fork(recolor, color, column)
    bars = apply(to_bar, ranked)
    count = size(layers)
    numbers = interval(ZERO, count, ONE)
    slots = apply(tojvec, numbers)
    placed = mpapply(shift, bars, slots)
    tallest = valmax(layers, size)
    area = astuple(tallest, count)
    blank = canvas(ZERO, area)
    result = paint(blank, placed)
    return result


def solve_b0c4d837(I):
    """Count the empty rows in the cup, and lay as many cells of its content along a path winding through the square."""
    layers = fgpartition(I)
    gaps = compose(size, delta)
    content = argmin(layers, gaps)
    cup = other(layers, content)
    outer = shape(cup)
    inner = shape(content)
    down, across = subtract(outer, inner)
    margins = add(down, across)
    count = subtract(margins, THREE)
    ground = mostcolor(I)
    length = astuple(ONE, NINE)
    blank = canvas(ground, length)
    last_column = decrement(count)
    end = tojvec(last_column)
    cells = connect(ORIGIN, end)
    hue = color(content)
    path = fill(blank, hue, cells)
    upper, middle, lower = hsplit(path, THREE)
    turned = vmirror(middle)
    begun = vconcat(upper, turned)
    wound = vconcat(begun, lower)
    return wound
