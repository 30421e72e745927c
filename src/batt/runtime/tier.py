"""The tiers, five ways to run evaluations: their names, what they return, and which of them comes next.

An engine is a tuple of tiers. A tier takes blocks of evaluations and returns a `Part` for each: what is finished, and
what it defers to another tier, by cause.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from ctypes import c_uint64
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Cause
from batt.runtime.evaluations import Block, Integers
from batt.runtime.outputs import PackedOutputs
from batt.runtime.scores import scores_of
from batt.runtime.sorting import Sorted

if TYPE_CHECKING:
    from batt.runtime.waiting import Waiting


class TierName(IntEnum):
    """The tiers, from the one that runs the most evaluations at the same time to the one that can run all of them.

    Stored runs hold the numbers.
    """

    CLUSTER = -1
    """The workers of a cluster, each with the tiers that it has."""
    CUDA_THREADS = 0
    """A GPU, one evaluation for each thread."""
    CUDA_WARPS = 1
    """A GPU, one evaluation for each warp."""
    CPU = 2
    """Native code, one evaluation for each thread of the CPU."""
    REFERENCE = 3
    """Plain Python, one evaluation for each process."""
    CACHE = 4
    """No tier of this run: the outcome is that of an earlier run. Nothing is deferred to it."""

    @property
    def is_gpu(self) -> bool:
        """Tell whether it runs on GPUs."""
        return TierName.CUDA_THREADS <= self <= TierName.CUDA_WARPS

    @property
    def is_native(self) -> bool:
        """Tell whether it runs bytecode."""
        return self <= TierName.CPU


CLUSTER, CUDA_THREADS, CUDA_WARPS, CPU, REFERENCE, CACHE = TierName

ASKED = (CLUSTER, CUDA_WARPS, CUDA_THREADS, CPU, REFERENCE)
"""The order in which tiers are asked to take blocks: warps take what has waited longest."""

ENGINES: Mapping[str, tuple[TierName, ...]] = {
    "cuda": (CUDA_THREADS, CUDA_WARPS, CPU, REFERENCE),
    "cpu": (CPU, REFERENCE),
    "reference": (REFERENCE,),
}
"""The engines that a person can name, the fastest first."""

NEXT: Mapping[Cause, tuple[TierName, TierName, TierName]] = {
    # What one native tier cannot represent, none can.
    Cause.NO_CAUSE: (REFERENCE, REFERENCE, REFERENCE),
    Cause.WIDE_INT: (REFERENCE, REFERENCE, REFERENCE),
    Cause.SET_ORDER: (REFERENCE, REFERENCE, REFERENCE),
    Cause.BAD_CODE: (REFERENCE, REFERENCE, REFERENCE),
    Cause.REFUSED: (REFERENCE, REFERENCE, REFERENCE),
    # Each tier has more memory than the one before it.
    Cause.ARENA_FULL: (CUDA_WARPS, CPU, REFERENCE),
    Cause.STACK_FULL: (CUDA_WARPS, CPU, REFERENCE),
    Cause.LONG_WORK: (CPU, CPU, REFERENCE),
    Cause.LONG_FORM: (CPU, CPU, REFERENCE),
    Cause.OWN_OP: (CPU, CPU, REFERENCE),
    Cause.OTHER_OUTPUT: (CPU, CPU, REFERENCE),
    Cause.MISSING_OP: (CPU, CPU, REFERENCE),
    Cause.THREAD_LIMIT: (CUDA_WARPS, CPU, REFERENCE),
    Cause.WARP_LIMIT: (CPU, CPU, REFERENCE),
    Cause.LAUNCH_FAILED: (CPU, CPU, REFERENCE),
    Cause.FAILED_TWICE: (CPU, CPU, REFERENCE),
    Cause.SLOW_STAGE: (REFERENCE, REFERENCE, REFERENCE),
    # The CPU finds heavy evaluations by running all for a few steps; a warp runs them faster.
    Cause.HEAVY: (CUDA_WARPS, CPU, CUDA_WARPS),
}
"""For each cause, the tier to which each native tier of this process defers. Workers defer like their last one."""


def next_tier(tier: TierName, cause: Cause, there: Collection[TierName]) -> TierName | None:
    """Return the tier, of those that are `there`, to which `tier` defers for `cause`; None if there is none."""
    named = NEXT[cause][CPU if tier is CLUSTER else tier]
    return min((each for each in there if each >= named), default=None)


class StoppedBy(Enum):
    """The guards that stop an evaluation, which then has no outcome."""

    CLOCK = "clock"
    CRASH = "crash"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Part:
    """The result of a tier for a block.

    `block` has the finished evaluations; `records`, `steps`, `times_ns`, `outputs` and `scores` belong to them.
    `times_ns` are those of native code, and `outputs` and `scores` are None if the run does not keep them. `deferred`
    has evaluations for other tiers. `timed_out` is the evaluation that a guard stopped, for the reason `stopped`.
    `rest` has those that did not run or whose results are lost. `wall_s` is how long all of it took, and `worker` names
    the GPU or the worker of a cluster.
    """

    tier: TierName
    block: Block
    records: npt.NDArray[Any]
    steps: Integers
    times_ns: npt.NDArray[Any] | None = None
    outputs: PackedOutputs | None = None
    deferred: Mapping[Cause, Block] = field(default_factory=dict)
    timed_out: Block | None = None
    stopped: StoppedBy = StoppedBy.CLOCK
    rest: Block | None = None
    wall_s: float = 0.0
    worker: str = ""
    scores: npt.NDArray[Any] | None = None

    @classmethod
    def of_sorted(
        cls,
        tier: TierName,
        found: Sorted,
        outputs: PackedOutputs | None,
        defers: Mapping[int, Cause],
        **more: Any,
    ) -> Part:
        """Make the part of evaluations that native code ran.

        `defers` gives the causes for statuses that are deferred in addition to UNSUPPORTED.
        """
        block, deferred = found.ran, dict[Cause, Block]()
        if len(found.unfinished):
            unfinished, results = block[found.unfinished], found.unfinished_results
            causes = results["cause"].astype(np.int64)
            for status, cause in defers.items():
                causes[results["status"] == status] = cause
            for number in np.unique(causes).tolist():
                deferred[Cause(number)] = unfinished[causes == number]
            block = block[found.kept]
            outputs = None if outputs is None else outputs.only(found.kept)
        more["scores"] = None if found.scored is None else scores_of(found.scored[found.kept])
        return cls(tier, block, found.records, found.steps, found.times_ns, outputs, deferred=deferred, **more)

    @property
    def numbers(self) -> Integers:
        """Return the numbers of the finished evaluations."""
        return self.block.numbers


MakePart: TypeAlias = Callable[[], Part]
"""A function that makes the part of what a worker ran. The ladder calls it in its thread, so the worker goes on."""


class Observer:
    """Receives the reports of a run. Subclasses override what they need; whatever they raise ends the run.

    All methods but `on_begin` are called in the thread that runs the ladder. In a run with one CPU thread, `counter`
    counts the finished evaluations of the block that the thread began last.
    """

    counter: c_uint64 | None = None

    def on_part(self, part: Part) -> None:
        """Receive finished evaluations. Each comes once, or again if an interrupt hit this call."""

    def on_deferred(self, tier: TierName, why: str, block: Block) -> None:
        """Receive evaluations that `tier` deferred to another tier than warps, and the cause in words."""

    def on_begin(self, block: Block) -> None:
        """Receive a block that a thread of the CPU is about to run, in that thread."""

    def on_poll(self) -> None:
        """Do what has to be done regularly during the run."""

    def on_workers(self, count: int) -> None:
        """Receive the number of workers of a cluster, whenever it changes."""

    def on_note(self, line: str) -> None:
        """Receive a line for people."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """The tiers that leave a run after an error, the reason, and a line for people; it may be empty.

    With `is_broken`, the evaluations that were running may be the cause.
    """

    tiers: Sequence[Tier] = ()
    reason: str = ""
    line: str = ""
    is_broken: bool = False


class Tier(ABC):
    """One way to run evaluations. Only what `submit` begins runs in other threads."""

    name: TierName

    @property
    def is_native(self) -> bool:
        """Tell whether it runs bytecode, and so gets only what native code accepts."""
        return self.name.is_native

    @abstractmethod
    def take(self, waiting: Waiting) -> Block | None:
        """Take the next block of `waiting`; None if there is no room or nothing for this tier."""

    @abstractmethod
    def submit(self, block: Block) -> Future[MakePart]:
        """Begin to run a block."""

    @abstractmethod
    def close(self) -> None:
        """Stop what is running, wait for it, and give all memory back."""

    def collect(self, part: Part) -> Part:
        """Learn from a part that this tier made, and return it, changed if necessary."""
        return part

    def guard(self, now_s: float) -> None:
        """Stop what has run for too long."""
        return

    def leaving(self, error: BaseException, tiers: Sequence[Tier]) -> Leaving | None:
        """Return which of `tiers` leave after a block ended with `error`; None if the error ends the run."""
        return None
