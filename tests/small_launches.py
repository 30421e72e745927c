"""Launches that have less than usual, for tests that need evaluations which a GPU's threads defer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from batt.runtime.cuda import kernels, opening
from batt.runtime.cuda import launch as launch_module
from batt.runtime.cuda.modes import THREADS
from batt.runtime.cuda_warps import tier as tier_module

FEW_STEPS = 5_000


@contextmanager
def threads_with(**fields: int) -> Iterator[None]:
    """Give a GPU's threads these fields, for all that know them."""
    usual = {name: getattr(THREADS, name) for name in fields}
    try:
        for name, value in fields.items():
            object.__setattr__(THREADS, name, value)
        yield
    finally:
        for name, value in usual.items():
            object.__setattr__(THREADS, name, value)


def launch_warps_from(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Let `count` evaluations be worth a launch of warps, even beside the CPU."""
    for module in (tier_module, opening):
        monkeypatch.setattr(module, "GPU_FROM", count)


@pytest.fixture(autouse=True)
def _small_arenas() -> Iterator[None]:
    """Threads of a GPU with few steps, and so little memory that small cards have room for some."""
    with threads_with(steps=FEW_STEPS, arena_bytes=64 << 10):
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
    # A thread of the test before may have been ending when these were counted.
    assert threading.active_count() <= threads
