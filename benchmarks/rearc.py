"""Where re-arc's verifiers lie: in the package that ships them, found by path and not imported."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import batt


def folder() -> Path:
    """The folder that holds the verifiers and the primitives they were written for."""
    package = importlib.util.find_spec("reasoning_gym")
    if package is None or package.submodule_search_locations is None:
        raise SystemExit("reasoning_gym is not installed: pip install --no-deps reasoning-gym")
    return Path(package.submodule_search_locations[0]) / "arc" / "rearc_utils"


def verifiers() -> batt.Deck:
    """The 400 verifiers as a deck."""
    return batt.load_deck(folder() / "verifiers.py")
