"""CuPy as far as batt calls it, without a GPU: device memory is host memory, a kernel is a Python function.

Failures are planted where CUDA has them: an allocation beyond what the card has, a launch whose error shows when it is
waited for, a card that is lost and then fails every call. As with CUDA, every thread has a current card of its own.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np

import batt.runtime.cuda.device as module
from batt.runtime.cuda import columns, states
from batt.runtime.cuda.finding import imported
from batt.runtime.cuda.kernels import STAGE_ENTRY

NO_MEMORY, ILLEGAL_ADDRESS, NO_BINARY = 2, 700, 209
NAMES = {2: "cudaErrorMemoryAllocation", 35: "cudaErrorInsufficientDriver", 100: "cudaErrorNoDevice"}

Kernel = Callable[[int, int, int], None]
"""What a launch runs: with its blocks, its threads, and the address of its argument."""


class CudaError(RuntimeError):
    def __init__(self, status: int) -> None:
        super().__init__(f"{NAMES.get(status, f'cudaError{status}')}: in words")
        self.status = status


@dataclass
class Card:
    name: str = "Fake Card"
    capability: tuple[int, int] = (9, 0)
    total_bytes: int = 1 << 30
    processors: int = 4


@dataclass
class FakeCupy:
    """To be put in CuPy's place with `use`. `taken` is what is allocated now, by address; `calls` are their names.

    `fails_at_launch` loses the card of that launch. An allocation above `most_bytes` fails, whatever is free.
    """

    cards: list[Card] = field(default_factory=lambda: [Card()])
    version: str = "14.2.0"
    driver_version: int = 13000
    runtime_version: int = 13020
    compiler: tuple[int, int] = (13, 4)
    targets: tuple[int, ...] = (75, 80, 86, 89, 90, 120)
    is_hip: bool = False
    count_error: int = 0
    no_compiler: bool = False
    compile_log: str = ""
    refused: set[bytes] = field(default_factory=set)
    kernel: Kernel = lambda blocks, threads, argument: None
    stage_kernel: Kernel = lambda blocks, threads, argument: None
    column_kernel: Kernel = lambda blocks, threads, argument: None
    pack_kernel: Kernel = lambda blocks, threads, argument: None
    states_kernel: Kernel = lambda blocks, threads, argument: None
    fails_at_launch: int = -1
    most_bytes: int = 1 << 60
    lost: dict[int, int] = field(default_factory=dict)
    launches: int = 0
    calls: list[str] = field(default_factory=list)
    compiled: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    loaded: list[bytes] = field(default_factory=list)
    taken: dict[int, tuple[int, int, Any]] = field(default_factory=dict)
    handles: set[int] = field(default_factory=set)
    numbers: count[int] = field(default_factory=lambda: count(1001))
    threads: threading.local = field(default_factory=threading.local)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def current(self) -> int:
        return getattr(self.threads, "card", 0)

    @current.setter
    def current(self, number: int) -> None:
        self.threads.card = number

    @property
    def status(self) -> int:
        return self.lost.get(self.current, 0)

    @status.setter
    def status(self, status: int) -> None:
        self.lost[self.current] = status

    def use(self, patch: Any) -> FakeCupy:
        patch.setattr(module, "_cupy", lambda: imported(lambda: self))
        return self

    def lose(self, status: int = ILLEGAL_ADDRESS, card: int = 0) -> None:
        """From now on every call on a card fails."""
        self.lost[card] = status

    def used(self, number: int) -> int:
        return sum(size for card, size, _ in self.taken.copy().values() if card == number)

    @property
    def __version__(self) -> str:
        return self.version

    @property
    def cuda(self) -> Any:
        return SimpleNamespace(runtime=self, driver=self, nvrtc=self, **{"NVRTCError": CudaError})

    NVRTCError = CudaError
    hostAllocPortable, eventBlockingSync, streamNonBlocking = 1, 1, 1
    memcpyHostToDevice, memcpyDeviceToHost, memcpyDeviceToDevice = 1, 2, 3
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3

    def _call(self, name: str) -> None:
        self.calls.append(name)
        self.check_status(self.status)

    def _handle(self, name: str) -> int:
        self._call(name)
        handle = next(self.numbers)
        self.handles.add(handle)
        return handle

    def check_status(self, status: int) -> None:
        if status:
            raise CudaError(status)

    def getDeviceCount(self) -> int:
        self.check_status(self.count_error)
        return len(self.cards)

    def driverGetVersion(self) -> int:
        return self.driver_version

    def runtimeGetVersion(self) -> int:
        return self.runtime_version

    def getDeviceProperties(self, number: int) -> dict[str, Any]:
        card = self.cards[number]
        return {
            "name": card.name.encode(),
            "major": card.capability[0],
            "minor": card.capability[1],
            "multiProcessorCount": card.processors,
            "maxThreadsPerMultiProcessor": 2048,
        }

    def getDevice(self) -> int:
        return self.current

    def setDevice(self, number: int) -> None:
        self.current = number

    def memGetInfo(self) -> tuple[int, int]:
        self._call("memGetInfo")
        total = self.cards[self.current].total_bytes
        return total - self.used(self.current), total

    def malloc(self, size: int) -> int:
        self._call("malloc")
        if size > min(self.memGetInfo()[0], self.most_bytes):
            raise CudaError(NO_MEMORY)
        return self._take(self.current, size)

    def hostAlloc(self, size: int, flags: int) -> int:
        self._call("hostAlloc")
        return self._take(-1, size)

    def _take(self, card: int, size: int) -> int:
        memory = np.full(size, 0xCD, np.uint8)
        self.taken[memory.ctypes.data] = card, size, memory
        return memory.ctypes.data

    def free(self, address: int) -> None:
        self._call("free")
        assert self.taken.pop(address)[0] == self.current, "freed on another device"

    def freeHost(self, address: int) -> None:
        self._call("freeHost")
        assert self.taken.pop(address)[0] == -1

    def streamCreateWithFlags(self, flags: int) -> int:
        return self._handle("streamCreate")

    def eventCreateWithFlags(self, flags: int) -> int:
        return self._handle("eventCreate")

    def eventDestroy(self, handle: int) -> None:
        self._call("eventDestroy")
        self.handles.remove(handle)

    def streamDestroy(self, handle: int) -> None:
        self._call("streamDestroy")
        self.handles.remove(handle)

    def eventRecord(self, event: int, stream: int) -> None:
        self._call("eventRecord")

    def eventSynchronize(self, event: int) -> None:
        self._call("eventSynchronize")

    def memcpyAsync(self, to: int, source: int, size: int, kind: int, stream: int) -> None:
        self._call("memcpyAsync")
        ctypes.memmove(to, source, size)

    def memsetAsync(self, address: int, value: int, size: int, stream: int) -> None:
        self._call("memsetAsync")
        ctypes.memset(address, value, size)

    def moduleLoadData(self, cubin: bytes) -> int:
        if cubin in self.refused:
            raise CudaError(NO_BINARY)
        self.loaded.append(cubin)
        return self._handle("moduleLoad")

    def moduleUnload(self, handle: int) -> None:
        self._call("moduleUnload")
        self.handles.remove(handle)

    def moduleGetFunction(self, handle: int, name: str) -> int:
        self._call("moduleGetFunction")
        assert handle in self.handles, "a function of a module that is gone"
        return {STAGE_ENTRY: 8, columns.ENTRY: 9, columns.PACK_ENTRY: 10, states.ENTRY: 11}.get(name, 7)

    def funcGetAttribute(self, attribute: int, function: int) -> int:
        return {3: 512}[attribute]

    def launchKernel(self, function: int, *args: int) -> None:
        self._call("launch")
        blocks, _, _, threads, _, _, shared, _, parameters, extra = args
        assert (shared, extra) == (0, 0)
        with self.lock:
            launch = self.launches
            self.launches += 1
        if launch == self.fails_at_launch:
            self.lose(card=self.current)
            return
        kernels = {8: self.stage_kernel, 9: self.column_kernel, 10: self.pack_kernel, 11: self.states_kernel}
        kernel = {7: self.kernel, **kernels}[function]
        kernel(blocks, threads, ctypes.c_void_p.from_address(parameters).value or 0)

    def getVersion(self) -> tuple[int, int]:
        if self.no_compiler:
            raise RuntimeError('Failure finding "libnvrtc.so.13"\nand more')
        return self.compiler

    def getSupportedArchs(self) -> tuple[int, ...]:
        return self.targets

    def createProgram(self, source: str, name: str, headers: tuple[()], names: tuple[()]) -> int:
        with self.lock:
            self.compiled.append((source, ()))
            return len(self.compiled) - 1

    def compileProgram(self, program: int, options: tuple[str, ...]) -> None:
        self.compiled[program] = (self.compiled[program][0], options)
        if self.compile_log:
            raise CudaError(6)

    def getProgramLog(self, program: int) -> str:
        return self.compile_log

    def getCUBIN(self, program: int) -> bytes:
        return b"cubin %d" % program

    def destroyProgram(self, program: int) -> None:
        self.calls.append("destroyProgram")

    def get_default_memory_pool(self) -> Any:
        return SimpleNamespace(free_all_blocks=lambda: self.calls.append("free_all_blocks"))

    get_default_pinned_memory_pool = get_default_memory_pool
