"""Forms that are recognised, matched, completed or taken apart, wherever they lie."""

from batt.dsl import *

from .idioms import (
    best_turned, bind_two, blank_like, cells_except, cells_of, copies_at, cross_lines, enclosed, foreground,
    is_frame, is_line, largest_first, objects_except, orientations, outline, place, regions_of, rim, shared_colour,
    solid_cells, stamp, turn_if, turned_back, unlike,
)


def partner_squares(couple):
    """The two cyan squares that complete a diagonal couple of squares to an X with a gap."""
    both_sides = width(couple)
    side = halve(both_sides)
    corner = ulcorner(couple)
    places = toindices(couple)
    falling = contained(corner, places)
    right = tojvec(THREE)
    below = toivec(THREE)
    start = branch(falling, right, ORIGIN)
    end = branch(falling, below, THREE_BY_THREE)
    one = initset(start)
    two = insert(end, one)
    cells = recolor(EIGHT, two)
    squares = upscale(cells, side)
    origin = subtract(corner, side)
    placed = shift(squares, origin)
    return placed


def solve_22233c11(I):
    """Every diagonal couple of squares gets two cyan squares, set off beyond its other two corners."""
    couples = objects(I, T, T, T)
    partners = mapply(partner_squares, couples)
    completed = paint(I, partners)
    return completed


def solve_810b9b61(I):
    """Closed rectangular outlines turn green, while straight lines and open shapes stay."""
    objs = objects(I, T, F, T)
    closed = mfilter(objs, is_frame)
    result = fill(I, THREE, closed)
    return result


def opposite_blocks(quad):
    """Blocks of four cells off the corners of the quad, each in the colour of the opposite corner."""
    upturned = hmirror(quad)
    turned = vmirror(upturned)
    grown = upscale(turned, THREE)
    start = double(NEG_UNITY)
    placed = shift(grown, start)
    lines = cross_lines(quad)
    on_lines = rbind(contained, lines)
    is_free = chain(flip, on_lines, last)
    blocks = sfilter(placed, is_free)
    return blocks


def solve_93b581b8(I):
    """Off each corner of the four cells stands a block in the colour of the opposite cell."""
    quads = objects(I, F, F, T)
    blocks = mapply(opposite_blocks, quads)
    drawn = underpaint(I, blocks)
    return drawn


def lean(figure):
    """The figure with all but its bottom row and its right column one step to the right."""
    places = toindices(figure)
    low_left = llcorner(figure)
    low_right = lrcorner(figure)
    top_right = urcorner(figure)
    bottom = connect(low_left, low_right)
    side = connect(top_right, low_right)
    fixed = combine(bottom, side)
    resting = intersection(places, fixed)
    free = difference(places, bottom)
    moved = shift(free, RIGHT)
    area = backdrop(figure)
    kept = intersection(moved, area)
    leaning = combine(resting, kept)
    return leaning


def solve_025d127b(I):
    """The slanted figures straighten up: all but the bottom row moves right, as far as the right edge lets it."""
    figures = objects(I, T, T, T)
    coloured = fork(recolor, color, lean)
    leaning = mapply(coloured, figures)
    blank = blank_like(I)
    drawn = paint(blank, leaning)
    return drawn


def sole_cover(tiles, cell):
    """The one tile that covers the cell as a set of tiles, empty if several do."""
    covers = lbind(contained, cell)
    own = sfilter(tiles, covers)
    all_own = initset(own)
    single = sizefilter(all_own, ONE)
    sole = merge(single)
    return sole


def tiles_of(grid, extent):
    """The rectangles of the extent in which all cells are ten, which marks what is still open."""
    tile = canvas(TEN, extent)
    pattern = asobject(tile)
    unit = asindices(tile)
    starts = occurrences(grid, pattern)
    tile_at = lbind(shift, unit)
    tiles = apply(tile_at, starts)
    return tiles


def lay_forced(grid):
    """Lay each square in cyan and each bar in red that alone can cover one of the open cells."""
    lying = astuple(ONE, THREE)
    upright = astuple(THREE, ONE)
    squares = tiles_of(grid, TWO_BY_TWO)
    lying_bars = tiles_of(grid, lying)
    upright_bars = tiles_of(grid, upright)
    bars = combine(lying_bars, upright_bars)
    tiles = combine(squares, bars)
    cells = ofcolor(grid, TEN)
    only_tile = lbind(sole_cover, tiles)
    forced = mapply(only_tile, cells)
    forced_squares = sizefilter(forced, FOUR)
    forced_bars = sizefilter(forced, THREE)
    square_cells = merge(forced_squares)
    bar_cells = merge(forced_bars)
    with_squares = fill(grid, EIGHT, square_cells)
    laid = fill(with_squares, TWO, bar_cells)
    return laid


def solve_150deff5(I):
    """The shape is laid out with cyan squares of two by two and red bars of three cells."""
    hue = leastcolor(I)
    opened = replace(I, hue, TEN)
    lay_out = power(lay_forced, TEN)
    laid = lay_out(opened)
    finished = replace(laid, TEN, TWO)
    return finished


def solve_7f4411dc(I):
    """Only the solid rectangles stay, and single cells and spikes vanish."""
    hue = leastcolor(I)
    blocks = solid_cells(I, hue)
    places = ofcolor(I, hue)
    cleared = cover(I, places)
    kept = fill(cleared, hue, blocks)
    return kept


def solve_4347f46a(I):
    """Every solid rectangle is hollowed out, so that only its outline stays."""
    blocks = objects(I, T, F, T)
    cells = merge(blocks)
    outlines = mapply(box, blocks)
    places = toindices(cells)
    insides = difference(places, outlines)
    hollowed = cover(I, insides)
    return hollowed


def notch_colour(block):
    """Green for notches at the sides, yellow for a notch at the bottom, cyan for a hole, red for a full block."""
    low = astuple(THREE, ONE)
    solid = index(block, ORIGIN)
    side = index(block, DOWN)
    bottom = index(block, low)
    middle = index(block, UNITY)
    bottom_solid = equality(bottom, solid)
    middle_solid = equality(middle, solid)
    side_solid = equality(side, solid)
    yellow_or_red = branch(bottom_solid, TWO, FOUR)
    not_sides = branch(middle_solid, yellow_or_red, EIGHT)
    answer = branch(side_solid, not_sides, THREE)
    return answer


def solve_995c5fa3(I):
    """Each block becomes a row whose colour stands for the place of its hole."""
    columns = width(I)
    longer = increment(columns)
    count = divide(longer, FIVE)
    blocks = hsplit(I, count)
    names = apply(notch_colour, blocks)
    upright = repeat(names, count)
    rows = dmirror(upright)
    return rows


def solve_6c434453(I):
    """Every frame becomes a red plus sign of the same size."""
    objs = objects(I, T, F, T)
    frames = sfilter(objs, is_frame)
    middle = chain(cross_lines, initset, center)
    to_plus = fork(intersection, middle, backdrop)
    pluses = mapply(to_plus, frames)
    cells = merge(frames)
    cleared = cover(I, cells)
    result = fill(cleared, TWO, pluses)
    return result


def solve_b2862040(I):
    """Shapes that enclose a hole turn cyan."""
    ground = mostcolor(I)
    shapes = objects(I, T, F, T)
    holes = enclosed(I, ground)
    pairs = product(shapes, holes)
    touch = fork(adjacent, first, last)
    touching = sfilter(pairs, touch)
    closed = mapply(first, touching)
    colored = fill(I, EIGHT, closed)
    return colored


def solve_d9fac9be(I):
    """Of the two colours, the one that is ringed by the other fills a single cell."""
    ground = mostcolor(I)
    all_colors = palette(I)
    colors = remove(ground, all_colors)
    one = first(colors)
    two = last(colors)
    around = neighbors(UNITY)
    ring = recolor(one, around)
    rings = occurrences(I, ring)
    ringed = branch(rings, two, one)
    answer = canvas(ringed, UNITY)
    return answer


def solve_0e206a2e(I):
    """The figures move onto the dots that mark where they belong, turned and mirrored as these ask."""
    parts = objects(I, F, T, T)
    cells = foreground(I)
    body = mostcolor(cells)
    has_body = rbind(colorcount, body)
    figures = sfilter(parts, has_body)
    figure_cells = merge(figures)
    cleared = cover(I, figure_cells)
    positions = mapply(orientations, figures)
    marks = rbind(cells_except, body)
    copies_on = lbind(copies_at, cleared)
    copy = fork(copies_on, marks, identity)
    copies = mapply(copy, positions)
    painted = paint(cleared, copies)
    return painted


def solve_63613498(I):
    """The shape with the same outline as the one in the fenced corner takes the colour of the fence."""
    objs = objects(I, T, F, T)
    room = compose(size, delta)
    fence = argmax(objs, room)
    inside = delta(fence)
    outside = rbind(difference, inside)
    is_inside = chain(flip, outside, toindices)
    sample = extract(objs, is_inside)
    wanted = outline(sample)
    alike = matcher(outline, wanted)
    twins = sfilter(objs, alike)
    twin = other(twins, sample)
    hue = color(fence)
    result = fill(I, hue, twin)
    return result


def solve_a87f7484(I):
    """The answer is the piece whose pattern differs from that of all the others."""
    tall = portrait(I)
    cut = branch(tall, vsplit, hsplit)
    colors = numcolors(I)
    count = decrement(colors)
    pieces = cut(I, count)
    one = first(pieces)
    two = last(pieces)
    ground = shared_colour(one, two)
    empty_in = rbind(ofcolor, ground)
    patterns = apply(empty_in, pieces)
    rare = leastcommon(patterns)
    is_rare = matcher(empty_in, rare)
    odd = extract(pieces, is_rare)
    return odd


def hue_of_nearest(sides, cell):
    """The place of the cell in the colour of the side nearest to it, or unchanged if two are as near."""
    spot = initset(cell)
    distance = rbind(manhattan, spot)
    ranked = order(sides, distance)
    nearest = first(ranked)
    rest = remove(nearest, ranked)
    second = first(rest)
    least = distance(nearest)
    next_least = distance(second)
    tied = equality(least, next_least)
    own_hue = first(cell)
    side_hue = color(nearest)
    hue = branch(tied, own_hue, side_hue)
    colored = recolor(hue, spot)
    return colored


def solve_9aec4887(I):
    """The figure goes into the frame, where its cells take the colour of the nearest side."""
    layers = fgpartition(I)
    sides = sfilter(layers, is_line)
    bent = difference(layers, sides)
    loose = first(bent)
    frame = merge(sides)
    corner = ulcorner(frame)
    target = increment(corner)
    small = normalize(loose)
    figure = shift(small, target)
    colored_by = lbind(hue_of_nearest, sides)
    colored = mapply(colored_by, figure)
    cleared = cover(I, loose)
    drawn = paint(cleared, colored)
    cut = subgrid(frame, drawn)
    return cut


def padded(grid):
    """The grid in a border of its most frequent colour, one cell wide."""
    extent = shape(grid)
    larger = add(extent, TWO)
    ground = mostcolor(grid)
    blank = canvas(ground, larger)
    cells = asobject(grid)
    inside = shift(cells, UNITY)
    answer = paint(blank, inside)
    return answer


def solve_7df24a62(I):
    """Wherever the dots stand as in the box, turned or mirrored in any way, such a box is drawn around them."""
    parts = objects(I, T, F, T)
    walls = argmax(parts, size)
    wall_colour = color(walls)
    ground = mostcolor(I)
    model = subgrid(walls, I)
    positions = orientations(model)
    to_ground = rbind(replace, ground)
    unwalled = rbind(to_ground, wall_colour)
    dots = compose(asobject, unwalled)
    larger = padded(I)
    copies_on = lbind(copies_at, larger)
    copy = fork(copies_on, dots, asobject)
    copies = mapply(copy, positions)
    boxes = shift(copies, NEG_UNITY)
    boxed = paint(I, boxes)
    return boxed


def fittings(plate, ground, piece):
    """The piece in every place where its cells in the colour of the plate just fill the holes."""
    loose = normalize(piece)
    hue = mostcolor(plate)
    is_hue = matcher(first, hue)
    core = sfilter(loose, is_hue)
    rest = difference(loose, core)
    gap = recolor(ground, core)
    solid = recolor(hue, rest)
    hole = combine(gap, solid)
    spots = occurrences(plate, hole)
    listed = totuple(spots)
    copy_at = lbind(shift, loose)
    answer = apply(copy_at, listed)
    return answer


def set_in(ground, state):
    """The plate with the first of the pieces set in, and the other pieces."""
    plate, pieces = state
    piece = first(pieces)
    forms = orientations(piece)
    fit = bind_two(fittings, plate, ground)
    fitted = mapply(fit, forms)
    chosen = first(fitted)
    filled = paint(plate, chosen)
    rest = remove(piece, pieces)
    answer = astuple(filled, rest)
    return answer


def solve_97a05b5b(I):
    """The pieces are turned and set into the holes of the plate that they fit."""
    objs = objects(I, F, T, T)
    ranked = largest_first(objs)
    largest = first(ranked)
    plate = subgrid(largest, I)
    others = remove(largest, ranked)
    is_plain = matcher(numcolors, ONE)
    is_piece = compose(flip, is_plain)
    pieces = sfilter(others, is_piece)
    ground = mostcolor(I)
    step = lbind(set_in, ground)
    count = size(pieces)
    set_all = power(step, count)
    state = astuple(plate, pieces)
    done = set_all(state)
    answer = first(done)
    return answer


def solve_e509e548(I):
    """Angles turn blue, open boxes magenta, and all other figures red."""
    objs = objects(I, T, F, T)
    inner = fork(difference, toindices, box)
    count_inner = compose(size, inner)
    on_outline = matcher(count_inner, ZERO)
    outlines = sfilter(objs, on_outline)
    sides = fork(add, height, width)
    two_sides = compose(decrement, sides)
    is_angle = fork(equality, size, two_sides)
    angles = sfilter(outlines, is_angle)
    others = merge(objs)
    boxes = merge(outlines)
    angle_cells = merge(angles)
    red = fill(I, TWO, others)
    magenta = fill(red, SIX, boxes)
    blue = fill(magenta, ONE, angle_cells)
    return blue


def solve_681b3aeb(I):
    """The two pieces are fitted together to a square."""
    pieces = objects(I, T, F, T)
    longer = compose(maximum, shape)
    side = valmax(pieces, longer)
    extent = astuple(side, side)
    blank = canvas(ZERO, extent)
    square_places = asindices(blank)
    outlines = apply(outline, pieces)
    left_over = lbind(difference, square_places)
    complement = chain(normalize, left_over, outline)
    is_outline = rbind(contained, outlines)
    fits = compose(is_outline, complement)
    piece = extract(pieces, fits)
    partner = other(pieces, piece)
    partner_hue = color(partner)
    rest = canvas(partner_hue, extent)
    fitted = place(rest, piece, ORIGIN)
    return fitted


def upper_part(piece, count):
    """The cells in the first count rows of a piece."""
    top = uppermost(piece)
    limit = add(top, count)
    row = compose(first, last)
    below_limit = lbind(greater, limit)
    is_upper = compose(below_limit, row)
    cells = sfilter(piece, is_upper)
    return cells


def fills(piece, gap):
    """Whether the upper part of the piece has exactly the form of the gap."""
    rows = height(gap)
    top = upper_part(piece, rows)
    top_form = outline(top)
    gap_form = outline(gap)
    answer = equality(top_form, gap_form)
    return answer


def raised_into(gaps, piece):
    """The piece moved so that its upper part lies in the largest of the gaps that it fills exactly."""
    filled_by = lbind(fills, piece)
    fitting = sfilter(gaps, filled_by)
    gap = argmax(fitting, size)
    rows = height(gap)
    top = upper_part(piece, rows)
    source = ulcorner(top)
    target = ulcorner(gap)
    offset = subtract(target, source)
    moved = shift(piece, offset)
    return moved


def solve_6a1e5592(I):
    """Every piece rises, in blue, into the largest gap of the wall that its upper part fills exactly."""
    ground = mostcolor(I)
    is_wall = unlike(ground)
    bricks = rbind(sfilter, is_wall)
    bricks_on_top = chain(size, bricks, first)
    upright, way = best_turned(I, bricks_on_top)
    wall_colour = index(upright, ORIGIN)
    wall = ofcolor(upright, wall_colour)
    wall_part = subgrid(wall, upright)
    gaps = regions_of(wall_part, ground)
    parts = objects(upright, T, F, T)
    pieces = objects_except(parts, wall_colour)
    rise = lbind(raised_into, gaps)
    raised = mapply(rise, pieces)
    piece_cells = merge(pieces)
    cleared = cover(upright, piece_cells)
    filled = fill(cleared, ONE, raised)
    answer = turned_back(filled, way)
    return answer


def solve_228f6490(I):
    """Each hole in the blocks is filled by the loose piece of the same shape, which leaves its old place."""
    ground = mostcolor(I)
    regions = enclosed(I, ground)
    look_up = rbind(toobject, I)
    rim_colours = chain(numcolors, look_up, rim)
    in_one_block = matcher(rim_colours, ONE)
    hollows = sfilter(regions, in_one_block)
    pieces = objects(I, T, F, T)
    outlines = apply(outline, pieces)
    known = rbind(contained, outlines)
    matched = compose(known, outline)
    holes = sfilter(hollows, matched)
    count_of = lbind(colorcount, I)
    rarity = compose(count_of, color)
    ranked = order(pieces, rarity)
    has_outline = lbind(matcher, outline)
    same_shape = compose(has_outline, outline)
    first_like = lbind(extract, ranked)
    partner = compose(first_like, same_shape)
    shade = compose(color, partner)
    filling = fork(recolor, shade, identity)
    fillings = mapply(filling, holes)
    used = mapply(partner, holes)
    cleared = cover(I, used)
    filled = paint(cleared, fillings)
    return filled


def imprint(body, state):
    """The next figure laid wherever the target has its marks, the cells not of the body's colour, on empty ground."""
    target, free, queue = state
    figure = first(queue)
    rest = remove(figure, queue)
    ground = mostcolor(target)
    inside = cells_of(figure, body)
    marks = difference(figure, inside)
    empty = recolor(ground, inside)
    pattern = combine(marks, empty)
    starts = occurrences(free, pattern)
    moved = normalize(figure)
    prints = stamp(moved, starts)
    drawn = paint(target, prints)
    still_free = fill(free, body, prints)
    next_state = (drawn, still_free, rest)
    return next_state


def solve_e6721834(I):
    """The figures of one half are laid onto the other half where their marks are found again, most marks first."""
    left_side = lefthalf(I)
    right_side = righthalf(I)
    left_ground = mostcolor(left_side)
    right_ground = mostcolor(right_side)
    stacked = equality(left_ground, right_ground)
    wide = turn_if(stacked, I)
    left = lefthalf(wide)
    right = righthalf(wide)
    both_halves = astuple(left, right)
    source = argmax(both_halves, numcolors)
    target = other(both_halves, source)
    figures = objects(source, F, F, T)
    all_cells = merge(figures)
    body = mostcolor(all_cells)
    body_count = rbind(colorcount, body)
    minus_marks = fork(subtract, body_count, size)
    queue = order(figures, minus_marks)
    state = (target, target, queue)
    lay = lbind(imprint, body)
    count = size(queue)
    lay_all = power(lay, count)
    end_state = lay_all(state)
    drawn = first(end_state)
    finished = turn_if(stacked, drawn)
    return finished
