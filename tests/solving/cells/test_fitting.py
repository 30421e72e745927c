"""Fitting states to the size of outputs: scaled or repeated, and made by their programs."""

import numpy as np
import pytest

from batt.runtime import Limits, evaluate_one
from batt.solving.cells.fitting import FITS, fitted_states
from batt.solving.cells.sizes import OutputSize
from batt.solving.expressions import INPUT, call, compose
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.work import Work
from batt.tasks import Pair, Task
from fitted_tasks import frame_of, is_made_by_its_program, repeated, size_of


def scaled(grid):
    return np.repeat(np.repeat(grid, 2, axis=0), 2, axis=1)


def mirrored(grid):
    row = np.concatenate([grid, grid[:, ::-1]], axis=1)
    return np.concatenate([row, row[::-1], row])


@pytest.mark.parametrize("function", [scaled, repeated, mirrored])
def test_inputs_are_scaled_and_repeated_to_the_size_of_outputs(function):
    frame = frame_of(function)
    found = fitted_states([frame.input], frame, size_of(frame), Work(10**9))
    expected = [function(value).tolist() for value in frame.input.values]
    assert expected in [[value.tolist() for value in state.values] for state in found]
    assert all(is_made_by_its_program(state, frame) for state in found)


def test_states_that_are_no_parts_of_outputs_are_not_fitted():
    frame = frame_of(lambda grid: np.pad(grid, ((0, 1), (0, 2))))
    assert fitted_states([frame.input], frame, size_of(frame), Work(10**9)) == []


def framed(grid):
    """The turned grid twice, in a frame and with a line between both."""
    turned = np.rot90(grid)
    one = np.pad(turned, ((1, 0), (1, 1)))
    return np.pad(np.concatenate([one, one]), ((0, 1), (0, 0)))


def apart(grid):
    return np.tile(np.pad(grid, ((0, 1), (0, 1))), (2, 2))[:-1, :-1]


@pytest.mark.parametrize(("function", "is_turned"), [(framed, True), (apart, False)])
def test_states_are_repeated_with_gaps(function, is_turned):
    frame = frame_of(function)
    values = tuple([np.ascontiguousarray(np.rot90(value)) if is_turned else value for value in frame.input.values])
    base = GridState(call("rot270", INPUT), values, 1) if is_turned else frame.input
    sizes = tuple([function(value).shape for value in frame.input.values])
    size = OutputSize(call("astuple", *sizes[0]), sizes)
    found = fitted_states([base], frame, size, Work(10**9))
    expected = [function(value).tolist() for value in frame.input.values]
    assert expected in [[value.tolist() for value in state.values] for state in found]


@pytest.mark.parametrize("way", FITS)
@pytest.mark.parametrize("sides", [(4, 6), (5, 7), (7, 5), (1, 9)])
def test_a_way_to_fit_a_grid_does_as_its_program(way, sides):
    grid = ((1, 2, 3), (4, 5, 6))
    frame = TaskFrame(Task("t", (Pair(grid, grid),), ()))
    made = evaluate_one(compose(way.written(INPUT, call("astuple", *sides))), frame.samples()[0], Limits())
    assert made.value == as_grid(way.fitted(np.array(grid, np.uint8), sides))


@pytest.mark.parametrize("sides", [(1, 1), (1, 3), (3, 4), (2, 3)])
def test_grids_fit_no_smaller_and_no_uneven_size(sides):
    assert not any(way.fits((2, 3), sides) for way in FITS)
