"""Programs as data."""

from batt.ir.program import Helper, Literal, Operand, Program, Slot, Step
from batt.ir.slicing import slice_program

__all__ = ["Helper", "Literal", "Operand", "Program", "Slot", "Step", "slice_program"]
