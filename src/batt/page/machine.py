"""The load and the memory of this machine, of its GPUs, and of the processes of a run."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any

MOST_PROCESSES = 64
EVERY_S = 2.0
"""The least time between two measurements."""
CHILDREN_EVERY_S = 10.0
"""The least time between two searches for new processes of a run: each reads all processes of the machine."""


@dataclass(frozen=True, slots=True)
class DeviceLoad:
    """The load of a device or a process in percent, and its memory in bytes; None for what is not known."""

    name: str
    load: float | None = None
    used_bytes: int | None = None
    total_bytes: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the row as plain data."""
        return asdict(self)


class MachineLoad:
    """Measures the load since it was measured last. Without psutil and NVML it knows nothing, and returns no rows."""

    def __init__(self, pid: int | None = None) -> None:
        """Measure the process `pid` and its children, by default this process."""
        self._known: dict[int, Any] = {}
        self._rows: list[DeviceLoad] = []
        self._measured_s = self._searched_s = float("-inf")
        self._root: Any = None
        self._psutil = _imported("psutil")
        if self._psutil is not None:
            with suppress(self._psutil.Error):
                self._root = self._psutil.Process(pid)
        self._nvml = _imported("pynvml")
        self._gpus = [] if self._nvml is None else _gpus(self._nvml)

    def rows(self) -> list[DeviceLoad]:
        """Return the machine, its GPUs, and the processes of the run, measured at most EVERY_S ago."""
        now = time.monotonic()
        if now - self._measured_s >= EVERY_S:
            self._measured_s, self._rows = now, self._measured(now)
        return self._rows

    def _measured(self, now: float) -> list[DeviceLoad]:
        if self._psutil is None:
            return self._gpu_rows()
        memory, cores = self._psutil.virtual_memory(), self._psutil.cpu_count() or 1
        load = self._psutil.cpu_percent()
        whole = DeviceLoad(f"CPU, {cores} cores", load, memory.total - memory.available, memory.total)
        return [whole, *self._gpu_rows(), *self._process_rows(now)]

    def _process_rows(self, now: float) -> list[DeviceLoad]:
        if self._root is not None and now - self._searched_s >= CHILDREN_EVERY_S:
            self._searched_s = now
            self._search()
        found = []
        for place, each in enumerate(self._known.values()):
            with suppress(self._psutil.Error):
                name = f"worker process {each.pid}" if place else f"process {each.pid}"
                found.append(DeviceLoad(name, each.cpu_percent(), each.memory_info().rss))
        return found

    def _search(self) -> None:
        """Look for the processes of the run."""
        processes = []
        with suppress(self._psutil.Error):
            processes = [self._root, *self._root.children(recursive=True)][:MOST_PROCESSES]
        # The object of a process remembers when it was asked last.
        self._known = {each.pid: self._known.get(each.pid, each) for each in processes}

    def _gpu_rows(self) -> list[DeviceLoad]:
        return [self._gpu_row(number, handle) for number, handle in enumerate(self._gpus)]

    def _gpu_row(self, number: int, handle: Any) -> DeviceLoad:
        name = f"GPU {number}"
        try:
            title = self._nvml.nvmlDeviceGetName(handle)
            name = f"{name}, {title.decode() if isinstance(title, bytes) else title}"
            load = float(self._nvml.nvmlDeviceGetUtilizationRates(handle).gpu)
            memory = self._nvml.nvmlDeviceGetMemoryInfo(handle)
            return DeviceLoad(name, load, memory.used, memory.total)
        except self._nvml.NVMLError:
            # A part of a shared card tells no load.
            return DeviceLoad(name)


def _imported(name: str) -> Any:
    """Return a module that may be missing, imported when it is needed; None without it."""
    try:
        return import_module(name)
    except ImportError:
        return None


def _gpus(nvml: Any) -> list[Any]:
    """Return handles of the GPUs; none if the driver is not there."""
    try:
        nvml.nvmlInit()
        return [nvml.nvmlDeviceGetHandleByIndex(number) for number in range(nvml.nvmlDeviceGetCount())]
    except nvml.NVMLError:
        return []
