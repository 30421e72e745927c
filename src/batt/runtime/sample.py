"""A sample: what a solver runs on."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from batt.types.kinds import Grid

GridPair: TypeAlias = tuple[Grid, Grid | None]
"""An input and its expected output, which may be unknown."""


class Split(Enum):
    """The half of a task that a pair belongs to: demonstrations, or pairs to solve."""

    TRAIN = "train"
    TEST = "test"


@dataclass(frozen=True, slots=True)
class Sample:
    """One pair of a task with the task's demonstrations.

    The expected output is for scoring only. A solver of the form (S, I, C) gets None for C: only a differ gets a
    candidate. `parameters` are the values of P0, P1 and so on for programs that have parameters.
    """

    task: str
    part: Split
    index: int
    demonstrations: tuple[tuple[Grid, Grid], ...]
    input: Grid
    expected: Grid | None
    parameters: tuple[Any, ...] = ()

    def arguments(self, arity: int) -> tuple[Any, ...]:
        """Return the arguments for a program with `arity` parameters: I, or S, I, C and P0, P1 and so on.

        A parameter that the sample has no value for is None; values of further parameters are ignored.
        """
        if arity == 1:
            return (self.input,)
        count = max(arity - 3, 0)
        missing = (None,) * (count - len(self.parameters))
        return (self.demonstrations, self.input, None, *self.parameters[:count], *missing)


class TaskSamples(Sequence[Sample]):
    """Samples without parameters that are made on demand: each pair of a task with the task's demonstrations."""

    @abstractmethod
    def pairs(self) -> Iterator[tuple[Sequence[GridPair], int]]:
        """Yield the pairs of each task, in the order of the samples, and how many of them, the first, are shown."""
