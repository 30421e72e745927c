"""What the tests of the legacy names share: nothing was told before, and no GPU is there unless a test brings one."""

from __future__ import annotations

import pytest

from batt.compat import choosing
from fake_cupy import FakeCupy


@pytest.fixture(autouse=True)
def _no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "_told", set())
    monkeypatch.delenv("BATT_GPU_MEMORY", raising=False)
    monkeypatch.setattr("batt.runtime.cuda.memory._default", None)
    FakeCupy([]).use(monkeypatch)
