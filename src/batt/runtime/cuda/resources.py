"""The resources that a device hands out: memory, streams and kernels. Does not import CuPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.runtime.cuda.faults import label
from batt.runtime.owned import Owned


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """A device and its free memory when it was asked. `driver` and `runtime` are versions of CUDA."""

    number: int
    name: str
    capability: str
    total_bytes: int
    free_bytes: int
    sms: int
    threads_per_sm: int
    driver: str
    runtime: str

    def __str__(self) -> str:
        return label(self.number, self.name)


class Buffer(Owned):
    """Memory of a device."""

    def __init__(self, address: int, size: int, give_back: Callable[[], object]) -> None:
        super().__init__(give_back)
        self.address = address
        self.bytes = size


class Pinned(Owned):
    """An array in host memory that a device reads and writes directly. Do not use the array after `close`.

    Unless it is closed, the memory lives as long as the array or a view of it.
    """

    def __init__(self, array: npt.NDArray[Any], owner: Any, give_back: Callable[[], object]) -> None:
        super().__init__(give_back, owner)
        self.array = array

    def close(self) -> None:
        """Give the memory back."""
        self.array = np.empty(0, self.array.dtype)
        super().close()


class Handle(Owned):
    """An event or a module of the driver."""

    def __init__(self, ptr: int, give_back: Callable[[], object]) -> None:
        super().__init__(give_back)
        self.ptr = ptr


class Stream(Handle):
    """A queue of copies and launches. `fence` is the event with which a thread waits for its end."""

    def __init__(self, ptr: int, fence: Handle, give_back: Callable[[], object]) -> None:
        super().__init__(ptr, give_back)
        self.fence = fence


class Kernel(Handle):
    """A loaded kernel. Each of its threads takes `local_bytes` of local memory."""

    def __init__(self, ptr: int, local_bytes: int, give_back: Callable[[], object]) -> None:
        super().__init__(ptr, give_back)
        self.local_bytes = local_bytes
