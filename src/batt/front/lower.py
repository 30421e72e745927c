"""One `def` to a program. Owns the grammar of the language: what a line may be and what a name means.

A solver is straight-line code: each line names the value of an expression, the last returns one. An expression is a
name, an integer, a tuple display or a call. All mistakes of a definition are found at once.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Any

from batt.errors import SourceError
from batt.front.syntax import Piece
from batt.ir import Helper, Literal, Operand, Program, Slot, Step
from batt.ops import CONSTANTS, OPS, Op

MAX_NESTING = 100
MAX_PARAMS = 16
INT_BITS = 63

_WORDS: dict[type[ast.AST], str] = {
    ast.For: "a loop",
    ast.While: "a loop",
    ast.AsyncFor: "a loop",
    ast.If: "an if statement",
    ast.IfExp: "a conditional expression",
    ast.With: "a with statement",
    ast.Try: "a try statement",
    ast.Raise: "raise",
    ast.Assert: "an assertion",
    ast.Delete: "del",
    ast.Pass: "pass",
    ast.Global: "global",
    ast.Nonlocal: "nonlocal",
    ast.Import: "an import",
    ast.ImportFrom: "an import",
    ast.FunctionDef: "a definition inside a definition",
    ast.AsyncFunctionDef: "an async definition",
    ast.ClassDef: "a class",
    ast.AugAssign: "an augmented assignment",
    ast.Attribute: "an attribute",
    ast.Subscript: "a subscript",
    ast.Lambda: "a lambda",
    ast.BinOp: "an operator",
    ast.BoolOp: "an operator",
    ast.UnaryOp: "an operator",
    ast.Compare: "a comparison",
    ast.NamedExpr: "an assignment inside an expression",
    ast.ListComp: "a comprehension",
    ast.SetComp: "a comprehension",
    ast.DictComp: "a comprehension",
    ast.GeneratorExp: "a comprehension",
    ast.List: "a list",
    ast.Set: "a set display",
    ast.Dict: "a dictionary",
    ast.JoinedStr: "a string",
    ast.Await: "await",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.Starred: "a starred argument",
}


@dataclass(frozen=True, slots=True)
class Scope:
    """What a name may mean besides a primitive, a constant or a line's own name."""

    helpers: Mapping[str, Helper]
    constants: Mapping[str, Any]


@dataclass(slots=True)
class Lowered:
    """A definition's program, or its mistakes.

    `missing` are names that may yet be defined further down the file, `uses` the file's own names that it found.
    """

    program: Program | None = None
    mistakes: list[SourceError] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)


def lower(definition: ast.FunctionDef, piece: Piece, scope: Scope) -> Lowered:
    """The program of a definition, or all that is wrong with it."""
    return _Lowering(definition, piece, scope).run()


def literal(node: ast.expr) -> Any:
    """The value of an integer, a bool, None or a tuple of such; raises ValueError for anything else."""
    if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, int)):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        operand = node.operand
        if isinstance(operand, ast.Constant) and isinstance(operand.value, int):
            return -operand.value
    if isinstance(node, ast.Tuple):
        return tuple([literal(item) for item in node.elts])
    raise ValueError("not a literal")


def what(node: ast.AST) -> str:
    """A syntax node in plain words."""
    if isinstance(node, ast.Constant):
        return "a string" if isinstance(node.value, str | bytes) else f"a {type(node.value).__name__}"
    return _WORDS.get(type(node), f"this ({type(node).__name__})")


class _Lowering:
    """The state of lowering one definition: slots named so far, steps made, mistakes found."""

    def __init__(self, definition: ast.FunctionDef, piece: Piece, scope: Scope) -> None:
        self.definition = definition
        self.piece = piece
        self.scope = scope
        self.steps: list[Step] = []
        self.slots: dict[str, Operand] = {}
        self.result: Operand | None = None
        self.out = Lowered()
        self.line = 0

    def run(self) -> Lowered:
        params = self._parameters()
        body = self.definition.body
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]  # a docstring
        # As in Python, a name that is assigned anywhere in a definition is local to all of it.
        self.assigned = {node.id for statement in body for node in _targets(statement)}
        for position, statement in enumerate(body):
            self._statement(statement, is_last=position == len(body) - 1)
        if not any(isinstance(statement, ast.Return) for statement in body):
            self._mistake("the definition does not return a value", self.definition)
        if not self.out.mistakes and self.result is not None:
            self.out.program = Program(params, len(params), tuple(self.steps), self.result)
        return self.out

    def _mistake(self, message: str, node: ast.AST) -> Operand:
        """Note a mistake; a stand-in operand lets the search for others go on."""
        self.out.mistakes.append(self.piece.mistake_at(message, node))
        return Literal(None)

    def _parameters(self) -> tuple[str, ...]:
        spec = self.definition.args
        if self.definition.decorator_list:
            self._mistake("a decorator is not part of the language", self.definition.decorator_list[0])
        if spec.vararg or spec.kwarg or spec.kwonlyargs or spec.posonlyargs or spec.defaults:
            self._mistake("parameters must be plain names without defaults or stars", self.definition)
        names = tuple([arg.arg for arg in spec.args])
        if not names:
            self._mistake("a definition needs at least one parameter", self.definition)
        if len(names) > MAX_PARAMS:
            self._mistake(f"{len(names)} parameters; the limit is {MAX_PARAMS}", self.definition)
        self.slots = {name: _slot(index) for index, name in enumerate(names)}
        return names

    def _statement(self, statement: ast.stmt, is_last: bool) -> None:
        self.line = statement.lineno + self.piece.lines_before
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._assign(name, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                self._assign(name, value)
            case ast.Return(value=value):
                if value is None:
                    self._mistake("return needs a value", statement)
                elif not is_last:
                    self._mistake("lines after return are never reached", statement)
                else:
                    self.result = self._expression(value, 0, "")
            case ast.Assign():
                self._mistake("a line assigns to exactly one name", statement)
            case ast.Expr(value=value) if isinstance(value, ast.Call):
                self._mistake("a line must name its value: `x = …`", statement)
            case ast.Expr(value=value):
                self._mistake(f"{what(value)} is not part of the language", statement)
            case _:
                self._mistake(f"{what(statement)} is not part of the language", statement)

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
        if isinstance(value, int) and value.bit_length() > INT_BITS:
            return self._mistake(f"the integer does not fit in {INT_BITS + 1} bits", node)
        return _literal(value)

    def _tuple(self, elements: list[ast.expr], depth: int, target: str) -> Operand:
        items = tuple([self._expression(element, depth + 1, "") for element in elements])
        if all(isinstance(item, Literal) for item in items):
            return Literal(tuple([item.value for item in items if isinstance(item, Literal)]))
        return self._step(None, items, target)

    def _name(self, name: str, node: ast.AST) -> Operand:
        if name in self.slots:
            return self.slots[name]
        if name in self.assigned:
            return self._mistake(f"{name!r} is used before the line that assigns it", node)
        if name in self.scope.helpers:
            self.out.uses.add(name)
            return Literal(self.scope.helpers[name])
        if name in self.scope.constants:
            self.out.uses.add(name)
            return _literal(self.scope.constants[name])
        if name in OPS:
            return _op_literal(name)
        if name in CONSTANTS:
            return _literal(CONSTANTS[name])
        self.out.missing.add(name)
        return self._mistake(f"{name!r} is not defined{_suggestion(name)}", node)

    def _call(self, node: ast.Call, depth: int, target: str) -> Operand:
        callee = self._expression(node.func, depth + 1, "")
        given = [self._argument(arg, depth) for arg in node.args]
        named = {keyword.arg: self._argument(keyword.value, depth) for keyword in node.keywords}
        function = callee.value if isinstance(callee, Literal) else None
        if isinstance(function, Op | Helper):
            params = function.params if isinstance(function, Op) else function.program.params
            return self._step(callee, self._placed(node, function.name, params, given, named), target)
        if named:
            self._mistake("keyword arguments need a primitive or a definition as callee", node)
        return self._step(callee, tuple(given), target)

    def _argument(self, node: ast.expr, depth: int) -> Operand:
        return self._expression(node, depth + 1, "")

    def _placed(
        self, node: ast.Call, name: str, params: tuple[str, ...], given: list[Operand], named: dict[str | None, Operand]
    ) -> tuple[Operand, ...]:
        """The arguments in the order of the parameters; keywords were evaluated where they stand."""
        placed: dict[str, Operand] = dict(zip(params, given, strict=False))
        for keyword, operand in named.items():
            if keyword is None or keyword not in params:
                self._mistake(f"{name} has no parameter {keyword!r}; it takes ({', '.join(params)})", node)
            elif keyword in placed:
                self._mistake(f"{name} is given {keyword!r} twice", node)
            else:
                placed[keyword] = operand
        if len(given) > len(params) or (len(placed) < len(params) and not self._has_mistake_at(node)):
            expected = f"{len(params)} argument{'s' * (len(params) != 1)}"
            self._mistake(f"{name} takes {expected} ({', '.join(params)}), {len(given) + len(named)} given", node)
        return tuple([placed.get(param, Literal(None)) for param in params])

    def _has_mistake_at(self, node: ast.AST) -> bool:
        place = self.piece.mistake_at("", node).place
        return any(mistake.place == place for mistake in self.out.mistakes)

    def _step(self, callee: Operand | None, args: tuple[Operand, ...], target: str) -> Operand:
        slot = _slot(len(self.definition.args.args) + len(self.steps))
        self.steps.append(Step(callee, args, target or f"_{len(self.steps) + 1}", self.line))
        return slot


def _targets(statement: ast.stmt) -> list[ast.Name]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return [target for target in targets if isinstance(target, ast.Name)]


@lru_cache(maxsize=4096)
def _suggestion(name: str) -> str:
    close = get_close_matches(name, [*OPS, *CONSTANTS], n=1, cutoff=0.75)
    return f"; did you mean {close[0]!r}?" if close else ""


@lru_cache(maxsize=65536)
def _slot(index: int) -> Slot:
    return Slot(index)


@lru_cache(maxsize=4096, typed=True)
def _literal(value: Any) -> Literal:
    return Literal(value)


@cache
def _op_literal(name: str) -> Literal:
    return Literal(OPS[name])
