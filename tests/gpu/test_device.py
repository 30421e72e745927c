"""A device for real: its memory, its copies, the kernel and its cache. Run on a machine with a GPU and CuPy."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from batt.runtime.cuda import Device, devices, kernels, missing
from batt.runtime.cuda.faults import CompileFailed, OutOfMemory, RefusedCubin
from batt.runtime.cuda.memory import allowed_bytes
from batt.runtime.cuda.resources import Kernel, Stream

WHY_NOT = missing()

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(WHY_NOT is not None, reason=f"no GPU: {WHY_NOT}")]

ADDING = np.dtype([("to", "<u8"), ("count", "<u4"), ("add", "<u4")])
SOURCE = """
struct Adding { unsigned* to; unsigned count, add; };
extern "C" __global__ void adding(Adding it) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < it.count) it.to[at] += it.add;
}
"""
MIB = 1 << 20


@pytest.fixture
def device() -> Iterator[Device]:
    with Device(0) as opened:
        yield opened


def adding(device: Device) -> Kernel:
    return device.load(device.compile(SOURCE, ("-std=c++17",)), "adding")


def add(device: Device, kernel: Kernel, address: int, count: int, number: int, stream: Stream) -> None:
    argument = np.array([(address, count, number)], ADDING)[0]
    device.launch(kernel, (count + 127) // 128, 128, argument, stream)


def test_devices_tell_what_the_opened_one_has(device: Device):
    found = devices()[0]
    assert (found.number, found.name, found.capability) == (0, device.info.name, device.info.capability)
    assert 0 < found.free_bytes <= found.total_bytes
    assert device.info.sms > 0
    assert device.info.threads_per_sm % 32 == 0


@pytest.mark.alone
def test_memory_is_given_back_at_once(device: Device):
    before = device.free_bytes
    buffer = device.alloc(512 * MIB)
    assert before - device.free_bytes >= 512 * MIB
    buffer.close()
    assert device.free_bytes >= before - MIB
    device.alloc(512 * MIB)
    gc.collect()
    assert device.free_bytes >= before - MIB


@pytest.mark.alone
def test_closing_gives_everything_back():
    with Device(0) as first:
        before = first.free_bytes
        with Device(0) as second:
            kept = [second.alloc(256 * MIB) for _ in range(4)]
            pinned = second.pinned(np.uint64, MIB)
            kept_stream = second.stream()
        assert all(each.closed for each in (*kept, pinned, kept_stream))
        assert first.free_bytes >= before - MIB


@pytest.mark.parametrize("is_pinned", [False, True])
def test_what_goes_up_comes_down(device: Device, is_pinned: bool):
    count = 3 * MIB
    buffer, stream = device.alloc(4 * count + 64), device.stream()
    arrays = [device.pinned(np.uint32, count) for _ in range(2)] if is_pinned else []
    up, down = [each.array for each in arrays] if arrays else [np.empty(count, np.uint32) for _ in range(2)]
    up[:] = np.random.default_rng(5).integers(0, 1 << 32, count, np.uint32)
    down[:] = 0
    device.upload(buffer, up, stream, at=64)
    device.download(down, buffer, stream, at=64)
    device.synchronize(stream)
    assert np.array_equal(up, down)


def test_cleared_memory_is_zero(device: Device):
    buffer, stream, down = device.alloc(MIB), device.stream(), np.ones(MIB, np.uint8)
    device.clear(buffer, stream)
    device.download(down, buffer, stream)
    device.synchronize(stream)
    assert not down.any()


def test_a_kernel_gets_its_argument(device: Device):
    kernel, stream, count = adding(device), device.stream(), 100_000
    buffer, down = device.alloc(4 * count), np.empty(count, np.uint32)
    device.clear(buffer, stream)
    for number in range(10):
        add(device, kernel, buffer.address, count, number, stream)
    device.download(down, buffer, stream)
    device.synchronize(stream)
    assert down.tolist() == [45] * count


def test_another_thread_can_use_it(device: Device):
    seen: list[list[int]] = []

    def work() -> None:
        kernel, stream, buffer, down = adding(device), device.stream(), device.alloc(16), np.empty(4, np.uint32)
        device.clear(buffer, stream)
        add(device, kernel, buffer.address, 4, 7, stream)
        device.download(down, buffer, stream)
        device.synchronize(stream)
        seen.append(down.tolist())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [[7] * 4] * 4


@pytest.mark.alone
def test_more_than_is_free_is_out_of_memory_and_the_device_goes_on(device: Device):
    before = device.free_bytes
    with pytest.raises(OutOfMemory, match=r"out of memory, [\d,]+ bytes were requested"):
        device.alloc(before + 64 * MIB)
    with pytest.raises(OutOfMemory):
        device.alloc(1 << 50)
    assert device.failed is None
    buffer = device.alloc(allowed_bytes(before, device.info.total_bytes, 0.8))
    buffer.close()
    assert device.free_bytes >= before - MIB


def test_a_mistake_in_a_kernel_is_told(device: Device):
    with pytest.raises(CompileFailed, match="error"):
        device.compile("int broken", ("-std=c++17",))


@pytest.mark.parametrize("cubin", [b"no cubin at all", b"\x7fELF" + bytes(200)])
def test_what_is_no_cubin_is_refused_and_the_device_goes_on(device: Device, cubin: bytes):
    with pytest.raises(RefusedCubin):
        device.load(cubin, "adding")
    assert adding(device).ptr


def test_a_cubin_without_the_kernel_is_refused(device: Device):
    with pytest.raises(RefusedCubin, match="without the kernel"):
        device.load(device.compile(SOURCE, ()), "absent")
    assert device.failed is None


def test_the_kernel_is_compiled_once_and_a_damaged_cache_is_replaced(
    device: Device, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path))
    told: list[str] = []

    def load() -> Kernel:
        monkeypatch.setattr(kernels, "_made", {})
        return kernels.load(device, tell=told.append)

    first = load()
    assert [line.partition(";")[1:] for line in told] == [(";", " this is done once")]
    path = kernels.cached(device.info.capability, device.compiler)
    assert path is not None
    good = path.read_bytes()
    again = load()
    assert (again.local_bytes, len(told)) == (first.local_bytes, 1)
    path.write_bytes(good[:-1])
    assert load().local_bytes == first.local_bytes
    assert told[1].startswith(f"{path}: damaged; compiling")
    assert kernels.cached(device.info.capability, device.compiler) == path
    # A whole file with something else in it, as a driver may find an old one.
    kernels._write(path, b"\x7fELF" + bytes(200), told.append)
    assert load().local_bytes == first.local_bytes
    assert "the driver refuses a compiled kernel" in told[2]
    assert len(told) == 3


FAULT = f"""
import numpy as np
from batt.runtime.cuda import Device
from batt.runtime.cuda.faults import DeviceFailed
device = Device(0)
kernel = device.load(device.compile({SOURCE!r}, ()), "adding")
stream, buffer = device.stream(), device.alloc(16)
argument = np.array([(8, 64, 1)], {ADDING.descr!r})[0]
device.launch(kernel, 1, 64, argument, stream)
for call in (lambda: device.synchronize(stream), lambda: device.alloc(16), lambda: device.free_bytes):
    try:
        call()
    except DeviceFailed as error:
        print(error)
device.close()
assert buffer.closed
"""


def test_a_kernel_that_reaches_outside_fails_the_device():
    # In a process of its own: after that, this one could not use the device any more.
    ended = subprocess.run([sys.executable, "-c", FAULT], capture_output=True, text=True, timeout=120, check=False)
    lines = ended.stdout.splitlines()
    assert (ended.returncode, ended.stderr) == (0, "")
    assert len(lines) == 3
    assert set(lines) == {lines[0]}
    assert "a kernel accessed memory outside its own (" in lines[0]


@pytest.mark.alone
def test_pools_of_others_are_trimmed(device: Device):
    cupy = pytest.importorskip("cupy")
    before = device.free_bytes
    kept = cupy.empty(256 * MIB, cupy.uint8)
    del kept
    assert device.free_bytes <= before - 256 * MIB
    device.trim()
    assert device.free_bytes >= before - MIB
