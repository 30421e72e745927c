"""What an evaluation comes to. Owns statuses, error kinds, budgets and the packed record of one outcome."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from batt.errors import UsageError
from batt.ops import RAISABLE

RECORD = struct.Struct("<BBBQ")
"""One packed outcome: status, error kind, equality, hash."""

ERROR_KINDS = ("", *[kind.__name__ for kind in RAISABLE])
"""Error kinds by number; 0 stands for none."""

_NUMBERS = {name: number for number, name in enumerate(ERROR_KINDS)}


class Status(IntEnum):
    """How an evaluation ended. `TIMED_OUT` is the guard's doing, and so no part of a program's meaning."""

    OK = 0
    RAISED = 1
    OVER_BUDGET = 2
    TIMED_OUT = 3

    @property
    def word(self) -> str:
        """The status as exports write it."""
        return self.name.lower()


class Equality(IntEnum):
    """Whether the value equals the expected output; unknown where none is given."""

    NO = 0
    YES = 1
    UNKNOWN = 2


@dataclass(frozen=True, slots=True)
class Limits:
    """The budget of one evaluation. Steps and items are part of its meaning; the clock is only a guard."""

    steps: int = 10_000_000
    max_items: int = 2_000_000
    wall_s: float = 30.0

    def __post_init__(self) -> None:
        for name, limit in (("steps", self.steps), ("items", self.max_items), ("seconds", self.wall_s)):
            # Not `limit <= 0`: a NaN is no limit either.
            if not limit > 0:
                raise UsageError(f"the limit of {name} must be greater than zero, got {limit:g}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Status, error kind, and the value where there is one."""

    status: Status
    error: str = ""
    value: Any = None
    steps: int = 0

    @property
    def error_number(self) -> int:
        """The error kind as records pack it."""
        return _NUMBERS[self.error]
