"""The engines that are compared, each with one face. Native ones run on the tiers and in the loop of every run.

Everything here is meant for a process that can be killed: it tells in a `Place` which evaluation is under way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from batt.check.place import Place
from batt.errors import UsageError
from batt.front import Deck
from batt.ir import Program
from batt.jobs import choose_engine
from batt.jobs.prepare import prepare
from batt.ops import EVERY_OP
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
from batt.runtime.options import WORK
from batt.runtime.process_memory import limited_memory, memory_of_worker
from batt.runtime.records import RECORD_TYPE, pack
from batt.runtime.tier import CPU, CUDA_THREADS, CUDA_WARPS, TierName

ON_CPU = Options(engine="cpu", workers=1, memory=WorkerMemory(arena_bytes=1 << 30), verify=True)
NOT_RUN = "not run"


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

    def run(self, pairs: Sequence[tuple[int, int]], limits: Limits, place: Place) -> Seen:
        """Evaluate these solvers on these samples, given by position, samples side by side."""
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

    def run(self, pairs: Sequence[tuple[int, int]], limits: Limits, place: Place) -> Seen:
        place.begin(np.arange(len(pairs)))
        packed, steps, executed = bytearray(), list[int](), Counter[str]()
        memory_bytes = memory_of_worker(limits.memory_bytes, usable_cores())
        with _counting(executed if self.count_ops else None), limited_memory(memory_bytes):
            for number, (program, position) in enumerate(pairs):
                place.counter.value = number
                record, taken = _evaluated(self.programs[program], self.samples[position], limits)
                packed += record
                steps.append(taken)
        records = np.frombuffer(bytes(packed), RECORD_TYPE)
        return Seen(records, np.array(steps, np.int64), [""] * len(pairs), executed)


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
    """The cpu tier on the compiled deck, with values that solvers share staged, or without."""

    share: bool = True
    work: int = WORK

    @property
    def name(self) -> str:
        """What a person calls it."""
        return "cpu" if self.share else "cpu-noshare"

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Runner:
        """Compile and encode the deck."""
        options = replace(ON_CPU, compiled=True, share=self.share, work=self.work)
        return _TierRunner(prepare(deck.programs, options), samples, options, (CPU,))


@dataclass(frozen=True, slots=True)
class Direct:
    """The cpu tier on programs encoded as they stand."""

    work: int = WORK
    name: ClassVar[str] = "cpu-direct"

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Runner:
        """Encode the programs."""
        options = replace(ON_CPU, compiled=False, work=self.work)
        return _TierRunner(prepare(deck.programs, options), samples, options, (CPU,))


@dataclass(frozen=True, slots=True)
class Gpus:
    """The tiers of GPUs on the compiled deck, with values that solvers share staged, or without.

    What they defer to the CPU is not compared.
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
        return _TierRunner(job, samples, options, (CUDA_THREADS, CUDA_WARPS))


class _TierRunner:
    """A job on some tiers, which are those of a run; what they defer to others is not compared."""

    def __init__(self, job: Job, samples: Sequence[Sample], options: Options, tiers: Sequence[TierName]) -> None:
        self.job = job
        self.samples = samples
        self.options = options
        self.tiers = tiers

    def run(self, pairs: Sequence[tuple[int, int]], limits: Limits, place: Place) -> Seen:
        solvers, positions = np.array(pairs, np.int64).reshape(-1, 2).T
        evaluations = Evaluations(self.samples, len(self.job.programs), solvers, positions)
        noted = _Noted(len(pairs), place, counts=CPU in self.tiers)
        ladder = Ladder(self.job.on(evaluations), replace(self.options, limits=limits), self.tiers, noted)
        ladder.run()
        if ladder.without:
            raise UsageError(f"cuda: a GPU failed, so nothing is compared: {ladder.without[0]}")
        for number in np.flatnonzero(noted.records["status"] == Status.NOT_RUN).tolist():
            noted.causes[number] = noted.causes[number] or NOT_RUN
        return Seen(noted.records, noted.steps, noted.causes)


class _Noted(Collected):
    """Keeps why evaluations were deferred, too, and shows another process what is under way.

    Native code `counts` evaluations itself, GPUs do not.
    """

    def __init__(self, total: int, place: Place, counts: bool) -> None:
        super().__init__(total)
        self.place = place
        self.counter = place.counter if counts else None
        self.causes = [""] * total

    def on_begin(self, block: Block) -> None:
        """Tell what a thread begins with."""
        self.place.begin(block.numbers)

    def on_deferred(self, tier: TierName, why: str, block: Block) -> None:
        """Keep the cause."""
        for number in block.numbers.tolist():
            self.causes[number] = why

    def on_poll(self) -> None:
        """Show that GPUs are at work."""
        if self.counter is None:
            self.place.counter.value += 1


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
