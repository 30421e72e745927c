import numpy as np

from batt.runtime import Limits, evaluate_one
from batt.solving.expressions import INPUT, call, compose
from batt.solving.frame import GridState, TaskFrame
from batt.solving.states.combining import joined_states
from batt.tasks import tasks_from_dict

GRIDS = ([[1, 0], [0, 0]], [[0, 3], [0, 0]], [[0, 0], [4, 0]])


def frame_of(function):
    pairs = [{"input": grid, "output": function(np.array(grid)).tolist()} for grid in GRIDS]
    return TaskFrame(tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"])


def turned(frame):
    return GridState(call("rot180", INPUT), tuple([value[::-1, ::-1] for value in frame.input.values]), 1)


def expect_reproduced(candidate, frame, expected):
    assert candidate.outputs == (expected,)
    sample = frame.samples()[-1]
    assert evaluate_one(compose(candidate.expression), sample, Limits()).value == expected


def test_states_are_put_side_by_side_and_on_top_of_each_other():
    frame = frame_of(lambda grid: np.concatenate([grid, grid[::-1, ::-1]], axis=1))
    expect_reproduced(next(joined_states([frame.input, turned(frame)], frame)), frame, ((0, 0, 0, 4), (4, 0, 0, 0)))
    frame = frame_of(lambda grid: np.concatenate([grid[::-1, ::-1], grid]))
    expect_reproduced(next(joined_states([frame.input, turned(frame)], frame)), frame, ((0, 4), (0, 0), (0, 0), (4, 0)))
