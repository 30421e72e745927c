"""One build of own ops for all tests of a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from batt.own import Ops, load_ops


@pytest.fixture(autouse=True)
def _own_cache(own_ops: Path) -> None:
    """What is compiled is kept for the session, apart from that of other runs."""


@pytest.fixture
def ops(own_folder: Path) -> Ops:
    return load_ops(own_folder / "my_ops.py")
