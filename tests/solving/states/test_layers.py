import numpy as np

from batt.runtime import Limits, evaluate_one
from batt.solving.candidates import Layer
from batt.solving.expressions import INPUT, call, compose
from batt.solving.frame import GridState, TaskFrame
from batt.solving.states.layers import LayerPool, count_bits, layered_images, near_images, packed, pooled
from batt.solving.views import views_of
from batt.solving.work import Work
from batt.tasks import tasks_from_dict

GRIDS = (
    [[1, 0, 0, 2], [0, 0, 2, 0], [3, 0, 0, 1]],
    [[0, 3, 0, 0], [0, 4, 1, 0], [0, 0, 5, 0]],
    [[0, 0, 5, 1], [0, 6, 0, 0], [2, 0, 0, 0]],
    [[0, 0, 7, 0], [8, 9, 0, 0], [0, 4, 0, 1]],
)


def frame_of(function):
    pairs = [{"input": grid, "output": function(np.array(grid)).tolist()} for grid in GRIDS]
    return TaskFrame(tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"])


def states_of(frame):
    """The input, and its half turn, mirror image and erased form."""
    inputs = frame.input.values
    return [
        frame.input,
        GridState(call("rot180", INPUT), tuple([value[::-1, ::-1] for value in inputs]), 1),
        GridState(call("vmirror", INPUT), tuple([value[:, ::-1] for value in inputs]), 1),
        GridState(call("canvas", 0, call("shape", INPUT)), tuple([value * 0 for value in inputs]), 2),
    ]


def layered(frame, states=None):
    pool = pooled(
        frame, next(views_of(frame)), None, states or states_of(frame), [value.shape for value in frame.input.values]
    )
    return layered_images(pool, frame, Work(10**12))


def expect_reproduced(candidate, frame, function):
    expected = tuple(map(tuple, function(np.array(GRIDS[-1])).tolist()))
    assert candidate.outputs == (expected,)
    assert evaluate_one(compose(candidate.expression), frame.samples()[-1], Limits()).value == expected


def test_a_single_image_that_fits_is_found_first():
    frame = frame_of(lambda grid: grid[:, ::-1])
    found = layered(frame)
    assert found[0].layer is Layer.FAMILY
    assert found[0].held_out
    expect_reproduced(found[0], frame, lambda grid: grid[:, ::-1])


def test_cells_that_are_not_black_are_laid_on_another_image():
    def function(grid):
        turned = grid[::-1, ::-1]
        return np.where(turned != 0, turned, grid)

    frame = frame_of(function)
    found = layered(frame)[0]
    assert (found.layer, found.held_out) == (Layer.STACK, True)
    expect_reproduced(found, frame, function)


def test_black_cells_of_an_image_erase():
    def function(grid):
        return np.where(grid[:, ::-1] == 0, 0, grid)

    frame = frame_of(function)
    expect_reproduced(layered(frame, states_of(frame)[:3])[0], frame, function)


def test_nothing_is_found_where_every_image_is_wrong_in_a_cell():
    frame = frame_of(lambda grid: (grid + 1) % 10)
    assert layered(frame) == []
    cells = np.array([[1, 2, 3], [0, 2, 0]], np.uint8)
    assert LayerPool(cells, np.array([4, 5, 6], np.uint8), [1, 1], Work(10**12)).is_hopeless(4)


def test_an_answer_that_one_demonstration_alone_decides_is_not_held_out():
    frame = frame_of(lambda grid: grid * 0 if grid[1, 1] == 6 else grid)
    assert not any(candidate.held_out for candidate in layered(frame))


def test_an_output_with_a_colour_that_every_output_lost_comes_last():
    def without_five(grid):
        return np.where(grid == 5, 0, grid)

    pairs = [{"input": [[5, at, 0]], "output": [[0, at, 0]]} for at in (1, 2)]
    frame = TaskFrame(tasks_from_dict({"t": {"train": pairs, "test": [{"input": [[5, 5, 1]]}]}})["t"])
    inputs = frame.input.values
    wrong = (*map(without_five, inputs[:2]), inputs[2])
    states = [GridState(INPUT, wrong, 1), GridState(INPUT, tuple(map(without_five, inputs)), 2)]
    pool = pooled(frame, next(views_of(frame)), None, states, [value.shape for value in inputs])
    found = layered_images(pool, frame, Work(10**12))
    assert [each.outputs[0] for each in found] == [((0, 0, 1),), ((5, 5, 1),)]


def test_near_images_are_the_shortest_and_the_nearest():
    frame = frame_of(lambda grid: grid * 0)
    pool = pooled(frame, next(views_of(frame)), None, states_of(frame), [value.shape for value in frame.input.values])
    assert [state.steps for state in near_images(pool, frame, 2)] == [0, 2]


def test_bits_are_packed_and_counted():
    rows = np.arange(3 * 100).reshape(3, 100) % 7 == 0
    assert count_bits(packed(rows)).tolist() == rows.sum(axis=1).tolist()
