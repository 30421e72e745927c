import numpy as np
import pytest

from batt.runtime import Limits, evaluate_one
from batt.solving.expressions import INPUT, compose
from batt.solving.figures import SEGMENTS, FigureFunction, derived, figure_tables, functions, segments
from batt.solving.frame import TaskFrame
from batt.solving.work import Work
from batt.tasks import tasks_from_dict

GRID = [[1, 1, 0, 0], [0, 0, 0, 2], [0, 3, 0, 2], [0, 0, 0, 2]]


@pytest.fixture(scope="module")
def frame():
    pair = {"input": GRID, "output": GRID}
    return TaskFrame(tasks_from_dict({"t": {"train": [pair], "test": [pair]}})["t"])


@pytest.fixture(scope="module")
def table(frame):
    return next(figure_tables(frame.input, frame, Work(10**9)))


def measured(table, name):
    return next(values for measure, values in table.measures.items() if measure.name == name).tolist()


def test_there_are_as_many_segments_as_stated():
    assert len(segments()) == SEGMENTS


def test_figures_of_all_samples_are_in_one_table(table):
    assert (table.starts, table.cells) == ([0, 3, 6], [0, 16, 32])
    assert measured(table, "size") == [2, 3, 1] * 2
    assert measured(table, "colour") == [1, 2, 3] * 2
    assert table.sample_of.tolist() == [0, 0, 0, 1, 1, 1]


def test_an_image_names_the_figure_of_each_cell(table):
    itself = table.patches[0]
    assert itself.function.name == "itself"
    expected = np.array([[0, 0, -1, -1], [-1, -1, -1, 1], [-1, 2, -1, 1], [-1, -1, -1, 1]])
    assert (itself.owner[:16].reshape(4, 4) == expected).all()


def test_an_edit_has_its_own_colours(table):
    slid = next(each for each in table.edits if each.function.name == "slid_down")
    made = slid.colours[:16].reshape(4, 4)
    assert made[1:].tolist() == [[1, 1, 10, 2], [10, 10, 10, 2], [10, 3, 10, 2]]


def test_equal_sets_of_figures_are_one_table(frame):
    tables = list(figure_tables(frame.input, frame, Work(10**9)))
    keys = {table.patches[0].owner.tobytes() for table in tables}
    assert 1 < len(tables) == len(keys) <= SEGMENTS


@pytest.mark.parametrize(("kind", "expected"), [("rank_down", 1), ("rank_up", 1), ("equal_count", 1)])
def test_a_derived_measure_is_a_function_of_a_figure(frame, table, kind, expected):
    size: FigureFunction = next(each for each in functions("measure") if each.name == "size")
    made = derived(kind, table.figures, INPUT, size.of(table.figures, INPUT))
    figure = evaluate_one(compose(table.figures), frame.samples()[0], Limits()).value
    function = evaluate_one(compose(made), frame.samples()[0], Limits()).value
    assert function(sorted(figure, key=len)[1]) == expected


def test_a_segment_with_too_many_figures_has_no_table(frame, monkeypatch):
    monkeypatch.setattr("batt.solving.figures.MOST_FIGURES", 1)
    tables = list(figure_tables(frame.input, frame, Work(10**9)))
    assert all(max(np.diff(each.starts)) == 1 for each in tables)
