"""The one place where a search runs programs: prepared once, run on any samples, to records and packed grids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.wire import grid_shape
from batt.ir import Program
from batt.jobs.evaluation import Gathering
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Options, Sample, Status
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.job import Job
from batt.runtime.native import missing
from batt.runtime.outputs import OutputStore

Array: TypeAlias = npt.NDArray[np.uint8]

SEARCH_LIMITS = Limits(steps=100_000, max_items=50_000)
"""The budget of an evaluation in a search: a program that needs more is of no use as a part."""
MOST_SIDE = 30
"""The longest side of a grid that may become a state."""
LARGEST_CELL = 100
"""Cells of states are smaller than this; larger ones stand for nothing that a learner reads."""


@dataclass(frozen=True, slots=True, eq=False)
class GridBatch:
    """What programs gave on samples: records by [program, sample], or by pair, and the steps of all together."""

    records: npt.NDArray[Any]
    steps: int
    _outputs: OutputStore | None
    _width: int

    @property
    def is_grid(self) -> npt.NDArray[np.bool_]:
        """Tell which evaluations gave a grid that may become a state."""
        height, width = self.records["height"], self.records["width"]
        sides = (height > 0) & (height <= MOST_SIDE) & (width > 0) & (width <= MOST_SIDE)
        made: npt.NDArray[np.bool_] = (self.records["status"] == Status.OK) & sides
        return made

    def grids(self, program: int) -> list[Array] | None:
        """Return the values of a program, or of a pair, as arrays; None if one is not a grid of small numbers."""
        assert self._outputs is not None, "they were asked for"
        numbers = np.arange(program * self._width, (program + 1) * self._width)
        wires, _ = self._outputs.take(numbers)
        made = [_read(wire) for wire in wires]
        found = [each for each in made if each is not None]
        return found if len(found) == len(made) else None


def _read(wire: bytes) -> Array | None:
    shape = grid_shape(wire)
    if shape is None or 0 in shape:
        return None
    grid = np.frombuffer(wire, np.uint8)[5:].reshape(shape[0], 5 + shape[1])[:, 5:]
    return np.ascontiguousarray(grid) if grid.max() < LARGEST_CELL else None


class PreparedFunctions:
    """Programs that are compiled once and run many times, in this thread."""

    def __init__(self, programs: Sequence[Program], limits: Limits = SEARCH_LIMITS) -> None:
        self._programs = {f"p{number}": program for number, program in enumerate(programs)}
        engine = "reference" if missing() else "cpu"
        self._options = Options(engine=engine, limits=limits, workers=1, compiled=True, share=True)
        self._jobs: dict[bool, Job] = {}

    def __len__(self) -> int:
        return len(self._programs)

    def run(self, samples: Sequence[Sample], outputs: bool = False) -> GridBatch:
        """Run every program on every sample."""
        made = self._run(Evaluations(tuple(samples), len(self)), True, outputs)
        return replace(made, records=made.records.reshape(len(self), len(samples)), _width=len(samples))

    def run_pairs(self, programs: Integers, samples: Sequence[Sample], outputs: bool = False) -> GridBatch:
        """Run the program at `programs[k]` on `samples[k]`."""
        numbers = np.arange(len(samples))
        return self._run(Evaluations(tuple(samples), len(self), programs, numbers), False, outputs)

    def _run(self, evaluations: Evaluations, share: bool, outputs: bool) -> GridBatch:
        options = replace(self._options, share=share, outputs=outputs)
        job = None
        if options.engine != "reference":
            if share not in self._jobs:
                self._jobs[share] = prepare(self._programs, options)
            job = self._jobs[share]
        done = Gathering(self._programs, evaluations, options, job).gather()
        if done.interrupted:
            raise KeyboardInterrupt
        return GridBatch(done.records, done.steps, done.outputs, 1)
