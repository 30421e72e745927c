"""How much of a device's memory is used, and for what. Plain arithmetic; knows no device.

A launch has lanes, each with memory of its own, arrays with a row for each of its evaluations, and where something is
worked out ahead of them, memory for each of its samples.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, replace

from batt.errors import InternalError, UsageError

VARIABLE = "BATT_GPU_MEMORY"
"""The environment variable that names the share of a card's memory that may be in use."""
FRACTION = 0.8

MIN_ROUNDS = 8
"""Evaluations that a launch has room for, for each lane: with fewer, lanes would wait for the slowest too often."""
AHEAD = 0.25
"""The largest fraction of a launch's memory that staged values take."""
MAX_EVALUATIONS = 1 << 31
"""Of one launch: kernels number them in 32 bits, and count some lanes beyond."""


class NoRoom(UsageError):
    """Not even one block of lanes fits into a device's memory; the message tells what to do."""


@dataclass(frozen=True, slots=True)
class Need:
    """What a launch takes: memory of a lane, rows of an evaluation in all arrays, lanes that only go together.

    `sample_bytes` are for the staged values of a sample.
    """

    lane_bytes: int
    evaluation_bytes: int
    block_lanes: int
    sample_bytes: int = 0

    def __post_init__(self) -> None:
        if min(self.lane_bytes, self.evaluation_bytes, self.block_lanes) < 1:
            raise InternalError(f"a launch needs something of everything, got {self}")

    @property
    def block_bytes(self) -> int:
        """The least that a launch takes."""
        return self.block_lanes * (self.lane_bytes + MIN_ROUNDS * self.evaluation_bytes)


@dataclass(frozen=True, slots=True)
class Room:
    """Lanes, evaluations and samples of one launch, whose memory is taken at once."""

    need: Need
    lanes: int
    evaluations: int
    samples: int = 0

    @property
    def blocks(self) -> int:
        """Blocks of lanes."""
        return self.lanes // self.need.block_lanes

    @property
    def lanes_bytes(self) -> int:
        """Memory of all lanes."""
        return self.lanes * self.need.lane_bytes

    @property
    def bytes(self) -> int:
        """All memory."""
        rows = self.evaluations * self.need.evaluation_bytes
        return self.lanes_bytes + rows + self.samples * self.need.sample_bytes

    def halved(self) -> Room:
        """Half of it, in whole blocks, for when the device had less than it said; NoRoom where that is too little."""
        is_least = self.blocks == 1 and self.evaluations <= MIN_ROUNDS * self.lanes
        if is_least and self.samples < 2:
            raise NoRoom(f"not even {gib(self.bytes)} of the GPU's memory could be had; {_WHAT_TO_DO}")
        lanes = max(1, self.blocks // 2) * self.need.block_lanes
        evaluations = self.evaluations if is_least else max(1, self.evaluations // 2)
        return replace(self, lanes=lanes, evaluations=evaluations, samples=-(-self.samples // 2))


_WHAT_TO_DO = "end other programs that use the card, or run with --engine cpu"


_default: float | None = None
"""The share that this process uses where none is given, before the environment is asked."""


def set_default_fraction(share: float | None) -> None:
    """Use `share` of a card in all runs of this process that give none; None asks the environment again."""
    global _default
    _default = share


def fraction(given: float | None = None) -> float:
    """The share of a card that may be in use: as given, else this process's default, else the environment's, else 0.8.

    For those who begin a run: everything below is handed `Options.gpu_memory`.
    """
    given = _default if given is None else given
    text = os.environ.get(VARIABLE, "") if given is None else str(given)
    if not text:
        return FRACTION
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 < share <= 1:
        source = VARIABLE if given is None else "the share of a GPU's memory"
        raise UsageError(f"{source} must be above 0 and at most 1, got {text!r}")
    return share


def allowed_bytes(free_bytes: int, total_bytes: int, share: float, reserved_bytes: int = 0) -> int:
    """What may be taken, so that no more than a share of the card is in use, by whomever.

    `reserved_bytes` is what the driver will take besides: the local memory of a kernel's threads.
    """
    in_use = total_bytes - free_bytes
    return max(0, math.floor(share * total_bytes) - in_use - reserved_bytes)


def local_bytes(thread_bytes: int, processors: int, threads_per_processor: int) -> int:
    """What the driver takes for the local memory of a kernel: that of all threads that can be under way at once."""
    return thread_bytes * processors * threads_per_processor


def room(allowed: int, need: Need, lanes_wanted: int, evaluations: int, samples: int = 0) -> Room:
    """Return the largest launch for `evaluations` in the allowed bytes; NoRoom where not one block fits.

    A part is for samples, where something is worked out ahead for them. There are as many lanes as wanted where they
    fit, and never more than evaluations. What is left after them is for evaluations: a launch need not hold all.
    """
    if need.sample_bytes:
        part = min(math.floor(AHEAD * allowed), allowed - need.block_bytes)
        samples = max(1, min(samples, part // need.sample_bytes))
        allowed -= samples * need.sample_bytes
    if allowed < need.block_bytes:
        raise NoRoom(
            f"one block of {need.block_lanes} lanes takes {gib(need.block_bytes)}, and {gib(allowed)} of the GPU's "
            f"memory may be taken; {_WHAT_TO_DO}, or let more of the card be used ({VARIABLE}=0.9)"
        )
    fitting = allowed // need.block_bytes
    wanted = math.ceil(min(lanes_wanted, evaluations) / need.block_lanes)
    lanes = max(1, min(fitting, wanted)) * need.block_lanes
    rows = (allowed - lanes * need.lane_bytes) // need.evaluation_bytes
    return Room(need, lanes, max(1, min(rows, evaluations, MAX_EVALUATIONS)), samples if need.sample_bytes else 0)


def gib(size: int) -> str:
    """Bytes in words: `1.5 GiB`, `512.0 MiB`."""
    return f"{size / (1 << 30):.1f} GiB" if size >= 1 << 30 else f"{size / (1 << 20):.1f} MiB"
