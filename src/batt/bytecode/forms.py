"""The record of an instruction: its immediates, its operands and its effect.

`batt.bytecode.opcodes.Code` holds the records of all instructions. From them come the table of docs/bytecode.md, the
checks of `verify` and of the native loader, the text of the disassembler, and the names of loops in a profile.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TypeAlias

from batt.ops import Op

MAX_OPERANDS = MAX_IMMEDIATES = 4096

MORE = "…"
"""Ends the name of an immediate or operand that may occur any number of times."""

Bounds: TypeAlias = tuple[int, int]


class Immediate(Enum):
    """The kinds of immediates, by their names in a record. The name of a routine may have a number."""

    OP = "op"
    ROUTINE = "r"
    LOW = "low"
    HIGH = "high"
    ERROR = "kind"
    ENTRY = "t"


@dataclass(frozen=True)
class Form:
    """The record of an instruction: its number, the names of its immediates and operands, and its effect.

    An effect that begins with `R[d] :=` has a result; one that names `N[n]` reads a counter. `listing` is a template
    for the disassembler, over the parts that `Listing.done` makes. `pattern` is a template over `{op}` and `{bodies}`:
    what the name of a loop says about this instruction in its body.
    """

    number: int
    immediates: str
    operands: str
    effect: str
    listing: str = ""
    pattern: str = ""
    kept: int = 0
    """Operands that the instruction reads itself; the others are the arguments of its routines."""
    is_loop: bool = False
    """True if it runs its routine again and again."""
    in_leaf: bool = False
    """True if a routine that holds it may run without a frame."""

    def __post_init__(self) -> None:
        bodies = "[{bodies}]" if Immediate.ROUTINE in self.kinds else ""
        object.__setattr__(self, "listing", self.listing or "{name}" + bodies + "({operands})")

    @cached_property
    def kinds(self) -> tuple[Immediate, ...]:
        """The kinds of the immediates."""
        return tuple([Immediate(each.rstrip(MORE + "0123456789")) for each in _names(self.immediates)])

    @cached_property
    def first(self) -> Immediate | None:
        """The kind of the first immediate, or None without immediates."""
        return self.kinds[0] if self.kinds else None

    @cached_property
    def routines_at(self) -> int:
        """The position of the first routine among the immediates, all of them routines from there; else the end."""
        return self.kinds.index(Immediate.ROUTINE) if Immediate.ROUTINE in self.kinds else len(self.kinds)

    @cached_property
    def immediate_bounds(self) -> Bounds:
        """The least and the greatest number of immediates."""
        return _bounds(self.immediates, MAX_IMMEDIATES)

    @cached_property
    def operand_bounds(self) -> Bounds:
        """The least and the greatest number of operands."""
        return _bounds(self.operands, MAX_OPERANDS)

    @cached_property
    def has_result(self) -> bool:
        """Tell whether it may have a destination and a counter that it sets."""
        return self.effect.startswith("`R[d] := ")

    @cached_property
    def reads_counter(self) -> bool:
        """Tell whether it reads a counter."""
        return "N[n]" in self.effect


def op_form(number: int, op: Op, in_leaf: bool = True) -> Form:
    """Return the record of an op as an instruction."""
    return Form(number, "", ", ".join(op.params), "`R[d] := op(…)`", in_leaf=in_leaf)


def _names(text: str) -> list[str]:
    return text.split(", ") if text else []


def _bounds(text: str, most: int) -> Bounds:
    names = _names(text)
    fixed = len([each for each in names if not each.endswith(MORE)])
    return fixed, most if fixed < len(names) else fixed
