import numpy as np
import pytest

from batt.runtime import Limits, evaluate_one
from batt.solving.cells.counting import (
    ORDERS,
    colour_bars,
    count_marks,
    first_marks,
    input_counts,
    panel_numbers,
    resized_states,
    side_counts,
)
from batt.solving.expressions import INPUT, call, compose
from batt.solving.frame import TaskFrame, as_grid
from batt.solving.work import Work
from batt.tasks import Pair, Task

GRIDS = (
    ((1, 0, 2, 0), (0, 0, 2, 0), (1, 0, 0, 0)),
    ((1, 0, 1, 0), (0, 0, 0, 0), (1, 0, 2, 2)),
    ((0, 0, 0, 3), (1, 1, 0, 0), (1, 1, 0, 0)),
)
SHAPES = ((2, 3), (4, 2), (3, 3))


def frame_of(grids):
    pairs = [Pair(grid, grid) for grid in grids]
    return TaskFrame(Task("t", tuple(pairs[:-1]), (Pair(grids[-1], None),)))


@pytest.fixture(scope="module")
def frame():
    return frame_of(GRIDS)


def value_of(expression, frame, sample):
    return evaluate_one(compose(expression), frame.samples()[sample], Limits()).value


def test_counts_are_numbers_of_the_inputs_that_differ(frame):
    found = input_counts(frame, Work(10**9))
    numbers = [each.numbers for each in found]
    # Figures, blue figures, and blue squares of several cells.
    assert {(3, 4, 2), (2, 3, 1), (0, 0, 1)} <= {*numbers}
    assert len({*numbers}) == len(numbers)
    assert all(len({*each}) > 1 for each in numbers)
    for count in found:
        assert tuple([value_of(count.expression, frame, at) for at in range(3)]) == count.numbers


def test_marks_of_counts_are_programs_of_the_given_size(frame):
    counts = input_counts(frame, Work(10**9))
    size = call("canvas", 0, call("shape", INPUT))
    shapes = [np.array(grid).shape for grid in GRIDS]
    made = [*count_marks(counts, call("shape", size), shapes, Work(10**9))]
    made += first_marks(counts[:3], call("shape", size), shapes, Work(10**9))
    assert len(made) == len(counts) + 3 * len(ORDERS)
    for mark in made:
        for at, value in enumerate(mark.values):
            assert value_of(mark.expression, frame, at) == as_grid(value)


def test_first_places_are_as_many_as_counted(frame):
    counts = [each for each in input_counts(frame, Work(10**9)) if each.numbers == (3, 4, 2)]
    made = first_marks(counts, call("shape", INPUT), SHAPES, Work(10**9))
    by_row = next(mark for mark, order in zip(made, ORDERS, strict=True) if order == "first_by_row")
    assert [as_grid(value) for value in by_row.values] == [
        ((1, 1, 1), (0, 0, 0)),
        ((1, 1), (1, 1), (0, 0), (0, 0)),
        ((1, 1, 0), (0, 0, 0), (0, 0, 0)),
    ]


def test_panels_have_numbers_that_may_be_scaled():
    grid = ((1, 8, 0, 0), (0, 8, 3, 2), (8, 8, 8, 8), (0, 8, 0, 0), (0, 8, 2, 0))
    frame = frame_of((grid, grid, grid))
    found = panel_numbers(frame, Work(10**9))
    assert ((1, 2), (0, 1)) in [as_grid(state.values[0]) for state in found]
    scaled = resized_states(found[:1], (2, 4), [(2, 4)] * 3, Work(10**9))
    for state in scaled:
        assert value_of(state.expression, frame, 0) == as_grid(state.values[0])


def test_a_bar_is_as_long_as_its_colour_has_cells(frame):
    made = [as_grid(state.values[2]) for state in colour_bars(frame, Work(10**9))]
    assert ((1, 1, 1, 1), (3, 0, 0, 0)) in made
    assert ((1, 3),) in made


def test_sides_of_inputs_are_counts_if_they_differ():
    grids = [((0,) * width,) * 2 for width in (3, 5, 4)]
    assert [count.numbers for count in side_counts(frame_of(grids))] == [(3, 5, 4)]
