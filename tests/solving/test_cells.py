import numpy as np

from batt.runtime import Limits, Sample, Split, Status, evaluate_one
from batt.solving.cells import CellTest, cell_deck, cell_states, constant_states, features_of, joined
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


def test_the_expressions_of_tests_give_the_places_where_they_hold(easy_tasks):
    frame = TaskFrame(easy_tasks["greened"])
    sources, marks = cell_states(frame.input, frame, Work(10**9))
    features = features_of(sources, marks, [], constant_states(frame.input, [3]), frame.train)
    sample = frame.samples()[0]
    for number in range(0, len(features.tests), 25):
        places = evaluate_one(compose(features.tests[number].places), sample, Limits()).value
        mask = features.masks[number][features.cells([0])].reshape(features.shapes[0])
        assert set(places) == set(zip(*np.nonzero(mask), strict=True))


def test_tests_that_split_cells_alike_are_one(easy_tasks):
    frame = TaskFrame(easy_tasks["greened"])
    features = features_of([frame.input, frame.input], [], [frame.input], [], frame.train)
    assert [test.value for test in features.tests] == sorted(set(joined(frame.input).tolist()))
    assert all(isinstance(test, CellTest) for test in features.tests)
