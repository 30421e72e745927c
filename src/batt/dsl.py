"""Every primitive and constant of the language by its name: `from batt.dsl import *`."""

from __future__ import annotations

from typing import Any

from batt.ops import CONSTANTS, OPS

__all__ = sorted({**OPS, **CONSTANTS})

globals().update(OPS, **CONSTANTS)


def __getattr__(name: str) -> Any:
    # Reached only for unknown names. Its presence tells type checkers that names are made at run time.
    raise AttributeError(f"{name!r} is neither a primitive nor a constant")
