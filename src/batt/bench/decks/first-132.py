"""The first 132 solvers of the built-in deck. They never change: `batt bench` compares figures over time with them."""

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


def solve_56ff96f3(I):
    """The dots of each colour are opposite corners of a rectangle to fill with that colour."""
    dots = fgpartition(I)
    to_rectangle = fork(recolor, color, backdrop)
    rectangles = mapply(to_rectangle, dots)
    result = paint(I, rectangles)
    return result


def solve_5c0a986e(I):
    """The blue square sends a diagonal ray up and left, the red one a ray down and right."""
    blue_square = ofcolor(I, ONE)
    blue_start = ulcorner(blue_square)
    blue_ray = shoot(blue_start, NEG_UNITY)
    red_square = ofcolor(I, TWO)
    red_start = lrcorner(red_square)
    red_ray = shoot(red_start, UNITY)
    with_blue = fill(I, ONE, blue_ray)
    result = fill(with_blue, TWO, red_ray)
    return result


def solve_5c2c9af4(I):
    """Three dots on a diagonal set the centre and the spacing of nested square outlines."""
    hue = leastcolor(I)
    dots = ofcolor(I, hue)
    middle = centerofmass(dots)
    top = minimum(dots)
    step = subtract(middle, top)
    counts = interval(ONE, TEN, ONE)
    times_step = lbind(multiply, step)
    steps = apply(times_step, counts)
    before = lbind(subtract, middle)
    after = lbind(add, middle)
    to_diagonal = fork(astuple, before, after)
    to_outline = compose(box, to_diagonal)
    outlines = mapply(to_outline, steps)
    result = fill(I, hue, outlines)
    return result


def solve_60b61512(I):
    """The gaps in the bounding box of each shape turn orange."""
    objs = objects(I, T, T, T)
    gaps = mapply(delta, objs)
    result = fill(I, SEVEN, gaps)
    return result


def solve_63613498(I):
    """The shape with the same outline as the sample in the upper left corner turns grey."""
    objs = objects(I, T, F, T)
    reach = fork(add, lowermost, rightmost)
    sample = argmin(objs, reach)
    outline = compose(toindices, normalize)
    wanted = outline(sample)
    alike = matcher(outline, wanted)
    twins = sfilter(objs, alike)
    twin = other(twins, sample)
    result = fill(I, FIVE, twin)
    return result


def solve_6455b5f5(I):
    """The largest black room turns blue and the smallest rooms turn light blue."""
    regions = objects(I, T, F, F)
    rooms = colorfilter(regions, ZERO)
    largest = argmax(rooms, size)
    least = valmin(rooms, size)
    smallest = sizefilter(rooms, least)
    small_cells = merge(smallest)
    with_blue = fill(I, ONE, largest)
    result = fill(with_blue, EIGHT, small_cells)
    return result


def solve_67385a82(I):
    """Green objects turn light blue, but single green cells stay."""
    regions = objects(I, T, F, F)
    green = colorfilter(regions, THREE)
    singles = sizefilter(green, ONE)
    large = difference(green, singles)
    cells = merge(large)
    result = fill(I, EIGHT, cells)
    return result


def solve_67a423a3(I):
    """A yellow ring is drawn around the place where the two lines cross."""
    lines = fgpartition(I)
    tall = extract(lines, portrait)
    wide = other(lines, tall)
    row = uppermost(wide)
    column = leftmost(tall)
    crossing = astuple(row, column)
    spot = initset(crossing)
    ring = outbox(spot)
    result = fill(I, FOUR, ring)
    return result


def solve_694f12f3(I):
    """The inside of the larger rectangle turns red, the inside of the smaller one blue."""
    regions = objects(I, T, F, F)
    rectangles = colorfilter(regions, FOUR)
    larger = argmax(rectangles, size)
    smaller = argmin(rectangles, size)
    inside = compose(backdrop, inbox)
    inside_larger = inside(larger)
    inside_smaller = inside(smaller)
    with_red = fill(I, TWO, inside_larger)
    result = fill(with_red, ONE, inside_smaller)
    return result


def solve_6c434453(I):
    """Every ring of eight blue cells becomes a red plus sign."""
    objs = objects(I, T, F, T)
    rings = sizefilter(objs, EIGHT)
    arms = compose(dneighbors, center)
    to_plus = fork(insert, center, arms)
    pluses = mapply(to_plus, rings)
    ring_cells = merge(rings)
    cleared = cover(I, ring_cells)
    result = fill(cleared, TWO, pluses)
    return result


def solve_6cdd2623(I):
    """Dots of the rarest colour facing each other on opposite edges are joined, the rest goes."""
    hue = leastcolor(I)
    dots = ofcolor(I, hue)
    segments = prapply(connect, dots, dots)
    columns = width(I)
    rows = height(I)
    across = sizefilter(segments, columns)
    down = sizefilter(segments, rows)
    lines = combine(across, down)
    line_cells = merge(lines)
    area = astuple(rows, columns)
    blank = canvas(ZERO, area)
    result = fill(blank, hue, line_cells)
    return result


def solve_6e02f1e3(I):
    """One colour gives a top row, two colours a falling diagonal, three a rising one."""
    count = numcolors(I)
    is_two = equality(count, TWO)
    is_three = equality(count, THREE)
    start = branch(is_three, TWO_BY_ZERO, ORIGIN)
    end = branch(is_two, TWO_BY_TWO, ZERO_BY_TWO)
    line = connect(start, end)
    blank = canvas(ZERO, THREE_BY_THREE)
    result = fill(blank, FIVE, line)
    return result


def solve_6e82a1ae(I):
    """Grey objects of four, three and two cells turn blue, red and green."""
    objs = objects(I, T, F, T)
    from_five = lbind(subtract, FIVE)
    hue = compose(from_five, size)
    to_hue = fork(recolor, hue, identity)
    recolored = mapply(to_hue, objs)
    result = paint(I, recolored)
    return result


def solve_72ca375d(I):
    """The answer is the one object that is its own mirror image from left to right."""
    objs = objects(I, T, T, T)
    cut_out = rbind(subgrid, I)
    pieces = apply(cut_out, objs)
    symmetric = fork(equality, identity, vmirror)
    result = extract(pieces, symmetric)
    return result


def solve_7b6016b9(I):
    """Black regions shut in by the lines turn red and the open background turns green."""
    regions = objects(I, T, F, F)
    black = colorfilter(regions, ZERO)
    at_edge = rbind(bordering, I)
    shut_in = compose(flip, at_edge)
    holes = mfilter(black, shut_in)
    filled = fill(I, TWO, holes)
    result = replace(filled, ZERO, THREE)
    return result


def solve_810b9b61(I):
    """Closed rectangular outlines turn green, while straight lines and open shapes stay."""
    objs = objects(I, T, F, T)
    on_outline = fork(equality, toindices, box)
    outlines = sfilter(objs, on_outline)
    straight = fork(either, hline, vline)
    lines = sfilter(outlines, straight)
    closed = difference(outlines, lines)
    closed_cells = merge(closed)
    result = fill(I, THREE, closed_cells)
    return result


def solve_85c4e7cd(I):
    """Nested rings keep their places but take their colours in the reverse order."""
    rings = partition(I)
    outward = order(rings, size)
    hues = apply(color, outward)
    largest_first = compose(invert, size)
    inward = order(rings, largest_first)
    recolored = mpapply(recolor, hues, inward)
    result = paint(I, recolored)
    return result


def solve_868de0fa(I):
    """Square rooms with an even side turn red, those with an odd side orange."""
    regions = objects(I, T, F, F)
    black = colorfilter(regions, ZERO)
    rooms = sfilter(black, square)
    even_side = compose(even, height)
    even_rooms = sfilter(rooms, even_side)
    odd_rooms = difference(rooms, even_rooms)
    even_cells = merge(even_rooms)
    odd_cells = merge(odd_rooms)
    with_red = fill(I, TWO, even_cells)
    result = fill(with_red, SEVEN, odd_cells)
    return result


def solve_88a10436(I):
    """A copy of the colourful object is drawn centred on the grey cell, which it replaces."""
    objs = objects(I, F, F, T)
    is_grey = matcher(color, FIVE)
    marker = extract(objs, is_grey)
    figure = other(objs, marker)
    target = center(marker)
    source = center(figure)
    offset = subtract(target, source)
    copied = shift(figure, offset)
    result = paint(I, copied)
    return result


def solve_88a62173(I):
    """The answer is the one quarter of the grid that differs from the other three."""
    halves = vsplit(I, TWO)
    in_two = rbind(hsplit, TWO)
    quarters = mapply(in_two, halves)
    result = leastcommon(quarters)
    return result


def solve_8efcae92(I):
    """The answer is the blue rectangle with the most red cells in it."""
    regions = objects(I, T, F, F)
    blue = colorfilter(regions, ONE)
    look_up = rbind(toobject, I)
    contents = compose(look_up, backdrop)
    rectangles = apply(contents, blue)
    red_cells = rbind(colorcount, TWO)
    richest = argmax(rectangles, red_cells)
    result = subgrid(richest, I)
    return result


def solve_90c28cc7(I):
    """Each coloured block of the patchwork shrinks to a single cell."""
    blocks = fgpartition(I)
    patchwork = merge(blocks)
    cropped = subgrid(patchwork, I)
    thin_and_turn = compose(dmirror, dedupe)
    thin_both_ways = power(thin_and_turn, TWO)
    result = thin_both_ways(cropped)
    return result


def solve_928ad970(I):
    """A frame in the colour of the figure is drawn just inside the four grey dots."""
    hues = palette(I)
    not_black = remove(ZERO, hues)
    hue = other(not_black, FIVE)
    dots = ofcolor(I, FIVE)
    frame = inbox(dots)
    colored = recolor(hue, frame)
    result = underpaint(I, colored)
    return result


def solve_941d9a10(I):
    """The upper left room turns blue, the middle room red and the lower right room green."""
    regions = objects(I, T, F, F)
    rooms = colorfilter(regions, ZERO)
    reach = fork(add, lowermost, rightmost)
    nearest = argmin(rooms, reach)
    farthest = argmax(rooms, reach)
    places = asindices(I)
    middle = center(places)
    has_middle = lbind(contained, middle)
    around_middle = compose(has_middle, toindices)
    central = extract(rooms, around_middle)
    with_blue = fill(I, ONE, nearest)
    with_red = fill(with_blue, TWO, central)
    result = fill(with_red, THREE, farthest)
    return result


def solve_94f9d214(I):
    """Cells that are black in both the top and the bottom half turn red."""
    cuts = astuple(tophalf, bottomhalf)
    halves = rapply(cuts, I)
    black_cells = rbind(ofcolor, ZERO)
    black = apply(black_cells, halves)
    black_above = first(black)
    black_below = last(black)
    shared = intersection(black_above, black_below)
    upper = first(halves)
    area = shape(upper)
    blank = canvas(ZERO, area)
    result = fill(blank, TWO, shared)
    return result


def solve_952a094c(I):
    """The cells in the corners inside the frame move outside it, each past the opposite corner."""
    objs = objects(I, T, F, T)
    frame = argmax(objs, size)
    inner = inbox(frame)
    outer = outbox(frame)
    sources = corners(inner)
    targets = corners(outer)
    forwards = totuple(sources)
    backwards = order(targets, invert)
    look_up = lbind(index, I)
    hues = apply(look_up, forwards)
    spots = apply(initset, backwards)
    moved = mpapply(recolor, hues, spots)
    cleared = cover(I, sources)
    result = paint(cleared, moved)
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


def solve_95990924(I):
    """Blue, red, green and yellow dots go diagonally outside the corners of each grey square."""
    squares = objects(I, T, F, T)
    rings = apply(outbox, squares)
    upper_left = apply(ulcorner, rings)
    upper_right = apply(urcorner, rings)
    lower_left = apply(llcorner, rings)
    lower_right = apply(lrcorner, rings)
    with_blue = fill(I, ONE, upper_left)
    with_red = fill(with_blue, TWO, upper_right)
    with_green = fill(with_red, THREE, lower_left)
    result = fill(with_green, FOUR, lower_right)
    return result


def solve_9af7a82c(I):
    """Each colour becomes a column as tall as its number of cells, the tallest first."""
    layers = partition(I)
    largest_first = compose(invert, size)
    ranked = order(layers, largest_first)
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


def solve_a1570a43(I):
    """The red shape moves into the box marked by the four green corner cells."""
    shapes = fgpartition(I)
    is_red = matcher(color, TWO)
    red = extract(shapes, is_red)
    green = other(shapes, red)
    green_corner = ulcorner(green)
    target = increment(green_corner)
    source = ulcorner(red)
    offset = subtract(target, source)
    result = move(I, red, offset)
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


def solve_a699fb00(I):
    """The gap between two blue cells that are two apart in a row turns red."""
    dots = ofcolor(I, ONE)
    segments = prapply(connect, dots, dots)
    short = sizefilter(segments, THREE)
    bridges = mfilter(short, hline)
    result = underfill(I, TWO, bridges)
    return result


def solve_a740d043(I):
    """The figure is cut out and its background turns black."""
    layers = fgpartition(I)
    figure = merge(layers)
    cropped = subgrid(figure, I)
    ground = mostcolor(I)
    result = replace(cropped, ground, ZERO)
    return result


def solve_a79310a0(I):
    """The object moves down by one row and turns red."""
    objs = objects(I, T, F, T)
    only = first(objs)
    moved = move(I, only, DOWN)
    result = replace(moved, EIGHT, TWO)
    return result


def solve_a85d4709(I):
    """A row turns red, yellow or green as its grey cell is on the left, in the middle or right."""
    grey = ofcolor(I, FIVE)
    on_left = matcher(last, ZERO)
    on_right = matcher(last, TWO)
    left_cells = sfilter(grey, on_left)
    right_cells = sfilter(grey, on_right)
    left_rows = mapply(hfrontier, left_cells)
    right_rows = mapply(hfrontier, right_cells)
    area = shape(I)
    yellow = canvas(FOUR, area)
    with_red = fill(yellow, TWO, left_rows)
    result = fill(with_red, THREE, right_rows)
    return result


def solve_a87f7484(I):
    """The answer is the piece whose outline differs from that of all the others."""
    layers = partition(I)
    not_black = compose(positive, color)
    colored = sfilter(layers, not_black)
    pieces = totuple(colored)
    outline = compose(toindices, normalize)
    outlines = apply(outline, pieces)
    rare = leastcommon(outlines)
    is_rare = matcher(outline, rare)
    odd = extract(pieces, is_rare)
    result = subgrid(odd, I)
    return result


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
