"""re-arc's verifiers, in the package that ships them: found by path, not imported."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from batt.errors import UsageError
from batt.front import Deck, load_deck


def folder() -> Path:
    """Return the folder with the verifiers and the primitives that they were written for."""
    found = _found()
    if found is None:
        raise UsageError("reasoning_gym is not installed: pip install --no-deps reasoning-gym")
    return found


def is_installed() -> bool:
    """Tell whether the verifiers are installed."""
    return _found() is not None


def verifiers() -> Deck:
    """Return the 400 verifiers as a deck."""
    return load_deck(folder() / "verifiers.py")


def _found() -> Path | None:
    package = importlib.util.find_spec("reasoning_gym")
    if package is None or not package.submodule_search_locations:
        return None
    path = Path(package.submodule_search_locations[0]) / "arc" / "rearc_utils"
    return path if (path / "verifiers.py").is_file() else None
