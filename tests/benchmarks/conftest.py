"""Checkouts whose source is this one's, and whose Python is a script, so that a test says what it does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from checkouts import ROOT

MakeCheckout = Callable[..., str]


@pytest.fixture
def checkout(tmp_path: Path) -> MakeCheckout:
    """Make a checkout by name. Its Python runs the lines of `script`, then the Python of the tests."""

    def make(name: str, script: str = "") -> str:
        folder = tmp_path / name
        python = folder / ".venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        (folder / "src").symlink_to(ROOT / "src")
        python.write_text(f'#!/bin/sh\n{script}\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)
        return str(folder)

    return make
