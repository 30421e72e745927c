import pytest

from batt.runtime import Limits, evaluate_one
from batt.solving.cells.placing import placed_inputs
from batt.solving.cells.sizes import OutputSize
from batt.solving.expressions import call, compose
from batt.solving.frame import TaskFrame, as_grid
from batt.solving.work import Work
from batt.tasks import Pair, Task

GRIDS = (((3, 3, 4), (5, 3, 6)), ((7, 7), (7, 8), (1, 7), (2, 7)), ((5, 5, 5), (5, 1, 2), (3, 4, 5)))


@pytest.fixture(scope="module")
def frame():
    pairs = [Pair(grid, grid) for grid in GRIDS]
    return TaskFrame(Task("t", tuple(pairs[:-1]), (Pair(GRIDS[-1], None),)))


@pytest.mark.parametrize("size", [(5, 6), (1, 2), (6, 1)])
def test_inputs_are_placed_cut_and_scaled_as_their_programs_do(frame, size):
    found = placed_inputs(frame, OutputSize(call("astuple", *size), (size,) * 3), Work(10**9))
    assert len({state.key for state in found}) == len(found)
    for state in found:
        for sample, value in zip(frame.samples(), state.values, strict=True):
            assert evaluate_one(compose(state.expression), sample, Limits()).value == as_grid(value)


def test_the_last_corner_of_an_input_is_shown(frame):
    found = placed_inputs(frame, OutputSize(call("astuple", 1, 2), ((1, 2),) * 3), Work(10**9))
    expected = [[[3, 6]], [[2, 7]], [[4, 5]]]
    assert any([value.tolist() for value in state.values] == expected for state in found)
