"""Programs as source text that reads back as the same program: one step, or a whole definition."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from batt.errors import InternalError
from batt.ir.program import Helper, Literal, Operand, Program, Slot, Step, assignment
from batt.ops import Op


def step_lines(step: Step, target: str, text_of: Callable[[Operand], str], free: Callable[[str], str]) -> list[str]:
    """Return the line that assigns a step's value to `target`, after lines that name literals where it needs them.

    `text_of` writes an operand, `free` gives a name that is not in use, made from another.
    """
    before: list[str] = []
    args: list[str] = []
    for place, arg in enumerate(step.args):
        text = text_of(arg)
        if _must_be_named(step, place):
            before.append(f"{free(target)} = {text}")
            text = before[-1].partition(" ")[0]
        args.append(text)
    return [*before, assignment(step, target, "" if step.callee is None else text_of(step.callee), args)]


def _must_be_named(step: Step, place: int) -> bool:
    """Whether an argument that is a literal would mean something else where it is written out."""
    arg = step.args[place]
    if not isinstance(arg, Literal):
        return False
    if step.callee is None:
        # A display of values written out is a value itself; one with a tuple that is given by name is a step.
        return isinstance(arg.value, tuple) and all(isinstance(each, Literal) for each in step.args)
    op = step.callee.value if isinstance(step.callee, Literal) else None
    # `-3` is a number, and `-3[0]` the opposite of an item.
    return isinstance(op, Op) and op.name in ("py_neg", "py_item") and place == 0


def helpers_of(program: Program) -> Iterator[Helper]:
    """The helpers that a program itself holds, in its order."""
    operands = [each for step in program.steps for each in (step.callee, *step.args)]
    stack = [each.value for each in (program.result, *reversed(operands)) if isinstance(each, Literal)]
    while stack:
        top = stack.pop()
        if isinstance(top, Helper):
            yield top
        elif isinstance(top, tuple):
            stack.extend(reversed(top))


def definition_text(program: Program, name: str) -> str:
    """Return a program as a definition, a line for each step, under plain names."""
    params: tuple[str, ...] = ("I",) if program.arity == 1 else ("S", "I", "C")
    if program.arity not in (1, 3) or not name.startswith("solve"):
        params = tuple([f"a{number}" for number in range(1, program.arity + 1)])
    taken = {helper.name for helper in helpers_of(program)}
    stem = "x"
    while any(each.startswith(stem) for each in taken):
        stem += "_"
    names = [f"{stem}{each}" if each in taken else each for each in params]
    params = tuple(names)
    names += [f"{stem}{number}" for number in range(1, len(program.steps) + 1)]
    literals = count(1)

    def written(operand: Operand) -> str:
        return names[operand.index] if isinstance(operand, Slot) else literal_text(operand.value)

    lines = [f"def {name}({', '.join(params)}):"]
    for target, step in zip(names[program.arity :], program.steps, strict=True):
        made = step_lines(step, target, written, lambda target: f"{target}_{next(literals)}")
        lines += [f"    {line}" for line in made]
    return "\n".join([*lines, f"    return {written(program.result)}", ""])


def literal_text(value: Any) -> str:
    """Return the text of a value that can stand in a source."""
    if isinstance(value, bool):
        return "T" if value else "F"
    if value is None or isinstance(value, int):
        return str(value)
    if isinstance(value, Op | Helper):
        return value.name
    if isinstance(value, tuple):
        return f"({', '.join(map(literal_text, value))}{',' if len(value) == 1 else ''})"
    raise InternalError(f"no literal: {type(value).__name__}")
