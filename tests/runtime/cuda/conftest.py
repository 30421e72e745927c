"""What tests of GPUs begin with."""

from __future__ import annotations

from small_lanes import _small_lanes, small_launches

__all__ = ["_small_lanes", "small_launches"]
