"""The cpu tier: native code on threads of this process."""

from batt.runtime.cpu.tier import CpuTier

__all__ = ["CpuTier"]
