"""Programs as source text, one step a line, helpers before them. What is written reads back as an equal program."""

from __future__ import annotations

from typing import Any

from batt.ir import Helper, Program
from batt.ir.writing import definition_text, helpers_of
from batt.ops import Op

MAX_PARTS = 200
"""Parts of a value beyond which it is not written out."""


def source_of(program: Program, name: str = "solve") -> str:
    """The text of a program under that name."""
    helpers: dict[str, Helper] = {}
    _gather(program, helpers)
    texts = [definition_text(helper.program, helper.name) for helper in helpers.values()]
    return "\n\n".join([*texts, definition_text(program, name)])


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
    for helper in helpers_of(program):
        if helper.name not in helpers:
            _gather(helper.program, helpers)
            helpers[helper.name] = helper
