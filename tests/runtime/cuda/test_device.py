"""A device over a fake CuPy: what is given back, and what every failure becomes. On a GPU: tests/gpu/test_device.py."""

from __future__ import annotations

import ctypes
import gc
import pickle
from collections.abc import Callable

import numpy as np
import pytest

from batt.errors import InternalError, UsageError
from batt.runtime.cuda import Device, NoGpu, devices
from batt.runtime.cuda.device import compile_source
from batt.runtime.cuda.faults import CompileFailed, DeviceFailed, OutOfMemory, RefusedCubin
from batt.runtime.cuda.resources import Kernel
from fake_cupy import Card, FakeCupy

ARGUMENT = np.dtype([("address", "<u8"), ("count", "<u4"), ("rest", "<u4")])


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch) -> FakeCupy:
    return FakeCupy([Card(total_bytes=1 << 20), Card("Second", total_bytes=1 << 20)]).use(monkeypatch)


def loaded(device: Device) -> Kernel:
    return device.load(b"cubin", "batt_evaluate")


def test_what_goes_up_comes_down(cupy: FakeCupy):
    with Device(0) as device:
        buffer, stream = device.alloc(64), device.stream()
        device.clear(buffer, stream)
        device.upload(buffer, np.arange(4, dtype=np.uint32), stream, at=16)
        pinned = device.pinned(np.uint32, 16)
        device.download(pinned.array, buffer, stream)
        device.synchronize(stream)
        assert pinned.array.tolist() == [0, 0, 0, 0, 0, 1, 2, 3, *[0] * 8]


def test_bytes_are_copied_from_buffer_to_buffer(cupy: FakeCupy):
    with Device(0) as device:
        source, to, stream = device.alloc(16), device.alloc(32), device.stream()
        down = np.ones(8, np.uint32)
        device.clear(to, stream)
        device.upload(source, np.arange(4, dtype=np.uint32), stream)
        device.copy(to, source, 12, stream)
        device.download(down, to, stream)
        device.synchronize(stream)
        assert down.tolist() == [0, 1, 2, 0, 0, 0, 0, 0]
        with pytest.raises(InternalError, match="do not go to one of 32"):
            device.copy(to, source, 20, stream)


def test_a_mark_is_waited_for_and_given_back(cupy: FakeCupy):
    with Device(0) as device:
        stream = device.stream()
        kept = len(cupy.handles)
        mark = device.mark(stream)
        device.wait(mark)
        assert cupy.calls[-2:] == ["eventRecord", "eventSynchronize"]
        mark.close()
        assert len(cupy.handles) == kept


def test_a_closed_buffer_is_free_at_once(cupy: FakeCupy):
    device = Device(1)
    buffer = device.alloc(1000)
    assert cupy.used(1) == 1000
    assert device.free_bytes == (1 << 20) - 1000
    buffer.close()
    buffer.close()
    assert buffer.closed
    assert cupy.used(1) == 0


def test_closing_a_device_gives_everything_back(cupy: FakeCupy):
    with Device(0) as device:
        kept = [device.alloc(10), device.pinned("<u8", 5), device.stream(), loaded(device)]
        assert cupy.taken
        assert cupy.handles
    assert (cupy.taken, cupy.handles) == ({}, set())
    assert all(each.closed for each in kept)


def test_what_nobody_refers_to_is_given_back(cupy: FakeCupy):
    device = Device(0)
    device.alloc(10)
    loaded(device)
    gc.collect()
    assert (cupy.taken, cupy.handles) == ({}, set())


def test_pinned_memory_lives_as_long_as_a_view_of_it(cupy: FakeCupy):
    view = Device(0).pinned(np.uint16, 8).array[2:]
    gc.collect()
    assert len(cupy.taken) == 1
    view[:] = 7
    del view
    gc.collect()
    assert cupy.taken == {}


def test_closed_pinned_memory_cannot_be_reached_through_its_owner(cupy: FakeCupy):
    pinned = Device(0).pinned(np.uint16, 8)
    pinned.close()
    assert (len(pinned.array), cupy.taken) == (0, {})


def test_nothing_of_no_size_is_special(cupy: FakeCupy):
    with Device(0) as device:
        buffer, stream, pinned = device.alloc(0), device.stream(), device.pinned(np.uint32, 0)
        device.upload(buffer, pinned.array, stream)
        device.download(pinned.array, buffer, stream)
        assert (buffer.bytes, len(pinned.array)) == (0, 0)


def test_the_threads_own_device_stays_what_it_was(cupy: FakeCupy):
    cupy.current = 0
    with Device(1) as device:
        device.alloc(10).close()
        devices()
        assert cupy.current == 0


def test_a_kernel_gets_its_argument_as_it_is(cupy: FakeCupy):
    seen = []
    cupy.kernel = lambda blocks, threads, at: seen.append((blocks, threads, ctypes.string_at(at, ARGUMENT.itemsize)))
    with Device(0) as device:
        argument = np.array([(1 << 40, 5, 6)], ARGUMENT)[0]
        device.launch(loaded(device), 3, 64, argument, device.stream())
    assert seen == [(3, 64, argument.tobytes())]


def test_a_loaded_kernel_says_how_much_local_memory_a_thread_takes(cupy: FakeCupy):
    assert loaded(Device(0)).local_bytes == 512


def test_a_cubin_is_loaded_once_for_all_of_its_kernels(cupy: FakeCupy):
    device = Device(0)
    first, second = device.load(b"cubin", "batt_evaluate"), device.load(b"cubin", "batt_stage")
    assert (cupy.loaded, first.ptr != second.ptr) == ([b"cubin"], True)
    first.close()
    assert cupy.calls.count("moduleUnload") == 0
    third = device.load(b"cubin", "batt_evaluate")
    assert (cupy.loaded, third.ptr) == ([b"cubin"], first.ptr)
    device.close()
    assert (cupy.calls.count("moduleUnload"), cupy.handles) == (1, set())
    loaded(device).close()
    assert (len(cupy.loaded), cupy.handles) == (2, set())


def test_too_much_memory_is_out_of_memory_and_the_device_goes_on(cupy: FakeCupy):
    with Device(1) as device:
        with pytest.raises(OutOfMemory) as raised:
            device.alloc(2 << 20)
        assert str(raised.value) == "GPU 1 (Second): out of memory, 2,097,152 bytes were requested"
        assert (raised.value.number, raised.value.name) == (1, "Second")
        assert device.alloc(1 << 19).bytes == 1 << 19


def test_cupys_own_out_of_memory_is_the_same(cupy: FakeCupy, monkeypatch: pytest.MonkeyPatch):
    def full(size: int) -> int:
        raise MemoryError("Out of memory allocating 5 bytes")

    monkeypatch.setattr(cupy, "malloc", full)
    with pytest.raises(OutOfMemory):
        Device(0).alloc(5)


def test_after_a_failure_cuda_is_not_called_any_more(cupy: FakeCupy):
    cupy.fails_at_launch = 1
    device = Device(0)
    kernel, stream, buffer = loaded(device), device.stream(), device.alloc(10)
    argument = np.zeros(1, ARGUMENT)[0]
    device.launch(kernel, 1, 32, argument, stream)
    device.synchronize(stream)
    device.launch(kernel, 1, 32, argument, stream)
    with pytest.raises(DeviceFailed, match=r"^GPU 0 \(Fake Card\): a kernel accessed memory outside its own \("):
        device.synchronize(stream)
    seen = len(cupy.calls)
    again: list[Callable[[], object]] = [
        lambda: device.launch(kernel, 1, 32, argument, stream),
        lambda: device.alloc(1),
        lambda: device.upload(buffer, np.zeros(1), stream),
        lambda: device.synchronize(stream),
        lambda: device.free_bytes,
        device.trim,
    ]
    for call in again:
        with pytest.raises(DeviceFailed, match="a kernel accessed memory outside its own"):
            call()
    device.close()
    assert buffer.closed
    assert len(cupy.calls) == seen
    assert device.failed is not None
    assert "failed" in repr(device)


@pytest.mark.parametrize(
    ("status", "told"),
    [(719, "a kernel failed"), (214, "uncorrectable"), (46, "not available"), (999, "cudaError999: in words")],
)
def test_a_lost_device_is_noticed_by_every_kind_of_call(cupy: FakeCupy, status: int, told: str):
    device = Device(0)
    stream = device.stream()
    cupy.lose(status)
    with pytest.raises(DeviceFailed, match=told):
        device.synchronize(stream)


def test_another_device_goes_on(cupy: FakeCupy):
    first, second = Device(0), Device(1)
    cupy.lose()
    with pytest.raises(DeviceFailed):
        first.alloc(1)
    cupy.status = 0
    assert second.alloc(1).bytes == 1


def test_what_is_freed_on_a_lost_device_raises_nothing(cupy: FakeCupy):
    device = Device(0)
    buffer = device.alloc(10)
    cupy.lose()
    buffer.close()
    assert device.failed is not None


def test_a_device_that_is_lost_when_opened(cupy: FakeCupy):
    cupy.lose(46, 1)
    with pytest.raises(DeviceFailed, match=r"^GPU 1 \(Second\): another program uses it exclusively"):
        Device(1)


def test_a_cubin_that_the_driver_refuses_leaves_the_device_good(cupy: FakeCupy):
    cupy.refused.add(b"cubin")
    device = Device(0)
    with pytest.raises(RefusedCubin, match="the driver refuses a compiled kernel: made for another card"):
        loaded(device)
    assert device.failed is None


def test_a_cubin_without_the_kernel_is_refused_and_unloaded(cupy: FakeCupy, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cupy, "moduleGetFunction", lambda handle, name: cupy.check_status(500))
    with pytest.raises(RefusedCubin, match="without the kernel"):
        loaded(Device(0))
    gc.collect()
    assert cupy.handles == set()


def test_compiling_is_for_the_devices_own_capability(cupy: FakeCupy):
    assert Device(0).compile("text", ("-DX=1",)) == b"cubin 0"
    assert cupy.compiled == [("text", ("-DX=1", "-arch=sm_90"))]
    assert cupy.calls[-1] == "destroyProgram"


def test_a_kernel_that_does_not_compile_is_told_in_the_compilers_words(cupy: FakeCupy):
    cupy.compile_log = "evaluate.cu(3): error: expected a ';'\n"
    with pytest.raises(CompileFailed, match=r"cannot be compiled for sm_90: evaluate.cu\(3\): error: expected a ';'$"):
        Device(0).compile("text", ())
    with pytest.raises(UsageError, match="cannot be compiled for sm_75"):
        compile_source("text", (), "sm_75")


def test_pools_of_others_are_trimmed(cupy: FakeCupy):
    Device(0).trim()
    assert cupy.calls[-2:] == ["free_all_blocks"] * 2


@pytest.mark.parametrize("number", [-1, 2])
def test_a_number_without_a_device_is_refused(cupy: FakeCupy, number: int):
    with pytest.raises(UsageError, match=f"there is no GPU {number}; GPUs here: 0, 1$"):
        Device(number)


def test_a_device_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch):
    FakeCupy([Card(), Card("Old", (5, 0))]).use(monkeypatch)
    with pytest.raises(NoGpu, match="Old is too old"):
        Device(1)


def test_copies_outside_a_buffer_are_refused(cupy: FakeCupy):
    device = Device(0)
    buffer, stream = device.alloc(8), device.stream()
    for at, array in ((-1, np.zeros(1, np.uint8)), (1, np.zeros(8, np.uint8)), (0, np.zeros((4, 4), np.uint8)[:, :2])):
        with pytest.raises(InternalError):
            device.upload(buffer, array, stream, at)
        with pytest.raises(InternalError):
            device.download(array, buffer, stream, at)
    with pytest.raises(InternalError):
        device.download(np.frombuffer(bytes(8), np.uint8), buffer, stream)
    buffer.close()
    with pytest.raises(InternalError):
        device.upload(buffer, np.zeros(1, np.uint8), stream)


def test_errors_travel_between_processes():
    error = pickle.loads(pickle.dumps(OutOfMemory(3, "Card", "out of memory")))
    assert isinstance(error, OutOfMemory)
    assert str(error) == "GPU 3 (Card): out of memory"
