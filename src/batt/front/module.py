"""One source text to its definitions. Owns what may stand at the top level and how definitions find one another.

Allowed at the top level: star imports of the language, definitions, and constants (`NAME = integer`). A definition may
call another of the same text, above or below it; one that reaches itself is refused, since nothing could end it.
"""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any

from batt.errors import SourceError
from batt.front.lower import Scope, literal, lower
from batt.front.syntax import Piece, parse, parse_all
from batt.front.words import what
from batt.ir import Helper, Literal, Program
from batt.ops import CONSTANTS, OPS
from batt.source import Place

MAX_HELPER_DEPTH = 50

LANGUAGE_MODULES = {"dsl", "constants", "arc_types", "typing", "__future__"}


@dataclass(frozen=True, slots=True)
class Definition:
    """A `def` of a text: its program, its own source, and the names of the same text that it uses."""

    name: str
    program: Program
    text: str
    place: Place
    uses: tuple[str, ...]


@dataclass(slots=True)
class Module:
    """The definitions and constants of one text, in its order, and the mistakes in it."""

    file: str
    definitions: dict[str, Definition] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    mistakes: list[SourceError] = field(default_factory=list)

    def text_of(self, name: str) -> str:
        """The source of one definition or constant alone."""
        return self.definitions[name].text if name in self.definitions else f"{name} = {self.constants[name]!r}"

    def source_of(self, name: str) -> str:
        """The source of a definition with everything of this text that it uses, so that it stands alone."""
        order = self.needed(name)
        constants = "\n".join([self.text_of(each) for each in order if each in self.constants])
        texts = [self.text_of(each) for each in order if each in self.definitions]
        return "\n\n\n".join([constants] * bool(constants) + texts) + "\n"

    def needed(self, name: str) -> list[str]:
        """The names that a definition needs, itself last, each after those it needs itself."""
        found: dict[str, None] = {}

        def visit(each: str) -> None:
            if each in self.definitions:
                for used in self.definitions[each].uses:
                    if used not in found:
                        visit(used)
            found[each] = None

        visit(name)
        return list(found)


def read_module(text: str, file: str) -> Module:
    """Read a text; what is good in it is defined, what is not is among its mistakes."""
    reader = _Reader(file)
    for piece, parsed in parse_all(text, file):
        if isinstance(parsed, SourceError):
            reader.module.mistakes.append(parsed)
            continue
        for statement in parsed:
            reader.top_level(statement, piece)
    reader.finish()
    return reader.module


class _Reader:
    """The state of reading one text: what is defined so far, and what waits for names further down."""

    def __init__(self, file: str) -> None:
        self.module = Module(file)
        self.known: dict[str, Literal] = {}
        self.unusable: dict[str, str] = {}
        self.depths: dict[str, int] = {}
        self.seen: dict[str, Place] = {}
        self.waiting: dict[str, tuple[Piece, set[str]]] = {}

    def top_level(self, statement: ast.stmt, piece: Piece) -> None:
        match statement:
            case ast.FunctionDef(name=name):
                if self._claim(name, statement, piece):
                    self._define(statement, piece, is_last_try=False)
            case ast.ImportFrom():
                self._import(statement, piece)
            case ast.Import(names=[ast.alias(name=name), *_]):
                self._mistake(f"cannot import {name!r}: a deck is read, never run", statement, piece)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._constant(name, value, statement, piece)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._constant(name, value, statement, piece)
            case ast.Expr(value=ast.Constant(value=str())):
                pass  # a docstring
            case _:
                node = statement.value if isinstance(statement, ast.Expr) else statement
                self._mistake(f"{what(node)} cannot stand at the top level of a deck", statement, piece)

    def finish(self) -> None:
        """Define what waited for names further down; what still cannot be is a mistake."""
        waits = {name: sorted(missing & self.waiting.keys()) for name, (_, missing) in self.waiting.items()}
        order = TopologicalSorter(waits)
        with suppress(CycleError):
            order.prepare()
        while ready := order.get_ready():
            for name in ready:
                self._retry(name)
            order.done(*ready)
        for name in self.waiting:
            self.unusable[name] = f"{name!r} leads into a circle of calls; nothing could end it"
        for name in list(self.waiting):
            self._retry(name)
        self.module.definitions = dict(sorted(self.module.definitions.items(), key=lambda item: item[1].place.line))
        self.module.mistakes.sort(key=lambda mistake: (mistake.place.line, mistake.place.column))

    def _mistake(self, message: str, node: ast.AST, piece: Piece) -> None:
        self.module.mistakes.append(piece.mistake_at(message, node))

    def _claim(self, name: str, node: ast.stmt, piece: Piece) -> bool:
        """Take a name for a definition or constant; False, with a mistake noted, where it is taken already."""
        if name in OPS:
            self._mistake(f"{name!r} is a primitive; choose another name", node, piece)
        elif name in CONSTANTS:
            self._mistake(f"{name!r} is a constant of the language; choose another name", node, piece)
        elif name in self.seen:
            self._mistake(f"{name!r} is defined twice; first in line {self.seen[name].line}", node, piece)
        else:
            self.seen[name] = piece.place_of(node)
            return True
        return False

    def _import(self, node: ast.ImportFrom, piece: Piece) -> None:
        module = "." * node.level + (node.module or "")
        if module.rpartition(".")[2] not in LANGUAGE_MODULES:
            self._mistake(f"cannot import {module!r}: a deck is read, never run", node, piece)
        for alias in node.names:
            if alias.asname not in (None, alias.name):
                self._mistake(f"an import cannot rename {alias.name!r}", node, piece)

    def _constant(self, name: str, value: ast.expr, statement: ast.stmt, piece: Piece) -> None:
        try:
            constant = literal(value)
        except OverflowError as error:
            self._unusable(name, str(error), value, piece)
        except ValueError:
            self._unusable(name, "a constant must be an integer or a tuple of integers", value, piece)
        else:
            # A deck may spell out the constants of the language.
            is_language = name in CONSTANTS and CONSTANTS[name] == constant
            if not is_language and self._claim(name, statement, piece):
                self.module.constants[name] = constant
                self.known[name] = Literal(constant)

    def _define(self, node: ast.FunctionDef, piece: Piece, is_last_try: bool) -> None:
        lowered = lower(node, piece, Scope(self.known, self.unusable, is_last_try))
        depth = 1 + max([self.depths.get(used, 0) for used in lowered.uses], default=0)
        if lowered.missing:
            self.waiting[node.name] = piece.only(node), lowered.missing
        elif lowered.program is None:
            self.module.mistakes += lowered.mistakes
            self.unusable.setdefault(node.name, f"{node.name!r} has mistakes")
        elif depth > MAX_HELPER_DEPTH:
            self._unusable(node.name, f"definitions call one another more than {MAX_HELPER_DEPTH} deep", node, piece)
        else:
            self.depths[node.name] = depth
            self.known[node.name] = Literal(Helper(node.name, lowered.program))
            text = piece.only(node).text.lstrip()
            place, uses = self.seen[node.name], tuple(sorted(lowered.uses))
            self.module.definitions[node.name] = Definition(node.name, lowered.program, text, place, uses)

    def _unusable(self, name: str, message: str, node: ast.AST, piece: Piece) -> None:
        self._mistake(message, node, piece)
        self.unusable.setdefault(name, f"{name!r} has mistakes")

    def _retry(self, name: str) -> None:
        piece, _ = self.waiting.pop(name)
        statements = parse(piece)
        assert isinstance(statements, list), "it was parsed before"
        for statement in statements:
            assert isinstance(statement, ast.FunctionDef), "the piece holds just the definition"
            self._define(statement, piece, is_last_try=True)
