"""What all tests share: the meter's budgets, and how hypothesis searches."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from batt.ops import METER

# How long an example takes says something about the machine, and nothing about the code.
settings.register_profile("batt", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("batt")


@pytest.fixture(autouse=True)
def _endless_budget() -> None:
    """Begin every test at depth 0: a call that raised leaves the meter as deep as it was."""
    METER.reset()


@pytest.fixture
def small_budget() -> Iterator[None]:
    """A thousand steps, and a thousand items in one value."""
    METER.reset(1_000, 1_000)
    yield
    METER.reset()
