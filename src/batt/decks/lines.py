"""Lines, rays and paths: straight, diagonal, bouncing, or around obstacles."""

from batt.dsl import *

from .idioms import (
    blank_like, by_frequency, continued, cross_lines, dividers, double_center, foreground, interior, is_line,
    rarest_part, repeated, stamp, star, straight_links, third_colour, turn_if, turned_back, turned_to_fit, without,
)


def solve_c1d99e64(I):
    """Every empty row or column that runs across the whole grid turns red."""
    lines = frontiers(I)
    cells = merge(lines)
    crossed = fill(I, TWO, cells)
    return crossed


def solve_253bf280(I):
    """Join with green lines the dots that share a row or a column."""
    hue = leastcolor(I)
    dots = ofcolor(I, hue)
    lines = straight_links(dots, dots)
    joined = underfill(I, THREE, lines)
    return joined


def solve_dbc1a6ce(I):
    """Dots that share a row or a column are joined by a cyan line."""
    hue = leastcolor(I)
    dots = ofcolor(I, hue)
    lines = straight_links(dots, dots)
    joined = underfill(I, EIGHT, lines)
    return joined


def solve_ded97339(I):
    """Dots that share a row or a column are joined by a line of their colour."""
    hue = leastcolor(I)
    dots = ofcolor(I, hue)
    lines = straight_links(dots, dots)
    joined = fill(I, hue, lines)
    return joined


def solve_ea786f4a(I):
    """The odd cell in the middle sends its colour along all four diagonals."""
    hue = leastcolor(I)
    spot = ofcolor(I, hue)
    middle = center(spot)
    rays = star(middle)
    crossed = fill(I, hue, rays)
    return crossed


def solve_a699fb00(I):
    """The gap between two dots that are two apart in a row turns red."""
    hue = leastcolor(I)
    dots = ofcolor(I, hue)
    segments = prapply(connect, dots, dots)
    short = sizefilter(segments, THREE)
    bridges = mfilter(short, hline)
    result = underfill(I, TWO, bridges)
    return result


def solve_40853293(I):
    """Join the two dots of each colour, upright lines over lying ones."""
    dots = fgpartition(I)
    line = fork(recolor, color, backdrop)
    lines = apply(line, dots)
    lying = mfilter(lines, hline)
    upright = mfilter(lines, vline)
    below = paint(I, lying)
    joined = paint(below, upright)
    return joined


def solve_d23f8c26(I):
    """Only the middle column stays."""
    columns = width(I)
    middle = halve(columns)
    start = tojvec(middle)
    column = vfrontier(start)
    everywhere = asindices(I)
    rest = difference(everywhere, column)
    kept = cover(I, rest)
    return kept


def solve_2c608aff(I):
    """Every dot in line with the block draws a line to it."""
    objs = objects(I, T, F, T)
    block = argmax(objs, size)
    walls = toindices(block)
    block_hue = color(block)
    hue = third_colour(I, block_hue)
    dots = ofcolor(I, hue)
    lines = straight_links(dots, walls)
    joined = underfill(I, hue, lines)
    return joined


def solve_7ddcd7ec(I):
    """Every cell that touches a corner of the square shoots on diagonally."""
    pieces = objects(I, F, F, T)
    square_piece = argmax(pieces, size)
    tails = remove(square_piece, pieces)
    away = lbind(position, square_piece)
    ray = fork(shoot, center, away)
    coloured = fork(recolor, color, ray)
    rays = mapply(coloured, tails)
    drawn = paint(I, rays)
    return drawn


def solve_834ec97d(I):
    """The dot falls by one row, and yellow columns rise from every second place of its old row."""
    shade = leastcolor(I)
    dot = ofcolor(I, shade)
    spot = first(dot)
    column = shoot(spot, UP)
    columns = repeated(column, ZERO_BY_TWO)
    fallen = shift(dot, DOWN)
    striped = fill(I, FOUR, columns)
    finished = fill(striped, shade, fallen)
    return finished


def solve_ba97ae07(I):
    """Where two bars cross, the one behind comes to the front."""
    lines = frontiers(I)
    front = merge(lines)
    uncovered = cover(I, front)
    colored = fgpartition(uncovered)
    back = first(colored)
    bar = backdrop(back)
    bar_color = color(back)
    raised = fill(I, bar_color, bar)
    return raised


def solve_25d487eb(I):
    """The odd cell in the base of every triangle sends a ray of its colour out through the tip."""
    triangles = objects(I, F, F, T)
    base = compose(center, rarest_part)
    twice_base = compose(double, base)
    aim = fork(subtract, double_center, twice_base)
    way = compose(sign, aim)
    ray = fork(shoot, base, way)
    beam = fork(recolor, leastcolor, ray)
    beams = mapply(beam, triangles)
    lit = underpaint(I, beams)
    return lit


def solve_25d8a9c8(I):
    """Paint rows of a single colour grey and all other rows black."""
    spread = fork(subtract, maximum, minimum)
    mixed = compose(sign, spread)
    flags = apply(mixed, I)
    lying = repeat(flags, ONE)
    column = dmirror(lying)
    across = width(I)
    rows = hupscale(column, across)
    marked = replace(rows, ZERO, FIVE)
    cleared = replace(marked, ONE, ZERO)
    return cleared


def solve_6e19193c(I):
    """Every corner piece sends a diagonal ray out of its open corner, leaving out the corner itself."""
    pieces = objects(I, T, F, T)
    gap = compose(center, delta)
    twice_gap = compose(double, gap)
    way = fork(subtract, twice_gap, double_center)
    start = fork(add, gap, way)
    ray = fork(shoot, start, way)
    beam = fork(recolor, color, ray)
    beams = mapply(beam, pieces)
    lit = underpaint(I, beams)
    return lit


def solve_ec883f72(I):
    """Diagonal rays in the color of the inner block leave the corners of the bracket around it."""
    parts = fgpartition(I)
    extent = compose(size, backdrop)
    bracket = argmax(parts, extent)
    core = argmin(parts, extent)
    tips = corners(bracket)
    slopes = ineighbors(ORIGIN)
    rays = mpapply(shoot, tips, slopes)
    ray_color = color(core)
    lit = underfill(I, ray_color, rays)
    return lit


def solve_97999447(I):
    """Every dot draws a line to the right edge that alternates between its own colour and grey."""
    dots = foreground(I)
    rightward = rbind(shoot, RIGHT)
    ray = compose(rightward, last)
    beam = fork(recolor, first, ray)
    beams = mapply(beam, dots)
    drawn = paint(I, beams)
    places = toindices(dots)
    starts = shift(places, RIGHT)
    gaps = continued(starts, ZERO_BY_TWO)
    alternating = fill(drawn, FIVE, gaps)
    return alternating


def marks_top_and_right(grid):
    """Whether the rarest colour marks the top row and the right column, apart from the corner between them."""
    hue = leastcolor(grid)
    marks = ofcolor(grid, hue)
    places = asindices(grid)
    corner = urcorner(places)
    others = remove(corner, marks)
    top = hfrontier(corner)
    right = vfrontier(corner)
    in_top = intersection(others, top)
    in_right = intersection(others, right)
    answer = both(in_top, in_right)
    return answer


def solve_2281f1f4(I):
    """Mark in red where the columns of the marks at one edge cross the rows of those at the other."""
    upright, way = turned_to_fit(I, marks_top_and_right)
    hue = leastcolor(I)
    marks = ofcolor(upright, hue)
    on_top = matcher(first, ZERO)
    top = sfilter(marks, on_top)
    right = difference(marks, top)
    columns = mapply(vfrontier, top)
    rows = mapply(hfrontier, right)
    crossings = intersection(columns, rows)
    marked = underfill(upright, TWO, crossings)
    answer = turned_back(marked, way)
    return answer


def solve_5c0a986e(I):
    """Blue squares send a diagonal ray up and left, red ones a ray down and right."""
    squares = objects(I, T, F, T)
    blue = colorfilter(squares, ONE)
    red = colorfilter(squares, TWO)
    blue_starts = apply(ulcorner, blue)
    red_starts = apply(lrcorner, red)
    upwards = rbind(shoot, NEG_UNITY)
    downwards = rbind(shoot, UNITY)
    blue_rays = mapply(upwards, blue_starts)
    red_rays = mapply(downwards, red_starts)
    with_blue = underfill(I, ONE, blue_rays)
    result = underfill(with_blue, TWO, red_rays)
    return result


def solve_a2fd1cf0(I):
    """A path leaves the red cell along its row and turns to reach the green cell."""
    red = ofcolor(I, TWO)
    green = ofcolor(I, THREE)
    start = first(red)
    end = first(green)
    row = uppermost(red)
    column = leftmost(green)
    turn = astuple(row, column)
    along_row = connect(start, turn)
    along_column = connect(turn, end)
    path = combine(along_row, along_column)
    result = underfill(I, EIGHT, path)
    return result


def stands_at_bottom(grid):
    """Whether the rarest colour lies in the bottom row."""
    core_color = leastcolor(grid)
    core = ofcolor(grid, core_color)
    row = uppermost(core)
    rows = height(grid)
    bottom = decrement(rows)
    answer = equality(row, bottom)
    return answer


def solve_b8cdaf2b(I):
    """The middle of the edge line sends two diagonal rays out from the cells next to it."""
    upright, way = turned_to_fit(I, stands_at_bottom)
    core_color = leastcolor(I)
    core = ofcolor(upright, core_color)
    bump = shift(core, UP)
    left = ulcorner(bump)
    right = urcorner(bump)
    left_ray = shoot(left, NEG_UNITY)
    right_ray = shoot(right, UP_RIGHT)
    rays = combine(left_ray, right_ray)
    lit = underfill(upright, core_color, rays)
    answer = turned_back(lit, way)
    return answer


def solve_d4a91cb9(I):
    """A yellow path leads along the column of the cyan cell, then along the row of the red one."""
    cyan = ofcolor(I, EIGHT)
    red = ofcolor(I, TWO)
    start = first(cyan)
    end = first(red)
    row = first(end)
    column = last(start)
    turn = astuple(row, column)
    down = connect(start, turn)
    across = connect(turn, end)
    path = combine(down, across)
    drawn = underfill(I, FOUR, path)
    return drawn


def solve_41e4d17e(I):
    """Magenta lines run along the row and the column of every square's centre, behind the squares."""
    ground = mostcolor(I)
    hue = leastcolor(I)
    extent = astuple(FIVE, FIVE)
    blank = canvas(ground, extent)
    places = asindices(blank)
    edge = box(places)
    ring = fill(blank, hue, edge)
    pattern = asobject(ring)
    starts = occurrences(I, pattern)
    middles = shift(starts, TWO_BY_TWO)
    lines = cross_lines(middles)
    crossed = underfill(I, SIX, lines)
    return crossed


def solve_23581191(I):
    """Each dot draws its row and its column, and lines of different colours cross in red."""
    layers = fgpartition(I)
    one = first(layers)
    two = last(layers)
    one_lines = cross_lines(one)
    two_lines = cross_lines(two)
    one_hue = color(one)
    two_hue = color(two)
    one_drawn = fill(I, one_hue, one_lines)
    two_drawn = fill(one_drawn, two_hue, two_lines)
    crossings = intersection(one_lines, two_lines)
    marked = fill(two_drawn, TWO, crossings)
    dots = merge(layers)
    drawn = paint(marked, dots)
    return drawn


def solve_8403a5d5(I):
    """From the dot on, every second column is foreground, and grey cells link them at the top and bottom in turn."""
    shade = leastcolor(I)
    dot = ofcolor(I, shade)
    spots = continued(dot, ZERO_BY_TWO)
    columns = mapply(vfrontier, spots)
    drawn = fill(I, shade, columns)
    beside = shift(dot, RIGHT)
    lower = shift(beside, ZERO_BY_TWO)
    on_top = compose(tojvec, last)
    upper = apply(on_top, beside)
    starts = combine(upper, lower)
    stride = double(ZERO_BY_TWO)
    links = continued(starts, stride)
    linked = fill(drawn, FIVE, links)
    return linked


def is_mostly(shade, row):
    """Whether more than half of the row's cells are of that colour."""
    own = matcher(identity, shade)
    kept = sfilter(row, own)
    count = size(kept)
    twice = double(count)
    length = size(row)
    answer = greater(twice, length)
    return answer


def solve_8731374e(I):
    """The plain rectangle is cut out of the noise, and its odd cells spread along their rows and columns."""
    regions = objects(I, T, F, F)
    largest = argmax(regions, size)
    shade = color(largest)
    rough = subgrid(largest, I)
    plain = lbind(is_mostly, shade)
    keep_rows = rbind(sfilter, plain)
    keep_and_turn = compose(dmirror, keep_rows)
    clean_up = power(keep_and_turn, FOUR)
    cut = clean_up(rough)
    odd = leastcolor(cut)
    dots = ofcolor(cut, odd)
    lines = cross_lines(dots)
    drawn = fill(cut, odd, lines)
    return drawn


def solve_8e1813be(I):
    """List the colours of the lines as whole rows or columns of a square."""
    layers = fgpartition(I)
    block = extract(layers, square)
    lines = remove(block, layers)
    line = first(lines)
    standing = portrait(line)
    lay = branch(standing, dmirror, identity)
    start = branch(standing, leftmost, uppermost)
    ranked = order(lines, start)
    hues = apply(color, ranked)
    count = size(lines)
    as_row = rbind(repeat, count)
    rows = apply(as_row, hues)
    answer = lay(rows)
    return answer


def columns_within(specks, area):
    """The columns of those specks that lie in the area, as far as the area reaches."""
    places = toindices(area)
    own = intersection(places, specks)
    lines = mapply(vfrontier, own)
    within = intersection(lines, places)
    return within


def stripes_lie(grid):
    """Whether the grid is striped from top to bottom: its rows differ more than its columns."""
    columns = dmirror(grid)
    row_hues = apply(mostcommon, grid)
    column_hues = apply(mostcommon, columns)
    row_kinds = dedupe(row_hues)
    column_kinds = dedupe(column_hues)
    rows = size(row_kinds)
    others = size(column_kinds)
    lying = greater(rows, others)
    return lying


def solve_855e0971(I):
    """Every speck draws a line across its stripe."""
    upright, way = turned_to_fit(I, stripes_lie)
    hues = apply(mostcommon, upright)
    columns = width(upright)
    lying = repeat(hues, columns)
    plain = dmirror(lying)
    compared = cellwise(plain, upright, NEG_ONE)
    specks = ofcolor(compared, NEG_ONE)
    speck_cells = toobject(specks, upright)
    hue = color(speck_cells)
    stripes = objects(plain, T, F, F)
    across = lbind(columns_within, specks)
    lines = mapply(across, stripes)
    drawn = fill(upright, hue, lines)
    back = turned_back(drawn, way)
    return back


def solve_1bfc4729(I):
    """Each half gets a frame along the grid's edge and a bar, in the colour of its dot."""
    cells = asindices(I)
    edge = box(cells)
    dots = fgpartition(I)
    bar = compose(hfrontier, ulcorner)
    bars = mapply(bar, dots)
    drawing = combine(edge, bars)
    upper_dot = argmin(dots, uppermost)
    lower_dot = argmax(dots, uppermost)
    upper_hue = color(upper_dot)
    lower_hue = color(lower_dot)
    upper_drawn = fill(I, upper_hue, drawing)
    lower_drawn = fill(I, lower_hue, drawing)
    upper = tophalf(upper_drawn)
    lower = bottomhalf(lower_drawn)
    joined = vconcat(upper, lower)
    return joined


def solve_6d58a25d(I):
    """Below the arrow, every column with a dot is filled from the arrow to the edge of the grid."""
    layers = fgpartition(I)
    extent = compose(size, backdrop)
    arrow = argmin(layers, extent)
    dots = other(layers, arrow)
    body = toindices(arrow)
    targets = toindices(dots)
    tips = corners(arrow)
    feet = intersection(tips, body)
    way = position(arrow, feet)
    ray = rbind(shoot, way)
    rays = apply(ray, body)
    hits = lbind(intersection, targets)
    lit = mfilter(rays, hits)
    hue = color(dots)
    drawn = underfill(I, hue, lit)
    return drawn


def solve_bdad9b1f(I):
    """Every begun line fills its row or its column, and rows and columns cross in yellow."""
    lines = objects(I, T, F, T)
    lying = sfilter(lines, hline)
    standing = sfilter(lines, vline)
    to_row = compose(hfrontier, center)
    to_column = compose(vfrontier, center)
    row = fork(recolor, color, to_row)
    column = fork(recolor, color, to_column)
    rows = mapply(row, lying)
    columns = mapply(column, standing)
    row_places = toindices(rows)
    column_places = toindices(columns)
    crossings = intersection(row_places, column_places)
    with_rows = paint(I, rows)
    with_columns = paint(with_rows, columns)
    crossed = fill(with_columns, FOUR, crossings)
    return crossed


def solve_d43fd935(I):
    """Every dot in line with the block draws a line of its colour up to the block."""
    parts = objects(I, T, F, T)
    block = argmax(parts, size)
    cells = foreground(I)
    others = difference(cells, block)
    dots = apply(initset, others)
    beside = lbind(hmatching, block)
    above = lbind(vmatching, block)
    in_line = fork(either, beside, above)
    aligned = sfilter(dots, in_line)
    way = rbind(gravitate, block)
    end = fork(add, center, way)
    line = fork(connect, center, end)
    beam = fork(recolor, color, line)
    beams = mapply(beam, aligned)
    beamed = underpaint(I, beams)
    return beamed


def solve_ef135b50(I):
    """Within each row, what lies between two blocks turns maroon, except along the grid's edge."""
    regions = objects(I, T, F, F)
    gaps = compose(size, delta)
    open_region = argmax(regions, gaps)
    ground = color(open_region)
    empty = ofcolor(I, ground)
    everywhere = asindices(I)
    places = difference(everywhere, empty)
    in_row = lbind(intersection, places)
    rows = apply(hfrontier, places)
    span = compose(backdrop, in_row)
    spans = mapply(span, rows)
    between = intersection(spans, empty)
    edge = box(everywhere)
    inner = difference(between, edge)
    filled = fill(I, NINE, inner)
    return filled


def solve_a85d4709(I):
    """A row turns red, yellow or green as its dot lies in the left, the middle or the right third."""
    hue = leastcolor(I)
    dots = ofcolor(I, hue)
    columns = width(I)
    third = divide(columns, THREE)
    in_thirds = rbind(divide, third)
    number = compose(in_thirds, last)
    on_left = matcher(number, ZERO)
    in_middle = matcher(number, ONE)
    left_dots = sfilter(dots, on_left)
    middle_dots = sfilter(dots, in_middle)
    left_rows = mapply(hfrontier, left_dots)
    middle_rows = mapply(hfrontier, middle_dots)
    area = shape(I)
    green = canvas(THREE, area)
    with_red = fill(green, TWO, left_rows)
    result = fill(with_red, FOUR, middle_rows)
    return result


def advance(way, aside, blocks, path):
    """The path one step on that way; a step into a block is moved aside by the given offset."""
    ahead = shift(path, way)
    blocked = intersection(ahead, blocks)
    free = difference(ahead, blocks)
    moved = shift(blocked, aside)
    new_places = combine(free, moved)
    longer = combine(path, new_places)
    return longer


def run_past(path, way, aside, blocks):
    """The path drawn out that way over the whole grid; a step into a block is moved aside by the given offset."""
    onwards = lbind(advance, way)
    dodging = lbind(onwards, aside)
    step = lbind(dodging, blocks)
    steps = power(step, 30)
    whole = steps(path)
    return whole


def solve_d9f24cd1(I):
    """Lines grow from the edge across the grid and sidestep to the right in front of a block."""
    colours = fgpartition(I)
    thinness = compose(minimum, shape)
    starts = argmin(colours, thinness)
    shade = color(starts)
    blocks = other(colours, starts)
    block_shade = color(blocks)
    starts_in = rbind(ofcolor, shade)
    row = compose(uppermost, starts_in)
    bottom = compose(decrement, height)
    fits = fork(equality, row, bottom)
    turned, way = turned_to_fit(I, fits)
    dots = ofcolor(turned, shade)
    obstacles = ofcolor(turned, block_shade)
    paths = run_past(dots, UP, UNITY, obstacles)
    drawn = fill(turned, shade, paths)
    finished = turned_back(drawn, way)
    return finished


def solve_f15e1fac(I):
    """Lines run from the dots across the grid and step aside, away from the red marks, in every marked row."""
    reds = ofcolor(I, TWO)
    no_reds = cover(I, reds)
    shade = leastcolor(no_reds)
    dots_in = rbind(ofcolor, shade)
    reds_in = rbind(ofcolor, TWO)
    dots_row = compose(lowermost, dots_in)
    reds_column = compose(rightmost, reds_in)
    corner = fork(astuple, dots_row, reds_column)
    fits = matcher(corner, ORIGIN)
    turned, way = turned_to_fit(I, fits)
    dots = ofcolor(turned, shade)
    marks = ofcolor(turned, TWO)
    marked_rows = mapply(hfrontier, marks)
    paths = run_past(dots, DOWN, RIGHT, marked_rows)
    drawn = underfill(turned, shade, paths)
    finished = turned_back(drawn, way)
    return finished


def solve_6cdd2623(I):
    """Dots of one colour that face each other on opposite edges are joined, and the noise goes."""
    places = asindices(I)
    edge = box(places)
    layers = fgpartition(I)
    off_edge = rbind(difference, edge)
    is_at_edge = chain(flip, off_edge, toindices)
    layer = extract(layers, is_at_edge)
    dots = toindices(layer)
    segments = prapply(connect, dots, dots)
    lines = sfilter(segments, is_line)
    rows, columns = shape(I)
    across = sizefilter(lines, columns)
    down = sizefilter(lines, rows)
    full = combine(across, down)
    cells = merge(full)
    hue = color(layer)
    blank = blank_like(I)
    result = fill(blank, hue, cells)
    return result


def longest_run(places, frontier):
    """The most places that lie on one line, where frontier gives the line through a place."""
    among = lbind(intersection, places)
    run = compose(among, frontier)
    runs = apply(run, places)
    longest = argmax(runs, size)
    return longest


def solve_e21d9049(I):
    """The two strips of colours repeat themselves along their row and column to the edges."""
    strips = objects(I, F, F, T)
    wide = argmax(strips, width)
    wide_places = toindices(wide)
    row = longest_run(wide_places, hfrontier)
    row_cells = toobject(row, I)
    length = width(row)
    across = tojvec(length)
    row_copies = repeated(row_cells, across)
    tall = argmax(strips, height)
    tall_places = toindices(tall)
    column = longest_run(tall_places, vfrontier)
    column_cells = toobject(column, I)
    depth = height(column)
    down = toivec(depth)
    column_copies = repeated(column_cells, down)
    with_row = paint(I, row_copies)
    crossed = paint(with_row, column_copies)
    return crossed


def solve_d07ae81c(I):
    """Every dot sends diagonal rays, which take the colour that the dots have on the ground they cross."""
    ranked = by_frequency(I)
    rarest = ranked[0]
    second = ranked[1]
    rare = initset(rarest)
    dot_colours = insert(second, rare)
    places = lbind(ofcolor, I)
    dots = mapply(places, dot_colours)
    rays = mapply(star, dots)
    in_ring = lbind(mapply, neighbors)
    around = compose(in_ring, places)
    look_up = rbind(toobject, I)
    base = chain(mostcolor, look_up, around)
    ground = compose(places, base)
    crossed = rbind(intersection, rays)
    lit = compose(crossed, ground)
    beam = fork(recolor, identity, lit)
    beams = mapply(beam, dot_colours)
    drawn = paint(I, beams)
    return drawn


def solve_e179c5f4(I):
    """The dot's zigzag bounces between the long sides all the way through the grid, which turns cyan."""
    lying = compose(portrait, dmirror)
    fits = compose(flip, lying)
    turned, way = turned_to_fit(I, fits)
    shade = leastcolor(I)
    dots = ofcolor(turned, shade)
    columns = width(turned)
    across = decrement(columns)
    period = double(across)
    distances = interval(ZERO, 60, period)
    onwards = apply(toivec, distances)
    backwards = apply(invert, onwards)
    offsets = combine(onwards, backwards)
    starts = stamp(dots, offsets)
    path = mapply(star, starts)
    extent = shape(turned)
    cyan = canvas(EIGHT, extent)
    drawn = fill(cyan, shade, path)
    finished = turned_back(drawn, way)
    return finished


def solve_e48d4e1a(I):
    """The cross moves away from the marks, one step diagonally for each of them."""
    lines = dividers(I)
    cross = merge(lines)
    cross_color = color(cross)
    mark_color = third_colour(I, cross_color)
    marks = ofcolor(I, mark_color)
    row = extract(lines, hline)
    column = extract(lines, vline)
    top = uppermost(row)
    left = leftmost(column)
    crossing = astuple(top, left)
    spot = initset(crossing)
    way = position(marks, spot)
    steps = size(marks)
    offset = multiply(steps, way)
    target = shift(spot, offset)
    moved = cross_lines(target)
    blank = blank_like(I)
    crossed = fill(blank, cross_color, moved)
    return crossed


def solve_22eb0ac0(I):
    """Join the dots on opposite edges that face each other and have the same colour."""
    ground = mostcolor(I)
    is_ground = lbind(equality, ground)
    free = rbind(sfilter, is_ground)
    free_count = compose(size, free)
    top = first(I)
    columns = dmirror(I)
    side = first(columns)
    free_top = free_count(top)
    free_side = free_count(side)
    upright = greater(free_side, free_top)
    lying = turn_if(upright, I)
    flipped = vmirror(lying)
    equal = cellwise(lying, flipped, ground)
    dots = foreground(equal)
    row = compose(hfrontier, last)
    line = fork(recolor, first, row)
    lines = mapply(line, dots)
    joined = paint(lying, lines)
    answer = turn_if(upright, joined)
    return answer


def solve_f1cefba8(I):
    """Where the core pokes into its frame, a line crosses the box: core colour outside, frame colour inside."""
    block = foreground(I)
    within = interior(block)
    core = interior(within)
    core_cells = toobject(core, I)
    shade = mostcolor(core_cells)
    corner = ulcorner(block)
    frame_colour = index(I, corner)
    bright = ofcolor(I, shade)
    pokes = difference(bright, core)
    shares_column = lbind(vmatching, core)
    upright = compose(shares_column, initset)
    above = sfilter(pokes, upright)
    beside = difference(pokes, above)
    columns = mapply(vfrontier, above)
    rows = mapply(hfrontier, beside)
    lines = combine(columns, rows)
    area = backdrop(block)
    inside = intersection(lines, area)
    crossed = fill(I, shade, lines)
    answer = fill(crossed, frame_colour, inside)
    return answer


def solve_99fa7670(I):
    """Every dot draws a line to the right edge, which there turns down and runs to the next line."""
    dots = objects(I, T, F, T)
    ranked = order(dots, uppermost)
    rows = apply(uppermost, ranked)
    top = first(rows)
    later = remove(top, rows)
    bottom = height(I)
    end = initset(bottom)
    limits = combine(later, end)
    last_rows = apply(decrement, limits)
    columns = width(I)
    edge = decrement(columns)
    at_edge = rbind(astuple, edge)
    turns = apply(at_edge, rows)
    ends = apply(at_edge, last_rows)
    starts = apply(center, ranked)
    across = papply(connect, starts, turns)
    down = papply(connect, turns, ends)
    paths = papply(combine, across, down)
    hues = apply(color, ranked)
    colored = mpapply(recolor, hues, paths)
    drawn = paint(I, colored)
    return drawn


def solve_8d510a79(I):
    """Red dots draw a line to the wall, blue dots away from it to the edge."""
    lines = dividers(I)
    wall = first(lines)
    cells = foreground(I)
    loose = difference(cells, wall)
    dots = apply(initset, loose)
    reds = colorfilter(dots, TWO)
    blues = difference(dots, reds)
    gap = rbind(gravitate, wall)
    end = fork(add, center, gap)
    path = fork(connect, center, end)
    paths = mapply(path, reds)
    middle = double_center(wall)
    from_middle = rbind(subtract, middle)
    lying = hline(wall)
    axis = branch(lying, DOWN, RIGHT)
    along_axis = lbind(multiply, axis)
    away = chain(along_axis, from_middle, double_center)
    way = compose(sign, away)
    ray = fork(shoot, center, way)
    rays = mapply(ray, blues)
    with_paths = fill(I, TWO, paths)
    drawn = fill(with_paths, ONE, rays)
    return drawn


def solve_ecdecbb3(I):
    """Every dot shoots at the lines it can see, and each hit is ringed in the colour of the lines."""
    lines = dividers(I)
    wall = merge(lines)
    line_color = color(wall)
    hue = third_colour(I, line_color)
    walls = toindices(wall)
    spots = ofcolor(I, hue)
    dots = apply(initset, spots)
    pairs = product(dots, lines)
    start = compose(center, first)
    gap = fork(gravitate, first, last)
    way = compose(crement, gap)
    target = fork(add, start, way)
    shot = fork(connect, start, target)
    shots = apply(shot, pairs)
    hits_of = lbind(intersection, walls)
    hit_count = compose(size, hits_of)
    stops_there = matcher(hit_count, ONE)
    seen = mfilter(shots, stops_there)
    hits = intersection(walls, seen)
    rings = mapply(neighbors, hits)
    drawn = fill(I, hue, seen)
    ringed = fill(drawn, line_color, rings)
    return ringed


def solve_29c11459(I):
    """The two dots that face each other across the grid draw lines that meet in a grey cell in the middle."""
    cells = foreground(I)
    dots = toindices(cells)
    columns = apply(last, dots)
    places = asindices(I)
    tips = corners(places)
    edges = apply(last, tips)
    across = equality(columns, edges)
    lay = branch(across, identity, dmirror)
    lying = lay(I)
    extent = width(lying)
    strips = hsplit(lying, extent)
    left = first(strips)
    right = last(strips)
    half = halve(extent)
    left_lines = hupscale(left, half)
    right_lines = hupscale(right, half)
    ground = mostcolor(I)
    size_of_strip = shape(left)
    blank = canvas(ground, size_of_strip)
    middle = cellwise(left, blank, FIVE)
    begun = hconcat(left_lines, middle)
    joined = hconcat(begun, right_lines)
    answer = lay(joined)
    return answer


def diagonal_past(triangle):
    """The falling diagonal that just passes the right angle of a triangle."""
    places = toindices(triangle)
    upper = urcorner(triangle)
    lower = llcorner(triangle)
    above = contained(upper, places)
    beyond_upper = add(upper, UP_RIGHT)
    beyond_lower = add(lower, DOWN_LEFT)
    start = branch(above, beyond_upper, beyond_lower)
    downwards = shoot(start, UNITY)
    upwards = shoot(start, NEG_UNITY)
    answer = combine(downwards, upwards)
    return answer


def solve_a78176bb(I):
    """Beyond every triangle leaning on a diagonal line a parallel line is drawn, and the triangle vanishes."""
    thin = fork(equality, size, width)
    figures = objects(I, T, T, T)
    any_line = extract(figures, thin)
    places = toindices(any_line)
    start = ulcorner(any_line)
    falling = contained(start, places)
    lay = branch(falling, identity, vmirror)
    upright = lay(I)
    parts = objects(upright, T, T, T)
    straight = sfilter(parts, thin)
    pieces = objects(upright, T, F, T)
    singles = sizefilter(pieces, ONE)
    leaning = difference(pieces, singles)
    pairs = product(leaning, straight)
    touch = fork(adjacent, first, last)
    touching = sfilter(pairs, touch)
    hue = compose(color, last)
    parallel = compose(diagonal_past, first)
    drawn = fork(recolor, hue, parallel)
    cells = mapply(drawn, touching)
    gone = merge(leaning)
    cleared = cover(upright, gone)
    painted = paint(cleared, cells)
    answer = lay(painted)
    return answer


def solve_a3df8b1e(I):
    """The dots in the corners zigzag along the grid, bouncing off the long sides."""
    tall = portrait(I)
    wide = flip(tall)
    upright = turn_if(wide, I)
    across = width(upright)
    far = decrement(across)
    bounce = astuple(far, far)
    there = connect(ORIGIN, bounce)
    back = vmirror(there)
    down = toivec(far)
    returning = shift(back, down)
    zigzag = combine(there, returning)
    period = double(down)
    wave = repeated(zigzag, period)
    shade = leastcolor(I)
    dots = ofcolor(upright, shade)
    at_left = matcher(last, ZERO)
    left = sfilter(dots, at_left)
    right = difference(dots, left)
    lowered = shift(right, down)
    starts = combine(left, lowered)
    row = compose(toivec, first)
    start_rows = apply(row, starts)
    paths = prapply(add, start_rows, wave)
    drawn = fill(upright, shade, paths)
    answer = turn_if(wide, drawn)
    return answer


def solve_508bd3b6(I):
    """The diagonal flies on in green, bounces off the wall and flies to the edge."""
    shade = leastcolor(I)
    colours = fgpartition(I)
    wall_object = argmax(colours, size)
    wall_shade = color(wall_object)
    dots_in = rbind(ofcolor, shade)
    wall_in = rbind(ofcolor, wall_shade)
    upper_right = compose(urcorner, dots_in)
    rising = fork(contained, upper_right, dots_in)
    reach = compose(rightmost, dots_in)
    barrier = compose(leftmost, wall_in)
    before = fork(greater, barrier, reach)
    fits = fork(both, rising, before)
    turned, way = turned_to_fit(I, fits)
    dots = dots_in(turned)
    tip = urcorner(dots)
    column = barrier(turned)
    start = last(tip)
    gap = subtract(column, start)
    distance = decrement(gap)
    flight = multiply(UP_RIGHT, distance)
    hit = add(tip, flight)
    incoming = connect(tip, hit)
    outgoing = shoot(hit, NEG_UNITY)
    path = combine(incoming, outgoing)
    drawn = underfill(turned, THREE, path)
    finished = turned_back(drawn, way)
    return finished


def solve_673ef223(I):
    """Dots are joined to the wall beside them, and the other wall repeats their rows right across the grid."""
    parts = objects(I, T, F, T)
    longest = argmax(parts, size)
    standing = portrait(longest)
    lay = branch(standing, identity, dmirror)
    upright = lay(I)
    objs = objects(upright, T, F, T)
    singles = sizefilter(objs, ONE)
    walls = difference(objs, singles)
    dots = merge(singles)
    beside = rbind(hmatching, dots)
    near = extract(walls, beside)
    far = other(walls, near)
    starts = toindices(dots)
    ends = toindices(near)
    lines = straight_links(starts, ends)
    from_row = uppermost(near)
    to_row = uppermost(far)
    way = subtract(to_row, from_row)
    offset = toivec(way)
    echoes = shift(starts, offset)
    rows = mapply(hfrontier, echoes)
    cells = combine(lines, rows)
    hue = color(dots)
    drawn = underfill(upright, hue, cells)
    ended = fill(drawn, FOUR, starts)
    answer = lay(ended)
    return answer


def line_rows(grid):
    """One place in each row that is mostly of another colour than the background."""
    hues = apply(mostcommon, grid)
    strip = repeat(hues, ONE)
    column = dmirror(strip)
    ground = mostcolor(grid)
    marked = without(column, ground)
    places = toindices(marked)
    return places


def solve_5daaa586(I):
    """The part between the four lines is cut out, and the dots in it stretch to the line of their own colour."""
    turned_grid = dmirror(I)
    rows = line_rows(I)
    columns = line_rows(turned_grid)
    top = uppermost(rows)
    bottom = lowermost(rows)
    left = uppermost(columns)
    right = lowermost(columns)
    start = astuple(top, left)
    end = astuple(bottom, right)
    ends = astuple(start, end)
    area = frozenset(ends)
    cut = subgrid(area, I)
    inside = trim(cut)
    ground = mostcolor(I)
    dots = without(inside, ground)
    shade = color(dots)
    floor = compose(mostcommon, last)
    fits = matcher(floor, shade)
    turned, way = turned_to_fit(cut, fits)
    inner = trim(turned)
    drops = ofcolor(inner, shade)
    falling = rbind(shoot, DOWN)
    trails = mapply(falling, drops)
    stretched = fill(inner, shade, trails)
    cells = asobject(stretched)
    placed = shift(cells, UNITY)
    drawn = paint(turned, placed)
    finished = turned_back(drawn, way)
    return finished


def run_end(free, start, way):
    """The last place of the run from start in the direction, before the first place that is not free."""
    onward = add(start, way)
    ray = shoot(onward, way)
    blocked = difference(ray, free)
    along = lbind(multiply, way)
    obstacle = argmin(blocked, along)
    end = subtract(obstacle, way)
    return end


def solve_2dd70a9a(I):
    """The green line goes on to an obstacle, turns, goes on to the next, turns and reaches the red line."""
    green_there = ofcolor(I, THREE)
    upright = portrait(green_there)
    lying = turn_if(upright, I)
    ground = mostcolor(lying)
    free = ofcolor(lying, ground)
    green = ofcolor(lying, THREE)
    red = ofcolor(lying, TWO)
    green_left = first(green)
    green_right = last(green)
    red_left = first(red)
    red_right = last(red)
    run_to = lbind(run_end, free)
    turn_left = run_to(green_left, LEFT)
    turn_right = run_to(green_right, RIGHT)
    turns = astuple(turn_left, turn_right)
    reach_left = run_to(red_left, LEFT)
    reach_right = run_to(red_right, RIGHT)
    reach = connect(reach_left, reach_right)
    ways = astuple(UP, DOWN)
    courses = product(turns, ways)
    stop = fork(run_to, first, last)
    in_reach = rbind(contained, reach)
    arrives = compose(in_reach, stop)
    course = extract(courses, arrives)
    turn = first(course)
    corner = stop(course)
    first_leg = connect(green_left, turn)
    second_leg = connect(turn, corner)
    third_leg = connect(corner, red_left)
    two_legs = combine(first_leg, second_leg)
    path = combine(two_legs, third_leg)
    drawn = underfill(lying, THREE, path)
    answer = turn_if(upright, drawn)
    return answer
