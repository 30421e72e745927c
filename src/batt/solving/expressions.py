"""Expressions: how a state is made from the input, and the program that makes it.

An expression applies a program to other expressions. Composing one gives an ordinary program; equal steps appear once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ir.program import Helper
from batt.ops import EVERY_OP

Argument: TypeAlias = "Expression | Literal"


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """A program applied to arguments. Without a program it is a root: `INPUT`, `SHOWN` or `PARAMETER`."""

    program: Program | None = None
    args: tuple[Argument, ...] = ()


INPUT = Expression()
"""The input of a pair."""
SHOWN = Expression()
"""The demonstrations, S."""
PARAMETER = Expression()
"""A further parameter, P0, of a program that is applied with many values of it."""


def applied(program: Program, base: Expression, constants: Sequence[int] = ()) -> Expression:
    """Return a solver's program applied to `base` in place of the input, with constants for further parameters."""
    if program.params[0] == "S":
        return Expression(program, (SHOWN, base, *map(Literal, [None, *constants])))
    return Expression(program, (base, *map(Literal, constants)))


def call(name: str, *args: Argument | Any) -> Expression:
    """Return the call of an op. Arguments that are not expressions are constants."""
    made = [each if isinstance(each, Expression | Literal) else Literal(each) for each in args]
    return Expression(_one_call(name, len(made)), tuple(made))


def op(name: str) -> Literal:
    """Return an op as an argument."""
    return Literal(EVERY_OP[name])


@cache
def _one_call(name: str, arity: int) -> Program:
    params = tuple([f"a{number}" for number in range(arity)])
    step = Step(Literal(EVERY_OP[name]), tuple(map(Slot, range(arity))), "made", 1)
    return Program(params, arity, (step,), Slot(arity))


def compose(expression: Expression) -> Program:
    """Return the program (I) that an expression stands for.

    If it reads the demonstrations it is (S, I, C), and with a parameter (S, I, C, P0).
    """
    order = _in_order(expression)
    params: tuple[str, ...] = ("S", "I", "C") if any(each is SHOWN for each in order) else ("I",)
    if any(each is PARAMETER for each in order):
        params = ("S", "I", "C", "P0")
    composer = _Composer(params)
    result = composer.add_all(order, expression)
    return Program(composer.params, len(composer.params), tuple(composer.steps), result)


def compose_step(expression: Expression) -> Helper:
    """Return an expression as a function of a grid, or of a value, which is `SHOWN` in it, and a grid."""
    order = _in_order(expression)
    composer = _Composer(("fixed", "grid") if any(each is SHOWN for each in order) else ("grid",))
    result = composer.add_all(order, expression)
    return Helper("grown", Program(composer.params, len(composer.params), tuple(composer.steps), result))


def count_steps(expression: Expression) -> int:
    """Return how many steps the program of an expression has at most: equal steps of different parts count twice."""
    return sum([len(each.program.steps) for each in _in_order(expression) if each.program is not None])


def _in_order(expression: Expression) -> list[Expression]:
    """Return an expression after all that it is made of, each once."""
    found: dict[int, Expression] = {}
    stack: list[tuple[Expression, bool]] = [(expression, False)]
    while stack:
        top, is_ready = stack.pop()
        if id(top) in found:
            continue
        if is_ready:
            found[id(top)] = top
            continue
        stack.append((top, True))
        stack += [(each, False) for each in reversed(top.args) if isinstance(each, Expression)]
    return list(found.values())


class _Composer:
    """Collects the steps of a program, each once."""

    def __init__(self, params: tuple[str, ...]) -> None:
        self.params = params
        self.steps: list[Step] = []
        self._slots: dict[Step, Slot] = {}

    def add_all(self, order: Sequence[Expression], result: Expression) -> Operand:
        made: dict[int, Operand] = {
            id(INPUT): Slot(min(1, len(self.params) // 2)),
            id(SHOWN): Slot(0),
            id(PARAMETER): Slot(3),
        }
        for each in order:
            if each.program is not None:
                args = [made[id(arg)] if isinstance(arg, Expression) else arg for arg in each.args]
                made[id(each)] = self._inline(each.program, args)
        return made[id(result)]

    def _inline(self, program: Program, args: Sequence[Operand]) -> Operand:
        """Add the steps of a program whose parameters are `args`. Return where its result is."""
        values: list[Operand] = list(args)

        def moved(operand: Operand) -> Operand:
            return values[operand.index] if isinstance(operand, Slot) else operand

        for step in program.steps:
            callee = None if step.callee is None else moved(step.callee)
            values.append(self._add(Step(callee, tuple(map(moved, step.args)), f"x{len(self.steps) + 1}", 1)))
        return moved(program.result)

    def _add(self, step: Step) -> Slot:
        if step not in self._slots:
            self._slots[step] = Slot(len(self.params) + len(self.steps))
            self.steps.append(step)
        return self._slots[step]
