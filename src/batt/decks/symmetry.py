"""Mirrors, turns and symmetric figures: the answer is the grid, or a figure in it, seen in a mirror."""

from batt.dsl import *

from .idioms import (
    cells_except, cells_of, double_center, foreground, halfway_cells, is_one_picture, lay_under, outline, turn_if,
    turned_back, turned_to_fit,
)


def solve_3c9b0459(I):
    """Turn the grid by half a turn."""
    turned = rot180(I)
    return turned


def solve_67a3c6ac(I):
    """The grid is mirrored from left to right."""
    flipped = vmirror(I)
    return flipped


def solve_68b16354(I):
    """The grid is turned upside down."""
    upturned = hmirror(I)
    return upturned


def solve_74dd1130(I):
    """Swap rows and columns."""
    swapped = dmirror(I)
    return swapped


def solve_ed36ccf7(I):
    """Turn the grid a quarter anticlockwise."""
    turned = rot270(I)
    return turned


def solve_4c4377d9(I):
    """Put the grid's reflection in water on top of it."""
    reflection = hmirror(I)
    stacked = vconcat(reflection, I)
    return stacked


def solve_6150a2bd(I):
    """Mirror the grid both ways."""
    flipped = vmirror(I)
    turned = hmirror(flipped)
    return turned


def solve_6d0aefbc(I):
    """Put the mirror image of the grid to its right."""
    flipped = vmirror(I)
    doubled = hconcat(I, flipped)
    return doubled


def solve_6fa7a44f(I):
    """The grid gets its reflection in water below it."""
    reflection = hmirror(I)
    tall = vconcat(I, reflection)
    return tall


def solve_8be77c9e(I):
    """The rows of the grid are followed by the same rows in reverse."""
    reflection = hmirror(I)
    stacked = combine(I, reflection)
    return stacked


def solve_c9e6f938(I):
    """Every row is followed by its own mirror image."""
    flipped = vmirror(I)
    wide = papply(combine, I, flipped)
    return wide


def squared(figure):
    """The square figure, completed so that it looks the same from every side."""
    across = cmirror(figure)
    half_done = combine(figure, across)
    upturned = hmirror(half_done)
    nearly_done = combine(half_done, upturned)
    flipped = vmirror(nearly_done)
    complete = combine(nearly_done, flipped)
    return complete


def clusters(grid):
    """The groups of coloured cells in which each is at most two away from another."""
    ground = mostcolor(grid)
    cells = foreground(grid)
    places = toindices(cells)
    near = neighbors(ORIGIN)
    nearby = mapply(neighbors, near)
    between = lbind(halfway_cells, places)
    bridges = mapply(between, nearby)
    joined = combine(places, bridges)
    extent = shape(grid)
    blank = canvas(ZERO, extent)
    mask = fill(blank, ONE, joined)
    parts = objects(mask, T, T, F)
    areas = colorfilter(parts, ONE)
    look_up = rbind(toobject, grid)
    colored_in = rbind(cells_except, ground)
    content = compose(colored_in, look_up)
    groups = apply(content, areas)
    return groups


def solve_11852cab(I):
    """Complete the square figures so that each looks the same from every side."""
    figures = clusters(I)
    complete = mapply(squared, figures)
    answer = paint(I, complete)
    return answer


def solve_7468f01a(I):
    """The picture is cut out and mirrored from left to right."""
    picture = foreground(I)
    cut = subgrid(picture, I)
    flipped = vmirror(cut)
    return flipped


def reflected(patch, way):
    """The patch mirrored over the side, or the corner, of its box that lies in that direction."""
    down, across = way
    upturned = hmirror(patch)
    half_done = branch(down, upturned, patch)
    flipped = vmirror(half_done)
    image = branch(across, flipped, half_done)
    extent = shape(patch)
    offset = multiply(way, extent)
    moved = shift(image, offset)
    return moved


def way_to(patch, goal):
    """The direction in which the goal lies outside the patch's box: zero for shared rows, or columns."""
    way = position(patch, goal)
    level = hmatching(patch, goal)
    above = vmatching(patch, goal)
    down = flip(level)
    across = flip(above)
    mask = astuple(down, across)
    masked = multiply(way, mask)
    return masked


def mirror_images(figure):
    """The main part of the figure, mirrored towards each of its odd cells in that cell's colour."""
    shade = mostcolor(figure)
    main = cells_of(figure, shade)
    odd = difference(figure, main)
    cells = apply(initset, odd)
    way = lbind(way_to, main)
    image_over = lbind(reflected, main)
    image = compose(image_over, way)
    coloured = fork(recolor, color, image)
    images = mapply(coloured, cells)
    return images


def solve_b775ac94(I):
    """Each figure is mirrored over the sides and the corner that its odd cells mark, in the colours of these cells."""
    figures = objects(I, F, T, T)
    images = mapply(mirror_images, figures)
    drawn = paint(I, images)
    return drawn


def solve_3af2c5a8(I):
    """Mirror the grid to the right, then mirror the whole downwards."""
    flipped = vmirror(I)
    wide = hconcat(I, flipped)
    reflection = hmirror(wide)
    tall = vconcat(wide, reflection)
    return tall


def solve_62c24649(I):
    """Mirror the grid downwards and the whole of it to the right."""
    reflection = hmirror(I)
    left = vconcat(I, reflection)
    right = vmirror(left)
    whole = hconcat(left, right)
    return whole


def mirror_below(figure, area):
    """The figure mirrored upside down about the middle of the area."""
    flipped = hmirror(figure)
    target = double_center(area)
    source = double_center(figure)
    way = subtract(target, source)
    distance = first(way)
    offset = toivec(distance)
    mirrored = shift(flipped, offset)
    return mirrored


def mirror_beside(figure, area):
    """The figure mirrored left to right about the middle of the area."""
    flipped = vmirror(figure)
    target = double_center(area)
    source = double_center(figure)
    way = subtract(target, source)
    distance = last(way)
    offset = tojvec(distance)
    mirrored = shift(flipped, offset)
    return mirrored


def fourfold(figure, area):
    """The figure with its mirror images about the middle of the area, left to right and upside down."""
    beside = mirror_beside(figure, area)
    half = combine(figure, beside)
    below = mirror_below(half, area)
    whole = combine(half, below)
    return whole


def solve_4938f0c2(I):
    """The figure is mirrored to all sides of the small square."""
    layers = fgpartition(I)
    middle = extract(layers, square)
    figure = other(layers, middle)
    whole = fourfold(figure, middle)
    painted = paint(I, whole)
    return painted


def solve_72ca375d(I):
    """The answer is the one object that is its own mirror image from left to right."""
    objs = objects(I, T, T, T)
    cut_out = rbind(subgrid, I)
    pieces = apply(cut_out, objs)
    symmetric = fork(equality, identity, vmirror)
    result = extract(pieces, symmetric)
    return result


def solve_8d5021e8(I):
    """The grid is mirrored to the left, and the wide picture is stacked upside down, upright and upside down."""
    flipped = vmirror(I)
    wide = hconcat(flipped, I)
    upturned = hmirror(wide)
    upper = vconcat(upturned, wide)
    stacked = vconcat(upper, upturned)
    return stacked


def solve_e3497940(I):
    """Fold the right half over the left along the middle line."""
    ground = mostcolor(I)
    left = lefthalf(I)
    right = righthalf(I)
    flipped = vmirror(right)
    folded = lay_under(flipped, left, ground)
    return folded


def solve_44f52bb0(I):
    """Answer one blue cell if the grid equals one of its mirror images, else orange."""
    flipped = vmirror(I)
    upturned = hmirror(I)
    images = astuple(flipped, upturned)
    symmetric = contained(I, images)
    answer = branch(symmetric, ONE, SEVEN)
    cell = canvas(answer, UNITY)
    return cell


def solve_46442a0e(I):
    """Set four copies of the grid around the middle, each a quarter turn on from the last."""
    upper_right = rot90(I)
    lower_right = rot180(I)
    lower_left = rot270(I)
    upper = hconcat(I, upper_right)
    lower = hconcat(lower_left, lower_right)
    ring = vconcat(upper, lower)
    return ring


def solve_7fe24cdd(I):
    """Four copies of the grid stand around the middle, each a quarter turn on from the last."""
    upper_right = rot90(I)
    lower_right = rot180(I)
    lower_left = rot270(I)
    left = vconcat(I, lower_left)
    right = vconcat(upper_right, lower_right)
    ring = hconcat(left, right)
    return ring


def solve_496994bd(I):
    """The empty half is filled with the mirror image of the other half."""
    ground = mostcolor(I)
    flipped = vmirror(I)
    upturned = hmirror(I)
    beside = lay_under(I, flipped, ground)
    below = lay_under(I, upturned, ground)
    candidates = astuple(beside, below)
    empty_cells = rbind(colorcount, ground)
    whole = argmin(candidates, empty_cells)
    return whole


def solve_4c5c2cf0(I):
    """The figure is mirrored to all four sides of the small diagonal cross."""
    layers = fgpartition(I)
    diagonal = ineighbors(UNITY)
    cross_places = insert(UNITY, diagonal)
    is_cross = matcher(outline, cross_places)
    cross = extract(layers, is_cross)
    figure = other(layers, cross)
    whole = fourfold(figure, cross)
    painted = paint(I, whole)
    return painted


def solve_f25ffba3(I):
    """The figure in one half of the grid is mirrored into the empty half."""
    figure = foreground(I)
    ground = mostcolor(I)
    upturned = hmirror(I)
    flipped = vmirror(I)
    below = paint(upturned, figure)
    beside = paint(flipped, figure)
    candidates = astuple(below, beside)
    empty_cells = rbind(colorcount, ground)
    whole = argmin(candidates, empty_cells)
    return whole


def solve_2bcee788(I):
    """The figure is mirrored over the side that the rare colour marks, on a green ground."""
    mark_shade = leastcolor(I)
    marks = ofcolor(I, mark_shade)
    no_marks = cover(I, marks)
    figure = foreground(no_marks)
    way = way_to(figure, marks)
    image = reflected(figure, way)
    whole = combine(figure, image)
    extent = shape(I)
    green = canvas(THREE, extent)
    drawn = paint(green, whole)
    return drawn


def solve_662c240a(I):
    """Of the squares in a row keep the one that is not its own mirror image across the diagonal."""
    tall = portrait(I)
    lying = turn_if(tall, I)
    length = width(lying)
    side = height(lying)
    count = divide(length, side)
    pieces = hsplit(lying, count)
    symmetric = fork(equality, identity, dmirror)
    asymmetric = compose(flip, symmetric)
    odd = extract(pieces, asymmetric)
    answer = turn_if(tall, odd)
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


def solve_9dfd6313(I):
    """Mirror the drawing at the line, which lies on a diagonal or across the middle."""
    diagonal = astuple(dmirror, cmirror)
    straight = astuple(vmirror, hmirror)
    mirrors = combine(diagonal, straight)
    images = rapply(mirrors, I)
    ground = mostcolor(I)
    agreeing = rbind(cellwise, ground)
    kept = lbind(agreeing, I)
    line = compose(foreground, kept)
    length = compose(size, line)
    side = height(I)
    keeps_line = matcher(length, side)
    answer = extract(images, keeps_line)
    return answer


def squares_around(patch, side):
    """The squares of that side that share a corner with the bounding box of the patch, as pairs of corners."""
    reach = decrement(side)
    start = ulcorner(patch)
    corner = lrcorner(patch)
    end = subtract(corner, reach)
    extremes = astuple(start, end)
    starts = corners(extremes)
    far_end = rbind(add, reach)
    span = fork(astuple, identity, far_end)
    squares = apply(span, starts)
    return squares


def whole_ring(grid, ring):
    """The symmetric ring of which the grid shows the given part, the rest lying beyond its edges."""
    extent = shape(ring)
    longest = maximum(extent)
    sides = interval(longest, 30, ONE)
    squares_of = lbind(squares_around, ring)
    areas = mapply(squares_of, sides)
    completed = lbind(fourfold, ring)
    places = asindices(grid)
    in_grid = lbind(intersection, places)
    visible = chain(in_grid, toindices, completed)
    shown = toindices(ring)
    is_seen = matcher(visible, shown)
    area = extract(areas, is_seen)
    whole = fourfold(ring, area)
    return whole


def solve_4290ef0e(I):
    """The rings, completed where the edge cuts them off, are set around a common middle."""
    layers = fgpartition(I)
    completed = lbind(whole_ring, I)
    ring = compose(normalize, completed)
    rings = apply(ring, layers)
    side = valmax(rings, width)
    extent = astuple(side, side)
    ground = mostcolor(I)
    blank = canvas(ground, extent)
    left_over = lbind(subtract, extent)
    margin = chain(halve, left_over, shape)
    centred = fork(shift, identity, margin)
    nested = mapply(centred, rings)
    answer = paint(blank, nested)
    return answer


def quarter_turns(figure, total):
    """The figure with its three turned images about the place whose double is the total."""
    flipped = vmirror(figure)
    turned = hmirror(flipped)
    start = ulcorner(figure)
    end = lrcorner(figure)
    own_total = add(start, end)
    offset = subtract(total, own_total)
    opposite = shift(turned, offset)
    two = combine(figure, opposite)
    rows = height(two)
    columns = width(two)
    excess = subtract(rows, columns)
    half = halve(excess)
    tilt = multiply(DOWN_LEFT, half)
    diagonal = dmirror(two)
    quarter = vmirror(diagonal)
    centred = shift(quarter, tilt)
    four = combine(two, centred)
    return four


def solve_e40b9e2f(I):
    """The figure is completed so that it looks the same after every quarter turn."""
    figure = foreground(I)
    places = toindices(figure)
    heart = centerofmass(places)
    about = double(heart)
    deltas = interval(-4, FIVE, ONE)
    offsets = product(deltas, deltas)
    tilt = fork(subtract, first, last)
    totals = shift(offsets, about)
    is_even = compose(even, tilt)
    centres = sfilter(totals, is_even)
    complete_at = lbind(quarter_turns, figure)
    candidates = apply(complete_at, centres)
    pictures = sfilter(candidates, is_one_picture)
    complete = argmin(pictures, size)
    drawn = paint(I, complete)
    return drawn


def solve_1b60fb0c(I):
    """The arm that the pinwheel lacks is added in red, so that half a turn leaves it unchanged."""
    hue = leastcolor(I)
    wheel = ofcolor(I, hue)
    flipped = vmirror(wheel)
    turned = hmirror(flipped)
    rows = height(wheel)
    columns = width(wheel)
    gap = subtract(rows, columns)
    ways = dneighbors(ORIGIN)
    by_gap = lbind(multiply, gap)
    offsets = apply(by_gap, ways)
    turned_by = lbind(shift, turned)
    candidates = apply(turned_by, offsets)
    beyond = rbind(difference, wheel)
    added = apply(beyond, candidates)
    arm = argmin(added, size)
    completed = fill(I, TWO, arm)
    return completed


def solve_27a28665(I):
    """Name the shape by a colour: its symmetry, and whether its corner is like another cell, tell the four apart."""
    figure = foreground(I)
    cut = subgrid(figure, I)
    columns = width(cut)
    factor = divide(columns, THREE)
    small = downscale(cut, factor)
    flipped = vmirror(small)
    symmetric = equality(small, flipped)
    corner = index(small, ORIGIN)
    middle = index(small, UNITY)
    top = index(small, RIGHT)
    is_cross = equality(corner, middle)
    is_hook = equality(corner, top)
    cross_or_plus = branch(is_cross, TWO, SIX)
    hook_or_tail = branch(is_hook, ONE, THREE)
    answer = branch(symmetric, cross_or_plus, hook_or_tail)
    cell = canvas(answer, UNITY)
    return cell


def is_balanced(patch):
    """Whether the patch equals both its left-right and its upside-down mirror image."""
    flipped = vmirror(patch)
    upturned = hmirror(patch)
    sideways = equality(patch, flipped)
    upright = equality(patch, upturned)
    balanced = both(sideways, upright)
    return balanced


def mirror_in_row(patch, row):
    """The mirror image of the patch on the other side of the row."""
    upturned = hmirror(patch)
    top = uppermost(patch)
    bottom = lowermost(patch)
    both_rows = add(top, bottom)
    twice = double(row)
    way = subtract(twice, both_rows)
    offset = toivec(way)
    image = shift(upturned, offset)
    return image


def has_top_bar(grid):
    """Whether the symmetric layer of the grid has an unbroken upper edge."""
    layers = fgpartition(grid)
    bars = extract(layers, is_balanced)
    start = ulcorner(bars)
    end = urcorner(bars)
    edge = connect(start, end)
    places = toindices(bars)
    missing = difference(edge, places)
    closed = flip(missing)
    return closed


def solve_6855a6e4(I):
    """The figures outside the two brackets are mirrored in them to the inside."""
    upright, way = turned_to_fit(I, has_top_bar)
    layers = fgpartition(upright)
    bars = extract(layers, is_balanced)
    figures = other(layers, bars)
    top = uppermost(bars)
    bottom = lowermost(bars)
    from_above = mirror_in_row(figures, top)
    from_below = mirror_in_row(figures, bottom)
    images = combine(from_above, from_below)
    places = toindices(images)
    room = backdrop(bars)
    inside = intersection(places, room)
    hue = color(figures)
    cleared = cover(upright, figures)
    drawn = fill(cleared, hue, inside)
    back = turned_back(drawn, way)
    return back


def arms(place):
    """The place and the four places beside it."""
    beside = dneighbors(place)
    plus = insert(place, beside)
    return plus


def solve_760b3cac(I):
    """The figure is mirrored to the side that the small pointer points to."""
    colours = fgpartition(I)
    plus = compose(arms, center)
    on_plus = fork(intersection, plus, toindices)
    plus_count = compose(size, on_plus)
    counts = fork(astuple, size, plus_count)
    wanted = astuple(FIVE, FOUR)
    is_pointer = matcher(counts, wanted)
    pointer = extract(colours, is_pointer)
    figure = other(colours, pointer)
    places = toindices(pointer)
    tips = corners(pointer)
    tip_places = intersection(tips, places)
    tip = first(tip_places)
    middle = center(pointer)
    beside = dneighbors(middle)
    gaps = difference(beside, places)
    gap = first(gaps)
    way = subtract(tip, gap)
    image = reflected(figure, way)
    drawn = paint(I, image)
    return drawn


def solve_f8a8fe49(I):
    """The figures inside the two brackets are mirrored to the outside, each in the bracket next to it."""
    upright, way = turned_to_fit(I, has_top_bar)
    layers = fgpartition(upright)
    bars = extract(layers, is_balanced)
    figures = other(layers, bars)
    places = toindices(figures)
    heart = center(bars)
    middle = first(heart)
    to_middle = lbind(subtract, middle)
    is_above = chain(positive, to_middle, first)
    above = sfilter(places, is_above)
    below = difference(places, above)
    top = uppermost(bars)
    bottom = lowermost(bars)
    upper = mirror_in_row(above, top)
    lower = mirror_in_row(below, bottom)
    images = combine(upper, lower)
    hue = color(figures)
    cleared = cover(upright, figures)
    drawn = fill(cleared, hue, images)
    back = turned_back(drawn, way)
    return back


def ring_side(end, place):
    """The line along the nearer edge from the place to its mirror image; on a corner's diagonal only the place."""
    opposite = subtract(end, place)
    row, column = place
    far_row, far_column = opposite
    beside = astuple(row, far_column)
    below = astuple(far_row, column)
    level = connect(place, beside)
    upright = connect(place, below)
    level_size = size(level)
    upright_size = size(upright)
    lengths = astuple(upright_size, level_size)
    margins = subtract(end, lengths)
    row_margin, column_margin = margins
    lies = greater(column_margin, row_margin)
    stands = greater(row_margin, column_margin)
    alone = initset(place)
    standing = branch(stands, upright, alone)
    line = branch(lies, level, standing)
    return line


def solve_9d9215db(I):
    """The dots are mirrored into all four corners, and those off the diagonals become dotted lines along their ring."""
    dots = foreground(I)
    extent = shape(I)
    end = decrement(extent)
    side_from = lbind(ring_side, end)
    side_of = compose(side_from, last)
    coloured = fork(recolor, first, side_of)
    lines = mapply(coloured, dots)
    rows, columns = extent
    odd_rows = interval(ONE, rows, TWO)
    odd_columns = interval(ONE, columns, TWO)
    lattice = product(odd_rows, odd_columns)
    on_lattice = rbind(contained, lattice)
    dotted = compose(on_lattice, last)
    beads = sfilter(lines, dotted)
    quarter = paint(I, beads)
    flipped = vmirror(quarter)
    across = foreground(flipped)
    half_done = paint(quarter, across)
    upturned = hmirror(half_done)
    below = foreground(upturned)
    finished = paint(half_done, below)
    return finished


def solve_8e5a5113(I):
    """Each of the three fields shows the picture a quarter turn on from the field before."""
    tall = portrait(I)
    cut = branch(tall, vsplit, hsplit)
    fields = cut(I, THREE)
    given = argmax(fields, numcolors)
    first_field = first(fields)
    last_field = last(fields)
    starts = equality(given, first_field)
    ends = equality(given, last_field)
    turned_back = rot270(given)
    upturned = rot180(given)
    early = branch(starts, given, turned_back)
    start = branch(ends, upturned, early)
    second = rot90(start)
    third = rot180(start)
    side = height(given)
    pitch = increment(side)
    way = branch(tall, DOWN, RIGHT)
    step = multiply(pitch, way)
    two_steps = double(step)
    start_cells = asobject(start)
    second_cells = asobject(second)
    third_cells = asobject(third)
    second_placed = shift(second_cells, step)
    third_placed = shift(third_cells, two_steps)
    one = paint(I, start_cells)
    two = paint(one, second_placed)
    three = paint(two, third_placed)
    return three
