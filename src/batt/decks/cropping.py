"""The answer is a part of the grid: the one figure, frame or pane that matters."""

from batt.dsl import *

from .idioms import blank_like, cells_of, corner_marks, foreground, is_frame, portrayed, solid_cells, third_colour


def solve_d10ecb37(I):
    """Keep the two by two cells in the upper left corner."""
    corner = crop(I, ORIGIN, TWO_BY_TWO)
    return corner


def solve_1f85a75f(I):
    """Cut out the one large shape among the scattered dots."""
    shapes = objects(I, T, T, T)
    largest = argmax(shapes, size)
    cut = subgrid(largest, I)
    return cut


def solve_23b5c85d(I):
    """The smallest rectangle is cut out."""
    rectangles = fgpartition(I)
    smallest = argmin(rectangles, size)
    cut = subgrid(smallest, I)
    return cut


def solve_c909285e(I):
    """Cut out what lies within the one rectangular frame, frame included."""
    layers = partition(I)
    frame = extract(layers, is_frame)
    cut = subgrid(frame, I)
    return cut


def solve_0b148d64(I):
    """Cut out the block whose colour keeps to the smallest area."""
    layers = fgpartition(I)
    area = compose(size, backdrop)
    block = argmin(layers, area)
    cut = subgrid(block, I)
    return cut


def solve_5bd6f4ac(I):
    """Cut out the three by three cells in the upper right corner."""
    columns = width(I)
    left = subtract(columns, THREE)
    start = tojvec(left)
    corner = crop(I, start, THREE_BY_THREE)
    return corner


def solve_a740d043(I):
    """The figure is cut out and its background turns black."""
    figure = foreground(I)
    cropped = subgrid(figure, I)
    ground = mostcolor(I)
    result = replace(cropped, ground, ZERO)
    return result


def solve_be94b721(I):
    """The largest object is cut out."""
    objs = objects(I, T, T, T)
    largest = argmax(objs, size)
    ground = mostcolor(I)
    picture = portrayed(largest, ground)
    return picture


def solve_1c786137(I):
    """Show what lies inside the frame, the colour that keeps to the smallest rectangle."""
    colours = partition(I)
    area = compose(size, backdrop)
    frame = argmin(colours, area)
    framed = subgrid(frame, I)
    inside = trim(framed)
    return inside


def solve_2013d3e2(I):
    """Keep the upper left quarter of the symmetric figure."""
    figure = foreground(I)
    cut = subgrid(figure, I)
    extent = shape(cut)
    half = halve(extent)
    quarter = crop(cut, ORIGIN, half)
    return quarter


def solve_2dee498d(I):
    """Keep the left third of the grid, which shows the same picture three times."""
    rows = height(I)
    columns = width(I)
    third = divide(columns, THREE)
    extent = astuple(rows, third)
    picture = crop(I, ORIGIN, extent)
    return picture


def solve_3de23699(I):
    """Show the figure between the four corner marks, in the colour of the marks."""
    marks = corner_marks(I)
    marked = subgrid(marks, I)
    mark = color(marks)
    inside = trim(marked)
    shade = third_colour(I, mark)
    figure = replace(inside, shade, mark)
    return figure


def solve_48d8fb45(I):
    """The object that a cell of another colour touches is cut out, without that cell."""
    objs = objects(I, F, T, T)
    marked = argmax(objs, numcolors)
    shade = mostcolor(marked)
    figure = cells_of(marked, shade)
    ground = mostcolor(I)
    picture = portrayed(figure, ground)
    return picture


def solve_5117e062(I):
    """Cut out the figure with an odd cell, and give that cell the figure's own colour."""
    objs = objects(I, F, T, T)
    chosen = argmax(objs, numcolors)
    shade = mostcolor(chosen)
    places = toindices(chosen)
    plain = fill(I, shade, places)
    cut = subgrid(chosen, plain)
    return cut


def solve_91714a58(I):
    """Only the largest block stays, and the noise in and around it vanishes."""
    parts = objects(I, T, F, T)
    largest = argmax(parts, size)
    shade = color(largest)
    places = toindices(largest)
    solid = solid_cells(I, shade)
    block = intersection(solid, places)
    blank = blank_like(I)
    kept = fill(blank, shade, block)
    return kept


def solve_fcb5c309(I):
    """Show the frame with the most dots inside, in the colour of the dots."""
    parts = objects(I, T, F, T)
    frames = sfilter(parts, is_frame)
    cells = foreground(I)
    places = toindices(cells)
    among = lbind(intersection, places)
    dots = chain(size, among, delta)
    fullest = argmax(frames, dots)
    frame_colour = color(fullest)
    dot_colour = third_colour(I, frame_colour)
    cut = subgrid(fullest, I)
    answer = replace(cut, frame_colour, dot_colour)
    return answer


def solve_3f7978a0(I):
    """The part between the two bars is cut out, one row longer at either end of the bars."""
    pieces = objects(I, T, F, T)
    listed = totuple(pieces)
    hues = apply(color, listed)
    shade = leastcommon(hues)
    two_bars = colorfilter(pieces, shade)
    bar = first(two_bars)
    upright = vline(bar)
    outwards = branch(upright, DOWN, RIGHT)
    bars = merge(two_bars)
    inwards = invert(outwards)
    before = shift(bars, inwards)
    after = shift(bars, outwards)
    area = combine(before, after)
    cut = subgrid(area, I)
    return cut
