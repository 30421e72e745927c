"""Areas that are filled: rooms, gaps, insides, and what leaks out of them."""

from batt.dsl import *

from .idioms import (
    double_center, enclosed, foreground, interior, is_line, panes, regions_of, solid_regions, stamp, straight_links,
    turned_back, turned_to_fit,
)


def solve_3aa6fb7a(I):
    """The missing corner of every angle turns blue."""
    angles = objects(I, T, F, T)
    gaps = mapply(delta, angles)
    filled = fill(I, ONE, gaps)
    return filled


def solve_60b61512(I):
    """The gaps in the bounding box of each shape turn orange."""
    objs = objects(I, T, T, T)
    gaps = mapply(delta, objs)
    result = fill(I, SEVEN, gaps)
    return result


def solve_6d75e8bb(I):
    """The gaps in the bounding box of the shape turn red."""
    figure = foreground(I)
    gaps = delta(figure)
    filled = fill(I, TWO, gaps)
    return filled


def solve_bb43febb(I):
    """The inside of every rectangle turns red, leaving a frame."""
    blocks = solid_regions(I)
    insides = mapply(interior, blocks)
    filled = fill(I, TWO, insides)
    return filled


def solve_00d62c1b(I):
    """Every region of the background that a green line shuts in turns yellow."""
    ground = mostcolor(I)
    rooms = enclosed(I, ground)
    cells = merge(rooms)
    filled = fill(I, FOUR, cells)
    return filled


def solve_32597951(I):
    """The gaps in the rectangle of the overlaid figure turn green."""
    hue = leastcolor(I)
    figure = ofcolor(I, hue)
    gaps = delta(figure)
    filled = fill(I, THREE, gaps)
    return filled


def solve_44d8ac46(I):
    """The gap of a grey block turns red if it is a square."""
    blocks = objects(I, T, F, T)
    gaps = apply(delta, blocks)
    squares = mfilter(gaps, square)
    filled = fill(I, TWO, squares)
    return filled


def solve_22168020(I):
    """The space between the arms of every fork is filled with its colour."""
    layers = fgpartition(I)
    between = fork(straight_links, toindices, toindices)
    filled = fork(recolor, color, between)
    cells = mapply(filled, layers)
    answer = paint(I, cells)
    return answer


def cup_filling(grid, cup):
    """The inside of the cup and a line across its opening, in the colour of the dot inside."""
    inside = delta(cup)
    contents = toobject(inside, grid)
    shade = leastcolor(contents)
    edges = box(cup)
    wall = toindices(cup)
    gap = difference(edges, wall)
    outwards = position(cup, gap)
    area = backdrop(cup)
    moved = shift(area, outwards)
    lid = difference(moved, area)
    places = combine(inside, lid)
    coloured = recolor(shade, places)
    return coloured


def solve_444801d8(I):
    """The colour of the dot fills each cup and lies as a line across its opening."""
    pieces = objects(I, T, F, T)
    dots = sizefilter(pieces, ONE)
    cups = difference(pieces, dots)
    filling = lbind(cup_filling, I)
    fillings = mapply(filling, cups)
    filled = paint(I, fillings)
    return filled


def solve_c0f76784(I):
    """Every hollow grey square is filled with a color that goes by the width of its hole."""
    squares = objects(I, T, F, T)
    from_width = lbind(add, FIVE)
    hole_color = chain(from_width, width, delta)
    filling = fork(recolor, hole_color, delta)
    fillings = mapply(filling, squares)
    filled = paint(I, fillings)
    return filled


def solve_2bee17df(I):
    """The rows and columns that are free from wall to wall turn green."""
    inner = trim(I)
    lines = frontiers(inner)
    ground = mostcolor(I)
    free = colorfilter(lines, ground)
    cells = merge(free)
    places = shift(cells, UNITY)
    drawn = fill(I, THREE, places)
    return drawn


def solve_694f12f3(I):
    """The inside of the larger rectangle turns red, the inside of the smaller one blue."""
    rectangles = solid_regions(I)
    larger = argmax(rectangles, size)
    smaller = argmin(rectangles, size)
    inside_larger = interior(larger)
    inside_smaller = interior(smaller)
    with_red = fill(I, TWO, inside_larger)
    result = fill(with_red, ONE, inside_smaller)
    return result


def solve_868de0fa(I):
    """Square rooms with an even side turn red, those with an odd side orange."""
    frames = objects(I, T, F, T)
    rooms = apply(delta, frames)
    even_side = compose(even, height)
    even_rooms = sfilter(rooms, even_side)
    odd_rooms = difference(rooms, even_rooms)
    even_cells = merge(even_rooms)
    odd_cells = merge(odd_rooms)
    with_red = fill(I, TWO, even_cells)
    result = fill(with_red, SEVEN, odd_cells)
    return result


def solve_941d9a10(I):
    """The upper left room turns blue, the middle room red and the lower right room green."""
    rooms = panes(I)
    nearest = first(rooms)
    farthest = last(rooms)
    count = size(rooms)
    middle = halve(count)
    central = rooms[middle]
    with_blue = fill(I, ONE, nearest)
    with_red = fill(with_blue, TWO, central)
    result = fill(with_red, THREE, farthest)
    return result


def solve_6455b5f5(I):
    """The largest rooms turn blue and the smallest light blue."""
    ground = mostcolor(I)
    rooms = regions_of(I, ground)
    most = valmax(rooms, size)
    least = valmin(rooms, size)
    largest = sizefilter(rooms, most)
    smallest = sizefilter(rooms, least)
    large_cells = merge(largest)
    small_cells = merge(smallest)
    with_blue = fill(I, ONE, large_cells)
    result = fill(with_blue, EIGHT, small_cells)
    return result


def with_open_rays(mask, patch):
    """The patch and all straight rays from its places to the mask's edge that meet only ones."""
    ways = dneighbors(ORIGIN)
    rays = prapply(shoot, patch, ways)
    blocks = ofcolor(mask, ZERO)
    blocks_of = lbind(intersection, blocks)
    is_open = compose(flip, blocks_of)
    open_rays = mfilter(rays, is_open)
    everywhere = asindices(mask)
    within = intersection(open_rays, everywhere)
    grown = combine(patch, within)
    return grown


def clear_mask(grid):
    """A grid of ones where a background cell has no cell of another colour around it, else zeros."""
    ground = mostcolor(grid)
    empty = ofcolor(grid, ground)
    cells = foreground(grid)
    noise = toindices(cells)
    near = mapply(neighbors, noise)
    clear = difference(empty, near)
    extent = shape(grid)
    blank = canvas(ZERO, extent)
    mask = fill(blank, ONE, clear)
    return mask


def full_rows(patch):
    """The places in those rows of the patch that reach over its whole width."""
    places = toindices(patch)
    rows = apply(hfrontier, places)
    in_row = lbind(intersection, places)
    pieces = apply(in_row, rows)
    across = width(patch)
    full = sizefilter(pieces, across)
    kept = merge(full)
    return kept


def upright_lanes(mask):
    """The upright strips of ones at least half as long as the mask is high, with even ends."""
    rows = height(mask)
    half = halve(rows)
    end = toivec(half)
    bar = connect(ORIGIN, end)
    pattern = recolor(ONE, bar)
    starts = occurrences(mask, pattern)
    places = stamp(bar, starts)
    blank = replace(mask, ONE, ZERO)
    marked = fill(blank, ONE, places)
    strips = regions_of(marked, ONE)
    lanes = apply(full_rows, strips)
    return lanes


def lanes_upright(mask):
    """Whether the upright lanes of ones cover at least as much of the mask as the lying ones."""
    turned = dmirror(mask)
    upright = upright_lanes(mask)
    lying = upright_lanes(turned)
    upright_cells = merge(upright)
    lying_cells = merge(lying)
    here = size(upright_cells)
    there = size(lying_cells)
    less = greater(there, here)
    enough = flip(less)
    return enough


def solve_a64e4611(I):
    """The broad lane through the noise and its arms to the edge turn green, one cell from the noise."""
    fits = compose(lanes_upright, clear_mask)
    upright, way = turned_to_fit(I, fits)
    mask = clear_mask(upright)
    lanes = upright_lanes(mask)
    lane = argmax(lanes, size)
    grow = lbind(with_open_rays, mask)
    grow_twice = power(grow, TWO)
    lit = grow_twice(lane)
    drawn = fill(upright, THREE, lit)
    back = turned_back(drawn, way)
    return back


def free_rectangles(grid, rows):
    """The widest black rectangles that reach from the first to the last of the rows."""
    top = minimum(rows)
    bottom = maximum(rows)
    gap = subtract(bottom, top)
    depth = increment(gap)
    columns = width(grid)
    start = toivec(top)
    extent = astuple(depth, columns)
    strip = crop(grid, start, extent)
    lines = frontiers(strip)
    upright = sfilter(lines, vline)
    black = colorfilter(upright, ZERO)
    free = mapply(toindices, black)
    blank = canvas(ONE, extent)
    marked = fill(blank, ZERO, free)
    rectangles = regions_of(marked, ZERO)
    lower = rbind(shift, start)
    placed = compose(lower, toindices)
    found = apply(placed, rectangles)
    return found


def solve_3eda0437(I):
    """The largest black rectangle, at least two cells wide and high, turns magenta."""
    rows = height(I)
    numbers = interval(ZERO, rows, ONE)
    pairs = product(numbers, numbers)
    rising = fork(greater, last, first)
    spans = sfilter(pairs, rising)
    between = lbind(free_rectangles, I)
    rectangles = mapply(between, spans)
    is_broad = compose(flip, is_line)
    broad = sfilter(rectangles, is_broad)
    most = valmax(broad, size)
    largest = sizefilter(broad, most)
    cells = merge(largest)
    filled = fill(I, SIX, cells)
    return filled


def solve_d4f3cd78(I):
    """The box is filled in cyan, which leaks out through its gaps in straight lines."""
    walls = foreground(I)
    places = toindices(walls)
    edge = box(walls)
    gaps = difference(edge, places)
    inside = delta(walls)
    area = backdrop(walls)
    ways = dneighbors(ORIGIN)
    rays = prapply(shoot, gaps, ways)
    on_area = rbind(intersection, area)
    met = compose(size, on_area)
    leaves = matcher(met, ONE)
    leaks = mfilter(rays, leaves)
    filled = fill(I, EIGHT, inside)
    leaked = fill(filled, EIGHT, leaks)
    return leaked


def solve_e73095fd(I):
    """The rectangular rooms along the roads turn yellow: no road goes on from their corners."""
    road = foreground(I)
    roads = toindices(road)
    on_road = lbind(intersection, roads)
    bends = compose(corners, outbox)
    with_bends = compose(on_road, bends)
    next_to = lbind(mapply, dneighbors)
    around = compose(next_to, bends)
    beyond = fork(difference, around, outbox)
    without_exits = chain(flip, on_road, beyond)
    is_room = fork(both, with_bends, without_exits)
    ground = mostcolor(I)
    free = regions_of(I, ground)
    full = fork(equality, toindices, backdrop)
    rectangles = sfilter(free, full)
    rooms = mfilter(rectangles, is_room)
    filled = fill(I, FOUR, rooms)
    return filled


def solve_aba27056(I):
    """The open box fills with yellow, which leaks out through the gap straight ahead and along both diagonals."""
    walls = foreground(I)
    wall_places = toindices(walls)
    edge = box(walls)
    gap = difference(edge, wall_places)
    middle = double_center(walls)
    opening = double_center(gap)
    aim = subtract(opening, middle)
    way = sign(aim)
    ahead = rbind(shoot, way)
    stream = mapply(ahead, gap)
    squared = multiply(way, way)
    along_gap = subtract(UNITY, squared)
    start = ulcorner(gap)
    start_way = subtract(way, along_gap)
    start_ray = shoot(start, start_way)
    end = lrcorner(gap)
    end_way = add(way, along_gap)
    end_ray = shoot(end, end_way)
    inside = delta(walls)
    filled = fill(I, FOUR, inside)
    leaked = fill(filled, FOUR, stream)
    with_start = fill(leaked, FOUR, start_ray)
    answer = fill(with_start, FOUR, end_ray)
    return answer
