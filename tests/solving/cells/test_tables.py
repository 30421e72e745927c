from batt.runtime import Limits, evaluate_one
from batt.solving.candidates import Layer
from batt.solving.cells.cells import cell_states
from batt.solving.cells.tables import mark_tables, state_tables
from batt.solving.expressions import INPUT, call, compose
from batt.solving.frame import GridState, TaskFrame
from batt.solving.work import Work
from batt.tasks import tasks_from_dict

GRIDS = ([[1, 0, 2], [0, 0, 0]], [[2, 2, 0], [1, 0, 0]], [[0, 1, 1], [2, 0, 0]])


def frame_of(function, grids=GRIDS):
    pairs = [{"input": grid, "output": function(grid)} for grid in grids]
    task = tasks_from_dict({"t": {"train": pairs[:-1], "test": pairs[-1:]}})["t"]
    return TaskFrame(task), task.test[0].output


def recoloured(grid):
    return [[{0: 0, 1: 5, 2: 7}[cell] for cell in row] for row in grid]


def first_column_to_eight(grid):
    return [[8 if at == 0 and cell else cell for at, cell in enumerate(row)] for row in grid]


def expect_reproduced(candidate, frame):
    program = compose(candidate.expression)
    for sample, output in zip(frame.samples(), [*frame.outputs, *candidate.outputs], strict=True):
        assert output is None or evaluate_one(program, sample, Limits()).value == output


def test_the_colours_of_a_state_are_replaced_by_a_table():
    frame, expected = frame_of(recoloured)
    found = next(state_tables([frame.input], frame, Work(10**9)))
    assert (found.layer, found.outputs, found.held_out) == (Layer.TABLE, (expected,), True)
    expect_reproduced(found, frame)


def red_where_both_are_drawn(grid):
    return [[2 if cell and row[-1 - at] else 0 for at, cell in enumerate(row)] for row in grid]


def test_two_states_are_combined_cell_by_cell():
    grids = ([[1, 0, 1], [0, 0, 1]], [[1, 1, 0], [1, 0, 0]], [[0, 1, 1], [1, 0, 1]])
    frame, expected = frame_of(red_where_both_are_drawn, grids)
    turned = GridState(call("vmirror", INPUT), tuple([value[:, ::-1] for value in frame.input.values]), 1)
    found = [each for each in state_tables([frame.input, turned], frame, Work(10**9)) if each.layer is Layer.PAIR]
    assert found[0].outputs == (expected,)
    expect_reproduced(found[0], frame)


def test_a_colour_that_no_demonstration_has_gives_no_output():
    frame, _ = frame_of(lambda grid: [[9 if cell == 1 else cell for cell in row] for row in grid], [*GRIDS[:2], [[4]]])
    assert list(state_tables([frame.input], frame, Work(10**9))) == []


def test_objects_are_recoloured_by_a_mark():
    frame, expected = frame_of(first_column_to_eight)
    _, marks = cell_states(frame.input, frame, Work(10**9))
    found = list(mark_tables(frame.input, marks, frame, Work(10**9)))
    assert {each.layer for each in found} == {Layer.RECOLOUR}
    assert (expected,) in [each.outputs for each in found]
    for each in found[:3]:
        expect_reproduced(each, frame)
