"""The engines that are compared, each with one face. Owns how a deck is opened on one and what is seen of its work.

Everything here runs in the calling thread and knows no guard: it is meant for a process that can be killed. The number
of the evaluation under way is kept in a counter that another process may watch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import c_uint64
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Cause, Ended
from batt.errors import InternalError, UsageError
from batt.front import Deck
from batt.ir import Program
from batt.jobs import choose_engine
from batt.jobs.prepare import prepare
from batt.ops import EVERY_OP
from batt.runtime import Limits, Options, Outcome, Sample, Status, evaluate_one, usable_cores
from batt.runtime.batch import batch_of
from batt.runtime.cuda import Device, kernels
from batt.runtime.cuda.device import count
from batt.runtime.cuda.engine import CudaEngine
from batt.runtime.cuda.memory import FRACTION
from batt.runtime.cuda.selection import Numbers, cards
from batt.runtime.evaluations import Block, Evaluations
from batt.runtime.job import Job
from batt.runtime.memory import WorkerMemory
from batt.runtime.native import (
    Budget,
    NativeBatch,
    NativeProgram,
    NativeWorker,
    library,
)
from batt.runtime.process_memory import limited_memory, memory_of_worker
from batt.runtime.records import RECORD_TYPE, put, records_of, unfilled
from batt.runtime.thread import Call
from batt.runtime.worker import pack

MEMORY = WorkerMemory(arena_bytes=1 << 30)
WORK = 2_000_000_000
"""Comparisons and copies after which native code leaves an evaluation, as in `runtime.cpu`."""
MOST = 2**62
LEFT = "left by a GPU"


@dataclass(frozen=True, slots=True)
class Seen:
    """What an engine made of evaluations: records, steps, and why it left some to another, else an empty text.

    `executed` counts calls of ops by name, where the engine counts them.
    """

    records: npt.NDArray[Any]
    steps: npt.NDArray[np.int64]
    causes: Sequence[str]
    executed: Mapping[str, int] = field(default_factory=dict)


class Runner(Protocol):
    """A deck and samples on an engine."""

    def run(self, pairs: Sequence[tuple[int, int]], limits: Limits, counter: c_uint64) -> Seen:
        """Evaluate these solvers on these samples, given by position, samples side by side."""
        ...

    def given(self, pairs: Sequence[tuple[int, int]]) -> Sequence[int]:
        """The places of those that it runs itself, in the order in which its counter counts them."""
        ...


class Engine(Protocol):
    """What opens decks; it can be sent to another process."""

    @property
    def name(self) -> str:
        """What a person calls it."""
        ...

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Runner:
        """Make ready to run the solvers of a deck on samples."""
        ...


@dataclass(frozen=True, slots=True)
class Reference:
    """Plain Python: what all others are held against. It can count the ops that are executed."""

    count_ops: bool = False
    name: ClassVar[str] = "reference"

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Runner:
        """Nothing is to be made ready."""
        return _ReferenceRunner(deck, samples, self.count_ops)


class _ReferenceRunner:
    def __init__(self, deck: Deck, samples: Sequence[Sample], count_ops: bool) -> None:
        self.programs = [solver.program for solver in deck]
        self.samples = samples
        self.count_ops = count_ops

    def run(self, pairs: Sequence[tuple[int, int]], limits: Limits, counter: c_uint64) -> Seen:
        packed, steps, executed = bytearray(), list[int](), Counter[str]()
        memory_bytes = memory_of_worker(limits.memory_bytes, usable_cores())
        with _counting(executed if self.count_ops else None), limited_memory(memory_bytes):
            for number, (program, position) in enumerate(pairs):
                counter.value = number
                record, taken = _evaluated(self.programs[program], self.samples[position], limits)
                packed += record
                steps.append(taken)
        records = np.frombuffer(bytes(packed), RECORD_TYPE)
        return Seen(records, np.array(steps, np.int64), [""] * len(pairs), executed)

    def given(self, pairs: Sequence[tuple[int, int]]) -> Sequence[int]:
        return range(len(pairs))


def _evaluated(program: Program, sample: Sample, limits: Limits) -> tuple[bytes, int]:
    """Return the record and the steps of an evaluation; without enough memory for it, those of one that timed out."""
    try:
        outcome = evaluate_one(program, sample, limits)
        return pack(outcome, sample), outcome.steps
    except MemoryError:
        return pack(Outcome(Status.TIMED_OUT), sample), 0


@contextmanager
def _counting(executed: Counter[str] | None) -> Iterator[None]:
    """Count the calls of every op's body meanwhile."""
    bodies = {name: each.body for name, each in EVERY_OP.items()}
    if executed is not None:
        for name, body in bodies.items():
            EVERY_OP[name].body = _counted(body, name, executed)
    try:
        yield
    finally:
        for name, body in bodies.items():
            EVERY_OP[name].body = body


def _counted(body: Callable[..., Any], name: str, executed: Counter[str]) -> Callable[..., Any]:
    def counted(*args: Any) -> Any:
        executed[name] += 1
        return body(*args)

    return counted


@dataclass(frozen=True, slots=True)
class Compiled:
    """Native code on the compiled deck, with what solvers share worked out ahead, or without."""

    share: bool = True
    work: int = WORK

    @property
    def name(self) -> str:
        """What a person calls it."""
        return "cpu" if self.share else "cpu-noshare"

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Runner:
        """Compile and encode the deck."""
        options = Options(engine="cpu", compiled=True, share=self.share, verify=True)
        return _NativeRunner(prepare(deck.programs, options), samples, self.work)


@dataclass(frozen=True, slots=True)
class Direct:
    """Native code on programs encoded as they stand."""

    work: int = WORK
    name: ClassVar[str] = "cpu-direct"

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Runner:
        """Encode the programs."""
        options = Options(engine="cpu", compiled=False, verify=True)
        return _NativeRunner(prepare(deck.programs, options), samples, self.work)


class _NativeRunner:
    def __init__(self, job: Job, samples: Sequence[Sample], work: int) -> None:
        found = library(job.image.table)
        batch = batch_of(samples)
        self.work = work
        self.job = job
        self.refused_samples = batch.refused
        self.program = NativeProgram(found, job.image.words, job.image.pool)
        self.batch = NativeBatch(found, batch.data, batch.ends, batch.rows)
        self.worker = NativeWorker(found, MEMORY)

    def run(self, pairs: Sequence[tuple[int, int]], limits: Limits, counter: c_uint64) -> Seen:
        causes = [self._refusal(*pair) for pair in pairs]
        given = np.array(self.given(pairs), np.int64)
        records, steps = unfilled(len(pairs)), np.zeros(len(pairs), np.int64)
        if len(given):
            results = self._results([pairs[number] for number in given.tolist()], limits, counter)
            records[given] = records_of(results)
            steps[given] = results["steps"]
            for at in np.flatnonzero(results["status"] == Ended.UNSUPPORTED).tolist():
                causes[int(given[at])] = Cause(int(results["cause"][at])).text
                records["status"][given[at]] = Status.NOT_RUN
        return Seen(records, steps, causes)

    def given(self, pairs: Sequence[tuple[int, int]]) -> Sequence[int]:
        return [number for number, pair in enumerate(pairs) if not self._refusal(*pair)]

    def _refusal(self, program: int, position: int) -> str:
        return self.job.refused.get(program, "") or self.refused_samples.get(position, "")

    def _results(self, pairs: Sequence[tuple[int, int]], limits: Limits, counter: c_uint64) -> npt.NDArray[Any]:
        self.worker.done = counter
        slices = self.job.slice_of[[program for program, _ in pairs]].astype(np.uint32)
        samples = np.array([position for _, position in pairs], np.uint32)
        budget = Budget(min(limits.steps, MOST), min(limits.max_items, MOST), self.work)
        done, results = self.worker.run(self.program, self.batch, slices, samples, budget)
        if done < len(pairs):
            raise InternalError(f"native code stopped after {done:,} of {len(pairs):,} evaluations")
        return results


@dataclass(frozen=True, slots=True)
class Gpus:
    """Native code on the compiled deck, on GPUs, with what solvers share computed once, or without.

    What they leave to the CPU is not compared.
    """

    devices: Numbers | None = None
    share: bool = False
    gpu_memory: float = FRACTION
    name: ClassVar[str] = "cuda"

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Runner:
        """Compile and encode the deck, and have the kernel compiled where it is not."""
        options = Options(
            engine="cuda", devices=self.devices, workers=1, compiled=True, share=self.share,
            gpu_memory=self.gpu_memory, verify=True,
        )  # fmt: skip
        job = prepare(deck.programs, options)
        for card in cards(self.devices, count()):
            with Device(card.number) as device:
                kernels.load(device, kernels.own_options(job.image.table))
        return _GpuRunner(job, samples, options)


class _GpuRunner:
    def __init__(self, job: Job, samples: Sequence[Sample], options: Options) -> None:
        self.job = job
        self.samples = samples
        self.options = options

    def run(self, pairs: Sequence[tuple[int, int]], limits: Limits, counter: c_uint64) -> Seen:
        solvers, positions = np.array(pairs, np.int64).reshape(-1, 2).T
        evaluations = Evaluations(self.samples, len(self.job.programs), solvers, positions)
        causes, steps, records = [""] * len(pairs), np.zeros(len(pairs), np.int64), unfilled(len(pairs))
        engine = CudaEngine(self.job.on(evaluations), replace(self.options, limits=limits), beside=False)

        def observe(part: Call) -> None:
            steps[part.ran.numbers] = part.results["steps"]

        def leave(block: Block) -> None:
            for number in block.numbers.tolist():
                causes[number] = LEFT

        def live() -> None:
            counter.value += 1

        engine.observe, engine.on_left, engine.on_poll = observe, leave, live
        for done in engine.run(natively_only=True):
            put(records, done.numbers, done.records)
        if engine.without:
            raise UsageError(f"cuda: a GPU failed, so nothing is compared: {engine.without[0]}")
        for number in np.flatnonzero(records["status"] == Status.NOT_RUN).tolist():
            causes[number] = self.job.refused.get(pairs[number][0], "") or LEFT
        return Seen(records, steps, causes)

    def given(self, pairs: Sequence[tuple[int, int]]) -> Sequence[int]:
        return range(len(pairs))


ENGINES: dict[str, Engine] = {
    each.name: each for each in (Gpus(), Compiled(), Compiled(share=False), Direct(), Reference())
}
"""By the names that options give them."""


def engines_named(names: str, devices: Numbers | None = None, gpu_memory: float = FRACTION) -> tuple[Engine, ...]:
    """The engines of a list such as `cpu,reference`; the last is what the others are held against."""
    chosen = [name.strip() for name in names.split(",")]
    for name in chosen:
        if name not in ENGINES:
            raise UsageError(f"no engine {name!r} to compare; there are: {', '.join(ENGINES)}")
    if len(set(chosen)) < 2 or len(set(chosen)) < len(chosen):
        raise UsageError(f"name at least two different engines to compare, got {names!r}")
    if devices is not None and Gpus.name not in chosen:
        raise UsageError(f"devices are GPUs, and none of these engines uses any: {names}")
    if Gpus.name in chosen:
        choose_engine(Gpus.name, devices)
    return tuple([Gpus(devices, gpu_memory=gpu_memory) if name == Gpus.name else ENGINES[name] for name in chosen])
