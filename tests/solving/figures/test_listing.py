import numpy as np
import pytest

from batt.runtime import Limits, evaluate_one
from batt.solving.candidates import Layer
from batt.solving.cells.sizes import predict_size
from batt.solving.expressions import compose
from batt.solving.figures.listing import list_candidates
from batt.solving.figures.measuring import figure_tables
from batt.solving.frame import TaskFrame
from batt.solving.work import Work
from batt.tasks import tasks_from_dict

GRIDS = (
    [[1, 1, 0, 0, 0], [1, 0, 0, 2, 0], [0, 0, 0, 2, 0], [3, 0, 0, 0, 0]],
    [[2, 0, 0, 4, 0], [0, 0, 4, 4, 0], [0, 0, 4, 4, 0], [6, 6, 0, 0, 0]],
    [[5, 5, 0, 0, 8], [5, 5, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 7, 7, 7]],
    [[8, 8, 8, 8, 8], [0, 0, 0, 0, 0], [1, 1, 0, 3, 0], [0, 0, 0, 0, 0]],
)


def by_size(grid):
    counts = {colour: sum(row.count(colour) for row in grid) for row in grid for colour in row if colour}
    return sorted(counts, key=lambda colour: -counts[colour])


def as_one_row(grid):
    return [by_size(grid)]


def as_one_column(grid):
    return [[colour] for colour in by_size(grid)]


@pytest.mark.parametrize("function", [as_one_row, as_one_column])
def test_figures_are_listed_by_size(function):
    pairs = [{"input": grid, "output": function(grid)} for grid in GRIDS]
    task = tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]
    frame, work, expected = TaskFrame(task), Work(10**9), task.test[0].output
    found = next(list_candidates(figure_tables(frame.input, frame, work), frame, work))
    assert (found.layer, found.outputs) == (Layer.LIST, (expected,))
    for sample, output in zip(frame.samples(), [*frame.outputs, expected], strict=True):
        assert evaluate_one(compose(found.expression), sample, Limits()).value == output


def test_figures_that_pass_a_test_are_counted():
    outputs = ([[4]], [[4, 4]], [[4, 4, 4]], [[4]])
    grids = ([[1, 0, 2]], [[1, 0, 1, 0, 3]], [[1, 0, 1, 0, 1, 0, 2]], [[5, 0, 1, 0, 2]])
    pairs = [{"input": grid, "output": output} for grid, output in zip(grids, outputs, strict=True)]
    frame, work = TaskFrame(tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]), Work(10**9)
    found = list(list_candidates(figure_tables(frame.input, frame, work), frame, work))
    assert (((4,),),) in [each.outputs for each in found]


def test_outputs_of_several_rows_and_columns_are_no_lists():
    pairs = [{"input": grid, "output": grid} for grid in GRIDS]
    frame, work = TaskFrame(tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]), Work(10**9)
    assert list(list_candidates(figure_tables(frame.input, frame, work), frame, work)) == []


def filled(order):
    """Places of a grid of 2 rows and 3 columns in an order, filled with colours by size, and then with black."""

    def made(grid):
        cells = dict(zip(order, by_size(grid), strict=False))
        return [[cells.get((row, column), 0) for column in range(3)] for row in range(2)]

    return made


BY_ROW = [(0, 0), (0, 1), (0, 2), (1, 0)]
BY_COLUMN = [(0, 0), (1, 0), (0, 1), (1, 1)]
TO_AND_FRO = [(0, 0), (0, 1), (0, 2), (1, 2)]
FROM_BELOW = [(1, 0), (1, 1), (1, 2), (0, 0)]
FOUR = [[1, 1, 1, 1, 0], [0, 0, 0, 0, 2], [3, 3, 0, 0, 2], [0, 0, 4, 0, 2]]


def assert_a_list_gives(pairs):
    """Check that a list is found from all pairs but the last, and that its program gives the outputs of all."""
    task = tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]
    frame, work, expected = TaskFrame(task), Work(10**9), task.test[0].output
    tables = list(figure_tables(frame.input, frame, work))
    found = list(list_candidates(tables, frame, work, predict_size(frame)))
    right = next(each for each in found if each.outputs == (expected,))
    for sample, output in zip(frame.samples(), [*frame.outputs, expected], strict=True):
        assert evaluate_one(compose(right.expression), sample, Limits()).value == output


@pytest.mark.parametrize("order", [BY_ROW, BY_COLUMN, TO_AND_FRO, FROM_BELOW])
def test_a_list_fills_the_places_of_a_grid_in_an_order(order):
    pairs = [{"input": grid, "output": filled(order)(grid)} for grid in (FOUR, *GRIDS)]
    assert_a_list_gives(pairs)


def rings(grid):
    """Rings of the colours by size on a grid of 8 rows and columns, from the outside."""
    row, column = np.indices((8, 8))
    ring = np.minimum(np.minimum(row, 7 - row), np.minimum(column, 7 - column))
    return (np.array([*by_size(grid), 0])[ring]).tolist()


def stripes_across(grid):
    return np.repeat([by_size(grid)], 4, axis=0).repeat(2, axis=1).tolist()


def stripes_down(grid):
    return np.transpose(stripes_across(grid)).tolist()


@pytest.mark.parametrize("function", [rings, stripes_across, stripes_down])
def test_a_list_is_shown_as_rings_and_stripes(function):
    pairs = [{"input": grid, "output": function(grid)} for grid in GRIDS]
    assert_a_list_gives(pairs)
