"""A solver as a list of steps in evaluation order.

Slots 0 … n-1 hold the parameters, and every step fills the next slot. Nested calls of the source are separate steps, in
the order in which Python would evaluate them, so that the first step that raises decides the outcome. Unused lines are
steps as well.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from batt.ops.meter import charge, enter, leave
from batt.types import Function, form


@dataclass(frozen=True, slots=True)
class Slot:
    """The value of a parameter or of an earlier step."""

    index: int

    # The default of dataclasses takes ten times as long, and decks hold many of these.
    def __reduce__(self) -> tuple[Any, ...]:
        return Slot, (self.index,)


@dataclass(frozen=True, slots=True)
class Literal:
    """A value in the source: a constant, an integer, or a primitive or helper used as a function."""

    value: Any

    def __reduce__(self) -> tuple[Any, ...]:
        return Literal, (self.value,)


Operand: TypeAlias = Slot | Literal


@dataclass(frozen=True, slots=True)
class Step:
    """Call `callee` with `args`, or make a tuple of `args` if there is no callee."""

    callee: Operand | None
    args: tuple[Operand, ...]
    target: str = field(compare=False)
    line: int = field(compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return Step, (self.callee, self.args, self.target, self.line)


@dataclass(frozen=True, slots=True)
class Program:
    """Parameters, steps and the result operand. Equal programs may differ in names and source lines.

    `known_digest` is the digest if it was asked for already, here or before the program was kept on disk.
    """

    params: tuple[str, ...] = field(compare=False)
    arity: int
    steps: tuple[Step, ...]
    result: Operand
    known_digest: bytes = field(default=b"", init=False, compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return with_digest, (self.params, self.arity, self.steps, self.result, self.known_digest)

    def run(self, args: Sequence[Any], observe: Callable[[Step, Any], None] | None = None) -> Any:
        """Run the program on `args` and return its result. Call `observe` with every step and its value."""
        values: list[Any] = list(args)
        for step in self.steps:
            # Inlined look-up of operands: this is the innermost loop of the reference engine.
            operands = [values[arg.index] if isinstance(arg, Slot) else arg.value for arg in step.args]
            callee = step.callee
            if callee is None:
                charge(1)
                value: Any = tuple(operands)
            else:
                function = values[callee.index] if isinstance(callee, Slot) else callee.value
                value = function(*operands)
            values.append(value)
            if observe is not None:
                observe(step, value)
        return values[self.result.index] if isinstance(self.result, Slot) else self.result.value

    @property
    def text(self) -> str:
        """Its steps as text: the same for equal programs only, whatever their names are."""
        calls = [" ".join(map(_written, (step.callee, *step.args))) for step in self.steps]
        return "\n".join([str(self.arity), *calls, _written(self.result)])

    @property
    def digest(self) -> bytes:
        """A digest of its text, computed once."""
        if not self.known_digest:
            text = self.text.encode("utf-8", "surrogatepass")
            object.__setattr__(self, "known_digest", hashlib.sha256(text).digest())
        return self.known_digest

    def slot_name(self, operand: Operand) -> str:
        """Return a readable operand: its name in the source, or the printed form of its value."""
        if isinstance(operand, Literal):
            return form(operand.value)
        if operand.index < self.arity:
            return self.params[operand.index]
        return self.steps[operand.index - self.arity].target


def with_digest(
    params: tuple[str, ...], arity: int, steps: tuple[Step, ...], result: Operand, digest: bytes
) -> Program:
    """Return a program whose digest is known."""
    made = Program(params, arity, steps, result)
    object.__setattr__(made, "known_digest", digest)
    return made


class Helper(Function):
    """A function that a deck defines and its solvers call or pass on."""

    __slots__ = ("_digest", "arity", "name", "program")
    args = ()
    _digest: str

    def __init__(self, name: str, program: Program) -> None:
        self.name = name
        self.arity = program.arity
        self.program = program

    def __call__(self, *args: Any) -> Any:
        """Run its program."""
        if len(args) != self.arity:
            raise TypeError(f"{self.name} takes {self.arity} arguments, {len(args)} given")
        charge(1)
        enter()
        try:
            return self.program.run(args)
        finally:
            leave()

    @property
    def params(self) -> tuple[str, ...]:
        """The names of its parameters, for keyword arguments."""
        return self.program.params

    @property
    def digest(self) -> str:
        """A digest of its name and its program, the same for equal helpers.

        Comparing programs instead would take exponential time where helpers call helpers twice each.
        """
        try:
            return self._digest
        except AttributeError:
            self._digest = hashlib.sha256(f"{self.name}\n{self.program.text}".encode()).hexdigest()
            return self._digest

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Helper) and self.digest == other.digest)

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return Helper, (self.name, self.program)


def _written(operand: Operand | None) -> str:
    """Return the text of an operand in a digest: equal texts for equal operands only."""
    match operand:
        case None:
            return "tuple"
        case Slot(index):
            return f"@{index}"
        case Literal(Helper() as helper):
            return helper.digest
        case Literal(value):
            return form(value, limit=sys.maxsize)
