"""Lower one expression to steps.

An expression is a name, an integer, a tuple display, a call, or a form of everyday Python: a lambda, an operator, a
comparison, a subscript.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from batt.errors import SourceError
from batt.front.forms import (
    BINARY,
    BUILTINS,
    COMPARISONS,
    OPERATORS,
    UNARY,
    free_names,
    unknown_word,
    with_display_as_tuple,
)
from batt.front.naming import lambda_of
from batt.front.scope import Scope
from batt.front.syntax import INT_BITS, TOO_WIDE, Piece
from batt.front.words import suggestion, what
from batt.ir import Helper, Literal, Operand, Program, Slot, Step
from batt.ops import CONSTANTS, EVERY_OP, OPS, Op

MAX_NESTING = 100
MAX_PARAMS = 16
MAX_BOUND = 4
"""The most arguments of a function that can be bound one after the other."""
MAX_MISTAKES = 100


@dataclass(slots=True)
class Lowered:
    """A definition's program; or its mistakes; or the names that it still needs in an incomplete scope."""

    program: Program | None = None
    mistakes: list[SourceError] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    imports: list[str] = field(default_factory=list)
    lambdas: dict[str, Helper] = field(default_factory=dict)


def literal(node: ast.expr) -> Any:
    """Return the value of an integer, a bool, None or a tuple of such.

    Raise OverflowError for an integer that is too large, ValueError for anything else.
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


MISTAKE = Literal(None)
"""Replaces the value of a wrong expression, so that the search for other mistakes can go on."""


class TooManyMistakes(Exception):
    """Stops the reading of a definition."""


class Expressions:
    """The state of lowering one definition or lambda: named slots, steps, mistakes.

    `to_assign` counts how often the current statement and those after it assign each local name.
    """

    def __init__(self, piece: Piece, scope: Scope, out: Lowered) -> None:
        self.piece = piece
        self.scope = scope
        self.out = out
        self.steps: list[Step] = []
        self.slots: dict[str, Operand] = {}
        self.to_assign: Counter[str] = Counter()
        self.imported = scope.imported
        self.arity = 0
        self.line = 0

    def mistake(self, message: str, node: ast.AST) -> Operand:
        """Note a mistake. Return an operand that replaces the missing value."""
        if len(self.out.mistakes) == MAX_MISTAKES:
            message = f"more than {MAX_MISTAKES} mistakes in one definition; the rest of it is not read"
            self.out.mistakes.append(self.piece.mistake_at(message, node))
            raise TooManyMistakes
        self.out.mistakes.append(self.piece.mistake_at(message, node))
        return MISTAKE

    def parameters(self, spec: ast.arguments, owner: ast.AST, captured: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Assign slots to the names that a lambda captures, then to the parameters. Return all names."""
        if spec.vararg or spec.kwarg or spec.kwonlyargs or spec.posonlyargs or spec.defaults:
            self.mistake("parameters must be plain names without defaults or stars", owner)
        params = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *filter(None, (spec.vararg, spec.kwarg))]
        if not params:
            owned = "a lambda" if isinstance(owner, ast.Lambda) else "a definition"
            self.mistake(f"{owned} needs at least one parameter", owner)
        if len(params) > MAX_PARAMS:
            self.mistake(f"{len(params)} parameters; the limit is {MAX_PARAMS}", owner)
        seen: set[str] = set()
        for param in params:
            if param.arg in seen:
                self.mistake(f"a second parameter {param.arg!r}", param)
            seen.add(param.arg)
        names = (*captured, *[param.arg for param in params])
        self.slots.update({name: _slot(index) for index, name in enumerate(names)})
        self.arity = len(names)
        return names

    def expression(self, node: ast.expr, depth: int, target: str) -> Operand:
        """Add the steps of an expression. Return the operand that holds its value."""
        match node:
            case ast.Name(id=name):
                return self._name(name, node)
            case ast.Constant() | ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
                return self._literal(node)
            case _ if depth == MAX_NESTING:
                return self.mistake(f"nested deeper than {MAX_NESTING} levels", node)
            case ast.Call():
                return self._call(node, depth, target)
            case ast.Tuple(elts=elements):
                return self._tuple(elements, depth, target)
            case ast.Lambda():
                return self._lambda(node, depth, target)
            case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.Subscript():
                return self._operator(node, depth, target)
            case _:
                return self.mistake(f"{what(node)} is not part of the language", node)

    def _operator(
        self, node: ast.BinOp | ast.UnaryOp | ast.Compare | ast.Subscript, depth: int, target: str
    ) -> Operand:
        """Lower an operator, a comparison or a subscript to the call of an op, after its operands in order."""
        match node:
            case ast.BinOp(left=left, op=operator, right=right) if name := BINARY.get(type(operator)):
                operands: list[ast.expr] = [left, right]
            case ast.UnaryOp(op=sign, operand=operand) if name := UNARY.get(type(sign)):
                operands = [operand]
            case ast.Subscript(value=value, slice=index) if not isinstance(index, ast.Slice):
                name, operands = "py_item", [value, index]
            case ast.Compare(left=left, ops=[compared], comparators=[right]) if found := COMPARISONS.get(
                type(compared)
            ):
                args = self._all([left, right], depth)
                made = self.call(found.op, args[::-1] if found.is_swapped else args, "" if found.is_negated else target)
                return self.call("flip", (made,), target) if found.is_negated else made
            case ast.Subscript(slice=index):
                return self.mistake(f"{what(index)} is not part of the language", index)
            case ast.Compare(ops=[_, _, *_]):
                return self.mistake("a chained comparison is not part of the language", node)
            case _:
                return self.mistake(f"only these operators are part of the language: {OPERATORS}", node)
        return self.call(name, self._all(operands, depth), target)

    def _all(self, nodes: list[ast.expr], depth: int) -> tuple[Operand, ...]:
        return tuple([self.expression(node, depth + 1, "") for node in nodes])

    def call(self, name: str, args: tuple[Operand, ...], target: str) -> Operand:
        """Add a step that calls the op `name`."""
        return self.step(_op_literal(name), args, target)

    def part(self, value: Operand, index: int, count: int, target: str) -> Operand:
        """Add a step that takes item `index` of a value with `count` items."""
        return self.call("py_part", (value, _literal(index), _literal(count)), target)

    def _lambda(self, node: ast.Lambda, depth: int, target: str) -> Operand:
        """Lower a lambda to a helper without a name. Names that it captures become its first arguments, bound here.

        Python reads such names when the lambda is called, so none of them may be assigned again.
        """
        found = len(self.out.mistakes), len(self.out.missing)
        inner = Expressions(self.piece, self.scope, self.out)
        inner.line, inner.imported = self.line, self.imported
        captured: dict[str, Operand] = {}
        for name in free_names(node):
            if self.to_assign[name] > 0:
                inner.slots[name] = self.mistake(f"{name!r} is assigned after the lambda that reads it", node)
            elif isinstance(self.slots.get(name), Slot):
                captured[name] = self.slots[name]
            elif name in self.slots:
                inner.slots[name] = self.slots[name]
        params = inner.parameters(node.args, node, tuple(captured))
        if captured and len(params) > MAX_BOUND:
            self.mistake(f"parameters and names of its definition that a lambda reads are at most {MAX_BOUND}", node)
        result = inner.expression(node.body, depth + 1, "")
        if (len(self.out.mistakes), len(self.out.missing)) != found:
            return MISTAKE
        helper = lambda_of(Program(params, len(params), tuple(inner.steps), result))
        self.out.lambdas[helper.name] = helper
        made: Operand = Literal(helper)
        for number, operand in enumerate(captured.values(), 1):
            made = self.call("lbind", (made, operand), target if number == len(captured) else "")
        return made

    def _literal(self, node: ast.expr) -> Operand:
        try:
            value = literal(node)
        except ValueError:
            return self.mistake(f"{what(node)} is not part of the language", node)
        except OverflowError as error:
            return self.mistake(str(error), node)
        return _literal(value)

    def _tuple(self, elements: list[ast.expr], depth: int, target: str) -> Operand:
        items = tuple([self.expression(element, depth + 1, "") for element in elements])
        if all(map(_is_written_out, elements, items)):
            return Literal(tuple([item.value for item in items if isinstance(item, Literal)]))
        return self.step(None, items, target)

    def _name(self, name: str, node: ast.AST) -> Operand:
        if name in self.slots:
            return self.slots[name]
        if name in self.to_assign:
            return self.mistake(f"{name!r} is used before the line that assigns it", node)
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
            return self.mistake(self.scope.unusable[name], node)
        if self.scope.words and (self.scope.is_complete or name not in self.scope.words_of_text):
            meaning = self.scope.words.meaning(name)
            if meaning is not None:
                self.out.words.add(name)
                return meaning
        if self.scope.is_complete or name not in self.scope.words_of_text:
            if name in self.scope.new_words:
                return _op_literal(name)
            if name in BUILTINS:
                return BUILTINS[name]
        return self._undefined(name, unknown_word(name), node)

    def _undefined(self, name: str, why: str, node: ast.AST) -> Operand:
        """Return the operand for a name without a meaning: a mistake, unless the text may still define it."""
        if self.scope.is_complete:
            return self.mistake(why or f"{name!r} is not defined{suggestion(name)}", node)
        self.out.missing.add(name)
        return MISTAKE

    def _call(self, node: ast.Call, depth: int, target: str) -> Operand:
        callee = self.expression(node.func, depth + 1, "")
        is_builtin = isinstance(node.func, ast.Name) and callee is BUILTINS.get(node.func.id)
        args = with_display_as_tuple(node) if is_builtin else node.args
        given = [self.expression(arg, depth + 1, "") for arg in args]
        named = [(keyword, self.expression(keyword.value, depth + 1, "")) for keyword in node.keywords]
        function = callee.value if isinstance(callee, Literal) else None
        if isinstance(function, Op | Helper):
            given = self._placed(node, function, given, named)
            made = self._without_rank(function, given, target)
            if made is not None:
                return made
        elif named and callee is not MISTAKE:
            self.mistake("keyword arguments need a primitive or a definition as callee", named[0][0])
        return self.step(callee, tuple(given), target)

    def _without_rank(self, function: Op | Helper, given: list[Operand], target: str) -> Operand | None:
        """Replace a word with a literal last argument by primitives, in a call or a binding; None if impossible."""
        words, bound = self.scope.words, given[0]
        if words is None or not isinstance(given[-1], Literal):
            return None
        if function is not OPS["rbind"]:
            stages = words.stages(function, given[-1].value)
            args = tuple(given[:-1])
            for op, more in stages:
                args = (self.step(_op_literal(op.name), (*args, *more), target),)
            return args[0] if stages else None
        match words.stages(bound.value, given[-1].value) if isinstance(bound, Literal) else ():
            case [(op, ())]:
                return _op_literal(op.name)
            case [(inner, ()), (outer, ())]:
                return self.step(_op_literal("compose"), (_op_literal(outer.name), _op_literal(inner.name)), target)
        return None

    def _placed(
        self, node: ast.Call, function: Op | Helper, given: list[Operand], named: list[tuple[ast.keyword, Operand]]
    ) -> list[Operand]:
        """Return the arguments in the order of the parameters. Keywords were evaluated in the order of the source."""
        name, params = "the lambda" if function.name in self.out.lambdas else function.name, function.params
        if not named and len(given) == len(params):
            return given
        placed = dict(zip(params, given, strict=False))
        mistakes = len(self.out.mistakes)
        for keyword, operand in named:
            if keyword.arg is None:
                self.mistake("a starred argument is not part of the language", keyword)
            elif keyword.arg not in params:
                self.mistake(f"{name} has no parameter {keyword.arg!r}; it takes ({', '.join(params)})", keyword)
            elif keyword.arg in placed:
                self.mistake(f"{name} is given {keyword.arg!r} twice", keyword)
            else:
                placed[keyword.arg] = operand
        if len(given) > len(params) or (len(placed) < len(params) and len(self.out.mistakes) == mistakes):
            expected = f"{len(params)} argument{'s' * (len(params) != 1)}"
            self.mistake(f"{name} takes {expected} ({', '.join(params)}), {len(given) + len(named)} given", node)
        return [placed.get(param, MISTAKE) for param in params]

    def step(self, callee: Operand | None, args: tuple[Operand, ...], target: str) -> Operand:
        """Add a step: a call, or a tuple if there is no callee."""
        slot = _slot(self.arity + len(self.steps))
        self.steps.append(Step(callee, args, target or f"_{len(self.steps) + 1}", self.line))
        return slot


def _is_written_out(element: ast.expr, item: Operand) -> bool:
    """Tell whether an item of a tuple display is a literal no larger than its text.

    A tuple given by name is not: `x = (x, x)`, forty times, must not be expanded before it is run.
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
    return Literal(EVERY_OP[name])
