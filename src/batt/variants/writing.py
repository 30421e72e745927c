"""Make a solver with source text from a program."""

from __future__ import annotations

from dataclasses import replace

from batt.front import Solver
from batt.front.module import Definition, Module
from batt.ir import Program
from batt.ir.writing import Style, all_helpers, definition_text, names_of


def solver_of(original: Solver, name: str, definition: str, program: Program, doc: str) -> Solver:
    """Return a solver of `program`, with the definitions of `original` and its own helpers, at the same place."""
    module, place = original.module, original.place
    needed = [each for each in module.needed(original.definition) if each != original.definition]
    made = Module(module.file, own=module.own)
    made.constants = {each: module.constants[each] for each in needed if each in module.constants}
    made.definitions = {each: module.definitions[each] for each in needed if each in module.definitions}
    # Lines that the original does not have are placed where it begins.
    steps = tuple([replace(step, line=step.line or place.line) for step in program.steps])
    program = replace(program, steps=steps)
    for function in [each for each in all_helpers(program) if each.name not in made.definitions]:
        text = _written(function.program, function.name, f"The steps of {definition}.")
        made.definitions[function.name] = Definition(function.name, function.program, text, place, tuple(needed))
        needed.append(function.name)
    text = _written(program, definition, doc)
    made.definitions[definition] = Definition(definition, program, text, place, tuple(needed))
    return Solver(name, program, definition, made, place)


def _written(program: Program, name: str, doc: str) -> str:
    """Return a program as readable text: with the names of its source and of the language."""
    return definition_text(program, name, names_of(program), doc, Style.NAMES).rstrip()
