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
        return self.all_grids([program])[0]

    def all_grids(self, programs: Sequence[int], first: int = 0, count: int | None = None) -> list[list[Array] | None]:
        """Return the values of each of these programs, or pairs, on `count` samples from the `first`, as `grids`."""
        assert self._outputs is not None, "they were asked for"
        count = self._width if count is None else count
        starts = np.asarray(programs, np.int64) * self._width + first
        wires, _ = self._outputs.take((starts[:, None] + np.arange(count)).ravel())
        found = read_grids(wires)
        made: list[list[Array] | None] = []
        for at in range(0, len(found), count):
            grids = [each for each in found[at : at + count] if each is not None]
            made.append(grids if len(grids) == count else None)
        return made


def read_grids(wires: Sequence[bytes]) -> list[Array | None]:
    """Return outputs as arrays, all of one size at once; None for one that is not a grid of small numbers."""
    found: list[Array | None] = [None] * len(wires)
    groups: dict[tuple[int, int], list[int]] = {}
    for at, wire in enumerate(wires):
        shape = grid_shape(wire)
        if shape is not None and 0 not in shape:
            groups.setdefault(shape, []).append(at)
    for (height, width), places in groups.items():
        packed = np.frombuffer(b"".join([wires[at] for at in places]), np.uint8).reshape(len(places), -1)
        # The head of the grid and of each row has five bytes.
        grids = np.ascontiguousarray(packed[:, 5:].reshape(-1, height, 5 + width)[:, :, 5:])
        is_small = grids.reshape(len(places), -1).max(axis=1) < LARGEST_CELL
        for number, at in enumerate(places):
            if is_small[number]:
                found[at] = grids[number]
    return found


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
