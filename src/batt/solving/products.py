"""Products: programs that a deck declares together, by a function and the choices for its last parameters.

A solver declares a product, or a tuple of products, as its value: `(function, choices, …)`, with a tuple of choices for
each of these parameters:

    def solve_scaled(I):
        return scaled, (upscale, downscale), (2, 3, 4)

A choice is an op, a helper, a constant, or again a product, which stands for all its functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ir.program import Helper


def declared_programs(program: Program) -> list[Program]:
    """Return the programs that a solver's program declares: those of its products in order, or itself."""
    if any(step.callee is not None for step in program.steps):
        return [program]
    value = program.run([None] * program.arity)
    products = (value,) if _is_product(value) else value
    if not isinstance(products, tuple) or not all(map(_is_product, products)):
        return [program]
    return [function.program for each in products for function in _functions(each)]


def _is_product(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], Helper)


def _functions(declared: tuple[Any, ...]) -> Iterator[Helper]:
    """Yield the functions of a product: the choices of the last parameter change first."""
    function, *choices = declared
    for values in product(*map(_values, choices)):
        yield Helper(function.name, with_constants(function.program, values))


def _values(choices: tuple[Any, ...]) -> list[Any]:
    return [value for each in choices for value in (_functions(each) if _is_product(each) else [each])]


def with_constants(program: Program, values: Sequence[Any]) -> Program:
    """Return a program with values in place of its last parameters.

    Where it calls one that is a helper, the steps of the helper take the place of the call, so they can be shared.
    """
    arity = program.arity - len(values)
    steps: list[Step] = []
    result = _add(steps, arity, program, [*map(Slot, range(arity)), *map(Literal, values)], "")
    return Program(program.params[:arity], arity, tuple(steps), result)


def _add(steps: list[Step], arity: int, program: Program, args: Sequence[Operand], name: str) -> Operand:
    """Add the steps of a program whose parameters are `args`. Return its result.

    The step that makes the result is called `name` if the source of the program gives it no name.
    """
    known = list(args)

    def moved(operand: Operand) -> Operand:
        return known[operand.index] if isinstance(operand, Slot) else operand

    for step in program.steps:
        callee = None if step.callee is None else moved(step.callee)
        moved_args = tuple(map(moved, step.args))
        is_result = program.result == Slot(len(known))
        target = name if is_result and name and step.target.startswith("_") else step.target
        if isinstance(step.callee, Slot) and isinstance(callee, Literal) and isinstance(callee.value, Helper):
            known.append(_add(steps, arity, callee.value.program, moved_args, target))
        else:
            steps.append(Step(callee, moved_args, target, step.line))
            known.append(Slot(arity + len(steps) - 1))
    return moved(program.result)
