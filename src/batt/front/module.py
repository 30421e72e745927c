"""One source text to its definitions. Owns what may stand at the top level and how definitions find one another.

Allowed at the top level: star imports of the language, definitions, and constants (`NAME = integer`). A definition may
call another of the same text, above or below it; one that reaches itself is refused, since nothing could end it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from batt.errors import SourceError
from batt.front.lower import Scope, literal, lower, what
from batt.front.syntax import Piece, parse, parse_all
from batt.ir import Helper, Program
from batt.ops import OPS
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
    """The definitions and constants of one text, and the mistakes in it."""

    file: str
    definitions: dict[str, Definition] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    mistakes: list[SourceError] = field(default_factory=list)

    def source_of(self, name: str) -> str:
        """The source of a definition with everything of this text that it uses, so that it stands alone."""
        order = list(self.needed(name))
        constants = [f"{each} = {self.constants[each]!r}" for each in order if each in self.constants]
        texts = [self.definitions[each].text for each in order if each in self.definitions]
        return "\n\n\n".join(["\n".join(constants)] * bool(constants) + texts) + "\n"

    def needed(self, name: str) -> Mapping[str, None]:
        """The names that a definition needs, itself last, each after those it needs itself."""
        found: dict[str, None] = {}
        for used in self.definitions[name].uses:
            if used in self.definitions:
                found.update(self.needed(used))
            else:
                found[used] = None
        found[name] = None
        return found


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
    reader.module.mistakes.sort(key=lambda mistake: (mistake.place.line, mistake.place.column))
    return reader.module


class _Reader:
    """The state of reading one text: what is defined so far, and what waits for names further down."""

    def __init__(self, file: str) -> None:
        self.module = Module(file)
        self.helpers: dict[str, Helper] = {}
        self.depths: dict[str, int] = {}
        self.seen: dict[str, Place] = {}
        self.waiting: dict[str, tuple[Piece, set[str]]] = {}

    def top_level(self, statement: ast.stmt, piece: Piece) -> None:
        match statement:
            case ast.FunctionDef():
                self._define(statement, piece)
            case ast.ImportFrom(module=module):
                if (module or "").rpartition(".")[2] not in LANGUAGE_MODULES:
                    self._mistake(f"cannot import {module!r}: a deck is read, never run", statement, piece)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._constant(name, value, statement, piece)
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                self._constant(name, value, statement, piece)
            case ast.Expr(value=ast.Constant(value=str())):
                pass  # a docstring
            case ast.Expr(value=value):
                self._mistake(f"{what(value)} cannot stand outside a definition", statement, piece)
            case _:
                self._mistake(f"{what(statement)} cannot stand outside a definition", statement, piece)

    def finish(self) -> None:
        """Define what waited for names further down; what still cannot be is a mistake."""
        while True:
            ready = [name for name, (_, missing) in self.waiting.items() if missing <= self._known()]
            for name in ready:
                self._retry(name)
            if not ready:
                break
        for name in list(self.waiting):
            self._retry(name)

    def _known(self) -> set[str]:
        return self.helpers.keys() | self.module.constants.keys()

    def _mistake(self, message: str, node: ast.AST, piece: Piece) -> None:
        self.module.mistakes.append(piece.mistake_at(message, node))

    def _constant(self, name: str, value: ast.expr, statement: ast.stmt, piece: Piece) -> None:
        try:
            self.module.constants[name] = literal(value)
        except ValueError:
            self._mistake("a constant must be an integer or a tuple of integers", statement, piece)
        if name in OPS:
            self._mistake(f"{name!r} is a primitive; choose another name", statement, piece)

    def _define(self, node: ast.FunctionDef, piece: Piece) -> None:
        if node.name in OPS:
            self._mistake(f"{node.name!r} is a primitive; choose another name", node, piece)
        elif node.name in self.seen:
            self._mistake(f"{node.name!r} is defined twice; first in line {self.seen[node.name].line}", node, piece)
        else:
            self.seen[node.name] = piece.mistake_at("", node).place
            self._lower(node, piece, final=False)

    def _retry(self, name: str) -> None:
        piece, _ = self.waiting.pop(name)
        statements = parse(piece)
        assert not isinstance(statements, SourceError), "it was parsed before"
        for statement in statements:
            if isinstance(statement, ast.FunctionDef) and statement.name == name:
                self._lower(statement, piece, final=True)
                return

    def _lower(self, node: ast.FunctionDef, piece: Piece, final: bool) -> None:
        lowered = lower(node, piece, Scope(self.helpers, self.module.constants))
        if lowered.missing and not final:
            self.waiting[node.name] = (piece, lowered.missing)
            return
        if lowered.program is None:
            for name in sorted(lowered.missing & self.seen.keys()):
                self._mistake(self._why_unusable(name, node.name), node, piece)
            undefined = {f"{name!r} is not defined" for name in lowered.missing & self.seen.keys()}
            self.module.mistakes += [m for m in lowered.mistakes if m.message.partition(";")[0] not in undefined]
            return
        uses = tuple(sorted(lowered.uses))
        depth = 1 + max((self.depths.get(name, 0) for name in uses), default=0)
        if depth > MAX_HELPER_DEPTH:
            self._mistake(f"definitions call one another more than {MAX_HELPER_DEPTH} deep", node, piece)
            return
        text = "\n".join(piece.text.split("\n")[node.lineno - 1 : node.end_lineno])
        self.depths[node.name] = depth
        self.helpers[node.name] = Helper(node.name, lowered.program)
        self.module.definitions[node.name] = Definition(node.name, lowered.program, text, self.seen[node.name], uses)

    def _why_unusable(self, used: str, user: str) -> str:
        if used == user or used in self.waiting:
            return f"{user!r} reaches itself by calling {used!r}; nothing could end that"
        return f"{user!r} calls {used!r}, which has mistakes"
