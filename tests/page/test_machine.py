from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import pytest

from batt.page import machine
from batt.page.machine import DeviceLoad, MachineLoad


class FakeNvml:
    """A driver with two cards, of which the second tells no load."""

    class NVMLError(Exception):
        pass

    def nvmlInit(self) -> None:
        pass

    def nvmlDeviceGetCount(self) -> int:
        return 2

    def nvmlDeviceGetHandleByIndex(self, number: int) -> int:
        return number

    def nvmlDeviceGetName(self, handle: int) -> bytes | str:
        return b"H200" if not handle else "T4"

    def nvmlDeviceGetUtilizationRates(self, handle: int) -> Any:
        if handle:
            raise self.NVMLError
        return SimpleNamespace(gpu=97)

    def nvmlDeviceGetMemoryInfo(self, handle: int) -> Any:
        return SimpleNamespace(used=3, total=10)


def test_the_machine_and_this_process_are_measured():
    whole, *others = MachineLoad().rows()
    assert whole.name.startswith("CPU, ")
    assert whole.used_bytes is not None
    assert whole.total_bytes is not None
    assert 0 < whole.used_bytes < whole.total_bytes
    assert f"process {os.getpid()}" in [row.name for row in others]


def test_gpus_are_measured(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(machine, "_imported", lambda name: FakeNvml() if name == "pynvml" else None)
    assert MachineLoad().rows() == [DeviceLoad("GPU 0, H200", 97.0, 3, 10), DeviceLoad("GPU 1, T4")]


def test_without_the_packages_nothing_is_known(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(machine, "_imported", lambda name: None)
    assert MachineLoad().rows() == []


def test_a_process_that_is_gone_has_no_row():
    assert len(MachineLoad(2**22 + 1).rows()) == len([row for row in MachineLoad().rows() if row.total_bytes])


def test_a_load_that_was_just_measured_is_not_measured_again(monkeypatch: pytest.MonkeyPatch):
    load = MachineLoad()
    first = load.rows()
    assert load.rows() is first
    monkeypatch.setattr(machine, "EVERY_S", 0.0)
    assert load.rows() is not first
