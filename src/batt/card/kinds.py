"""The likely kind of every step, for annotations. A kind is a hint, never a check."""

from __future__ import annotations

from batt.analysis.domain import LIKELY
from batt.analysis.values import FUNCTION, UNKNOWN, AbstractValue
from batt.card.steps import InputName, Number, Operand, SharedStep, SharedSteps
from batt.ir import Literal
from batt.ir.interpreter import function_position
from batt.ops import Op
from batt.types import Kind


def likely_kinds(steps: SharedSteps) -> dict[int, Kind]:
    """Return the kind that each step most likely makes; ANY if nothing is known."""
    types: dict[int, AbstractValue] = {}
    for number in steps.numbers:
        types[number] = _made(steps[number], types)
    return {number: found.kind for number, found in types.items()}


def _made(step: SharedStep, types: dict[int, AbstractValue]) -> AbstractValue:
    args = [_type(arg, types) for arg in step.args]
    if step.callee is None:
        return LIKELY.tuple_of(args)
    op = step.callee.value if isinstance(step.callee, Literal) else None
    if not isinstance(op, Op):
        return UNKNOWN
    position = function_position(op)
    if position is None:
        return LIKELY.call(op, args)
    given = [*args[:position], *args[position + 1 :]]
    made = _called(step.args[position], op, given)
    return LIKELY.call(op, [*given[:position], FUNCTION, *given[position:]], made)


def _called(function: Operand, op: Op, given: list[AbstractValue]) -> AbstractValue:
    """Return what a loop's function gives for an item, if it is a primitive."""
    called = function.value if isinstance(function, Literal) else None
    items = [LIKELY.item(each) for each in given]
    if not isinstance(called, Op) or called.arity != len(items) or function_position(called) is not None:
        return UNKNOWN
    return LIKELY.call(called, items)


def _type(operand: Operand, types: dict[int, AbstractValue]) -> AbstractValue:
    match operand:
        case Number(number):
            return types[number]
        case InputName(name):
            return LIKELY.input(name)
        case Literal(value):
            return LIKELY.constant(value)
