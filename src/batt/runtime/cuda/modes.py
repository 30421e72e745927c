"""The two modes in which the kernel runs evaluations: one for each thread, or one for each warp."""

from __future__ import annotations

from dataclasses import dataclass

from batt.bytecode.abi import FRAME_BYTES, Cause
from batt.runtime.cuda.grouping import GROUP
from batt.runtime.cuda.memory import Need
from batt.runtime.native import RESULT_TYPE
from batt.runtime.tier import CUDA_THREADS, CUDA_WARPS, TierName


@dataclass(frozen=True, slots=True)
class Mode:
    """How the kernel runs evaluations, and what a launch gives each of them.

    `group` is how many evaluations of one slice stand side by side, `block` how many a block of the kernel runs at
    once, and `per_processor` how many an SM does. `steps` and `ticks` of the SM's clock limit each; what meets that
    limit is deferred for the cause `limit`.
    """

    tier: TierName
    limit: Cause
    options: tuple[str, ...]
    threads: int
    group: int
    block: int
    per_processor: int
    lane_bytes: int
    value_room: int
    frame_room: int
    steps: int
    ticks: int

    @property
    def need(self) -> Need:
        """What a launch without outputs takes."""
        memory = self.lane_bytes + self.frame_room * FRAME_BYTES
        return Need(memory, RESULT_TYPE.itemsize + 8, self.block)


# Measured on an H200. More evaluations on an SM push each other's data and code out of its caches. What takes a thread
# long, a warp does faster.
THREADS = Mode(
    CUDA_THREADS,
    Cause.THREAD_LIMIT,
    options=(),
    threads=1,
    group=GROUP,
    block=256,
    per_processor=256,
    lane_bytes=256 << 10,
    value_room=1024,
    frame_room=64,
    steps=100_000,
    ticks=50_000_000,
)
WARPS = Mode(
    CUDA_WARPS,
    Cause.WARP_LIMIT,
    options=("-DBATT_WARPS",),
    threads=32,
    group=1,
    block=16,
    per_processor=16,
    lane_bytes=16 << 20,
    value_room=1 << 16,
    frame_room=1024,
    steps=2**62,
    ticks=450_000_000,
)
