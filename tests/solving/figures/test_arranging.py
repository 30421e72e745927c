import pytest

from batt.solving.candidates import Layer
from batt.solving.cells.sizes import predict_size
from batt.solving.figures.arranging import arranged_candidates
from batt.solving.figures.measuring import figure_tables
from batt.solving.frame import TaskFrame
from batt.solving.work import Work
from batt.tasks import tasks_from_dict

GRIDS = (
    [[1, 1, 0, 0, 0], [1, 1, 0, 2, 2], [0, 0, 0, 2, 2]],
    [[0, 0, 0, 3, 3], [4, 4, 0, 3, 3], [4, 4, 0, 0, 0]],
    [[5, 5, 0, 0, 0], [5, 5, 0, 6, 6], [0, 0, 0, 6, 6]],
)


@pytest.mark.parametrize(
    ("layer", "function"),
    [
        (Layer.PICK, lambda a, b: [[a, a], [a, a]]),
        (Layer.LIST, lambda a, b: [[a, b]]),
        (Layer.COLLAGE, lambda a, b: [[a, a, b, b], [a, a, b, b]]),
    ],
)
def test_only_layers_that_are_asked_for_arrange_figures(layer, function):
    colours = [[row[at] for row in grid for at in (0, 4) if row[at]] for grid in GRIDS]
    lefts = [next(row[0] for row in grid if row[0]) for grid in GRIDS]
    rights = [next(each for each in found if each != left) for found, left in zip(colours, lefts, strict=True)]
    outputs = [function(left, right) for left, right in zip(lefts, rights, strict=True)]
    pairs = [{"input": grid, "output": output} for grid, output in zip(GRIDS, outputs, strict=True)]
    task = tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]
    frame, work = TaskFrame(task), Work(10**9)
    tables = list(figure_tables(frame.input, frame, work))
    found = list(arranged_candidates(tables, frame, work, predict_size(frame), {layer}))
    assert {each.layer for each in found} == {layer}
    assert (task.test[0].output,) in [each.outputs for each in found]
