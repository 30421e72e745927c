"""GPUs: what is there, their memory, and the kernel on them."""

from batt.runtime.cuda.device import Device, arrays, devices, missing
from batt.runtime.cuda.faults import DeviceError, NoGpu
from batt.runtime.cuda.finding import in_sight
from batt.runtime.cuda.resources import DeviceInfo

__all__ = ["Device", "DeviceError", "DeviceInfo", "NoGpu", "arrays", "devices", "in_sight", "missing"]
