"""The outcome of an evaluation: its status, its kind of error, its budget, and its score."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from enum import IntEnum
from operator import eq
from typing import Any

from batt.bytecode.abi import Ended
from batt.errors import UsageError
from batt.ops import RAISABLE

RECORD = struct.Struct("<BBBQIHH")
"""One packed outcome: status, error kind, equality, hash, differing cells, height, width."""

MAX_SIDE, MAX_DIFFERING = 2**16 - 1, 2**32 - 1

ERROR_KINDS = ("", *[kind.__name__ for kind in RAISABLE])
"""Error kinds by number; 0 means no error."""

_INTS = {int, bool}
_NUMBERS = {name: number for number, name in enumerate(ERROR_KINDS)}


class Status(IntEnum):
    """The end of an evaluation.

    A guard of time or memory causes `TIMED_OUT`, which says nothing about the program. `NOT_RUN` is the status of an
    evaluation that was not run because of an interrupt, and `SKIPPED` that of one that was not run because the solver
    got an earlier demonstration of the task wrong; neither is exported. `Ended` has more statuses, for deferred
    evaluations.
    """

    OK = Ended.OK
    RAISED = Ended.RAISED
    OVER_BUDGET = Ended.OVER_BUDGET
    TIMED_OUT = Ended.TIMED_OUT
    SKIPPED = Ended.SKIPPED
    NOT_RUN = Ended.NOT_RUN

    @property
    def word(self) -> str:
        """Return the status as exports write it."""
        return self.name.lower()


RAN = (Status.OK, Status.RAISED, Status.OVER_BUDGET, Status.TIMED_OUT)
"""The statuses of evaluations that were run, the lowest numbers."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The budget of one evaluation. Steps and items are part of its meaning; the clock and memory are only guards."""

    steps: int = 100_000_000
    max_items: int = 2_000_000
    wall_s: float = 30.0
    memory_bytes: int = 4 << 30

    def __post_init__(self) -> None:
        named = {"steps": self.steps, "items": self.max_items, "seconds": self.wall_s, "bytes": self.memory_bytes}
        for name, limit in named.items():
            # Not `limit <= 0`, which would accept a NaN.
            if not limit > 0:
                raise UsageError(f"the limit of {name} must be greater than zero, got {limit:g}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Status, error kind, value and steps; in a trace also the `cause` of a missing value, in plain words."""

    status: Status
    error: str = ""
    value: Any = None
    steps: int = 0
    cause: str = field(default="", compare=False)

    @property
    def error_number(self) -> int:
        """Return the number of the error kind."""
        return _NUMBERS[self.error]


def shape_of(value: Any) -> tuple[int, int]:
    """Return height and width of a rectangle of ints with sides of 1 … 65535; (0, 0) for anything else."""
    if not isinstance(value, tuple) or not 1 <= len(value) <= MAX_SIDE:
        return 0, 0
    width = len(value[0]) if isinstance(value[0], tuple) else 0
    if not 1 <= width <= MAX_SIDE:
        return 0, 0
    for row in value:
        if not isinstance(row, tuple) or len(row) != width or not set(map(type, row)) <= _INTS:
            return 0, 0
    return len(value), width


def differing_cells(value: Any, shape: tuple[int, int], expected: Any) -> int:
    """Count the cells of both rectangles together that differ; what is not a grid counts as an empty one."""
    wanted = shape_of(expected)
    rows, columns = min(shape[0], wanted[0]), min(shape[1], wanted[1])
    alike = sum([sum(map(eq, row, other)) for row, other in zip(value, expected, strict=False)]) if rows else 0
    return min(area(shape) + area(wanted) - rows * columns - alike, MAX_DIFFERING)


def area(shape: tuple[int, int]) -> int:
    """Return the number of cells of a rectangle."""
    return shape[0] * shape[1]
