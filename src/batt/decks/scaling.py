"""Larger, smaller, many times: grids and figures that are enlarged, shrunk or tiled."""

from batt.dsl import *

from .idioms import (
    bind_two, cells_of, copies_where_shown, corner_marks, foreground, is_frame, orientations, outline, place,
    portrayed, root, shared_colour, stamp, turned_back, turned_to_fit, whole_where_shown, without,
)


def solve_9172f3a0(I):
    """Draw every cell as a square of three by three."""
    enlarged = upscale(I, THREE)
    return enlarged


def solve_b91ae062(I):
    """Enlarge the grid by one less than the number of its colours."""
    colors = numcolors(I)
    factor = decrement(colors)
    enlarged = upscale(I, factor)
    return enlarged


def solve_f25fbde4(I):
    """Cut the figure out and draw it twice as large."""
    figure = foreground(I)
    cut = subgrid(figure, I)
    enlarged = upscale(cut, TWO)
    return enlarged


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


def solve_90c28cc7(I):
    """Each coloured block of the patchwork shrinks to a single cell."""
    patchwork = foreground(I)
    cropped = subgrid(patchwork, I)
    thin_and_turn = compose(dmirror, dedupe)
    thin_both_ways = power(thin_and_turn, TWO)
    result = thin_both_ways(cropped)
    return result


def solve_10fcaaa3(I):
    """Tile the grid two by two and set a cyan cell diagonally next to every coloured cell."""
    wide = hconcat(I, I)
    tiled = vconcat(wide, wide)
    cells = foreground(tiled)
    dots = toindices(cells)
    diagonal = mapply(ineighbors, dots)
    marked = underfill(tiled, EIGHT, diagonal)
    return marked


def solve_ac0a08a4(I):
    """Enlarge the grid by as many times as it has coloured cells."""
    ground = mostcolor(I)
    places = asindices(I)
    empty = ofcolor(I, ground)
    colored = difference(places, empty)
    factor = size(colored)
    enlarged = upscale(I, factor)
    return enlarged


def solve_f5b8619d(I):
    """Columns with a colored cell turn cyan where empty, and the result is tiled two by two."""
    dots = foreground(I)
    places = toindices(dots)
    columns = mapply(vfrontier, places)
    striped = underfill(I, EIGHT, columns)
    row = hconcat(striped, striped)
    tiled = vconcat(row, row)
    return tiled


def cells_missed(large, small):
    """How many cells of the large figure the small one misses at double size, at the best of four corners."""
    doubled = upscale(small, TWO)
    both_figures = astuple(large, doubled)
    flipped = apply(vmirror, both_figures)
    upturned = apply(hmirror, both_figures)
    turned = apply(hmirror, flipped)
    views = (both_figures, flipped, upturned, turned)
    large_places = compose(outline, first)
    small_places = compose(outline, last)
    missed = fork(difference, large_places, small_places)
    count = compose(size, missed)
    least = valmin(views, count)
    return least


def solve_ce602527(I):
    """Of the small figures, show the one that the large figure shows at double size, perhaps cut off."""
    layers = fgpartition(I)
    large = argmax(layers, size)
    small = remove(large, layers)
    missed = lbind(cells_missed, large)
    match = argmin(small, missed)
    ground = mostcolor(I)
    shown = portrayed(match, ground)
    return shown


def solve_007bbfb7(I):
    """Put a copy of the grid wherever the enlarged grid is coloured."""
    extent = shape(I)
    area = multiply(extent, extent)
    blank = canvas(ZERO, area)
    figure = without(I, ZERO)
    places = toindices(figure)
    times_extent = lbind(multiply, extent)
    starts = apply(times_extent, places)
    copies = stamp(figure, starts)
    copied = paint(blank, copies)
    return copied


def solve_469497ad(I):
    """The grid grows by as many times as the picture has colours, and red rays leave the block's corners."""
    hues = numcolors(I)
    factor = decrement(hues)
    large = upscale(I, factor)
    objs = objects(large, F, F, T)
    block = argmin(objs, size)
    tips = corners(block)
    ways = ineighbors(ORIGIN)
    rays = mpapply(shoot, tips, ways)
    lit = underfill(large, TWO, rays)
    return lit


def solve_cce03e0d(I):
    """Put a copy of the grid wherever the enlarged grid is red."""
    extent = shape(I)
    area = multiply(extent, extent)
    blank = canvas(ZERO, area)
    reds = ofcolor(I, TWO)
    times_extent = lbind(multiply, extent)
    starts = apply(times_extent, reds)
    picture = asobject(I)
    copies = stamp(picture, starts)
    copied = paint(blank, copies)
    return copied


def solve_447fd412(I):
    """Where the marks of the figure appear, in whatever size, the figure is drawn in that size."""
    figures = objects(I, F, T, T)
    model = argmax(figures, numcolors)
    bare = remove(model, figures)
    hues = mapply(palette, bare)
    factors = interval(ONE, SIX, ONE)
    enlarged = lbind(upscale, model)
    forms = apply(enlarged, factors)
    complete = bind_two(whole_where_shown, I, hues)
    copies = mapply(complete, forms)
    answer = paint(I, copies)
    return answer


def solve_c3e719e8(I):
    """Each cell of the most frequent colour stands for a whole copy of the grid, every other cell for black."""
    common = mostcolor(I)
    cells = ofcolor(I, common)
    extent = shape(I)
    in_large = lbind(multiply, extent)
    corners_of_copies = apply(in_large, cells)
    picture = asobject(I)
    copies = stamp(picture, corners_of_copies)
    area = multiply(extent, extent)
    blank = canvas(ZERO, area)
    tiled = paint(blank, copies)
    return tiled


def grown_form(figure, mark_colour, form):
    """A body of the given form around the mark of a figure, in the figure's colour and at the mark's scale."""
    mark = cells_of(figure, mark_colour)
    places = toindices(mark)
    scale = width(mark)
    stretch = rbind(multiply, scale)
    steps = apply(stretch, form)
    body_places = prapply(add, places, steps)
    colours = palette(figure)
    shade = other(colours, mark_colour)
    body = recolor(shade, body_places)
    return body


def unit_form(figure, mark_colour):
    """Where the body of a figure lies, seen from its mark and measured in widths of the mark."""
    mark = cells_of(figure, mark_colour)
    body = difference(figure, mark)
    places = toindices(body)
    start = ulcorner(mark)
    from_start = rbind(subtract, start)
    offsets = apply(from_start, places)
    scale = width(mark)
    shrink = rbind(divide, scale)
    units = apply(shrink, offsets)
    return units


def solve_57aa92db(I):
    """Every figure is completed to the common form, each at the scale of its mark."""
    figures = objects(I, F, T, T)
    pieces = totuple(figures)
    colours = compose(totuple, palette)
    shades = mapply(colours, pieces)
    mark_colour = mostcommon(shades)
    unit = rbind(unit_form, mark_colour)
    form = mapply(unit, figures)
    with_form = rbind(grown_form, form)
    grow = rbind(with_form, mark_colour)
    bodies = mapply(grow, figures)
    painted = paint(I, bodies)
    return painted


def solve_6b9890af(I):
    """Enlarge the small figure until it fills the frame."""
    layers = fgpartition(I)
    frame = extract(layers, is_frame)
    others = remove(frame, layers)
    figure = merge(others)
    outer = width(frame)
    inner = subtract(outer, TWO)
    across = width(figure)
    factor = divide(inner, across)
    small = normalize(figure)
    enlarged = upscale(small, factor)
    placed = shift(enlarged, UNITY)
    window = subgrid(frame, I)
    filled = paint(window, placed)
    return filled


def solve_80af3007(I):
    """Shrink the figure of blocks to single cells, and set the small picture wherever it is foreground itself."""
    figure = foreground(I)
    places = outline(figure)
    extent = shape(figure)
    block = apply(root, extent)
    shrink = rbind(divide, block)
    small = apply(shrink, places)
    stretch = rbind(multiply, block)
    starts = apply(stretch, small)
    cells = prapply(add, small, starts)
    ground = mostcolor(I)
    blank = canvas(ground, extent)
    shade = color(figure)
    copies = fill(blank, shade, cells)
    return copies


def solve_b190f7f5(I):
    """Draw the one-coloured figure once for every cell of the other half, in that cell's colour."""
    tall = portrait(I)
    cut = branch(tall, vsplit, hsplit)
    pieces = cut(I, TWO)
    figure = argmin(pieces, numcolors)
    colors = other(pieces, figure)
    ground = shared_colour(figure, colors)
    extent = shape(figure)
    down, across = extent
    taller = vupscale(colors, down)
    blocks = hupscale(taller, across)
    empty = ofcolor(figure, ground)
    cells = asindices(colors)
    times_extent = lbind(multiply, extent)
    starts = apply(times_extent, cells)
    gaps = stamp(empty, starts)
    drawn = fill(blocks, ground, gaps)
    return drawn


def solve_6ecd11f4(I):
    """The large figure of blocks says which cells of the small picture stay."""
    objs = objects(I, F, T, T)
    picture = argmax(objs, numcolors)
    small = subgrid(picture, I)
    rest = cover(I, picture)
    figure = foreground(rest)
    large = subgrid(figure, rest)
    extent = shape(large)
    cells = shape(small)
    block = divide(extent, cells)
    corner_of_block = lbind(multiply, block)
    look_up = lbind(index, large)
    shown = compose(look_up, corner_of_block)
    ground = mostcolor(I)
    is_empty = matcher(shown, ground)
    places = asindices(small)
    off = sfilter(places, is_empty)
    answer = fill(small, ground, off)
    return answer


def corner_outset(grid):
    """Whether the nested corners start at the upper left: the far edges show one colour each."""
    bottom = last(grid)
    columns = dmirror(grid)
    right = last(columns)
    edges = astuple(bottom, right)
    kinds = compose(size, dedupe)
    most = valmax(edges, kinds)
    plain = equality(most, ONE)
    return plain


def solve_539a4f51(I):
    """The nested corners go on in the same order of colours until the grid is twice as large."""
    upright, way = turned_to_fit(I, corner_outset)
    top = first(upright)
    unit = remove(ZERO, top)
    columns = width(I)
    side = double(columns)
    units = repeat(unit, side)
    row = merge(units)
    stripes = repeat(row, side)
    extent = astuple(side, side)
    across = crop(stripes, ORIGIN, extent)
    down = dmirror(across)
    diagonal = shoot(ORIGIN, UNITY)
    row_start = compose(toivec, first)
    row_to = fork(connect, row_start, identity)
    triangle = mapply(row_to, diagonal)
    below = toobject(triangle, down)
    nested = paint(across, below)
    whole = turned_back(nested, way)
    return whole


def only_once(items, item):
    """Whether an item occurs just once among the items."""
    same = lbind(equality, item)
    found = sfilter(items, same)
    count = size(found)
    answer = equality(count, ONE)
    return answer


def solve_6aa20dc0(I):
    """Where the two end marks of the figure appear, in whatever size and orientation, the figure is drawn."""
    figures = objects(I, F, T, T)
    model = argmax(figures, numcolors)
    body = mostcolor(model)
    hues = palette(model)
    mark_hues = remove(body, hues)
    factors = interval(ONE, SIX, ONE)
    turned = orientations(model)
    forms = prapply(upscale, turned, factors)
    complete = bind_two(copies_where_shown, I, mark_hues)
    copies = mapply(complete, forms)
    has_mark_hue = rbind(contained, mark_hues)
    is_mark = compose(has_mark_hue, first)
    only_marks = rbind(sfilter, is_mark)
    listed = totuple(copies)
    marks = mapply(only_marks, listed)
    unshared = lbind(only_once, marks)
    only_unshared = rbind(sfilter, unshared)
    own_marks = chain(size, only_unshared, only_marks)
    genuine = mfilter(copies, own_marks)
    answer = paint(I, genuine)
    return answer


def solve_8a004b2b(I):
    """The small picture is enlarged and laid into the marked rectangle so that it covers the blocks shown there."""
    marks = corner_marks(I)
    frame = subgrid(marks, I)
    area = backdrop(marks)
    outside = cover(I, area)
    small = foreground(outside)
    picture = subgrid(small, outside)
    unmarked = cover(I, marks)
    inside = subgrid(marks, unmarked)
    blocks = objects(inside, T, F, T)
    rows = valmin(blocks, height)
    columns = valmin(blocks, width)
    tall = vupscale(picture, rows)
    large = hupscale(tall, columns)
    shown = merge(blocks)
    spots = occurrences(large, shown)
    spot = first(spots)
    corner = ulcorner(shown)
    start = subtract(corner, spot)
    cells = asobject(large)
    answer = place(frame, cells, start)
    return answer


def solve_4522001f(I):
    """Each small block becomes two larger squares, corner to corner, in the direction of its odd cell."""
    odd = leastcolor(I)
    marks_in = rbind(ofcolor, odd)
    mark = compose(first, marks_in)
    inwards = rbind(add, NEG_UNITY)
    behind = compose(inwards, mark)
    colours = fgpartition(I)
    body = argmax(colours, size)
    shade = color(body)
    body_in = rbind(ofcolor, shade)
    fits = fork(contained, behind, body_in)
    turned, way = turned_to_fit(I, fits)
    marks = ofcolor(turned, odd)
    starts = apply(inwards, marks)
    side = double(TWO)
    small = astuple(side, side)
    large_square = canvas(shade, small)
    cells = asindices(large_square)
    next_square = shift(cells, small)
    both_squares = combine(cells, next_square)
    squares = stamp(both_squares, starts)
    ground = mostcolor(I)
    extent = shape(turned)
    large = multiply(extent, THREE)
    blank = canvas(ground, large)
    drawn = fill(blank, shade, squares)
    finished = turned_back(drawn, way)
    return finished
