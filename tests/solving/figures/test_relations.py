from batt.runtime import Limits, evaluate_one
from batt.solving.candidates import Layer
from batt.solving.expressions import INPUT, compose
from batt.solving.figures.editing import FigureEditor
from batt.solving.figures.measuring import figure_tables
from batt.solving.figures.relations import related_functions, related_table, relations_of_colours
from batt.solving.frame import TaskFrame
from batt.solving.work import Work
from batt.tasks import tasks_from_dict

GRIDS = (
    [[0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 2]],
    [[1, 0, 0, 0, 0, 0], [0, 0, 2, 0, 0, 0], [0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]],
    [[0, 2, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [1, 0, 0, 2, 0, 0]],
    [[0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 2, 0, 0]],
)


def frame_of(function, grids=GRIDS):
    pairs = [{"input": grid, "output": function(grid)} for grid in grids]
    task = tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]
    return TaskFrame(task), task.test[0].output


def places_of(grid, colour):
    return [(i, j) for i, row in enumerate(grid) for j, cell in enumerate(row) if cell == colour]


def blue_cells_draw_lines_to_red_ones(grid):
    """Each line has a corner: along the row of blue, then along the column of red."""
    made = [list(row) for row in grid]
    for i, j in places_of(grid, 1):
        for k, m in places_of(grid, 2):
            for at in range(min(j, m), max(j, m) + 1):
                made[i][at] = made[i][at] or 4
            for at in range(min(i, k), max(i, k) + 1):
                made[at][m] = made[at][m] or 4
    return made


def expression_of(number):
    frame, _ = frame_of(blue_cells_draw_lines_to_red_ones)
    table = next(figure_tables(frame.input, frame, Work(10**9)))
    return frame, relations_of_colours()[number].of(table.figures, INPUT), table


def test_every_relation_and_every_edit_has_a_name_of_its_own():
    names = [each.name for each in relations_of_colours().values()]
    edits = [name for kind in ("near", "join") for name, _ in related_functions(kind)]
    assert len(names) == len({*names}) > 30
    assert len(edits) == len({*edits}) > 30


def test_a_relation_is_a_function_from_a_figure_to_others():
    number = next(each for each, found in relations_of_colours().items() if found.name == "same_colour 0")
    frame, relation, table = expression_of(number)
    figures, function = [
        evaluate_one(compose(each), frame.samples()[0], Limits()).value for each in (table.figures, relation)
    ]
    for figure in figures:
        others = {each for each in figures if min(each)[0] == min(figure)[0]} - {figure}
        assert set(function(figure)) == others


def test_equal_relations_are_one():
    frame, _, table = expression_of((0, 0))
    related = related_table(table, frame, Work(10**9))
    assert len(related.related) == len({*related.related}) > 3


def test_a_rule_that_draws_to_related_figures_is_found_and_is_a_program():
    frame, expected = frame_of(blue_cells_draw_lines_to_red_ones)
    editor = FigureEditor(frame, Work(10**9))
    assert list(editor.candidates(frame.input, Layer.RULE)) == []
    found = list(editor.related_candidates(1.0))
    assert expected in [output for each in found for output in each.outputs]
    best = next(each for each in found if each.outputs == (expected,))
    for sample, output in zip(frame.samples(), [*frame.outputs, expected], strict=True):
        assert evaluate_one(compose(best.expression), sample, Limits()).value == output
