"""Read the examples that ops carry: Python's expressions, except that braces always make an ordered set."""

from __future__ import annotations

import ast
import builtins
from typing import Any

from batt import dsl, words
from batt.ops import RAISABLE
from batt.types import OrderedSet


def evaluate(text: str) -> Any:
    """The value of a text in the language's printed form."""
    return _evaluate(ast.parse(text, mode="eval").body)


def outcome(text: str) -> Any:
    """The value of a call, or the class of the error that it raises."""
    try:
        return evaluate(text)
    except RAISABLE as raised:
        return type(raised)


def _evaluate(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value):
            return value
        case ast.UnaryOp(ast.USub(), operand):
            return -_evaluate(operand)
        case ast.Tuple(items):
            return tuple([_evaluate(item) for item in items])
        case ast.Set(items):
            return OrderedSet([_evaluate(item) for item in items])
        case ast.Dict([], []):
            return OrderedSet()
        case ast.Name(name) if name in words.__all__:
            return getattr(words, name)
        case ast.Name(name) if name in dsl.__all__:
            return getattr(dsl, name)
        case ast.Name(name):
            return getattr(builtins, name)
        case ast.Call(callee, args, []):
            return _evaluate(callee)(*[_evaluate(arg) for arg in args])
        case _:
            raise SyntaxError(f"no part of an example: {ast.unparse(node)}")
