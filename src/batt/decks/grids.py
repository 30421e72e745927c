"""Grids that lines divide into fields, and fields that stand for cells."""

from batt.dsl import *

from .idioms import (
    blank_like, cells_except, copies_at, dividers, is_solid, minor_colours, objects_except, panes, regions_of,
    remainder, rooms_between, stamp, straight_links, third_colour,
)


def runs_across(grid):
    """How many runs of the most frequent colour the first row has in which that colour prevails."""
    ground = mostcolor(grid)
    is_free = matcher(mostcommon, ground)
    row = extract(grid, is_free)
    strip = repeat(row, ONE)
    runs = regions_of(strip, ground)
    count = size(runs)
    return count


def solve_1190e5a7(I):
    """Show one cell for every field between the lines, in the colour of the fields."""
    columns = dmirror(I)
    across = runs_across(I)
    down = runs_across(columns)
    fields = astuple(down, across)
    background = mostcolor(I)
    small = canvas(background, fields)
    return small


def solve_83302e8f(I):
    """Closed fields turn green, and gaps and the fields they join yellow."""
    ground = mostcolor(I)
    rooms = regions_of(I, ground)
    gaps = sizefilter(rooms, ONE)
    fields = difference(rooms, gaps)
    closed = mfilter(fields, is_solid)
    yellow = replace(I, ground, FOUR)
    colored = fill(yellow, THREE, closed)
    return colored


def solve_54d9e175(I):
    """Fill every field with the colour five above that of the cell in it."""
    lines = dividers(I)
    fields = rooms_between(I, lines)
    look_up = rbind(toobject, I)
    raised = rbind(add, FIVE)
    shade = chain(raised, leastcolor, look_up)
    filled = fork(recolor, shade, identity)
    cells = mapply(filled, fields)
    answer = paint(I, cells)
    return answer


def tabulate(fields, values):
    """A small grid with one value for each field, laid out as the fields are."""
    tops = apply(uppermost, fields)
    levels = dedupe(tops)
    count = size(levels)
    strip = repeat(values, ONE)
    pieces = hsplit(strip, count)
    table = merge(pieces)
    return table


def solve_780d0b14(I):
    """Show one cell for every speckled field, in the colour of the field."""
    lines = frontiers(I)
    line = first(lines)
    ground = color(line)
    fields = panes(I)
    look_up = rbind(toobject, I)
    not_ground = rbind(other, ground)
    field_color = chain(not_ground, palette, look_up)
    colors = apply(field_color, fields)
    table = tabulate(fields, colors)
    return table


def solve_06df4c85(I):
    """Fields of the same colour in one row or column of the lattice are joined by fields of that colour."""
    colours = minor_colours(I)
    linked = fork(straight_links, toindices, toindices)
    bridge = fork(recolor, color, linked)
    bridges = mapply(bridge, colours)
    lines = frontiers(I)
    lattice = merge(lines)
    marks = merge(colours)
    bridged = paint(I, bridges)
    restored = paint(bridged, marks)
    latticed = paint(restored, lattice)
    return latticed


def solve_c444b776(I):
    """The drawing in one pane is copied into all panes between the lines."""
    lines = dividers(I)
    fields = rooms_between(I, lines)
    look_up = rbind(toobject, I)
    colors = compose(numcolors, look_up)
    drawn = argmax(fields, colors)
    picture = look_up(drawn)
    drawing = normalize(picture)
    starts = apply(ulcorner, fields)
    copies = stamp(drawing, starts)
    filled = paint(I, copies)
    return filled


def fields(grid):
    """The fields between the lines that divide the grid, in reading order."""
    lines = frontiers(grid)
    lying = sfilter(lines, hline)
    upright = sfilter(lines, vline)
    cuts = astuple(lying, upright)
    numbers = apply(size, cuts)
    counts = increment(numbers)
    rows = first(counts)
    columns = last(counts)
    strips = vsplit(grid, rows)
    cut = rbind(hsplit, columns)
    parts = mapply(cut, strips)
    return parts


def solve_09629e4f(I):
    """The field with the fewest colours is drawn large, one whole field for each of its cells."""
    parts = fields(I)
    chosen = argmin(parts, numcolors)
    extent = shape(chosen)
    pitch = increment(extent)
    down = first(pitch)
    across = last(pitch)
    tall = vupscale(chosen, down)
    large = hupscale(tall, across)
    whole = shape(I)
    cut = crop(large, ORIGIN, whole)
    lines = frontiers(I)
    line_cells = merge(lines)
    drawn = paint(cut, line_cells)
    return drawn


def solve_29623171(I):
    """The fields with the most dots are filled, and all others are emptied."""
    lines = frontiers(I)
    line = first(lines)
    line_colour = color(line)
    shade = third_colour(I, line_colour)
    dots = ofcolor(I, shade)
    empty = cover(I, dots)
    regions = objects(empty, T, F, F)
    rooms = objects_except(regions, line_colour)
    among = lbind(intersection, dots)
    count = chain(size, among, toindices)
    most = valmax(rooms, count)
    is_fullest = matcher(count, most)
    fullest = mfilter(rooms, is_fullest)
    filled = fill(empty, shade, fullest)
    return filled


def solve_1e32b0e9(I):
    """The figure is completed in every field, in the colour of the dividing lines."""
    lines = frontiers(I)
    line = first(lines)
    line_colour = color(line)
    figure_colour = third_colour(I, line_colour)
    parts = fields(I)
    drawn_in = rbind(ofcolor, figure_colour)
    figure = mapply(drawn_in, parts)
    part = first(parts)
    extent = shape(part)
    pitch = increment(extent)
    board = asindices(I)
    times_pitch = rbind(multiply, pitch)
    starts = apply(times_pitch, board)
    places = prapply(add, starts, figure)
    completed = underfill(I, line_colour, places)
    return completed


def solve_9f236235(I):
    """Each pane between the lines shrinks to one cell, and the picture is mirrored from left to right."""
    lines = frontiers(I)
    across = sfilter(lines, hline)
    upright = sfilter(lines, vline)
    across_count = size(across)
    upright_count = size(upright)
    down = increment(across_count)
    wide = increment(upright_count)
    panes = compress(I)
    bands = vsplit(panes, down)
    thin_rows = apply(first, bands)
    turned = dmirror(thin_rows)
    strips = vsplit(turned, wide)
    thin_columns = apply(first, strips)
    small = dmirror(thin_columns)
    flipped = vmirror(small)
    return flipped


def solve_272f95fa(I):
    """Of the nine fields, the middle one and the four beside it each get their own colour."""
    fields = panes(I)
    at_edge = rbind(bordering, I)
    shut_in = compose(flip, at_edge)
    middle = extract(fields, shut_in)
    in_row = lbind(hmatching, middle)
    in_column = lbind(vmatching, middle)
    row = sfilter(fields, in_row)
    column = sfilter(fields, in_column)
    left = first(row)
    right = last(row)
    upper = first(column)
    lower = last(column)
    with_middle = fill(I, SIX, middle)
    with_upper = fill(with_middle, TWO, upper)
    with_lower = fill(with_upper, ONE, lower)
    with_left = fill(with_lower, FOUR, left)
    with_right = fill(with_left, THREE, right)
    return with_right


def solve_6d0160f0(I):
    """The field with the yellow cell moves to where that cell points, and all other fields are emptied."""
    lines = frontiers(I)
    line_cells = merge(lines)
    line_colour = color(line_cells)
    blank = blank_like(I)
    lined = paint(blank, line_cells)
    parts = fields(I)
    has_yellow = rbind(colorcount, FOUR)
    chosen = extract(parts, has_yellow)
    yellow = ofcolor(chosen, FOUR)
    spot = first(yellow)
    extent = shape(chosen)
    pitch = increment(extent)
    start = multiply(spot, pitch)
    all_cells = asobject(chosen)
    cells = cells_except(all_cells, line_colour)
    moved = shift(cells, start)
    answer = paint(lined, moved)
    return answer


def solve_7c008303(I):
    """Each quarter of the large field's figure takes the colour of that quarter of the small field."""
    fields = panes(I)
    ranked = order(fields, size)
    small = first(ranked)
    large = last(ranked)
    beside = other(ranked, small)
    plain = toobject(beside, I)
    ground = color(plain)
    figure = subgrid(large, I)
    colors = subgrid(small, I)
    rows = height(figure)
    columns = width(figure)
    down = halve(rows)
    across = halve(columns)
    tall = vupscale(colors, down)
    quarters = hupscale(tall, across)
    empty = ofcolor(figure, ground)
    colored = fill(quarters, ground, empty)
    return colored


def surroundings(grid, block):
    """The cells of a block and of the eight blocks around it, one line apart."""
    places = toindices(block)
    extent = shape(block)
    pitch = increment(extent)
    around = neighbors(ORIGIN)
    nine = insert(ORIGIN, around)
    times_pitch = rbind(multiply, pitch)
    steps = apply(times_pitch, nine)
    area = prapply(add, places, steps)
    cells = toobject(area, grid)
    return cells


def solve_39e1d7f9(I):
    """The blocks around one marked block are repeated around every block of its colour."""
    lines = frontiers(I)
    line = first(lines)
    line_colour = color(line)
    inner = compress(I)
    ground = mostcolor(inner)
    regions = objects(I, T, F, F)
    parts = objects_except(regions, line_colour)
    blocks = objects_except(parts, ground)
    scene = lbind(surroundings, I)
    drawn = rbind(cells_except, ground)
    drawing = compose(drawn, scene)
    amount = compose(size, drawing)
    lonely = argmin(blocks, amount)
    mark_colour = color(lonely)
    marked = colorfilter(blocks, mark_colour)
    model = argmax(marked, amount)
    picture = drawing(model)
    copies = copies_at(I, model, picture)
    painted = paint(I, copies)
    return painted


def index_of(items, number):
    """The item of a tuple with that number, counted from zero."""
    item = items[number]
    return item


def every_nth(grid, periods):
    """The grid of only those rows and columns whose numbers are multiples of the two periods."""
    down, across = periods
    rows = height(grid)
    columns = width(grid)
    row_numbers = interval(ZERO, rows, down)
    column_numbers = interval(ZERO, columns, across)
    row_at = lbind(index_of, grid)
    chosen_rows = apply(row_at, row_numbers)
    turned = dmirror(chosen_rows)
    column_at = lbind(index_of, turned)
    chosen_columns = apply(column_at, column_numbers)
    thinned = dmirror(chosen_columns)
    return thinned


def solve_7837ac64(I):
    """Each field of the lattice whose four corners share one odd colour gives a cell of that colour."""
    colours = minor_colours(I)
    marks = merge(colours)
    marked = subgrid(marks, I)
    line = index(marked, RIGHT)
    ground = index(marked, UNITY)
    fields = regions_of(marked, ground)
    field = first(fields)
    field_extent = shape(field)
    period = increment(field_extent)
    crossings = every_nth(marked, period)
    extent = shape(crossings)
    smaller = decrement(extent)
    upper_left = crop(crossings, ORIGIN, smaller)
    upper_right = crop(crossings, RIGHT, smaller)
    lower_left = crop(crossings, DOWN, smaller)
    lower_right = crop(crossings, UNITY, smaller)
    upper = cellwise(upper_left, upper_right, ground)
    lower = cellwise(lower_left, lower_right, ground)
    agreed = cellwise(upper, lower, ground)
    cleaned = replace(agreed, line, ground)
    return cleaned


def solve_cbded52d(I):
    """Equal marks in panes of one row or column of panes are repeated in all panes between them."""
    bars = frontiers(I)
    lying = sfilter(bars, hline)
    standing = sfilter(bars, vline)
    top = valmin(lying, uppermost)
    left = valmin(standing, leftmost)
    crossing = astuple(top, left)
    pane = increment(crossing)
    down, across = pane
    rows = height(I)
    columns = width(I)
    pane_rows = interval(ZERO, rows, down)
    pane_columns = interval(ZERO, columns, across)
    panes = product(pane_rows, pane_columns)
    inner = compress(I)
    ground = mostcolor(inner)
    bar = first(bars)
    bar_hue = color(bar)
    unbarred = replace(I, bar_hue, ground)
    marks = fgpartition(unbarred)
    links = fork(straight_links, toindices, toindices)
    within_pane = rbind(remainder, pane)
    slot = chain(within_pane, last, first)
    in_panes = lbind(shift, panes)
    slots = compose(in_panes, slot)
    between = fork(intersection, links, slots)
    repeated = fork(recolor, color, between)
    cells = mapply(repeated, marks)
    answer = paint(I, cells)
    return answer
