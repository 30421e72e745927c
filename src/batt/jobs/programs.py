"""Programs on samples, to values. Owns runs that have neither a deck nor tasks: words of a batch, generated files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.compiler import Encoded
from batt.front import Deck, Solver
from batt.front.module import Module
from batt.ir import Helper, Literal, Program
from batt.jobs.choice import choose_engine, work_of
from batt.jobs.evaluation import Gathering
from batt.jobs.native import SHARED_ON, encoded, pays_to_compile
from batt.jobs.values import TOO_LARGE, Failed, failure, read_output
from batt.ops import EVERY_OP
from batt.runtime import Limits, Sample, Status, check_workers, trace
from batt.runtime.cuda.selection import Devices, device_numbers
from batt.runtime.evaluations import Evaluations
from batt.source import Place
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
        self,
        programs: Sequence[Program],
        *,
        engine: str = "auto",
        limits: Limits | None = None,
        workers: int | None = None,
        devices: Devices = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self.engine = engine
        self.devices = device_numbers(devices)
        self.limits = limits or Limits()
        self.workers = check_workers(workers)
        self.tell = tell
        # An engine that is named and missing is told of at once.
        choose_engine(engine, self.devices)
        self._deck = _bare_deck(programs)
        self._helpers = _functions_in([value for program in programs for value in _literals(program)])
        self._images: dict[tuple[str, bool, bool], Encoded] = {}
        self._told: set[str] = set()

    def __len__(self) -> int:
        return len(self._deck)

    def on(self, samples: Sequence[Sample]) -> Ran:
        """Run every program on every sample."""
        return self.run(Evaluations(tuple(samples), len(self)))

    def run(self, evaluations: Evaluations) -> Ran:
        """Run these evaluations; KeyboardInterrupt where one ended them."""
        work = work_of([solver.program for solver in self._deck], evaluations.total)
        choice = choose_engine(self.engine, self.devices, work, self.workers)
        if choice.note and self.tell and choice.note not in self._told:
            self._told.add(choice.note)
            self.tell(choice.note)
        compiled = pays_to_compile(evaluations.total, len(self), self.workers)
        # What solvers share pays where all of them meet every sample.
        share = evaluations.is_product and choice.engine in SHARED_ON
        image = None if choice.engine == "reference" else self._image(choice.engine, compiled, share)
        gathering = Gathering(
            self._deck, evaluations, self.limits, self.workers, True, compiled, share, image, self.devices
        )
        if gathering.gather(choice.engine, None, self.tell):
            raise KeyboardInterrupt
        return Ran(
            evaluations,
            choice.engine,
            gathering.records,
            self._values(gathering),
            gathering.fallbacks,
            (*([choice.note] if choice.note else []), *gathering.notes),
        )

    def _image(self, engine: str, compiled: bool, share: bool) -> Encoded:
        key = engine, compiled, share
        if key not in self._images:
            self._images[key] = encoded(self._deck, compiled, share, engine, self.tell)
        return self._images[key]

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


def _bare_deck(programs: Sequence[Program]) -> Deck:
    """Programs as solvers that no text was read for."""
    module, place = Module("programs"), Place("programs", 1, 1)
    names = [f"program_{number}" for number in range(len(programs))]
    return Deck([Solver(name, each, name, module, place) for name, each in zip(names, programs, strict=True)])


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
