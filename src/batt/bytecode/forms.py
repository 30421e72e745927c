"""What an instruction has and does, as one record. `batt.bytecode.opcodes.Code` holds the records of all instructions.

From the records come the table of docs/bytecode.md, the checks of `verify` and of the native loader, what the
disassembler writes, and the names of loops in a profile.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

MAX_OPERANDS = MAX_IMMEDIATES = 4096

MORE = "…"
"""Ends the name of what an instruction may have any number of."""

Bounds: TypeAlias = tuple[int, int]


class Immediate(Enum):
    """What an immediate is, by its name in a record; a routine's name may have a number."""

    OP = "op"
    ROUTINE = "r"
    LOW = "low"
    HIGH = "high"
    ERROR = "kind"
    ENTRY = "t"


@dataclass(frozen=True, slots=True)
class Form:
    """One instruction, in the notation of docs/bytecode.md; `row` derives the second half of the fields from the first.

    `listing` is a template for the disassembler, over the parts that `Listing.done` makes. `pattern` is what the
    name of a loop says of an instruction in its body: a template over `{op}` and `{bodies}`.
    """

    immediates: tuple[str, ...] = ()
    operands: tuple[str, ...] = ()
    effect: str = ""
    listing: str = "{name}({operands})"
    pattern: str = ""
    kept: int = 0
    """Operands that the instruction reads itself; the others are the arguments of its routines."""
    is_loop: bool = False
    """Whether it runs its routine again and again."""
    in_leaf: bool = False
    """Whether a routine that holds it may run without a frame."""

    kinds: tuple[Immediate, ...] = ()
    immediate_bounds: Bounds = (0, 0)
    operand_bounds: Bounds = (0, 0)
    has_result: bool = True
    """Whether it may have a destination and a counter that it sets."""
    reads_counter: bool = False

    @property
    def first(self) -> Immediate | None:
        """What the first immediate is; None without immediates."""
        return self.kinds[0] if self.kinds else None

    @property
    def routines_at(self) -> int:
        """Where routines begin among the immediates; all that follow are routines. Without one: behind the last."""
        return self.kinds.index(Immediate.ROUTINE) if Immediate.ROUTINE in self.kinds else len(self.kinds)


def row(
    number: int,
    immediates: str,
    operands: str,
    effect: str,
    listing: str = "",
    pattern: str = "",
    kept: int = 0,
    is_loop: bool = False,
    in_leaf: bool = False,
) -> tuple[int, Form]:
    """Make the record of an instruction from the names of its immediates and operands and a sentence.

    An effect that begins with `R[d] :=` has a result; one that names `N[n]` reads a counter.
    """
    names, inputs = _names(immediates), _names(operands)
    kinds = tuple([Immediate(each.rstrip(MORE + "0123456789")) for each in names])
    bodies = "[{bodies}]" if Immediate.ROUTINE in kinds else ""
    return number, Form(
        names,
        inputs,
        effect,
        listing or "{name}" + bodies + "({operands})",
        pattern,
        kept,
        is_loop,
        in_leaf,
        kinds,
        _bounds(names, MAX_IMMEDIATES),
        _bounds(inputs, MAX_OPERANDS),
        has_result=effect.startswith("`R[d] := "),
        reads_counter="N[n]" in effect,
    )


def op_form(arity: int, in_leaf: bool = True) -> Form:
    """Make the record of an op that is an instruction by itself."""
    return Form(operand_bounds=(arity, arity), in_leaf=in_leaf)


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(", ")) if text else ()


def _bounds(names: tuple[str, ...], most: int) -> Bounds:
    fixed = len([each for each in names if not each.endswith(MORE)])
    return fixed, most if fixed < len(names) else fixed
