"""What tests of GPUs begin with."""

from __future__ import annotations

from small_launches import _small_arenas, small_launches

__all__ = ["_small_arenas", "small_launches"]
