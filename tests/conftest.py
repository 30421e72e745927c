"""What all tests share: the meter's budgets, and how hypothesis searches."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import batt.compiler
from batt.ops import METER
from own_example import write_example

# How long an example takes says something about the machine, and nothing about the code.
settings.register_profile("batt", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("batt")

# A shell that starts the tests in the background ignores these signals, and so would all commands that tests start.
for _number, _handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _handler)

# Whatever a test compiles is checked after every pass.
batt.compiler.VERIFY = True


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


@pytest.fixture(scope="session")
def own_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with my_ops.py and my_ops.h, and in `cache` what was compiled of them, once for all tests."""
    folder = tmp_path_factory.mktemp("own")
    write_example(folder)
    return folder


@pytest.fixture
def own_ops(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That folder, where what is compiled and tried is kept; a body that does not end is not waited for long."""
    monkeypatch.setenv("BATT_CACHE_DIR", str(own_folder / "cache"))
    monkeypatch.setattr("batt.own.trial.PATIENCE_S", 4.0)
    return own_folder


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests that take minutes")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Set apart what the tests are made of: it stays to the end, and need not be looked through for garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the machine or the reader's patience does not allow."""
    if not config.getoption("--slow"):
        skip = pytest.mark.skip(reason="slow: run with --slow")
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(skip)
