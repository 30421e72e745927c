"""Built-in differs, and the reading of differs of the user, which never runs them.

A differ of the user is a definition `differ_NAME` in a file of the language: of (S, I, C), the demonstrations, the
input and the candidate; or of (S, I, C, E), where E is the expected output.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from batt.differs.arrays import PLAIN
from batt.errors import DeckError, SourceError, UsageError
from batt.front import Solver
from batt.front.definitions import Module
from batt.front.texts import read_text
from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ops import OPS, Op

PREFIX = "differ_"
FORM = "a differ takes (S, I, C) or (S, I, C, E), the expected output last"


@dataclass(frozen=True, slots=True)
class BuiltInDiffer:
    """A measure of batt's own."""

    name: str

    @property
    def word(self) -> str:
        """Return its name in a generated file."""
        return self.name


@dataclass(frozen=True, slots=True)
class Written:
    """A differ of the user: its definition and its program."""

    name: str
    solver: Solver

    @property
    def word(self) -> str:
        """Return its name in a generated file."""
        return self.solver.definition

    @property
    def takes_expected(self) -> bool:
        """Tell whether it has a fourth parameter."""
        return self.solver.program.arity == 4


Differ: TypeAlias = BuiltInDiffer | Written

BUILT_IN: Mapping[str, BuiltInDiffer] = {name: BuiltInDiffer(name) for name in PLAIN}


def engine_program(program: Program) -> Program:
    """Return a differ as a program (S, I, C) that finds the input, the candidate and the expected output in I.

    I is ((input, candidate), (expected,)): engines pass only S and I to a program, and what depends on S alone is
    still staged once for all candidates of a task.
    """
    first, last = Literal(OPS["first"]), Literal(OPS["last"])
    given = [
        Step(first, (Slot(1),), "given", 0),
        Step(first, (Slot(3),), program.params[1], 0),
        Step(last, (Slot(3),), program.params[2], 0),
    ]
    slots = [Slot(0), Slot(4), Slot(5)]
    if program.arity == 4:
        given += [Step(last, (Slot(1),), "known", 0), Step(first, (Slot(6),), program.params[3], 0)]
        slots.append(Slot(7))
    shift = 3 + len(given) - program.arity

    def moved(operand: Operand) -> Operand:
        if isinstance(operand, Literal):
            return operand
        return slots[operand.index] if operand.index < program.arity else Slot(operand.index + shift)

    steps = [
        Step(step.callee and moved(step.callee), tuple([moved(arg) for arg in step.args]), step.target, step.line)
        for step in program.steps
    ]
    return Program(("S", "I", "C"), 3, (*given, *steps), moved(program.result))


def input_of(grid: Any, candidate: Any, expected: Any) -> Any:
    """Return the input of a program that `engine_program` made."""
    return (grid, candidate), (expected,)


def read_differs(text: str, file: str, own: Mapping[str, Op] | None = None) -> tuple[Written, ...]:
    """Read the differs of a text, which may use the user's own ops. Raise DeckError with every mistake."""
    # Only differs that a user wrote are read.
    from batt.front.module import read_module

    module = read_module(text, file, own)
    mistakes = list(module.mistakes)
    found: list[Written] = []
    for name, definition in module.definitions.items():
        if not name.startswith(PREFIX):
            continue
        line = definition.text.split("\n")[0]
        if definition.program.arity not in (3, 4):
            mistakes.append(SourceError(f"{FORM}; this one has {definition.program.arity}", definition.place, line))
        elif name == PREFIX or name.removeprefix(PREFIX) in BUILT_IN:
            mistakes.append(SourceError(f"{name!r} cannot be the name of your own differ", definition.place, line))
        else:
            found.append(_written(name, module))
    if mistakes:
        raise DeckError(mistakes)
    return tuple(found)


def _written(name: str, module: Module) -> Written:
    definition = module.definitions[name]
    return Written(name.removeprefix(PREFIX), Solver(name, definition.program, name, module, definition.place))


def differs_named(words: str | Iterable[str], own: Mapping[str, Op] | None = None) -> tuple[Differ, ...]:
    """Return the differs of a list of built-in names and files: `equal,cells,my_differs.py`."""
    chosen = words.split(",") if isinstance(words, str) else words
    found: dict[str, Differ] = {}
    for word in dict.fromkeys([each.strip() for each in chosen]):
        known = BUILT_IN.get(word)
        for differ in (known,) if known else _of_file(word, own):
            if differ.name in found:
                raise UsageError(f"{word}: a second differ {differ.name!r}")
            found[differ.name] = differ
    return tuple(found.values())


def _of_file(word: str, own: Mapping[str, Op] | None) -> tuple[Written, ...]:
    path = Path(word)
    if path.suffix != ".py" and not path.is_file():
        raise UsageError(f"no differ {word!r}; there are {', '.join(BUILT_IN)}, and those of a .py file of yours")
    found = read_differs(read_text(path), str(path), own)
    if not found:
        raise UsageError(f"{path}: no differ found; a differ is `def differ_NAME(S, I, C)` or `(S, I, C, E)`")
    return found
