from batt.runtime import Limits, evaluate_one
from batt.solving.candidates import Layer
from batt.solving.expressions import compose
from batt.solving.figures.layouts import figure_layouts, layout_candidates
from batt.solving.figures.measuring import figure_tables
from batt.solving.frame import TaskFrame
from batt.solving.work import Work
from batt.tasks import tasks_from_dict


def drawn(rows, is_dotted=False):
    """A block for each colour, 3 high and as wide as its column is far; if the colour is even, with a hole."""
    width = 2 + sum(4 + column for column in range(len(rows[0])))
    grid = [[0] * width for _ in range(1 + 4 * len(rows))]
    for i, row in enumerate(rows):
        left = 1
        for j, colour in enumerate(row):
            for down in range(3):
                for right in range(3 + j):
                    grid[1 + 4 * i + down][left + right] = colour
            if is_dotted and not colour % 2:
                grid[2 + 4 * i][left + 1] = 0
            left += 4 + j
    return grid


ROWS = ([[1, 2], [3, 4]], [[5, 6, 1], [2, 7, 8]], [[2, 3], [5, 8], [6, 9]], [[7, 4, 3], [8, 1, 2], [3, 6, 6]])


def candidates(pairs):
    task = tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]
    frame, work, expected = TaskFrame(task), Work(10**9), task.test[0].output
    layouts = list(figure_layouts(figure_tables(frame.input, frame, work), frame, work))
    found = [each for layout in layouts for each in layout_candidates(layout, frame, work)]
    right = [each for each in found if each.outputs == (expected,)]
    for each in right[:3]:
        for sample, output in zip(frame.samples(), [*frame.outputs, expected], strict=True):
            assert evaluate_one(compose(each.expression), sample, Limits()).value == output
    return right


def test_figures_are_laid_out_as_cells_in_the_rows_and_columns_in_which_they_lie():
    right = candidates([{"input": drawn(rows), "output": rows} for rows in ROWS])
    assert Layer.LAYOUT in [each.layer for each in right]


def test_a_tree_says_what_the_cell_of_a_figure_is():
    marked = [[[colour % 2 and 5 for colour in row] for row in rows] for rows in ROWS]
    pairs = [{"input": drawn(rows, True), "output": each} for rows, each in zip(ROWS, marked, strict=True)]
    assert any(each.layer is Layer.LAYOUT_TREE and each.held_out for each in candidates(pairs))


def test_outputs_of_more_rows_than_figures_have_no_layout():
    grid = [[1, 0, 2], [0, 1, 0], [2, 0, 1]]
    assert candidates([{"input": grid, "output": [[1, 2]] * 9}] * 3) == []
