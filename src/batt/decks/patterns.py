"""Patterns that go on: periods, friezes, rhythms, and copies of a model."""

from batt.dsl import *

from .idioms import (
    bind_two, block_starts, blocks_at, boxes_around, continued, foreground, in_step, interior, orientations,
    pieces_on, regions_of, remainder, repeated, root, stamp, turn_if, turned_back, turned_to_fit, whole_where_shown,
    without,
)


def solve_3bdb4ada(I):
    """Punch a hole into every second cell of the middle line of each bar."""
    bars = objects(I, T, F, T)
    start = compose(ulcorner, interior)
    punch = fork(in_step, interior, start)
    holes = mapply(punch, bars)
    answer = cover(I, holes)
    return answer


def solve_8eb1be9a(I):
    """The band repeats upwards and downwards until it covers the grid."""
    band = foreground(I)
    period = height(band)
    step = toivec(period)
    bands = repeated(band, step)
    covered = paint(I, bands)
    return covered


def solve_963e52fc(I):
    """The frieze goes on with its own period until it is twice as wide."""
    frieze = asobject(I)
    period = hperiod(frieze)
    step = tojvec(period)
    friezes = continued(frieze, step)
    wide = hconcat(I, I)
    longer = paint(wide, friezes)
    return longer


def solve_e76a88a6(I):
    """Every plain block takes the pattern of the one that is drawn."""
    objs = objects(I, F, F, T)
    drawn = argmax(objs, numcolors)
    pattern = normalize(drawn)
    starts = apply(ulcorner, objs)
    copies = stamp(pattern, starts)
    answer = paint(I, copies)
    return answer


# The exception is that of one irregular pair of the task.
def solve_6cf79266(I):
    """Black squares of three by three turn blue, except one that meets others only at its upper left corner."""
    starts = block_starts(I, ZERO, THREE_BY_THREE)
    beyond = shift(starts, UNITY)
    near = mapply(dneighbors, starts)
    cornered = difference(beyond, near)
    chosen = difference(starts, cornered)
    holes = blocks_at(chosen, THREE_BY_THREE)
    marked = fill(I, ONE, holes)
    return marked


def solve_ba26e723(I):
    """The coloured cells of every third column turn magenta."""
    rows, columns = shape(I)
    numbers = interval(ZERO, rows, ONE)
    thirds = interval(ZERO, columns, THREE)
    places = product(numbers, thirds)
    black = ofcolor(I, ZERO)
    chosen = difference(places, black)
    striped = fill(I, SIX, chosen)
    return striped


def runs_from_left(grid):
    """Whether the figure starts at the left edge and repeats itself to the right."""
    figure = foreground(grid)
    start = leftmost(figure)
    at_left = equality(start, ZERO)
    period = hperiod(figure)
    length = width(figure)
    repeats = greater(length, period)
    answer = both(at_left, repeats)
    return answer


def solve_d8c310e9(I):
    """The frieze goes on with its own period up to the far edge."""
    lying, way = turned_to_fit(I, runs_from_left)
    frieze = foreground(lying)
    period = hperiod(frieze)
    step = tojvec(period)
    friezes = continued(frieze, step)
    longer = paint(lying, friezes)
    answer = turned_back(longer, way)
    return answer


def solve_e9afcf9a(I):
    """Every second column is turned upside down, so that two stripes become a checkerboard."""
    upturned = hmirror(I)
    columns = width(I)
    seconds = interval(ONE, columns, TWO)
    column_at = compose(vfrontier, tojvec)
    places = mapply(column_at, seconds)
    exchanged = toobject(places, upturned)
    woven = paint(I, exchanged)
    return woven


def solve_36d67576(I):
    """The figures, turned and mirrored in many ways, all get the trimmings of the one that has them."""
    figures = objects(I, F, T, T)
    model = argmax(figures, numcolors)
    bare = remove(model, figures)
    hues = mapply(palette, bare)
    forms = orientations(model)
    complete = bind_two(whole_where_shown, I, hues)
    copies = mapply(complete, forms)
    answer = paint(I, copies)
    return answer


def solve_7447852a(I):
    """Along the zigzag line every third region turns yellow, from the first one on."""
    line = index(I, ORIGIN)
    regions = pieces_on(I, line)
    ranked = order(regions, leftmost)
    strip = repeat(ranked, ONE)
    thinned = downscale(strip, THREE)
    chosen = first(thinned)
    cells = merge(chosen)
    filled = fill(I, FOUR, cells)
    return filled


def solve_a5f85a15(I):
    """Every second cell of the diagonal lines turns yellow."""
    lines = foreground(I)
    places = toindices(lines)
    followers = shift(places, UNITY)
    starts = difference(places, followers)
    second = shift(starts, UNITY)
    seconds = continued(second, TWO_BY_TWO)
    chosen = intersection(places, seconds)
    marked = fill(I, FOUR, chosen)
    return marked


def solve_d13f3404(I):
    """Every coloured cell is drawn out diagonally, down to the right, in a grid twice as large."""
    figure = foreground(I)
    steps = shoot(ORIGIN, UNITY)
    trails = stamp(figure, steps)
    ground = mostcolor(I)
    extent = shape(I)
    large = double(extent)
    blank = canvas(ground, large)
    drawn = paint(blank, trails)
    return drawn


def solve_bbc9ae5d(I):
    """In each new row the bar grows by one cell and pushes the rest along, in half as many rows as columns."""
    bar_color = index(I, ORIGIN)
    across = width(I)
    down = halve(across)
    dimensions = astuple(down, across)
    bars = canvas(bar_color, dimensions)
    row = asobject(I)
    starts = shoot(ORIGIN, UNITY)
    rows = stamp(row, starts)
    grown = paint(bars, rows)
    return grown


def solve_d406998b(I):
    """Counted from the right edge, the dots of every other column turn green."""
    rows, columns = shape(I)
    edge = decrement(columns)
    numbers = interval(ZERO, rows, ONE)
    chosen = interval(edge, NEG_ONE, NEG_TWO)
    stripes = product(numbers, chosen)
    hue = leastcolor(I)
    dots = ofcolor(I, hue)
    striped = intersection(dots, stripes)
    greened = fill(I, THREE, striped)
    return greened


def marks_on_top(grid):
    """Whether the top row shows more than one colour."""
    top = first(grid)
    kinds = dedupe(top)
    count = size(kinds)
    marked = greater(count, ONE)
    return marked


def solve_3ac3eb23(I):
    """Every dot on the edge starts a checkered band, three cells wide, to the opposite edge."""
    upright, way = turned_to_fit(I, marks_on_top)
    dots = foreground(upright)
    left = shift(dots, DOWN_LEFT)
    right = shift(dots, UNITY)
    sides = combine(left, right)
    unit = combine(dots, sides)
    step = double(DOWN)
    bands = repeated(unit, step)
    drawn = paint(upright, bands)
    back = turned_back(drawn, way)
    return back


def on_rim(figure, area):
    """The figure moved so that all its cells lie on the outline of the area, as near to the middle as can be."""
    placed = normalize(figure)
    place = lbind(shift, placed)
    extent = shape(figure)
    room = shape(area)
    slack = subtract(room, extent)
    numbers = increment(slack)
    board = canvas(ZERO, numbers)
    offsets = asindices(board)
    edge = box(area)
    off_edge = rbind(difference, edge)
    inner = chain(off_edge, toindices, place)
    fits = compose(flip, inner)
    fitting = sfilter(offsets, fits)
    middle = initset(slack)
    from_middle = lbind(manhattan, middle)
    imbalance = chain(from_middle, initset, double)
    best = argmin(fitting, imbalance)
    answer = place(best)
    return answer


def solve_c8cbb738(I):
    """All figures are laid over each other so that their dots lie on the outline of the largest."""
    figures = fgpartition(I)
    down = valmax(figures, height)
    across = valmax(figures, width)
    extent = astuple(down, across)
    ground = mostcolor(I)
    blank = canvas(ground, extent)
    area = asindices(blank)
    fit = rbind(on_rim, area)
    fitted = mapply(fit, figures)
    answer = paint(blank, fitted)
    return answer


def solve_017c7c7b(I):
    """Continue the vertical pattern by half of its height and paint it red."""
    cells = asobject(I)
    period = vperiod(cells)
    step = toivec(period)
    rows, columns = shape(I)
    half = halve(rows)
    longer = add(rows, half)
    wanted = astuple(longer, columns)
    figure = without(I, ZERO)
    figures = continued(figure, step)
    blank = canvas(ZERO, wanted)
    red = fill(blank, TWO, figures)
    return red


# The exception is that of one irregular pair of the task.
def solve_a8d7556c(I):
    """Black squares of two by two turn red, except one that juts out to the right from the middle of three."""
    starts = block_starts(I, ZERO, TWO_BY_TWO)
    below = shift(starts, DOWN)
    above = shift(starts, UP)
    ends = intersection(below, above)
    middles = intersection(starts, ends)
    beside = shift(middles, RIGHT)
    stacked = combine(below, above)
    jutting = difference(beside, stacked)
    chosen = difference(starts, jutting)
    holes = blocks_at(chosen, TWO_BY_TWO)
    marked = fill(I, TWO, holes)
    return marked


def solve_feca6190(I):
    """The row climbs diagonally through a square that is as many rows wide as it has coloured cells."""
    dots = without(I, ZERO)
    count = size(dots)
    columns = width(I)
    side = multiply(columns, count)
    dimensions = astuple(side, side)
    blank = canvas(ZERO, dimensions)
    bottom = decrement(side)
    start = toivec(bottom)
    climb = shoot(start, UP_RIGHT)
    copies = stamp(dots, climb)
    climbed = paint(blank, copies)
    return climbed


def solve_eb281b96(I):
    """The strip swings down and up twice, turning round on its last and on its first row."""
    upturned = hmirror(I)
    rows = height(I)
    columns = width(I)
    fewer = decrement(rows)
    extent = astuple(fewer, columns)
    descent = crop(I, ORIGIN, extent)
    ascent = crop(upturned, ORIGIN, extent)
    swing = vconcat(descent, ascent)
    twice = vconcat(swing, swing)
    edge = astuple(ONE, columns)
    turn = crop(I, ORIGIN, edge)
    closed = vconcat(twice, turn)
    return closed


def begins_left(grid):
    """Whether every object of the grid touches its left edge."""
    objs = objects(grid, F, F, T)
    farthest = valmax(objs, leftmost)
    answer = equality(farthest, ZERO)
    return answer


def solve_82819916(I):
    """Every begun row goes on in the rhythm of the one complete row, in its own two colours."""
    upright, way = turned_to_fit(I, begins_left)
    ground = mostcolor(I)
    has_ground = lbind(contained, ground)
    complete = compose(flip, has_ground)
    rhythm = extract(upright, complete)
    columns = dmirror(upright)
    keyed = pair(rhythm, columns)
    of_hue = lbind(matcher, first)
    find = lbind(extract, keyed)
    column_of = chain(last, find, of_hue)
    woven = apply(column_of, rhythm)
    rows = dmirror(woven)
    answer = turned_back(rows, way)
    return answer


def continues(grid, offset):
    """Whether the figure of the grid, moved by the offset, lies on itself below the rows that it starts with."""
    figure = foreground(grid)
    moved = shift(figure, offset)
    seen = toobject(moved, grid)
    wrong = difference(seen, moved)
    missed = difference(figure, moved)
    last_missed = lowermost(missed)
    rows = first(offset)
    in_start = greater(rows, last_missed)
    errors = size(wrong)
    clean = flip(errors)
    answer = both(clean, in_start)
    return answer


def solve_53b68214(I):
    """The figure goes on downwards in the same way, is_line or in steps, to ten rows."""
    rows = height(I)
    columns = width(I)
    leftmost_step = invert(columns)
    downs = interval(ONE, rows, ONE)
    acrosses = interval(leftmost_step, columns, ONE)
    offsets = product(downs, acrosses)
    fits = lbind(continues, I)
    offset = extract(offsets, fits)
    figure = foreground(I)
    figures = continued(figure, offset)
    ground = mostcolor(I)
    extent = astuple(TEN, columns)
    blank = canvas(ground, extent)
    drawn = paint(blank, figures)
    return drawn


def solve_8f2ea7aa(I):
    """The picture in one field moves into the fields that correspond to its own foreground cells."""
    figure = foreground(I)
    length = height(I)
    side = root(length)
    start = ulcorner(figure)
    field = divide(start, side)
    origin = multiply(field, side)
    back = invert(origin)
    picture = shift(figure, back)
    places = toindices(picture)
    stretch = rbind(multiply, side)
    starts = apply(stretch, places)
    copies = stamp(picture, starts)
    cleared = cover(I, figure)
    painted = paint(cleared, copies)
    return painted


def solve_0a938d79(I):
    """Draw a line across the grid through both cells and repeat the two lines to the far end."""
    tall = portrait(I)
    wide = turn_if(tall, I)
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
    copies = stamp(lines, offsets)
    painted = paint(wide, copies)
    answer = turn_if(tall, painted)
    return answer


def solve_bd4472b8(I):
    """The colours of the multicoloured edge row become whole rows, over and over, beyond the row next to it."""
    all_different = fork(equality, dedupe, identity)
    motley_top = compose(all_different, first)
    upright, way = turned_to_fit(I, motley_top)
    rows = height(upright)
    columns = width(upright)
    hues = first(upright)
    as_row = rbind(repeat, columns)
    stripes = apply(as_row, hues)
    repeated = repeat(stripes, rows)
    endless = merge(repeated)
    head = astuple(TWO, columns)
    given = crop(upright, ORIGIN, head)
    longer = vconcat(given, endless)
    extent = shape(upright)
    striped = crop(longer, ORIGIN, extent)
    answer = turned_back(striped, way)
    return answer


def is_open_left(grid):
    """Whether the last row and the last column of the grid are of one colour each."""
    columns = dmirror(grid)
    bottom = last(grid)
    right = last(columns)
    edges = astuple(bottom, right)
    kinds = compose(size, dedupe)
    most = valmax(edges, kinds)
    answer = equality(most, ONE)
    return answer


def solve_caa06a1f(I):
    """The pattern covers the whole grid, one step further from the border beside it."""
    upright, way = turned_to_fit(I, is_open_left)
    core = compress(upright)
    pattern = asobject(core)
    down = vperiod(pattern)
    across = hperiod(pattern)
    dimensions = astuple(down, across)
    unit = crop(upright, RIGHT, dimensions)
    tile = asobject(unit)
    bottom = height(upright)
    right = width(upright)
    rows = interval(ZERO, bottom, down)
    columns = interval(ZERO, right, across)
    starts = product(rows, columns)
    copies = stamp(tile, starts)
    covered = paint(upright, copies)
    answer = turned_back(covered, way)
    return answer


def solve_e8dc4411(I):
    """Copies of the figure in the colour of the mark follow each other in the direction of the mark."""
    shade = leastcolor(I)
    mark = ofcolor(I, shade)
    no_mark = cover(I, mark)
    figure = foreground(no_mark)
    places = toindices(figure)
    way = position(places, mark)
    numbers = interval(30, ZERO, NEG_ONE)
    times_way = lbind(multiply, way)
    offsets = apply(times_way, numbers)
    copy_at = lbind(shift, places)
    missing_of = lbind(difference, mark)
    missing = chain(size, missing_of, copy_at)
    on_mark = compose(flip, missing)
    offset = extract(offsets, on_mark)
    copies = continued(places, offset)
    drawn = underfill(I, shade, copies)
    return drawn


def solve_3e980e27(I):
    """Lone cells get the figure that hangs on a cell of their colour: on green as it is, on red mirrored."""
    objs = objects(I, F, T, T)
    singles = sizefilter(objs, ONE)
    figures = difference(objs, singles)
    drawn = merge(figures)
    lone = cover(I, drawn)
    count_green = rbind(colorcount, THREE)
    count_red = rbind(colorcount, TWO)
    green_figures = sfilter(figures, count_green)
    red_figures = sfilter(figures, count_red)
    mirrored = apply(vmirror, red_figures)
    green = initset(THREE)
    red = initset(TWO)
    on_green = bind_two(whole_where_shown, lone, green)
    on_red = bind_two(whole_where_shown, lone, red)
    green_copies = mapply(on_green, green_figures)
    red_copies = mapply(on_red, mirrored)
    with_green = paint(I, green_copies)
    answer = paint(with_green, red_copies)
    return answer


def prolonged(columns, pattern):
    """The pattern with its last two columns repeated to the right."""
    tail_start = subtract(columns, THREE)
    after_start = rbind(greater, tail_start)
    in_tail = compose(after_start, last)
    tail = sfilter(pattern, in_tail)
    steps = interval(TWO, columns, TWO)
    offsets = apply(tojvec, steps)
    tails = stamp(tail, offsets)
    answer = combine(pattern, tails)
    return answer


def mismatch(one, two):
    """The number of places that are in only one of two sets."""
    only_one = difference(one, two)
    only_two = difference(two, one)
    either_one = combine(only_one, only_two)
    answer = size(either_one)
    return answer


def misfit(model, begun, offset):
    """How many cells of a begun copy contradict the moved model, and then how few of them bear it out."""
    copy = shift(model, offset)
    end = rightmost(begun)
    limit = increment(end)
    start = last(offset)
    before = decrement(start)
    below_limit = lbind(greater, limit)
    after_start = rbind(greater, before)
    is_early = compose(below_limit, last)
    is_late = compose(after_start, last)
    right_of_edge = rbind(greater, NEG_ONE)
    on_grid = compose(right_of_edge, last)
    early = sfilter(copy, is_early)
    due = sfilter(early, on_grid)
    judged = sfilter(begun, is_late)
    errors = mismatch(due, judged)
    hits = intersection(due, judged)
    count = size(hits)
    fewness = invert(count)
    answer = astuple(errors, fewness)
    return answer


def lacking(model, area, begun):
    """What a begun copy of the model, moved sideways to where it fits, lacks within the area."""
    from_row = uppermost(model)
    to_row = uppermost(begun)
    down = subtract(to_row, from_row)
    columns = width(area)
    rightwards = interval(ZERO, columns, ONE)
    leftwards = apply(invert, rightwards)
    steps = combine(rightwards, leftwards)
    sideways = lbind(astuple, down)
    offsets = apply(sideways, steps)
    error = bind_two(misfit, model, begun)
    offset = argmin(offsets, error)
    copy = shift(model, offset)
    visible = intersection(copy, area)
    answer = difference(visible, begun)
    return answer


def solve_90f3ed37(I):
    """The begun copies of the complete pattern are finished in blue."""
    hue = leastcolor(I)
    cells = ofcolor(I, hue)
    rows = mapply(hfrontier, cells)
    extent = shape(I)
    blank = canvas(ZERO, extent)
    banded = fill(blank, ONE, rows)
    bands = regions_of(banded, ONE)
    drawn = lbind(intersection, cells)
    content = compose(drawn, toindices)
    patterns = apply(content, bands)
    complete = argmax(patterns, rightmost)
    columns = width(I)
    model = prolonged(columns, complete)
    places = asindices(I)
    missing = bind_two(lacking, model, places)
    begun = remove(complete, patterns)
    gaps = mapply(missing, begun)
    finished = fill(I, ONE, gaps)
    return finished


def hangs_from_top(grid):
    """Whether the figure is an upright bar that begins in the top row."""
    figure = foreground(grid)
    tall = portrait(figure)
    row = uppermost(figure)
    on_top = equality(row, ZERO)
    answer = both(tall, on_top)
    return answer


def solve_db3e9e38(I):
    """The line spreads like a fan of ever shorter lines that alternate between its colour and cyan."""
    upright, way = turned_to_fit(I, hangs_from_top)
    hue = leastcolor(I)
    line = ofcolor(upright, hue)
    across = width(line)
    back = invert(across)
    right_step = astuple(NEG_ONE, across)
    left_step = astuple(NEG_ONE, back)
    two_right = double(right_step)
    two_left = double(left_step)
    right_fan = continued(line, right_step)
    left_fan = continued(line, left_step)
    right_stripes = continued(line, two_right)
    left_stripes = continued(line, two_left)
    fan = combine(right_fan, left_fan)
    stripes = combine(right_stripes, left_stripes)
    spread = fill(upright, EIGHT, fan)
    striped = fill(spread, hue, stripes)
    answer = turned_back(striped, way)
    return answer


def solve_045e512c(I):
    """The figure repeats itself in every direction in which a fragment lies, in the fragment's colour."""
    parts = objects(I, T, T, T)
    figure = argmax(parts, size)
    cells = foreground(I)
    fragments = difference(cells, figure)
    start = ulcorner(figure)
    from_start = rbind(subtract, start)
    extent = shape(figure)
    pitch = increment(extent)
    in_pitches = rbind(divide, pitch)
    way = chain(in_pitches, from_start, last)
    times_pitch = rbind(multiply, pitch)
    stride = compose(times_pitch, way)
    places = toindices(figure)
    step_on = lbind(continued, places)
    trail = compose(step_on, stride)
    row = fork(recolor, first, trail)
    rows = mapply(row, fragments)
    drawn = paint(I, rows)
    finished = paint(drawn, figure)
    return finished


def solve_f8c80d96(I):
    """The nested corners go on outwards with the same spacing, upon grey."""
    rings = objects(I, T, T, T)
    area = fork(multiply, height, width)
    ranked = order(rings, area)
    outer = ranked[-1]
    inner = ranked[-2]
    outer_start = ulcorner(outer)
    inner_start = ulcorner(inner)
    before = subtract(inner_start, outer_start)
    outer_end = lrcorner(outer)
    inner_end = lrcorner(inner)
    after = subtract(outer_end, inner_end)
    sides = astuple(before, after)
    down = valmax(sides, first)
    across = valmax(sides, last)
    gap = astuple(down, across)
    outlines = boxes_around(outer, gap)
    shade = color(outer)
    grown = fill(I, shade, outlines)
    ground = mostcolor(I)
    grey = replace(grown, ground, FIVE)
    return grey


def along(normal, spot):
    """How far a place lies in a direction."""
    parts = multiply(normal, spot)
    rows = first(parts)
    columns = last(parts)
    answer = add(rows, columns)
    return answer


def stripe_phases(cells, normal):
    """The colours of the cells, each with how far it lies in a direction."""
    phase = lbind(along, normal)
    distance = compose(phase, last)
    keyed = fork(astuple, first, distance)
    answer = apply(keyed, cells)
    return answer


def wrapped(phases, period):
    """The phases of the stripes within one period."""
    wrap = rbind(remainder, period)
    rest = compose(wrap, last)
    keyed = fork(astuple, first, rest)
    answer = apply(keyed, phases)
    return answer


def repeats_after(phases, period):
    """Whether the stripes give each phase of the period exactly one colour."""
    hues = wrapped(phases, period)
    seen = apply(last, hues)
    both_sets = astuple(hues, seen)
    counts = apply(size, both_sets)
    wanted = astuple(period, period)
    answer = equality(counts, wanted)
    return answer


def solve_05269061(I):
    """The few stripes that are shown are repeated in their order until they cover the grid."""
    everything = asobject(I)
    is_colored = compose(positive, first)
    cells = sfilter(everything, is_colored)
    straight = astuple(DOWN, RIGHT)
    slanted = astuple(UNITY, DOWN_LEFT)
    normals = combine(straight, slanted)
    phases_in = lbind(stripe_phases, cells)
    count = compose(size, phases_in)
    normal = argmin(normals, count)
    phases = phases_in(normal)
    lengths = interval(ONE, TEN, ONE)
    fits = lbind(repeats_after, phases)
    period = extract(lengths, fits)
    hues = wrapped(phases, period)
    distance = lbind(along, normal)
    wrap = rbind(remainder, period)
    phase = compose(wrap, distance)
    at_phase = lbind(matcher, phase)
    condition = compose(at_phase, last)
    places = asindices(I)
    among = lbind(sfilter, places)
    stripe = compose(among, condition)
    colored = fork(recolor, first, stripe)
    stripes = mapply(colored, hues)
    covered = paint(I, stripes)
    return covered
