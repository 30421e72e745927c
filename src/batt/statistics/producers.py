"""The producer of an argument of a step: another step, an input, a function or a constant."""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

from batt.errors import UsageError
from batt.ir import Helper
from batt.ir.graph import INPUTS
from batt.ops import CONSTANTS, EVERY_OP, OPS
from batt.types import Function, form

TUPLE, CALL, RETURN = "tuple", "call", "return"
"""Steps that call no op: a tuple display, a call of a value (which is argument 0), and the result of a solver."""

ARGUMENT = "argument"
"""The name of the inputs of a function that a solver passes on: a lambda or a helper."""
HELPER = "helper"
"""The name of a lambda or a helper as a function value."""


class ProducerKind(Enum):
    """The kinds of producers. What a name means depends on the kind."""

    STEP = "step"
    """A step that calls the op of this name, or a tuple or a call."""
    INPUT = "input"
    """S, I or C of the solver, or an argument of a function that it passes on."""
    FUNCTION = "function"
    """The op of this name as a function value."""
    BOOL = "bool"
    INT = "int"
    PAIR = "pair"
    """A constant pair of integers."""
    CONSTANT = "constant"
    """Any other constant."""

    @property
    def is_literal(self) -> bool:
        """Tell whether a producer of this kind is a value in the source."""
        return self not in (ProducerKind.STEP, ProducerKind.INPUT)


class Producer(NamedTuple):
    """A producer of an argument. Without a name it is any producer of its kind."""

    kind: ProducerKind
    name: str = ""

    @classmethod
    def parse(cls, text: str) -> Producer:
        """Return the producer that `str` wrote: `step objects`, `input I`, `function size`, `int 2`, or just `int`."""
        word, _, name = text.partition(" ")
        kinds = {each.value: each for each in ProducerKind}
        if word not in kinds:
            raise UsageError(f"{text!r} is no producer; write {', '.join(kinds)}, and a name or a value after it")
        return cls(kinds[word], name)

    @property
    def without_value(self) -> Producer:
        """Itself, or any literal of its kind if it is a literal."""
        return Producer(self.kind) if self.kind.is_literal else self

    def __str__(self) -> str:
        return f"{self.kind.value} {self.name}".rstrip()


def producer_of(value: Any) -> Producer:
    """Return the producer of a value in the source."""
    match value:
        case bool():
            return Producer(ProducerKind.BOOL, repr(value))
        case int():
            return Producer(ProducerKind.INT, repr(value))
        case Helper():
            return Producer(ProducerKind.FUNCTION, HELPER)
        case Function():
            return Producer(ProducerKind.FUNCTION, value.name)
        case (int(), int()):
            return Producer(ProducerKind.PAIR, repr(value))
    return Producer(ProducerKind.CONSTANT, form(value))


STEPS = (*EVERY_OP, TUPLE, CALL)
"""The names of steps."""

INPUT_NAMES = (*INPUTS, ARGUMENT)

LITERALS: dict[ProducerKind, frozenset[str]] = {
    kind: frozenset([each.name for each in map(producer_of, (*CONSTANTS.values(), *OPS.values())) if each.kind is kind])
    for kind in ProducerKind
    if kind.is_literal
}
"""The constants and functions of the language, by kind."""
