"""Launches in lanes that have less than usual, for tests that need evaluations which they leave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from batt.runtime.cuda.launch import LANES

FEW_STEPS = 5_000


@contextmanager
def lanes_with(**fields: int) -> Iterator[None]:
    """Lanes that have this instead, for all that know them."""
    usual = {name: getattr(LANES, name) for name in fields}
    try:
        for name, value in fields.items():
            object.__setattr__(LANES, name, value)
        yield
    finally:
        for name, value in usual.items():
            object.__setattr__(LANES, name, value)
