"""Programs as source text, one step a line, helpers before them. What is written reads back as an equal program."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any

from batt.errors import InternalError
from batt.ir import Helper, Literal, Operand, Program, Slot
from batt.ir.writing import step_lines
from batt.ops import Op

MAX_PARTS = 200
"""Parts of a value beyond which it is not written out."""


def source_of(program: Program, name: str = "solve") -> str:
    """The text of a program under that name."""
    helpers: dict[str, Helper] = {}
    _gather(program, helpers)
    texts = [_definition(helper.program, helper.name) for helper in helpers.values()]
    return "\n\n".join([*texts, _definition(program, name)])


def is_writable(value: Any) -> bool:
    """Whether a value can stand in a source text: an int, None, an op, or a tuple of such, not too large."""
    stack, parts = [value], 0
    while stack:
        top = stack.pop()
        parts += 1
        if isinstance(top, tuple):
            stack.extend(top[: MAX_PARTS + 1])
        elif not (top is None or isinstance(top, Op) or (isinstance(top, int) and -(2**63) <= top < 2**63)):
            return False
        if parts > MAX_PARTS:
            return False
    return True


def _gather(program: Program, helpers: dict[str, Helper]) -> None:
    """The helpers of a program by name, those that others call before them."""
    for helper in _helpers_in(program):
        if helper.name not in helpers:
            _gather(helper.program, helpers)
            helpers[helper.name] = helper


def _helpers_in(program: Program) -> Iterable[Helper]:
    operands = [each for step in program.steps for each in (step.callee, *step.args)]
    stack = [each.value for each in (*operands, program.result) if isinstance(each, Literal)]
    while stack:
        top = stack.pop()
        if isinstance(top, Helper):
            yield top
        elif isinstance(top, tuple):
            stack.extend(top)


def _definition(program: Program, name: str) -> str:
    params: tuple[str, ...] = ("I",) if program.arity == 1 else ("S", "I", "C")
    if program.arity not in (1, 3) or not name.startswith("solve"):
        params = tuple([f"a{number}" for number in range(1, program.arity + 1)])
    lines = [f"def {name}({', '.join(params)}):"]
    names = [*params, *[f"x{number}" for number in range(1, len(program.steps) + 1)]]
    literals = count(1)
    for target, step in zip(names[program.arity :], program.steps, strict=True):
        made = step_lines(step, target, lambda each: _operand(each, names), lambda name: f"{name}_{next(literals)}")
        lines += [f"    {line}" for line in made]
    return "\n".join([*lines, f"    return {_operand(program.result, names)}", ""])


def _operand(operand: Operand, names: list[str]) -> str:
    return names[operand.index] if isinstance(operand, Slot) else _literal(operand.value)


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return "T" if value else "F"
    if value is None or isinstance(value, int):
        return str(value)
    if isinstance(value, Op | Helper):
        return value.name
    if isinstance(value, tuple):
        return f"({', '.join(map(_literal, value))}{',' if len(value) == 1 else ''})"
    raise InternalError(f"no literal: {type(value).__name__}")
