"""Names of solvers."""

from __future__ import annotations

import pytest

from batt.front.naming import identifier, solver_name


@pytest.mark.parametrize(
    ("task", "name"),
    [
        ("007bbfb7", "solve_007bbfb7"),
        ("solve_007bbfb7", "solve_007bbfb7"),
        ("verify_x", "verify_x"),
        ("solve", "solve"),
        ("solver", "solve_solver"),
        ("two words", "solve_two words"),
    ],
)
def test_a_task_names_its_solver(task: str, name: str):
    assert solver_name(task) == name


@pytest.mark.parametrize(
    ("name", "of_def"), [("solve_a b", "solve_a_b"), ("x-y", "solve_x_y"), ("verify_é", "verify_é"), ("ﬁ", "solve_fi")]
)
def test_a_solver_can_be_the_name_of_a_definition(name: str, of_def: str):
    assert identifier(name) == of_def
    assert of_def.isidentifier()
