"""Pictures that a search may want: crops of objects that a property picks, and what image tools make of a grid."""

from batt.dsl import *


def box_area(figure):
    """The number of places in the box of a figure."""
    box_of = backdrop(figure)
    count = size(box_of)
    return count


def gaps(figure):
    """The number of empty places in the box of a figure."""
    rest = delta(figure)
    count = size(rest)
    return count


def fullness(figure):
    """How much of its box a figure fills, in percent."""
    full = multiply(100, size(figure))
    whole = box_area(figure)
    share = divide(full, whole)
    return share


def is_mirrored(figure):
    """Whether a figure is its own mirror image, left to right."""
    plain = normalize(figure)
    turned = vmirror(plain)
    answer = equality(plain, turned)
    return answer


def is_not_mirrored(figure):
    """Whether a figure is not its own mirror image, left to right."""
    is_one = is_mirrored(figure)
    answer = flip(is_one)
    return answer


def form_of(figure):
    """The places of a figure, moved to the corner."""
    plain = normalize(figure)
    places = toindices(plain)
    return places


def same_as(measure, figures, figure):
    """The number of figures with the same measure."""
    own = measure(figure)
    is_same = matcher(measure, own)
    found = sfilter(figures, is_same)
    count = size(found)
    return count


def rarest_by(figures, measure):
    """The figure whose measure the fewest figures have."""
    alike = lbind(lbind(same_as, measure), figures)
    found = argmin(figures, alike)
    return found


def commonest_by(figures, measure):
    """A figure whose measure the most figures have."""
    alike = lbind(lbind(same_as, measure), figures)
    found = argmax(figures, alike)
    return found


def solve_crop_most_size_one(I):
    """The box of the most size among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_most_size_one(I):
    """The most size among figures of one colour, four neighbours, alone on black."""
    figures = objects(I, T, F, T)
    found = argmax(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_most_size_one(I):
    """The box of the most size among figures of one colour, four neighbours, without its edge."""
    figures = objects(I, T, F, T)
    found = argmax(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_most_size_one(I):
    """The grid without the most size among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_least_size_one(I):
    """The box of the least size among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_least_size_one(I):
    """The least size among figures of one colour, four neighbours, alone on black."""
    figures = objects(I, T, F, T)
    found = argmin(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_least_size_one(I):
    """The box of the least size among figures of one colour, four neighbours, without its edge."""
    figures = objects(I, T, F, T)
    found = argmin(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_least_size_one(I):
    """The grid without the least size among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_most_height_one(I):
    """The box of the most height among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_least_height_one(I):
    """The box of the least height among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_most_width_one(I):
    """The box of the most width among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_least_width_one(I):
    """The box of the least width among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_most_box_area_one(I):
    """The box of the most box area among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_least_box_area_one(I):
    """The box of the least box area among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_most_gaps_one(I):
    """The box of the most gaps among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_least_gaps_one(I):
    """The box of the least gaps among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_most_fullness_one(I):
    """The box of the most fullness among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_least_fullness_one(I):
    """The box of the least fullness among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_most_uppermost_one(I):
    """The box of the most uppermost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_uppermost_one(I):
    """The box of the least uppermost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_leftmost_one(I):
    """The box of the most leftmost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_leftmost_one(I):
    """The box of the least leftmost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_most_lowermost_one(I):
    """The box of the most lowermost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_lowermost_one(I):
    """The box of the least lowermost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_rightmost_one(I):
    """The box of the most rightmost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmax(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_rightmost_one(I):
    """The box of the least rightmost among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = argmin(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_mirrored_one(I):
    """The box of the mirrored among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = extract(figures, is_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_not_mirrored_one(I):
    """The box of the not mirrored among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = extract(figures, is_not_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_square_one(I):
    """The box of the square among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = extract(figures, square)
    part = subgrid(found, I)
    return part


def solve_crop_rare_form_of_one(I):
    """The box of the rare form of among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_alone_rare_form_of_one(I):
    """The rare form of among figures of one colour, four neighbours, alone on black."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, form_of)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_rare_form_of_one(I):
    """The box of the rare form of among figures of one colour, four neighbours, without its edge."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_rare_form_of_one(I):
    """The grid without the rare form of among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, form_of)
    rest = cover(I, found)
    return rest


def solve_crop_common_form_of_one(I):
    """The box of the common form of among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = commonest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_crop_rare_color_one(I):
    """The box of the rare color among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, color)
    part = subgrid(found, I)
    return part


def solve_crop_common_color_one(I):
    """The box of the common color among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = commonest_by(figures, color)
    part = subgrid(found, I)
    return part


def solve_crop_rare_size_one(I):
    """The box of the rare size among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_common_size_one(I):
    """The box of the common size among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = commonest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_rare_shape_one(I):
    """The box of the rare shape among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_common_shape_one(I):
    """The box of the common shape among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = commonest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_rare_palette_one(I):
    """The box of the rare palette among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = rarest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_common_palette_one(I):
    """The box of the common palette among figures of one colour, four neighbours."""
    figures = objects(I, T, F, T)
    found = commonest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_most_size_one_8(I):
    """The box of the most size among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmax(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_most_size_one_8(I):
    """The most size among figures of one colour, eight neighbours, alone on black."""
    figures = objects(I, T, T, T)
    found = argmax(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_most_size_one_8(I):
    """The box of the most size among figures of one colour, eight neighbours, without its edge."""
    figures = objects(I, T, T, T)
    found = argmax(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_most_size_one_8(I):
    """The grid without the most size among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmax(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_least_size_one_8(I):
    """The box of the least size among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmin(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_least_size_one_8(I):
    """The least size among figures of one colour, eight neighbours, alone on black."""
    figures = objects(I, T, T, T)
    found = argmin(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_least_size_one_8(I):
    """The box of the least size among figures of one colour, eight neighbours, without its edge."""
    figures = objects(I, T, T, T)
    found = argmin(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_least_size_one_8(I):
    """The grid without the least size among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmin(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_most_height_one_8(I):
    """The box of the most height among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmax(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_least_height_one_8(I):
    """The box of the least height among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmin(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_most_width_one_8(I):
    """The box of the most width among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmax(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_least_width_one_8(I):
    """The box of the least width among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmin(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_most_box_area_one_8(I):
    """The box of the most box area among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmax(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_least_box_area_one_8(I):
    """The box of the least box area among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmin(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_most_gaps_one_8(I):
    """The box of the most gaps among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmax(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_least_gaps_one_8(I):
    """The box of the least gaps among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmin(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_most_fullness_one_8(I):
    """The box of the most fullness among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmax(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_least_fullness_one_8(I):
    """The box of the least fullness among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmin(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_most_uppermost_one_8(I):
    """The box of the most uppermost among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmax(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_uppermost_one_8(I):
    """The box of the least uppermost among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmin(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_leftmost_one_8(I):
    """The box of the most leftmost among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmax(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_leftmost_one_8(I):
    """The box of the least leftmost among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmin(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_most_lowermost_one_8(I):
    """The box of the most lowermost among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmax(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_lowermost_one_8(I):
    """The box of the least lowermost among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmin(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_rightmost_one_8(I):
    """The box of the most rightmost among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmax(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_rightmost_one_8(I):
    """The box of the least rightmost among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = argmin(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_mirrored_one_8(I):
    """The box of the mirrored among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = extract(figures, is_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_not_mirrored_one_8(I):
    """The box of the not mirrored among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = extract(figures, is_not_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_square_one_8(I):
    """The box of the square among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = extract(figures, square)
    part = subgrid(found, I)
    return part


def solve_crop_rare_form_of_one_8(I):
    """The box of the rare form of among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_alone_rare_form_of_one_8(I):
    """The rare form of among figures of one colour, eight neighbours, alone on black."""
    figures = objects(I, T, T, T)
    found = rarest_by(figures, form_of)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_rare_form_of_one_8(I):
    """The box of the rare form of among figures of one colour, eight neighbours, without its edge."""
    figures = objects(I, T, T, T)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_rare_form_of_one_8(I):
    """The grid without the rare form of among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = rarest_by(figures, form_of)
    rest = cover(I, found)
    return rest


def solve_crop_common_form_of_one_8(I):
    """The box of the common form of among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = commonest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_crop_rare_color_one_8(I):
    """The box of the rare color among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = rarest_by(figures, color)
    part = subgrid(found, I)
    return part


def solve_crop_common_color_one_8(I):
    """The box of the common color among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = commonest_by(figures, color)
    part = subgrid(found, I)
    return part


def solve_crop_rare_size_one_8(I):
    """The box of the rare size among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = rarest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_common_size_one_8(I):
    """The box of the common size among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = commonest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_rare_shape_one_8(I):
    """The box of the rare shape among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = rarest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_common_shape_one_8(I):
    """The box of the common shape among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = commonest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_rare_palette_one_8(I):
    """The box of the rare palette among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = rarest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_common_palette_one_8(I):
    """The box of the common palette among figures of one colour, eight neighbours."""
    figures = objects(I, T, T, T)
    found = commonest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_most_size_all(I):
    """The box of the most size among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmax(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_most_size_all(I):
    """The most size among figures of all colours, four neighbours, alone on black."""
    figures = objects(I, F, F, T)
    found = argmax(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_most_size_all(I):
    """The box of the most size among figures of all colours, four neighbours, without its edge."""
    figures = objects(I, F, F, T)
    found = argmax(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_most_size_all(I):
    """The grid without the most size among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmax(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_least_size_all(I):
    """The box of the least size among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmin(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_least_size_all(I):
    """The least size among figures of all colours, four neighbours, alone on black."""
    figures = objects(I, F, F, T)
    found = argmin(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_least_size_all(I):
    """The box of the least size among figures of all colours, four neighbours, without its edge."""
    figures = objects(I, F, F, T)
    found = argmin(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_least_size_all(I):
    """The grid without the least size among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmin(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_most_height_all(I):
    """The box of the most height among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmax(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_least_height_all(I):
    """The box of the least height among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmin(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_most_width_all(I):
    """The box of the most width among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmax(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_least_width_all(I):
    """The box of the least width among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmin(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_most_numcolors_all(I):
    """The box of the most numcolors among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmax(figures, numcolors)
    part = subgrid(found, I)
    return part


def solve_crop_least_numcolors_all(I):
    """The box of the least numcolors among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmin(figures, numcolors)
    part = subgrid(found, I)
    return part


def solve_crop_most_box_area_all(I):
    """The box of the most box area among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmax(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_least_box_area_all(I):
    """The box of the least box area among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmin(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_most_gaps_all(I):
    """The box of the most gaps among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmax(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_least_gaps_all(I):
    """The box of the least gaps among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmin(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_most_fullness_all(I):
    """The box of the most fullness among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmax(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_least_fullness_all(I):
    """The box of the least fullness among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmin(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_most_uppermost_all(I):
    """The box of the most uppermost among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmax(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_uppermost_all(I):
    """The box of the least uppermost among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmin(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_leftmost_all(I):
    """The box of the most leftmost among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmax(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_leftmost_all(I):
    """The box of the least leftmost among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmin(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_most_lowermost_all(I):
    """The box of the most lowermost among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmax(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_lowermost_all(I):
    """The box of the least lowermost among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmin(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_rightmost_all(I):
    """The box of the most rightmost among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmax(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_rightmost_all(I):
    """The box of the least rightmost among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = argmin(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_mirrored_all(I):
    """The box of the mirrored among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = extract(figures, is_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_not_mirrored_all(I):
    """The box of the not mirrored among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = extract(figures, is_not_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_square_all(I):
    """The box of the square among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = extract(figures, square)
    part = subgrid(found, I)
    return part


def solve_crop_rare_form_of_all(I):
    """The box of the rare form of among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_alone_rare_form_of_all(I):
    """The rare form of among figures of all colours, four neighbours, alone on black."""
    figures = objects(I, F, F, T)
    found = rarest_by(figures, form_of)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_rare_form_of_all(I):
    """The box of the rare form of among figures of all colours, four neighbours, without its edge."""
    figures = objects(I, F, F, T)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_rare_form_of_all(I):
    """The grid without the rare form of among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = rarest_by(figures, form_of)
    rest = cover(I, found)
    return rest


def solve_crop_common_form_of_all(I):
    """The box of the common form of among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = commonest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_crop_rare_size_all(I):
    """The box of the rare size among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = rarest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_common_size_all(I):
    """The box of the common size among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = commonest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_rare_shape_all(I):
    """The box of the rare shape among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = rarest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_common_shape_all(I):
    """The box of the common shape among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = commonest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_rare_numcolors_all(I):
    """The box of the rare numcolors among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = rarest_by(figures, numcolors)
    part = subgrid(found, I)
    return part


def solve_crop_common_numcolors_all(I):
    """The box of the common numcolors among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = commonest_by(figures, numcolors)
    part = subgrid(found, I)
    return part


def solve_crop_rare_palette_all(I):
    """The box of the rare palette among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = rarest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_common_palette_all(I):
    """The box of the common palette among figures of all colours, four neighbours."""
    figures = objects(I, F, F, T)
    found = commonest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_most_size_all_8(I):
    """The box of the most size among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_most_size_all_8(I):
    """The most size among figures of all colours, eight neighbours, alone on black."""
    figures = objects(I, F, T, T)
    found = argmax(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_most_size_all_8(I):
    """The box of the most size among figures of all colours, eight neighbours, without its edge."""
    figures = objects(I, F, T, T)
    found = argmax(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_most_size_all_8(I):
    """The grid without the most size among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_least_size_all_8(I):
    """The box of the least size among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_least_size_all_8(I):
    """The least size among figures of all colours, eight neighbours, alone on black."""
    figures = objects(I, F, T, T)
    found = argmin(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_least_size_all_8(I):
    """The box of the least size among figures of all colours, eight neighbours, without its edge."""
    figures = objects(I, F, T, T)
    found = argmin(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_least_size_all_8(I):
    """The grid without the least size among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_most_height_all_8(I):
    """The box of the most height among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_least_height_all_8(I):
    """The box of the least height among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_most_width_all_8(I):
    """The box of the most width among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_least_width_all_8(I):
    """The box of the least width among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_most_numcolors_all_8(I):
    """The box of the most numcolors among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, numcolors)
    part = subgrid(found, I)
    return part


def solve_crop_least_numcolors_all_8(I):
    """The box of the least numcolors among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, numcolors)
    part = subgrid(found, I)
    return part


def solve_crop_most_box_area_all_8(I):
    """The box of the most box area among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_least_box_area_all_8(I):
    """The box of the least box area among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_most_gaps_all_8(I):
    """The box of the most gaps among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_least_gaps_all_8(I):
    """The box of the least gaps among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_most_fullness_all_8(I):
    """The box of the most fullness among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_least_fullness_all_8(I):
    """The box of the least fullness among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_most_uppermost_all_8(I):
    """The box of the most uppermost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_uppermost_all_8(I):
    """The box of the least uppermost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_leftmost_all_8(I):
    """The box of the most leftmost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_leftmost_all_8(I):
    """The box of the least leftmost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_most_lowermost_all_8(I):
    """The box of the most lowermost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_lowermost_all_8(I):
    """The box of the least lowermost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_rightmost_all_8(I):
    """The box of the most rightmost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmax(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_rightmost_all_8(I):
    """The box of the least rightmost among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = argmin(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_mirrored_all_8(I):
    """The box of the mirrored among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = extract(figures, is_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_not_mirrored_all_8(I):
    """The box of the not mirrored among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = extract(figures, is_not_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_square_all_8(I):
    """The box of the square among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = extract(figures, square)
    part = subgrid(found, I)
    return part


def solve_crop_rare_form_of_all_8(I):
    """The box of the rare form of among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_alone_rare_form_of_all_8(I):
    """The rare form of among figures of all colours, eight neighbours, alone on black."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, form_of)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_rare_form_of_all_8(I):
    """The box of the rare form of among figures of all colours, eight neighbours, without its edge."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_rare_form_of_all_8(I):
    """The grid without the rare form of among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, form_of)
    rest = cover(I, found)
    return rest


def solve_crop_common_form_of_all_8(I):
    """The box of the common form of among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = commonest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_crop_rare_size_all_8(I):
    """The box of the rare size among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_common_size_all_8(I):
    """The box of the common size among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = commonest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_rare_shape_all_8(I):
    """The box of the rare shape among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_common_shape_all_8(I):
    """The box of the common shape among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = commonest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_rare_numcolors_all_8(I):
    """The box of the rare numcolors among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, numcolors)
    part = subgrid(found, I)
    return part


def solve_crop_common_numcolors_all_8(I):
    """The box of the common numcolors among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = commonest_by(figures, numcolors)
    part = subgrid(found, I)
    return part


def solve_crop_rare_palette_all_8(I):
    """The box of the rare palette among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = rarest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_common_palette_all_8(I):
    """The box of the common palette among figures of all colours, eight neighbours."""
    figures = objects(I, F, T, T)
    found = commonest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_most_size_with_ground(I):
    """The box of the most size among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmax(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_most_size_with_ground(I):
    """The most size among figures of one colour, the ground too, alone on black."""
    figures = objects(I, T, F, F)
    found = argmax(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_most_size_with_ground(I):
    """The box of the most size among figures of one colour, the ground too, without its edge."""
    figures = objects(I, T, F, F)
    found = argmax(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_most_size_with_ground(I):
    """The grid without the most size among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmax(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_least_size_with_ground(I):
    """The box of the least size among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmin(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_least_size_with_ground(I):
    """The least size among figures of one colour, the ground too, alone on black."""
    figures = objects(I, T, F, F)
    found = argmin(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_least_size_with_ground(I):
    """The box of the least size among figures of one colour, the ground too, without its edge."""
    figures = objects(I, T, F, F)
    found = argmin(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_least_size_with_ground(I):
    """The grid without the least size among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmin(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_most_height_with_ground(I):
    """The box of the most height among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmax(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_least_height_with_ground(I):
    """The box of the least height among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmin(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_most_width_with_ground(I):
    """The box of the most width among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmax(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_least_width_with_ground(I):
    """The box of the least width among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmin(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_most_box_area_with_ground(I):
    """The box of the most box area among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmax(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_least_box_area_with_ground(I):
    """The box of the least box area among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmin(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_most_gaps_with_ground(I):
    """The box of the most gaps among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmax(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_least_gaps_with_ground(I):
    """The box of the least gaps among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmin(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_most_fullness_with_ground(I):
    """The box of the most fullness among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmax(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_least_fullness_with_ground(I):
    """The box of the least fullness among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmin(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_most_uppermost_with_ground(I):
    """The box of the most uppermost among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmax(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_uppermost_with_ground(I):
    """The box of the least uppermost among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmin(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_leftmost_with_ground(I):
    """The box of the most leftmost among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmax(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_leftmost_with_ground(I):
    """The box of the least leftmost among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmin(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_most_lowermost_with_ground(I):
    """The box of the most lowermost among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmax(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_lowermost_with_ground(I):
    """The box of the least lowermost among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmin(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_rightmost_with_ground(I):
    """The box of the most rightmost among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmax(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_rightmost_with_ground(I):
    """The box of the least rightmost among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = argmin(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_mirrored_with_ground(I):
    """The box of the mirrored among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = extract(figures, is_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_not_mirrored_with_ground(I):
    """The box of the not mirrored among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = extract(figures, is_not_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_square_with_ground(I):
    """The box of the square among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = extract(figures, square)
    part = subgrid(found, I)
    return part


def solve_crop_rare_form_of_with_ground(I):
    """The box of the rare form of among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_alone_rare_form_of_with_ground(I):
    """The rare form of among figures of one colour, the ground too, alone on black."""
    figures = objects(I, T, F, F)
    found = rarest_by(figures, form_of)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_rare_form_of_with_ground(I):
    """The box of the rare form of among figures of one colour, the ground too, without its edge."""
    figures = objects(I, T, F, F)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_rare_form_of_with_ground(I):
    """The grid without the rare form of among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = rarest_by(figures, form_of)
    rest = cover(I, found)
    return rest


def solve_crop_common_form_of_with_ground(I):
    """The box of the common form of among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = commonest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_crop_rare_color_with_ground(I):
    """The box of the rare color among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = rarest_by(figures, color)
    part = subgrid(found, I)
    return part


def solve_crop_common_color_with_ground(I):
    """The box of the common color among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = commonest_by(figures, color)
    part = subgrid(found, I)
    return part


def solve_crop_rare_size_with_ground(I):
    """The box of the rare size among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = rarest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_common_size_with_ground(I):
    """The box of the common size among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = commonest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_rare_shape_with_ground(I):
    """The box of the rare shape among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = rarest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_common_shape_with_ground(I):
    """The box of the common shape among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = commonest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_rare_palette_with_ground(I):
    """The box of the rare palette among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = rarest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_common_palette_with_ground(I):
    """The box of the common palette among figures of one colour, the ground too."""
    figures = objects(I, T, F, F)
    found = commonest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_most_size_colours(I):
    """The box of the most size among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_most_size_colours(I):
    """The most size among cells of each colour, alone on black."""
    figures = partition(I)
    found = argmax(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_most_size_colours(I):
    """The box of the most size among cells of each colour, without its edge."""
    figures = partition(I)
    found = argmax(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_most_size_colours(I):
    """The grid without the most size among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_least_size_colours(I):
    """The box of the least size among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_least_size_colours(I):
    """The least size among cells of each colour, alone on black."""
    figures = partition(I)
    found = argmin(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_least_size_colours(I):
    """The box of the least size among cells of each colour, without its edge."""
    figures = partition(I)
    found = argmin(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_least_size_colours(I):
    """The grid without the least size among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_most_height_colours(I):
    """The box of the most height among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_least_height_colours(I):
    """The box of the least height among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_most_width_colours(I):
    """The box of the most width among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_least_width_colours(I):
    """The box of the least width among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_most_box_area_colours(I):
    """The box of the most box area among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_least_box_area_colours(I):
    """The box of the least box area among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_most_gaps_colours(I):
    """The box of the most gaps among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_least_gaps_colours(I):
    """The box of the least gaps among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_most_fullness_colours(I):
    """The box of the most fullness among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_least_fullness_colours(I):
    """The box of the least fullness among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_most_uppermost_colours(I):
    """The box of the most uppermost among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_uppermost_colours(I):
    """The box of the least uppermost among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_leftmost_colours(I):
    """The box of the most leftmost among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_leftmost_colours(I):
    """The box of the least leftmost among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_most_lowermost_colours(I):
    """The box of the most lowermost among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_lowermost_colours(I):
    """The box of the least lowermost among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_rightmost_colours(I):
    """The box of the most rightmost among cells of each colour."""
    figures = partition(I)
    found = argmax(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_rightmost_colours(I):
    """The box of the least rightmost among cells of each colour."""
    figures = partition(I)
    found = argmin(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_mirrored_colours(I):
    """The box of the mirrored among cells of each colour."""
    figures = partition(I)
    found = extract(figures, is_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_not_mirrored_colours(I):
    """The box of the not mirrored among cells of each colour."""
    figures = partition(I)
    found = extract(figures, is_not_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_square_colours(I):
    """The box of the square among cells of each colour."""
    figures = partition(I)
    found = extract(figures, square)
    part = subgrid(found, I)
    return part


def solve_crop_rare_form_of_colours(I):
    """The box of the rare form of among cells of each colour."""
    figures = partition(I)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_alone_rare_form_of_colours(I):
    """The rare form of among cells of each colour, alone on black."""
    figures = partition(I)
    found = rarest_by(figures, form_of)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_rare_form_of_colours(I):
    """The box of the rare form of among cells of each colour, without its edge."""
    figures = partition(I)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_rare_form_of_colours(I):
    """The grid without the rare form of among cells of each colour."""
    figures = partition(I)
    found = rarest_by(figures, form_of)
    rest = cover(I, found)
    return rest


def solve_crop_common_form_of_colours(I):
    """The box of the common form of among cells of each colour."""
    figures = partition(I)
    found = commonest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_crop_rare_color_colours(I):
    """The box of the rare color among cells of each colour."""
    figures = partition(I)
    found = rarest_by(figures, color)
    part = subgrid(found, I)
    return part


def solve_crop_common_color_colours(I):
    """The box of the common color among cells of each colour."""
    figures = partition(I)
    found = commonest_by(figures, color)
    part = subgrid(found, I)
    return part


def solve_crop_rare_size_colours(I):
    """The box of the rare size among cells of each colour."""
    figures = partition(I)
    found = rarest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_common_size_colours(I):
    """The box of the common size among cells of each colour."""
    figures = partition(I)
    found = commonest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_rare_shape_colours(I):
    """The box of the rare shape among cells of each colour."""
    figures = partition(I)
    found = rarest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_common_shape_colours(I):
    """The box of the common shape among cells of each colour."""
    figures = partition(I)
    found = commonest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_rare_palette_colours(I):
    """The box of the rare palette among cells of each colour."""
    figures = partition(I)
    found = rarest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_common_palette_colours(I):
    """The box of the common palette among cells of each colour."""
    figures = partition(I)
    found = commonest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_most_size_drawn_colours(I):
    """The box of the most size among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmax(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_most_size_drawn_colours(I):
    """The most size among cells of each colour but the ground, alone on black."""
    figures = fgpartition(I)
    found = argmax(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_most_size_drawn_colours(I):
    """The box of the most size among cells of each colour but the ground, without its edge."""
    figures = fgpartition(I)
    found = argmax(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_most_size_drawn_colours(I):
    """The grid without the most size among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmax(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_least_size_drawn_colours(I):
    """The box of the least size among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmin(figures, size)
    part = subgrid(found, I)
    return part


def solve_alone_least_size_drawn_colours(I):
    """The least size among cells of each colour but the ground, alone on black."""
    figures = fgpartition(I)
    found = argmin(figures, size)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_least_size_drawn_colours(I):
    """The box of the least size among cells of each colour but the ground, without its edge."""
    figures = fgpartition(I)
    found = argmin(figures, size)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_least_size_drawn_colours(I):
    """The grid without the least size among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmin(figures, size)
    rest = cover(I, found)
    return rest


def solve_crop_most_height_drawn_colours(I):
    """The box of the most height among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmax(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_least_height_drawn_colours(I):
    """The box of the least height among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmin(figures, height)
    part = subgrid(found, I)
    return part


def solve_crop_most_width_drawn_colours(I):
    """The box of the most width among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmax(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_least_width_drawn_colours(I):
    """The box of the least width among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmin(figures, width)
    part = subgrid(found, I)
    return part


def solve_crop_most_box_area_drawn_colours(I):
    """The box of the most box area among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmax(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_least_box_area_drawn_colours(I):
    """The box of the least box area among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmin(figures, box_area)
    part = subgrid(found, I)
    return part


def solve_crop_most_gaps_drawn_colours(I):
    """The box of the most gaps among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmax(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_least_gaps_drawn_colours(I):
    """The box of the least gaps among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmin(figures, gaps)
    part = subgrid(found, I)
    return part


def solve_crop_most_fullness_drawn_colours(I):
    """The box of the most fullness among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmax(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_least_fullness_drawn_colours(I):
    """The box of the least fullness among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmin(figures, fullness)
    part = subgrid(found, I)
    return part


def solve_crop_most_uppermost_drawn_colours(I):
    """The box of the most uppermost among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmax(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_uppermost_drawn_colours(I):
    """The box of the least uppermost among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmin(figures, uppermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_leftmost_drawn_colours(I):
    """The box of the most leftmost among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmax(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_leftmost_drawn_colours(I):
    """The box of the least leftmost among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmin(figures, leftmost)
    part = subgrid(found, I)
    return part


def solve_crop_most_lowermost_drawn_colours(I):
    """The box of the most lowermost among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmax(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_least_lowermost_drawn_colours(I):
    """The box of the least lowermost among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmin(figures, lowermost)
    part = subgrid(found, I)
    return part


def solve_crop_most_rightmost_drawn_colours(I):
    """The box of the most rightmost among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmax(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_least_rightmost_drawn_colours(I):
    """The box of the least rightmost among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = argmin(figures, rightmost)
    part = subgrid(found, I)
    return part


def solve_crop_mirrored_drawn_colours(I):
    """The box of the mirrored among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = extract(figures, is_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_not_mirrored_drawn_colours(I):
    """The box of the not mirrored among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = extract(figures, is_not_mirrored)
    part = subgrid(found, I)
    return part


def solve_crop_square_drawn_colours(I):
    """The box of the square among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = extract(figures, square)
    part = subgrid(found, I)
    return part


def solve_crop_rare_form_of_drawn_colours(I):
    """The box of the rare form of among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_alone_rare_form_of_drawn_colours(I):
    """The rare form of among cells of each colour but the ground, alone on black."""
    figures = fgpartition(I)
    found = rarest_by(figures, form_of)
    size_of = shape(found)
    blank = canvas(ZERO, size_of)
    plain = normalize(found)
    part = paint(blank, plain)
    return part


def solve_inside_rare_form_of_drawn_colours(I):
    """The box of the rare form of among cells of each colour but the ground, without its edge."""
    figures = fgpartition(I)
    found = rarest_by(figures, form_of)
    part = subgrid(found, I)
    inner = trim(part)
    return inner


def solve_cover_rare_form_of_drawn_colours(I):
    """The grid without the rare form of among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = rarest_by(figures, form_of)
    rest = cover(I, found)
    return rest


def solve_crop_common_form_of_drawn_colours(I):
    """The box of the common form of among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = commonest_by(figures, form_of)
    part = subgrid(found, I)
    return part


def solve_crop_rare_color_drawn_colours(I):
    """The box of the rare color among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = rarest_by(figures, color)
    part = subgrid(found, I)
    return part


def solve_crop_common_color_drawn_colours(I):
    """The box of the common color among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = commonest_by(figures, color)
    part = subgrid(found, I)
    return part


def solve_crop_rare_size_drawn_colours(I):
    """The box of the rare size among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = rarest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_common_size_drawn_colours(I):
    """The box of the common size among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = commonest_by(figures, size)
    part = subgrid(found, I)
    return part


def solve_crop_rare_shape_drawn_colours(I):
    """The box of the rare shape among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = rarest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_common_shape_drawn_colours(I):
    """The box of the common shape among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = commonest_by(figures, shape)
    part = subgrid(found, I)
    return part


def solve_crop_rare_palette_drawn_colours(I):
    """The box of the rare palette among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = rarest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_crop_common_palette_drawn_colours(I):
    """The box of the common palette among cells of each colour but the ground."""
    figures = fgpartition(I)
    found = commonest_by(figures, palette)
    part = subgrid(found, I)
    return part


def solve_drawn_box(I):
    """The box of all that is drawn."""
    layers = fgpartition(I)
    cells = merge(layers)
    part = subgrid(cells, I)
    return part


def solve_box_of_not_black(I):
    """The box of all that is not black."""
    places = asindices(I)
    black = ofcolor(I, ZERO)
    rest = difference(places, black)
    part = subgrid(rest, I)
    return part


def solve_box_of_black(I):
    """The box of all that is black."""
    places = ofcolor(I, ZERO)
    part = subgrid(places, I)
    return part


def solve_cell_of_most(I):
    """A single cell of the most frequent colour."""
    colour = mostcolor(I)
    made = canvas(colour, UNITY)
    return made


def solve_cell_of_least(I):
    """A single cell of the rarest colour."""
    colour = leastcolor(I)
    made = canvas(colour, UNITY)
    return made


def solve_cell_of_drawn(I):
    """A single cell of the most frequent colour that is drawn."""
    layers = fgpartition(I)
    cells = merge(layers)
    colour = mostcolor(cells)
    made = canvas(colour, UNITY)
    return made


def solve_upscale_2(I):
    """The grid after upscale by 2."""
    made = upscale(I, 2)
    return made


def solve_hupscale_2(I):
    """The grid after hupscale by 2."""
    made = hupscale(I, 2)
    return made


def solve_vupscale_2(I):
    """The grid after vupscale by 2."""
    made = vupscale(I, 2)
    return made


def solve_downscale_2(I):
    """The grid after downscale by 2."""
    made = downscale(I, 2)
    return made


def solve_upscale_3(I):
    """The grid after upscale by 3."""
    made = upscale(I, 3)
    return made


def solve_hupscale_3(I):
    """The grid after hupscale by 3."""
    made = hupscale(I, 3)
    return made


def solve_vupscale_3(I):
    """The grid after vupscale by 3."""
    made = vupscale(I, 3)
    return made


def solve_downscale_3(I):
    """The grid after downscale by 3."""
    made = downscale(I, 3)
    return made


def solve_upscale_4(I):
    """The grid after upscale by 4."""
    made = upscale(I, 4)
    return made


def solve_hupscale_4(I):
    """The grid after hupscale by 4."""
    made = hupscale(I, 4)
    return made


def solve_vupscale_4(I):
    """The grid after vupscale by 4."""
    made = vupscale(I, 4)
    return made


def solve_downscale_4(I):
    """The grid after downscale by 4."""
    made = downscale(I, 4)
    return made


def solve_tophalf(I):
    """The grid after tophalf."""
    made = tophalf(I)
    return made


def solve_bottomhalf(I):
    """The grid after bottomhalf."""
    made = bottomhalf(I)
    return made


def solve_lefthalf(I):
    """The grid after lefthalf."""
    made = lefthalf(I)
    return made


def solve_righthalf(I):
    """The grid after righthalf."""
    made = righthalf(I)
    return made


def solve_compress(I):
    """The grid after compress."""
    made = compress(I)
    return made


def solve_trim(I):
    """The grid after trim."""
    made = trim(I)
    return made


def solve_hmirror(I):
    """The grid after hmirror."""
    made = hmirror(I)
    return made


def solve_vmirror(I):
    """The grid after vmirror."""
    made = vmirror(I)
    return made


def solve_rot90(I):
    """The grid after rot90."""
    made = rot90(I)
    return made


def solve_rot180(I):
    """The grid after rot180."""
    made = rot180(I)
    return made


def solve_rot270(I):
    """The grid after rot270."""
    made = rot270(I)
    return made


def solve_dmirror(I):
    """The grid after dmirror."""
    made = dmirror(I)
    return made


def solve_cmirror(I):
    """The grid after cmirror."""
    made = cmirror(I)
    return made


def solve_first_of_hsplit_3(I):
    """The first part of hsplit by 3."""
    parts = hsplit(I, 3)
    part = first(parts)
    return part


def solve_last_of_hsplit_3(I):
    """The last part of hsplit by 3."""
    parts = hsplit(I, 3)
    part = last(parts)
    return part


def solve_rare_of_hsplit_3(I):
    """The part of hsplit by 3 that is unlike the others."""
    parts = hsplit(I, 3)
    part = leastcommon(parts)
    return part


def solve_first_of_vsplit_3(I):
    """The first part of vsplit by 3."""
    parts = vsplit(I, 3)
    part = first(parts)
    return part


def solve_last_of_vsplit_3(I):
    """The last part of vsplit by 3."""
    parts = vsplit(I, 3)
    part = last(parts)
    return part


def solve_rare_of_vsplit_3(I):
    """The part of vsplit by 3 that is unlike the others."""
    parts = vsplit(I, 3)
    part = leastcommon(parts)
    return part


def solve_middle_of_hsplit_3(I):
    """The second part of hsplit by 3."""
    parts = hsplit(I, 3)
    part = parts[1]
    return part


def solve_middle_of_vsplit_3(I):
    """The second part of vsplit by 3."""
    parts = vsplit(I, 3)
    part = parts[1]
    return part


def solve_first_of_hsplit_4(I):
    """The first part of hsplit by 4."""
    parts = hsplit(I, 4)
    part = first(parts)
    return part


def solve_last_of_hsplit_4(I):
    """The last part of hsplit by 4."""
    parts = hsplit(I, 4)
    part = last(parts)
    return part


def solve_rare_of_hsplit_4(I):
    """The part of hsplit by 4 that is unlike the others."""
    parts = hsplit(I, 4)
    part = leastcommon(parts)
    return part


def solve_first_of_vsplit_4(I):
    """The first part of vsplit by 4."""
    parts = vsplit(I, 4)
    part = first(parts)
    return part


def solve_last_of_vsplit_4(I):
    """The last part of vsplit by 4."""
    parts = vsplit(I, 4)
    part = last(parts)
    return part


def solve_rare_of_vsplit_4(I):
    """The part of vsplit by 4 that is unlike the others."""
    parts = vsplit(I, 4)
    part = leastcommon(parts)
    return part


def solve_middle_of_hsplit_4(I):
    """The second part of hsplit by 4."""
    parts = hsplit(I, 4)
    part = parts[1]
    return part


def solve_middle_of_vsplit_4(I):
    """The second part of vsplit by 4."""
    parts = vsplit(I, 4)
    part = parts[1]
    return part


def solve_first_of_hsplit_5(I):
    """The first part of hsplit by 5."""
    parts = hsplit(I, 5)
    part = first(parts)
    return part


def solve_last_of_hsplit_5(I):
    """The last part of hsplit by 5."""
    parts = hsplit(I, 5)
    part = last(parts)
    return part


def solve_rare_of_hsplit_5(I):
    """The part of hsplit by 5 that is unlike the others."""
    parts = hsplit(I, 5)
    part = leastcommon(parts)
    return part


def solve_first_of_vsplit_5(I):
    """The first part of vsplit by 5."""
    parts = vsplit(I, 5)
    part = first(parts)
    return part


def solve_last_of_vsplit_5(I):
    """The last part of vsplit by 5."""
    parts = vsplit(I, 5)
    part = last(parts)
    return part


def solve_rare_of_vsplit_5(I):
    """The part of vsplit by 5 that is unlike the others."""
    parts = vsplit(I, 5)
    part = leastcommon(parts)
    return part


def solve_middle_of_hsplit_5(I):
    """The second part of hsplit by 5."""
    parts = hsplit(I, 5)
    part = parts[1]
    return part


def solve_middle_of_vsplit_5(I):
    """The second part of vsplit by 5."""
    parts = vsplit(I, 5)
    part = parts[1]
    return part


def rightward(grid, piece):
    """Two grids side by side."""
    both = hconcat(grid, piece)
    return both


def solve_h_own_own(I):
    """own and own, side by side."""
    made = hconcat(I, I)
    return made


def solve_v_own_own(I):
    """own above own."""
    made = vconcat(I, I)
    return made


def solve_h_own_vmirror(I):
    """own and vmirror, side by side."""
    b = vmirror(I)
    made = hconcat(I, b)
    return made


def solve_v_own_vmirror(I):
    """own above vmirror."""
    b = vmirror(I)
    made = vconcat(I, b)
    return made


def solve_h_own_rot180(I):
    """own and rot180, side by side."""
    b = rot180(I)
    made = hconcat(I, b)
    return made


def solve_v_own_rot180(I):
    """own above rot180."""
    b = rot180(I)
    made = vconcat(I, b)
    return made


def solve_h_own_hmirror(I):
    """own and hmirror, side by side."""
    b = hmirror(I)
    made = hconcat(I, b)
    return made


def solve_v_own_hmirror(I):
    """own above hmirror."""
    b = hmirror(I)
    made = vconcat(I, b)
    return made


def solve_h_vmirror_own(I):
    """vmirror and own, side by side."""
    a = vmirror(I)
    made = hconcat(a, I)
    return made


def solve_v_vmirror_own(I):
    """vmirror above own."""
    a = vmirror(I)
    made = vconcat(a, I)
    return made


def solve_h_hmirror_own(I):
    """hmirror and own, side by side."""
    a = hmirror(I)
    made = hconcat(a, I)
    return made


def solve_v_hmirror_own(I):
    """hmirror above own."""
    a = hmirror(I)
    made = vconcat(a, I)
    return made


def solve_four_mirrors(I):
    """The grid and its mirror images around the middle."""
    turned = vmirror(I)
    top = hconcat(I, turned)
    bottom = hmirror(top)
    made = vconcat(top, bottom)
    return made


def solve_four_mirrors_in(I):
    """The mirror images, with the grid at the lower right."""
    turned = vmirror(I)
    bottom = hconcat(turned, I)
    top = hmirror(bottom)
    made = vconcat(top, bottom)
    return made


def solve_four_turns(I):
    """The grid and its three turns."""
    right = rot90(I)
    top = hconcat(I, right)
    left = rot270(I)
    half = rot180(I)
    bottom = hconcat(left, half)
    made = vconcat(top, bottom)
    return made


def solve_two_by_two(I):
    """The grid, two by two."""
    row = hconcat(I, I)
    made = vconcat(row, row)
    return made


def solve_three_by_three(I):
    """The grid, three by three."""
    two = hconcat(I, I)
    row = hconcat(two, I)
    rows = vconcat(row, row)
    made = vconcat(rows, row)
    return made


def solve_own_pattern(I):
    """The grid in place of each of its drawn cells."""
    ground = mostcolor(I)
    h = height(I)
    big = upscale(I, h)
    two = hconcat(I, I)
    row = hconcat(two, I)
    rows = vconcat(row, row)
    tiled = vconcat(rows, row)
    made = cellwise(big, tiled, ZERO)
    return made


def solve_fill_rows(I):
    """Every cell of gray drawn out along the row."""
    dots = ofcolor(I, FIVE)
    places = mapply(hfrontier, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_fill_columns(I):
    """Every cell of gray drawn out along the column."""
    dots = ofcolor(I, FIVE)
    places = mapply(vfrontier, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_right(I):
    """Every gray cell drawn out to right."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, RIGHT)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_left(I):
    """Every gray cell drawn out to left."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, LEFT)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_down(I):
    """Every gray cell drawn out to down."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, DOWN)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_up(I):
    """Every gray cell drawn out to up."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, UP)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_down_right(I):
    """Every gray cell drawn out to down right."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, UNITY)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_up_left(I):
    """Every gray cell drawn out to up left."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, NEG_UNITY)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_down_left(I):
    """Every gray cell drawn out to down left."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, DOWN_LEFT)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_shoot_up_right(I):
    """Every gray cell drawn out to up right."""
    dots = ofcolor(I, FIVE)
    line = rbind(shoot, UP_RIGHT)
    places = mapply(line, dots)
    made = underfill(I, FIVE, places)
    return made


def solve_cross(I):
    """Every gray cell drawn out along row and column."""
    dots = ofcolor(I, FIVE)
    rows = mapply(hfrontier, dots)
    columns = mapply(vfrontier, dots)
    places = combine(rows, columns)
    made = underfill(I, FIVE, places)
    return made


def solve_diagonals(I):
    """Every gray cell drawn out along both diagonals."""
    dots = ofcolor(I, FIVE)
    a = mapply(rbind(shoot, UNITY), dots)
    b = mapply(rbind(shoot, NEG_UNITY), dots)
    c = mapply(rbind(shoot, UP_RIGHT), dots)
    e = mapply(rbind(shoot, DOWN_LEFT), dots)
    one = combine(a, b)
    two = combine(c, e)
    places = combine(one, two)
    made = underfill(I, FIVE, places)
    return made


def straight(line):
    """Whether a line goes along a row or a column."""
    across = hline(line)
    down = vline(line)
    answer = either(across, down)
    return answer


def solve_joined(I):
    """Gray cells of one row or column joined."""
    dots = ofcolor(I, FIVE)
    lines = prapply(connect, dots, dots)
    places = mfilter(lines, straight)
    made = underfill(I, FIVE, places)
    return made


def solve_joined_in_red(I):
    """Gray cells of one row or column joined in red."""
    dots = ofcolor(I, FIVE)
    lines = prapply(connect, dots, dots)
    places = mfilter(lines, straight)
    made = underfill(I, TWO, places)
    return made


def solve_only(I):
    """The gray cells alone, on black."""
    places = ofcolor(I, FIVE)
    size_of = shape(I)
    blank = canvas(ZERO, size_of)
    made = fill(blank, FIVE, places)
    return made


def solve_around(I):
    """The neighbours of gray cells in red."""
    places = ofcolor(I, FIVE)
    near = mapply(neighbors, places)
    made = underfill(I, TWO, near)
    return made


def solve_beside(I):
    """The side neighbours of gray cells in red."""
    places = ofcolor(I, FIVE)
    near = mapply(dneighbors, places)
    made = underfill(I, TWO, near)
    return made


def solve_gray_box(I):
    """The box of gray."""
    places = ofcolor(I, FIVE)
    part = subgrid(places, I)
    return part


def solve_gray_box_inside(I):
    """The box of gray without its edge."""
    places = ofcolor(I, FIVE)
    part = subgrid(places, I)
    inner = trim(part)
    return inner


def solve_gray_hull(I):
    """The box of gray filled with gray where it is empty."""
    places = ofcolor(I, FIVE)
    hull = backdrop(places)
    made = underfill(I, FIVE, hull)
    return made


def solve_enclosed(I):
    """Enclosed parts of black in gray."""
    every = objects(I, T, F, F)
    black = colorfilter(every, ZERO)
    touches = rbind(bordering, I)
    is_inside = compose(flip, touches)
    places = mfilter(black, is_inside)
    made = fill(I, FIVE, places)
    return made


def solve_enclosed_8(I):
    """Parts of black that are enclosed even by corners in gray."""
    every = objects(I, T, T, F)
    black = colorfilter(every, ZERO)
    touches = rbind(bordering, I)
    is_inside = compose(flip, touches)
    places = mfilter(black, is_inside)
    made = fill(I, FIVE, places)
    return made


def solve_swap(I):
    """Gray and red exchanged."""
    made = switch(I, FIVE, TWO)
    return made


def solve_recoloured(I):
    """Gray turned to red."""
    made = replace(I, FIVE, TWO)
    return made


def solve_drawn_in(I):
    """All that is drawn in gray."""
    layers = fgpartition(I)
    cells = merge(layers)
    made = fill(I, FIVE, cells)
    return made


def solve_boxes_filled(I):
    """The boxes of all figures filled with gray."""
    figures = objects(I, T, T, T)
    places = mapply(delta, figures)
    made = fill(I, FIVE, places)
    return made


def solve_rings(I):
    """Rings around all figures in gray."""
    figures = objects(I, T, T, T)
    places = mapply(outbox, figures)
    made = underfill(I, FIVE, places)
    return made


def solve_inner_rings(I):
    """Rings within all figures in gray."""
    figures = objects(I, T, F, T)
    places = mapply(inbox, figures)
    made = fill(I, FIVE, places)
    return made


def solve_largest_in_one(I):
    """The largest figure in gray."""
    figures = objects(I, T, F, T)
    found = argmax(figures, size)
    made = fill(I, FIVE, found)
    return made


def solve_smallest_in_one(I):
    """The smallest figure in gray."""
    figures = objects(I, T, F, T)
    found = argmin(figures, size)
    made = fill(I, FIVE, found)
    return made


def solve_dots_gone_one(I):
    """The grid without single cells."""
    figures = objects(I, T, F, T)
    dots = sizefilter(figures, ONE)
    cells = merge(dots)
    made = cover(I, cells)
    return made


def solve_largest_in_one_8(I):
    """The largest figure in gray."""
    figures = objects(I, T, T, T)
    found = argmax(figures, size)
    made = fill(I, FIVE, found)
    return made


def solve_smallest_in_one_8(I):
    """The smallest figure in gray."""
    figures = objects(I, T, T, T)
    found = argmin(figures, size)
    made = fill(I, FIVE, found)
    return made


def solve_dots_gone_one_8(I):
    """The grid without single cells."""
    figures = objects(I, T, T, T)
    dots = sizefilter(figures, ONE)
    cells = merge(dots)
    made = cover(I, cells)
    return made


def solve_largest_in_all_8(I):
    """The largest figure in gray."""
    figures = objects(I, F, T, T)
    found = argmax(figures, size)
    made = fill(I, FIVE, found)
    return made


def solve_smallest_in_all_8(I):
    """The smallest figure in gray."""
    figures = objects(I, F, T, T)
    found = argmin(figures, size)
    made = fill(I, FIVE, found)
    return made


def solve_dots_gone_all_8(I):
    """The grid without single cells."""
    figures = objects(I, F, T, T)
    dots = sizefilter(figures, ONE)
    cells = merge(dots)
    made = cover(I, cells)
    return made
