import numpy as np
import pytest

from batt.runtime import Limits, evaluate_one
from batt.solving.cells.counting import InputCount, input_counts
from batt.solving.cells.sizes import predict_size, unscaled_size
from batt.solving.expressions import INPUT, call, compose, count_steps
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.work import Work
from batt.tasks import Pair, Task, tasks_from_dict

INPUTS = ((2, 3), (4, 2), (3, 5))


def frame_of(size):
    pairs = [{"input": np.ones(each, int).tolist(), "output": np.ones(size(*each), int).tolist()} for each in INPUTS]
    return TaskFrame(tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"])


@pytest.mark.parametrize(
    "size",
    [
        lambda h, w: (h, w),
        lambda h, w: (3, 3),
        lambda h, w: (w, h),
        lambda h, w: (2 * h, 3 * w),
        lambda h, w: (h // 2, w),
        lambda h, w: (h + 2, 2 * w - 1),
        lambda h, w: (1, h),
    ],
)
def test_a_rule_gives_the_size_and_a_program_of_it(size):
    frame = frame_of(size)
    found = predict_size(frame)
    assert found.sizes == tuple([size(*each) for each in INPUTS])
    program = compose(call("identity", found.expression))
    values = [evaluate_one(program, sample, Limits()).value for sample in frame.samples()]
    assert values == list(found.sizes)


def test_a_state_gives_a_size_that_no_rule_gives():
    frame = frame_of(lambda h, w: {2: (1, 7), 4: (5, 2), 3: (3, 9)}[h])
    assert predict_size(frame) is None
    values = tuple([np.zeros(size, np.uint8) for size in ((1, 7), (5, 2), (4, 9))])
    found = predict_size(frame, [GridState(call("rot90", INPUT), values, 1)])
    assert found.sizes == ((1, 7), (5, 2), (4, 9))


def test_a_rule_that_gives_no_size_for_a_test_input_does_not_hold():
    pairs = [{"input": [[1] * 5], "output": [[1]]}, {"input": [[1] * 6], "output": [[1] * 2]}]
    task = tasks_from_dict({"t": {"train": pairs, "test": [{"input": [[1] * 3], "output": [[1]]}]}})["t"]
    assert predict_size(TaskFrame(task)) is None


def counted_frame(sizes):
    """Inputs of one size with 3, 5 and 4 dots."""
    inputs = [[[1 if column < 2 * dots and column % 2 else 0 for column in range(12)]] for dots in (3, 5, 4)]
    pairs = [{"input": grid, "output": [[2] * size[1]] * size[0]} for grid, size in zip(inputs, sizes, strict=True)]
    return TaskFrame(tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"])


@pytest.mark.parametrize("sizes", [((3, 3), (5, 5), (4, 4)), ((1, 7), (1, 11), (1, 9))])
def test_counts_of_the_input_are_sides_of_the_output(sizes):
    frame = counted_frame(sizes)
    found = predict_size(frame, (), input_counts(frame, Work(10**9)))
    assert found.sizes == sizes
    program = compose(call("identity", found.expression))
    assert [evaluate_one(program, sample, Limits()).value for sample in frame.samples()] == list(sizes)


def test_a_count_comes_before_a_division_with_a_remainder():
    rough = frame_of(lambda h, w: {2: (1, 1), 4: (2, 1), 3: (1, 1)}[h])
    assert predict_size(rough, (), [InputCount(call("numcolors", INPUT), (1, 2, 7))]).sizes[2] == (7, 1)


def test_a_count_times_a_side_of_the_input_is_a_side_of_the_output():
    frame = frame_of(lambda h, w: (h, w * {2: 3, 4: 1, 3: 2}[h]))
    found = predict_size(frame, (), [InputCount(call("numcolors", INPUT), (3, 1, 2))])
    assert found.sizes == ((2, 9), (4, 2), (3, 10))
    assert count_steps(found.expression) > 4


def test_outputs_of_equal_blocks_have_the_size_of_their_blocks():
    grids = (((1, 2), (2, 3)), ((4, 4, 5), (5, 4, 4), (1, 1, 2)), ((7, 8), (8, 8)))
    pairs = [Pair(grid, as_grid(np.kron(np.array(grid), np.ones((3, 3), np.uint8)))) for grid in grids]
    frame = TaskFrame(Task("t", tuple(pairs[:-1]), (Pair(grids[-1], None),)))
    size = predict_size(frame)
    found = unscaled_size(frame, size)
    assert found.sizes == ((2, 2), (3, 3), (2, 2))
    assert unscaled_size(TaskFrame(Task("t", tuple([Pair(grid, grid) for grid in grids]), ())), found) is None
