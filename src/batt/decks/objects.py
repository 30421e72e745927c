"""Solvers that find objects, choose among them, and recolour, move or redraw them."""

from batt.dsl import *


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
