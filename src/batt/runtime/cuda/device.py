"""A GPU through CuPy: its memory, streams and kernels. The only file that imports CuPy, when it is first needed.

Memory comes directly from the driver, without CuPy's pools: what is closed is free for other processes at once.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar
from weakref import WeakSet, WeakValueDictionary

import numpy as np
import numpy.typing as npt

from batt.errors import InternalError, UsageError
from batt.runtime.cuda.faults import NO_MEMORY, CompileFailed, DeviceError, DeviceFailed, NoGpu, failure, refusal
from batt.runtime.cuda.finding import best_target, count_of, imported, name_of, unfit, version_text
from batt.runtime.cuda.resources import Buffer, DeviceInfo, Handle, Kernel, Pinned, Stream
from batt.runtime.cuda.selection import Numbers, cards
from batt.runtime.owned import Owned

_Made = TypeVar("_Made", bound=Owned)


def _cupy() -> Any:
    """Import and return CuPy; raise NoGpu if it is missing, broken or too old."""

    def load() -> Any:
        import cupy

        return cupy

    return imported(load)


def missing(numbers: Numbers | None = None) -> str | None:
    """Return why no GPU can be used, or not all of `numbers`, and what to do; None if they can be used.

    Raise UsageError for a number that no GPU has.
    """
    try:
        cupy = _cupy()
        reasons = [unfit(cupy, card.number) for card in cards(numbers, count_of(cupy))]
    except NoGpu as error:
        return str(error)
    if not numbers:
        return None if None in reasons else reasons[0]
    return next((reason for reason in reasons if reason is not None), None)


def arrays() -> Any:
    """Return CuPy itself, for a user's array functions; raise NoGpu if no GPU can be used."""
    why = missing()
    if why is not None:
        raise NoGpu(why)
    return _cupy()


def count() -> int:
    """Count all GPUs, including those that batt cannot use; raise NoGpu if there are none."""
    return count_of(_cupy())


def devices() -> list[DeviceInfo]:
    """List all GPUs, including those that batt cannot use; raise NoGpu if there are none."""
    cupy = _cupy()
    return [_info(cupy, number) for number in range(count_of(cupy))]


def cupy_version() -> str:
    """Return the version of CuPy; raise NoGpu if it cannot be used."""
    return str(_cupy().__version__)


def compiler_version() -> str:
    """Return the version of the NVRTC that CuPy finds; raise NoGpu if there is none."""
    return best_target(_cupy(), None).compiler


def compile_source(source: str, options: Sequence[str], target: str) -> bytes:
    """Compile a cubin for a `target` such as `sm_90`; raise UsageError with the compiler's words.

    This machine need not have such a GPU.
    """
    nvrtc = _cupy().cuda.nvrtc
    program = nvrtc.createProgram(source, "evaluate.cu", (), ())
    try:
        nvrtc.compileProgram(program, (*options, f"-arch={target}"))
        return bytes(nvrtc.getCUBIN(program))
    except nvrtc.NVRTCError as error:
        log = str(nvrtc.getProgramLog(program)).strip()
        raise UsageError(f"the kernel cannot be compiled for {target}: {log or error}") from None
    finally:
        nvrtc.destroyProgram(program)


def _info(cupy: Any, number: int) -> DeviceInfo:
    runtime = cupy.cuda.runtime
    name = name_of(cupy, number)
    try:
        properties = runtime.getDeviceProperties(number)
        with _current(runtime, number):
            free_bytes, total_bytes = runtime.memGetInfo()
    except RuntimeError as error:
        raise failure(number, name, getattr(error, "status", None), str(error)) from None
    return DeviceInfo(
        number,
        name,
        f"{properties['major']}.{properties['minor']}",
        int(total_bytes),
        int(free_bytes),
        int(properties["multiProcessorCount"]),
        int(properties["maxThreadsPerMultiProcessor"]),
        version_text(runtime.driverGetVersion()),
        version_text(runtime.runtimeGetVersion()),
    )


@contextmanager
def _current(runtime: Any, number: int) -> Iterator[None]:
    """Make device `number` current in this thread, then restore the previous one: other code here may use CUDA too."""
    before = runtime.getDevice()
    # Also if it is current already: calls of the driver need a context, which a thread gets here.
    runtime.setDevice(number)
    try:
        yield
    finally:
        if before != number:
            runtime.setDevice(before)


class Device:
    """A GPU, opened by its number. Any thread may call it, and every call may raise a DeviceError.

    Copies and launches are queued: their arrays and buffers must stay untouched until the stream is waited for. After a
    failure every call raises, and CUDA is not called any more. With several `workers` on a GPU, each opens it as
    `worker`, and `info` has the worker in its name and counts only its part of the memory.
    """

    def __init__(self, number: int = 0, worker: int = 0, workers: int = 1) -> None:
        self._cupy = _cupy()
        cards((number,), count_of(self._cupy))
        reason = unfit(self._cupy, number)
        if reason is not None:
            raise NoGpu(reason)
        self._runtime = self._cupy.cuda.runtime
        self._driver = self._cupy.cuda.driver
        self._owned: WeakSet[Owned] = WeakSet()
        self._modules: WeakValueDictionary[bytes, Handle] = WeakValueDictionary()
        self.failed: str | None = None
        self.info = _info(self._cupy, number)
        self._workers = workers
        if workers > 1:
            name = f"{self.info.name}, worker {worker + 1} of {workers}"
            free_bytes, total_bytes = self.info.free_bytes // workers, self.info.total_bytes // workers
            self.info = replace(self.info, name=name, free_bytes=free_bytes, total_bytes=total_bytes)
        self._target = best_target(self._cupy, self.info.capability)

    @property
    def compiler(self) -> str:
        """Return the version of NVRTC."""
        return self._target.compiler

    @property
    def free_bytes(self) -> int:
        """Return the bytes of memory that no process uses now."""
        with self._calls():
            return int(self._runtime.memGetInfo()[0]) // self._workers

    def alloc(self, size: int) -> Buffer:
        """Allocate `size` bytes of its memory; their content is undefined."""
        with self._calls(wanted_bytes=size):
            address = int(self._runtime.malloc(max(1, size)))
        return self._own(Buffer(address, size, partial(self._give_back, self._runtime.free, address)))

    def pinned(self, dtype: npt.DTypeLike, count: int) -> Pinned:
        """Allocate `count` items of host memory that the device can reach; their content is undefined."""
        size = max(1, np.dtype(dtype).itemsize * count)
        with self._calls(wanted_bytes=size):
            address = int(self._runtime.hostAlloc(size, self._runtime.hostAllocPortable))
        raw = (ctypes.c_uint8 * size).from_address(address)
        array = np.frombuffer(memoryview(raw), dtype, count)
        return self._own(Pinned(array, raw, partial(self._give_back, self._runtime.freeHost, address)))

    def stream(self) -> Stream:
        """Create a stream that no other stream waits for."""
        with self._calls():
            # A thread that waits for such an event does not keep its core busy.
            ptr = int(self._runtime.eventCreateWithFlags(self._runtime.eventBlockingSync))
        fence = self._own(Handle(ptr, partial(self._give_back, self._runtime.eventDestroy, ptr)))
        with self._calls():
            ptr = int(self._runtime.streamCreateWithFlags(self._runtime.streamNonBlocking))
        return self._own(Stream(ptr, fence, partial(self._give_back, self._runtime.streamDestroy, ptr)))

    def upload(self, buffer: Buffer, array: npt.NDArray[Any], stream: Stream, at: int = 0) -> None:
        """Copy an array to a buffer, from byte `at` on."""
        _check(buffer, array, at)
        kind = self._runtime.memcpyHostToDevice
        with self._calls():
            self._runtime.memcpyAsync(buffer.address + at, array.ctypes.data, array.nbytes, kind, stream.ptr)

    def download(self, array: npt.NDArray[Any], buffer: Buffer, stream: Stream, at: int = 0) -> None:
        """Fill an array from a buffer, from byte `at` on."""
        _check(buffer, array, at)
        if not array.flags.writeable:
            raise InternalError("a read-only array cannot be filled from a device")
        kind = self._runtime.memcpyDeviceToHost
        with self._calls():
            self._runtime.memcpyAsync(array.ctypes.data, buffer.address + at, array.nbytes, kind, stream.ptr)

    def copy(self, to: Buffer, source: Buffer, size: int, stream: Stream) -> None:
        """Copy the first `size` bytes of a buffer to another."""
        if to.closed or source.closed or size > min(to.bytes, source.bytes):
            raise InternalError(f"{size:,} bytes of a buffer of {source.bytes:,} do not go to one of {to.bytes:,}")
        kind = self._runtime.memcpyDeviceToDevice
        with self._calls():
            self._runtime.memcpyAsync(to.address, source.address, size, kind, stream.ptr)

    def clear(self, buffer: Buffer, stream: Stream) -> None:
        """Set all bytes of a buffer to 0."""
        with self._calls():
            self._runtime.memsetAsync(buffer.address, 0, buffer.bytes, stream.ptr)

    def launch(self, kernel: Kernel, blocks: int, threads: int, argument: np.void, stream: Stream) -> None:
        """Launch `kernel` with one argument, a record, in `blocks` blocks of `threads` threads."""
        held = np.array(argument)
        parameters = (ctypes.c_void_p * 1)(held.ctypes.data)
        with self._calls():
            # The driver copies the argument before it returns.
            self._driver.launchKernel(
                *(kernel.ptr, blocks, 1, 1, threads, 1, 1, 0, stream.ptr, ctypes.addressof(parameters), 0)
            )

    def synchronize(self, stream: Stream) -> None:
        """Wait until all that is queued in a stream is done."""
        with self._calls():
            self._runtime.eventRecord(stream.fence.ptr, stream.ptr)
            self._runtime.eventSynchronize(stream.fence.ptr)

    def mark(self, stream: Stream) -> Handle:
        """Mark what is queued in a stream until now."""
        with self._calls():
            ptr = int(self._runtime.eventCreateWithFlags(self._runtime.eventBlockingSync))
        made = self._own(Handle(ptr, partial(self._give_back, self._runtime.eventDestroy, ptr)))
        with self._calls():
            self._runtime.eventRecord(ptr, stream.ptr)
        return made

    def wait(self, mark: Handle) -> None:
        """Wait until all that was queued before a mark is done."""
        with self._calls():
            self._runtime.eventSynchronize(mark.ptr)

    def compile(self, source: str, options: Sequence[str]) -> bytes:
        """Compile a cubin for this device."""
        try:
            return compile_source(source, options, self._target.name)
        except UsageError as error:
            raise CompileFailed(self.info.number, self.info.name, str(error)) from None

    def load(self, cubin: bytes, name: str) -> Kernel:
        """Load a kernel of a cubin; raise RefusedCubin if the driver does not accept it.

        A cubin is loaded once for all of its kernels.
        """
        driver = self._driver
        with self._calls(loading=True):
            module = self._modules.get(cubin)
            if module is None:
                ptr = int(driver.moduleLoadData(cubin))
                module = Handle(ptr, partial(self._give_back, driver.moduleUnload, ptr))
                self._modules[cubin] = module
            ptr = int(driver.moduleGetFunction(module.ptr, name))
            local_bytes = int(driver.funcGetAttribute(driver.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, ptr))
        # The kernel holds the last reference to its module.
        return self._own(Kernel(ptr, local_bytes, [module].clear))

    def trim(self) -> None:
        """Free the memory that CuPy keeps for other code of this process."""
        with self._calls():
            self._cupy.get_default_memory_pool().free_all_blocks()
            self._cupy.get_default_pinned_memory_pool().free_all_blocks()

    def close(self) -> None:
        """Give back everything that this device has handed out."""
        for each in list(self._owned):
            each.close()

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *ended: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Device {self.info}{' | failed' if self.failed else ''}>"

    def _own(self, made: _Made) -> _Made:
        self._owned.add(made)
        return made

    def _give_back(self, free: Callable[[int], object], handle: int) -> None:
        """Free `handle`. If the device has failed meanwhile, the next call raises."""
        with suppress(DeviceError), self._calls():
            free(handle)

    @contextmanager
    def _calls(self, wanted_bytes: int = 0, loading: bool = False) -> Iterator[None]:
        """Call CUDA on this device; turn what CuPy raises into an error of batt."""
        number, name = self.info.number, self.info.name
        if self.failed is not None:
            raise DeviceFailed(number, name, self.failed)
        try:
            with _current(self._runtime, number):
                yield
        except MemoryError as error:
            raise failure(number, name, NO_MEMORY, str(error), wanted_bytes) from None
        except RuntimeError as error:
            status, text = getattr(error, "status", None), str(error)
            made = refusal(number, name, status, text) if loading else failure(number, name, status, text, wanted_bytes)
            if isinstance(made, DeviceFailed):
                self.failed = made.reason
            raise made from None


def _check(buffer: Buffer, array: npt.NDArray[Any], at: int) -> None:
    if buffer.closed or at < 0 or at + array.nbytes > buffer.bytes:
        raise InternalError(
            f"{array.nbytes:,} bytes at {at:,} of a buffer of {buffer.bytes:,}, closed: {buffer.closed}"
        )
    if not array.flags.c_contiguous:
        raise InternalError("an array that is not contiguous cannot be copied to or from a device")
