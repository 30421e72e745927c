"""The memory of a slot for launches, on a device and on the host."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from batt.runtime.cuda.device import Device
from batt.runtime.cuda.resources import Buffer, Pinned, Stream
from batt.runtime.native import RESULT_TYPE


@dataclass(frozen=True, slots=True)
class HostRows:
    """Host memory for rows of evaluations."""

    results: Pinned
    numbers: Pinned
    routines: Pinned

    @classmethod
    def on(cls, device: Device, count: int) -> HostRows:
        """Allocate memory for `count` rows, which takes CUDA long."""
        types = RESULT_TYPE, np.uint32, np.uint32
        return cls(*[device.pinned(each, count) for each in types])

    def close(self) -> None:
        """Give the memory back."""
        for each in (self.results, self.numbers, self.routines):
            each.close()


@dataclass(slots=True)
class SlotMemory:
    """The memory of a slot: a stream, device memory with the offsets of its parts, and host memory.

    `counts` are the next evaluation of the queue, the bytes of outputs, and the next sample to stage.
    """

    stream: Stream
    buffer: Buffer
    offsets: tuple[int, ...]
    counts: Buffer
    rows: HostRows | None = None

    def rows_for(self, device: Device, count: int) -> HostRows:
        """Return host memory for `count` rows. The first launch of a slot has the most, so it rarely grows."""
        if self.rows is None or len(self.rows.numbers.array) < count:
            if self.rows is not None:
                self.rows.close()
            self.rows = HostRows.on(device, count)
        return self.rows

    def close(self) -> None:
        """Give the memory back."""
        for each in (self.stream, self.buffer, self.counts, self.rows):
            if each is not None:
                each.close()
