import numpy as np

from batt.runtime import Limits, evaluate_one
from batt.solving.candidates import Layer
from batt.solving.expressions import compose
from batt.solving.figures.measuring import figure_tables
from batt.solving.figures.tiles import tiled_candidates
from batt.solving.frame import TaskFrame
from batt.solving.work import Work
from batt.tasks import tasks_from_dict

CORNERS = ([[1, 1], [1, 0]], [[1, 1], [0, 1]], [[1, 0], [1, 1]], [[0, 1], [1, 1]])


def pair_of(number):
    """Four corners of four colours in changing places, and the square that they are corners of."""
    parts = [np.array(corner) * ((number + 2 * at) % 9 + 1) for at, corner in enumerate(CORNERS)]
    grid = np.zeros((10, 10), int)
    for at, part in enumerate(parts):
        place = (at * 3 + number) % 4
        top, left = 1 + 5 * (place // 2), 1 + 4 * (place % 2) + number % 3
        grid[top : top + 2, left : left + 2] = part
    output = np.block([parts[:2], parts[2:]])
    return {"input": grid.tolist(), "output": output.tolist()}


def test_each_tile_of_the_output_is_the_crop_of_a_figure_that_a_test_picks():
    pairs = [pair_of(number) for number in range(4)]
    task = tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]
    frame, work, expected = TaskFrame(task), Work(10**9), task.test[0].output
    found = list(tiled_candidates(list(figure_tables(frame.input, frame, work)), frame, work))
    right = next(each for each in found if each.outputs == (expected,))
    assert (right.layer, right.held_out) == (Layer.COLLAGE, True)
    for sample, output in zip(frame.samples(), [*frame.outputs, expected], strict=True):
        assert evaluate_one(compose(right.expression), sample, Limits()).value == output


def test_tiles_of_few_cells_are_not_picked():
    pairs = [{"input": pair_of(number)["input"], "output": [[1, 2]]} for number in range(3)]
    frame, work = TaskFrame(tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]), Work(10**9)
    assert list(tiled_candidates(list(figure_tables(frame.input, frame, work)), frame, work)) == []
