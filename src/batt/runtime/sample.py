"""A sample: what a solver is run on. Knows nothing of where tasks come from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from batt.types.kinds import Grid


class Split(Enum):
    """Whether a pair is one of the demonstrations or one to be solved."""

    TRAIN = "train"
    TEST = "test"


@dataclass(frozen=True, slots=True)
class Sample:
    """One pair of a task with the task's demonstrations.

    The expected output is for scoring alone. A solver of the form (S, I, C) gets None for C: only a differ is handed
    a candidate.
    """

    task: str
    part: Split
    index: int
    demonstrations: tuple[tuple[Grid, Grid], ...]
    input: Grid
    expected: Grid | None

    def arguments(self, arity: int) -> tuple[Any, ...]:
        """What a solver of that many parameters is called with."""
        return (self.input,) if arity == 1 else (self.demonstrations, self.input, None)
