"""What tests of warps begin with."""

from __future__ import annotations

from typing import Any

import pytest

from batt.runtime.cpu import tier as cpu_module
from batt.runtime.job import Job
from fake_cards import ROOMY, Cards, by_cpu, plain_job, samples
from handmade import MIRROR, RAISES, program
from heavy_runs import COUNT, HEAVY, HEAVY_STEPS, PATIENT
from small_launches import _small_arenas, launch_warps_from, small_launches

__all__ = ["_small_arenas", "small_launches"]


@pytest.fixture
def soon_heavy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluations of some thousand steps are heavy, and eight of them are worth a launch."""
    monkeypatch.setattr(cpu_module, "HEAVY_STEPS", HEAVY_STEPS)
    launch_warps_from(monkeypatch, 8)


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> Cards:
    return Cards(monkeypatch, card=ROOMY)


@pytest.fixture(scope="module")
def job() -> Job:
    return plain_job([program(*lines) for lines in (MIRROR, *HEAVY, RAISES)], samples(COUNT))


@pytest.fixture(scope="module")
def expected(job: Job) -> list[Any]:
    return by_cpu(job, PATIENT)
