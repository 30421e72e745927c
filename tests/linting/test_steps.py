"""Dead lines and unread parameters; what is said to raise no error raises none."""

from __future__ import annotations

from typing import Any

import pytest

from batt.check.generate import random_source
from batt.front import Deck
from batt.ir import Program
from batt.linting.steps import cannot_fail, dead_lines, unread_parameters
from batt.ops import METER, RAISABLE, OverBudget
from handmade import program

GRID = ((1, 2, 0), (3, 0, 0))
DEMONSTRATIONS = ((((1,),), ((2,),)), (GRID, GRID))


def dead(*lines: str, params: str = "I") -> list[tuple[str, bool, bool]]:
    found = dead_lines(program(*lines, params=params), is_solver=True)
    return [(each.target, each.is_read, each.can_fail) for each in found]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["x = vmirror(I)"], []),
        (["y = vmirror(I)", "x = I"], [("y", False, False)]),
        (["y = argmax(I, size)", "x = I"], [("y", False, True)]),
        (["y = vmirror(I)", "z = hmirror(y)", "x = I"], [("y", True, False), ("z", False, False)]),
        (["x = vmirror(I)", "x = I"], [("x", False, False)]),
        (["y = vmirror(first(I))", "x = I"], [("y", False, True)]),
        (["y = (1, I)", "x = I"], [("y", False, False)]),
        (["y = compose(first, last)", "x = I"], [("y", False, False)]),
        (["y = lbind(fill, I)", "x = I"], [("y", False, False)]),
        (["y = compose(first, last)", "z = rbind(y, I)", "x = I"], [("y", True, False), ("z", False, False)]),
        (["y = rbind(I, I)", "x = I"], [("y", False, True)]),
        (["y = power(vmirror, 0)", "x = I"], [("y", False, True)]),
        (["y = rbind(I, I)", "z = lbind(y, I)", "x = I"], [("y", True, True), ("z", False, False)]),
        (["y = power(first, 2)", "z = lbind(y, I)", "x = I"], [("y", True, True), ("z", False, False)]),
        (["y = power(I, 1)", "z = lbind(y, I)", "x = I"], [("y", True, True), ("z", False, True)]),
        (["y = apply(first, asobject(I))", "z = size(y)", "x = I"], [("y", True, True), ("z", False, False)]),
        (["_ = vmirror(I)", "_unread = hmirror(I)", "x = I"], []),
    ],
)
def test_a_named_value_that_does_not_reach_the_result_is_dead(lines: list[str], expected: list[Any]):
    assert dead(*lines) == expected


def test_of_a_helpers_parameters_nothing_is_known():
    made = program("y = vmirror(I)", "x = I")
    assert cannot_fail(made, is_solver=True) == [True]
    assert cannot_fail(made, is_solver=False) == [False]


def test_parameters_that_no_step_reads_are_unread():
    assert unread_parameters(program("x = vmirror(I)", params="S, I, C")) == ["S", "C"]
    assert unread_parameters(program("x = I")) == []
    assert unread_parameters(program("x = 3")) == ["I"]


def first_failing_step(made: Program) -> int:
    """The position of the step that raises an error, or the number of steps."""
    done: list[Any] = []
    args = (DEMONSTRATIONS, GRID, None) if made.arity == 3 else (GRID,)
    METER.reset(20_000, 2_000)
    try:
        made.run(args, observe=lambda step, value: done.append(step))
    except OverBudget:
        return len(made.steps)
    except RAISABLE:
        return len(done)
    finally:
        METER.reset()
    return len(made.steps)


@pytest.mark.parametrize("seed", range(150))
def test_a_step_that_cannot_raise_an_error_raises_none(seed: int):
    made = Deck.from_sources({"solve": random_source(seed)})[0].program
    failing = first_failing_step(made)
    assert failing == len(made.steps) or not cannot_fail(made, is_solver=True)[failing]
