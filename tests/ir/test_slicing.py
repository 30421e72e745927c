"""A program sliced at a slot."""

from __future__ import annotations

import random

import pytest

from batt.bench.frozen import first_132
from batt.errors import UsageError
from batt.ir import Slot, slice_program
from batt.ir.slicing import live_slots
from batt.runtime import Limits, Status, evaluate_one, trace
from handmade import program, sample

LIMITS = Limits(steps=50_000, max_items=5_000)


def test_steps_that_the_slot_does_not_need_are_removed():
    whole = program(
        "x1 = vmirror(I)", "x2 = hmirror(I)", "x3 = hconcat(x1, x1)", "x4 = first(())", "x = vconcat(x3, x2)"
    )
    assert slice_program(whole, 3) == program("x1 = vmirror(I)", "x = hconcat(x1, x1)")
    assert live_slots(whole) == {0, 1, 2, 3, 5}


def test_a_slice_at_the_last_slot_of_a_program_without_dead_steps_is_the_program():
    whole = program("x1 = vmirror(I)", "x = hconcat(x1, I)")
    assert slice_program(whole, 2) == whole


def test_a_slice_at_a_parameter_has_no_steps():
    sliced = slice_program(program("x = vmirror(I)", params="S, I, C"), 1)
    assert sliced.steps == ()
    assert sliced.result == Slot(1)


def test_a_function_that_a_step_calls_is_kept():
    whole = program("f = compose(vmirror, hmirror)", "y = size(I)", "x = f(I)")
    assert slice_program(whole, 3) == program("f = compose(vmirror, hmirror)", "x = f(I)")


@pytest.mark.parametrize("slot", [-1, 3])
def test_a_slot_that_is_not_there_is_refused(slot: int):
    with pytest.raises(UsageError, match="3 slots"):
        slice_program(program("x1 = vmirror(I)", "x = hmirror(x1)"), slot)


def test_a_slice_gives_the_value_that_the_slot_has_in_the_program():
    given = sample(((0, 2, 2), (0, 0, 2), (1, 0, 0)))
    compared = 0
    for solver in random.Random(2).sample(list(first_132()), 60):
        values, _ = trace(solver.program, given, LIMITS)
        for at, value in enumerate(values):
            outcome = evaluate_one(slice_program(solver.program, solver.program.arity + at), given, LIMITS)
            assert outcome.status is Status.OK
            if value == value and not callable(value) and type(value).__name__ != "Printed":
                assert outcome.value == value
                compared += 1
    assert compared > 100
