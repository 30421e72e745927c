"""One evaluation: its budget, its errors, its arguments."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from batt.ir import Step
from batt.ops import METER
from batt.runtime import ERROR_KINDS, Limits, Outcome, Status, evaluate_one
from handmade import MIRROR, RAISES, program, sample

LIMITS = Limits(steps=100_000, max_items=10_000)


def run(*lines: str, params: str = "I", limits: Limits = LIMITS) -> Outcome:
    return evaluate_one(program(*lines, params=params), sample(), limits)


def test_a_value_comes_with_its_steps():
    outcome = run(*MIRROR)
    assert (outcome.status, outcome.error, outcome.value) == (Status.OK, "", ((2, 1),))
    assert outcome.steps > 0


def test_the_budget_ends_a_call_that_would_run_on():
    outcome = run("x = vmirror", *["x = compose(x, x)"] * 40, "x = x(I)")
    assert (outcome.status, outcome.error, outcome.value) == (Status.OVER_BUDGET, "", None)
    assert outcome.steps <= LIMITS.steps


def test_making_a_function_that_would_run_on_costs_little():
    assert run("x = vmirror", *["x = compose(x, x)"] * 40).status is Status.OK


def test_a_value_of_too_many_items_is_over_budget():
    assert run("x = I", *["x = combine(x, x)"] * 40).status is Status.OVER_BUDGET


def test_a_result_that_repeats_its_parts_endlessly_is_over_budget():
    outcome = run("x = I", *["x = astuple(x, x)"] * 60)
    assert (outcome.status, outcome.value) == (Status.OVER_BUDGET, None)


def test_a_part_that_repeats_endlessly_but_is_not_the_result_costs_nothing():
    assert run("x = I", *["x = astuple(x, x)"] * 60, "x = vmirror(I)").status is Status.OK


def test_a_huge_canvas_is_refused_before_it_is_made():
    assert run("x = canvas(0, (1000000000, 1000000000))").status is Status.OVER_BUDGET


@pytest.mark.parametrize(
    "lines",
    [
        MIRROR,
        ("x = objects(I, T, T, F)",),
        ("f = compose(vmirror, vmirror)", "x = f(I)"),
        ("x = apply(vmirror, (I, I))",),
    ],
)
def test_the_step_count_is_the_least_budget_that_is_enough(lines: tuple[str, ...]):
    steps = run(*lines).steps
    assert run(*lines, limits=Limits(steps=steps)).status is Status.OK
    assert run(*lines, limits=Limits(steps=steps - 1)).status is Status.OVER_BUDGET


@pytest.mark.parametrize(
    "lines",
    [MIRROR, RAISES, ("x = objects(I, T, T, F)",), ("x = vmirror", *["x = compose(x, x)"] * 40, "x = x(I)")],
)
def test_steps_and_outcome_are_the_same_on_every_run(lines: tuple[str, ...]):
    assert run(*lines) == run(*lines) == run(*lines)


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("TypeError", "x = add(I, identity)"),
        ("ValueError", "x = last(())"),
        ("IndexError", "x = double(())"),
        ("KeyError", "x = urcorner(initset((1, 2, 3)))"),
        ("AttributeError", "x = dedupe(initset(1))"),
        ("StopIteration", "x = first(())"),
        ("RuntimeError", "x = sfilter(((),), first)"),
        ("RecursionError", "x = power(vmirror, 901)"),
        ("ZeroDivisionError", "x = divide(1, 0)"),
    ],
)
def test_an_error_of_a_primitive_is_an_outcome(kind: str, line: str):
    outcome = run(line)
    assert (outcome.status, outcome.error, outcome.value) == (Status.RAISED, kind, None)
    assert kind in ERROR_KINDS


def test_the_first_error_in_line_order_decides_dead_lines_included():
    assert run("dead = divide(1, 0)", "x = first(())").error == "ZeroDivisionError"
    assert run("x = first(())", "dead = divide(1, 0)").error == "StopIteration"
    assert run("dead = divide(1, 0)", "x = vmirror(I)").error == "ZeroDivisionError"


def test_the_budget_and_an_error_come_in_line_order():
    runaway = ("f = vmirror", *["f = compose(f, f)"] * 40, "dead = f(I)")
    assert run(*runaway, "x = first(())").status is Status.OVER_BUDGET
    assert run("x = first(())", *runaway).error == "StopIteration"


def test_nested_calls_raise_in_the_order_of_evaluation():
    assert run("x = astuple(divide(1, 0), first(()))").error == "ZeroDivisionError"
    assert run("x = astuple(first(()), divide(1, 0))").error == "StopIteration"


def test_a_solver_of_three_gets_demonstrations_input_and_no_candidate():
    outcome = run("x = (S, I, C)", params="S, I, C")
    assert outcome.value == (sample().demonstrations, sample().input, None)


def test_functions_may_call_one_another_900_deep():
    assert run("f = power(vmirror, 900)", "x = f(I)").status is Status.OK
    deeper = ("f = compose(vmirror, vmirror)", *["f = compose(vmirror, f)"] * 900)
    assert run(*deeper, "x = f(I)").error == "RecursionError"


@pytest.mark.parametrize("lines", [MIRROR, RAISES, ("x = vmirror", *["x = compose(x, x)"] * 40, "x = x(I)")])
def test_the_meter_is_endless_after_an_evaluation(lines: tuple[str, ...]):
    run(*lines)
    assert (METER.steps_left, METER.max_items, METER.depth) == (sys.maxsize, sys.maxsize, 0)


@pytest.mark.parametrize("error", [KeyboardInterrupt, AssertionError])
def test_what_is_no_error_of_a_primitive_passes_through_and_leaves_the_meter_endless(error: type[BaseException]):
    def interrupt(step: Step, value: Any) -> None:
        raise error

    with pytest.raises(error):
        evaluate_one(program(*MIRROR), sample(), LIMITS, interrupt)
    assert (METER.steps_left, METER.max_items) == (sys.maxsize, sys.maxsize)


def test_an_observer_sees_every_value_up_to_the_first_error():
    seen: list[tuple[str, Any]] = []
    lines = ("a = vmirror(I)", "b = size(a)", "x = first(())", "c = vmirror(I)")
    evaluate_one(program(*lines), sample(), LIMITS, lambda step, value: seen.append((step.target, value)))
    assert seen == [("a", ((2, 1),)), ("b", 1)]
