"""Moves: rules that say for each figure to which row and column it goes, and in which colour."""

from __future__ import annotations

import numpy as np
import pytest

from batt.runtime import Limits, evaluate_one
from batt.solving.candidates import Layer
from batt.solving.expressions import compose
from batt.solving.figures.editing import FigureEditor, gives_demonstrations, predicted, rule_expression
from batt.solving.figures.moves import MoveLearner, MoveProblem, moved_images
from batt.solving.work import Work
from moving_tasks import ENOUGH, SCENES, SIDE, drawn, frame_of, table_of


def heaped_by_size(scene):
    """Largest first, from the bottom, all at the left edge."""
    made, bottom = [], SIDE
    for colour, _, _, height, width in sorted(scene, key=lambda each: -each[3] * each[4]):
        bottom -= height
        made.append((colour, bottom, 0, height, width))
    return made


def wide_ones_right_and_green_others_left(scene):
    return [
        (colour, row, SIDE - width, height, width) if width > 1 else (9, row, 0, height, width)
        for colour, row, column, height, width in scene
    ]


def blue_is_gone_and_others_move_inward(scene):
    made = []
    for colour, row, column, height, width in scene:
        down, across = np.sign(SIDE - 1 - 2 * row - height + 1), np.sign(SIDE - 1 - 2 * column - width + 1)
        if colour != 1:
            made.append((colour, row + int(down), column + int(across), height, width))
    return made


def in_each_others_place(scene):
    """Each figure is where the next one from left to right began, as to its column."""
    order = sorted(scene, key=lambda each: each[2])
    begins = [each[2] for each in order]
    narrow = [(colour, row, column, height, 1) for colour, row, column, height, _ in order]
    return [
        (colour, row, begins[(at + 1) % len(begins)], height, width)
        for at, (colour, row, _, height, width) in enumerate(narrow)
    ]


NARROW = tuple(tuple((colour, row, column, height, 1) for colour, row, column, height, _ in scene) for scene in SCENES)


def candidates(frame):
    editor = FigureEditor(frame, Work(ENOUGH))
    known = [*editor.candidates(frame.input, Layer.RULE)]
    return known, [*editor.moved_candidates(1.0)]


@pytest.mark.parametrize(
    ("function", "scenes"),
    [
        (heaped_by_size, SCENES),
        (wide_ones_right_and_green_others_left, SCENES),
        (blue_is_gone_and_others_move_inward, SCENES),
        (in_each_others_place, NARROW),
    ],
)
def test_a_rule_of_moves_is_found_and_is_a_program(function, scenes):
    frame, expected = frame_of(function, scenes)
    _, found = candidates(frame)
    assert expected in [output for each in found for output in each.outputs]
    for each in found:
        made = [evaluate_one(compose(each.expression), sample, Limits()).value for sample in frame.samples()]
        assert made == [*frame.outputs, *each.outputs]


def test_moves_that_are_right_for_the_same_figures_are_one():
    frame, _ = frame_of(heaped_by_size)
    problem = MoveProblem(table_of(frame), frame, Work(ENOUGH))
    assert len({row.tobytes() for row in problem.right[:-1]}) == len(problem.moves) - 1 > 10
    assert problem.moves[0].row is None
    assert problem.moves[-1].is_gone


def test_a_move_is_right_for_figures_that_the_output_has_there():
    frame, _ = frame_of(heaped_by_size)
    table = table_of(frame)
    problem = MoveProblem(table, frame, Work(ENOUGH))
    for at in range(1, len(problem.moves) - 1, 7):
        for figure in range(problem.shown):
            images = moved_images(problem.moves[at], table, np.arange(table.starts[-1]) == figure)
            held = images.owner[: problem.shown_cells] == figure
            whole = held.sum() == (table.itself == figure).sum()
            wanted = problem.target[held]
            colours = images.colours[: problem.shown_cells][held] if images.colours is not None else None
            is_right = whole and (wanted == (problem.moves[at].colour if colours is None else colours)).all()
            assert problem.right[at, figure] == is_right


def test_what_a_rule_gives_is_predicted_without_running_it():
    frame, _ = frame_of(wide_ones_right_and_green_others_left)
    problem = MoveProblem(table_of(frame), frame, Work(ENOUGH))
    rules = list(MoveLearner(problem, range(frame.train)).fit())[:10]
    assert any(gives_demonstrations(rule, problem) for rule in rules)
    for rule in rules:
        for number, sample in enumerate(frame.samples()):
            made = evaluate_one(compose(rule_expression(rule, problem)), sample, Limits()).value
            shape = frame.input.values[number].shape
            assert np.array_equal(np.array(made), predicted(rule, problem, number).reshape(shape))


def test_nothing_is_tried_where_no_figure_leaves_its_place():
    frame, _ = frame_of(lambda scene: [*scene, (7, 8, 3, 1, 1)])
    work = Work(ENOUGH)
    problem = MoveProblem(table_of(frame), frame, work)
    assert problem.moves == []
    assert list(MoveLearner(problem, range(frame.train)).fit()) == []


def test_work_bounds_the_rules():
    frame, _ = frame_of(blue_is_gone_and_others_move_inward)
    table = table_of(frame)
    work = Work(1)
    work.spend(2)
    rules = list(MoveLearner(MoveProblem(table, frame, work, until=0.5), range(frame.train)).fit())
    assert rules == []
    assert drawn(SCENES[0]) == [list(row) for row in frame.inputs[0]]
