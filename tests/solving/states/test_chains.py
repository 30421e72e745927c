from batt.runtime import Limits, evaluate_one
from batt.solving.expressions import compose
from batt.solving.frame import TaskFrame
from batt.solving.states.chains import ChainMaker, first_steps
from batt.solving.states.states import StateMakers
from batt.solving.work import Work
from batt.tasks import tasks_from_dict

GRIDS = ([[1, 0, 2], [0, 3, 0]], [[2, 2, 0], [1, 0, 0]], [[0, 1, 1], [2, 0, 4]])


def beside_the_turned(grid):
    turned = [list(row) for row in zip(*grid[::-1], strict=True)]
    return [row + row[::-1] for row in turned]


def test_a_function_is_applied_to_what_another_made(small_library):
    pairs = [{"input": grid, "output": beside_the_turned(grid)} for grid in GRIDS]
    frame = TaskFrame(tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"])
    work = Work(10**9)
    states = StateMakers(small_library).states(frame, work)
    assert states.candidates == []
    found = list(ChainMaker(small_library).chains(first_steps(states.states, frame), frame, work, 1.0))
    expected = tuple(map(tuple, beside_the_turned(GRIDS[-1])))
    assert (expected,) in [each.outputs for each in found]
    best = next(each for each in found if each.outputs == (expected,))
    assert evaluate_one(compose(best.expression), frame.samples()[-1], Limits()).value == expected


def test_states_of_two_steps_have_the_size_of_the_outputs_the_nearest_first(small_library):
    pairs = [{"input": grid, "output": beside_the_turned(grid)} for grid in GRIDS]
    frame = TaskFrame(tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"])
    work = Work(10**9)
    states = StateMakers(small_library).states(frame, work)
    second = ChainMaker(small_library).second_states(first_steps(states.states, frame), frame, work)
    assert second[0].values[-1].tolist() == beside_the_turned(GRIDS[-1])
    assert all(frame.has_target_shape(state) for state in second)
    assert evaluate_one(compose(second[0].expression), frame.samples()[-1], Limits()).value == tuple(
        map(tuple, beside_the_turned(GRIDS[-1]))
    )
