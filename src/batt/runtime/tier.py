"""The tiers: four ways to run evaluations. Their names, what they hand back, and which of them comes next.

An engine is a tuple of tiers. A tier takes blocks of evaluations and gives back a `Part` of each: what is finished, and
what it defers to another tier, by cause.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from ctypes import c_uint64
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Cause, Ended
from batt.runtime.evaluations import Block, Integers
from batt.runtime.outputs import PackedOutputs
from batt.runtime.records import records_of

if TYPE_CHECKING:
    from batt.runtime.waiting import Waiting


class TierName(IntEnum):
    """The tiers, from the one that runs the most evaluations at once to the one that can run every evaluation."""

    CUDA_THREADS = 0
    """A GPU, one evaluation for each thread."""
    CUDA_WARPS = 1
    """A GPU, one evaluation for each warp."""
    CPU = 2
    """Native code, one evaluation for each thread of the CPU."""
    REFERENCE = 3
    """Plain Python, one evaluation for each process."""

    @property
    def is_gpu(self) -> bool:
        """Whether it runs on GPUs."""
        return self <= TierName.CUDA_WARPS

    @property
    def is_native(self) -> bool:
        """Whether it runs bytecode."""
        return self <= TierName.CPU


CUDA_THREADS, CUDA_WARPS, CPU, REFERENCE = TierName

ENGINES: Mapping[str, tuple[TierName, ...]] = {
    "cuda": (CUDA_THREADS, CUDA_WARPS, CPU, REFERENCE),
    "cpu": (CPU, REFERENCE),
    "reference": (REFERENCE,),
}
"""The engines that a person can name, from the fastest on."""

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
    Cause.THREAD_LIMIT: (CUDA_WARPS, CPU, REFERENCE),
    Cause.WARP_LIMIT: (CPU, CPU, REFERENCE),
    Cause.LAUNCH_FAILED: (CPU, CPU, REFERENCE),
    Cause.FAILED_TWICE: (CPU, CPU, REFERENCE),
    Cause.SLOW_STAGE: (REFERENCE, REFERENCE, REFERENCE),
    # The CPU finds out what is heavy by running it for a while; a warp runs that faster.
    Cause.HEAVY: (CUDA_WARPS, CPU, CUDA_WARPS),
}
"""For each cause, the tier to which each native tier defers."""


def next_tier(tier: TierName, cause: Cause, there: Collection[TierName]) -> TierName | None:
    """Return the tier of those that are `there` to which `tier` defers for `cause`; None where there is none."""
    return min((each for each in there if each >= NEXT[cause][tier]), default=None)


class StoppedBy(Enum):
    """What ended an evaluation that has no outcome."""

    CLOCK = "clock"
    CRASH = "crash"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Part:
    """What a tier made of a block.

    `block` are the finished evaluations; `records`, `steps`, `times_ns` and `outputs` belong to them, the last two
    where they were measured and asked for. `deferred` are evaluations for other tiers. `timed_out` is the evaluation
    that a guard ended, for the reason `stopped`, and `rest` are those that did not run or whose results are lost.
    `wall_s` is how long it all took, and `worker` names the GPU.
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

    @classmethod
    def of_results(
        cls,
        tier: TierName,
        ran: Block,
        results: npt.NDArray[Any],
        outputs: PackedOutputs | None,
        defers: Mapping[int, Cause],
        **more: Any,
    ) -> Part:
        """Make the part of evaluations that `ran` in native code.

        `defers` gives a cause for each status, beside UNSUPPORTED, of which evaluations are deferred.
        """
        is_unfinished = np.arange(1 << 8) >= Ended.UNSUPPORTED
        is_unfinished[list(defers)] = True
        status = results["status"]
        mask = is_unfinished[status]
        deferred: dict[Cause, Block] = {}
        if mask.any():
            # Few are deferred: what is worked out about them does not touch the others.
            unfinished, kept = np.flatnonzero(mask), np.flatnonzero(~mask)
            causes = results["cause"][unfinished].astype(np.int64)
            for each, cause in defers.items():
                causes[status[unfinished] == each] = cause
            for number in np.unique(causes).tolist():
                deferred[Cause(number)] = ran[unfinished[causes == number]]
            ran, results = ran[kept], picked(results, kept)
            outputs = None if outputs is None else outputs.only(kept)
        steps = results["steps"].astype(np.int64)
        return cls(tier, ran, records_of(results), steps, results["time_ns"], outputs, deferred=deferred, **more)

    @property
    def numbers(self) -> Integers:
        """The numbers of the finished evaluations."""
        return self.block.numbers

    def but(self, **changes: Any) -> Part:
        """Return the part with these fields changed."""
        return replace(self, **changes)


Ran: TypeAlias = Callable[[], Part]
"""What a worker ran of a block; the thread of the ladder makes the part, so that the worker goes on at once."""


def picked(results: npt.NDArray[Any], chosen: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the results at these places, or where a mask is True."""
    # As plain bytes: field by field NumPy takes several times as long.
    found: npt.NDArray[Any] = results.view(f"V{results.itemsize}")[chosen].view(results.dtype)
    return found


class Observer:
    """What a run reports to; whatever it raises ends the run. Subclasses override what they need.

    All but `on_begin` are called in the thread that runs the ladder. Where there is a `counter`, the one thread of the
    CPU counts in it the evaluations done of the block that it began last.
    """

    counter: c_uint64 | None = None

    def on_part(self, part: Part) -> None:
        """Receive evaluations that are finished; each comes once, or again where an interrupt hit this call."""

    def on_deferred(self, tier: TierName, why: str, block: Block) -> None:
        """Receive evaluations that `tier` deferred, and the cause in words, unless warps get them."""

    def on_begin(self, block: Block) -> None:
        """Be called before a thread of the CPU runs a block, in that thread."""

    def on_poll(self) -> None:
        """Be called again and again while the run goes on."""

    def on_note(self, line: str) -> None:
        """Receive a line that a person should read."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """The tiers that leave a run with an error, the reason, and the line that tells a person, empty where nobody cares.

    With `is_broken`, the evaluations that were under way may be the cause.
    """

    tiers: Sequence[Tier] = ()
    reason: str = ""
    line: str = ""
    is_broken: bool = False


class Tier(ABC):
    """One way to run evaluations, ready to do so. Only what `submit` begins runs in other threads."""

    name: TierName

    @abstractmethod
    def take(self, waiting: Waiting) -> Block | None:
        """Take the next block from what waits; None where there is no room or nothing for this tier."""

    @abstractmethod
    def submit(self, block: Block) -> Future[Ran]:
        """Begin to run a block."""

    @abstractmethod
    def close(self) -> None:
        """Stop what is under way, wait for it, and give all memory back."""

    def collect(self, part: Part) -> Part:
        """Learn from a part that this tier made, and return it as it should go on."""
        return part

    def guard(self, now_s: float) -> None:
        """Stop what has run for too long."""
        return

    def leaving(self, error: BaseException, tiers: Sequence[Tier]) -> Leaving | None:
        """Return which `tiers` leave where a block ended with `error`; None where that ends the run."""
        return None
