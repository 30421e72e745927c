"""Run one evaluation in plain Python. This defines the outcome of a program on a sample."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from batt.ir import Program, Step
from batt.ops import METER, RAISABLE, OverBudget
from batt.ops.causes import explain_error
from batt.runtime.outcome import Limits, Outcome, Status
from batt.runtime.sample import Sample
from batt.types.plain import weight

FRAMES = 12_000
"""Python frames for the deepest allowed calls of function values, with some to spare."""


def evaluate_one(
    program: Program, sample: Sample, limits: Limits, observe: Callable[[Step, Any], None] | None = None
) -> Outcome:
    """Run a program on a sample within the budget. With `observe`, the outcome also says why there is no value."""
    return outcome_of(lambda: program.run(sample.arguments(program.arity), observe), limits, observe is not None)


def outcome_of(work: Callable[[], Any], limits: Limits, explain: bool = False) -> Outcome:
    """Run `work` within the budget. Return its value, the error of a primitive, or that it was over budget."""
    if sys.getrecursionlimit() < FRAMES:
        sys.setrecursionlimit(FRAMES)
    METER.reset(limits.steps, limits.max_items)
    status, error, value, cause = Status.OK, "", None, ""
    try:
        value = work()
    except RAISABLE as raised:
        status, error = Status.RAISED, type(raised).__name__
        cause = explain_error(raised) if explain else ""
    except OverBudget:
        status = Status.OVER_BUDGET
    finally:
        steps = limits.steps - max(METER.steps_left, 0)
        METER.reset()
    if weight(value, limits.max_items) > limits.max_items:
        status, value = Status.OVER_BUDGET, None
    if explain and status is Status.OVER_BUDGET:
        cause = f"more than {limits.steps:,} steps, or a value of more than {limits.max_items:,} items"
    # An evaluation over budget counts as all of its steps, whichever limit it met.
    return Outcome(status, error, value, limits.steps if status is Status.OVER_BUDGET else steps, cause)
