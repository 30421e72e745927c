"""A sample: what a solver runs on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from batt.types.kinds import Grid


class Split(Enum):
    """The half of a task that a pair belongs to: demonstrations, or pairs to solve."""

    TRAIN = "train"
    TEST = "test"


@dataclass(frozen=True, slots=True)
class Sample:
    """One pair of a task with the task's demonstrations.

    The expected output is for scoring only. A solver of the form (S, I, C) gets None for C: only a differ gets a
    candidate.
    """

    task: str
    part: Split
    index: int
    demonstrations: tuple[tuple[Grid, Grid], ...]
    input: Grid
    expected: Grid | None

    def arguments(self, arity: int) -> tuple[Any, ...]:
        """Return the arguments for a solver with `arity` parameters."""
        return (self.input,) if arity == 1 else (self.demonstrations, self.input, None)
