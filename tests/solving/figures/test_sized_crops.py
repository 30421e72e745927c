import numpy as np
import pytest

from batt.runtime import Limits, evaluate_one
from batt.solving.cells.sizes import predict_size
from batt.solving.expressions import compose
from batt.solving.figures.measuring import figure_tables
from batt.solving.figures.sized_crops import MOST_SIZED, cropped_states
from batt.solving.frame import TaskFrame, as_grid
from batt.solving.work import Work
from batt.tasks import tasks_from_dict
from figure_grids import GRIDS, largest


def test_crops_of_the_outputs_size_are_states():
    pairs = [{"input": grid, "output": (largest(grid) + 1).tolist()} for grid in GRIDS]
    frame, work = TaskFrame(tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]), Work(10**9)
    found = cropped_states(figure_tables(frame.input, frame, work), frame, work)
    assert any(np.array_equal(state.values[-1], largest(GRIDS[-1])) for state in found)
    assert all(frame.has_target_shape(state) for state in found)


def placed(number):
    """A grid with a figure of 2 rows and columns, and one of a cell."""
    grid = np.zeros((5, 6), int)
    grid[1:3, number : number + 2] = [[number + 1] * 2, [0, number + 1]]
    grid[4, 5] = 7
    return grid


def scaled(crop):
    return np.kron(crop, np.full((2, 2), 1))


def repeated(crop):
    return np.tile(crop, (2, 3))


def mirrored(crop):
    return np.concatenate([crop, crop[:, ::-1], crop], axis=1)


@pytest.mark.parametrize("function", [scaled, repeated, mirrored])
def test_crops_that_can_be_scaled_or_repeated_to_the_outputs_are_states(function):
    grids = [placed(number) for number in range(3)]
    outputs = [function(grid[1:3, number : number + 2]) for number, grid in enumerate(grids)]
    pairs = [{"input": grid.tolist(), "output": each.tolist()} for grid, each in zip(grids, outputs, strict=True)]
    frame, work = TaskFrame(tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]), Work(10**9)
    found = cropped_states(figure_tables(frame.input, frame, work), frame, work, predict_size(frame))
    right = next(state for state in found if all(map(np.array_equal, state.values, outputs)))
    for sample, value in zip(frame.samples(), right.values, strict=True):
        assert evaluate_one(compose(right.expression), sample, Limits()).value == as_grid(value)


def test_the_nearest_crops_are_states_where_many_have_the_outputs_size():
    grids = []
    for number in range(3):
        grid = np.zeros((11, 23), int)
        for at in range(18):
            row, column = at % 3 * 4, at // 3 * 4
            grid[row : row + 3, column : column + 3] = at % 8 + 1
            grid[row, column + at % 2] = 0
        grid[8:11, 4 * number] = [9, 8, 9]
        grids.append(grid)
    pairs = [
        {"input": grid.tolist(), "output": grid[8:11, 4 * at : 4 * at + 3].tolist()} for at, grid in enumerate(grids)
    ]
    frame, work = TaskFrame(tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]), Work(10**9)
    found = cropped_states(figure_tables(frame.input, frame, work), frame, work)
    assert len(found) <= 2 * MOST_SIZED
    assert any(all(map(np.array_equal, state.values, frame.targets)) for state in found)
