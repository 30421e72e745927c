"""One evaluation step by step, and the picture of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.draw import Caption, Mark, Panel, svg
from batt.draw.reading import read
from batt.front import Deck
from batt.jobs import Trace, samples_of, show_result, trace_sample
from batt.jobs.tracing import difference, wrong_cells
from batt.runtime import Limits, Status
from batt.runtime.outcome import differing_cells, shape_of
from batt.tasks import Task, tasks_from_dict
from batt.types.plain import Printed
from handmade import RAISES, SAME, STUCK, deck, plain_tasks, source
from strategies import grids

TASKS = tasks_from_dict(plain_tasks())
LIMITS = Limits(steps=100_000)
STEPS = ("a = vmirror(I)", "f = compose(first, last)", "b = (a, f(a))", "x = vmirror(vmirror(a))")
tiny_grids = grids(st.integers(1, 2), st.integers(1, 2), st.integers(0, 2))
FAILS = ("a = vmirror(I)", "dead = divide(1, 0)", "x = vmirror(a)")


def traced(lines: tuple[str, ...], limits: Limits = LIMITS) -> Trace:
    return trace_sample(deck(solve_x=lines)[0], samples_of(TASKS)[0], limits)


def test_a_trace_pairs_every_step_with_its_value():
    trace = traced(STEPS)
    assert [(step.target, value) for step, value in trace] == [
        ("a", ((2, 1),)),
        ("f", Printed("compose(first, last)")),
        ("_3", 2),
        ("b", (((2, 1),), 2)),
        ("_5", ((1, 2),)),
        ("x", ((2, 1),)),
    ]
    assert len(trace) == 6
    assert repr(trace) == "<Trace solve_x on mirror train 0 | 6 of 6 steps | ok>"
    assert trace.outcome.value == ((2, 1),)


def test_a_trace_stops_before_the_step_that_failed():
    trace = traced(FAILS)
    assert [step.target for step, _ in trace] == ["a"]
    assert repr(trace) == "<Trace solve_x on mirror train 0 | 1 of 3 steps | raised>"
    assert (trace.outcome.status, trace.outcome.error) == (Status.RAISED, "ZeroDivisionError")


@pytest.mark.parametrize(
    ("lines", "limits", "text", "mark"),
    [
        (STEPS, LIMITS, "equal", Mark.EQUAL),
        (SAME, LIMITS, "different: 2 of 2 cells differ", Mark.DIFFERENT),
        (("x = dmirror(I)",), LIMITS, "different: shape 2 × 1, expected 1 × 2", Mark.DIFFERENT),
        (("x = size(I)",), LIMITS, "different: an int, not a grid", Mark.DIFFERENT),
        (("x = compose(first, last)",), LIMITS, "different: compose(first, last), not a grid", Mark.DIFFERENT),
        (RAISES, LIMITS, "raised StopIteration: first of an empty tuple", Mark.ERROR),
        (
            ("n = size(I)", "x = n(I)"),
            LIMITS,
            "raised TypeError: an int is called, which is not a function",
            Mark.ERROR,
        ),
        (
            STEPS,
            Limits(steps=3),
            "over budget: more than 3 steps, or a value of more than 2,000,000 items",
            Mark.ERROR,
        ),
    ],
)
def test_the_verdict_tells_what_came_of_it(lines: tuple[str, ...], limits: Limits, text: str, mark: Mark):
    assert traced(lines, limits=limits).verdict == Caption(text, mark)


def test_the_verdict_is_open_where_the_output_is_unknown():
    unanswered = samples_of(tasks_from_dict(plain_tasks(answers=False)))[2]
    trace = trace_sample(deck(solve_x=STEPS)[0], unanswered, LIMITS)
    assert trace.verdict == Caption("expected output unknown")


def test_the_picture_has_the_definition_every_step_and_the_result():
    rows = traced(STEPS).picture.scene.rows
    assert [row.title for row in rows] == [
        "def solve_x(I)",
        "a = vmirror(I)",
        "f = compose(first, last)",
        "_3 = f(a)",
        "b = (a, _3)",
        "_5 = vmirror(a)",
        "x = vmirror(_5)",
        "return x",
    ]


def test_the_picture_names_the_pair():
    assert traced(STEPS).picture.scene.title == "solve_x on mirror train 0"


def test_function_steps_are_drawn_as_their_printed_form():
    picture = traced(STEPS).picture
    (panel,) = picture.scene.rows[2].parts
    assert isinstance(panel, Panel)
    assert read(panel.value).text == "compose(first, last)"
    for drawn in (repr(picture), svg(picture.scene), picture._repr_html_()):
        assert drawn.count("compose(first, last)") == 2  # the step and its value
        assert "not a value" not in drawn


def test_the_picture_of_a_failed_trace_ends_with_the_step_that_failed_and_why():
    rows = traced(FAILS).picture.scene.rows
    assert [row.title for row in rows] == ["def solve_x(I)", "a = vmirror(I)", "dead = divide(1, 0)"]
    assert rows[-1].caption == Caption("raised ZeroDivisionError: divide by zero", Mark.ERROR)
    assert [row.is_failed for row in rows] == [False, False, True]


def test_the_picture_of_a_trace_that_differs_ends_with_the_expected_output_and_the_wrong_cells():
    row = traced(("x = replace(vmirror(I), 1, 5)",)).picture.scene.rows[-1]
    assert row.title == "return x"
    assert row.caption == Caption("different: 1 of 2 cells differ", Mark.DIFFERENT)
    assert row.parts == (Panel("output", ((2, 5),), wrong=frozenset({(0, 1)})), Panel("expected", ((2, 1),)))


def test_a_result_too_large_for_the_budget_fails_where_it_is_returned():
    rows = traced(("x = I", *["x = astuple(x, x)"] * 30)).picture.scene.rows
    assert rows[-1].title == "return x"
    assert rows[-1].is_failed


def test_the_picture_of_a_trace_that_timed_out_tells_so():
    rows = traced(STUCK, limits=Limits(wall_s=0.3)).picture.scene.rows
    assert [row.title for row in rows] == ["def solve_x(I)", ""]
    assert rows[-1].caption == Caption("timed out: no result within 0.3 s", Mark.ERROR)


def test_a_trace_shows_itself_in_a_notebook():
    assert "<svg" in traced(STEPS)._repr_html_()


def titles(solver: str, task: Task) -> list[list[str]]:
    """The panels of every row of a picture of a result."""
    lines = {"mirror": ("x = vmirror(I)",), "same": SAME, "fails": RAISES}
    scene = show_result(deck(**{solver: lines[solver]})[0], task, LIMITS).scene
    assert scene.title == f"{solver} on {task.id}"
    return [[part.title for part in row.parts if hasattr(part, "title")] for row in scene.rows]


def test_a_result_that_is_equal_shows_the_output():
    assert titles("mirror", TASKS["mirror"]) == [["input", "output"]] * 3


def test_a_result_that_differs_shows_what_was_expected():
    assert titles("same", TASKS["mirror"]) == [["input", "output", "expected"]] * 3


def test_a_result_without_a_value_shows_what_was_expected_and_no_output():
    assert titles("fails", TASKS["mirror"]) == [["input", "expected"]] * 3
    unanswered = tasks_from_dict(plain_tasks(answers=False))["mirror"]
    assert titles("fails", unanswered) == [["input", "expected"]] * 2 + [["input"]]


def test_a_result_that_fails_names_the_step_and_the_cause():
    (row, *_) = show_result(deck(solve_x=FAILS)[0], TASKS["mirror"], LIMITS).scene.rows
    assert row.caption == Caption("dead = divide(1, 0)\nraised ZeroDivisionError: divide by zero", Mark.ERROR)


def test_a_result_that_differs_marks_the_wrong_cells():
    (_, row, _) = show_result(deck(solve_x=SAME)[0], TASKS["mirror"], LIMITS).scene.rows
    (output,) = [part for part in row.parts if isinstance(part, Panel) and part.title == "output"]
    assert output.wrong == {(0, 0), (0, 2)}
    assert row.caption == Caption("different: 2 of 3 cells differ", Mark.DIFFERENT)


@given(tiny_grids, tiny_grids)
def test_the_wrong_cells_of_grids_of_one_shape_are_those_that_are_counted(value: Any, expected: Any):
    places = wrong_cells(value, expected)
    if shape_of(value) == shape_of(expected):
        assert len(places) == differing_cells(value, shape_of(value), expected)
        assert all(value[i][j] != expected[i][j] for i, j in places)
        assert difference(value, expected).startswith(f"{len(places)} of ")
    else:
        assert not places
        assert difference(value, expected).startswith("shape ")


def test_a_helper_and_a_solver_of_three_are_traced():
    helper = "def twice(g):\n    return vmirror(vmirror(g))\n\n\n"
    text = helper + source("solve_x", "x = (twice(I), S, C)", params="S, I, C")
    solver = Deck.from_sources({"solve_x": text})[0]
    trace = trace_sample(solver, samples_of(TASKS)[0], LIMITS)
    assert json.dumps(trace.outcome.value) == "[[[1, 2]], [[[[1, 2]], [[2, 1]]], [[[3, 4, 5]], [[5, 4, 3]]]], null]"
    assert trace.picture.scene.rows[0].title == "def solve_x(S, I, C)"
