"""One step as lines of source text that read back as that step. Owns no names: they are given."""

from __future__ import annotations

from collections.abc import Callable

from batt.ir.program import Literal, Operand, Step


def step_lines(step: Step, target: str, text_of: Callable[[Operand], str], free: Callable[[str], str]) -> list[str]:
    """Return the line that assigns a step's value to `target`, after lines that name literals where it needs them.

    `text_of` writes an operand, `free` gives a name that is not in use, made from another.
    """
    before: list[str] = []
    args: list[str] = []
    is_value = step.callee is None and all(isinstance(arg, Literal) for arg in step.args)
    for arg in step.args:
        text = text_of(arg)
        if is_value and isinstance(arg, Literal) and isinstance(arg.value, tuple):
            # A display of values written out is a value itself; one with a tuple that is given by name is a step.
            before.append(f"{free(target)} = {text}")
            text = before[-1].partition(" ")[0]
        args.append(text)
    callee = "" if step.callee is None else text_of(step.callee)
    comma = "," if step.callee is None and len(args) == 1 else ""
    return [*before, f"{target} = {callee}({', '.join(args)}{comma})"]
