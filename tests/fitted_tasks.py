"""Tasks whose outputs are made of their inputs by a function, for tests of what is fitted to the outputs' size."""

import numpy as np

from batt.runtime import Limits, evaluate_one
from batt.solving.cells.sizes import predict_size
from batt.solving.expressions import compose
from batt.solving.frame import TaskFrame, as_grid
from batt.tasks import Pair, Task

GRIDS = (((3, 0, 4), (5, 3, 0)), ((7, 0), (7, 8), (1, 7)), ((5, 5, 5), (5, 1, 2), (3, 4, 5)))


def frame_of(function):
    pairs = [Pair(grid, as_grid(function(np.array(grid, np.uint8)))) for grid in GRIDS]
    return TaskFrame(Task("t", tuple(pairs[:-1]), (Pair(GRIDS[-1], None),)))


def size_of(frame):
    found = predict_size(frame)
    assert found is not None
    return found


def is_made_by_its_program(state, frame):
    made = [evaluate_one(compose(state.expression), sample, Limits()).value for sample in frame.samples()]
    return made == [as_grid(value) for value in state.values]


def repeated(grid):
    return np.tile(grid, (2, 3))
