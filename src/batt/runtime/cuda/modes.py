"""The two modes of the kernel: one evaluation for each thread, or one for each warp."""

from __future__ import annotations

from dataclasses import dataclass, replace

from batt.bytecode.abi import FRAME_BYTES, Cause
from batt.runtime.cuda.grouping import GROUP
from batt.runtime.cuda.memory import Need
from batt.runtime.native import RESULT_TYPE
from batt.runtime.tier import CUDA_THREADS, CUDA_WARPS, TierName


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode of the kernel, and what a launch in this mode gives each evaluation.

    `group` evaluations of one slice are neighbours. A block runs `block` evaluations at the same time, an SM `per_sm`.
    An evaluation that meets the limit of `steps`, or of `ticks` of the SM's clock, is deferred for the cause `limit`.
    """

    tier: TierName
    limit: Cause
    options: tuple[str, ...]
    threads: int
    group: int
    block: int
    per_sm: int
    arena_bytes: int
    value_room: int
    frame_room: int
    steps: int
    ticks: int

    @property
    def need(self) -> Need:
        """Return what a launch without outputs takes."""
        memory = self.arena_bytes + self.frame_room * FRAME_BYTES
        return Need(memory, RESULT_TYPE.itemsize + 8, self.block)


# Measured on an H200. With more threads on an SM, they evict each other's data and code from its caches. A warp runs a
# long evaluation faster than a thread. 32 warps in step share more of the code than 16, and are faster for what ends a
# launch of threads; 16 have twice the registers and memory each, and are faster for what takes long.
THREADS = Mode(
    CUDA_THREADS,
    Cause.THREAD_LIMIT,
    options=(),
    threads=1,
    group=GROUP,
    block=256,
    per_sm=256,
    arena_bytes=256 << 10,
    value_room=1024,
    frame_room=64,
    steps=100_000,
    ticks=50_000_000,
)
WARPS = Mode(
    CUDA_WARPS,
    Cause.WARP_LIMIT,
    options=("-DBATT_WARPS=16",),
    threads=32,
    group=1,
    block=16,
    per_sm=16,
    arena_bytes=16 << 20,
    value_room=1 << 16,
    frame_room=1024,
    steps=2**62,
    ticks=450_000_000,
)
LIGHT_WARPS = replace(WARPS, options=("-DBATT_WARPS=32",), block=32, per_sm=32, arena_bytes=WARPS.arena_bytes // 2)
FIRST_STEPS = 5_000
"""Steps after which a launch of threads stops an evaluation and runs it again in a warp."""
