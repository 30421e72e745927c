import numpy as np

from batt.runtime import Limits, Sample, Split, Status, evaluate_one
from batt.solving.cells import CellRelation, CellTest, cell_deck, cell_states, features_of, joined
from batt.solving.expressions import compose
from batt.solving.frame import TaskFrame
from batt.solving.running import PreparedFunctions
from batt.solving.work import Work

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
    assert own == sorted(set(joined(frame.input).tolist()))
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
