"""Run programs on samples, to values, without a deck or tasks: for lazy batches and generated files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.ir import Program
from batt.jobs.choice import choose_engine
from batt.jobs.evaluation import Gathering
from batt.jobs.prepare import prepare
from batt.jobs.settling import settle
from batt.jobs.values import Failed, values_of
from batt.runtime import Limits, Options, Sample, Status, trace
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job


@dataclass(frozen=True, slots=True)
class Ran:
    """The records of a run, and the value of every evaluation, or a Failed. `notes` are lines for people.

    `fallbacks` counts the evaluations that native code deferred to the reference tier, by cause.
    """

    evaluations: Evaluations
    engine: str
    records: npt.NDArray[Any]
    values: list[Any]
    fallbacks: Mapping[str, int]
    notes: tuple[str, ...]


class Programs:
    """Programs that are run several times on an engine. They are prepared for native code once."""

    def __init__(
        self, programs: Sequence[Program], options: Options | None = None, tell: Callable[[str], None] | None = None
    ) -> None:
        self.options = replace(options or Options(), outputs=True)
        self.tell = tell
        # Raise here if the named engine is not available.
        choose_engine(self.options.engine, self.options.devices)
        self._programs = {f"program_{number}": program for number, program in enumerate(programs)}
        self._jobs: dict[Options, Job] = {}
        self._told: set[str] = set()

    def __len__(self) -> int:
        return len(self._programs)

    def on(self, samples: Sequence[Sample]) -> Ran:
        """Run every program on every sample."""
        return self.run(Evaluations(tuple(samples), len(self)))

    def run(self, evaluations: Evaluations) -> Ran:
        """Run these evaluations; raise KeyboardInterrupt if one ended the run."""
        options, note = settle(self._programs, evaluations, self.options)
        if note and self.tell and note not in self._told:
            self._told.add(note)
            self.tell(note)
        gathering = Gathering(self._programs, evaluations, options, self._job(options), tell=self.tell).gather()
        if gathering.interrupted:
            raise KeyboardInterrupt
        store = gathering.outputs
        assert store is not None, "they were asked for"
        return Ran(
            evaluations,
            options.engine,
            gathering.records,
            values_of(gathering.records, *store.take(np.arange(evaluations.total))),
            gathering.counts.deferred_to_reference,
            (*([note] if note else []), *gathering.notes),
        )

    def _job(self, options: Options) -> Job | None:
        """Return the job for native code, which is prepared once for each form; None for the reference engine."""
        if options.engine != "reference" and options not in self._jobs:
            self._jobs[options] = prepare(self._programs, options, tell=self.tell)
        return self._jobs.get(options)


def failing_op(program: Program, sample: Sample, limits: Limits) -> Failed | None:
    """Run one evaluation step by step. Return its failure with the op that failed, or None if it gives a value."""
    values, outcome = trace(program, sample, limits)
    if outcome.status is Status.OK:
        return None
    kind = outcome.error or outcome.status.word
    if len(values) == len(program.steps) or outcome.status is Status.TIMED_OUT:
        return Failed(kind)
    step = program.steps[len(values)]
    return Failed(kind, "" if step.callee is None else program.slot_name(step.callee))


def grouped(groups: Sequence[tuple[int, Sequence[Sample]]]) -> Evaluations:
    """Return the evaluations of groups of programs, in order. A group is a number of programs with their samples."""
    if len(groups) == 1:
        return Evaluations(tuple(groups[0][1]), groups[0][0])
    samples: list[Sample] = []
    solver_of: list[npt.NDArray[np.int64]] = []
    sample_of: list[npt.NDArray[np.int64]] = []
    programs = 0
    for count, own in groups:
        solver_of.append(np.repeat(np.arange(programs, programs + count), len(own)))
        sample_of.append(np.tile(np.arange(len(samples), len(samples) + len(own)), count))
        programs += count
        samples += own
    return Evaluations(tuple(samples), programs, np.concatenate(solver_of), np.concatenate(sample_of))
