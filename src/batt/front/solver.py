"""Solvers: programs with their names and the texts that they were read from, and how they are saved.

Saved text reads back as the same programs.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path

from batt.errors import UsageError
from batt.front.definitions import Module
from batt.front.naming import SOLVER_NAME, identifier
from batt.ir import Operand, Program, Slot
from batt.ir.functions import new_words_of, words_lines
from batt.source import Place

_DEF_NAME = re.compile(r"\Adef[\s\\]+\w+")
_HEADER = "from batt.dsl import *"


@dataclass(frozen=True, slots=True)
class Solver:
    """A program with the name that results carry and the definition that it was read from."""

    name: str
    program: Program
    definition: str
    module: Module = field(compare=False, repr=False)
    place: Place

    @property
    def source(self) -> str:
        """Its source text, with the helpers and constants that it uses."""
        return self.module.source_of(self.definition)

    @property
    def idea(self) -> str:
        """The first line of its docstring, in printable characters; empty without one."""
        definition = self.module.definitions.get(self.definition)
        if definition is None or not {'"', "'"} & set(definition.text):
            return ""
        node = ast.parse(definition.text).body[0]
        said = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
        return "".join([char if char.isprintable() else " " for char in (said or "").partition("\n")[0]])

    @property
    def takes_demonstrations(self) -> bool:
        """Tell whether it has the form `(S, I, C)` rather than `(I)`."""
        return self.program.arity == 3

    def __repr__(self) -> str:
        return f"<Solver {self.name} | {len(self.program.steps)} steps>"


def with_candidate(program: Program) -> Program:
    """Return a program of (S, I) as one of (S, I, C) that does not read C."""

    def moved(operand: Operand) -> Operand:
        return Slot(operand.index + 1) if isinstance(operand, Slot) and operand.index > 1 else operand

    steps = [
        replace(step, callee=step.callee and moved(step.callee), args=tuple(map(moved, step.args)))
        for step in program.steps
    ]
    return Program((*program.params, "C"), 3, tuple(steps), moved(program.result))


def html_rows(deck: Iterable[Solver]) -> str:
    """Return a table for a notebook: the name, the number of steps and the idea of each solver."""
    left = "<td style='text-align:left'>"
    rows = [
        f"<tr>{left}<code>{escape(each.name)}</code></td><td>{len(each.program.steps):,}</td>{left}{escape(each.idea)}</td></tr>"
        for each in deck
    ]
    return f"<table><tr><th>solver</th><th>steps</th><th>idea</th></tr>{''.join(rows)}</table>"


def as_json_lines(deck: Iterable[Solver], run: str = "") -> str:
    """Return the deck as JSON lines: each solver with everything it uses, and with the run that it comes from."""
    more = {"run": run} if run else {}
    return "".join(json.dumps({"name": s.name, "source": s.source, **more}) + "\n" for s in deck)


def as_python(deck: Iterable[Solver], target: Path) -> str:
    """Return the deck as one file: every constant and helper once, then the solvers under their own names.

    A new word whose name is that of a helper or constant would lose its meaning, so such a deck is refused.
    """
    deck = list(deck)
    constants: dict[str, str] = {}
    definitions: dict[str, str] = {}
    solvers: dict[str, Solver] = {}
    for solver in deck:
        own_name = identifier(solver.name)
        if solvers.setdefault(own_name, solver) is not solver:
            raise _not_one_file(target, f"two solvers would be named {own_name!r}")
        for name in solver.module.needed(solver.definition):
            table, text = constants if name in solver.module.constants else definitions, solver.module.text_of(name)
            if name == solver.definition:
                name, text = own_name, _DEF_NAME.sub(f"def {own_name}", text)
            if (definitions.get(name) or constants.get(name) or text) != text:
                raise _not_one_file(target, f"two different {name!r}")
            table[name] = text
    helpers = [name for name in definitions if name not in solvers]
    for name in filter(SOLVER_NAME.match, helpers):
        raise _not_one_file(target, f"{name!r} is no solver of the deck, but would be read as one")
    programs = [solver.program for solver in deck]
    for name in sorted(new_words_of(programs) & {*constants, *definitions}):
        raise _not_one_file(target, f"{name!r} is a new word in one solver, and defined for another")
    imports = "\n".join([_HEADER, *words_lines(programs)])
    head = "\n\n".join([imports, "\n".join(constants.values())]).rstrip()
    return "\n\n\n".join([head, *[definitions[name] for name in (*helpers, *solvers)]]) + "\n"


class NotOneFile(UsageError):
    """The solvers of a deck do not fit in one Python file: two need different definitions of one name."""


def _not_one_file(target: Path, why: str) -> NotOneFile:
    return NotOneFile(f"{target}: the deck does not fit in one file: {why}; save as .jsonl instead")
