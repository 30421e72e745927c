"""Keep the memory of a device that is given back, for the next user: CUDA takes milliseconds for each allocation."""

from __future__ import annotations

from collections import defaultdict
from functools import partial

from batt.runtime.cuda.device import Device
from batt.runtime.cuda.faults import OutOfMemory
from batt.runtime.cuda.memory import allowed_bytes
from batt.runtime.cuda.resources import Buffer
from batt.runtime.owned import Owned

LEAST_BYTES = 512


class Pooled(Owned):
    """Memory of a pool; it goes back there when it is closed or forgotten."""

    def __init__(self, pool: BufferPool, buffer: Buffer) -> None:
        super().__init__(partial(pool.give, buffer))
        self.buffer = buffer
        self.address = buffer.address
        self.bytes = buffer.bytes


class BufferPool:
    """The memory that work in one stream of a device uses: what is given back may be used again at once.

    At most the fraction `most` of the device is in use, other processes included.
    """

    def __init__(self, device: Device, most: float) -> None:
        self.device = device
        self.most = most
        self._idle: defaultdict[int, list[Buffer]] = defaultdict(list)

    def take(self, size: int) -> Pooled:
        """Return memory of at least `size` bytes; raise OutOfMemory if the device may not give as much."""
        rounded = rounded_size(size)
        idle = self._idle[rounded]
        if idle:
            return Pooled(self, idle.pop())
        if rounded > self.allowed():
            self.trim()
            if rounded > self.allowed():
                info = self.device.info
                raise OutOfMemory(info.number, info.name, f"out of memory, {rounded:,} bytes were requested")
        try:
            return Pooled(self, self.device.alloc(rounded))
        except OutOfMemory:
            self.trim()
            return Pooled(self, self.device.alloc(rounded))

    def give(self, buffer: Buffer) -> None:
        """Keep memory for the next one that asks for as much."""
        if not buffer.closed:
            self._idle[buffer.bytes].append(buffer)

    def allowed(self) -> int:
        """Return the bytes that may be allocated now, idle ones not counted."""
        return allowed_bytes(self.device.free_bytes, self.device.info.total_bytes, self.most)

    def trim(self) -> None:
        """Free all memory that is not in use."""
        for buffers in self._idle.values():
            while buffers:
                buffers.pop().close()


def rounded_size(size: int) -> int:
    """Return a size at most an eighth larger, so that similar sizes are equal."""
    least = max(size, LEAST_BYTES)
    step = 1 << max(0, least.bit_length() - 4)
    return -(-least // step) * step
