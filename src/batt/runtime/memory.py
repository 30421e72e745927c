"""The memory of a worker of the cpu tier: the sizes that can be set, and their form in native code."""

from __future__ import annotations

from ctypes import Structure
from dataclasses import astuple, dataclass

from batt.bytecode.abi import WORKER_MEMORY
from batt.errors import UsageError


class Fields(Structure):
    """`WorkerMemory` as native code reads it."""

    _fields_ = WORKER_MEMORY.ctype_fields


@dataclass(frozen=True, slots=True)
class WorkerMemory:
    """The use of memory by one worker. No outcome depends on it.

    `arena_bytes` is address space: pages are allocated when they are used. After an evaluation of more than
    `trim_steps` steps, pages beyond the first `trim_bytes` of each half of the arena are freed, unless staged values
    are there. The staged values of a sample, including those of its task and constants, take at most `stage_bytes`.
    Larger ones are not kept, and every solver computes them itself.
    """

    arena_bytes: int = 2 << 30
    trim_bytes: int = 32 << 20
    trim_steps: int = 200_000
    stage_bytes: int = 1 << 20

    def __post_init__(self) -> None:
        if min(astuple(self)) < 0:
            raise UsageError(f"the sizes of a worker's memory must not be negative, got {self}")

    @property
    def fields(self) -> Fields:
        """Return the sizes for native code."""
        return Fields(self.arena_bytes, self.trim_bytes, self.trim_steps, self.stage_bytes)


MEMORY = WorkerMemory()
