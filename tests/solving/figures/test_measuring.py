import numpy as np
import pytest

from batt.solving.figures.figures import CELLS_OF, SEGMENTS, functions
from batt.solving.figures.measuring import figure_tables
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


def test_figures_of_all_samples_are_in_one_table(table):
    assert (table.starts, table.cells) == ([0, 3, 6], [0, 16, 32])
    assert measured(table, "size") == [2, 3, 1] * 2
    assert measured(table, "colour") == [1, 2, 3] * 2
    assert table.sample_of.tolist() == [0, 0, 0, 1, 1, 1]


def test_an_image_names_the_figure_of_each_cell(table):
    itself = next(table.patches(Work(10**9)))
    assert itself.function.name == "itself"
    assert (itself.owner == table.itself).all()
    expected = np.array([[0, 0, -1, -1], [-1, -1, -1, 1], [-1, 2, -1, 1], [-1, -1, -1, 1]])
    assert (itself.owner[:16].reshape(4, 4) == expected).all()


def test_an_edit_has_its_own_colours(table):
    slid = next(each for each in table.edits(Work(10**9)) if each.function.name == "slid_down")
    made = slid.colours[:16].reshape(4, 4)
    assert made[1:].tolist() == [[1, 1, 10, 2], [10, 10, 10, 2], [10, 3, 10, 2]]


def test_equal_sets_of_figures_are_one_table(frame):
    tables = list(figure_tables(frame.input, frame, Work(10**9)))
    keys = {table.itself.tobytes() for table in tables}
    assert 1 < len(tables) == len(keys) <= SEGMENTS


def test_a_segment_with_too_many_figures_has_no_table(frame, monkeypatch):
    monkeypatch.setattr("batt.solving.figures.measuring.MOST_FIGURES", 1)
    tables = list(figure_tables(frame.input, frame, Work(10**9)))
    assert all(max(np.diff(each.starts)) == 1 for each in tables)


def test_every_function_gives_a_value_for_every_figure(table):
    assert set(table.measures) == set(functions("measure"))
    assert set(table.sources) == set(functions("colour"))
    assert [each.function for each in table.patches(Work(10**9))] == list(functions("patch"))
    assert [each.function for each in table.edits(Work(10**9))] == list(functions("edit"))


def test_large_measures_are_the_values_of_their_programs():
    grid = [[1] * 19 + [0] * 11 for _ in range(20)] + [[0] * 30 for _ in range(9)] + [[2] * 30]
    pair = {"input": grid, "output": grid}
    large = TaskFrame(tasks_from_dict({"t": {"train": [pair], "test": [pair]}})["t"])
    tables = list(figure_tables(large.input, large, Work(10**9)))
    assert sorted(measured(tables[0], "size"))[-1] == 380


def test_cells_of_each_colour_are_counted_where_figures_have_several():
    grid = [[1, 2, 2, 0, 0], [1, 1, 1, 0, 3], [0, 0, 0, 0, 2]]
    pair = {"input": grid, "output": grid}
    mixed = TaskFrame(tasks_from_dict({"t": {"train": [pair], "test": [pair]}})["t"])
    counts = [
        {each.argument.value: values.tolist() for each, values in table.measures.items() if each.name == CELLS_OF}
        for table in figure_tables(mixed.input, mixed, Work(10**9))
    ]
    assert counts[0] == {}
    assert any(sorted(each.get(2, [])) == [1, 1, 2, 2] and sorted(each[1]) == [0, 0, 4, 4] for each in counts)


def test_a_figure_is_as_high_in_a_pile_as_figures_lie_below_it():
    grid = np.zeros((9, 9), int)
    grid[1:6, 1] = grid[1:6, 5] = grid[1, 1:6] = grid[5, 1:6] = 4
    grid[:, 3], grid[4, :], grid[8, 8] = 2, 3, 7
    pair = {"input": grid.tolist(), "output": grid.tolist()}
    piled = TaskFrame(tasks_from_dict({"t": {"train": [pair], "test": [pair]}})["t"])
    table = next(each for each in figure_tables(piled.input, piled, Work(10**9)) if each.starts[1] == 4)
    heights = dict(zip(measured(table, "colour"), measured(table, "height_in_pile"), strict=True))
    assert heights == {4: 1, 2: 2, 3: 3, 7: 1}
