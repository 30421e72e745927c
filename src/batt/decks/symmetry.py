"""Mirrors, turns, tilings, halves and sizes: solvers that treat the grid as a whole."""

from batt.dsl import *


def solve_3c9b0459(I):
    """Turn the grid by half a turn."""
    turned = rot180(I)
    return turned


def solve_4c4377d9(I):
    """Put the grid's reflection in water on top of it."""
    reflection = hmirror(I)
    stacked = vconcat(reflection, I)
    return stacked


def solve_3af2c5a8(I):
    """Mirror the grid to the right, then mirror the whole downwards."""
    flipped = vmirror(I)
    wide = hconcat(I, flipped)
    reflection = hmirror(wide)
    tall = vconcat(wide, reflection)
    return tall


def solve_46442a0e(I):
    """Set four copies of the grid around the middle, each a quarter turn on from the last."""
    upper_right = rot90(I)
    lower_right = rot180(I)
    lower_left = rot270(I)
    upper = hconcat(I, upper_right)
    lower = hconcat(lower_left, lower_right)
    ring = vconcat(upper, lower)
    return ring


def solve_496994bd(I):
    """Replace the lower half by the reflection of the upper half."""
    upper = tophalf(I)
    lower = hmirror(upper)
    whole = vconcat(upper, lower)
    return whole


def solve_44f52bb0(I):
    """Answer one blue cell if the grid equals its left-right mirror image, else orange."""
    flipped = vmirror(I)
    symmetric = equality(I, flipped)
    answer = branch(symmetric, ONE, SEVEN)
    cell = canvas(answer, UNITY)
    return cell


def solve_27a28665(I):
    """Name the shape by a colour: its symmetry and its upper left corner tell the four apart."""
    flipped = vmirror(I)
    symmetric = equality(I, flipped)
    corner = index(I, ORIGIN)
    cross_or_plus = branch(corner, TWO, SIX)
    hook_or_tail = branch(corner, ONE, THREE)
    answer = branch(symmetric, cross_or_plus, hook_or_tail)
    cell = canvas(answer, UNITY)
    return cell


def solve_5582e5ca(I):
    """Paint the whole grid in its most frequent colour."""
    common = mostcolor(I)
    extent = shape(I)
    plain = canvas(common, extent)
    return plain


def solve_0d3d703e(I):
    """Exchange the colours of four fixed pairs."""
    green = switch(I, THREE, FOUR)
    blue = switch(green, ONE, FIVE)
    red = switch(blue, TWO, SIX)
    cyan = switch(red, EIGHT, NINE)
    return cyan


def solve_25ff71a9(I):
    """Move everything down by one row."""
    columns = width(I)
    extent = astuple(ONE, columns)
    blank = canvas(ZERO, extent)
    longer = vconcat(blank, I)
    same = shape(I)
    moved = crop(longer, ORIGIN, same)
    return moved


def solve_2dee498d(I):
    """Keep the left third of the grid, which shows the same picture three times."""
    rows = height(I)
    columns = width(I)
    third = divide(columns, THREE)
    extent = astuple(rows, third)
    picture = crop(I, ORIGIN, extent)
    return picture


def solve_2013d3e2(I):
    """Keep the upper left quarter of the symmetric figure."""
    objs = objects(I, F, T, T)
    figure = first(objs)
    cut = subgrid(figure, I)
    extent = shape(cut)
    half = halve(extent)
    quarter = crop(cut, ORIGIN, half)
    return quarter


def solve_28bf18c6(I):
    """Cut the figure out and show it twice, side by side."""
    objs = objects(I, T, T, T)
    figure = first(objs)
    cut = subgrid(figure, I)
    twice = hconcat(cut, cut)
    return twice


def solve_46f33fce(I):
    """Keep every second row and column, then draw each cell four times as large."""
    turned = rot180(I)
    thinned = downscale(turned, TWO)
    upright = rot180(thinned)
    enlarged = upscale(upright, FOUR)
    return enlarged


def solve_007bbfb7(I):
    """Put a copy of the grid wherever the enlarged grid is coloured."""
    enlarged = upscale(I, THREE)
    two = hconcat(I, I)
    row = hconcat(two, I)
    rows = vconcat(row, row)
    tiled = vconcat(rows, row)
    copies = cellwise(enlarged, tiled, ZERO)
    return copies


def solve_10fcaaa3(I):
    """Tile the grid two by two and set a cyan cell diagonally next to every coloured cell."""
    wide = hconcat(I, I)
    tiled = vconcat(wide, wide)
    shade = leastcolor(I)
    dots = ofcolor(tiled, shade)
    diagonal = mapply(ineighbors, dots)
    marked = underfill(tiled, EIGHT, diagonal)
    return marked


def solve_017c7c7b(I):
    """Continue the vertical pattern to nine rows and paint it red."""
    cells = asobject(I)
    period = vperiod(cells)
    extent = astuple(period, THREE)
    unit = crop(I, ORIGIN, extent)
    longer = vconcat(unit, I)
    longest = vconcat(unit, longer)
    wanted = astuple(NINE, THREE)
    pattern = crop(longest, ORIGIN, wanted)
    red = replace(pattern, ONE, TWO)
    return red


def solve_0520fde7(I):
    """Mark in red the places that are blue in both the left and the right half."""
    left = lefthalf(I)
    right = righthalf(I)
    common = cellwise(left, right, ZERO)
    red = replace(common, ONE, TWO)
    return red


def solve_1b2d62fb(I):
    """Mark in cyan the places that are black in both the left and the right half."""
    left = lefthalf(I)
    right = righthalf(I)
    common = cellwise(left, right, NINE)
    marked = replace(common, ZERO, EIGHT)
    cleared = replace(marked, NINE, ZERO)
    return cleared


def solve_3428a4f5(I):
    """Mark in green the places where the upper and the lower half differ."""
    upper = tophalf(I)
    lower = bottomhalf(I)
    differing = cellwise(upper, lower, THREE)
    cleared = replace(differing, TWO, ZERO)
    return cleared


def solve_2dc579da(I):
    """Of the four quarters keep the one that holds a cell of a second colour."""
    halves = vsplit(I, TWO)
    cut = rbind(hsplit, TWO)
    quarters = mapply(cut, halves)
    special = argmax(quarters, numcolors)
    return special


def solve_49d1d64f(I):
    """Frame the grid with a copy of its own edge, leaving the corners black."""
    columns = width(I)
    strips = hsplit(I, columns)
    left = first(strips)
    right = last(strips)
    half_framed = hconcat(left, I)
    wide = hconcat(half_framed, right)
    count = height(I)
    rows = vsplit(wide, count)
    top = first(rows)
    bottom = last(rows)
    upper = vconcat(top, wide)
    framed = vconcat(upper, bottom)
    places = asindices(framed)
    tips = corners(places)
    finished = fill(framed, ZERO, tips)
    return finished


def solve_1190e5a7(I):
    """Show one cell for every field between the lines, in the colour of the fields."""
    lines = frontiers(I)
    across = sfilter(lines, hline)
    upright = sfilter(lines, vline)
    counts = astuple(across, upright)
    numbers = apply(size, counts)
    fields = increment(numbers)
    background = mostcolor(I)
    small = canvas(background, fields)
    return small


def solve_0b148d64(I):
    """Cut out the block whose colour is the rarest."""
    rare = leastcolor(I)
    places = ofcolor(I, rare)
    block = subgrid(places, I)
    return block


def solve_1c786137(I):
    """Show what lies inside the frame, the colour that keeps to the smallest rectangle."""
    colours = partition(I)
    area = compose(size, backdrop)
    frame = argmin(colours, area)
    framed = subgrid(frame, I)
    inside = trim(framed)
    return inside


def solve_3de23699(I):
    """Show the figure between the four corner marks, in the colour of the marks."""
    colours = fgpartition(I)
    drawing = merge(colours)
    marked = subgrid(drawing, I)
    mark = index(marked, ORIGIN)
    inside = trim(marked)
    shades = palette(inside)
    shade = other(shades, ZERO)
    figure = replace(inside, shade, mark)
    return figure


def solve_5117e062(I):
    """Cut out the figure with a cyan cell, and give that cell the figure's own colour."""
    objs = objects(I, F, T, T)
    chosen = argmax(objs, numcolors)
    shade = mostcolor(chosen)
    cut = subgrid(chosen, I)
    mended = replace(cut, EIGHT, shade)
    return mended


def solve_1e0a9b12(I):
    """Let the coloured cells of every column fall to the bottom."""
    columns = dmirror(I)
    sink = rbind(order, sign)
    fallen = apply(sink, columns)
    rows = dmirror(fallen)
    return rows


def solve_3906de3d(I):
    """Let the red bars rise in their columns until they meet the blue."""
    turned = rot90(I)
    lift = rbind(order, positive)
    risen = apply(lift, turned)
    upright = rot270(risen)
    return upright


def solve_25d8a9c8(I):
    """Paint rows of a single colour grey and all other rows black."""
    spread = fork(subtract, maximum, minimum)
    mixed = compose(sign, spread)
    flags = apply(mixed, I)
    lying = repeat(flags, ONE)
    column = dmirror(lying)
    rows = hupscale(column, THREE)
    marked = replace(rows, ZERO, FIVE)
    cleared = replace(marked, ONE, ZERO)
    return cleared


def solve_2281f1f4(I):
    """Mark in red where the columns of the top marks cross the rows of the right marks."""
    side = height(I)
    rows = vsplit(I, side)
    top = first(rows)
    columns = hsplit(I, side)
    right = last(columns)
    down = vupscale(top, side)
    across = hupscale(right, side)
    crossings = cellwise(down, across, ZERO)
    places = ofcolor(crossings, FIVE)
    marked = fill(I, TWO, places)
    return marked


def solve_2204b7a8(I):
    """Give every green cell the colour of the nearer of the two opposite walls."""
    start = index(I, ORIGIN)
    flipped = vmirror(I)
    across = index(flipped, ORIGIN)
    lying = equality(start, across)
    diagonal = dmirror(I)
    upright = branch(lying, diagonal, I)
    left = lefthalf(upright)
    right = righthalf(upright)
    turned = rot180(I)
    end = index(turned, ORIGIN)
    near_left = replace(left, THREE, start)
    near_right = replace(right, THREE, end)
    joined = hconcat(near_left, near_right)
    back = dmirror(joined)
    answer = branch(lying, back, joined)
    return answer


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


def solve_47c1f68c(I):
    """Drop the cross, mirror the figure into all four quarters and give it the cross's colour."""
    lines = frontiers(I)
    line = first(lines)
    line_colour = color(line)
    inner = compress(I)
    shade = leastcolor(inner)
    flipped = vmirror(inner)
    beside = ofcolor(flipped, shade)
    double_figure = fill(inner, shade, beside)
    reflection = hmirror(double_figure)
    below = ofcolor(reflection, shade)
    fourfold = fill(double_figure, shade, below)
    answer = replace(fourfold, shade, line_colour)
    return answer


def solve_11852cab(I):
    """Complete the square figure so that it looks the same from every side."""
    colours = fgpartition(I)
    figure = merge(colours)
    across = cmirror(figure)
    half_done = combine(figure, across)
    upturned = hmirror(half_done)
    nearly_done = combine(half_done, upturned)
    flipped = vmirror(nearly_done)
    complete = combine(nearly_done, flipped)
    answer = paint(I, complete)
    return answer


def solve_08ed6ac7(I):
    """Colour the bars by rank: the tallest blue, then red, green and yellow."""
    bars = objects(I, T, F, T)
    tallest_first = compose(invert, height)
    ranked = order(bars, tallest_first)
    colours = interval(ONE, FIVE, ONE)
    coloured = mpapply(recolor, colours, ranked)
    answer = paint(I, coloured)
    return answer


def solve_54d9e175(I):
    """Fill every field with the colour five above that of the cell in its middle."""
    objs = objects(I, T, F, T)
    cells = sizefilter(objs, ONE)
    raised = rbind(add, FIVE)
    shade = compose(raised, color)
    field = compose(backdrop, outbox)
    filled = fork(recolor, shade, field)
    fields = mapply(filled, cells)
    answer = paint(I, fields)
    return answer


def solve_5521c0d9(I):
    """Lift every block by its own height."""
    blocks = objects(I, T, F, T)
    upwards = lbind(multiply, UP)
    rise = compose(upwards, height)
    lifted = fork(shift, identity, rise)
    moved = mapply(lifted, blocks)
    merged = merge(blocks)
    cleared = cover(I, merged)
    answer = paint(cleared, moved)
    return answer


def solve_1caeab9d(I):
    """Move the figures up or down so that all stand level with the blue one."""
    figures = fgpartition(I)
    blue = ofcolor(I, ONE)
    level = uppermost(blue)
    missing = lbind(subtract, level)
    way = chain(toivec, missing, uppermost)
    levelled = fork(shift, identity, way)
    moved = mapply(levelled, figures)
    extent = shape(I)
    blank = canvas(ZERO, extent)
    answer = paint(blank, moved)
    return answer


def solve_363442ee(I):
    """Stamp the upper left picture over every blue cell, which marks its middle."""
    picture = crop(I, ORIGIN, THREE_BY_THREE)
    stamp = asobject(picture)
    middles = ofcolor(I, ONE)
    starts = apply(decrement, middles)
    place = lbind(shift, stamp)
    stamps = mapply(place, starts)
    answer = paint(I, stamps)
    return answer


def solve_1f642eb9(I):
    """Copy every outer cell onto the nearest edge of the block, straight ahead of it."""
    objs = objects(I, T, F, T)
    block = argmax(objs, size)
    cells = sizefilter(objs, ONE)
    approach = rbind(gravitate, block)
    one_further = compose(crement, approach)
    copied = fork(shift, identity, one_further)
    copies = mapply(copied, cells)
    answer = paint(I, copies)
    return answer


def solve_253bf280(I):
    """Join with green lines the cyan cells that share a row or a column."""
    dots = ofcolor(I, EIGHT)
    paths = prapply(connect, dots, dots)
    straight = fork(either, hline, vline)
    lines = mfilter(paths, straight)
    between = difference(lines, dots)
    answer = fill(I, THREE, between)
    return answer


def solve_3bdb4ada(I):
    """Punch a hole into every second cell of the middle row of each bar."""
    bars = objects(I, T, F, T)
    row = compose(first, last)
    middle = matcher(row, ONE)
    column = compose(last, last)
    second = chain(flip, even, column)
    holed = fork(both, middle, second)
    punch = rbind(sfilter, holed)
    holes = compose(punch, normalize)
    in_place = fork(shift, holes, ulcorner)
    all_holes = mapply(in_place, bars)
    answer = fill(I, ZERO, all_holes)
    return answer


def solve_239be575(I):
    """Answer one cyan cell if cyan links the two red squares, else one black cell."""
    objs = objects(I, F, F, T)
    reds = rbind(colorcount, TWO)
    linking = matcher(reds, EIGHT)
    links = sfilter(objs, linking)
    count = size(links)
    answer = branch(count, EIGHT, ZERO)
    cell = canvas(answer, UNITY)
    return cell


def solve_0a938d79(I):
    """Draw a line across the grid through both cells and repeat the two lines to the far end."""
    tall = portrait(I)
    diagonal = dmirror(I)
    wide = branch(tall, diagonal, I)
    cells = fgpartition(wide)
    column = compose(vfrontier, ulcorner)
    line = fork(recolor, color, column)
    lines = mapply(line, cells)
    extent = width(lines)
    gap = decrement(extent)
    period = double(gap)
    columns = width(wide)
    distances = interval(ZERO, columns, period)
    offsets = apply(tojvec, distances)
    copy = lbind(shift, lines)
    copies = mapply(copy, offsets)
    painted = paint(wide, copies)
    back = dmirror(painted)
    answer = branch(tall, back, painted)
    return answer
