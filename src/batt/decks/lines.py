"""Solvers that draw: rays, bridges, frames, neighbourhoods, repeats and moves."""

from batt.dsl import *


def solve_dc1df850(I):
    """Every red cell gets a blue ring around it."""
    reds = ofcolor(I, TWO)
    rings = mapply(neighbors, reds)
    ringed = fill(I, ONE, rings)
    return ringed


def solve_b60334d2(I):
    """Every grey cell opens into a hollow square with grey corners and blue sides."""
    seeds = ofcolor(I, FIVE)
    tips = mapply(ineighbors, seeds)
    sides = mapply(dneighbors, seeds)
    cleared = cover(I, seeds)
    cornered = fill(cleared, FIVE, tips)
    squares = fill(cornered, ONE, sides)
    return squares


def solve_a9f96cdd(I):
    """The red cell gives way to its diagonal neighbours in green, magenta, cyan and orange."""
    red = ofcolor(I, TWO)
    spot = first(red)
    diagonal = ineighbors(spot)
    upper = astuple(THREE, SIX)
    lower = astuple(EIGHT, SEVEN)
    colors = combine(upper, lower)
    cells = pair(colors, diagonal)
    cleared = replace(I, TWO, ZERO)
    colored = paint(cleared, cells)
    return colored


def solve_d364b489(I):
    """Every blue cell gets red above, orange at its left, magenta at its right and cyan below."""
    blues = ofcolor(I, ONE)
    before = astuple(TWO, SEVEN)
    after = astuple(SIX, EIGHT)
    colors = combine(before, after)
    with_colors = lbind(pair, colors)
    petals = compose(with_colors, dneighbors)
    flowers = mapply(petals, blues)
    grown = paint(I, flowers)
    return grown


def solve_e9614598(I):
    """A green plus is drawn midway between the two blue cells."""
    blues = ofcolor(I, ONE)
    start = first(blues)
    end = last(blues)
    total = add(start, end)
    middle = divide(total, TWO)
    arms = dneighbors(middle)
    plus = insert(middle, arms)
    drawn = fill(I, THREE, plus)
    return drawn


def solve_b27ca6d3(I):
    """Every red piece of two cells is framed in green."""
    pieces = objects(I, T, F, T)
    twos = sizefilter(pieces, TWO)
    frames = mapply(outbox, twos)
    framed = fill(I, THREE, frames)
    return framed


def solve_bb43febb(I):
    """The inside of every grey rectangle turns red, leaving a grey frame."""
    parts = objects(I, T, F, F)
    blocks = colorfilter(parts, FIVE)
    inside = compose(backdrop, inbox)
    insides = mapply(inside, blocks)
    filled = fill(I, TWO, insides)
    return filled


def solve_b6afb2da(I):
    """Every grey block gets blue corners, yellow edges and a red inside."""
    parts = objects(I, T, F, F)
    blocks = colorfilter(parts, FIVE)
    edges = mapply(box, blocks)
    tips = mapply(corners, blocks)
    red = replace(I, FIVE, TWO)
    edged = fill(red, FOUR, edges)
    tipped = fill(edged, ONE, tips)
    return tipped


def solve_c0f76784(I):
    """Every hollow grey square is filled with a color that goes by the width of its hole."""
    squares = objects(I, T, F, T)
    from_width = lbind(add, FIVE)
    hole_color = chain(from_width, width, delta)
    filling = fork(recolor, hole_color, delta)
    fillings = mapply(filling, squares)
    filled = paint(I, fillings)
    return filled


def solve_b548a754(I):
    """The framed box grows until it reaches the lone cyan cell."""
    mark = ofcolor(I, EIGHT)
    cleared = cover(I, mark)
    parts = fgpartition(cleared)
    frame = argmax(parts, width)
    core = argmin(parts, width)
    frame_color = color(frame)
    core_color = color(core)
    places = toindices(frame)
    reach = combine(places, mark)
    area = backdrop(reach)
    outline = box(reach)
    solid = fill(I, core_color, area)
    grown = fill(solid, frame_color, outline)
    return grown


def solve_c1d99e64(I):
    """Every empty row or column that runs across the whole grid turns red."""
    lines = frontiers(I)
    cells = merge(lines)
    crossed = fill(I, TWO, cells)
    return crossed


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


def solve_bdad9b1f(I):
    """The red line fills its row and the cyan line its column, and they cross in yellow."""
    red = ofcolor(I, TWO)
    cyan = ofcolor(I, EIGHT)
    red_middle = center(red)
    cyan_middle = center(cyan)
    row = hfrontier(red_middle)
    column = vfrontier(cyan_middle)
    crossing = intersection(row, column)
    with_row = fill(I, TWO, row)
    with_column = fill(with_row, EIGHT, column)
    crossed = fill(with_column, FOUR, crossing)
    return crossed


def solve_d23f8c26(I):
    """Only the middle column stays."""
    columns = width(I)
    middle = halve(columns)
    place = tojvec(middle)
    column = vfrontier(place)
    everywhere = asindices(I)
    rest = difference(everywhere, column)
    kept = fill(I, ZERO, rest)
    return kept


def solve_ba26e723(I):
    """The yellow cells of every third column turn magenta."""
    down = height(I)
    across = width(I)
    rows = interval(ZERO, down, ONE)
    columns = interval(ZERO, across, THREE)
    places = product(rows, columns)
    yellow = ofcolor(I, FOUR)
    chosen = intersection(places, yellow)
    striped = fill(I, SIX, chosen)
    return striped


def solve_d406998b(I):
    """Counted from the right edge, the grey cells of every other column turn green."""
    columns = width(I)
    edge = decrement(columns)
    chosen = interval(edge, NEG_ONE, NEG_TWO)
    column_at = compose(vfrontier, tojvec)
    cells = mapply(column_at, chosen)
    green = replace(I, FIVE, THREE)
    stripes = toobject(cells, green)
    striped = paint(I, stripes)
    return striped


def solve_f5b8619d(I):
    """Columns with a colored cell turn cyan where empty, and the result is tiled two by two."""
    colored = fgpartition(I)
    dots = merge(colored)
    places = toindices(dots)
    columns = mapply(vfrontier, places)
    striped = underfill(I, EIGHT, columns)
    row = hconcat(striped, striped)
    tiled = vconcat(row, row)
    return tiled


def solve_e48d4e1a(I):
    """The cross moves one step down and one to the left for every grey cell."""
    grey = ofcolor(I, FIVE)
    cleared = cover(I, grey)
    lines = frontiers(cleared)
    row = extract(lines, hline)
    column = extract(lines, vline)
    top = uppermost(row)
    left = leftmost(column)
    crossing = astuple(top, left)
    steps = size(grey)
    offset = multiply(steps, DOWN_LEFT)
    target = add(crossing, offset)
    arms = astuple(hfrontier, vfrontier)
    moved = rapply(arms, target)
    cells = merge(moved)
    cross_color = color(row)
    everywhere = asindices(I)
    blank = fill(I, ZERO, everywhere)
    crossed = fill(blank, cross_color, cells)
    return crossed


def solve_dbc1a6ce(I):
    """Blue cells that share a row or a column are joined by a cyan line."""
    blues = ofcolor(I, ONE)
    links = prapply(connect, blues, blues)
    straight = fork(either, hline, vline)
    lines = mfilter(links, straight)
    joined = underfill(I, EIGHT, lines)
    return joined


def solve_ded97339(I):
    """Cyan cells that share a row or a column are joined by a line."""
    dots = ofcolor(I, EIGHT)
    pairs = product(dots, dots)
    start_row = compose(first, first)
    start_column = compose(last, first)
    end_row = compose(first, last)
    end_column = compose(last, last)
    same_row = fork(equality, start_row, end_row)
    same_column = fork(equality, start_column, end_column)
    aligned = fork(either, same_row, same_column)
    chosen = sfilter(pairs, aligned)
    line = fork(connect, first, last)
    lines = mapply(line, chosen)
    joined = fill(I, EIGHT, lines)
    return joined


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


def solve_d6ad076f(I):
    """A cyan bridge joins the two blocks where they face, one cell narrower on either side."""
    blocks = fgpartition(I)
    block = first(blocks)
    partner = last(blocks)
    starts = toindices(block)
    ends = toindices(partner)
    links = prapply(connect, starts, ends)
    straight = fork(either, hline, vline)
    facing = mfilter(links, straight)
    edges = inbox(facing)
    bridge = backdrop(edges)
    bridged = underfill(I, EIGHT, bridge)
    return bridged


def solve_fcc82909(I):
    """Under every block a green column grows, as tall as the block has colors."""
    blocks = objects(I, F, F, T)
    drop = compose(toivec, numcolors)
    left_end = fork(add, llcorner, drop)
    right_end = fork(add, lrcorner, drop)
    left_line = fork(connect, llcorner, left_end)
    right_line = fork(connect, lrcorner, right_end)
    column = fork(combine, left_line, right_line)
    columns = mapply(column, blocks)
    grown = underfill(I, THREE, columns)
    return grown


def solve_bbc9ae5d(I):
    """The bar grows by one cell in each new row, for half as many rows as the grid is wide."""
    bar_color = index(I, ORIGIN)
    bar = ofcolor(I, bar_color)
    right = rightmost(bar)
    start = tojvec(right)
    ends = shoot(start, UNITY)
    row_start = compose(toivec, first)
    row_to = fork(connect, row_start, identity)
    rows = mapply(row_to, ends)
    across = width(I)
    down = halve(across)
    dimensions = astuple(down, across)
    blank = canvas(ZERO, dimensions)
    grown = fill(blank, bar_color, rows)
    return grown


def solve_feca6190(I):
    """The row climbs diagonally through a square five times as wide as it has colored cells."""
    colored = fgpartition(I)
    dots = merge(colored)
    count = size(dots)
    side = multiply(FIVE, count)
    dimensions = astuple(side, side)
    blank = canvas(ZERO, dimensions)
    bottom = decrement(side)
    start = toivec(bottom)
    climb = shoot(start, UP_RIGHT)
    copy_at = lbind(shift, dots)
    copies = mapply(copy_at, climb)
    climbed = paint(blank, copies)
    return climbed


def solve_b8cdaf2b(I):
    """The middle of the bottom row sends two diagonal rays up from the cells above it."""
    core_color = leastcolor(I)
    core = ofcolor(I, core_color)
    bump = shift(core, UP)
    left = ulcorner(bump)
    right = urcorner(bump)
    starts = astuple(left, right)
    slopes = astuple(NEG_UNITY, UP_RIGHT)
    rays = papply(shoot, starts, slopes)
    cells = merge(rays)
    lit = underfill(I, core_color, cells)
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


def solve_d4f3cd78(I):
    """The grey box is filled in cyan, which leaks out through its gap in a straight line."""
    grey = ofcolor(I, FIVE)
    outline = box(grey)
    missing = difference(outline, grey)
    gap = first(missing)
    ways = dneighbors(ORIGIN)
    ray = lbind(shoot, gap)
    rays = apply(ray, ways)
    grey_in = lbind(intersection, grey)
    grey_count = compose(size, grey_in)
    is_free = matcher(grey_count, ZERO)
    leak = mfilter(rays, is_free)
    inside = delta(grey)
    filled = fill(I, EIGHT, inside)
    leaked = fill(filled, EIGHT, leak)
    return leaked


def solve_db93a21d(I):
    """Every maroon square gets a green border half its width and sheds blue down to the bottom."""
    maroon = ofcolor(I, NINE)
    squares = objects(I, T, F, T)
    margin = compose(halve, width)
    start = fork(subtract, ulcorner, margin)
    end = fork(add, lrcorner, margin)
    span = fork(astuple, start, end)
    bordered = compose(backdrop, span)
    borders = mapply(bordered, squares)
    falling = rbind(shoot, DOWN)
    trails = mapply(falling, maroon)
    trailed = fill(I, ONE, trails)
    greened = fill(trailed, THREE, borders)
    finished = fill(greened, NINE, maroon)
    return finished


def solve_d43fd935(I):
    """Every cell in line with the green block draws a line of its color up to the block."""
    block = ofcolor(I, THREE)
    others = replace(I, THREE, ZERO)
    parts = objects(others, T, F, T)
    cells = merge(parts)
    dots = apply(initset, cells)
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


def solve_ecdecbb3(I):
    """Every red cell shoots at the cyan lines it can see, and each hit is ringed in cyan."""
    cyan = ofcolor(I, EIGHT)
    parts = objects(I, T, F, T)
    dots = colorfilter(parts, TWO)
    lines = colorfilter(parts, EIGHT)
    pairs = product(dots, lines)
    start = compose(center, first)
    gap = fork(gravitate, first, last)
    way = compose(crement, gap)
    target = fork(add, start, way)
    shot = fork(connect, start, target)
    shots = apply(shot, pairs)
    hits_of = lbind(intersection, cyan)
    hit_count = compose(size, hits_of)
    stops_there = matcher(hit_count, ONE)
    seen = mfilter(shots, stops_there)
    hits = intersection(cyan, seen)
    rings = mapply(neighbors, hits)
    drawn = fill(I, TWO, seen)
    ringed = fill(drawn, EIGHT, rings)
    return ringed


def solve_db3e9e38(I):
    """The orange line spreads like a fan whose columns alternate between orange and cyan."""
    line = ofcolor(I, SEVEN)
    rightward = shoot(ORIGIN, UP_RIGHT)
    leftward = shoot(ORIGIN, NEG_UNITY)
    offsets = combine(rightward, leftward)
    even_offsets = apply(double, offsets)
    copy_at = lbind(shift, line)
    fan = mapply(copy_at, offsets)
    stripes = mapply(copy_at, even_offsets)
    spread = fill(I, EIGHT, fan)
    striped = fill(spread, SEVEN, stripes)
    return striped


def solve_d06dbe63(I):
    """Grey stairs climb to the right from the cyan cell and descend to the left from it."""
    turn = double(UP)
    end = add(turn, RIGHT)
    riser = connect(ORIGIN, turn)
    tread = connect(turn, end)
    step = combine(riser, tread)
    diagonal = shoot(ORIGIN, UP_RIGHT)
    landings = apply(double, diagonal)
    step_at = lbind(shift, step)
    rising = mapply(step_at, landings)
    falling = apply(invert, rising)
    stairs = combine(rising, falling)
    cyan = ofcolor(I, EIGHT)
    start = first(cyan)
    placed = shift(stairs, start)
    built = underfill(I, FIVE, placed)
    return built


def solve_d8c310e9(I):
    """The frieze at the bottom goes on with its own period up to the right edge."""
    colored = fgpartition(I)
    frieze = merge(colored)
    period = hperiod(frieze)
    across = width(I)
    starts = interval(ZERO, across, period)
    offsets = apply(tojvec, starts)
    copy_at = lbind(shift, frieze)
    copies = mapply(copy_at, offsets)
    continued = paint(I, copies)
    return continued


def solve_caa06a1f(I):
    """The pattern moves one column to the left and covers the whole grid."""
    core = compress(I)
    pattern = asobject(core)
    down = vperiod(pattern)
    across = hperiod(pattern)
    dimensions = astuple(down, across)
    unit = crop(I, RIGHT, dimensions)
    tile = asobject(unit)
    bottom = height(I)
    right = width(I)
    rows = interval(ZERO, bottom, down)
    columns = interval(ZERO, right, across)
    starts = product(rows, columns)
    copy_at = lbind(shift, tile)
    copies = mapply(copy_at, starts)
    covered = paint(I, copies)
    return covered


def solve_c444b776(I):
    """The drawing in one pane is copied into all panes between the yellow lines."""
    regions = objects(I, T, F, F)
    panes = colorfilter(regions, ZERO)
    drawn = argmin(panes, size)
    picture = subgrid(drawn, I)
    drawing = asobject(picture)
    starts = apply(ulcorner, panes)
    copy_at = lbind(shift, drawing)
    copies = mapply(copy_at, starts)
    filled = paint(I, copies)
    return filled


def solve_d037b0a7(I):
    """Every colored cell drips down to the bottom."""
    lower = rbind(shift, DOWN)
    lowered = compose(lower, asobject)
    drip = fork(underpaint, identity, lowered)
    drips = power(drip, TWO)
    dripped = drips(I)
    return dripped


def solve_dc433765(I):
    """The green cell takes one step towards the yellow one."""
    green = ofcolor(I, THREE)
    yellow = ofcolor(I, FOUR)
    start = center(green)
    goal = center(yellow)
    way = subtract(goal, start)
    step = sign(way)
    walker = recolor(THREE, green)
    stepped = move(I, walker, step)
    return stepped


def solve_ae3edfdc(I):
    """Green cells fly in until they touch the red cell, and orange cells the blue one."""
    dots = objects(I, T, F, T)
    greens = colorfilter(dots, THREE)
    oranges = colorfilter(dots, SEVEN)
    red = ofcolor(I, TWO)
    blue = ofcolor(I, ONE)
    from_red = lbind(position, red)
    from_blue = lbind(position, blue)
    green_sides = apply(from_red, greens)
    orange_sides = apply(from_blue, oranges)
    beside_red = lbind(shift, red)
    beside_blue = lbind(shift, blue)
    near_red = mapply(beside_red, green_sides)
    near_blue = mapply(beside_blue, orange_sides)
    no_green = replace(I, THREE, ZERO)
    cleared = replace(no_green, SEVEN, ZERO)
    greened = fill(cleared, THREE, near_red)
    landed = fill(greened, SEVEN, near_blue)
    return landed


def solve_d89b689b(I):
    """Each of the four dots takes the cell of the cyan square nearest to it."""
    target = ofcolor(I, EIGHT)
    cells = apply(initset, target)
    emptied = cover(I, target)
    dots = objects(emptied, T, F, T)
    distance_from = lbind(lbind, manhattan)
    closest_by = lbind(argmin, cells)
    nearest = compose(closest_by, distance_from)
    landing = fork(recolor, color, nearest)
    landed = mapply(landing, dots)
    everywhere = asindices(I)
    blank = fill(I, ZERO, everywhere)
    gathered = paint(blank, landed)
    return gathered


def solve_ce9e57f2(I):
    """The lower half of every red line turns cyan."""
    reds = ofcolor(I, TWO)
    lines = objects(I, T, F, T)
    half = compose(halve, height)
    drop = fork(subtract, height, half)
    offset = compose(toivec, drop)
    lowered = fork(shift, toindices, offset)
    moved = mapply(lowered, lines)
    lower = intersection(reds, moved)
    halved = fill(I, EIGHT, lower)
    return halved


def solve_aabf363d(I):
    """The shape takes the color of the mark in the bottom corner, and the mark vanishes."""
    parts = objects(I, T, F, T)
    mark = argmax(parts, lowermost)
    figure = argmin(parts, lowermost)
    mark_color = color(mark)
    cleared = cover(I, mark)
    colored = fill(cleared, mark_color, figure)
    return colored


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


def solve_d90796e8(I):
    """Where a green and a red cell touch, the green one turns cyan and the red one vanishes."""
    cells = objects(I, T, F, T)
    greens = colorfilter(cells, THREE)
    reds = colorfilter(cells, TWO)
    pairs = product(greens, reds)
    touch = fork(adjacent, first, last)
    touching = sfilter(pairs, touch)
    turning = mapply(first, touching)
    vanishing = mapply(last, touching)
    cleared = cover(I, vanishing)
    turned = fill(cleared, EIGHT, turning)
    return turned


def solve_b2862040(I):
    """Blue shapes that enclose a hole turn cyan."""
    parts = objects(I, T, F, F)
    shapes = colorfilter(parts, ONE)
    is_ground = matcher(color, NINE)
    at_border = rbind(bordering, I)
    is_inside = compose(flip, at_border)
    is_hole = fork(both, is_ground, is_inside)
    holes = sfilter(parts, is_hole)
    pairs = product(shapes, holes)
    touch = fork(adjacent, first, last)
    touching = sfilter(pairs, touch)
    closed = mapply(first, touching)
    colored = fill(I, EIGHT, closed)
    return colored


def solve_b9b7f026(I):
    """Of the rectangles, the one with a hole gives its color to a single cell."""
    blocks = objects(I, T, F, T)
    area = fork(multiply, height, width)
    has_hole = fork(greater, area, size)
    holed = extract(blocks, has_hole)
    block_color = color(holed)
    answer = canvas(block_color, UNITY)
    return answer


def solve_ff28f65a(I):
    """One blue cell is set for each red square, in reading order on a small checkerboard."""
    tile = canvas(TWO, TWO_BY_TWO)
    pattern = asobject(tile)
    places = occurrences(I, pattern)
    blank = canvas(ZERO, THREE_BY_THREE)
    board = asindices(blank)
    tips = corners(board)
    spots = insert(UNITY, tips)
    pairs = pair(places, spots)
    marked = apply(last, pairs)
    counted = fill(blank, ONE, marked)
    return counted


def solve_d9fac9be(I):
    """Of the two colors, the one that is ringed by the other fills a single cell."""
    all_colors = palette(I)
    colors = remove(ZERO, all_colors)
    one = first(colors)
    two = last(colors)
    around = neighbors(UNITY)
    ring = recolor(one, around)
    rings = occurrences(I, ring)
    ringed = branch(rings, two, one)
    answer = canvas(ringed, UNITY)
    return answer
