"""What tests of the cuda engine begin with."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from batt.runtime.cuda import kernels
from batt.runtime.cuda import launch as launch_module
from small_lanes import FEW_STEPS, lanes_with


@pytest.fixture(autouse=True)
def _small_lanes() -> Iterator[None]:
    """Lanes with few steps, and so little memory that small cards have room for some."""
    with lanes_with(steps=FEW_STEPS, lane_bytes=64 << 10):
        yield


@pytest.fixture
def small_launches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Launches of a few groups, an empty cache, and no thread left behind."""
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(kernels, "_made", {})
    source = kernels.source()
    monkeypatch.setattr(kernels, "source", lambda: source)
    monkeypatch.setattr(launch_module, "MAX_ROWS", 1 << 13)
    threads = threading.active_count()
    yield
    assert threading.active_count() == threads
