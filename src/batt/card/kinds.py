"""The likely kind of every step, for annotations. Owns nothing but the walk; a kind is a hint, never a check."""

from __future__ import annotations

from batt.analysis.kinds import UNKNOWN, Kinds, Type
from batt.card.steps import Input, Number, Operand, Step, Steps
from batt.ir import Literal
from batt.ir.interpreter import function_position
from batt.ops import Op
from batt.types import Kind

_KINDS = Kinds()


def likely_kinds(steps: Steps) -> dict[int, Kind]:
    """The kind that each step most likely makes; ANY where nothing is known."""
    types: dict[int, Type] = {}
    for number in steps.numbers:
        types[number] = _made(steps[number], types)
    return {number: found.kind or Kind.ANY for number, found in types.items()}


def _made(step: Step, types: dict[int, Type]) -> Type:
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
    """What a loop's function makes of its items, where it is a primitive."""
    called = function.value if isinstance(function, Literal) else None
    items = [_KINDS.item(each) for each in given]
    if not isinstance(called, Op) or called.arity != len(items) or function_position(called) is not None:
        return UNKNOWN
    return _KINDS.call(called, items)


def _type(operand: Operand, types: dict[int, Type]) -> Type:
    match operand:
        case Number(number):
            return types[number]
        case Input(name):
            return _KINDS.input(name)
        case Literal(value):
            return _KINDS.constant(value)
