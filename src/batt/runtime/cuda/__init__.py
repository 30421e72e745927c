"""GPUs: what is there, their memory, and the kernel on them."""

from batt.runtime.cuda.contract import Buffer, DeviceInfo, DeviceLike, Event, Function, Pinned, Stream
from batt.runtime.cuda.device import Device, arrays, devices, missing
from batt.runtime.cuda.faults import CompileFailed, DeviceError, DeviceFailed, NoGpu, OutOfMemory, RefusedCubin
from batt.runtime.cuda.finding import in_sight

__all__ = [
    "Buffer",
    "CompileFailed",
    "Device",
    "DeviceError",
    "DeviceFailed",
    "DeviceInfo",
    "DeviceLike",
    "Event",
    "Function",
    "NoGpu",
    "OutOfMemory",
    "Pinned",
    "RefusedCubin",
    "Stream",
    "arrays",
    "devices",
    "in_sight",
    "missing",
]
