import pytest

from batt.runtime import Limits, evaluate_one
from batt.solving.candidates import Layer
from batt.solving.expressions import compose
from batt.solving.figures.measuring import figure_tables
from batt.solving.figures.picking import TURNS, pick_candidates
from batt.solving.frame import TaskFrame
from batt.solving.work import Work
from batt.tasks import tasks_from_dict
from figure_grids import GRIDS, largest


def frame_of(function):
    pairs = [{"input": grid, "output": function(grid).tolist()} for grid in GRIDS]
    task = tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]
    return TaskFrame(task), task.test[0].output


@pytest.mark.parametrize("turn", ["identity", "rot90", "hmirror"])
def test_the_figure_that_a_property_picks_is_cropped(turn):
    frame, expected = frame_of(lambda grid: TURNS[turn](largest(grid)))
    work = Work(10**9)
    found = list(pick_candidates(figure_tables(frame.input, frame, work), frame, work))
    right = next(each for each in found if each.outputs == (expected,))
    assert right.layer is Layer.PICK
    for sample, output in zip(frame.samples(), [*frame.outputs, expected], strict=True):
        assert evaluate_one(compose(right.expression), sample, Limits()).value == output


def test_nothing_is_found_if_no_figure_is_the_output():
    frame, _ = frame_of(lambda grid: largest(grid) + 1)
    work = Work(10**9)
    assert list(pick_candidates(figure_tables(frame.input, frame, work), frame, work)) == []
