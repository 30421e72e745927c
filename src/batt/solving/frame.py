"""A task as a search sees it: inputs, demonstrations, and never a test output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from batt.runtime import Sample, Split
from batt.solving.expressions import INPUT, Expression
from batt.solving.running import Array
from batt.tasks import Task
from batt.types.kinds import Grid


def as_grid(array: Array) -> Grid:
    """Return an array as a grid of the language."""
    return tuple([tuple(row) for row in array.tolist()])


@dataclass(frozen=True, eq=False)
class GridState:
    """A grid for every sample of a task, with the expression that makes it and the number of its steps.

    `is_count` tells whether its cells are numbers that can be compared, not colours.
    """

    expression: Expression
    values: tuple[Array, ...]
    steps: int
    is_count: bool = False

    @cached_property
    def key(self) -> bytes:
        """Return bytes that are equal for equal values."""
        return b"".join([bytes(each.shape) + each.tobytes() for each in self.values])

    @cached_property
    def cells(self) -> Array:
        """Return the cells of all samples, one after the other."""
        return np.concatenate([value.ravel() for value in self.values])


class TaskFrame:
    """The samples of a task: its demonstrations first, then its test inputs, whose outputs are not here.

    On demonstration i, S holds the other demonstrations: a program that reads S must not see the output it is to make.
    """

    def __init__(self, task: Task) -> None:
        self.id = task.id
        self.inputs: list[Grid] = [pair.input for pair in task.pairs]
        self.outputs: list[Grid] = [output for _, output in task.demonstrations]
        self.train = len(task.train)
        shown = task.demonstrations
        self.shown: list[Any] = [
            shown[:at] + shown[at + 1 :] if at < self.train and self.train > 1 else shown
            for at in range(len(self.inputs))
        ]
        self.targets = [np.array(grid, np.uint8) for grid in self.outputs]

    @property
    def size(self) -> int:
        """Return the number of samples."""
        return len(self.inputs)

    @cached_property
    def input(self) -> GridState:
        """Return the state that is the input itself."""
        return GridState(INPUT, tuple([np.array(grid, np.uint8) for grid in self.inputs]), 0)

    @cached_property
    def colours(self) -> list[int]:
        """Return the colours of the demonstrations."""
        return sorted({cell for at in range(self.train) for grid in self._pair(at) for row in grid for cell in row})

    @cached_property
    def target_colours(self) -> list[int]:
        """Return the colours of the demonstrations' outputs."""
        return sorted({cell for grid in self.outputs for row in grid for cell in row})

    @cached_property
    def lost_colours(self) -> set[int]:
        """Return the colours that every input of a demonstration has, and no output."""
        inputs = [{cell for row in self.inputs[at] for cell in row} for at in range(self.train)]
        return set.intersection(*inputs) - {*self.target_colours}

    def _pair(self, at: int) -> tuple[Grid, Grid]:
        return self.inputs[at], self.outputs[at]

    def samples(self, grids: Sequence[Grid] | None = None, shown: Any = None, first: int | None = None) -> list[Sample]:
        """Return samples with `grids` in place of the inputs, and `shown` in place of S; only the `first` ones."""
        made = []
        for at, grid in enumerate(self.inputs if grids is None else grids):
            expected = self.outputs[at] if at < self.train else None
            made.append(Sample(self.id, Split.TRAIN, at, self.shown[at] if shown is None else shown, grid, expected))
        return made[:first]

    def has_target_shape(self, state: GridState) -> bool:
        """Tell whether a state has the size of the output on every demonstration."""
        return all(value.shape == target.shape for value, target in zip(state.values, self.targets, strict=False))
