"""What all tests share: the meter's budgets, and how hypothesis searches."""

from __future__ import annotations

import fcntl
import gc
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import batt.compiler
from batt.ops import METER
from own_example import compile_example, use_own_cache, write_example

# How long an example takes says something about the machine, and nothing about the code.
ALWAYS = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", ALWAYS, max_examples=40)
settings.register_profile("slow", ALWAYS, max_examples=400)

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
    """A folder with my_ops.py and my_ops.h."""
    folder = tmp_path_factory.mktemp("own")
    write_example(folder)
    return folder


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that the processes of all tests share."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


@pytest.fixture(scope="session")
def own_cache(own_folder: Path, shared_folder: Path) -> Path:
    """A folder with what was compiled of those files and tried, once for the processes of all tests."""
    with (shared_folder / "own.lock").open("w") as lock, pytest.MonkeyPatch.context() as patch:
        fcntl.flock(lock, fcntl.LOCK_EX)
        use_own_cache(patch, shared_folder / "own-cache")
        compile_example(own_folder)
    return shared_folder / "own-cache"


@pytest.fixture
def own_ops(own_folder: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the files, with that cache."""
    use_own_cache(monkeypatch, own_cache)
    return own_folder


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests that take minutes")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("slow" if config.getoption("--slow") else "quick")
    if not hasattr(config, "workerinput"):
        # The processes of the tests share what is kept, apart from the user's own cache.
        folder = tempfile.TemporaryDirectory(prefix="batt-tests-")
        config.add_cleanup(folder.cleanup)
        os.environ["BATT_CACHE_DIR"] = folder.name


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
