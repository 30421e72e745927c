"""Step costs and the budget of an evaluation.

A step count is part of an evaluation's meaning, so every engine must reach the same number: it depends only on the
sizes of values, which every representation knows without walking the value. There is one meter per process, because
the reference engine runs one evaluation at a time; outside an engine it has no limit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeAlias

MAX_DEPTH = 900
"""Function values that call one another more deeply than this raise RecursionError, by rule."""

Cost: TypeAlias = Callable[..., int]


class OverBudget(BaseException):
    """The evaluation exceeded its steps, or made a value with too many items. Not an Exception: no op may catch it."""


class Meter:
    """The remaining steps of the current evaluation, the most items of one value, and the depth of calls."""

    __slots__ = ("depth", "max_items", "steps_left")

    def __init__(self) -> None:
        self.reset()

    def reset(self, steps: int = sys.maxsize, max_items: int = sys.maxsize) -> None:
        """Begin an evaluation with this budget; the default is no limit."""
        self.steps_left = steps
        self.max_items = max_items
        self.depth = 0


METER = Meter()


def items(value: Any) -> int:
    """Return the size of a value: the cells of a grid, the items of any other container, else 0.

    A tuple counts as its length times that of its first item, if that is a tuple with items.
    """
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple):
            return len(value) * max(1, len(value[0]))
        return len(value)
    return len(value) if isinstance(value, frozenset) else 0


def cells(value: Any) -> int:
    """Return the rows and values of a grid, even a ragged one, for ops that lengthen rows; else the size."""
    if isinstance(value, tuple):
        return len(value) + sum([len(row) for row in value if isinstance(row, tuple | frozenset)])
    return items(value)


def whole(value: Any) -> int:
    """Return a number used as a count: the int itself if it is positive, else 0."""
    return int(value) if isinstance(value, int) and value > 0 else 0


def unit(*args: Any) -> int:
    """Return 1: the cost of an op whose work does not grow with its arguments."""
    return 1


def charge(steps: int) -> None:
    """Take `steps` from the budget, or end the evaluation."""
    METER.steps_left -= steps
    if METER.steps_left < 0:
        raise OverBudget


def enter() -> None:
    """Begin a call of a function value: one level deeper. It costs nothing itself, since it ends in calls of ops."""
    if METER.depth >= MAX_DEPTH:
        raise RecursionError("functions call one another too deeply")
    METER.depth += 1


def leave() -> None:
    """End a call of a function value, also after an error."""
    METER.depth -= 1
