"""Laws that hold between ops, whatever the arguments."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from batt import dsl
from batt.dsl import ORIGIN, cmirror, dmirror, hmirror, rot90, rot180, rot270, vmirror
from batt.ops import METER, RAISABLE, OverBudget
from batt.ops.functions import POWER_LIMIT
from batt.ops.lines import FRONTIER, REACH
from batt.ops.relations import MAX_FALL
from batt.types import OrderedSet, ascending
from strategies import (
    cell_per_place,
    colours,
    few_values,
    flags,
    functions,
    grids,
    indices,
    objects,
    pairs,
    patches,
    sets_of,
    small_grids,
    small_ints,
)

MIRRORS = [hmirror, vmirror, dmirror, cmirror]
FLAGS = list(product((False, True), repeat=3))

factors = st.integers(1, 4)
int_sets = sets_of(small_ints)
int_tuples = st.lists(small_ints, max_size=8).map(tuple)
few_sets = sets_of(few_values, max_size=4)
few_tuples = st.lists(few_values, max_size=5).map(tuple)
nums = small_ints | pairs
int_functions = st.sampled_from([dsl.increment, dsl.double, dsl.halve, dsl.invert, dsl.crement, dsl.sign, dsl.identity])
keys = st.sampled_from([dsl.identity, dsl.invert, dsl.even, dsl.halve, dsl.sign, dsl.rbind(dsl.subtract, 3)])


@st.composite
def grid_pairs(draw: st.DrawFn) -> Any:
    """Two grids of one shape."""
    height, width = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    return tuple([draw(grids(st.just(height), st.just(width))) for _ in range(2)])


@st.composite
def windows(draw: st.DrawFn) -> Any:
    """A grid, and a start and a shape within it."""
    grid = draw(small_grids)
    height, width = len(grid), len(grid[0])
    start = draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1))
    return grid, start, (draw(st.integers(1, height - start[0])), draw(st.integers(1, width - start[1])))


def ending(call: Callable[[Any], Any], argument: Any) -> Any:
    """The value of a call within a budget, or the class of what it raises."""
    METER.reset(50_000, 50_000)
    try:
        return call(argument)
    except (*RAISABLE, OverBudget) as raised:
        return type(raised)
    finally:
        METER.reset()


def steps(place: tuple[int, int], diagonal: bool) -> OrderedSet[Any]:
    return dsl.neighbors(place) if diagonal else dsl.dneighbors(place)


def reachable(places: set[Any], diagonal: bool) -> set[Any]:
    """What can be reached from one of the places without leaving them."""
    found = {min(places)}
    frontier = list(found)
    while frontier:
        near = {*steps(frontier.pop(), diagonal)} & places - found
        found |= near
        frontier.extend(near)
    return found


def touch(a: OrderedSet[Any], b: OrderedSet[Any], diagonal: bool) -> bool:
    return any(near in dsl.toindices(b) for place in dsl.toindices(a) for near in steps(place, diagonal))


@pytest.mark.parametrize("mirror", MIRRORS, ids=str)
@given(piece=grids() | patches)
def test_a_mirror_undoes_itself(mirror: Any, piece: Any) -> None:
    assert mirror(mirror(piece)) == piece


@pytest.mark.parametrize("mirror", MIRRORS, ids=str)
@given(grid=small_grids)
def test_a_mirror_does_the_same_to_a_grid_and_to_its_cells(mirror: Any, grid: Any) -> None:
    assert mirror(dsl.asobject(grid)) == dsl.asobject(mirror(grid))


@pytest.mark.parametrize("mirror", MIRRORS, ids=str)
@given(obj=objects)
def test_a_mirror_keeps_the_corner_and_the_colours_of_a_patch(mirror: Any, obj: Any) -> None:
    assert dsl.ulcorner(mirror(obj)) == dsl.ulcorner(obj)
    assert dsl.palette(mirror(obj)) == dsl.palette(obj)
    assert dsl.toindices(mirror(obj)) == mirror(dsl.toindices(obj))


@given(grids())
def test_four_quarter_turns_change_nothing(grid: Any) -> None:
    assert rot90(rot90(rot90(rot90(grid)))) == grid
    assert rot90(rot90(grid)) == rot180(grid)
    assert rot90(rot180(grid)) == rot270(grid)
    assert rot90(rot270(grid)) == grid


@given(grids())
def test_a_turn_is_two_mirrors(grid: Any) -> None:
    assert rot90(grid) == vmirror(dmirror(grid)) == dmirror(hmirror(grid))
    assert rot270(grid) == hmirror(dmirror(grid)) == dmirror(vmirror(grid))
    assert rot180(grid) == hmirror(vmirror(grid)) == dmirror(cmirror(grid))


@given(grids())
def test_the_other_diagonal_is_the_main_one_of_the_grid_turned_by_half(grid: Any) -> None:
    assert cmirror(grid) == dmirror(rot180(grid)) == rot180(dmirror(grid)) == hmirror(rot90(grid))
    assert dsl.shape(cmirror(grid)) == dsl.shape(dmirror(grid)) == dsl.shape(grid)[::-1]


@pytest.mark.parametrize(("univalued", "diagonal", "without_bg"), FLAGS)
@given(grid=small_grids)
def test_objects_part_the_cells(univalued: bool, diagonal: bool, without_bg: bool, grid: Any) -> None:
    found = dsl.objects(grid, univalued, diagonal, without_bg)
    expected = dsl.asobject(grid)
    if without_bg:
        expected = dsl.sfilter(expected, lambda cell: cell[0] != dsl.mostcolor(grid))
    assert dsl.merge(found) == expected
    assert sum(map(len, found)) == len(expected)
    assert all(found)


@pytest.mark.parametrize(("univalued", "diagonal", "without_bg"), FLAGS)
@given(grid=small_grids)
def test_each_object_is_connected_and_no_two_belong_together(
    univalued: bool, diagonal: bool, without_bg: bool, grid: Any
) -> None:
    found = dsl.objects(grid, univalued, diagonal, without_bg)
    for obj in found:
        places = {*dsl.toindices(obj)}
        assert reachable(places, diagonal) == places
        assert not univalued or dsl.numcolors(obj) == 1
    for a, b in combinations(found, 2):
        assert (univalued and dsl.color(a) != dsl.color(b)) or not touch(a, b, diagonal)


@given(grids())
def test_the_objects_of_a_partition_are_the_colours_and_cover_the_grid(grid: Any) -> None:
    parts = dsl.partition(grid)
    assert dsl.merge(parts) == dsl.asobject(grid)
    assert dsl.apply(dsl.color, parts) == dsl.palette(grid)
    assert all(dsl.toindices(part) == dsl.ofcolor(grid, dsl.color(part)) for part in parts)
    assert dsl.fgpartition(grid) == dsl.difference(parts, dsl.colorfilter(parts, dsl.mostcolor(grid)))


@given(small_grids)
def test_the_frontiers_are_what_compress_leaves_out(grid: Any) -> None:
    lines = dsl.frontiers(grid)
    assert all(dsl.hline(line) or dsl.vline(line) for line in lines)
    assert all(dsl.numcolors(line) == 1 for line in lines)
    rows = {i for i in range(len(grid)) if dsl.recolor(grid[i][0], dsl.connect((i, 0), (i, len(grid[0]) - 1))) in lines}
    columns = {j for j in range(len(grid[0])) if len({row[j] for row in grid}) == 1}
    kept = tuple(tuple(v for j, v in enumerate(row) if j not in columns) for i, row in enumerate(grid) if i not in rows)
    assert dsl.compress(grid) == kept


@given(grids())
def test_the_counts_of_all_colours_are_the_size_of_the_grid(grid: Any) -> None:
    counts = {colour: dsl.colorcount(grid, colour) for colour in dsl.palette(grid)}
    assert sum(counts.values()) == dsl.height(grid) * dsl.width(grid)
    assert dsl.numcolors(grid) == len(counts)
    assert counts[dsl.mostcolor(grid)] == max(counts.values())
    assert counts[dsl.leastcolor(grid)] == min(counts.values())


@given(small_grids)
def test_a_grid_and_its_cells_have_the_same_colours(grid: Any) -> None:
    cells = dsl.asobject(grid)
    for measure in (dsl.palette, dsl.numcolors, dsl.mostcolor, dsl.leastcolor, dsl.shape):
        assert measure(cells) == measure(grid)


@given(grids(), colours, colours)
def test_replacing_and_switching_colours(grid: Any, a: int, b: int) -> None:
    assert dsl.switch(dsl.switch(grid, a, b), a, b) == grid
    assert dsl.switch(grid, a, b) == dsl.switch(grid, b, a)
    assert dsl.replace(grid, a, a) == grid
    either = dsl.combine(dsl.ofcolor(grid, a), dsl.ofcolor(grid, b))
    assert dsl.ofcolor(dsl.replace(grid, a, b), b) == either
    assert a == b or dsl.ofcolor(dsl.replace(grid, a, b), a) == OrderedSet()


@given(colours, patches)
def test_recolouring_keeps_the_places(colour: int, patch: Any) -> None:
    recoloured = dsl.recolor(colour, patch)
    assert dsl.toindices(recoloured) == dsl.toindices(patch)
    assert dsl.palette(recoloured) == dsl.initset(colour)
    assert dsl.color(recoloured) == colour


@given(small_grids, colours, patches)
def test_what_was_filled_has_the_colour(grid: Any, colour: int, patch: Any) -> None:
    inside = dsl.intersection(dsl.toindices(patch), dsl.asindices(grid))
    filled = dsl.fill(grid, colour, patch)
    assert dsl.ofcolor(filled, colour) == dsl.combine(dsl.ofcolor(grid, colour), inside)
    assert dsl.difference(dsl.asobject(filled), dsl.recolor(colour, inside)) <= dsl.asobject(grid)
    assert dsl.fill(filled, colour, patch) == filled == dsl.paint(grid, dsl.recolor(colour, patch))


@given(small_grids, colours, patches)
def test_underfill_fills_only_the_background(grid: Any, colour: int, patch: Any) -> None:
    background = dsl.ofcolor(grid, dsl.mostcolor(grid))
    expected = dsl.fill(grid, colour, dsl.intersection(dsl.toindices(patch), background))
    assert dsl.underfill(grid, colour, patch) == expected == dsl.underpaint(grid, dsl.recolor(colour, patch))


@given(small_grids, patches)
def test_covering_is_filling_with_the_background(grid: Any, patch: Any) -> None:
    assert dsl.cover(grid, patch) == dsl.fill(grid, dsl.mostcolor(grid), patch)


@given(grids(), colours)
def test_all_cells_painted_on_a_canvas_give_the_grid(grid: Any, colour: int) -> None:
    empty = dsl.canvas(colour, dsl.shape(grid))
    assert dsl.paint(empty, dsl.asobject(grid)) == grid
    assert dsl.mapply(dsl.identity, dsl.partition(grid)) == dsl.asobject(grid)
    assert dsl.palette(empty) == dsl.initset(colour)


@given(small_grids, cell_per_place())
def test_painted_cells_are_seen(grid: Any, obj: Any) -> None:
    painted = dsl.paint(grid, obj)
    assert dsl.toobject(obj, painted) == dsl.sfilter(obj, lambda cell: cell[1] in dsl.asindices(grid))
    assert dsl.paint(painted, obj) == painted


@given(small_grids, objects, pairs)
def test_moving_is_covering_and_painting_elsewhere(grid: Any, obj: Any, offset: Any) -> None:
    assert dsl.move(grid, obj, offset) == dsl.paint(dsl.cover(grid, obj), dsl.shift(obj, offset))
    assert dsl.move(grid, obj, ORIGIN) == dsl.paint(grid, obj)


@given(small_grids, factors)
def test_scaling_down_undoes_scaling_up(grid: Any, factor: int) -> None:
    large = dsl.upscale(grid, factor)
    assert dsl.downscale(large, factor) == grid
    assert dsl.shape(large) == dsl.multiply(dsl.shape(grid), factor)
    assert large == dsl.vupscale(dsl.hupscale(grid, factor), factor) == dsl.hupscale(dsl.vupscale(grid, factor), factor)
    assert dmirror(dsl.hupscale(grid, factor)) == dsl.vupscale(dmirror(grid), factor)


@given(small_grids, factors)
def test_scaling_does_the_same_to_a_grid_and_to_its_cells(grid: Any, factor: int) -> None:
    assert dsl.upscale(dsl.asobject(grid), factor) == dsl.asobject(dsl.upscale(grid, factor))


@given(objects, factors, pairs)
def test_scaling_an_object_keeps_its_corner(obj: Any, factor: int, offset: Any) -> None:
    large = dsl.upscale(obj, factor)
    assert dsl.ulcorner(large) == dsl.ulcorner(obj)
    assert dsl.size(large) == factor * factor * dsl.size(obj)
    assert dsl.upscale(dsl.shift(obj, offset), factor) == dsl.shift(large, offset)


@given(grid_pairs())
def test_splitting_undoes_joining(both: Any) -> None:
    a, b = both
    assert dsl.hsplit(dsl.hconcat(a, b), 2) == dsl.vsplit(dsl.vconcat(a, b), 2) == (a, b)
    beside, below = dsl.hconcat(a, b), dsl.vconcat(a, b)
    assert (dsl.lefthalf(beside), dsl.righthalf(beside)) == (dsl.tophalf(below), dsl.bottomhalf(below)) == (a, b)
    assert dmirror(beside) == dsl.vconcat(dmirror(a), dmirror(b))


@given(grid_pairs(), colours)
def test_pieces_one_apart_are_found_again(both: Any, colour: int) -> None:
    a, b = both
    bar = dsl.canvas(colour, (dsl.height(a), 1))
    assert dsl.hsplit(dsl.hconcat(dsl.hconcat(a, bar), b), 2) == (a, b)
    assert dsl.vsplit(dmirror(dsl.hconcat(dsl.hconcat(a, bar), b)), 2) == (dmirror(a), dmirror(b))


@given(grids())
def test_halves_are_crops(grid: Any) -> None:
    height, width = dsl.shape(grid)
    assert dsl.tophalf(grid) == dsl.crop(grid, ORIGIN, (height // 2, width))
    assert dsl.bottomhalf(grid) == dsl.crop(grid, (height - height // 2, 0), (height // 2, width))
    assert dsl.lefthalf(grid) == dmirror(dsl.tophalf(dmirror(grid)))
    assert dsl.righthalf(grid) == vmirror(dsl.lefthalf(vmirror(grid)))
    if min(height, width) > 2:
        assert dsl.trim(grid) == dsl.crop(grid, (1, 1), (height - 2, width - 2))


@given(windows())
def test_a_crop_shows_the_cells_of_its_window(window: Any) -> None:
    grid, start, dims = window
    cropped = dsl.crop(grid, start, dims)
    assert dsl.shape(cropped) == dims
    places = dsl.shift(dsl.asindices(cropped), start)
    assert dsl.shift(dsl.asobject(cropped), start) == dsl.toobject(places, grid)
    assert dsl.subgrid(places, grid) == dsl.subgrid(dsl.corners(places), grid) == cropped


@given(windows())
def test_a_window_occurs_where_it_was_cut(window: Any) -> None:
    grid, start, dims = window
    pattern = dsl.asobject(dsl.crop(grid, start, dims))
    found = dsl.occurrences(grid, pattern)
    assert start in found
    assert all(dsl.crop(grid, corner, dims) == dsl.crop(grid, start, dims) for corner in found)


@given(grid_pairs(), colours)
def test_cellwise_shows_where_grids_agree(both: Any, colour: int) -> None:
    a, b = both
    assert dsl.cellwise(a, a, colour) == a
    assert dsl.cellwise(a, b, colour) == dsl.cellwise(b, a, colour)
    agreed = dsl.intersection(dsl.asobject(a), dsl.asobject(b))
    assert dsl.cellwise(a, b, colour) == dsl.paint(dsl.canvas(colour, dsl.shape(a)), agreed)


@given(small_grids, pairs)
def test_an_index_is_the_cell_at_the_place_or_none(grid: Any, place: Any) -> None:
    cell = dsl.toobject(dsl.initset(place), grid)
    assert dsl.index(grid, place) == (dsl.color(cell) if cell else None)


@given(patches, pairs)
def test_a_shift_can_be_taken_back(patch: Any, offset: Any) -> None:
    moved = dsl.shift(patch, offset)
    assert dsl.shift(moved, dsl.invert(offset)) == patch
    assert dsl.ulcorner(moved) == dsl.add(dsl.ulcorner(patch), offset)
    assert dsl.center(moved) == dsl.add(dsl.center(patch), offset)
    assert dsl.shape(moved) == dsl.shape(patch)
    assert dsl.normalize(moved) == dsl.normalize(patch)


@given(patches)
def test_normalizing_twice_is_normalizing_once(patch: Any) -> None:
    normal = dsl.normalize(patch)
    assert dsl.normalize(normal) == normal
    assert dsl.ulcorner(normal) == ORIGIN
    assert dsl.shift(normal, dsl.ulcorner(patch)) == patch


@given(patches)
def test_corners_are_made_of_extremes(patch: Any) -> None:
    top, bottom = dsl.uppermost(patch), dsl.lowermost(patch)
    left, right = dsl.leftmost(patch), dsl.rightmost(patch)
    assert (dsl.ulcorner(patch), dsl.urcorner(patch)) == ((top, left), (top, right))
    assert (dsl.llcorner(patch), dsl.lrcorner(patch)) == ((bottom, left), (bottom, right))
    assert dsl.corners(patch) == dsl.product((top, bottom), (left, right))
    assert dsl.shape(patch) == (bottom - top + 1, right - left + 1)


@given(patches)
def test_a_patch_and_its_delta_make_up_the_backdrop(patch: Any) -> None:
    places, rest, backdrop = dsl.toindices(patch), dsl.delta(patch), dsl.backdrop(patch)
    assert dsl.combine(places, rest) == backdrop
    assert dsl.intersection(places, rest) == OrderedSet()
    assert dsl.size(backdrop) == dsl.height(patch) * dsl.width(patch)
    assert dsl.corners(patch) <= dsl.box(patch) <= backdrop
    assert dsl.backdrop(backdrop) == backdrop


@given(patches)
def test_the_boxes_inside_and_outside_undo_each_other(patch: Any) -> None:
    assert dsl.inbox(dsl.outbox(patch)) == dsl.box(patch)
    assert dsl.shape(dsl.outbox(patch)) == dsl.add(dsl.shape(patch), 2)
    assert dsl.intersection(dsl.outbox(patch), dsl.backdrop(patch)) == OrderedSet()


@given(pairs, pairs)
def test_a_line_is_the_same_from_both_ends(a: Any, b: Any) -> None:
    line = dsl.connect(a, b)
    assert line == dsl.connect(b, a)
    down, across = abs(a[0] - b[0]), abs(a[1] - b[1])
    if down == across or not (down and across):
        assert {a, b} <= line
        assert len(line) == max(down, across) + 1
    else:
        assert line == OrderedSet()


@given(pairs, pairs)
def test_shots_and_frontiers_are_lines(start: Any, direction: Any) -> None:
    end = dsl.add(start, dsl.multiply(REACH, direction))
    assert dsl.shoot(start, direction) == dsl.connect(start, end)
    i, j = start
    assert dsl.hfrontier(start) == dsl.connect((i, 0), (i, FRONTIER - 1))
    assert dsl.vfrontier(start) == dsl.connect((0, j), (FRONTIER - 1, j))


@given(pairs)
def test_the_neighbours_are_those_beside_and_those_at_the_corners(place: Any) -> None:
    assert dsl.combine(dsl.dneighbors(place), dsl.ineighbors(place)) == dsl.neighbors(place)
    assert dsl.neighbors(place) == dsl.outbox(dsl.initset(place))
    assert all(dsl.adjacent(dsl.initset(place), dsl.initset(near)) for near in dsl.dneighbors(place))


@given(patches, patches)
def test_distance_is_symmetric_and_zero_only_where_places_are_shared(a: Any, b: Any) -> None:
    distance = dsl.manhattan(a, b)
    assert distance == dsl.manhattan(b, a)
    assert (distance == 0) is bool(dsl.intersection(dsl.toindices(a), dsl.toindices(b)))
    assert dsl.adjacent(a, b) is dsl.adjacent(b, a) is (distance == 1)
    assert dsl.hmatching(a, b) is dsl.hmatching(b, a)
    assert dsl.vmatching(a, b) is dsl.vmatching(b, a)


@given(patches, patches)
def test_the_position_is_the_sign_of_the_way_between_the_centres(a: Any, b: Any) -> None:
    way = dsl.sign(dsl.subtract(dsl.center(b), dsl.center(a)))
    if way == ORIGIN:
        assert dsl.position(a, b) == dsl.position(b, a) == (0, -1)
    else:
        assert dsl.position(a, b) == dsl.invert(dsl.position(b, a)) == way


@given(patches, patches)
def test_a_patch_falls_until_it_is_adjacent(a: Any, b: Any) -> None:
    fall = dsl.gravitate(a, b)
    assert 0 in fall
    steps = dsl.maximum((abs(fall[0]), abs(fall[1])))
    direction = dsl.sign(fall)
    assert dsl.adjacent(dsl.shift(a, fall), b) or steps == MAX_FALL
    assert not any(dsl.adjacent(dsl.shift(a, dsl.multiply(step, direction)), b) for step in range(steps))


@given(small_grids)
def test_a_repeated_grid_has_at_most_its_own_size_as_period(grid: Any) -> None:
    assert dsl.hperiod(dsl.asobject(dsl.hconcat(grid, grid))) <= dsl.width(grid)
    assert dsl.vperiod(dsl.asobject(dsl.vconcat(grid, grid))) <= dsl.height(grid)
    assert dsl.hperiod(dsl.asobject(grid)) == dsl.vperiod(dsl.asobject(dmirror(grid)))


@given(few_sets, few_sets, few_sets)
def test_sets_obey_the_laws_of_sets(a: Any, b: Any, c: Any) -> None:
    combine, both, without = dsl.combine, dsl.intersection, dsl.difference
    assert combine(a, b) == combine(b, a)
    assert both(a, b) == both(b, a)
    assert combine(a, combine(b, c)) == combine(combine(a, b), c)
    assert both(a, combine(b, c)) == combine(both(a, b), both(a, c))
    assert without(a, combine(b, c)) == both(without(a, b), without(a, c))
    assert without(a, both(b, c)) == combine(without(a, b), without(a, c))
    assert combine(without(a, b), both(a, b)) == a


@given(few_tuples, few_tuples)
def test_tuples_are_joined_and_taken_apart_in_order(a: Any, b: Any) -> None:
    assert dsl.size(dsl.combine(a, b)) == dsl.size(a) + dsl.size(b)
    assert dsl.merge((a, b)) == dsl.combine(a, b) == dsl.vconcat(a, b)
    assert dsl.difference(dsl.combine(a, b), b) == dsl.difference(a, b)
    assert OrderedSet(dsl.dedupe(a)) == OrderedSet(a)
    assert dsl.dedupe(dsl.dedupe(a)) == dsl.dedupe(a)
    assert dsl.apply(dsl.first, dsl.pair(a, b)) == a[: len(b)]


@given(few_sets)
def test_a_set_as_a_tuple_ascends(items: Any) -> None:
    order = dsl.totuple(items)
    assert order == ascending(items)
    assert OrderedSet(order) == items
    assert dsl.combine((), items) == dsl.merge((items,)) == order
    if items:
        assert (dsl.first(items), dsl.last(items)) == (order[0], order[-1])
        assert dsl.insert(order[0], dsl.remove(order[0], items)) == items
    if len(items) > 1:
        assert dsl.other(items, order[0]) == order[1]


@given(few_sets | few_tuples)
def test_merging_what_was_wrapped_gives_it_back(items: Any) -> None:
    assert dsl.merge(dsl.apply(dsl.initset, items)) == items
    assert dsl.mapply(dsl.initset, items) == items
    assert dsl.apply(dsl.identity, items) == items


@given(few_sets, few_sets)
def test_a_product_holds_every_pair(a: Any, b: Any) -> None:
    made = dsl.product(a, b)
    assert dsl.size(made) == dsl.size(a) * dsl.size(b)
    assert made == dsl.prapply(dsl.astuple, a, b)
    assert all(dsl.contained(item, made) for item in dsl.pair(a, b))
    assert dsl.papply(dsl.astuple, a, b) == dsl.pair(a, b)


@given(int_tuples | int_sets, keys)
def test_order_sorts_by_the_key(items: Any, key: Any) -> None:
    order = dsl.order(items, key)
    assert list(map(key, order)) == sorted(map(key, items))
    assert sorted(order) == sorted(items)
    assert dsl.order(order, key) == order
    if items:
        assert dsl.argmin(items, key) == order[0]
        assert dsl.valmin(items, key) == key(order[0])
        assert dsl.valmax(items, key) == key(dsl.argmax(items, key)) == key(order[-1])
        assert dsl.minimum(items) == dsl.first(dsl.order(items, dsl.identity))
        assert dsl.maximum(items) == dsl.last(dsl.order(items, dsl.identity))


@given(int_tuples | int_sets, keys)
def test_a_filter_and_its_opposite_part_the_items(items: Any, condition: Any) -> None:
    kept = dsl.sfilter(items, condition)
    dropped = dsl.sfilter(items, dsl.compose(dsl.flip, condition))
    assert sorted(dsl.combine(kept, dropped)) == sorted(items)
    assert all(map(condition, kept))
    assert not any(map(condition, dropped))
    if kept:
        assert dsl.extract(items, condition) == dsl.first(kept)
    assert dsl.mfilter(dsl.apply(dsl.initset, items), dsl.compose(condition, dsl.first)) == kept


@given(int_tuples)
def test_the_most_and_the_least_common_item_are_counted(items: Any) -> None:
    assume(items)
    counts = [items.count(item) for item in items]
    assert items.count(dsl.mostcommon(items)) == max(counts)
    assert items.count(dsl.leastcommon(items)) == min(counts)


@given(st.lists(patches, max_size=4).map(tuple), st.integers(0, 8))
def test_filters_by_size_and_colour_are_filters(found: Any, n: int) -> None:
    pool = OrderedSet(found)
    assert dsl.sizefilter(pool, n) == dsl.sfilter(pool, dsl.matcher(dsl.size, n))
    assert dsl.colorfilter(pool, n) == dsl.sfilter(pool, dsl.matcher(dsl.color, n))
    assert dsl.sizefilter(found, n) == dsl.sizefilter(pool, n)


@given(small_ints, small_ints, st.integers(1, 4))
def test_an_interval_is_mirrored_by_its_negative(start: int, stop: int, step: int) -> None:
    ahead = dsl.interval(start, stop, step)
    assert dsl.apply(dsl.invert, ahead) == dsl.interval(-start, -stop, -step)
    assert all(start <= item < stop and (item - start) % step == 0 for item in ahead)
    assert dsl.repeat(start, dsl.size(ahead)) == dsl.apply(lambda _: start, ahead)


@given(nums, nums)
def test_arithmetic_obeys_its_laws(a: Any, b: Any) -> None:
    assert dsl.add(a, b) == dsl.add(b, a)
    assert dsl.multiply(a, b) == dsl.multiply(b, a)
    assert dsl.subtract(a, b) == dsl.add(a, dsl.invert(b)) == dsl.invert(dsl.subtract(b, a))
    assert dsl.double(a) == dsl.add(a, a) == dsl.multiply(2, a)
    assert dsl.halve(a) == dsl.divide(a, 2)
    assert dsl.halve(dsl.double(a)) == dsl.decrement(dsl.increment(a)) == dsl.invert(dsl.invert(a)) == a
    assert dsl.crement(a) == dsl.add(a, dsl.sign(a))


@given(small_ints, st.integers(-4, 4).filter(bool))
def test_division_rounds_down(a: int, b: int) -> None:
    rest = dsl.subtract(a, dsl.multiply(dsl.divide(a, b), b))
    assert 0 <= rest < b or b < rest <= 0
    assert dsl.even(a) is (dsl.double(dsl.halve(a)) == a)
    assert dsl.positive(a) is dsl.greater(a, 0) is (dsl.sign(a) == 1)
    assert dsl.add(dsl.toivec(a), dsl.tojvec(b)) == dsl.astuple(a, b)


@given(few_values, few_values, flags)
def test_logic_chooses_between_its_arguments(a: Any, b: Any, flag: bool) -> None:
    assert dsl.both(a, b) is (b if a else a)
    assert dsl.either(a, b) is (a if a else b)
    assert dsl.flip(dsl.both(a, b)) is dsl.either(dsl.flip(a), dsl.flip(b))
    assert dsl.branch(flag, a, b) is dsl.branch(dsl.flip(flag), b, a)
    assert dsl.equality(a, b) is dsl.equality(b, a)
    assert dsl.contained(a, (b,)) is dsl.contained(a, dsl.initset(b)) is dsl.equality(a, b)


@given(small_ints, int_functions, int_functions, int_functions)
def test_made_functions_do_what_their_definitions_say(x: int, f: Any, g: Any, h: Any) -> None:
    assert dsl.compose(g, f)(x) == g(f(x))
    assert dsl.chain(h, g, f)(x) == h(g(f(x))) == dsl.compose(h, dsl.compose(g, f))(x)
    assert dsl.fork(dsl.astuple, f, g)(x) == (f(x), g(x))
    assert dsl.matcher(f, g(x))(x) is (f(x) == g(x))
    assert dsl.power(f, 3)(x) == dsl.chain(f, f, f)(x)
    assert dsl.rapply((f, g), x) == (f(x), g(x))


@given(small_ints, small_ints, st.sampled_from([dsl.add, dsl.subtract, dsl.multiply, dsl.astuple, dsl.greater]))
def test_a_bound_argument_stays_where_it_was(a: int, b: int, f: Any) -> None:
    assert dsl.lbind(f, a)(b) == dsl.rbind(f, b)(a) == f(a, b)
    assert dsl.lbind(dsl.lbind, f)(a)(b) == dsl.lbind(dsl.rbind, f)(b)(a) == f(a, b)
    assert dsl.papply(f, (a, b), (b, a)) == (f(a, b), f(b, a))
    assert dsl.fork(f, dsl.identity, dsl.rbind(dsl.add, b))(a) == f(a, a + b)


@given(functions, functions, small_grids)
def test_composing_ends_as_calling_one_after_the_other(outer: Any, inner: Any, grid: Any) -> None:
    composed, plain = ending(dsl.compose(outer, inner), grid), ending(lambda x: outer(inner(x)), grid)
    assert composed == plain or OverBudget in (composed, plain)


@given(int_functions, st.integers(2, POWER_LIMIT), st.integers(1, 5))
def test_powers_add_up(f: Any, n: int, x: int) -> None:
    assume(f is not dsl.double)
    assert dsl.power(f, n)(x) == f(dsl.power(f, n - 1)(x))


@given(indices, small_grids)
def test_places_become_cells_and_places_again(places: Any, grid: Any) -> None:
    inside = dsl.intersection(places, dsl.asindices(grid))
    assert dsl.toindices(dsl.toobject(places, grid)) == inside
    assert dsl.toobject(dsl.asindices(grid), grid) == dsl.asobject(grid)
