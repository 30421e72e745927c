"""Programs as data."""

from batt.ir.program import Helper, Literal, Operand, Program, Slot, Step

__all__ = ["Helper", "Literal", "Operand", "Program", "Slot", "Step"]
