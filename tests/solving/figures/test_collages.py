import numpy as np
import pytest

from batt.runtime import Limits, evaluate_one
from batt.solving.candidates import Layer
from batt.solving.expressions import compose
from batt.solving.figures.collages import collage_candidates
from batt.solving.figures.measuring import figure_tables
from batt.solving.frame import TaskFrame
from batt.solving.work import Work
from batt.tasks import tasks_from_dict

SHAPES = (
    [[1, 0, 1], [1, 1, 1], [0, 1, 0]],
    [[1, 1, 1], [0, 1, 0], [0, 1, 0]],
    [[1, 0, 0], [1, 1, 1], [0, 0, 1]],
    [[0, 1, 0], [1, 1, 1], [0, 1, 1]],
    [[1, 1, 1], [1, 0, 1], [1, 0, 1]],
)


def crops(number):
    """Three figures, each of a colour of its own, the one with the fewest cells first."""
    made = [np.array(SHAPES[(number + at) % 5]) * ((3 * number + 2 * at) % 9 + 1) for at in range(3)]
    return sorted(made, key=lambda each: (each > 0).sum() * 10)


def placed(grids):
    grid = np.zeros((13, 9), int)
    for at, each in enumerate(grids):
        grid[1 + 4 * at : 4 + 4 * at, 1 + at * 2 : 4 + at * 2] = each
    return grid


def beside(grids):
    return np.concatenate(grids, axis=1)


def below(grids):
    return np.concatenate(grids)


def apart(grids):
    wide = [part for each in grids for part in (np.full((3, 1), 5), each)]
    return np.concatenate(wide[1:], axis=1)


def below_apart(grids):
    return apart([each.T for each in grids]).T


def overlaid(grids):
    made = np.zeros((3, 3), int)
    for each in grids:
        made = np.where(each, each, made)
    return made


@pytest.mark.parametrize("function", [beside, below, apart, below_apart, overlaid])
def test_crops_of_figures_are_put_together_in_an_order(function):
    pairs = [
        {"input": placed(crops(number)).tolist(), "output": function(crops(number)).tolist()} for number in range(5)
    ]
    task = tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]
    frame, work, expected = TaskFrame(task), Work(10**9), task.test[0].output
    found = list(collage_candidates(figure_tables(frame.input, frame, work), frame, work))
    right = next(each for each in found if each.outputs == (expected,))
    assert right.layer is Layer.COLLAGE
    for sample, output in zip(frame.samples(), [*frame.outputs, expected], strict=True):
        assert evaluate_one(compose(right.expression), sample, Limits()).value == output


def test_outputs_of_another_size_than_all_crops_together_are_no_collage():
    pairs = [{"input": placed(crops(number)).tolist(), "output": [[1, 2], [3, 4]]} for number in range(3)]
    frame, work = TaskFrame(tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]), Work(10**9)
    assert list(collage_candidates(figure_tables(frame.input, frame, work), frame, work)) == []


def test_the_surroundings_of_figures_are_laid_on_one_another():
    pairs = []
    for number in range(4):
        around = np.zeros((2, 3, 3), int)
        around[:, 1, 1] = 5
        around[0, 0, number % 3] = number + 1
        around[1, 2, (2 * number) % 3] = 9 - number
        grid = np.zeros((8, 8), int)
        grid[1 + number % 2 : 4 + number % 2, :3], grid[3:6, 5:] = around
        pairs.append({"input": grid.tolist(), "output": overlaid(around).tolist()})
    task = tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]
    frame, work = TaskFrame(task), Work(10**9)
    found = list(collage_candidates(figure_tables(frame.input, frame, work), frame, work))
    assert (task.test[0].output,) in [each.outputs for each in found]
