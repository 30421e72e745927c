"""Lower one `def` to a program.

A solver is straight-line code: each line assigns the value of an expression to a name, or unpacks it into several, and
the last line returns one. All mistakes of a definition are found at once.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from batt.front.expressions import MAX_NESTING, MISTAKE, Expressions, Lowered, TooManyMistakes, literal
from batt.front.forms import BINARY, MAX_UNPACKED, assigned_names, imported_names, passed_over
from batt.front.scope import Scope
from batt.front.syntax import Piece
from batt.front.words import what
from batt.ir import Operand, Program

__all__ = ["Lowered", "literal", "lower"]

_VALUES = (ast.Call, ast.Name, ast.Tuple, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.Lambda)


def lower(definition: ast.FunctionDef, piece: Piece, scope: Scope) -> Lowered:
    """Lower a definition to its program, or find all its mistakes."""
    return _Lowering(definition, piece, scope).run()


class _Lowering(Expressions):
    """The state of lowering one definition."""

    def __init__(self, definition: ast.FunctionDef, piece: Piece, scope: Scope) -> None:
        super().__init__(piece, scope, Lowered())
        self.definition = definition
        self.result: Operand | None = None

    def run(self) -> Lowered:
        try:
            params = self._header()
            self._body()
        except TooManyMistakes:
            return self.out
        if self.result is not None and not self.out.mistakes and not self.out.missing:
            self.out.program = Program(params, len(params), tuple(self.steps), self.result)
        return self.out

    def _header(self) -> tuple[str, ...]:
        definition = self.definition
        if definition.decorator_list:
            self.mistake("a decorator is not part of the language", definition.decorator_list[0])
        if getattr(definition, "type_params", []):
            self.mistake("a type parameter is not part of the language", definition)
        return self.parameters(definition.args, definition)

    def _body(self) -> None:
        body = self.definition.body
        match body[0]:
            case ast.Expr(value=ast.Constant(value=str())):
                body = body[1:]  # a docstring
        # As in Python, a name that is assigned anywhere in a definition is local to all of it.
        bound = [list(_bound(statement)) for statement in body]
        self.to_assign = Counter([name for names in bound for name in names])
        for position, statement in enumerate(body):
            self._statement(statement, is_last=position == len(body) - 1)
            self.to_assign.subtract(bound[position])
        if not any(isinstance(statement, ast.Return) for statement in body):
            self.mistake("the definition does not return a value", self.definition)

    def _statement(self, statement: ast.stmt, is_last: bool) -> None:
        self.line = statement.lineno + self.piece.lines_before
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._assign(name, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._assign(name, value)
            case ast.Assign(targets=[ast.Tuple() | ast.List() as target], value=value):
                self._unpack(target, self.expression(value, 0, ""), 0)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=operator, value=value) if (
                type(operator) in BINARY
            ):
                read = ast.copy_location(ast.Name(id=name, ctx=ast.Load()), target)
                self._assign(name, ast.copy_location(ast.BinOp(left=read, op=operator, right=value), statement))
            case ast.Import() | ast.ImportFrom():
                self.out.imports += passed_over(statement)
                self.imported = {**self.imported, **imported_names(statement, self.scope.is_of_language)}
            case ast.Return(value=None):
                self.mistake("return needs a value", statement)
            case ast.Return(value=ast.expr() as value):
                self.result = self.expression(value, 0, "")
                if not is_last:
                    self.mistake("lines after return are never reached", statement)
            case ast.Expr(value=value) if isinstance(value, _VALUES):
                self.mistake("a line must name its value: `x = …`", statement)
            case ast.Expr(value=ast.Constant(value=int() | None)):
                self.mistake("a line must name its value: `x = …`", statement)
            case _:
                node = statement.value if isinstance(statement, ast.Expr) else statement
                self.mistake(f"{what(node)} is not part of the language", statement)
                # The names that the line would assign are not reported as undefined in addition.
                self.slots.update(dict.fromkeys(_bound(statement), MISTAKE))

    def _assign(self, name: str, value: ast.expr) -> None:
        self.slots[name] = self.expression(value, 0, name)

    def _unpack(self, target: ast.Tuple | ast.List, value: Operand, depth: int) -> None:
        """Assign the items of a value to names: a step for each, but none for an unread `_`."""
        places = target.elts
        if not places or len(places) > MAX_UNPACKED or depth == MAX_NESTING:
            self.mistake(f"a value is unpacked into 1 to {MAX_UNPACKED} names", target)
            return
        named = [place for place in places if not self._is_unread(place)] or places[:1]
        parts: dict[ast.expr, Operand] = {}
        for index, place in enumerate(places):
            match place:
                case ast.Name() | ast.Tuple() | ast.List():
                    if place in named:
                        name = place.id if isinstance(place, ast.Name) else ""
                        parts[place] = self.part(value, index, len(places), name)
                case _:
                    self.mistake(f"{what(place)} cannot take a part of a value; a name can", place)
        for place, part in parts.items():
            match place:
                case ast.Name(id=name):
                    self.slots[name] = part
                case ast.Tuple() | ast.List():
                    self._unpack(place, part, depth + 1)

    def _is_unread(self, place: ast.expr) -> bool:
        return isinstance(place, ast.Name) and place.id == "_" and not self._reads_underscore

    @cached_property
    def _reads_underscore(self) -> bool:
        """Tell whether the definition reads the name `_` anywhere."""
        return any(_reads_underscore(statement) for statement in self.definition.body)


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement assigns, anywhere in it."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            yield name
            return
        case ast.Return() | ast.Import() | ast.ImportFrom():
            return
    for node in ast.walk(statement):
        yield from assigned_names(node, ast.Store)


def _reads_underscore(statement: ast.stmt) -> bool:
    """Tell whether a statement reads the name `_`, or adds to it."""
    names = [node for node in ast.walk(statement) if isinstance(node, ast.Name) and node.id == "_"]
    return any(isinstance(name.ctx, ast.Load) or isinstance(statement, ast.AugAssign) for name in names)
