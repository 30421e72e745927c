"""Step costs and the budget of an evaluation. Owns what a step is; knows no op by name.

A step count is part of an evaluation's meaning, so every engine must reach the same number: it depends on the sizes of
values only, and a size is something that every representation knows without walking the value. There is one meter per
process, because the reference engine runs one evaluation at a time; outside an engine it has no limit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeAlias

MAX_DEPTH = 900
"""Function values calling one another more deeply than this is a RecursionError, by rule."""

Cost: TypeAlias = Callable[..., int]


class OverBudget(BaseException):
    """The evaluation used up its steps or made a value of too many items. Not an Exception: no op may catch it."""


class Meter:
    """Steps left to the evaluation under way, the most items that one value may have, and the depth of calls."""

    __slots__ = ("depth", "max_items", "steps_left")

    def __init__(self) -> None:
        self.reset()

    def reset(self, steps: int = sys.maxsize, max_items: int = sys.maxsize) -> None:
        """Begin an evaluation with this budget, by default an endless one."""
        self.steps_left = steps
        self.max_items = max_items
        self.depth = 0


METER = Meter()


def items(value: Any) -> int:
    """The size of a value: cells of a grid, items of any other container, 0 of all else.

    A tuple counts as its length times that of its first item, where that is a tuple with items.
    """
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple):
            return len(value) * max(1, len(value[0]))
        return len(value)
    return len(value) if isinstance(value, frozenset) else 0


def cells(value: Any) -> int:
    """Rows and values in all rows of a grid, also of a ragged one, for ops that lengthen rows; else the size."""
    if isinstance(value, tuple):
        return len(value) + sum([len(row) for row in value if isinstance(row, tuple | frozenset)])
    return items(value)


def whole(value: Any) -> int:
    """A number given as a count: the int itself where it is a positive one, else 0."""
    return int(value) if isinstance(value, int) and value > 0 else 0


def unit(*args: Any) -> int:
    """The cost of an op whose work does not grow with its arguments: one step."""
    return 1


def charge(steps: int) -> None:
    """Take steps from the budget, or end the evaluation."""
    METER.steps_left -= steps
    if METER.steps_left < 0:
        raise OverBudget


def enter() -> None:
    """Begin a call of a function value: one level deeper. It costs nothing itself, since it ends in calls of ops."""
    if METER.depth >= MAX_DEPTH:
        raise RecursionError("functions call one another too deeply")
    METER.depth += 1


def leave() -> None:
    """End a call of a function value, however it ended."""
    METER.depth -= 1
