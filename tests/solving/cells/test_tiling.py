"""Marks of tiles: by the tile of a cell, by its place in it, and by the gaps between tiles."""

import numpy as np

from batt.solving.cells.counting import InputCount
from batt.solving.cells.sizes import OutputSize
from batt.solving.cells.tiling import tile_marks
from batt.solving.expressions import INPUT, call
from batt.solving.work import Work
from fitted_tasks import frame_of, is_made_by_its_program, repeated, size_of


def test_cells_are_marked_by_their_tile_and_by_their_place_in_it():
    frame = frame_of(repeated)
    marks = tile_marks(frame, size_of(frame), [], Work(10**9))
    row, column = np.indices((4, 9))
    for expected in (row < 2, column >= 6, row % 2 == 0, column % 3 == 2):
        assert any(((state.values[0] == 1) == expected).all() for state in marks)
    assert all(is_made_by_its_program(state, frame) for state in marks[::20])


def test_the_first_tiles_are_marked_as_a_count_says():
    frame = frame_of(repeated)
    count = InputCount(call("numcolors", INPUT), (4, 2, 5))
    size = OutputSize(call("multiply", call("shape", INPUT), (2, 3)), ((4, 9), (6, 6), (6, 9)))
    found = [state.values[0] for state in tile_marks(frame, size, [count], Work(10**9))]
    expected = np.kron(np.array([[1, 1, 1], [1, 0, 0]]), np.ones((2, 3), int))
    assert any((value == expected).all() for value in found)


def test_gaps_between_turned_inputs_are_marked():
    frame = frame_of(lambda grid: np.pad(np.rot90(grid), 1))
    size = OutputSize(call("add", call("shape", call("dmirror", INPUT)), 2), ((5, 4), (4, 5), (5, 5)))
    found = tile_marks(frame, size, [], Work(10**9))
    assert [state.values[0].tolist() for state in found] == [np.pad(np.ones((3, 2), int), 1).tolist()]
    assert all(is_made_by_its_program(state, frame) for state in found)


def test_outputs_that_repeat_no_inputs_have_no_tiles():
    frame = frame_of(lambda grid: np.pad(grid, ((0, 1), (0, 2))))
    assert tile_marks(frame, size_of(frame), [], Work(10**9)) == []
