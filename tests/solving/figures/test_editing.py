import pytest

from batt.runtime import Limits, evaluate_one
from batt.solving.candidates import Layer
from batt.solving.expressions import compose
from batt.solving.figures.editing import FigureEditor, predicted
from batt.solving.figures.measuring import figure_tables
from batt.solving.figures.options import FigureProblem
from batt.solving.figures.rules import RuleLearner
from batt.solving.frame import TaskFrame, as_grid
from batt.solving.work import Work
from batt.tasks import tasks_from_dict

GRIDS = (
    [[0, 0, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 0, 3], [0, 0, 0, 0, 0]],
    [[2, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 4, 4, 4], [0, 0, 0, 0, 0]],
    [[0, 0, 0, 5, 0], [0, 0, 0, 5, 0], [6, 0, 0, 0, 0], [0, 0, 0, 0, 0]],
    [[0, 0, 7, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 1], [8, 8, 0, 0, 1]],
)


def frame_of(function):
    pairs = [{"input": grid, "output": function(grid)} for grid in GRIDS]
    task = tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]
    return TaskFrame(task), task.test[0].output


def smallest_is_grey(grid):
    counts = {colour: sum(row.count(colour) for row in grid) for row in grid for colour in row}
    least = min(counts, key=lambda colour: counts[colour])
    return [[9 if cell == least else cell for cell in row] for row in grid]


def all_fall(grid):
    columns = []
    for at in range(5):
        column = [row[at] for row in grid]
        drawn = [cell for cell in column if cell]
        columns.append([0] * (4 - len(drawn)) + drawn)
    return [[column[at] for column in columns] for at in range(4)]


def single_cells_draw_their_row(grid):
    made = [list(row) for row in grid]
    for i, row in enumerate(grid):
        for cell in row:
            if cell and sum(each.count(cell) for each in grid) == 1:
                made[i] = [each or cell for each in row]
    return made


def mixed_up(grid):
    return [[(3 * i + 5 * j * j + cell) % 7 for j, cell in enumerate(row)] for i, row in enumerate(grid)]


@pytest.mark.parametrize("function", [smallest_is_grey, all_fall, single_cells_draw_their_row])
def test_a_rule_over_figures_is_found_and_is_a_program(function):
    frame, expected = frame_of(function)
    found = list(FigureEditor(frame, Work(10**9)).candidates(frame.input, Layer.RULE))
    assert found[0].layer is Layer.RULE
    assert found[0].outputs == (expected,)
    program = compose(found[0].expression)
    for sample, output in zip(frame.samples(), [*frame.outputs, expected], strict=True):
        assert evaluate_one(program, sample, Limits()).value == output


def test_a_rule_that_is_found_again_without_each_demonstration_holds_out():
    frame, _ = frame_of(smallest_is_grey)
    assert next(FigureEditor(frame, Work(10**9)).candidates(frame.input, Layer.RULE)).held_out


def test_a_prediction_is_what_the_program_gives():
    frame, expected = frame_of(single_cells_draw_their_row)
    problem = FigureProblem(next(figure_tables(frame.input, frame, Work(10**9))), frame, Work(10**9))
    rule = next(RuleLearner(problem, range(3)).fit())
    assert predicted(rule, problem, 3).reshape(4, 5).tolist() == [list(row) for row in expected]


def test_nothing_is_found_without_figures_that_explain_the_changes():
    frame, _ = frame_of(
        lambda grid: [[(3 * i + 5 * j * j + cell) % 7 for j, cell in enumerate(row)] for i, row in enumerate(grid)]
    )
    assert list(FigureEditor(frame, Work(10**9)).candidates(frame.input, Layer.RULE)) == []


def smallest_is_grey_and_some_cells_are_odd(grid):
    made = smallest_is_grey(grid)
    for at in range(3):
        made[1 + at % 2][at] = (made[0][0] + 3 * made[2][2] + 5 * made[1][3] + at * at) % 7
    return made


def test_the_nearest_rule_makes_the_state_that_a_second_rule_edits():
    frame, _ = frame_of(smallest_is_grey_and_some_cells_are_odd)
    editor = FigureEditor(frame, Work(10**9))
    assert list(editor.candidates(frame.input, Layer.RULE)) == []
    state = editor.next_states()[0]
    for value, grid, target in zip(state.values, GRIDS, frame.targets, strict=False):
        assert ((value == target) | (value == grid)).all()
    assert state.key != frame.input.key
    for sample, value in zip(frame.samples(), state.values, strict=True):
        assert evaluate_one(compose(state.expression), sample, Limits()).value == as_grid(value)
