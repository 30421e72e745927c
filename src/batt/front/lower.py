"""One `def` to a program. Owns the grammar of the language: what a line may be and what a name means.

A solver is straight-line code: each line names the value of an expression, the last returns one. An expression is a
name, an integer, a tuple display or a call. All mistakes of a definition are found at once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from batt.errors import SourceError
from batt.front.imports import imported_names, passed_over
from batt.front.scope import Scope
from batt.front.suggest import suggestion
from batt.front.syntax import INT_BITS, TOO_WIDE, Piece
from batt.front.words import what
from batt.ir import Helper, Literal, Operand, Program, Slot, Step
from batt.ops import CONSTANTS, OPS, Op

MAX_NESTING = 100
MAX_PARAMS = 16
MAX_MISTAKES = 100


@dataclass(slots=True)
class Lowered:
    """A definition's program; or its mistakes; or the names that it is still missing in an incomplete scope."""

    program: Program | None = None
    mistakes: list[SourceError] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    imports: list[str] = field(default_factory=list)


def lower(definition: ast.FunctionDef, piece: Piece, scope: Scope) -> Lowered:
    """The program of a definition, or all that is wrong with it."""
    return _Lowering(definition, piece, scope).run()


def literal(node: ast.expr) -> Any:
    """The value of an integer, a bool, None or a tuple of such.

    Raises OverflowError for an integer that is too large, ValueError for anything else.
    """
    match node:
        case ast.Tuple(elts=elements):
            return tuple([literal(element) for element in elements])
        case ast.Constant(value=None):
            return None
        case ast.Constant(value=int() as value):
            pass
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as negated)):
            value = -negated
        case _:
            raise ValueError(f"{what(node)} is not a literal")
    bound = 1 << (INT_BITS - 1)
    if not -bound <= value < bound:
        raise OverflowError(TOO_WIDE)
    return value


_MISTAKE = Literal(None)
"""Stands for the value of an expression that is a mistake, so that the search for others can go on."""


class _TooManyMistakes(Exception):
    """Ends the reading of a definition."""


class _Lowering:
    """The state of lowering one definition: slots named so far, steps made, mistakes found."""

    def __init__(self, definition: ast.FunctionDef, piece: Piece, scope: Scope) -> None:
        self.definition = definition
        self.piece = piece
        self.scope = scope
        self.steps: list[Step] = []
        self.slots: dict[str, Operand] = {}
        self.assigned: set[str] = set()
        self.imported = scope.imported
        self.result: Operand | None = None
        self.arity = 0
        self.out = Lowered()
        self.line = 0

    def run(self) -> Lowered:
        try:
            params = self._parameters()
            self._body()
        except _TooManyMistakes:
            return self.out
        if self.result is not None and not self.out.mistakes and not self.out.missing:
            self.out.program = Program(params, len(params), tuple(self.steps), self.result)
        return self.out

    def _mistake(self, message: str, node: ast.AST) -> Operand:
        if len(self.out.mistakes) == MAX_MISTAKES:
            message = f"more than {MAX_MISTAKES} mistakes in one definition; the rest of it is not read"
            self.out.mistakes.append(self.piece.mistake_at(message, node))
            raise _TooManyMistakes
        self.out.mistakes.append(self.piece.mistake_at(message, node))
        return _MISTAKE

    def _parameters(self) -> tuple[str, ...]:
        spec = self.definition.args
        if self.definition.decorator_list:
            self._mistake("a decorator is not part of the language", self.definition.decorator_list[0])
        if getattr(self.definition, "type_params", []):
            self._mistake("a type parameter is not part of the language", self.definition)
        if spec.vararg or spec.kwarg or spec.kwonlyargs or spec.posonlyargs or spec.defaults:
            self._mistake("parameters must be plain names without defaults or stars", self.definition)
        params = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *filter(None, (spec.vararg, spec.kwarg))]
        if not params:
            self._mistake("a definition needs at least one parameter", self.definition)
        if len(params) > MAX_PARAMS:
            self._mistake(f"{len(params)} parameters; the limit is {MAX_PARAMS}", self.definition)
        for index, param in enumerate(params):
            if param.arg in self.slots:
                self._mistake(f"a second parameter {param.arg!r}", param)
            self.slots[param.arg] = _slot(index)
        self.arity = len(params)
        return tuple([param.arg for param in params])

    def _body(self) -> None:
        body = self.definition.body
        match body[0]:
            case ast.Expr(value=ast.Constant(value=str())):
                body = body[1:]  # a docstring
        # As in Python, a name that is assigned anywhere in a definition is local to all of it.
        self.assigned = {name for statement in body for name in _bound(statement)}
        for position, statement in enumerate(body):
            self._statement(statement, is_last=position == len(body) - 1)
        if not any(isinstance(statement, ast.Return) for statement in body):
            self._mistake("the definition does not return a value", self.definition)

    def _statement(self, statement: ast.stmt, is_last: bool) -> None:
        self.line = statement.lineno + self.piece.lines_before
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._assign(name, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._assign(name, value)
            case ast.Import() | ast.ImportFrom():
                self.out.imports += passed_over(statement)
                self.imported = {**self.imported, **imported_names(statement, self.scope.is_of_language)}
            case ast.Return(value=None):
                self._mistake("return needs a value", statement)
            case ast.Return(value=ast.expr() as value):
                self.result = self._expression(value, 0, "")
                if not is_last:
                    self._mistake("lines after return are never reached", statement)
            case ast.Expr(value=ast.Call() | ast.Name() | ast.Tuple() | ast.Constant(value=int() | None)):
                self._mistake("a line must name its value: `x = …`", statement)
            case _:
                node = statement.value if isinstance(statement, ast.Expr) else statement
                self._mistake(f"{what(node)} is not part of the language", statement)
                # What the line would have assigned is not told as a mistake once more.
                self.slots.update(dict.fromkeys(_bound(statement), _MISTAKE))

    def _assign(self, name: str, value: ast.expr) -> None:
        self.slots[name] = self._expression(value, 0, name)

    def _expression(self, node: ast.expr, depth: int, target: str) -> Operand:
        """The operand that holds the value of an expression, after the steps that make it."""
        match node:
            case ast.Name(id=name):
                return self._name(name, node)
            case ast.Call() | ast.Tuple() if depth == MAX_NESTING:
                return self._mistake(f"nested deeper than {MAX_NESTING} levels", node)
            case ast.Call():
                return self._call(node, depth, target)
            case ast.Tuple(elts=elements):
                return self._tuple(elements, depth, target)
            case ast.Constant() | ast.UnaryOp():
                return self._literal(node)
            case _:
                return self._mistake(f"{what(node)} is not part of the language", node)

    def _literal(self, node: ast.expr) -> Operand:
        try:
            value = literal(node)
        except ValueError:
            return self._mistake(f"{what(node)} is not part of the language", node)
        except OverflowError as error:
            return self._mistake(str(error), node)
        return _literal(value)

    def _tuple(self, elements: list[ast.expr], depth: int, target: str) -> Operand:
        items = tuple([self._expression(element, depth + 1, "") for element in elements])
        if all(map(_is_written_out, elements, items)):
            return Literal(tuple([item.value for item in items if isinstance(item, Literal)]))
        return self._step(None, items, target)

    def _name(self, name: str, node: ast.AST) -> Operand:
        if name in self.slots:
            return self.slots[name]
        if name in self.assigned:
            return self._mistake(f"{name!r} is used before the line that assigns it", node)
        if name in self.scope.known:
            self.out.uses.add(name)
            return self.scope.known[name]
        if name in self.imported:
            return self._undefined(name, self.imported[name], node)
        if name in OPS:
            return _op_literal(name)
        if name in self.scope.own:
            return Literal(self.scope.own[name])
        if name in CONSTANTS:
            return _literal(CONSTANTS[name])
        if name in self.scope.unusable:
            return self._mistake(self.scope.unusable[name], node)
        if self.scope.words and (self.scope.is_complete or name not in self.scope.words_of_text):
            meaning = self.scope.words.meaning(name)
            if meaning is not None:
                self.out.words.add(name)
                return meaning
        return self._undefined(name, "", node)

    def _undefined(self, name: str, why: str, node: ast.AST) -> Operand:
        """A name without a meaning so far: a mistake, unless the text may yet define it."""
        if self.scope.is_complete:
            return self._mistake(why or f"{name!r} is not defined{suggestion(name)}", node)
        self.out.missing.add(name)
        return _MISTAKE

    def _call(self, node: ast.Call, depth: int, target: str) -> Operand:
        callee = self._expression(node.func, depth + 1, "")
        given = [self._expression(arg, depth + 1, "") for arg in node.args]
        named = [(keyword, self._expression(keyword.value, depth + 1, "")) for keyword in node.keywords]
        function = callee.value if isinstance(callee, Literal) else None
        if isinstance(function, Op | Helper):
            given = self._placed(node, function, given, named)
            made = self._without_rank(function, given, target)
            if made is not None:
                return made
        elif named and callee is not _MISTAKE:
            self._mistake("keyword arguments need a primitive or a definition as callee", named[0][0])
        return self._step(callee, tuple(given), target)

    def _without_rank(self, function: Op | Helper, given: list[Operand], target: str) -> Operand | None:
        """A call or a binding of a word with a last argument that is written out, where primitives do the same."""
        words, bound = self.scope.words, given[0]
        if words is None or not isinstance(given[-1], Literal):
            return None
        if function is not OPS["rbind"]:
            stages = words.stages(function, given[-1].value)
            args = tuple(given[:-1])
            for op, more in stages:
                args = (self._step(_op_literal(op.name), (*args, *more), target),)
            return args[0] if stages else None
        match words.stages(bound.value, given[-1].value) if isinstance(bound, Literal) else ():
            case [(op, ())]:
                return _op_literal(op.name)
            case [(inner, ()), (outer, ())]:
                return self._step(_op_literal("compose"), (_op_literal(outer.name), _op_literal(inner.name)), target)
        return None

    def _placed(
        self, node: ast.Call, function: Op | Helper, given: list[Operand], named: list[tuple[ast.keyword, Operand]]
    ) -> list[Operand]:
        """The arguments in the order of the parameters; keywords were evaluated where they stand."""
        name, params = function.name, function.params
        if not named and len(given) == len(params):
            return given
        placed = dict(zip(params, given, strict=False))
        mistakes = len(self.out.mistakes)
        for keyword, operand in named:
            if keyword.arg is None:
                self._mistake("a starred argument is not part of the language", keyword)
            elif keyword.arg not in params:
                self._mistake(f"{name} has no parameter {keyword.arg!r}; it takes ({', '.join(params)})", keyword)
            elif keyword.arg in placed:
                self._mistake(f"{name} is given {keyword.arg!r} twice", keyword)
            else:
                placed[keyword.arg] = operand
        if len(given) > len(params) or (len(placed) < len(params) and len(self.out.mistakes) == mistakes):
            expected = f"{len(params)} argument{'s' * (len(params) != 1)}"
            self._mistake(f"{name} takes {expected} ({', '.join(params)}), {len(given) + len(named)} given", node)
        return [placed.get(param, _MISTAKE) for param in params]

    def _step(self, callee: Operand | None, args: tuple[Operand, ...], target: str) -> Operand:
        slot = _slot(self.arity + len(self.steps))
        self.steps.append(Step(callee, args, target or f"_{len(self.steps) + 1}", self.line))
        return slot


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement assigns, wherever in it."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            yield name
            return
        case ast.Return() | ast.Import() | ast.ImportFrom():
            return
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.alias(name=name, asname=asname):
                yield asname or name.partition(".")[0]
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name


def _is_written_out(element: ast.expr, item: Operand) -> bool:
    """Whether an item of a tuple display is a literal no larger than its text.

    A tuple that is given by name is not: `x = (x, x)`, forty times, must not be spelled out before it is run.
    """
    return isinstance(item, Literal) and not (isinstance(element, ast.Name) and isinstance(item.value, tuple))


@lru_cache(maxsize=65536)
def _slot(index: int) -> Slot:
    return Slot(index)


@lru_cache(maxsize=4096, typed=True)
def _literal(value: Any) -> Literal:
    return Literal(value)


@cache
def _op_literal(name: str) -> Literal:
    return Literal(OPS[name])
