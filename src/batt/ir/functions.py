"""The functions that programs hold: ops, helpers, and the new words among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from batt.errors import InternalError
from batt.ir.program import Helper, Literal, Program
from batt.ops import WORDS, WORDS_LINE, Op


def functions_of(program: Program) -> Iterator[Op | Helper]:
    """Yield the ops and helpers in the literals of a program, in order."""
    operands = [each for step in program.steps for each in (step.callee, *step.args)]
    for operand in (*operands, program.result):
        if isinstance(operand, Literal):
            yield from functions_in(operand.value)


def functions_in(value: Any) -> Iterator[Op | Helper]:
    """Yield the ops and helpers that a value is or contains, in order."""
    stack = [value]
    while stack:
        top = stack.pop()
        if isinstance(top, Op | Helper):
            yield top
        elif isinstance(top, tuple):
            stack.extend(reversed(top))


def helpers_of(program: Program) -> Iterator[Helper]:
    """Yield the helpers that a program itself refers to, in order."""
    return (each for each in functions_of(program) if isinstance(each, Helper))


def all_helpers(program: Program) -> list[Helper]:
    """Return all helpers that a program needs, each once, dependencies first."""
    found: dict[str, Helper] = {}

    def gather(owner: Program) -> None:
        for helper in helpers_of(owner):
            if helper.name not in found:
                gather(helper.program)
                found[helper.name] = helper
            elif found[helper.name] != helper:
                raise InternalError(f"two different helpers {helper.name!r} in one program")

    gather(program)
    return list(found.values())


def new_words_of(programs: Iterable[Program]) -> set[str]:
    """Return the new words that programs and their helpers use."""
    owners = [owner for program in programs for owner in (program, *[each.program for each in all_helpers(program)])]
    functions = [each for owner in owners for each in functions_of(owner)]
    return {each.name for each in functions if isinstance(each, Op) and each.group == WORDS}


def words_lines(programs: Iterable[Program]) -> list[str]:
    """Return the line that switches the new words on if programs use one, else nothing."""
    return [WORDS_LINE] if new_words_of(programs) else []
