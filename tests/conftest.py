"""What all tests share: the meter's budgets, and how hypothesis searches."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from batt.ops import METER

# How long an example takes says something about the machine, and nothing about the code.
settings.register_profile("batt", deadline=None, suppress_health_check=[HealthCheck.too_slow])
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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests that take minutes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the machine or the reader's patience does not allow."""
    if not config.getoption("--slow"):
        skip = pytest.mark.skip(reason="slow: run with --slow")
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(skip)
