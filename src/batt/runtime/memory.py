"""How a worker of the cpu engine uses memory: the sizes that can be set, and their form in native code."""

from __future__ import annotations

from ctypes import Structure, c_int64, c_uint64
from dataclasses import astuple, dataclass

from batt.errors import UsageError


class Fields(Structure):
    """`WorkerMemory` of native/host/worker.h."""

    _fields_ = (("arena_bytes", c_uint64), ("trim_bytes", c_uint64), ("trim_steps", c_int64))


@dataclass(frozen=True, slots=True)
class WorkerMemory:
    """How one worker uses memory; no outcome depends on it.

    `arena_bytes` is address space: pages are taken when they are used. After an evaluation of more than `trim_steps`
    steps, pages beyond the first `trim_bytes` of each half of the arena are given back, unless shared values lie there.
    """

    arena_bytes: int = 2 << 30
    trim_bytes: int = 32 << 20
    trim_steps: int = 200_000

    def __post_init__(self) -> None:
        if min(astuple(self)) < 0:
            raise UsageError(f"a worker's memory is not negative, got {self}")

    @property
    def fields(self) -> Fields:
        """The same for native code."""
        return Fields(*astuple(self))


MEMORY = WorkerMemory()
