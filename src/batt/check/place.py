"""How far a comparison has come, in memory that another process may watch."""

from __future__ import annotations

from ctypes import c_uint64

import numpy as np
import numpy.typing as npt

MOST = 1 << 16
"""Evaluations of one block at most."""
BYTES = 16 + 4 * MOST


class Place:
    """The engine under way, from 1 on, and the evaluations that it runs in their order, with how many are done.

    Phase 0 is making a bench ready. Native code counts in `counter` itself.
    """

    def __init__(self, memory: object | None = None) -> None:
        room: object = bytearray(BYTES) if memory is None else memory
        self.phase = c_uint64.from_buffer(room)  # type: ignore[arg-type]
        self.counter = c_uint64.from_buffer(room, 8)  # type: ignore[arg-type]
        self._order = np.frombuffer(room, np.uint32, offset=16)  # type: ignore[call-overload]

    def begin(self, numbers: npt.NDArray[np.int64]) -> None:
        """Run these evaluations next, in this order."""
        self.counter.value = 0
        self._order[: len(numbers)] = numbers[:MOST]

    @property
    def number(self) -> int:
        """The evaluation under way."""
        return int(self._order[min(self.counter.value, MOST - 1)])
