"""Run pip and other modules of this Python as commands."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from batt.errors import UsageError

SHOWN_LINES = 6
_REMEDIES: Mapping[str, str] = {
    "pip": "python -m ensurepip",
    "auditwheel": "pip install auditwheel (it says which systems a wheel runs on)",
}


def check_modules() -> None:
    """Raise UsageError if a module that packing runs is missing: later would cost minutes."""
    for module, remedy in _REMEDIES.items():
        if find_spec(module) is None:
            raise UsageError(f"{module} is missing in {sys.prefix}; {remedy}")


def run_module(module: str, *words: str | Path, **changes: str) -> str:
    """Run `python -m module words` with `changes` to the environment, and return what it prints.

    Raise UsageError with its last words if it fails.
    """
    command = [sys.executable, "-m", module, *map(str, words)]
    done = subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, env={**os.environ, **changes}, check=False
    )
    if done.returncode:
        raise UsageError(f"{module} {words[0]} failed: {_reason(done.stderr or done.stdout)}")
    return done.stdout


def _reason(text: str) -> str:
    """Return the lines of a message that name errors, or its last lines."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("WARNING:")]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR:")]
    return "\n".join((errors or lines)[-SHOWN_LINES:]) or "it says nothing"
