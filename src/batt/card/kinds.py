"""The likely kind of every step, for annotations. A kind is a hint, never a check."""

from __future__ import annotations

from batt.analysis.kinds import UNKNOWN, Kinds, Type
from batt.card.steps import InputName, Number, Operand, SharedStep, SharedSteps
from batt.ir import Literal
from batt.ir.interpreter import function_position
from batt.ops import Op
from batt.types import Kind

_KINDS = Kinds()


def likely_kinds(steps: SharedSteps) -> dict[int, Kind]:
    """Return the kind that each step most likely makes; ANY if nothing is known."""
    types: dict[int, Type] = {}
    for number in steps.numbers:
        types[number] = _made(steps[number], types)
    return {number: found.kind or Kind.ANY for number, found in types.items()}


def _made(step: SharedStep, types: dict[int, Type]) -> Type:
    args = [_type(arg, types) for arg in step.args]
    if step.callee is None:
        return _KINDS.tuple_of(args)
    op = step.callee.value if isinstance(step.callee, Literal) else None
    if not isinstance(op, Op):
        return UNKNOWN
    position = function_position(op)
    if position is None:
        return _KINDS.call(op, args)
    given = [*args[:position], *args[position + 1 :]]
    return _KINDS.loop(op, position, given, _called(step.args[position], op, given))


def _called(function: Operand, op: Op, given: list[Type]) -> Type:
    """Return the type that a loop's function gives for an item, if it is a primitive."""
    called = function.value if isinstance(function, Literal) else None
    items = [_KINDS.item(each) for each in given]
    if not isinstance(called, Op) or called.arity != len(items) or function_position(called) is not None:
        return UNKNOWN
    return _KINDS.call(called, items)


def _type(operand: Operand, types: dict[int, Type]) -> Type:
    match operand:
        case Number(number):
            return types[number]
        case InputName(name):
            return _KINDS.input(name)
        case Literal(value):
            return _KINDS.constant(value)
