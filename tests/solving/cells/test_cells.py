import numpy as np

from batt.runtime import Limits, Sample, Split, Status, evaluate_one
from batt.solving.cells.cells import (
    CellRelation,
    CellTest,
    cell_deck,
    cell_states,
    colour_deck,
    colour_marks,
    colour_roles,
    features_of,
    marked_colours,
    role_states,
)
from batt.solving.expressions import INPUT, compose
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.running import PreparedFunctions
from batt.solving.work import Work
from batt.tasks import Pair, Task

GRID = ((0, 0, 3, 0), (2, 0, 0, 0), (0, 0, 0, 4), (0, 0, 0, 0))


def value_of(name, grid=GRID):
    outcome = evaluate_one(cell_deck()[name].program, Sample("t", Split.TRAIN, 0, (), grid, None), Limits())
    assert outcome.status is Status.OK
    return outcome.value


def test_a_ray_is_the_first_colour_that_is_met():
    assert value_of("solve_source_ray_right") == ((0, 0, 0, 3), (0, 2, 2, 2), (0, 0, 0, 0), (0, 0, 0, 0))
    assert value_of("solve_source_ray_up") == ((2, 0, 0, 4), (0, 0, 0, 4), (0, 0, 0, 0), (0, 0, 0, 0))


def test_every_feature_is_a_grid_of_the_inputs_size(easy_tasks):
    frame = TaskFrame(easy_tasks["greened"])
    made = PreparedFunctions([solver.program for solver in cell_deck()]).run(frame.samples())
    assert [solver.name for solver, ok in zip(cell_deck(), made.is_grid.all(axis=1), strict=True) if not ok] == []


def test_tests_that_split_cells_alike_are_one(easy_tasks):
    frame = TaskFrame(easy_tasks["greened"])
    features = features_of([frame.input, frame.input], [], [frame.input], [], frame.train)
    own = [test.value for test in features.tests if not test.is_near]
    assert own == sorted(set(frame.input.cells.tolist()))
    assert all(isinstance(test, CellTest) for test in features.tests)


def test_every_kind_of_test_gives_the_places_where_it_holds(easy_tasks):
    frame = TaskFrame(easy_tasks["greened"])
    sources, marks = cell_states(frame.input, frame, Work(10**9))
    features = features_of(sources, marks, [], [], frame.train)
    kinds = {(test.relation, test.is_near): at for at, test in enumerate(features.tests)}
    assert {relation for relation, _ in kinds} == set(CellRelation)
    assert {is_near for _, is_near in kinds} == {False, True}
    for number in kinds.values():
        for sample in range(frame.size):
            places = evaluate_one(compose(features.tests[number].places), frame.samples()[sample], Limits()).value
            mask = features.masks[number][features.cells([sample])].reshape(features.shapes[sample])
            # Neighbours may lie outside the grid, where nothing is painted.
            assert set(places) & set(np.ndindex(mask.shape)) == set(zip(*np.nonzero(mask), strict=True))


def test_a_distance_is_counted_to_the_next_figure():
    assert value_of("solve_mark_distance_right") == ((0, 0, 0, 1), (0, 1, 2, 3), (0, 0, 0, 0), (0, 0, 0, 0))
    assert value_of("solve_mark_distance_up") == ((1, 0, 0, 2), (0, 0, 0, 1), (0, 0, 0, 0), (0, 0, 0, 0))


def test_neighbours_are_counted():
    assert value_of("solve_mark_around_8") == ((1, 2, 0, 1), (0, 2, 2, 2), (1, 1, 1, 0), (0, 0, 1, 1))
    assert value_of("solve_mark_around_4") == ((1, 1, 0, 1), (0, 1, 1, 1), (1, 0, 1, 0), (0, 0, 0, 1))


def test_cells_know_their_place_in_a_figure():
    grid = ((5, 5, 5, 0), (5, 0, 5, 0), (5, 5, 5, 0), (0, 0, 0, 0))
    assert value_of("solve_mark_rows_within_of_one_colour", grid)[2] == (3, 3, 3, 0)
    assert value_of("solve_mark_halves_across_of_one_colour", grid)[0] == (1, 2, 3, 0)
    assert value_of("solve_mark_hole_count_of_one_colour_8", grid)[0] == (2, 2, 2, 0)
    assert value_of("solve_mark_inside_4", grid) == ((0, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))


def test_cells_know_their_panel():
    grid = ((1, 8, 0), (0, 8, 3), (8, 8, 8), (0, 8, 2))
    assert value_of("solve_source_panel_main", grid) == ((1, 8, 3), (1, 8, 3), (8, 8, 8), (0, 8, 2))
    assert value_of("solve_mark_place_leftmost_of_panels", grid) == ((1, 0, 3), (1, 0, 3), (0, 0, 0), (1, 0, 3))


def test_edges_are_spread_over_the_grid():
    assert value_of("solve_source_edge_left") == ((0,) * 4, (2,) * 4, (0,) * 4, (0,) * 4)
    assert value_of("solve_source_edge_right")[2] == (4,) * 4
    assert value_of("solve_source_edge_top")[3] == (0, 0, 3, 0)
    assert value_of("solve_source_edge_bottom") == ((0,) * 4,) * 4


def colour_value(name, colour, grid=GRID):
    outcome = evaluate_one(colour_deck()[name].program, Sample("t", Split.TRAIN, 0, colour, grid, None), Limits())
    assert outcome.status is Status.OK
    return outcome.value


def test_cells_know_what_they_have_to_do_with_a_colour():
    grid = ((3, 3, 3, 0), (3, 0, 3, 2), (3, 3, 3, 2), (0, 0, 0, 0))
    assert colour_value("solve_mark_enclosed", 3, grid) == ((0,) * 4, (0, 1, 0, 0), (0,) * 4, (0,) * 4)
    assert colour_value("solve_mark_touches", 2, grid) == ((1,) * 4, (1, 0, 1, 1), (1, 1, 1, 1), (1,) * 4)
    assert colour_value("solve_mark_count_in_figure", 2, grid)[1] == (0, 0, 0, 2)
    assert colour_value("solve_mark_right", 3) == ((0, 0, 0, 1), (0,) * 4, (0,) * 4, (0,) * 4)
    assert colour_value("solve_mark_in_row", 2) == ((0,) * 4, (1,) * 4, (0,) * 4, (0,) * 4)
    assert colour_value("solve_mark_columns_off", 2, grid)[0] == (1, 2, 3, 0)
    assert colour_value("solve_mark_rows_off", 2, grid) == ((3,) * 4, (0,) * 4, (1,) * 4, (2,) * 4)


def test_every_mark_of_a_colour_is_a_program_of_the_inputs_size(easy_tasks):
    frame = TaskFrame(easy_tasks["greened"])
    marks = colour_marks(frame.input, frame, Work(10**9))
    colours = marked_colours(frame.input, frame.train)
    assert len(marks) == len(colours) * len(colour_deck())
    for mark in marks:
        for sample, value in zip(frame.samples(), mark.values, strict=True):
            assert evaluate_one(compose(mark.expression), sample, Limits()).value == as_grid(value)


def test_cells_are_compared_with_the_colours_of_most_demonstrations_first():
    values = [np.array(grid, np.uint8) for grid in (((0, 1), (1, 2)), ((0, 1), (0, 3)), ((4, 4), (4, 4)))]
    assert marked_colours(GridState(INPUT, tuple(values), 0), 2) == [0, 1, 2, 3]


def test_cells_know_their_place_in_other_panels():
    grid = ((1, 8, 0), (0, 8, 3), (8, 8, 8), (0, 8, 0), (0, 8, 2))
    first = ((1, 8, 1), (0, 8, 0), (8, 8, 8), (1, 8, 1), (0, 8, 0))
    assert value_of("solve_source_panel_first", grid) == first
    assert value_of("solve_source_panel_left", grid) == ((1, 8, 1), (0, 8, 0), (8, 8, 8), (0, 8, 0), (0, 8, 0))
    assert value_of("solve_source_panel_below", grid)[:2] == ((0, 8, 0), (0, 8, 2))
    assert value_of("solve_source_panel_least_drawn", grid) == ((0, 8, 0), (0, 8, 0), (8, 8, 8), (0, 8, 0), (0, 8, 0))
    together = value_of("solve_source_panels_together", grid)
    assert (together[0], together[3]) == ((1, 8, 1), (1, 8, 1))


def test_cells_know_their_mirrored_place_in_a_figure():
    grid = ((2, 2, 0, 0), (2, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 3))
    assert value_of("solve_source_figures_vmirror", grid) == ((2, 2, 0, 0), (0, 2, 0, 0), (0,) * 4, (0, 0, 0, 3))
    assert value_of("solve_source_drawn_rot180", grid) == ((3, 0, 0, 0), (0,) * 4, (0, 0, 0, 2), (0, 0, 2, 2))


def test_cells_know_how_far_a_colour_is():
    assert colour_value("solve_mark_rings", 2) == ((1, 1, 2, 3), (0, 1, 2, 3), (1, 1, 2, 3), (2, 2, 2, 3))
    assert colour_value("solve_mark_steps", 2)[3] == (2, 3, 4, 5)
    assert colour_value("solve_mark_below_all", 2) == ((0,) * 4, (0,) * 4, (1,) * 4, (1,) * 4)
    assert colour_value("solve_mark_even_columns_off", 3)[0] == (1, 0, 1, 0)


def test_colours_by_role_are_those_that_differ_between_inputs():
    grids = [((0, 0, 0), (0, one, one), (0, 0, two)) for one, two in ((1, 2), (3, 4), (5, 6))]
    pairs = [Pair(grid, grid) for grid in grids]
    frame, work = TaskFrame(Task("roles", tuple(pairs[:2]), tuple(pairs[2:]))), Work(10**9)
    roles = colour_roles(frame, work)
    assert [role.colours for role in roles] == [(2, 4, 6), (1, 3, 5)]
    for role, state in zip(roles, role_states(frame.input, roles), strict=True):
        for sample, colour in zip(frame.samples(), role.colours, strict=True):
            assert evaluate_one(compose(state.expression), sample, Limits()).value == ((colour,) * 3,) * 3
    marks = colour_marks(frame.input, frame, work, roles)
    rarest = [each for each in marks if each.expression.args[0] is roles[0].argument]
    assert len(rarest) == len(colour_deck())
    for mark in rarest:
        for sample, value in zip(frame.samples(), mark.values, strict=True):
            assert evaluate_one(compose(mark.expression), sample, Limits()).value == as_grid(value)


def test_cells_know_the_colour_that_a_key_pairs_with_theirs():
    grid = ((1, 4, 0, 0), (0, 0, 0, 0), (0, 1, 1, 0), (0, 0, 0, 2))
    assert value_of("solve_source_key", grid) == ((4, 1, 0, 0), (0, 0, 0, 0), (0, 4, 4, 0), (0, 0, 0, 1))
    assert value_of("solve_source_key_right", grid) == ((4, 4, 0, 0), (0, 0, 0, 0), (0, 4, 4, 0), (0, 0, 0, 2))
    assert value_of("solve_source_key_left", grid) == ((1, 1, 0, 0), (0, 0, 0, 0), (0, 1, 1, 0), (0, 0, 0, 2))


def test_lines_come_again_after_the_least_period():
    grid = ((1, 2, 3, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0))
    assert value_of("solve_source_periodic_across", grid) == ((1, 2, 3, 1, 2, 3, 1),) * 3
    assert value_of("solve_source_periodic_down", grid) == grid
    assert value_of("solve_mark_columns_by_three", grid)[0] == (0, 1, 2, 0, 1, 2, 0)


def test_panels_are_as_large_as_cells_of_one():
    grid = ((1, 8, 3, 4), (0, 8, 0, 5), (8, 8, 8, 8), (0, 8, 2, 2), (0, 8, 2, 2))
    expected = ((3, 8, 4, 4), (3, 8, 4, 4), (8, 8, 8, 8), (0, 8, 5, 5), (0, 8, 5, 5))
    assert value_of("solve_source_expanded_most_colours", grid) == expected
