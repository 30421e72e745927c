"""Things that move: they fall, rise, fly up to a wall, or step towards a goal."""

from batt.dsl import *

from .idioms import (
    blank_like, dividers, foreground, interior, is_solid, nearest_to, solid_cells, stamp, stands_on_floor,
    third_colour, turned_back, turned_to_fit,
)


def solve_25ff71a9(I):
    """Move everything down by one row."""
    figure = foreground(I)
    moved = move(I, figure, DOWN)
    return moved


def solve_a79310a0(I):
    """The object moves down by one row and turns red."""
    figure = foreground(I)
    cleared = cover(I, figure)
    lower = shift(figure, DOWN)
    result = fill(cleared, TWO, lower)
    return result


def solve_05f2a901(I):
    """The ragged shape flies straight at the solid block until the two touch."""
    figures = fgpartition(I)
    target = extract(figures, is_solid)
    flyer = other(figures, target)
    way = gravitate(flyer, target)
    landed = move(I, flyer, way)
    return landed


def brought_home(dots, walls):
    """The dots that have a wall of their own colour, each moved up to it."""
    pairs = product(dots, walls)
    dot_colour = compose(color, first)
    wall_colour = compose(color, last)
    same = fork(equality, dot_colour, wall_colour)
    matching = sfilter(pairs, same)
    way = fork(gravitate, first, last)
    moved = fork(shift, first, way)
    landed = mapply(moved, matching)
    return landed


def solve_1a07d186(I):
    """Dots with the colour of a line move up to it, and all other dots vanish."""
    lines = dividers(I)
    line_cells = merge(lines)
    cells = foreground(I)
    loose = difference(cells, line_cells)
    dots = apply(initset, loose)
    landed = brought_home(dots, lines)
    cleared = cover(I, loose)
    painted = paint(cleared, landed)
    return painted


def has_ceiling(grid):
    """Whether the top row of the figure lies in that of the grid and is as wide as the whole figure."""
    figure = foreground(grid)
    places = toindices(figure)
    edge = hfrontier(ORIGIN)
    top = intersection(places, edge)
    unbroken = hline(top)
    breadth = width(top)
    whole = width(figure)
    as_wide = equality(breadth, whole)
    answer = both(unbroken, as_wide)
    return answer


def solve_3906de3d(I):
    """Let the bars rise from their edge until they meet the ceiling opposite."""
    upright, way = turned_to_fit(I, has_ceiling)
    ground = mostcolor(I)
    columns = dmirror(upright)
    is_ground = lbind(equality, ground)
    lift = rbind(order, is_ground)
    risen = apply(lift, columns)
    lifted = dmirror(risen)
    answer = turned_back(lifted, way)
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
    blank = blank_like(I)
    answer = paint(blank, moved)
    return answer


def solve_98cf29f8(I):
    """The line pulls its block up to the other block and vanishes."""
    layers = fgpartition(I)
    anchor = extract(layers, is_solid)
    tied = other(layers, anchor)
    hue = color(tied)
    body = solid_cells(I, hue)
    cleared = cover(I, tied)
    way = gravitate(body, anchor)
    moved = shift(body, way)
    pulled = fill(cleared, hue, moved)
    return pulled


def solve_dc433765(I):
    """The first cell takes one step towards the yellow one."""
    yellow = ofcolor(I, FOUR)
    hue = third_colour(I, FOUR)
    walker = ofcolor(I, hue)
    start = center(walker)
    goal = center(yellow)
    way = subtract(goal, start)
    step = sign(way)
    cell = recolor(hue, walker)
    stepped = move(I, cell, step)
    return stepped


def solve_1f642eb9(I):
    """Copy every outer cell onto the nearest edge of the block, straight ahead of it."""
    objs = objects(I, T, F, T)
    block = argmax(objs, size)
    cells = foreground(I)
    outer = difference(cells, block)
    dots = apply(initset, outer)
    approach = rbind(gravitate, block)
    one_further = compose(crement, approach)
    copied = fork(shift, identity, one_further)
    copies = mapply(copied, dots)
    answer = paint(I, copies)
    return answer


def solve_5521c0d9(I):
    """Every block moves off the edge on which it stands, by its own height."""
    upright, way = turned_to_fit(I, stands_on_floor)
    blocks = objects(upright, T, F, T)
    upwards = lbind(multiply, UP)
    rise = compose(upwards, height)
    lifted = fork(shift, identity, rise)
    moved = mapply(lifted, blocks)
    merged = merge(blocks)
    cleared = cover(upright, merged)
    raised = paint(cleared, moved)
    answer = turned_back(raised, way)
    return answer


def solve_d89b689b(I):
    """Each of the four dots takes the cell of the square nearest to it."""
    objs = objects(I, T, F, T)
    block = argmax(objs, size)
    dots = remove(block, objs)
    target = toindices(block)
    cells = apply(initset, target)
    nearest = lbind(nearest_to, cells)
    landing = fork(recolor, color, nearest)
    landed = mapply(landing, dots)
    blank = blank_like(I)
    gathered = paint(blank, landed)
    return gathered


def solve_a48eeaf7(I):
    """The dots gather around the block, each at the place next to it that is nearest to the dot."""
    layers = fgpartition(I)
    block = extract(layers, is_solid)
    dots = other(layers, block)
    ring = outbox(block)
    spots = apply(initset, ring)
    nearest_spot = lbind(nearest_to, spots)
    nearest = compose(nearest_spot, initset)
    landed = mapply(nearest, dots)
    hue = color(dots)
    cleared = cover(I, dots)
    gathered = fill(cleared, hue, landed)
    return gathered


def solve_d687bc17(I):
    """Every dot flies to the wall of its own colour, and dots without such a wall vanish."""
    ground = mostcolor(I)
    everywhere = asindices(I)
    inside = interior(everywhere)
    tips = corners(everywhere)
    emptied = fill(I, ground, inside)
    hollow = fill(emptied, ground, tips)
    walls = fgpartition(hollow)
    cells = toobject(inside, I)
    dots = apply(initset, cells)
    landed = brought_home(dots, walls)
    gathered = paint(hollow, landed)
    return gathered


def solve_56dc2b01(I):
    """The green shape moves up to the red line, and a cyan line stops it from behind."""
    reds = ofcolor(I, TWO)
    no_reds = cover(I, reds)
    figure = foreground(no_reds)
    fall = gravitate(figure, reds)
    way = sign(fall)
    moved = move(I, figure, fall)
    extent = shape(figure)
    length = increment(extent)
    back = multiply(way, length)
    behind = invert(back)
    line = shift(reds, behind)
    stopped = fill(moved, EIGHT, line)
    return stopped


def solve_ae3edfdc(I):
    """Green cells fly in until they touch the red cell, and orange cells the blue one."""
    green = ofcolor(I, THREE)
    orange = ofcolor(I, SEVEN)
    red = ofcolor(I, TWO)
    blue = ofcolor(I, ONE)
    from_red = lbind(position, red)
    from_blue = lbind(position, blue)
    red_side = compose(from_red, initset)
    blue_side = compose(from_blue, initset)
    green_sides = apply(red_side, green)
    orange_sides = apply(blue_side, orange)
    near_red = stamp(red, green_sides)
    near_blue = stamp(blue, orange_sides)
    flying = combine(green, orange)
    cleared = cover(I, flying)
    greened = fill(cleared, THREE, near_red)
    landed = fill(greened, SEVEN, near_blue)
    return landed


def solve_3618c87e(I):
    """The tip of every stalk sinks through it into the bar that the stalks stand on."""
    tip = leastcolor(I)
    colours = fgpartition(I)
    bars = argmax(colours, size)
    shade = color(bars)
    edge = compose(dedupe, last)
    plain = repeat(shade, ONE)
    fits = matcher(edge, plain)
    turned, way = turned_to_fit(I, fits)
    tips = ofcolor(turned, tip)
    bar = ofcolor(turned, shade)
    foot = llcorner(bar)
    floor = hfrontier(foot)
    columns = mapply(vfrontier, tips)
    feet = intersection(columns, floor)
    cleared = cover(turned, tips)
    sunk = fill(cleared, tip, feet)
    finished = turned_back(sunk, way)
    return finished


def heap_right(grid, hue):
    """The grid with the cells of one colour heaped up at the right end of every row."""
    is_hue = lbind(equality, hue)
    heap = rbind(order, is_hue)
    answer = apply(heap, grid)
    return answer


def solve_4093f84a(I):
    """The specks on both sides fall onto the bar and take its colour."""
    layers = partition(I)
    solid = sfilter(layers, is_solid)
    bar = argmax(solid, size)
    hue = color(bar)
    rest = remove(bar, layers)
    specks = argmin(rest, size)
    one_hue = fill(I, hue, specks)
    standing = portrait(bar)
    lay = branch(standing, identity, dmirror)
    upright = lay(one_hue)
    edge = branch(standing, leftmost, uppermost)
    start = edge(bar)
    columns = increment(start)
    rows = height(upright)
    extent = astuple(rows, columns)
    left = crop(upright, ORIGIN, extent)
    middle = tojvec(columns)
    whole = shape(upright)
    right = crop(upright, middle, whole)
    left_heap = heap_right(left, hue)
    flipped = vmirror(right)
    flipped_heap = heap_right(flipped, hue)
    right_heap = vmirror(flipped_heap)
    joined = hconcat(left_heap, right_heap)
    answer = lay(joined)
    return answer
