"""A GPU through CuPy: its memory, streams, events and kernels. The only file that imports CuPy, and only when asked.

Memory is taken from the driver and given back to it, without CuPy's pools: what is closed is free for everybody.
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
from batt.runtime.cuda.contract import Buffer, DeviceInfo, Event, Function, Owned, Pinned, Stream
from batt.runtime.cuda.faults import NO_MEMORY, CompileFailed, DeviceError, DeviceFailed, NoGpu, failure, refusal
from batt.runtime.cuda.finding import best_target, count_of, imported, name_of, unfit, version_text
from batt.runtime.cuda.selection import Numbers, cards

SUCCESS, NOT_READY = 0, 600

_Made = TypeVar("_Made", bound=Owned)


def _cupy() -> Any:
    """CuPy; NoGpu, with what to do, where it is not there, broken or too old."""

    def load() -> Any:
        import cupy

        return cupy

    return imported(load)


def missing(numbers: Numbers | None = None) -> str | None:
    """Why no GPU can be used, or not all that are named, and what to do; None where that is not so.

    A number that no GPU has is a UsageError.
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
    """CuPy itself, for array functions of the user's; NoGpu where no GPU can be used."""
    why = missing()
    if why is not None:
        raise NoGpu(why)
    return _cupy()


def count() -> int:
    """How many GPUs there are, those included that batt cannot use; NoGpu where there are none."""
    return count_of(_cupy())


def devices() -> list[DeviceInfo]:
    """All GPUs, those included that batt cannot use; NoGpu where there are none."""
    cupy = _cupy()
    return [_info(cupy, number) for number in range(count_of(cupy))]


def cupy_version() -> str:
    """The version of CuPy; NoGpu where it cannot be used."""
    return str(_cupy().__version__)


def compiler_version() -> str:
    """The version of the NVRTC that CuPy finds; NoGpu where there is none."""
    return best_target(_cupy(), None).compiler


def compile_source(source: str, options: Sequence[str], target: str) -> bytes:
    """A cubin for a target such as `sm_90`, which need not be here; UsageError with the compiler's words."""
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
    """Make a device this thread's, and afterwards the one again that it was: others in this process use CUDA too."""
    before = runtime.getDevice()
    # Even where it is this one: calls of the driver need a context, which a thread gets here.
    runtime.setDevice(number)
    try:
        yield
    finally:
        if before != number:
            runtime.setDevice(before)


class _Module(Owned):
    """A cubin on a device."""

    def __init__(self, driver: Any, cubin: bytes, give_back: Callable[..., object]) -> None:
        self.ptr = int(driver.moduleLoadData(cubin))
        super().__init__(partial(give_back, driver.moduleUnload, self.ptr))


class Device:
    """A GPU, opened by its number; a DeviceLike. After a failure every call raises, and CUDA is not called any more.

    One of several workers on a card has it in its name, and tells of its part of the memory alone.
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
        self._modules: WeakValueDictionary[bytes, _Module] = WeakValueDictionary()
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
        """The version of NVRTC."""
        return self._target.compiler

    @property
    def free_bytes(self) -> int:
        """Memory that nobody uses now."""
        with self._calls():
            return int(self._runtime.memGetInfo()[0]) // self._workers

    @property
    def processors(self) -> int:
        """How many multiprocessors it has."""
        return self.info.processors

    def alloc(self, size: int) -> Buffer:
        """So many bytes of its memory, of any content."""
        with self._calls(wanted_bytes=size):
            address = int(self._runtime.malloc(max(1, size)))
        return self._own(Buffer(address, size, partial(self._give_back, self._runtime.free, address)))

    def pinned(self, dtype: npt.DTypeLike, count: int) -> Pinned:
        """So many items of host memory that it can reach, of any content."""
        size = max(1, np.dtype(dtype).itemsize * count)
        with self._calls(wanted_bytes=size):
            address = int(self._runtime.hostAlloc(size, self._runtime.hostAllocPortable))
        raw = (ctypes.c_uint8 * size).from_address(address)
        array = np.frombuffer(memoryview(raw), dtype, count)
        return self._own(Pinned(array, raw, partial(self._give_back, self._runtime.freeHost, address)))

    def event(self) -> Event:
        """An event, not yet recorded, that a thread waits for without keeping its core busy."""
        with self._calls():
            ptr = int(self._runtime.eventCreateWithFlags(self._runtime.eventBlockingSync))
        return self._own(Event(ptr, partial(self._give_back, self._runtime.eventDestroy, ptr)))

    def stream(self) -> Stream:
        """A stream of its own, which no other waits for."""
        fence = self.event()
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
            raise InternalError("an array that is only for reading cannot be filled from a device")
        kind = self._runtime.memcpyDeviceToHost
        with self._calls():
            self._runtime.memcpyAsync(array.ctypes.data, buffer.address + at, array.nbytes, kind, stream.ptr)

    def clear(self, buffer: Buffer, stream: Stream) -> None:
        """Set all bytes of a buffer to 0."""
        with self._calls():
            self._runtime.memsetAsync(buffer.address, 0, buffer.bytes, stream.ptr)

    def launch(self, function: Function, blocks: int, threads: int, argument: np.void, stream: Stream) -> None:
        """Run a kernel with one argument, a record, in `blocks` blocks of `threads` threads."""
        held = np.array(argument)
        parameters = (ctypes.c_void_p * 1)(held.ctypes.data)
        with self._calls():
            # The driver copies the argument before it returns.
            self._driver.launchKernel(
                *(function.ptr, blocks, 1, 1, threads, 1, 1, 0, stream.ptr, ctypes.addressof(parameters), 0)
            )

    def record(self, event: Event, stream: Stream) -> None:
        """Let an event be what is queued in a stream so far."""
        with self._calls():
            self._runtime.eventRecord(event.ptr, stream.ptr)

    def wait(self, stream: Stream, event: Event) -> None:
        """Let a stream go on only after an event."""
        with self._calls():
            self._runtime.streamWaitEvent(stream.ptr, event.ptr)

    def is_done(self, event: Event) -> bool:
        """Whether all up to an event is done; at once."""
        with self._calls():
            status = int(self._runtime.eventQuery(event.ptr))
            if status not in (SUCCESS, NOT_READY):
                self._runtime.check_status(status)
        return status == SUCCESS

    def finish(self, event: Event) -> None:
        """Wait here until all up to an event is done."""
        with self._calls():
            self._runtime.eventSynchronize(event.ptr)

    def synchronize(self, stream: Stream) -> None:
        """Wait here until all that is queued in a stream is done."""
        self.record(stream.fence, stream)
        self.finish(stream.fence)

    def elapsed_ms(self, first: Event, last: Event) -> float:
        """The time between two events that are done."""
        with self._calls():
            return float(self._runtime.eventElapsedTime(first.ptr, last.ptr))

    def compile(self, source: str, options: Sequence[str]) -> bytes:
        """A cubin for this device."""
        try:
            return compile_source(source, options, self._target.name)
        except UsageError as error:
            raise CompileFailed(self.info.number, self.info.name, str(error)) from None

    def load(self, cubin: bytes, name: str) -> Function:
        """A kernel of a cubin, which is loaded once for all of them; RefusedCubin where the driver does not take it."""
        driver = self._driver
        with self._calls(loading=True):
            module = self._modules.get(cubin)
            if module is None:
                module = self._modules[cubin] = _Module(driver, cubin, self._give_back)
            ptr = int(driver.moduleGetFunction(module.ptr, name))
            registers = int(driver.funcGetAttribute(driver.CU_FUNC_ATTRIBUTE_NUM_REGS, ptr))
            local_bytes = int(driver.funcGetAttribute(driver.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, ptr))
        # Whoever gives back the last of its kernels lets go of the module.
        return self._own(Function(name, ptr, registers, local_bytes, [module].clear))

    def trim(self) -> None:
        """Give back what CuPy keeps for later, from other users of it in this process."""
        with self._calls():
            self._cupy.get_default_memory_pool().free_all_blocks()
            self._cupy.get_default_pinned_memory_pool().free_all_blocks()

    def close(self) -> None:
        """Give back all that this device has handed out."""
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
        """Free something; where the device has failed meanwhile, the next call on it says so."""
        with suppress(DeviceError), self._calls():
            free(handle)

    @contextmanager
    def _calls(self, wanted_bytes: int = 0, loading: bool = False) -> Iterator[None]:
        """Call CUDA on this device; what it raises becomes an error of ours."""
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
        raise InternalError("an array with gaps cannot be copied to or from a device")
