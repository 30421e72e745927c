"""Read one source text into its definitions.

Allowed at the top level: imports, definitions, and constants (`NAME = integer`). Imports are skipped, except the line
that switches the new words on, and imports of names of another file of the same folder. A definition may call another
of the same text, above or below it. A definition that reaches itself is refused, since nothing could end it.
In a text with a batt, its solvers are definitions like others, and anything beside it (imports, a main program) is a
mistake only if the batt needs it.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter

from batt.errors import SourceError
from batt.front.cells import lines_that_take_cells_apart
from batt.front.definitions import Definition, Module
from batt.front.forms import BUILTINS, imported_names, passed_over, switches_words_on
from batt.front.lower import Lowered, literal, lower
from batt.front.naming import LAMBDA_NAME, SOLVER_NAME, lambda_of
from batt.front.scope import Scope
from batt.front.siblings import Sibling, no_sibling, sibling_name, wanted_names
from batt.front.syntax import Piece, parse, parse_all
from batt.front.translate import dialect
from batt.front.unfold import is_batt, unfold, written
from batt.front.words import what
from batt.ir import Helper, Literal
from batt.ir.functions import new_words_of
from batt.ops import CONSTANTS, NEW_WORDS, OPS, Op
from batt.source import Place

MAX_HELPER_DEPTH = 50

_FIRST_WORD = re.compile(r"(?:^[\ufeff\f]*|\r|;[ \t]*)(?:def[\s\\]+)?(\w+)[\s\\]*[(=:]", re.MULTILINE)
"""The name that a statement at the top level may define; a false match does no harm."""

CELL_BY_POSITION = (
    "takes a cell apart by position: in this dialect it is (row, column, colour), here (colour, (row, column)); "
    "toij(cell) is its place"
)


def read_module(
    text: str,
    file: str,
    own: Mapping[str, Op] | None = None,
    most_mistakes: int = sys.maxsize,
    sibling: Sibling = no_sibling,
) -> Module:
    """Read a text, which may use the user's own ops. The module holds the good definitions and the mistakes.

    `sibling` reads the files of the same folder that the text imports names from. Reading stops after `most_mistakes`.
    """
    names = _FIRST_WORD.findall(text)
    words = frozenset([name for name in names if dialect().meaning(name) or name in BUILTINS or name in NEW_WORDS])
    reader = _ModuleReader(Module(file, own=own or {}), words, sibling)
    for piece, parsed in parse_all(text, file):
        if isinstance(parsed, SourceError):
            reader.unreadable.append(parsed)
        else:
            for statement in parsed:
                if reader.mistakes_found() < most_mistakes:
                    reader.top_level(statement, piece)
        if reader.mistakes_found() >= most_mistakes:
            break
    reader.finish(most_mistakes)
    return reader.module


class _ModuleReader:
    """The state of reading one text: what is defined so far, and what waits for names further down."""

    def __init__(self, module: Module, words: frozenset[str], sibling: Sibling) -> None:
        self.module = module
        self.words = words
        self.sibling = sibling
        self.known: dict[str, Literal] = {}
        self.unusable: dict[str, str] = {}
        self.imported: dict[str, str] = {}
        self.has_new_words = False
        self.taken_words: dict[str, str] = {}
        self.depths: dict[str, int] = {}
        self.seen: dict[str, Place] = {}
        self.waiting: dict[str, tuple[Piece, set[str]]] = {}
        self.batt: tuple[ast.FunctionDef, Piece] | None = None
        self.unreadable: list[SourceError] = []
        self.in_solvers: list[SourceError] = []
        self.beside: list[SourceError] = []

    def top_level(self, statement: ast.stmt, piece: Piece) -> None:
        match statement:
            case ast.FunctionDef() if is_batt(statement):
                if self.batt is None:
                    self.batt = statement, piece
                else:
                    self.in_solvers.append(piece.mistake_at("a second batt in one file", statement))
            case ast.FunctionDef(name=name):
                if self._claim(name, statement, piece):
                    self._define(statement, piece, is_last_try=False)
            case ast.ImportFrom() if self._import_from_sibling(statement, piece):
                pass
            case ast.ImportFrom() if switches_words_on(statement):
                self.has_new_words = True
            case ast.Import() | ast.ImportFrom():
                self.module.imports.update(passed_over(statement))
                self.imported.update(imported_names(statement, self._scope(False).is_of_language))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._constant(name, value, statement, piece)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._constant(name, value, statement, piece)
            case ast.Expr(value=ast.Constant(value=str(text))):
                if not (self.seen or self.module.doc):
                    self.module.doc = inspect.cleandoc(text)
            case _:
                node = statement.value if isinstance(statement, ast.Expr) else statement
                message = f"{what(node)} cannot stand at the top level of a deck"
                self.beside.append(piece.mistake_at(message, statement))

    def _import_from_sibling(self, statement: ast.ImportFrom, piece: Piece) -> bool:
        """Take the names that a statement imports from a file of the same folder. Return False if it means no such."""
        name = sibling_name(statement)
        found = self.sibling(name) if name else None
        if found is None:
            return False
        if isinstance(found, str):
            self.beside.append(piece.mistake_at(found, statement))
            self.imported.update(imported_names(statement, self._scope(False).is_of_language))
            return True
        self.module.siblings.append(found)
        for alias, wanted in wanted_names(statement, found):
            if alias.asname not in (None, wanted):
                why = f"import {wanted!r} of {found.file} under its own name"
                self.imported[alias.asname or wanted] = f"{alias.asname!r} is not defined: {why}"
            elif wanted in found.definitions or wanted in found.constants:
                self._take(wanted, found, alias, piece)
            elif found.mistakes:
                self.imported[wanted] = f"{wanted!r} is not defined: {found.file} has mistakes"
            elif not self._scope(False).is_of_language(wanted):
                self.imported[wanted] = f"{wanted!r} is not defined: {found.file} does not define it"
                self.beside.append(piece.mistake_at(f"{found.file} defines no {wanted!r}", alias))
        return True

    def _take(self, wanted: str, found: Module, alias: ast.alias, piece: Piece) -> None:
        """Take a name of a sibling with everything that it needs. None of them may be defined here as well."""
        self._take_new_words(wanted, found, alias, piece)
        for name in found.needed(wanted):
            if name in found.lambdas:
                self.module.lambdas[name] = found.lambdas[name]
                continue
            if name in found.definitions and found.definitions[name].is_word:
                self.module.definitions[name] = found.definitions[name]
                continue
            place = found.place_of(name)
            if self.seen.setdefault(name, place) != place:
                why = f"{name!r} is defined twice; first in {self.seen[name]}"
                self._mistake(why if name == wanted else f"{wanted!r} needs {name!r}: {why}", alias, piece)
                return
            self.module.imported.add(name)
            if name in found.definitions:
                self.module.definitions[name] = found.definitions[name]
                self.depths[name] = found.definitions[name].depth
            else:
                self.module.constants[name], self.module.constant_places[name] = found.constants[name], place
        is_constant = wanted in found.constants
        value = found.constants[wanted] if is_constant else Helper(wanted, found.definitions[wanted].program)
        self.known[wanted] = Literal(value)

    def _take_new_words(self, wanted: str, found: Module, alias: ast.alias, piece: Piece) -> None:
        """Keep the meaning of the new words that a name of a sibling uses: this text may not define them itself."""
        taken = new_words_of([found.definitions[wanted].program]) if wanted in found.definitions else set()
        for word in sorted(taken & self.seen.keys()):
            self._mistake(f"{wanted!r} uses the new word {word!r}, which this file defines", alias, piece)
        self.taken_words.update(dict.fromkeys(taken, wanted))

    def mistakes_found(self) -> int:
        return len(self.unreadable) + len(self.in_solvers) + len(self.beside) + len(self.module.mistakes)

    def finish(self, most_mistakes: int) -> None:
        """Define what waited for names further down; the rest is a mistake."""
        waits = {name: sorted(missing & self.waiting.keys()) for name, (_, missing) in self.waiting.items()}
        order = TopologicalSorter(waits)
        with suppress(CycleError):
            order.prepare()
        while ready := order.get_ready():
            for name in ready:
                if self.mistakes_found() < most_mistakes:
                    self._retry(name)
            order.done(*ready)
        for name in self.waiting:
            self.unusable[name] = f"{name!r} leads into a circle of calls; nothing could end it"
        for name in list(self.waiting):
            if self.mistakes_found() < most_mistakes:
                self._retry(name)
        if self.batt is not None:
            self._unfold(*self.batt)
        told = self.unreadable + self.in_solvers
        if self.batt is None:
            self.module.mistakes += told + self.beside
        else:
            # Helpers that the batt does not need may be wrong. Whether one caused its mistakes is unknown: report all.
            self.module.mistakes = told + self.module.mistakes if told else []
        self.module.definitions = dict(sorted(self.module.definitions.items(), key=lambda item: item[1].place.line))
        self.module.mistakes.sort(key=lambda mistake: (mistake.place.line, mistake.place.column))

    def _mistake(self, message: str, node: ast.AST, piece: Piece) -> None:
        self.module.mistakes.append(piece.mistake_at(message, node))

    def _claim(self, name: str, node: ast.stmt, piece: Piece) -> bool:
        """Take a name for a definition or constant. Return False, with a mistake noted, if it is taken."""
        if name in OPS:
            self._mistake(f"{name!r} is a primitive; choose another name", node, piece)
        elif name in CONSTANTS:
            self._mistake(f"{name!r} is a constant of the language; choose another name", node, piece)
        elif name in self.module.own:
            self._mistake(f"{name!r} is an op of your own; choose another name", node, piece)
        elif name in self.taken_words:
            user = self.taken_words[name]
            self._mistake(
                f"{name!r} is a new word that {user!r} uses, which is imported; choose another name", node, piece
            )
        elif name in self.seen:
            first = self.seen[name]
            where = f"line {first.line}" if first.file == self.module.file else str(first)
            self._mistake(f"{name!r} is defined twice; first in {where}", node, piece)
        else:
            self.seen[name] = piece.place_of(node)
            return True
        return False

    def _constant(self, name: str, value: ast.expr, statement: ast.stmt, piece: Piece) -> None:
        try:
            constant = literal(value)
        except OverflowError as error:
            self._unusable(name, str(error), value, piece)
        except ValueError:
            self._unusable(name, "a constant must be an integer or a tuple of integers", value, piece)
        else:
            # A deck may define the constants of the language again.
            is_language = name in CONSTANTS and CONSTANTS[name] == constant
            if not is_language and self._claim(name, statement, piece):
                self.module.constants[name] = constant
                self.module.constant_places[name] = self.seen[name]
                self.known[name] = Literal(constant)

    def _scope(self, is_complete: bool) -> Scope:
        new_words = NEW_WORDS if self.has_new_words else {}
        return Scope(
            self.known, self.unusable, is_complete, self.module.own, dialect(), self.words, self.imported, new_words
        )

    def _lowered(self, node: ast.FunctionDef, piece: Piece, is_complete: bool) -> Lowered:
        """Lower a definition. Taking a cell of the second dialect apart by position is a mistake as well."""
        words = dialect()
        lowered = lower(node, piece, self._scope(is_complete))
        if lowered.program is not None and not lowered.words.isdisjoint(words.functions):
            lines = {each - piece.lines_before for each in lines_that_take_cells_apart(lowered.program)}
            found = [each for each in node.body if each.lineno in lines]
            lowered.mistakes += [piece.mistake_at(CELL_BY_POSITION, getattr(each, "value", each)) for each in found]
            lowered.program = None if found else lowered.program
        return lowered

    def _uses(self, lowered: Lowered) -> tuple[str, ...]:
        """Return the names of this text that a definition uses. Words of the dialect in it become part of the text."""
        assert lowered.program is not None, "called for good definitions only"
        if not lowered.words:
            return tuple(sorted(lowered.uses))
        operands = [each for step in lowered.program.steps for each in (step.callee, *step.args)]
        held = {
            each.value.name
            for each in (*operands, lowered.program.result)
            if isinstance(each, Literal) and isinstance(each.value, Helper)
        }
        used = held & lowered.words
        for name in used:
            if name in self.module.definitions:
                continue
            word = dialect().words[name]
            place = Place("dialect", 0, 1)
            self.module.definitions[name] = Definition(name, word.helper.program, word.text, place, (), is_word=True)
        return tuple(sorted(lowered.uses | used))

    def _define(self, node: ast.FunctionDef, piece: Piece, is_last_try: bool) -> None:
        lowered = self._lowered(node, piece, is_last_try)
        depth = 1 + max([self.depths.get(used, 0) for used in lowered.uses], default=0)
        if lowered.missing:
            self.waiting[node.name] = piece.only(node), lowered.missing
        elif lowered.program is None:
            (self.in_solvers if SOLVER_NAME.match(node.name) else self.module.mistakes).extend(lowered.mistakes)
            self.unusable.setdefault(node.name, f"{node.name!r} has mistakes")
        elif LAMBDA_NAME.fullmatch(node.name) and lambda_of(lowered.program).name != node.name:
            self._unusable(node.name, f"{node.name!r} is the name of another lambda; choose another name", node, piece)
        elif depth > MAX_HELPER_DEPTH:
            self._unusable(node.name, f"definitions call one another more than {MAX_HELPER_DEPTH} deep", node, piece)
        else:
            self.depths[node.name] = depth
            self.known[node.name] = Literal(Helper(node.name, lowered.program))
            self.module.imports.update(lowered.imports)
            self.module.lambdas.update(lowered.lambdas)
            text = piece.only(node).text.lstrip()
            place, uses = self.seen[node.name], self._uses(lowered)
            self.module.definitions[node.name] = Definition(node.name, lowered.program, text, place, uses, depth=depth)

    def _unfold(self, node: ast.FunctionDef, piece: Piece) -> None:
        """Define the solvers of a batt."""
        unfolded = unfold(node, piece, self.seen.keys())
        self.module.batt = unfolded.dealt
        self.in_solvers += unfolded.mistakes
        told: set[tuple[Place, str]] = set()
        texts: dict[ast.stmt, str] = {}
        for entry, definition in unfolded.solvers:
            lowered = self._lowered(definition, piece, is_complete=True)
            if lowered.program is None:
                # Solvers share lines, and so their mistakes.
                new = [each for each in lowered.mistakes if (each.place, each.message) not in told]
                told.update([(each.place, each.message) for each in new])
                self.in_solvers += new
                continue
            self.module.lambdas.update(lowered.lambdas)
            name, text, uses = entry.definition, written(definition, texts), self._uses(lowered)
            self.module.definitions[name] = Definition(name, lowered.program, text, entry.place, uses)

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
