"""What the engine asks of a device. Owns what a device hands out and when that is given back; knows nothing of CuPy."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """A device as it was when it was asked. `driver` and `runtime` are versions of CUDA."""

    number: int
    name: str
    capability: str
    total_bytes: int
    free_bytes: int
    processors: int
    threads_per_processor: int
    driver: str
    runtime: str

    def __str__(self) -> str:
        return label(self.number, self.name)


def label(number: int, name: str) -> str:
    """How a device is called in a text."""
    return f"GPU {number} ({name})"


class Owned:
    """Something of a device's, given back once: when it or its device is closed, or nothing refers to `owner`."""

    def __init__(self, give_back: Callable[[], object], owner: Any = None) -> None:
        self._give_back = weakref.finalize(self if owner is None else owner, give_back)
        # At exit the driver takes it all back, and may be gone already.
        self._give_back.atexit = False

    @property
    def closed(self) -> bool:
        """Whether it is given back."""
        return not self._give_back.alive

    def close(self) -> None:
        """Give it back."""
        self._give_back()


class Buffer(Owned):
    """Memory of a device."""

    def __init__(self, address: int, size: int, give_back: Callable[[], object]) -> None:
        super().__init__(give_back)
        self.address = address
        self.bytes = size


class Pinned(Owned):
    """An array in host memory that a device copies from and to by itself; not to be touched once this is closed.

    As long as the array or a view of it is there, nothing but `close` gives the memory back.
    """

    def __init__(self, array: npt.NDArray[Any], owner: Any, give_back: Callable[[], object]) -> None:
        super().__init__(give_back, owner)
        self.array = array

    def close(self) -> None:
        """Give the memory back."""
        self.array = np.empty(0, self.array.dtype)
        super().close()


class Event(Owned):
    """A point in a stream, with its time."""

    def __init__(self, ptr: int, give_back: Callable[[], object]) -> None:
        super().__init__(give_back)
        self.ptr = ptr


class Stream(Owned):
    """Work in order. `fence` is the event that the stream is waited for with."""

    def __init__(self, ptr: int, fence: Event, give_back: Callable[[], object]) -> None:
        super().__init__(give_back)
        self.ptr = ptr
        self.fence = fence


class Function(Owned):
    """A loaded kernel, and what one of its threads takes: registers, and bytes of local memory."""

    def __init__(self, name: str, ptr: int, registers: int, local_bytes: int, give_back: Callable[[], object]) -> None:
        super().__init__(give_back)
        self.name = name
        self.ptr = ptr
        self.registers = registers
        self.local_bytes = local_bytes


class DeviceLike(Protocol):
    """A device. All of it may be called from any thread; every call may raise a DeviceError.

    Copies and launches are queued: their arrays and buffers stay untouched until the stream is waited for.
    """

    @property
    def info(self) -> DeviceInfo:
        """The device as it was when it was opened."""

    @property
    def compiler(self) -> str:
        """The version of NVRTC."""

    @property
    def free_bytes(self) -> int:
        """Memory that nobody uses now."""

    @property
    def processors(self) -> int:
        """How many multiprocessors it has."""

    def alloc(self, size: int) -> Buffer:
        """Allocate `size` bytes of its memory; their content is undefined."""

    def pinned(self, dtype: npt.DTypeLike, count: int) -> Pinned:
        """Allocate `count` items of host memory that the device can reach; their content is undefined."""

    def stream(self) -> Stream:
        """A stream of its own."""

    def event(self) -> Event:
        """An event, not yet recorded."""

    def upload(self, buffer: Buffer, array: npt.NDArray[Any], stream: Stream, at: int = 0) -> None:
        """Copy an array to a buffer, from byte `at` on."""

    def download(self, array: npt.NDArray[Any], buffer: Buffer, stream: Stream, at: int = 0) -> None:
        """Fill an array from a buffer, from byte `at` on."""

    def clear(self, buffer: Buffer, stream: Stream) -> None:
        """Set all bytes of a buffer to 0."""

    def launch(self, function: Function, blocks: int, threads: int, argument: np.void, stream: Stream) -> None:
        """Run a kernel with one argument, a record, in `blocks` blocks of `threads` threads."""

    def record(self, event: Event, stream: Stream) -> None:
        """Let an event be what is queued in a stream so far."""

    def wait(self, stream: Stream, event: Event) -> None:
        """Let a stream go on only after an event."""

    def is_done(self, event: Event) -> bool:
        """Whether all up to an event is done; at once."""

    def finish(self, event: Event) -> None:
        """Wait here until all up to an event is done."""

    def synchronize(self, stream: Stream) -> None:
        """Wait here until all that is queued in a stream is done."""

    def elapsed_ms(self, first: Event, last: Event) -> float:
        """The time between two events that are done."""

    def compile(self, source: str, options: Sequence[str]) -> bytes:
        """A cubin for this device."""

    def load(self, cubin: bytes, name: str) -> Function:
        """A kernel of a cubin, which is loaded once for all of them; RefusedCubin where the driver does not take it."""

    def trim(self) -> None:
        """Give back what CuPy keeps for later."""

    def close(self) -> None:
        """Give back all that this device has handed out."""
