"""Shared by the tests of the legacy names: no note was printed before, and there is no GPU unless a test adds one."""

from __future__ import annotations

import pytest

from batt.card import running
from fake_cupy import FakeCupy


@pytest.fixture(autouse=True)
def _no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_TOLD", set())
    monkeypatch.delenv("BATT_GPU_MEMORY", raising=False)
    monkeypatch.setattr("batt.runtime.cuda.memory._default", None)
    FakeCupy([]).use(monkeypatch)
