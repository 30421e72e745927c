import numpy as np
import pytest

from batt.runtime import Limits, evaluate_one
from batt.solving.expressions import INPUT, call, compose
from batt.solving.figures.measuring import figure_tables
from batt.solving.figures.options import FigureProblem, figure_choices
from batt.solving.frame import TaskFrame
from batt.solving.parts import blank_cell
from batt.solving.work import Work
from batt.tasks import tasks_from_dict

PAIRS = [
    ([[1, 0, 0], [0, 0, 0], [2, 2, 0]], [[1, 0, 0], [0, 0, 0], [4, 4, 0]]),
    ([[0, 0, 3], [0, 0, 0], [0, 1, 1]], [[0, 0, 3], [0, 0, 0], [0, 4, 4]]),
]


@pytest.fixture(scope="module")
def problem():
    pairs = [{"input": one, "output": other} for one, other in PAIRS]
    frame = TaskFrame(tasks_from_dict({"t": {"train": pairs, "test": pairs[:1]}})["t"])
    return FigureProblem(next(figure_tables(frame.input, frame, Work(10**9))), frame, Work(10**9))


def test_an_option_is_right_for_figures_of_which_it_paints_nothing_wrong(problem):
    at = next(
        at for at, each in enumerate(problem.options) if (each.images.function.name, each.colour) == ("itself", 4)
    )
    assert problem.right[at].tolist() == [False, True, True, False]
    assert problem.gain[at].tolist() == [0, 2, 2, 0]


def test_options_that_change_no_cell_rightly_are_left_out(problem):
    assert (problem.gain.sum(axis=1) > 0).all()


def test_options_paint_the_cells_of_their_figures(problem):
    figures = np.array([False, True, False, False])
    at = next(
        at for at, each in enumerate(problem.options) if (each.images.function.name, each.colour) == ("itself", 4)
    )
    assert np.flatnonzero(problem.painted(problem.options[at], figures)).tolist() == [6, 7]


def test_each_split_of_the_figures_is_one_test(problem):
    assert len({min(mask.tobytes(), (~mask).tobytes()) for mask in problem.masks}) == len(problem.tests)


def test_a_test_is_a_filter_of_figures(problem):
    sample = problem.frame.samples()[0]
    figures = evaluate_one(compose(problem.table.figures), sample, Limits()).value
    for test, mask in zip(problem.tests, problem.masks, strict=True):
        passing = evaluate_one(
            compose(test.passing(problem.table.figures, problem.table.figures, INPUT)), sample, Limits()
        )
        assert [figure in passing.value for figure in figures] == mask[:2].tolist(), test


def test_options_that_change_other_cells_of_the_same_figures_are_not_one():
    grid = [[0, 0, 0, 0], [0, 5, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    output = [[1, 0, 2, 0], [0, 5, 0, 0], [3, 0, 4, 0], [0, 0, 0, 0]]
    task = tasks_from_dict({"t": {"train": [{"input": grid, "output": output}], "test": [{"input": grid}]}})["t"]
    frame = TaskFrame(task)
    found = FigureProblem(next(figure_tables(frame.input, frame, Work(10**9))), frame, Work(10**9))
    assert {1, 2, 3, 4} <= {option.colour for option in found.options}


def test_choices_of_figures_are_all_and_those_of_each_test_with_their_numbers():
    pairs = [{"input": one, "output": other} for one, other in PAIRS]
    frame, work = TaskFrame(tasks_from_dict({"t": {"train": pairs, "test": pairs[:1]}})["t"]), Work(10**9)
    choices = figure_choices(next(figure_tables(frame.input, frame, work)), frame, work)
    assert (choices[0].size, choices[0].counts.tolist(), choices[0].mask.all()) == (0, [2, 2, 2], True)
    assert [1, 1, 1] in [choice.counts.tolist() for choice in choices[1:]]
    for choice in choices:
        count = compose(blank_cell(call("size", choice.figures)))
        values = [evaluate_one(count, sample, Limits()).value[0][0] for sample in frame.samples()]
        assert values == choice.counts.tolist()
