"""The engines that `batt check` compares, with one interface. Native ones run on the tiers and in the loop of any run.

They run in a process that may be killed, so they write to a `SharedProgress` which evaluation is under way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import c_uint64
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.errors import UsageError
from batt.front import Deck
from batt.ir import Program
from batt.jobs import choose_engine
from batt.jobs.prepare import prepare
from batt.ops import EVERY_OP, NEW_WORDS
from batt.runtime import Limits, Options, Outcome, Sample, Status, evaluate_one, usable_cores
from batt.runtime.collected import Collected
from batt.runtime.cuda import Device, kernels
from batt.runtime.cuda.device import count
from batt.runtime.cuda.memory import FRACTION
from batt.runtime.cuda.selection import Numbers, cards
from batt.runtime.evaluations import Block, Evaluations
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.memory import WorkerMemory
from batt.runtime.packing import pack
from batt.runtime.process_memory import limited_memory, memory_of_worker
from batt.runtime.records import RECORD_TYPE
from batt.runtime.tier import CPU, CUDA_THREADS, CUDA_WARPS, REFERENCE, TierName

GPUS = "cuda"
NOT_RUN = "not run"
MAX_BLOCK = 1 << 16
"""The most evaluations of one block."""
PROGRESS_BYTES = 16 + 4 * MAX_BLOCK

Pairs: TypeAlias = Sequence[tuple[int, int]]
"""Evaluations: the positions of a solver and a sample. Those of one sample are side by side."""


class SharedProgress:
    """The progress of a comparison, in memory that another process may read.

    `phase` is the number of the engine that runs, from 1 on; 0 while a comparison is made ready. `counter` is the
    number of finished evaluations of its block; native code counts there itself.
    """

    def __init__(self, memory: object | None = None) -> None:
        room: object = bytearray(PROGRESS_BYTES) if memory is None else memory
        self.phase = c_uint64.from_buffer(room)  # type: ignore[arg-type]
        self.counter = c_uint64.from_buffer(room, 8)  # type: ignore[arg-type]
        self._order = np.frombuffer(room, np.uint32, offset=16)  # type: ignore[call-overload]

    def begin(self, numbers: npt.NDArray[np.int64]) -> None:
        """Begin a block: the evaluations `numbers`, in this order."""
        self.counter.value = 0
        self._order[: len(numbers)] = numbers[:MAX_BLOCK]

    @property
    def number(self) -> int:
        """Return the number of the evaluation under way."""
        return int(self._order[min(self.counter.value, MAX_BLOCK - 1)])


@dataclass(frozen=True, slots=True)
class EngineResults:
    """The records and steps of evaluations on an engine. `causes` say why it deferred some; else they are empty.

    If the engine counts them, `executed` has the calls of ops by name, and `callers` the evaluations with a call of a
    new word, by their program.
    """

    records: npt.NDArray[Any]
    steps: npt.NDArray[np.int64]
    causes: Sequence[str]
    executed: Mapping[str, int] = field(default_factory=dict)
    callers: Mapping[int, int] = field(default_factory=dict)


Run: TypeAlias = Callable[[Pairs, Limits, SharedProgress], EngineResults]
"""Runs evaluations of a deck and samples that an engine has opened."""


class Engine(Protocol):
    """An engine to compare. It can be sent to another process."""

    @property
    def name(self) -> str:
        """Return the name that messages and options use."""
        ...

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Run:
        """Make ready to run the solvers of `deck` on `samples`."""
        ...


@dataclass(frozen=True, slots=True)
class Reference:
    """Plain Python, which the others are compared with. With `count_ops` it counts the calls of ops."""

    count_ops: bool = False
    name: ClassVar[str] = "reference"

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Run:
        """Return the function that runs evaluations; nothing has to be made ready."""
        return partial(self.run, [solver.program for solver in deck], samples)

    def run(
        self,
        programs: Sequence[Program],
        samples: Sequence[Sample],
        pairs: Pairs,
        limits: Limits,
        progress: SharedProgress,
    ) -> EngineResults:
        """Run evaluations of these programs."""
        progress.begin(np.arange(len(pairs)))
        packed, steps, executed, callers = bytearray(), list[int](), Counter[str](), Counter[int]()
        memory_bytes = memory_of_worker(limits.memory_bytes, usable_cores())
        with _counting(executed if self.count_ops else None), limited_memory(memory_bytes):
            for number, (program, position) in enumerate(pairs):
                progress.counter.value = number
                before = _calls_of_words(executed)
                record, taken = _evaluated(programs[program], samples[position], limits)
                packed += record
                steps.append(taken)
                callers[program] += _calls_of_words(executed) > before
        records = np.frombuffer(bytes(packed), RECORD_TYPE)
        return EngineResults(records, np.array(steps, np.int64), [""] * len(pairs), executed, +callers)


def _calls_of_words(executed: Mapping[str, int]) -> int:
    return sum([executed[name] for name in NEW_WORDS if name in executed])


def _evaluated(program: Program, sample: Sample, limits: Limits) -> tuple[bytes, int]:
    """Return the record and the steps of an evaluation; without enough memory for it, those of one that timed out."""
    try:
        outcome = evaluate_one(program, sample, limits)
        return pack(outcome, sample), outcome.steps
    except MemoryError:
        return pack(Outcome(Status.TIMED_OUT), sample), 0


@contextmanager
def _counting(executed: Counter[str] | None) -> Iterator[None]:
    """Count the calls of every op in `executed` meanwhile, unless it is None."""
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
class NativeEngine:
    """Some `tiers` on programs prepared with `options`. What they defer to other tiers is not compared.

    With the reference tier they run as in `batt.evaluate`: every solver on every sample, and no device is needed.
    """

    name: str
    options: Options
    tiers: tuple[TierName, ...] = (CPU,)

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Run:
        """Encode the programs of `deck`, and compile the kernels of GPUs if they are not."""
        job = prepare(deck.programs, self.options)
        for card in cards(self.options.devices, count()) if CUDA_THREADS in self.tiers else ():
            with Device(card.number) as device:
                kernels.load(device, kernels.op_options(job.image))
        return partial(self._run, job, samples)

    def _run(
        self, job: Job, samples: Sequence[Sample], pairs: Pairs, limits: Limits, progress: SharedProgress
    ) -> EngineResults:
        solvers, positions = np.array(pairs, np.int64).reshape(-1, 2).T
        evaluations, numbers = Evaluations(samples, len(job.programs), solvers, positions), np.arange(len(pairs))
        if REFERENCE in self.tiers:
            evaluations, numbers = Evaluations(samples, len(job.programs)), solvers * len(samples) + positions
        found = _EngineObserver(evaluations.total, progress, counts=self.tiers == (CPU,))
        ladder = Ladder(job.on(evaluations), replace(self.options, limits=limits), self.tiers, found)
        ladder.run()
        if ladder.without and CPU not in self.tiers:
            raise UsageError(f"cuda: a GPU failed, so nothing is compared: {ladder.without[0]}")
        not_run = found.records["status"] == Status.NOT_RUN
        causes = [(found.causes[number] or NOT_RUN) if not_run[number] else "" for number in numbers.tolist()]
        return EngineResults(found.records[numbers], found.steps[numbers], causes)


class _EngineObserver(Collected):
    """Also keeps why evaluations were deferred, and writes to `progress`.

    Native code on the CPU `counts` evaluations itself, GPUs do not.
    """

    def __init__(self, total: int, progress: SharedProgress, counts: bool) -> None:
        super().__init__(total)
        self.progress = progress
        self.counter = progress.counter if counts else None
        self.causes = [""] * total

    def on_begin(self, block: Block) -> None:
        """Write which evaluations a thread begins."""
        self.progress.begin(block.numbers)

    def on_deferred(self, tier: TierName, why: str, block: Block) -> None:
        """Keep the cause."""
        for number in block.numbers.tolist():
            self.causes[number] = why

    def on_poll(self) -> None:
        """Show that GPUs are at work."""
        if self.counter is None:
            self.progress.counter.value += 1


def on_cpu(name: str = "cpu", **changes: Any) -> NativeEngine:
    """Return the cpu tier on the compiled deck; `changes` replace options."""
    memory = WorkerMemory(arena_bytes=1 << 30)
    options = Options(engine="cpu", workers=1, compiled=True, share=True, memory=memory, verify=True)
    return NativeEngine(name, replace(options, **changes))


def on_gpus(devices: Numbers | None = None, share: bool = False, gpu_memory: float = FRACTION) -> NativeEngine:
    """Return the tiers of GPUs on the compiled deck; with `share`, values that solvers share are staged."""
    options = Options(
        engine=GPUS, devices=devices, workers=1, compiled=True, share=share, gpu_memory=gpu_memory, verify=True
    )
    return NativeEngine(GPUS, options, (CUDA_THREADS, CUDA_WARPS))


def counting(engine: Engine) -> Engine:
    """Return the engine; the reference engine as one that counts the calls of ops."""
    return replace(engine, count_ops=True) if isinstance(engine, Reference) else engine


ENGINES: dict[str, Engine] = {
    each.name: each
    for each in (
        on_gpus(),
        on_cpu(),
        on_cpu("cpu-noshare", share=False),
        on_cpu("cpu-direct", compiled=False, share=None),
        Reference(),
    )
}
"""The engines by the names that options give them."""


def engines_named(names: str, devices: Numbers | None = None, gpu_memory: float = FRACTION) -> tuple[Engine, ...]:
    """Return the engines of a list such as `cpu,reference`; the others are compared with the last."""
    chosen = [name.strip() for name in names.split(",")]
    for name in chosen:
        if name not in ENGINES:
            raise UsageError(f"no engine {name!r} to compare; there are: {', '.join(ENGINES)}")
    if len(set(chosen)) < 2 or len(set(chosen)) < len(chosen):
        raise UsageError(f"name at least two different engines to compare, got {names!r}")
    if devices is not None and GPUS not in chosen:
        raise UsageError(f"devices are GPUs, and none of these engines uses any: {names}")
    if GPUS in chosen:
        choose_engine(GPUS, devices)
    return tuple([on_gpus(devices, gpu_memory=gpu_memory) if name == GPUS else ENGINES[name] for name in chosen])
