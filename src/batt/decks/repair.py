"""Patterns and figures with damage, noise or a hidden part that the rest tells how to mend."""

from batt.dsl import *

from .idioms import (
    bind_two, by_frequency, copies_at, is_frame, is_one_picture, is_solid, lay_under, rarest_part, repeated,
    solid_cells, stamp, without,
)


def mend_symmetric(grid, hue):
    """The grid with the cells of one colour taken from its mirror images, one after the other."""
    flipped = vmirror(grid)
    once = lay_under(grid, flipped, hue)
    upturned = hmirror(once)
    twice = lay_under(once, upturned, hue)
    swapped = dmirror(twice)
    mended = lay_under(twice, swapped, hue)
    return mended


def solve_b8825c91(I):
    """The yellow patches give way to the symmetric picture they hide."""
    mended = mend_symmetric(I, FOUR)
    return mended


def hole_colour(grid):
    """The colour that forms the largest solid patches, which is that of holes in a pattern."""
    colors = palette(grid)
    solid = lbind(solid_cells, grid)
    amount = compose(size, solid)
    hole = argmax(colors, amount)
    return hole


def agrees(patch, image, offset):
    """Whether the image, moved by the offset, shows the patch's colour wherever the two meet."""
    moved = shift(image, offset)
    together = combine(patch, moved)
    answer = is_one_picture(together)
    return answer


def repeats_by(cells, offset):
    """Whether the cells contradict themselves nowhere when shifted over themselves by the offset."""
    answer = agrees(cells, cells, offset)
    return answer


def period_along(cells, way):
    """The least shift in the direction, up to half the extent, that repeats_by; else one beyond the extent."""
    extent = shape(cells)
    longest = maximum(extent)
    half = halve(longest)
    most = increment(half)
    short = interval(ONE, most, ONE)
    beyond = repeat(longest, ONE)
    steps = combine(short, beyond)
    times_way = lbind(multiply, way)
    offsets = apply(times_way, steps)
    fits = lbind(repeats_by, cells)
    offset = extract(offsets, fits)
    return offset


def mend_periodic(grid, hole):
    """Fill the cells of the hole colour by going on with the pattern that the rest repeats."""
    known = without(grid, hole)
    across = period_along(known, RIGHT)
    down = period_along(known, DOWN)
    rows = repeated(known, across)
    mended_rows = paint(grid, rows)
    half_known = without(mended_rows, hole)
    columns = repeated(half_known, down)
    mended = paint(mended_rows, columns)
    return mended


def solve_9ecd008a(I):
    """Show what the black patch hides in the symmetric picture."""
    hidden = ofcolor(I, ZERO)
    mended = mend_symmetric(I, ZERO)
    answer = subgrid(hidden, mended)
    return answer


def solve_dc0a314f(I):
    """Show what the green patch hides in the symmetric picture."""
    hidden = ofcolor(I, THREE)
    mended = mend_symmetric(I, THREE)
    answer = subgrid(hidden, mended)
    return answer


def solve_f9012d9b(I):
    """Show what the pattern would be where the black hole is."""
    hole = ofcolor(I, ZERO)
    mended = mend_periodic(I, ZERO)
    missing = subgrid(hole, mended)
    return missing


def solve_890034e9(I):
    """Every empty rectangle of the size that the frame encloses gets such a frame."""
    layers = partition(I)
    frame = extract(layers, is_frame)
    inside = delta(frame)
    empty = toobject(inside, I)
    frames = copies_at(I, empty, frame)
    framed = paint(I, frames)
    return framed


def solve_ff805c23(I):
    """Show what the patch, the one colour that fills a rectangle, hides in the symmetric picture."""
    layers = partition(I)
    gaps = compose(size, delta)
    patch = argmin(layers, gaps)
    hue = color(patch)
    mended = mend_symmetric(I, hue)
    answer = subgrid(patch, mended)
    return answer


def fall_onto(patch, image, start):
    """The least number of rows, from the start on, by which the image can be lowered to agree with the patch."""
    numbers = interval(start, 31, ONE)
    offsets = apply(toivec, numbers)
    fits_image = lbind(agrees, patch)
    fits = lbind(fits_image, image)
    offset = extract(offsets, fits)
    return offset


def period_without(grid, shade):
    """How many rows on the grid repeats, if cells of that colour do not count."""
    known = without(grid, shade)
    step = fall_onto(known, known, ONE)
    rows = first(step)
    return rows


def mended_down(grid, blotch):
    """The grid with its blotches filled in from copies below and above and from their reflections."""
    known = without(grid, blotch)
    step = fall_onto(known, known, ONE)
    reflection = hmirror(known)
    turn = fall_onto(known, reflection, ZERO)
    turned = shift(reflection, turn)
    unit = combine(known, turned)
    copies = repeated(unit, step)
    mended = paint(grid, copies)
    return mended


def solve_0dfd9992(I):
    """The blotches in the repeating and symmetric pattern are filled in from the rest of the pattern."""
    hues = palette(I)
    period = lbind(period_without, I)
    blotch = argmin(hues, period)
    mend = rbind(mended_down, blotch)
    mend_and_turn = compose(dmirror, mend)
    mend_all = power(mend_and_turn, FOUR)
    mended = mend_all(I)
    return mended


def lattice(cells):
    """The offsets, up to half the extent, by which the cells agree with themselves."""
    extent = shape(cells)
    half = halve(extent)
    bound = increment(half)
    down = first(bound)
    across = last(bound)
    back = invert(across)
    rows = interval(ZERO, down, ONE)
    columns = interval(back, across, ONE)
    offsets = product(rows, columns)
    fits = lbind(repeats_by, cells)
    agreeing = sfilter(offsets, fits)
    return agreeing


def solve_484b58aa(I):
    """Fill the holes with what lies at the same place of the pattern, whichever way it repeats."""
    hole = hole_colour(I)
    known = without(I, hole)
    forward = lattice(known)
    backward = apply(invert, forward)
    offsets = combine(forward, backward)
    copies = stamp(known, offsets)
    mended = paint(I, copies)
    return mended


def solve_72322fa7(I):
    """Wherever one colour of a pattern stands alone, the rest of the pattern is added."""
    figures = objects(I, F, T, T)
    two_coloured = matcher(numcolors, TWO)
    patterns = sfilter(figures, two_coloured)
    main_part = fork(difference, identity, rarest_part)
    copies_on = lbind(copies_at, I)
    from_rare = fork(copies_on, rarest_part, identity)
    from_main = fork(copies_on, main_part, identity)
    completed = fork(combine, from_rare, from_main)
    copies = mapply(completed, patterns)
    painted = paint(I, copies)
    return painted


def closes_square(places, spot):
    """Whether a place completes a square of two by two of which the places hold the other three cells."""
    with_spot = lbind(astuple, spot)
    square_to = compose(backdrop, with_spot)
    diagonals = ineighbors(spot)
    squares = apply(square_to, diagonals)
    held_of = lbind(intersection, places)
    held = apply(held_of, squares)
    threes = sizefilter(held, THREE)
    count = size(threes)
    answer = positive(count)
    return answer


def closed_squares(layer, spots):
    """Those of the places that complete a square of two by two with cells of the layer."""
    places = toindices(layer)
    closes = lbind(closes_square, places)
    answer = sfilter(spots, closes)
    return answer


def solve_7e0986d6(I):
    """Specks vanish: on a block they take the block's colour, elsewhere that of the ground."""
    objs = objects(I, T, F, T)
    singles = sizefilter(objs, ONE)
    cells = merge(singles)
    specks = toindices(cells)
    cleared = cover(I, cells)
    layers = fgpartition(cleared)
    closing = rbind(closed_squares, specks)
    filled = fork(recolor, color, closing)
    patches = mapply(filled, layers)
    answer = paint(cleared, patches)
    return answer


def solve_e26a3af2(I):
    """Clean the stripes of their specks."""
    columns = dmirror(I)
    row_hues = apply(mostcommon, I)
    column_hues = apply(mostcommon, columns)
    down = height(I)
    across = width(I)
    standing = repeat(column_hues, down)
    turned = repeat(row_hues, across)
    lying = dmirror(turned)
    cells = asobject(I)
    unlike = rbind(difference, cells)
    changes = chain(size, unlike, asobject)
    candidates = astuple(standing, lying)
    clean = argmin(candidates, changes)
    return clean


def solve_4612dd53(I):
    """The gaps in the outline of the box, and in the wall across it, turn red."""
    wall = leastcolor(I)
    bricks = ofcolor(I, wall)
    edge = box(bricks)
    inner = difference(bricks, edge)
    rows = mapply(hfrontier, inner)
    columns = mapply(vfrontier, inner)
    wide = width(inner)
    tall = height(inner)
    lying = greater(wide, tall)
    line = branch(lying, rows, columns)
    area = backdrop(bricks)
    across = intersection(area, line)
    plan = combine(edge, across)
    repaired = underfill(I, TWO, plan)
    return repaired


def plus_sign(arm):
    """The plus with arms of the length around the origin."""
    below = toivec(arm)
    right = tojvec(arm)
    above = invert(below)
    left = invert(right)
    post = connect(above, below)
    bar = connect(left, right)
    plus = combine(post, bar)
    return plus


def richest_cover(patches, treasure, cell):
    """Of the patches that cover the cell, the one with the most places of the treasure."""
    covers = lbind(contained, cell)
    own = sfilter(patches, covers)
    found = lbind(intersection, treasure)
    amount = compose(size, found)
    richest = argmax(own, amount)
    return richest


def fitting_pluses(grid, hue, guess):
    """For each cell of the hue the plus that explains it best, if arm length and hiding colour are as guessed."""
    arm = first(guess)
    hiding = last(guess)
    seen = ofcolor(grid, hue)
    hidden = ofcolor(grid, hiding)
    everywhere = asindices(grid)
    possible = combine(seen, hidden)
    barred = difference(everywhere, possible)
    unit = plus_sign(arm)
    plus_at = lbind(shift, unit)
    pluses = apply(plus_at, everywhere)
    barred_in = lbind(intersection, barred)
    is_free = compose(flip, barred_in)
    free = sfilter(pluses, is_free)
    singles = apply(initset, seen)
    patches = combine(free, singles)
    covers = lbind(richest_cover, patches)
    best_for = lbind(covers, seen)
    cells = totuple(seen)
    best = apply(best_for, cells)
    return best


def solve_50846271(I):
    """The hidden cells of the half-hidden pluses, which are all of one size, turn cyan."""
    hue = leastcolor(I)
    seen = ofcolor(I, hue)
    ranked = by_frequency(I)
    hiding = (ranked[-1], ranked[-2])
    lengths = interval(ONE, SIX, ONE)
    guesses = product(lengths, hiding)
    pluses_for = bind_two(fitting_pluses, I, hue)
    seen_in = lbind(intersection, seen)
    explained = compose(totuple, seen_in)
    all_explained = lbind(mapply, explained)
    merit = chain(size, all_explained, pluses_for)
    guess = argmax(guesses, merit)
    pluses = pluses_for(guess)
    cells = merge(pluses)
    covered = fill(I, EIGHT, cells)
    completed = fill(covered, hue, seen)
    return completed


def mend_from(grid, hue, way):
    """The grid with each cell of one colour taken from the cell that lies one step back."""
    cells = asobject(grid)
    moved = shift(cells, way)
    model = paint(grid, moved)
    mended = lay_under(grid, model, hue)
    return mended


def solve_73251a56(I):
    """The holes are mended by the symmetry about a diagonal, and on the diagonal itself by its own pattern."""
    cells = asobject(I)
    swapped = dmirror(I)
    crossed = cmirror(I)
    swapped_cells = asobject(swapped)
    crossed_cells = asobject(crossed)
    broken_by_one = difference(cells, swapped_cells)
    broken_by_other = difference(cells, crossed_cells)
    breaks = size(broken_by_one)
    other_breaks = size(broken_by_other)
    rising = greater(breaks, other_breaks)
    broken = branch(rising, broken_by_other, broken_by_one)
    hole = mostcolor(broken)
    lay = branch(rising, vmirror, identity)
    falling = lay(I)
    image = dmirror(falling)
    half_mended = lay_under(falling, image, hole)
    follow = rbind(mend_from, UNITY)
    mend_hole = rbind(follow, hole)
    follow_on = power(mend_hole, TEN)
    mended = follow_on(half_mended)
    answer = lay(mended)
    return answer


def solve_3345333e(I):
    """Remove the block that hides a part of the symmetric figure, and complete the figure."""
    layers = fgpartition(I)
    block = extract(layers, is_solid)
    figure = other(layers, block)
    seen = toindices(figure)
    hidden = toindices(block)
    possible = combine(seen, hidden)
    flipped = vmirror(seen)
    upturned = hmirror(seen)
    extent = shape(I)
    longest = maximum(extent)
    back = invert(longest)
    steps = interval(back, longest, ONE)
    sideways = apply(tojvec, steps)
    lengthways = apply(toivec, steps)
    flipped_at = lbind(shift, flipped)
    upturned_at = lbind(shift, upturned)
    left_right = apply(flipped_at, sideways)
    up_down = apply(upturned_at, lengthways)
    images = combine(left_right, up_down)
    outside = rbind(difference, possible)
    misfit = compose(size, outside)
    image = argmin(images, misfit)
    hue = color(figure)
    cleared = cover(I, block)
    completed = fill(cleared, hue, image)
    return completed
