"""What goes wrong on a device, as errors of batt's own. Owns which failures leave it unusable, and their words."""

from __future__ import annotations

from batt.errors import BattError, UsageError
from batt.runtime.cuda.contract import label

NO_MEMORY = 2

_WORDS = {
    46: "it is in use by another program alone, or not available",
    214: "an error in its memory that cannot be corrected",
    220: "an error of its link that cannot be corrected",
    700: "a kernel reached outside its memory",
    701: "a kernel needs more than a processor has",
    702: "a kernel ran longer than the driver allows",
    714: "an error in a kernel's stack",
    715: "a kernel met an instruction that is none",
    716: "a kernel reached an address that is not aligned",
    717: "a kernel used an address of the wrong kind of memory",
    718: "a kernel jumped out of its code",
    719: "a kernel failed",
}

_REFUSALS = {
    200: "no image of a kernel",
    209: "made for another card",
    218: "malformed",
    221: "not compiled to the end",
    222: "made for a newer driver",
    300: "malformed",
    302: "incomplete",
    500: "without the kernel",
}


class NoGpu(UsageError):
    """No GPU can be used; the message tells why and what to do."""


class DeviceError(BattError):
    """Something that a device did not do; the CPU can still do the work."""

    def __init__(self, number: int, name: str, reason: str) -> None:
        super().__init__(number, name, reason)
        self.number = number
        self.name = name
        self.reason = reason

    def __str__(self) -> str:
        return f"{label(self.number, self.name)}: {self.reason}"


class OutOfMemory(DeviceError):
    """There is less memory than was asked for; with less, the device goes on."""


class RefusedCubin(DeviceError):
    """The driver does not take a cubin; the device goes on."""


class CompileFailed(DeviceError):
    """The kernel cannot be compiled; the device goes on."""


class DeviceFailed(DeviceError):
    """The device cannot be used any more by this process."""


def failure(number: int, name: str, status: int | None, text: str, wanted_bytes: int = 0) -> DeviceError:
    """The error for a status of CUDA and what CUDA says about it; all that is not known to pass is a failed device."""
    if status == NO_MEMORY:
        asked = f", {wanted_bytes:,} bytes were asked for" if wanted_bytes else ""
        return OutOfMemory(number, name, f"out of memory{asked}")
    return DeviceFailed(number, name, f"{_WORDS[status]} ({text})" if status in _WORDS else text)


def refusal(number: int, name: str, status: int | None, text: str) -> DeviceError:
    """The error for a cubin that was not loaded."""
    if status in _REFUSALS:
        return RefusedCubin(number, name, f"the driver refuses a compiled kernel: {_REFUSALS[status]} ({text})")
    return failure(number, name, status, text)


def ending(error: BaseException, worker: str) -> str:
    """What ended a worker, in words."""
    match error:
        case DeviceError():
            return str(error)
        case MemoryError():
            return f"{worker}: the host's memory is short"
        case SystemExit():
            return f"{worker}: its thread was ended"
        case _:
            return f"{worker}: {error}"
