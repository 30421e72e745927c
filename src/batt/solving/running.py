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
from batt.jobs.sink import Sink
from batt.runtime import Limits, Options, Sample, Status
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.job import Job
from batt.runtime.native import missing
from batt.runtime.outputs import OutputStore
from batt.runtime.tier import Part

Array: TypeAlias = npt.NDArray[np.uint8]

SEARCH_LIMITS = Limits(steps=100_000, max_items=50_000)
"""The budget of an evaluation in a search: a program that needs more is of no use as a part."""
MOST_SIDE = 30
"""The longest side of a grid that may become a state."""
LARGEST_CELL = 100
"""Cells of states are smaller than this; larger ones stand for nothing that a learner reads."""


class SearchEngine:
    """The engine that runs the programs of a search in this process; a child sets it before its first run."""

    is_reference = False

    @classmethod
    def name(cls) -> str:
        """Return `cpu`, or `reference` if that is asked for or native code is missing."""
        return "reference" if cls.is_reference or missing() else "cpu"


class StepsSink(Sink):
    """Keeps the steps of each evaluation, too."""

    def __init__(self, total: int, outputs: bool) -> None:
        super().__init__(total, outputs)
        self.each_steps = np.zeros(total, np.int64)

    def put(self, part: Part) -> bool:
        """Keep a part, as any sink does."""
        is_new = super().put(part)
        if is_new:
            self.each_steps[part.numbers] = part.steps
        return is_new


@dataclass(frozen=True, slots=True, eq=False)
class GridBatch:
    """The results of programs on samples: records and steps by [program, sample], or by pair.

    `on_gpus` counts the evaluations that GPUs finished, `notes` say what the engine could not do as asked.
    """

    records: npt.NDArray[Any]
    each_steps: Integers
    on_gpus: int
    notes: tuple[str, ...]
    _outputs: OutputStore | None
    _width: int

    @property
    def steps(self) -> int:
        """Return the number of steps of all evaluations together."""
        return int(self.each_steps.sum())

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
        count = self._width if count is None else count
        starts = np.asarray(programs, np.int64) * self._width + first
        return grids_by(count, self.wires((starts[:, None] + np.arange(count)).ravel()))

    def wires(self, numbers: Integers) -> list[bytes]:
        """Return the values of these evaluations as bytes."""
        assert self._outputs is not None, "they were asked for"
        return self._outputs.take(numbers)[0]


def grids_by(count: int, wires: Sequence[bytes]) -> list[list[Array] | None]:
    """Return outputs as arrays, `count` together; None if one of them is not a grid of small numbers."""
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
    """Programs that are compiled once and run many times, in this thread. `engine` is by default that of the search.

    With `keep`, their images are kept on disk, for programs that every search prepares.
    """

    def __init__(
        self,
        programs: Sequence[Program],
        limits: Limits = SEARCH_LIMITS,
        engine: str | None = None,
        *,
        keep: bool = False,
    ) -> None:
        self._programs = {f"p{number}": program for number, program in enumerate(programs)}
        self._keep = keep
        engine = engine or SearchEngine.name()
        self._options = Options(engine=engine, limits=limits, workers=1, compiled=True, share=True)
        self._jobs: dict[bool, Job] = {}

    def __len__(self) -> int:
        return len(self._programs)

    @property
    def programs(self) -> list[Program]:
        """Return the programs, in order."""
        return list(self._programs.values())

    def run(self, samples: Sequence[Sample], outputs: bool = False) -> GridBatch:
        """Run every program on every sample."""
        # A GPU is faster without shared steps.
        made = self._run(Evaluations(tuple(samples), len(self)), self._options.engine != "cuda", outputs)
        shape = len(self), len(samples)
        records, steps = made.records.reshape(shape), made.each_steps.reshape(shape)
        return replace(made, records=records, each_steps=steps, _width=len(samples))

    def run_pairs(
        self, programs: Integers, samples: Sequence[Sample], outputs: bool = False, sample_of: Integers | None = None
    ) -> GridBatch:
        """Run the program at `programs[k]` on `samples[k]`, or on `samples[sample_of[k]]`."""
        numbers = np.arange(len(samples)) if sample_of is None else sample_of
        return self._run(Evaluations(tuple(samples), len(self), programs, numbers), False, outputs)

    def _prepared(self, options: Options) -> Job:
        if self._keep:
            for program in self._programs.values():
                # Images are found by the digests.
                _ = program.digest
        return prepare(self._programs, options, keep=self._keep)

    def _run(self, evaluations: Evaluations, share: bool, outputs: bool) -> GridBatch:
        options = replace(self._options, share=share, outputs=outputs)
        job = None
        if options.engine != "reference":
            if share not in self._jobs:
                self._jobs[share] = self._prepared(options)
            job = self._jobs[share]
        sink = StepsSink(evaluations.total, outputs)
        done = Gathering(self._programs, evaluations, options, job, sink=sink).gather()
        if done.interrupted:
            raise KeyboardInterrupt
        return GridBatch(sink.records, sink.each_steps, done.counts.on_gpus, tuple(done.notes), sink.outputs, 1)
