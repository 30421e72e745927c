"""Objects that are chosen, moved, joined or recoloured for what they are or touch."""

from batt.dsl import *

from .idioms import (
    copies_at, corner_marks, double_center, foreground, halfway_cells, interior, is_frame, nearest_to, outline,
    pieces_on, place, regions_of, stamp, stands_on_floor, turned_back, turned_to_fit,
)


def solve_50cb2852(I):
    """The inside of every rectangle turns cyan, leaving a frame."""
    blocks = objects(I, T, F, T)
    insides = mapply(interior, blocks)
    filled = fill(I, EIGHT, insides)
    return filled


def solve_42a50994(I):
    """Single cells vanish."""
    objs = objects(I, F, T, T)
    singles = sizefilter(objs, ONE)
    cells = merge(singles)
    cleared = cover(I, cells)
    return cleared


def solve_445eab21(I):
    """The frame with the largest area gives its colour to a small square."""
    frames = objects(I, T, F, T)
    area = fork(multiply, height, width)
    largest = argmax(frames, area)
    shade = color(largest)
    answer = canvas(shade, TWO_BY_TWO)
    return answer


def solve_543a7ed5(I):
    """Every figure is framed in green and its holes turn yellow."""
    figures = objects(I, T, F, T)
    frames = mapply(outbox, figures)
    holes = mapply(delta, figures)
    framed = fill(I, THREE, frames)
    filled = fill(framed, FOUR, holes)
    return filled


def solve_aedd82e4(I):
    """Coloured cells without a coloured cell beside them turn blue."""
    black = ofcolor(I, ZERO)
    everywhere = asindices(I)
    coloured = difference(everywhere, black)
    touched = mapply(dneighbors, coloured)
    lonely = difference(coloured, touched)
    marked = fill(I, ONE, lonely)
    return marked


def solve_b9b7f026(I):
    """Of the rectangles, the one with a hole gives its color to a single cell."""
    blocks = objects(I, T, F, T)
    area = fork(multiply, height, width)
    has_hole = fork(greater, area, size)
    holed = extract(blocks, has_hole)
    block_color = color(holed)
    answer = canvas(block_color, UNITY)
    return answer


def solve_67385a82(I):
    """Objects turn light blue, but single cells stay."""
    colors = palette(I)
    hue = other(colors, ZERO)
    objs = regions_of(I, hue)
    singles = sizefilter(objs, ONE)
    large = difference(objs, singles)
    cells = merge(large)
    result = fill(I, EIGHT, cells)
    return result


def solve_321b1fc6(I):
    """The plain copies take the colours of the pattern, which itself vanishes."""
    figures = objects(I, F, F, T)
    pattern = argmax(figures, numcolors)
    cleared = cover(I, pattern)
    plain = foreground(cleared)
    shade = color(plain)
    plain_pattern = recolor(shade, pattern)
    copies = copies_at(cleared, plain_pattern, pattern)
    painted = paint(cleared, copies)
    return painted


def solve_a1570a43(I):
    """The figure moves to the middle of the box that the four corner cells mark."""
    marks = corner_marks(I)
    cells = foreground(I)
    figure = difference(cells, marks)
    goal = double_center(marks)
    start = double_center(figure)
    gap = subtract(goal, start)
    offset = halve(gap)
    result = move(I, figure, offset)
    return result


def solve_d90796e8(I):
    """Where a green and a red cell touch, the green one turns cyan and the red one vanishes."""
    greens = ofcolor(I, THREE)
    reds = ofcolor(I, TWO)
    near_red = mapply(dneighbors, reds)
    near_green = mapply(dneighbors, greens)
    turning = intersection(greens, near_red)
    vanishing = intersection(reds, near_green)
    cleared = cover(I, vanishing)
    turned = fill(cleared, EIGHT, turning)
    return turned


def cluster_boxes(grid, hue):
    """The bounding boxes of the colour's clusters, in which each cell is at most two away from another."""
    cells = ofcolor(grid, hue)
    near = neighbors(ORIGIN)
    nearby = mapply(neighbors, near)
    between = lbind(halfway_cells, cells)
    bridges = mapply(between, nearby)
    joined = fill(grid, hue, bridges)
    parts = objects(joined, T, T, F)
    clusters = colorfilter(parts, hue)
    boxes = mapply(backdrop, clusters)
    return boxes


def solve_36fdfd69(I):
    """The gaps in the clusters of the colour that keeps to small areas turn yellow."""
    layers = fgpartition(I)
    hues = apply(color, layers)
    boxes_of = lbind(cluster_boxes, I)
    area = compose(size, boxes_of)
    hue = argmin(hues, area)
    boxes = boxes_of(hue)
    cells = ofcolor(I, hue)
    gaps = difference(boxes, cells)
    filled = fill(I, FOUR, gaps)
    return filled


def solve_b230c067(I):
    """The figure that differs from the others turns red, the others turn blue."""
    figures = objects(I, T, T, T)
    pieces = totuple(figures)
    outlines = apply(outline, pieces)
    rare = leastcommon(outlines)
    is_rare = matcher(outline, rare)
    odd = extract(pieces, is_rare)
    cells = merge(figures)
    blue = fill(I, ONE, cells)
    marked = fill(blue, TWO, odd)
    return marked


def solve_ce9e57f2(I):
    """The half of every bar that is nearest to the edge on which it stands turns cyan."""
    upright, way = turned_to_fit(I, stands_on_floor)
    bars = objects(upright, T, F, T)
    half = compose(halve, height)
    drop = fork(subtract, height, half)
    offset = compose(toivec, drop)
    lowered = fork(shift, toindices, offset)
    half_bar = fork(intersection, toindices, lowered)
    lower = mapply(half_bar, bars)
    halved = fill(upright, EIGHT, lower)
    answer = turned_back(halved, way)
    return answer


def solve_88a10436(I):
    """A copy of the colourful object is drawn centred on each mark, which it replaces."""
    objs = objects(I, F, F, T)
    marks = sizefilter(objs, ONE)
    figure = argmax(objs, size)
    source = center(figure)
    back = invert(source)
    loose = shift(figure, back)
    targets = apply(center, marks)
    copies = stamp(loose, targets)
    cells = merge(marks)
    cleared = cover(I, cells)
    result = paint(cleared, copies)
    return result


def solve_239be575(I):
    """Answer one cell of the third colour if it links the two squares on black, else one black cell."""
    hue = leastcolor(I)
    total = colorcount(I, hue)
    count = rbind(colorcount, hue)
    has_both = matcher(count, total)
    pieces = pieces_on(I, ZERO)
    links = sfilter(pieces, has_both)
    linked = size(links)
    colours = palette(I)
    inks = remove(ZERO, colours)
    shade = other(inks, hue)
    answer = branch(linked, shade, ZERO)
    cell = canvas(answer, UNITY)
    return cell


def solve_776ffc46(I):
    """Figures that look like the one in the closed frame take its colour."""
    figures = objects(I, T, F, T)
    frames = sfilter(figures, is_frame)
    insides = mapply(delta, frames)
    without_insides = rbind(difference, insides)
    is_framed = chain(flip, without_insides, toindices)
    models = sfilter(figures, is_framed)
    outlines = apply(outline, models)
    is_wanted = rbind(contained, outlines)
    alike = compose(is_wanted, outline)
    twins = mfilter(figures, alike)
    model = first(models)
    shade = color(model)
    recoloured = fill(I, shade, twins)
    return recoloured


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


def solve_137eaa0f(I):
    """The pieces are moved together so that the marked cell of each comes to lie on the same place."""
    layers = fgpartition(I)
    extent = compose(size, backdrop)
    marks = argmax(layers, extent)
    pieces = remove(marks, layers)
    places = toindices(marks)
    spots = apply(initset, places)
    mark_of = lbind(nearest_to, spots)
    homewards = chain(invert, center, mark_of)
    gathered = fork(shift, identity, homewards)
    cells = mapply(gathered, pieces)
    hue = color(marks)
    middle = astuple(hue, ORIGIN)
    whole = insert(middle, cells)
    ground = mostcolor(I)
    blank = canvas(ground, THREE_BY_THREE)
    answer = place(blank, whole, ORIGIN)
    return answer


def solve_3befdf3e(I):
    """Frame and core exchange colours, and the frame's old colour grows outwards by the size of the core."""
    figures = objects(I, F, F, T)
    reach = compose(shape, interior)
    times = lbind(lbind, multiply)
    ways = dneighbors(ORIGIN)
    in_all_ways = rbind(apply, ways)
    offsets = chain(in_all_ways, times, reach)
    moves = lbind(lbind, shift)
    moved = compose(moves, backdrop)
    petals = fork(mapply, moved, offsets)
    flower = fork(recolor, mostcolor, petals)
    ring = fork(recolor, leastcolor, box)
    core = fork(recolor, mostcolor, interior)
    flowers = mapply(flower, figures)
    rings = mapply(ring, figures)
    cores = mapply(core, figures)
    grown = paint(I, flowers)
    ringed = paint(grown, rings)
    exchanged = paint(ringed, cores)
    return exchanged


def hook_up(state):
    """The chain with the next link moved up, so that its left joint comes next to the last right one."""
    (cells, end), rest = state
    following = first(rest)
    piece, (left, right) = following
    goal = add(end, RIGHT)
    way = subtract(goal, left)
    moved = shift(piece, way)
    longer = combine(cells, moved)
    new_end = add(right, way)
    chained = astuple(longer, new_end)
    later = remove(following, rest)
    answer = astuple(chained, later)
    return answer


def to_link(hue, piece):
    """A piece in its own colour, its left joint and its right joint."""
    is_joint = matcher(first, hue)
    joints = sfilter(piece, is_joint)
    spots = toindices(joints)
    left = argmin(spots, last)
    right = argmax(spots, last)
    rest = difference(piece, joints)
    own = color(rest)
    plain = recolor(own, piece)
    ends = astuple(left, right)
    answer = astuple(plain, ends)
    return answer


def solve_234bbc79(I):
    """The pieces close up to a chain, joint next to joint, and the joints take the colours of their pieces."""
    pieces = objects(I, F, T, T)
    ranked = order(pieces, leftmost)
    hues = mapply(palette, ranked)
    joint_hue = mostcommon(hues)
    prepare = lbind(to_link, joint_hue)
    links = apply(prepare, ranked)
    begin = first(links)
    rest = remove(begin, links)
    cells, (_, right) = begin
    head = astuple(cells, right)
    state = astuple(head, rest)
    count = size(rest)
    close_up = power(hook_up, count)
    (closed, _), _ = close_up(state)
    rows = height(I)
    edge = rightmost(closed)
    columns = increment(edge)
    area = astuple(rows, columns)
    ground = mostcolor(I)
    blank = canvas(ground, area)
    answer = paint(blank, closed)
    return answer


def solve_846bdb03(I):
    """The figure goes into the frame, mirrored if need be so that its colours match the sides."""
    given = corner_marks(I)
    box_given = subgrid(given, I)
    side = index(box_given, DOWN)
    ground = mostcolor(I)
    open_side = equality(side, ground)
    lay = branch(open_side, dmirror, identity)
    upright = lay(I)
    marks = corner_marks(upright)
    frame = subgrid(marks, upright)
    area = backdrop(marks)
    outside = cover(upright, area)
    layers = fgpartition(outside)
    figure = merge(layers)
    left = argmin(layers, leftmost)
    hue = color(left)
    left_hue = index(frame, DOWN)
    fits = equality(hue, left_hue)
    turn = branch(fits, identity, vmirror)
    turned = turn(figure)
    framed = place(frame, turned, UNITY)
    answer = lay(framed)
    return answer


def without_corner(objs, corner):
    """The object that leaves the given corner of its bounding box empty."""
    occupied = fork(contained, corner, toindices)
    answer = argmin(objs, occupied)
    return answer


def solve_a61ba2ce(I):
    """The four corner pieces are put together to a frame."""
    pieces = objects(I, T, F, T)
    upper_left = without_corner(pieces, lrcorner)
    upper_right = without_corner(pieces, llcorner)
    lower_left = without_corner(pieces, urcorner)
    lower_right = without_corner(pieces, ulcorner)
    left_height = height(upper_left)
    right_height = height(upper_right)
    upper_width = width(upper_left)
    lower_width = width(lower_left)
    rest_height = height(lower_left)
    rest_width = width(upper_right)
    rows = add(left_height, rest_height)
    columns = add(upper_width, rest_width)
    area = astuple(rows, columns)
    ground = mostcolor(I)
    blank = canvas(ground, area)
    right = tojvec(upper_width)
    below = toivec(left_height)
    opposite = astuple(right_height, lower_width)
    one = place(blank, upper_left, ORIGIN)
    two = place(one, upper_right, right)
    three = place(two, lower_left, below)
    framed = place(three, lower_right, opposite)
    return framed


def solve_5168d44c(I):
    """The frame moves on to the next dot of the row."""
    objs = objects(I, T, F, T)
    listed = totuple(objs)
    hues = apply(color, listed)
    frame_hue = leastcommon(hues)
    dot_hue = mostcommon(hues)
    frame = ofcolor(I, frame_hue)
    area = backdrop(frame)
    in_frame = rbind(contained, area)
    is_framed = compose(in_frame, center)
    dots = colorfilter(objs, dot_hue)
    dot = extract(dots, is_framed)
    start = ulcorner(dot)
    starts = apply(ulcorner, dots)
    is_later = rbind(greater, start)
    later = sfilter(starts, is_later)
    goal = first(later)
    way = subtract(goal, start)
    end = lrcorner(dot)
    both_ends = add(start, end)
    across = lbind(subtract, both_ends)
    opposite = apply(across, frame)
    whole = combine(frame, opposite)
    moved = shift(whole, way)
    cleared = cover(I, frame)
    answer = fill(cleared, frame_hue, moved)
    return answer


def fills_top(patch):
    """Whether both upper corners of the patch's bounding box belong to it."""
    left = ulcorner(patch)
    right = urcorner(patch)
    places = toindices(patch)
    has_left = contained(left, places)
    has_right = contained(right, places)
    filled = both(has_left, has_right)
    return filled


def level_of(patch, rows, middle):
    """The row where the patch starts: at the top or bottom if that is its broad side, else in the middle."""
    upturned = hmirror(patch)
    on_top = fills_top(patch)
    at_bottom = fills_top(upturned)
    tall = height(patch)
    last_row = subtract(rows, tall)
    inner = branch(at_bottom, last_row, middle)
    row = branch(on_top, ZERO, inner)
    return row


def solve_a8c38be5(I):
    """The tiles are put together so that the coloured cells of each lie on the outside."""
    layers = fgpartition(I)
    plain = argmax(layers, size)
    body = color(plain)
    parts = objects(I, T, F, T)
    bodies = colorfilter(parts, body)
    marks = difference(parts, bodies)
    at_left = compose(fills_top, dmirror)
    at_bottom = compose(fills_top, hmirror)
    at_right = chain(fills_top, dmirror, vmirror)
    tops = sfilter(marks, fills_top)
    lefts = sfilter(marks, at_left)
    start = extract(tops, at_left)
    beside = extract(tops, at_right)
    below = extract(lefts, at_bottom)
    other_tops = remove(start, tops)
    other_lefts = remove(start, lefts)
    upper = other(other_tops, beside)
    side = other(other_lefts, below)
    start_extent = shape(start)
    middle = increment(start_extent)
    side_height = height(side)
    upper_width = width(upper)
    middle_extent = astuple(side_height, upper_width)
    below_height = height(below)
    beside_width = width(beside)
    end_extent = astuple(below_height, beside_width)
    past_middle = add(middle, middle_extent)
    past_gap = increment(past_middle)
    extent = add(past_gap, end_extent)
    rows = first(extent)
    columns = last(extent)
    middle_row = first(middle)
    middle_column = last(middle)
    to_row = rbind(level_of, middle_row)
    row = rbind(to_row, rows)
    to_column = rbind(level_of, middle_column)
    turned_column = rbind(to_column, columns)
    column = compose(turned_column, dmirror)
    corner = fork(astuple, row, column)
    placed = fork(shift, normalize, corner)
    frame = mapply(placed, marks)
    blank = canvas(body, extent)
    joined = paint(blank, frame)
    return joined
