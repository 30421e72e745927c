"""Helpers that solvers of several files share: cells, forms, copies, lines, turns and parts of grids."""

from batt.dsl import *


# Colours and cells


def foreground(grid):
    """All cells that are not of the most frequent colour, as one object."""
    layers = fgpartition(grid)
    cells = merge(layers)
    return cells


def cells_of(figure, colour):
    """The cells of a figure that are of the colour."""
    has_colour = matcher(first, colour)
    cells = sfilter(figure, has_colour)
    return cells


def cells_except(figure, colour):
    """The cells of a figure that are not of the colour."""
    unwanted = cells_of(figure, colour)
    cells = difference(figure, unwanted)
    return cells


def without(grid, colour):
    """The cells of a grid that are not of the colour, as one object."""
    everything = asobject(grid)
    cells = cells_except(everything, colour)
    return cells


def by_frequency(grid):
    """The colours of the grid, the rarest first."""
    colours = palette(grid)
    count = lbind(colorcount, grid)
    ranked = order(colours, count)
    return ranked


def third_colour(grid, second):
    """The colour of the grid that is neither its most frequent one nor the given one."""
    ground = mostcolor(grid)
    colours = palette(grid)
    others = remove(ground, colours)
    answer = other(others, second)
    return answer


def shared_colours(one, two):
    """The colours that occur in both grids."""
    colours = palette(one)
    other_colours = palette(two)
    shared = intersection(colours, other_colours)
    return shared


def shared_colour(one, two):
    """The one colour that two grids have in common."""
    shared = shared_colours(one, two)
    answer = first(shared)
    return answer


def minor_colours(grid):
    """One object per colour, without the two most frequent colours."""
    colours = fgpartition(grid)
    major = argmax(colours, size)
    minor = remove(major, colours)
    return minor


def unlike(value):
    """The function that says whether something differs from the value."""
    same = lbind(equality, value)
    answer = compose(flip, same)
    return answer


def rarest_part(figure):
    """The cells of a figure that have its rarest colour."""
    rare = leastcolor(figure)
    cells = cells_of(figure, rare)
    return cells


# Regions and forms


def regions_of(grid, colour):
    """The connected regions of one colour, the background's included."""
    regions = objects(grid, T, F, F)
    chosen = colorfilter(regions, colour)
    return chosen


def enclosed(grid, colour):
    """The regions of one colour that do not touch the edge of the grid."""
    regions = regions_of(grid, colour)
    at_edge = rbind(bordering, grid)
    shut_in = compose(flip, at_edge)
    inner = sfilter(regions, shut_in)
    return inner


def pieces_on(grid, ground):
    """The connected pieces of whatever colours that lie on a ground of the given colour."""
    everywhere = asindices(grid)
    empty = ofcolor(grid, ground)
    covered = difference(everywhere, empty)
    extent = shape(grid)
    blank = canvas(ZERO, extent)
    mask = fill(blank, ONE, covered)
    patches = regions_of(mask, ONE)
    look_up = rbind(toobject, grid)
    pieces = apply(look_up, patches)
    return pieces


def objects_except(objs, colour):
    """The objects that are not of the colour."""
    unwanted = colorfilter(objs, colour)
    answer = difference(objs, unwanted)
    return answer


def solid_regions(grid):
    """The regions of one colour that fill their bounding box."""
    regions = objects(grid, T, F, F)
    solid = sfilter(regions, is_solid)
    return solid


def largest_first(objs):
    """The objects in a row, the largest first."""
    smallness = compose(invert, size)
    ranked = order(objs, smallness)
    return ranked


def outline(patch):
    """The places of a patch, moved to the upper left corner: equal for patches of the same form."""
    placed = normalize(patch)
    places = toindices(placed)
    return places


def is_line(patch):
    """Whether the patch is an unbroken horizontal or vertical run."""
    lying = hline(patch)
    upright = vline(patch)
    straight = either(lying, upright)
    return straight


def is_solid(patch):
    """Whether the patch fills its bounding box."""
    gaps = delta(patch)
    filled = flip(gaps)
    return filled


def is_frame(patch):
    """Whether the patch is exactly the outline of a rectangle around something."""
    places = toindices(patch)
    edge = box(patch)
    exact = equality(places, edge)
    inside = delta(patch)
    answer = both(exact, inside)
    return answer


def interior(patch):
    """The places of the bounding box that do not lie on its outline."""
    area = backdrop(patch)
    edge = box(patch)
    places = difference(area, edge)
    return places


def rim(patch):
    """The places that touch a side of the patch from outside."""
    places = toindices(patch)
    beside = mapply(dneighbors, places)
    around = difference(beside, places)
    return around


def double_center(patch):
    """Twice the middle of the bounding box, which is a whole number even if the middle is not."""
    start = ulcorner(patch)
    end = lrcorner(patch)
    total = add(start, end)
    return total


def is_one_picture(patch):
    """Whether no place of the patch has two colours."""
    places = toindices(patch)
    count = size(patch)
    place_count = size(places)
    answer = equality(count, place_count)
    return answer


def corner_marks(grid):
    """The four cells of one colour that mark the corners of the largest rectangle."""
    layers = partition(grid)
    four_corners = fork(equality, toindices, corners)
    marks = sfilter(layers, four_corners)
    area = compose(size, backdrop)
    largest = argmax(marks, area)
    return largest


def nearest_to(patches, patch):
    """Of the patches, the one nearest to the given patch."""
    distance = lbind(manhattan, patch)
    nearest = argmin(patches, distance)
    return nearest


def halfway_cells(cells, offset):
    """The places halfway between any two of the cells that lie apart by the offset."""
    moved = shift(cells, offset)
    ends = intersection(cells, moved)
    half = halve(offset)
    back = invert(half)
    middles = shift(ends, back)
    return middles


def in_step(places, spot):
    """Those of the places that have the colour of the given one on a chessboard."""
    total = fork(add, first, last)
    parity = compose(even, total)
    wanted = parity(spot)
    same = matcher(parity, wanted)
    answer = sfilter(places, same)
    return answer


# Solid blocks


def block_starts(grid, colour, extent):
    """The upper left corners of all blocks of one colour and of that extent."""
    block = canvas(colour, extent)
    cells = asobject(block)
    starts = occurrences(grid, cells)
    return starts


def blocks_at(starts, extent):
    """The places of all blocks of that extent with these upper left corners."""
    block = canvas(ZERO, extent)
    area = asindices(block)
    places = stamp(area, starts)
    return places


def solid_cells(grid, colour):
    """The places of the colour that belong to a solid square of two by two."""
    starts = block_starts(grid, colour, TWO_BY_TWO)
    places = blocks_at(starts, TWO_BY_TWO)
    return places


# Copies


def stamp(patch, places):
    """The patch shifted to every one of the places, united."""
    copy_at = lbind(shift, patch)
    copies = mapply(copy_at, places)
    return copies


def multiples(step):
    """The whole multiples of a step, from none at all up to 42 times."""
    counts = shoot(ORIGIN, UNITY)
    times = lbind(multiply, step)
    offsets = apply(times, counts)
    return offsets


def continued(patch, step):
    """The patch and its copies at every multiple of the step."""
    offsets = multiples(step)
    copies = stamp(patch, offsets)
    return copies


def repeated(patch, step):
    """The patch and its copies at every multiple of the step, forwards and backwards."""
    back = invert(step)
    onwards = continued(patch, step)
    backwards = continued(patch, back)
    copies = combine(onwards, backwards)
    return copies


def copies_at(grid, part, pattern):
    """Copies of the pattern wherever the grid shows the given part of it."""
    spots = occurrences(grid, part)
    start = ulcorner(part)
    source = invert(start)
    moved = shift(pattern, source)
    copies = stamp(moved, spots)
    return copies


def copies_where_shown(grid, colours, obj):
    """Copies of the object where the grid shows exactly its part in the given colours, and no more beside it."""
    has_colour = rbind(contained, colours)
    is_shown = compose(has_colour, first)
    part = sfilter(obj, is_shown)
    corner = ulcorner(part)
    spots = occurrences(grid, part)
    from_corner = rbind(subtract, corner)
    offsets = apply(from_corner, spots)
    cells = asobject(grid)
    shown = sfilter(cells, is_shown)
    shown_places = toindices(shown)
    around = rim(part)
    around_at = lbind(shift, around)
    more = lbind(intersection, shown_places)
    count = chain(size, more, around_at)
    is_exact = matcher(count, ZERO)
    exact = sfilter(offsets, is_exact)
    copy_at = lbind(shift, obj)
    copies = apply(copy_at, exact)
    return copies


def whole_where_shown(grid, colours, obj):
    """The cells of the object wherever the grid shows exactly its part in the given colours."""
    copies = copies_where_shown(grid, colours, obj)
    cells = merge(copies)
    return cells


# Lines


def straight_links(starts, ends):
    """The places of all horizontal and vertical lines from one of the starts to one of the ends."""
    links = prapply(connect, starts, ends)
    places = mfilter(links, is_line)
    return places


def cross_lines(patch):
    """The whole rows and columns of all cells of the patch."""
    places = toindices(patch)
    rows = mapply(hfrontier, places)
    columns = mapply(vfrontier, places)
    lines = combine(rows, columns)
    return lines


def star(spot):
    """The four diagonal rays from a place."""
    ways = ineighbors(ORIGIN)
    ray = lbind(shoot, spot)
    rays = mapply(ray, ways)
    return rays


def boxes_around(patch, gap):
    """Nested outlines around the patch, each a gap outside the last one."""
    counts = interval(ONE, 30, ONE)
    gaps = initset(gap)
    reaches = prapply(multiply, gaps, counts)
    start = ulcorner(patch)
    end = lrcorner(patch)
    before = lbind(subtract, start)
    after = lbind(add, end)
    span = fork(astuple, before, after)
    edge = compose(box, span)
    outlines = mapply(edge, reaches)
    return outlines


# Whole grids


def blank_like(grid):
    """A grid of the same shape, all in the background colour."""
    ground = mostcolor(grid)
    extent = shape(grid)
    blank = canvas(ground, extent)
    return blank


def place(grid, obj, corner):
    """The grid with the object painted so that its bounding box begins at the corner."""
    loose = normalize(obj)
    laid = shift(loose, corner)
    painted = paint(grid, laid)
    return painted


def portrayed(obj, ground):
    """The object alone, cut out on a ground of one colour."""
    extent = shape(obj)
    blank = canvas(ground, extent)
    picture = place(blank, obj, ORIGIN)
    return picture


def lay_under(grid, below, colour):
    """The grid with its cells of the colour replaced by what the grid below shows there."""
    gaps = ofcolor(grid, colour)
    seen = toobject(gaps, below)
    answer = paint(grid, seen)
    return answer


def turn_if(condition, grid):
    """The grid mirrored across its diagonal if the condition is true, else unchanged."""
    turned = dmirror(grid)
    answer = branch(condition, turned, grid)
    return answer


def turned_ways(grid):
    """The grid turned and mirrored in every way, each time with the number of the way."""
    turns = (identity, rot90, rot180, rot270, hmirror, vmirror, dmirror, cmirror)
    turned = rapply(turns, grid)
    numbers = interval(ZERO, EIGHT, ONE)
    ways = pair(turned, numbers)
    return ways


def turned_to_fit(grid, fits):
    """The first turn or mirror image of the grid that fits, and the number of the way of turning."""
    ways = turned_ways(grid)
    fitting = compose(fits, first)
    chosen = extract(ways, fitting)
    return chosen


def best_turned(grid, measure):
    """The turn or mirror image of the grid with the greatest measure, and the number of the way of turning."""
    ways = turned_ways(grid)
    rank = compose(measure, first)
    chosen = argmax(ways, rank)
    return chosen


def turned_back(grid, way):
    """The grid as it was before it was turned in the way of that number."""
    undoings = (identity, rot270, rot180, rot90, hmirror, vmirror, dmirror, cmirror)
    candidates = rapply(undoings, grid)
    answer = candidates[way]
    return answer


def four_turns(piece):
    """The piece in the four positions that turns give it."""
    quarter = compose(vmirror, dmirror)
    half = compose(vmirror, hmirror)
    three_quarters = compose(hmirror, dmirror)
    turns = (identity, quarter, half, three_quarters)
    positions = rapply(turns, piece)
    return positions


def orientations(piece):
    """The piece, a grid or a patch, in its eight positions: turned and mirrored in every way."""
    turned = four_turns(piece)
    flipped = vmirror(piece)
    turned_over = four_turns(flipped)
    positions = combine(turned, turned_over)
    return positions


def dividers(grid):
    """The rows and columns of one colour throughout, if that is not the most frequent colour."""
    lines = frontiers(grid)
    ground = mostcolor(grid)
    answer = objects_except(lines, ground)
    return answer


def rooms_between(grid, lines):
    """The fields that the lines leave of the grid, in reading order."""
    bars = merge(lines)
    extent = shape(grid)
    blank = canvas(ZERO, extent)
    barred = fill(blank, ONE, bars)
    fields = regions_of(barred, ZERO)
    patches = apply(toindices, fields)
    ranked = order(patches, ulcorner)
    return ranked


def panes(grid):
    """The fields between the lines that cross the whole grid, in reading order."""
    lines = frontiers(grid)
    fields = rooms_between(grid, lines)
    return fields


def stands_on_floor(grid):
    """Whether all objects of the grid reach down to its bottom row."""
    objs = objects(grid, T, F, T)
    highest = valmin(objs, lowermost)
    rows = height(grid)
    bottom = decrement(rows)
    answer = equality(highest, bottom)
    return answer


# Numbers and functions


def remainder(number, period):
    """What is left of a number, or of both numbers of a pair, after whole periods."""
    periods = divide(number, period)
    whole = multiply(periods, period)
    rest = subtract(number, whole)
    return rest


def root(square_number):
    """The whole number whose square is the given one."""
    numbers = interval(ONE, TEN, ONE)
    squared = fork(multiply, identity, identity)
    fits = matcher(squared, square_number)
    answer = extract(numbers, fits)
    return answer


def bind_two(function, one, two):
    """The function with its first two arguments fixed."""
    half_bound = lbind(function, one)
    bound = lbind(half_bound, two)
    return bound
