"""Compute how much of a device's memory a launch takes. Plain arithmetic, which calls no device.

A launch has an arena for each evaluation that runs at the same time, arrays with a row for each of its evaluations, and
memory for each sample for which it stages values.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, replace

from batt.errors import InternalError, UsageError

VARIABLE = "BATT_GPU_MEMORY"
"""The environment variable with the fraction of a card's memory that may be in use."""
FRACTION = 0.8

MIN_ROUNDS = 8
"""The least evaluations of a launch for each arena: with fewer, most arenas would wait for the slowest evaluation."""
AHEAD = 0.25
"""The largest fraction of a launch's memory that staged values take."""
MAX_EVALUATIONS = 1 << 31
"""The most evaluations of a launch: kernels number them in 32 bits, and count a little beyond."""


class NoRoom(UsageError):
    """Not even one block fits into a device's memory. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Need:
    """The bytes that a launch takes: for an arena, for the rows of an evaluation, for the staged values of a sample.

    A block has `block_arenas` arenas.
    """

    arena_bytes: int
    evaluation_bytes: int
    block_arenas: int
    sample_bytes: int = 0

    def __post_init__(self) -> None:
        if min(self.arena_bytes, self.evaluation_bytes, self.block_arenas) < 1:
            raise InternalError(f"a launch takes arenas and rows, got {self}")

    @property
    def block_bytes(self) -> int:
        """Return the least that a launch takes: one block."""
        return self.block_arenas * (self.arena_bytes + MIN_ROUNDS * self.evaluation_bytes)


@dataclass(frozen=True, slots=True)
class Room:
    """The numbers of arenas, evaluations and samples that one launch has memory for."""

    need: Need
    arenas: int
    evaluations: int
    samples: int = 0

    @property
    def blocks(self) -> int:
        """Return the number of blocks."""
        return self.arenas // self.need.block_arenas

    @property
    def arenas_bytes(self) -> int:
        """Return the bytes of all arenas."""
        return self.arenas * self.need.arena_bytes

    @property
    def bytes(self) -> int:
        """Return all bytes of the launch."""
        rows = self.evaluations * self.need.evaluation_bytes
        return self.arenas_bytes + rows + self.samples * self.need.sample_bytes

    def halved(self) -> Room:
        """Return half of it, in whole blocks, for a device with less memory than it said; NoRoom if it is the least."""
        is_least = self.blocks == 1 and self.evaluations <= MIN_ROUNDS * self.arenas
        if is_least and self.samples < 2:
            raise NoRoom(f"not even {gib(self.bytes)} of the GPU's memory could be allocated; {_WHAT_TO_DO}")
        arenas = max(1, self.blocks // 2) * self.need.block_arenas
        evaluations = self.evaluations if is_least else max(1, self.evaluations // 2)
        return replace(self, arenas=arenas, evaluations=evaluations, samples=-(-self.samples // 2))


_WHAT_TO_DO = "end other programs that use the card, or run with --engine cpu"


_default: float | None = None
"""The fraction for runs of this process that give none. It comes before the environment variable."""


def set_default_fraction(chosen: float | None) -> None:
    """Use the fraction `chosen` in all runs of this process that give none; None restores the environment's."""
    global _default
    _default = chosen


def fraction(given: float | None = None) -> float:
    """Return the fraction of a card that may be in use: `given`, this process's default, the environment's, or 0.8.

    Only the code that begins a run calls this. All other code reads `Options.gpu_memory`.
    """
    given = _default if given is None else given
    text = os.environ.get(VARIABLE, "") if given is None else str(given)
    if not text:
        return FRACTION
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 < found <= 1:
        source = VARIABLE if given is None else "the fraction of a GPU's memory"
        raise UsageError(f"{source} must be above 0 and at most 1, got {text!r}")
    return found


def allowed_bytes(free_bytes: int, total_bytes: int, most: float, reserved_bytes: int = 0) -> int:
    """Return the bytes to allocate so that total use, other processes included, stays below the fraction `most`.

    `reserved_bytes` is what the driver will allocate in addition: the local memory of a kernel's threads.
    """
    in_use = total_bytes - free_bytes
    return max(0, math.floor(most * total_bytes) - in_use - reserved_bytes)


def room(allowed: int, need: Need, arenas_wanted: int, evaluations: int, samples: int = 0) -> Room:
    """Return the largest launch for `evaluations` in the `allowed` bytes; raise NoRoom if not one block fits.

    The staged values of at most `samples` samples come first, then at most `arenas_wanted` arenas, in whole blocks and
    not more than evaluations need. The rest is for the rows of evaluations: a launch need not hold all.
    """
    if need.sample_bytes:
        part = min(math.floor(AHEAD * allowed), allowed - need.block_bytes)
        samples = max(1, min(samples, part // need.sample_bytes))
        allowed -= samples * need.sample_bytes
    if allowed < need.block_bytes:
        raise NoRoom(
            f"one block of {need.block_arenas} arenas takes {gib(need.block_bytes)}, and {gib(allowed)} of the GPU's "
            f"memory may be taken; {_WHAT_TO_DO}, or let batt use more of the card ({VARIABLE}=0.9)"
        )
    fitting = allowed // need.block_bytes
    wanted = math.ceil(min(arenas_wanted, evaluations) / need.block_arenas)
    arenas = max(1, min(fitting, wanted)) * need.block_arenas
    rows = (allowed - arenas * need.arena_bytes) // need.evaluation_bytes
    return Room(need, arenas, max(1, min(rows, evaluations, MAX_EVALUATIONS)), samples if need.sample_bytes else 0)


def gib(size: int) -> str:
    """Return a number of bytes as a text: `1.5 GiB`, `512.0 MiB`."""
    return f"{size / (1 << 30):.1f} GiB" if size >= 1 << 30 else f"{size / (1 << 20):.1f} MiB"
