"""Programs on samples, to values. Owns runs that have neither a deck nor tasks: words of a batch, generated files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.ir import Helper, Literal, Program
from batt.jobs.choice import choose_engine
from batt.jobs.evaluation import Gathering
from batt.jobs.prepare import prepare, settle
from batt.jobs.values import TOO_LARGE, Failed, failure, read_output
from batt.ops import EVERY_OP
from batt.runtime import Limits, Options, Sample, Status, trace
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.types import Function, Made, unordered


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run gave: the packed records, and the value of every evaluation, a Failed where it has none.

    `notes` say why a faster engine was not used.
    """

    evaluations: Evaluations
    engine: str
    records: npt.NDArray[Any]
    values: list[Any]
    fallbacks: Mapping[str, int]
    notes: tuple[str, ...]


class Programs:
    """Programs that are run again and again on an engine: what native code needs of them is made once."""

    def __init__(
        self, programs: Sequence[Program], options: Options | None = None, tell: Callable[[str], None] | None = None
    ) -> None:
        self.options = replace(options or Options(), outputs=True)
        self.tell = tell
        # An engine that is named and missing is told of at once.
        choose_engine(self.options.engine, self.options.devices)
        self._programs = {f"program_{number}": program for number, program in enumerate(programs)}
        self._helpers = _functions_in([value for program in programs for value in _literals(program)])
        self._jobs: dict[Options, Job] = {}
        self._told: set[str] = set()

    def __len__(self) -> int:
        return len(self._programs)

    def on(self, samples: Sequence[Sample]) -> Ran:
        """Run every program on every sample."""
        return self.run(Evaluations(tuple(samples), len(self)))

    def run(self, evaluations: Evaluations) -> Ran:
        """Run these evaluations; KeyboardInterrupt where one ended them."""
        options, note = settle(self._programs, evaluations, self.options)
        if note and self.tell and note not in self._told:
            self._told.add(note)
            self.tell(note)
        gathering = Gathering(self._programs, evaluations, options, self._job(options))
        if gathering.gather(None, self.tell):
            raise KeyboardInterrupt
        return Ran(
            evaluations,
            options.engine,
            gathering.records,
            self._values(gathering),
            gathering.fallbacks,
            (*([note] if note else []), *gathering.notes),
        )

    def _job(self, options: Options) -> Job | None:
        """What native code needs of the programs, made once for each form."""
        if options.engine != "reference" and options not in self._jobs:
            self._jobs[options] = prepare(self._programs, options, tell=self.tell)
        return self._jobs.get(options)

    def _values(self, gathering: Gathering) -> list[Any]:
        statuses, errors = gathering.records["status"].tolist(), gathering.records["error"].tolist()
        # Equal outputs are read once: a value is never changed.
        read: dict[str, Any] = {}
        helpers = self._helpers
        values: list[Any] = []
        for status, error, text in zip(statuses, errors, gathering.written or (), strict=True):
            if status != Status.OK:
                values.append(failure(Status(status), error))
                continue
            if text not in read:
                read[text] = read_output(text, helpers)
                if helpers is self._helpers and read[text] == Failed(TOO_LARGE):
                    # A name that no program holds may have come with a sample.
                    helpers = self._helpers | _functions_in(_given(gathering.evaluations.samples))
                    read[text] = read_output(text, helpers)
            values.append(read[text])
        return values


def failing_op(program: Program, sample: Sample, limits: Limits) -> Failed | None:
    """The failure of an evaluation with the op that failed, found step by step; None where it gives a value."""
    values, outcome = trace(program, sample, limits)
    if outcome.status is Status.OK:
        return None
    kind = outcome.error or outcome.status.word
    if len(values) == len(program.steps) or outcome.status is Status.TIMED_OUT:
        return Failed(kind)
    step = program.steps[len(values)]
    return Failed(kind, "" if step.callee is None else program.slot_name(step.callee))


def grouped(groups: Sequence[tuple[int, Sequence[Sample]]]) -> Evaluations:
    """The evaluations of groups of programs, in their order, each on samples of its own."""
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


def _functions_in(values: Iterable[Any]) -> dict[str, Function]:
    """The helpers and the user's ops that values hold, by name, which outputs may hold; none of a name twice."""
    found: dict[str, set[Function]] = {}
    waiting = list(values)
    while waiting:
        top = waiting.pop()
        if isinstance(top, Function) and not isinstance(top, Made) and EVERY_OP.get(top.name) is not top:
            known = found.setdefault(top.name, set())
            if top not in known:
                known.add(top)
                waiting += _literals(top.program) if isinstance(top, Helper) else ()
        elif isinstance(top, Made):
            waiting += top.args
        elif isinstance(top, tuple | frozenset):
            waiting += unordered(top)
    return {name: known.pop() for name, known in found.items() if len(known) == 1}


def _literals(program: Program) -> list[Any]:
    operands = [part for step in program.steps for part in (step.callee, *step.args)]
    return [part.value for part in (*operands, program.result) if isinstance(part, Literal)]


def _given(samples: Sequence[Sample]) -> Iterator[Any]:
    for sample in samples:
        yield from (sample.demonstrations, sample.input)
