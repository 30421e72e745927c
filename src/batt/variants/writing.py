"""A program as source text that reads back as the same program. Owns the names and the words of that text."""

from __future__ import annotations

import re
from dataclasses import replace
from keyword import kwlist
from typing import Any

from batt.front import Solver
from batt.front.module import Definition, Module
from batt.front.naming import Numbering
from batt.ir import Helper, Operand, Program, Slot
from batt.ir.writing import helpers_of, step_lines
from batt.ops import CONSTANTS, OPS
from batt.types import form

_WORDS = {(type(value), value): name for name, value in reversed(CONSTANTS.items())}


def solver_of(original: Solver, name: str, definition: str, program: Program, doc: str) -> Solver:
    """A solver of a program that uses what the original uses, and functions of its own, and stands at its place."""
    module, place = original.module, original.place
    needed = [each for each in module.needed(original.definition) if each != original.definition]
    made = Module(module.file, own=module.own)
    made.constants = {each: module.constants[each] for each in needed if each in module.constants}
    made.definitions = {each: module.definitions[each] for each in needed if each in module.definitions}
    # Lines that the original does not have stand where it begins.
    steps = tuple([replace(step, line=step.line or place.line) for step in program.steps])
    program = replace(program, steps=steps)
    for function in [each for each in _functions(program) if each.name not in made.definitions]:
        text = source(function.name, function.program, f"The steps of {definition}.", {*needed, *module.own})
        made.definitions[function.name] = Definition(
            function.name, function.program, text.rstrip(), place, tuple(needed)
        )
        needed.append(function.name)
    text = source(definition, program, doc, {*needed, *module.own, definition}).rstrip()
    made.definitions[definition] = Definition(definition, program, text, place, tuple(needed))
    return Solver(name, program, definition, made, place)


def _functions(program: Program) -> list[Helper]:
    """The definitions that a program needs, each once, after those that it needs itself."""
    found: dict[Helper, None] = {}
    for helper in helpers_of(program):
        if helper not in found:
            found.update(dict.fromkeys([*_functions(helper.program), helper]))
    return list(found)


def source(definition: str, program: Program, doc: str, taken: set[str]) -> str:
    """A program as a definition, a line for each step; `taken` are names that mean something else there."""
    used = Numbering({*taken, *OPS, *CONSTANTS, *kwlist})
    names = _names(program, used)

    def written(operand: Operand) -> str:
        return names[operand.index] if isinstance(operand, Slot) else _value(operand.value)

    lines = [f"def {definition}({', '.join(names[: program.arity])}):", f'    """{doc}"""']
    for index, step in enumerate(program.steps, program.arity):
        lines += [f"    {line}" for line in step_lines(step, names[index], written, used.free)]
    return "\n".join([*lines, f"    return {written(program.result)}"]) + "\n"


def _names(program: Program, used: Numbering) -> list[str]:
    """A name for every slot, of its own; where it can be, the name that the source had."""
    wanted = (*program.params, *[step.target for step in program.steps])
    # A `_` that nothing reads takes no part of a value, so no slot is called that.
    return [used.free(f"x{each[1:]}" if each == "_" or re.fullmatch(r"_\d+", each) else each) for each in wanted]


def _value(value: Any, is_item: bool = False) -> str:
    """A literal, by its name where the language has one; a display with a tuple that is given by name is a step."""
    if isinstance(value, Helper):
        return value.name
    if isinstance(value, int if is_item else int | tuple) and _is_plain(value) and (type(value), value) in _WORDS:
        return _WORDS[type(value), value]
    if isinstance(value, tuple):
        return f"({', '.join([_value(each, is_item=True) for each in value])}{',' * (len(value) == 1)})"
    return form(value)


def _is_plain(value: Any) -> bool:
    """Whether a value is an int, a bool or a pair of ints: True equals 1, but is another word."""
    return type(value) in (int, bool) or (isinstance(value, tuple) and all(type(each) is int for each in value))
