"""Errors of a device: what CUDA reports becomes an error of batt that says whether the device can still be used."""

from __future__ import annotations

from batt.errors import BattError, UsageError

NO_MEMORY = 2

_WORDS = {
    46: "another program uses it exclusively, or it is not available",
    214: "an uncorrectable error in its memory",
    220: "an uncorrectable error of its link",
    700: "a kernel accessed memory outside its own",
    701: "a kernel needs more than an SM has",
    702: "a kernel ran longer than the driver allows",
    714: "an error in a kernel's stack",
    715: "a kernel met an illegal instruction",
    716: "a kernel accessed an address that is not aligned",
    717: "a kernel accessed an address in the wrong kind of memory",
    718: "a kernel jumped out of its code",
    719: "a kernel failed",
}

_REFUSALS = {
    200: "not an image of a kernel",
    209: "made for another card",
    218: "malformed",
    221: "not compiled to the end",
    222: "made for a newer driver",
    300: "malformed",
    302: "incomplete",
    500: "without the kernel",
}


class NoGpu(UsageError):
    """No GPU can be used. The message says why and what to do."""


class DeviceError(BattError):
    """A device did not do something. The CPU can still do the work."""

    def __init__(self, number: int, name: str, reason: str) -> None:
        super().__init__(number, name, reason)
        self.number = number
        self.name = name
        self.reason = reason

    def __str__(self) -> str:
        return f"{label(self.number, self.name)}: {self.reason}"


class OutOfMemory(DeviceError):
    """The device has less memory than was requested, and can still be used."""


class RefusedCubin(DeviceError):
    """The driver does not accept a cubin. The device can still be used."""


class CompileFailed(DeviceError):
    """The kernel cannot be compiled. The device can still be used."""


class DeviceFailed(DeviceError):
    """This process cannot use the device any more."""


def label(number: int, name: str) -> str:
    """Return the device as messages name it."""
    return f"GPU {number} ({name})"


def failure(number: int, name: str, status: int | None, text: str, wanted_bytes: int = 0) -> DeviceError:
    """Return the error for a `status` of CUDA and CUDA's `text`. Every other status than out of memory is fatal."""
    if status == NO_MEMORY:
        asked = f", {wanted_bytes:,} bytes were requested" if wanted_bytes else ""
        return OutOfMemory(number, name, f"out of memory{asked}")
    return DeviceFailed(number, name, f"{_WORDS[status]} ({text})" if status in _WORDS else text)


def refusal(number: int, name: str, status: int | None, text: str) -> DeviceError:
    """Return the error for a cubin that was not loaded."""
    if status in _REFUSALS:
        return RefusedCubin(number, name, f"the driver refuses a compiled kernel: {_REFUSALS[status]} ({text})")
    return failure(number, name, status, text)


def ending(error: BaseException, worker: str) -> str:
    """Say in words what ended `worker`."""
    match error:
        case DeviceError():
            return str(error)
        case MemoryError():
            return f"{worker}: the host is out of memory"
        case SystemExit():
            return f"{worker}: its thread was ended"
        case _:
            return f"{worker}: {error}"
