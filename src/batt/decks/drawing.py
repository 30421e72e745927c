"""Figures that are drawn around or between given cells: rings, frames, squares, beams, stairs."""

from batt.dsl import *

from .idioms import (
    bind_two, blank_like, boxes_around, cells_except, cells_of, dividers, foreground, interior, solid_regions,
    stamp, star, straight_links, third_colour, turn_if, turned_back, turned_to_fit,
)


def solve_6f8cd79b(I):
    """The edge of the grid turns cyan."""
    cells = asindices(I)
    edge = box(cells)
    framed = fill(I, EIGHT, edge)
    return framed


def solve_4258a5f9(I):
    """Every dot gets a blue ring around it."""
    shade = leastcolor(I)
    dots = ofcolor(I, shade)
    rings = mapply(neighbors, dots)
    ringed = underfill(I, ONE, rings)
    return ringed


def solve_56ff96f3(I):
    """The dots of each colour are opposite corners of a rectangle to fill with that colour."""
    dots = fgpartition(I)
    to_rectangle = fork(recolor, color, backdrop)
    rectangles = mapply(to_rectangle, dots)
    result = paint(I, rectangles)
    return result


def solve_623ea044(I):
    """Every dot sends rays along all four diagonals."""
    hue = leastcolor(I)
    dots = ofcolor(I, hue)
    rays = mapply(star, dots)
    lit = fill(I, hue, rays)
    return lit


def solve_b27ca6d3(I):
    """Every red piece of two cells is framed in green."""
    pieces = objects(I, T, F, T)
    twos = sizefilter(pieces, TWO)
    frames = mapply(outbox, twos)
    framed = fill(I, THREE, frames)
    return framed


def solve_928ad970(I):
    """A frame in the colour of the figure is drawn just inside the four dots."""
    dot_color = leastcolor(I)
    hue = third_colour(I, dot_color)
    dots = ofcolor(I, dot_color)
    frame = inbox(dots)
    result = fill(I, hue, frame)
    return result


def solve_ce22a75a(I):
    """Every dot becomes a blue square of three by three."""
    shade = leastcolor(I)
    dots = ofcolor(I, shade)
    rings = mapply(neighbors, dots)
    squares = combine(dots, rings)
    drawn = fill(I, ONE, squares)
    return drawn


def solve_0ca9ddb6(I):
    """Red cells get yellow diagonal neighbours and blue cells orange ones at their sides."""
    reds = ofcolor(I, TWO)
    blues = ofcolor(I, ONE)
    tips = mapply(ineighbors, reds)
    sides = mapply(dneighbors, blues)
    tipped = fill(I, FOUR, tips)
    decorated = fill(tipped, SEVEN, sides)
    return decorated


def solve_31aa019c(I):
    """Only the dot whose colour occurs once stays, and it gets a red ring."""
    shade = leastcolor(I)
    dot = ofcolor(I, shade)
    ring = outbox(dot)
    blank = blank_like(I)
    ringed = fill(blank, TWO, ring)
    dotted = fill(ringed, shade, dot)
    return dotted


def marked_areas(places, layer):
    """The areas between four cells of the layer that mark the corners of a rectangle in which no other place lies."""
    dots = toindices(layer)
    spans = product(dots, dots)
    beyond = rbind(difference, dots)
    is_marked = chain(flip, beyond, corners)
    marked = sfilter(spans, is_marked)
    among = lbind(intersection, places)
    met = compose(among, backdrop)
    is_clear = fork(equality, met, corners)
    clear = sfilter(marked, is_clear)
    insides = mapply(interior, clear)
    return insides


def solve_af902bf9(I):
    """The area between four dots that mark the corners of a rectangle turns red."""
    layers = fgpartition(I)
    dots = merge(layers)
    places = toindices(dots)
    areas_of = lbind(marked_areas, places)
    areas = mapply(areas_of, layers)
    filled = fill(I, TWO, areas)
    return filled


def solve_67a423a3(I):
    """A yellow ring is drawn around the place where the two bars cross."""
    bars = fgpartition(I)
    areas = apply(backdrop, bars)
    one = first(areas)
    two = last(areas)
    crossing = intersection(one, two)
    ring = outbox(crossing)
    result = fill(I, FOUR, ring)
    return result


def odd_place(obj):
    """The place of the object's rarest colour."""
    hue = leastcolor(obj)
    is_hue = matcher(first, hue)
    cell = extract(obj, is_hue)
    answer = last(cell)
    return answer


def way_out(obj):
    """The direction that leads from the odd place of an object out of it."""
    start = odd_place(obj)
    beside = dneighbors(start)
    places = toindices(obj)
    outside = difference(beside, places)
    goal = first(outside)
    answer = subtract(goal, start)
    return answer


def beam(obj):
    """The ray that leaves an object from its odd place."""
    start = odd_place(obj)
    way = way_out(obj)
    answer = shoot(start, way)
    return answer


def broad_beam(obj):
    """The beam of the object, widened on both sides by one less than the object is thick."""
    extent = shape(obj)
    thick = minimum(extent)
    reach = decrement(thick)
    back = invert(reach)
    steps = interval(back, thick, ONE)
    way = way_out(obj)
    down = first(way)
    right = last(way)
    sideways = astuple(right, down)
    times = lbind(multiply, sideways)
    offsets = apply(times, steps)
    ray = beam(obj)
    copy_at = lbind(shift, ray)
    answer = mapply(copy_at, offsets)
    return answer


def solve_b527c5c6(I):
    """Every block shines out from its one odd cell: a ray of that colour in a broad beam of the block's."""
    blocks = objects(I, F, F, T)
    to_glow = fork(recolor, mostcolor, broad_beam)
    to_ray = fork(recolor, leastcolor, beam)
    glows = mapply(to_glow, blocks)
    rays = mapply(to_ray, blocks)
    shining = underpaint(I, glows)
    lit = paint(shining, rays)
    return lit


def solve_b60334d2(I):
    """Every dot opens into a hollow square with corners in its colour and blue sides."""
    hue = leastcolor(I)
    seeds = ofcolor(I, hue)
    tips = mapply(ineighbors, seeds)
    sides = mapply(dneighbors, seeds)
    cleared = cover(I, seeds)
    cornered = fill(cleared, hue, tips)
    squares = fill(cornered, ONE, sides)
    return squares


def solve_b6afb2da(I):
    """Every block gets blue corners, yellow edges and a red inside."""
    blocks = solid_regions(I)
    cells = merge(blocks)
    edges = mapply(box, blocks)
    tips = mapply(corners, blocks)
    red = fill(I, TWO, cells)
    edged = fill(red, FOUR, edges)
    tipped = fill(edged, ONE, tips)
    return tipped


def is_free_way(field, path, head, way):
    """Whether the path may go on that way: inside the field and not close up to itself."""
    step = add(head, way)
    beyond = add(step, way)
    ahead = connect(step, beyond)
    met = intersection(ahead, path)
    blocked = size(met)
    clear = flip(blocked)
    inside = contained(step, field)
    answer = both(inside, clear)
    return answer


def wind(field, state):
    """One step of a path that turns right where the field ends or the path itself comes near."""
    path, head, way = state
    down, across = way
    back = invert(down)
    turn = astuple(across, back)
    free = is_free_way(field, path, head, way)
    free_turn = is_free_way(field, path, head, turn)
    new_way = branch(free, way, turn)
    moving = either(free, free_turn)
    step = add(head, new_way)
    new_head = branch(moving, step, head)
    longer = insert(new_head, path)
    new_state = (longer, new_head, new_way)
    return new_state


def solve_28e73c20(I):
    """A green spiral winds from the upper left corner to the middle, one row apart from itself."""
    field = asindices(I)
    start = initset(ORIGIN)
    state = (start, ORIGIN, RIGHT)
    step = lbind(wind, field)
    walk = power(step, 500)
    end_state = walk(state)
    path = first(end_state)
    drawn = fill(I, THREE, path)
    return drawn


def solve_5c2c9af4(I):
    """Three dots on a diagonal set the centre and the spacing of nested square outlines."""
    hue = leastcolor(I)
    dots = ofcolor(I, hue)
    middle = centerofmass(dots)
    spot = initset(middle)
    top = minimum(dots)
    gap = subtract(middle, top)
    outlines = boxes_around(spot, gap)
    result = fill(I, hue, outlines)
    return result


def solve_913fb3ed(I):
    """Red, green and cyan cells get a ring in blue, magenta and yellow."""
    reds = ofcolor(I, TWO)
    greens = ofcolor(I, THREE)
    cyans = ofcolor(I, EIGHT)
    around_red = mapply(neighbors, reds)
    around_green = mapply(neighbors, greens)
    around_cyan = mapply(neighbors, cyans)
    with_blue = fill(I, ONE, around_red)
    with_magenta = fill(with_blue, SIX, around_green)
    with_yellow = fill(with_magenta, FOUR, around_cyan)
    return with_yellow


def solve_d6ad076f(I):
    """A cyan bridge joins the two blocks where they face, one cell narrower on either side."""
    blocks = fgpartition(I)
    block = first(blocks)
    partner = last(blocks)
    starts = toindices(block)
    ends = toindices(partner)
    facing = straight_links(starts, ends)
    edges = inbox(facing)
    bridge = backdrop(edges)
    bridged = underfill(I, EIGHT, bridge)
    return bridged


def solve_e9614598(I):
    """A green plus is drawn midway between the two dots."""
    hue = leastcolor(I)
    dots = ofcolor(I, hue)
    start = first(dots)
    end = last(dots)
    total = add(start, end)
    middle = divide(total, TWO)
    arms = dneighbors(middle)
    plus = insert(middle, arms)
    drawn = fill(I, THREE, plus)
    return drawn


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


def opens_down(grid):
    """Whether the first object of the grid has its gap in its lowest row."""
    objs = objects(grid, T, F, T)
    obj = first(objs)
    gap = delta(obj)
    gap_row = lowermost(gap)
    row = lowermost(obj)
    answer = equality(gap_row, row)
    return answer


def solve_54d82841(I):
    """Under the opening of every arch a yellow cell is set at the edge of the grid."""
    upright, way = turned_to_fit(I, opens_down)
    arches = objects(upright, T, F, T)
    openings = mapply(delta, arches)
    columns = mapply(vfrontier, openings)
    places = asindices(upright)
    corner = llcorner(places)
    ground_row = hfrontier(corner)
    spots = intersection(columns, ground_row)
    marked = fill(upright, FOUR, spots)
    answer = turned_back(marked, way)
    return answer


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


def solve_a9f96cdd(I):
    """The dot gives way to its diagonal neighbours in green, magenta, cyan and orange."""
    hue = leastcolor(I)
    dots = ofcolor(I, hue)
    cleared = cover(I, dots)
    upper_left = shift(dots, NEG_UNITY)
    upper_right = shift(dots, UP_RIGHT)
    lower_left = shift(dots, DOWN_LEFT)
    lower_right = shift(dots, UNITY)
    with_green = fill(cleared, THREE, upper_left)
    with_magenta = fill(with_green, SIX, upper_right)
    with_cyan = fill(with_magenta, EIGHT, lower_left)
    with_orange = fill(with_cyan, SEVEN, lower_right)
    return with_orange


def solve_d364b489(I):
    """Every dot gets red above, orange at its left, magenta at its right and cyan below."""
    hue = leastcolor(I)
    dots = ofcolor(I, hue)
    above = shift(dots, UP)
    below = shift(dots, DOWN)
    before = shift(dots, LEFT)
    after = shift(dots, RIGHT)
    with_cyan = underfill(I, EIGHT, below)
    with_red = fill(with_cyan, TWO, above)
    with_orange = fill(with_red, SEVEN, before)
    grown = fill(with_orange, SIX, after)
    finished = fill(grown, hue, dots)
    return finished


def solve_363442ee(I):
    """Stamp the picture beside the line over every mark, which is its middle."""
    lines = dividers(I)
    line = merge(lines)
    unlined = cover(I, line)
    parts = objects(unlined, F, T, T)
    picture = argmax(parts, size)
    marks = remove(picture, parts)
    middle = center(picture)
    back = invert(middle)
    loose = shift(picture, back)
    targets = apply(center, marks)
    copies = stamp(loose, targets)
    answer = paint(I, copies)
    return answer


def solve_1f0c79e5(I):
    """Every red cell of a small square drags the square off along the diagonal on which it lies."""
    squares = objects(I, F, F, T)
    red_cells = rbind(cells_of, TWO)
    reds = chain(toindices, red_cells, normalize)
    outwards = compose(decrement, double)
    outwards_all = lbind(apply, outwards)
    ways = compose(outwards_all, reds)
    drag = lbind(prapply, shoot)
    trails = fork(drag, toindices, ways)
    trail = compose(merge, trails)
    cells = mapply(trail, squares)
    hue = third_colour(I, TWO)
    plain = replace(I, TWO, hue)
    dragged = fill(plain, hue, cells)
    return dragged


def solve_b548a754(I):
    """The framed box grows until it reaches the lone cell."""
    mark_color = leastcolor(I)
    mark = ofcolor(I, mark_color)
    cleared = cover(I, mark)
    parts = fgpartition(cleared)
    frame = argmax(parts, width)
    core = argmin(parts, width)
    frame_color = color(frame)
    core_color = color(core)
    places = toindices(frame)
    reach = combine(places, mark)
    area = backdrop(reach)
    edge = box(reach)
    solid = fill(I, core_color, area)
    grown = fill(solid, frame_color, edge)
    return grown


def solve_d06dbe63(I):
    """Grey stairs climb to the right from the dot and descend to the left from it."""
    turn = double(UP)
    end = add(turn, RIGHT)
    riser = connect(ORIGIN, turn)
    tread = connect(turn, end)
    step = combine(riser, tread)
    diagonal = shoot(ORIGIN, UP_RIGHT)
    landings = apply(double, diagonal)
    rising = stamp(step, landings)
    falling = apply(invert, rising)
    stairs = combine(rising, falling)
    hue = leastcolor(I)
    dot = ofcolor(I, hue)
    placed = stamp(stairs, dot)
    built = underfill(I, FIVE, placed)
    return built


def solve_db93a21d(I):
    """Every square gets a green border half its width and sheds blue down to the bottom."""
    hue = leastcolor(I)
    blocks = ofcolor(I, hue)
    squares = objects(I, T, F, T)
    margin = compose(halve, width)
    start = fork(subtract, ulcorner, margin)
    end = fork(add, lrcorner, margin)
    span = fork(astuple, start, end)
    bordered = compose(backdrop, span)
    borders = mapply(bordered, squares)
    falling = rbind(shoot, DOWN)
    trails = mapply(falling, blocks)
    trailed = fill(I, ONE, trails)
    greened = fill(trailed, THREE, borders)
    finished = fill(greened, hue, blocks)
    return finished


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


def solve_0962bcdd(I):
    """Every small plus grows: its arms get longer and its heart spreads along the diagonals."""
    pluses = objects(I, F, F, T)
    straight = dneighbors(ORIGIN)
    slanted = ineighbors(ORIGIN)
    far_straight = apply(double, straight)
    far_slanted = apply(double, slanted)
    diagonals = combine(slanted, far_slanted)
    tips_from = lbind(shift, far_straight)
    diagonals_from = lbind(shift, diagonals)
    tips = compose(tips_from, center)
    spread = compose(diagonals_from, center)
    to_arms = fork(recolor, mostcolor, tips)
    to_hearts = fork(recolor, leastcolor, spread)
    arms = mapply(to_arms, pluses)
    hearts = mapply(to_hearts, pluses)
    with_arms = paint(I, arms)
    grown = paint(with_arms, hearts)
    return grown


def nearest(dots, spot):
    """The dots that are nearest to a place, in steps along rows and columns."""
    start = initset(spot)
    distance = lbind(manhattan, start)
    least = valmin(dots, distance)
    is_near = matcher(distance, least)
    answer = sfilter(dots, is_near)
    return answer


def solve_d22278a0(I):
    """Every corner dot draws rings two apart, as far as no other dot is as near."""
    places = asindices(I)
    tips = corners(places)
    tip_cells = toobject(tips, I)
    ground = mostcolor(I)
    cells = cells_except(tip_cells, ground)
    dots = apply(initset, cells)
    nearest_dots = lbind(nearest, dots)
    is_nearest = lbind(matcher, nearest_dots)
    is_own = compose(is_nearest, initset)
    choose = lbind(sfilter, places)
    own = compose(choose, is_own)
    rings = rbind(boxes_around, TWO)
    lit = fork(intersection, rings, own)
    beam = fork(recolor, color, lit)
    beams = mapply(beam, dots)
    drawn = paint(I, beams)
    return drawn


def solve_f35d900a(I):
    """Each dot is ringed in the other colour, and grey cells line the rectangle between them at even distances."""
    dots = foreground(I)
    places = toindices(dots)
    edges = box(dots)
    from_dots = rbind(manhattan, places)
    distance = compose(from_dots, initset)
    at_even = compose(even, distance)
    spaced = sfilter(edges, at_even)
    lined = fill(I, FIVE, spaced)
    colours = palette(dots)
    another = lbind(other, colours)
    ring_colour = compose(another, first)
    around = compose(neighbors, last)
    ring = fork(recolor, ring_colour, around)
    rings = mapply(ring, dots)
    ringed = paint(lined, rings)
    finished = paint(ringed, dots)
    return finished


def solve_3bd67248(I):
    """From the foot of the line along one edge, a red diagonal rises and a yellow line runs along the floor."""
    shade = leastcolor(I)
    line_in = rbind(ofcolor, shade)
    edge = compose(leftmost, line_in)
    at_left = compose(flip, edge)
    upright = compose(portrait, line_in)
    fits = fork(both, at_left, upright)
    turned, way = turned_to_fit(I, fits)
    line = ofcolor(turned, shade)
    thickness = width(line)
    thin = downscale(turned, thickness)
    rows = height(thin)
    bottom = decrement(rows)
    foot = toivec(bottom)
    diagonal = shoot(foot, UP_RIGHT)
    floor = hfrontier(foot)
    with_diagonal = underfill(thin, TWO, diagonal)
    with_floor = underfill(with_diagonal, FOUR, floor)
    thick = upscale(with_floor, thickness)
    finished = turned_back(thick, way)
    return finished


def solve_a65b410d(I):
    """From the bar, green steps of growing length lead up and blue steps of shrinking length lead down."""
    shade = leastcolor(I)
    bar_in = rbind(ofcolor, shade)
    column = compose(leftmost, bar_in)
    at_left = matcher(column, ZERO)
    level = compose(hline, bar_in)
    fits = fork(both, level, at_left)
    turned, way = turned_to_fit(I, fits)
    bar = ofcolor(turned, shade)
    end = urcorner(bar)
    rising = shoot(end, UP_RIGHT)
    falling = shoot(end, DOWN_LEFT)
    leftwards = rbind(shoot, LEFT)
    upper = mapply(leftwards, rising)
    lower = mapply(leftwards, falling)
    green = recolor(THREE, upper)
    blue = recolor(ONE, lower)
    steps = combine(green, blue)
    drawn = underpaint(turned, steps)
    finished = turned_back(drawn, way)
    return finished


def busiest_place(obj, hue):
    """The place of one colour that has the most neighbours in its object."""
    places = toindices(obj)
    in_object = lbind(intersection, places)
    count = chain(size, in_object, neighbors)
    is_hue = matcher(first, hue)
    cells = sfilter(obj, is_hue)
    spots = toindices(cells)
    answer = argmax(spots, count)
    return answer


def near_origin(obj):
    """The cells of an object at the origin and right around it."""
    ring = neighbors(ORIGIN)
    places = insert(ORIGIN, ring)
    in_places = rbind(contained, places)
    is_near = compose(in_places, last)
    answer = sfilter(obj, is_near)
    return answer


def rays_within(ways, dots, block):
    """The rays from the dots on the block, in the given ways, as far as the block reaches."""
    area = backdrop(block)
    inner = intersection(dots, area)
    rays = prapply(shoot, inner, ways)
    cells = merge(rays)
    answer = intersection(cells, area)
    return answer


def solve_264363fd(I):
    """Every dot on a block becomes a copy of the stamp, whose far tips go on as lines to the edge of the block."""
    objs = objects(I, F, F, T)
    model = argmin(objs, size)
    blocks = remove(model, objs)
    stamp_hues = palette(model)
    block_hues = mapply(palette, blocks)
    shared = intersection(stamp_hues, block_hues)
    dot_hue = first(shared)
    cleared = cover(I, model)
    dots = ofcolor(cleared, dot_hue)
    middle = busiest_place(model, dot_hue)
    back = invert(middle)
    loose = shift(model, back)
    places = toindices(loose)
    on_stamp = rbind(contained, places)
    has_tip = compose(on_stamp, double)
    directions = dneighbors(ORIGIN)
    ways = sfilter(directions, has_tip)
    way = first(ways)
    far = double(way)
    tip = add(middle, far)
    line_hue = index(I, tip)
    reach = bind_two(rays_within, ways, dots)
    lines = mapply(reach, blocks)
    lined = fill(cleared, line_hue, lines)
    core = near_origin(loose)
    stamps = stamp(core, dots)
    answer = paint(lined, stamps)
    return answer


def solve_b7249182(I):
    """The two dots grow arms that meet halfway in a ring, each half in the colour of its dot."""
    dots = foreground(I)
    upright = portrait(dots)
    lying = turn_if(upright, I)
    ends = fgpartition(lying)
    left = argmin(ends, leftmost)
    right = argmax(ends, leftmost)
    start = ulcorner(left)
    end = ulcorner(right)
    total = add(start, end)
    middle = halve(total)
    ring_start = subtract(middle, ONE)
    raised = add(ring_start, UP)
    ring_end = add(middle, TWO_BY_TWO)
    tips = astuple(raised, ring_end)
    ring = box(tips)
    gap = backdrop(tips)
    arms = connect(start, end)
    outside = difference(arms, gap)
    drawing = combine(ring, outside)
    left_arm = connect(start, middle)
    left_part = mapply(vfrontier, left_arm)
    left_half = intersection(drawing, left_part)
    left_hue = color(left)
    right_hue = color(right)
    drawn = fill(lying, right_hue, drawing)
    completed = fill(drawn, left_hue, left_half)
    answer = turn_if(upright, completed)
    return answer
