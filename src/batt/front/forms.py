"""Forms of everyday Python and the ops that they stand for. Owns which forms are read; what they mean the ops say."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NamedTuple

from batt.ir import Literal
from batt.ops import EVERY_OP

BUILTINS: Mapping[str, Literal] = {
    "tuple": Literal(EVERY_OP["totuple"]),
    "frozenset": Literal(EVERY_OP["frozenset"]),
}
"""Python's own functions that a deck may call or hand around."""

OPERATORS = "+ - * // % not == != < <= > >="
"""Those that are read, for a message about one that is not."""

MAX_UNPACKED = 64
"""Names that one unpacking may assign."""

_BINARY: Mapping[type[ast.operator], str] = {
    ast.Add: "py_add",
    ast.Sub: "py_sub",
    ast.Mult: "py_mul",
    ast.FloorDiv: "py_floordiv",
    ast.Mod: "py_mod",
}
_UNARY: Mapping[type[ast.unaryop], str] = {ast.USub: "py_neg", ast.Not: "flip"}


class Compared(NamedTuple):
    """The op of a comparison, whether its operands change sides, and whether its answer is turned round."""

    op: str
    is_swapped: bool = False
    is_negated: bool = False


_COMPARED: Mapping[type[ast.cmpop], Compared] = {
    ast.Eq: Compared("equality"),
    ast.NotEq: Compared("equality", is_negated=True),
    ast.Gt: Compared("greater"),
    ast.Lt: Compared("greater", is_swapped=True),
    ast.LtE: Compared("py_le"),
    ast.GtE: Compared("py_le", is_swapped=True),
}


def binary_op(node: ast.operator) -> str | None:
    """The op of an operator between two operands, None for one that is not read."""
    return _BINARY.get(type(node))


def unary_op(node: ast.unaryop) -> str | None:
    """The op of an operator before one operand, None for one that is not read."""
    return _UNARY.get(type(node))


def comparison(node: ast.cmpop) -> Compared | None:
    """How a comparison is read, None for one that is not."""
    return _COMPARED.get(type(node))


def with_display_as_tuple(node: ast.Call) -> list[ast.expr]:
    """The arguments of a call of `tuple` or `frozenset`, with nothing, a list or a set display read as a tuple."""
    match node:
        case ast.Call(args=[], keywords=[]):
            return [ast.copy_location(ast.Tuple(elts=[], ctx=ast.Load()), node)]
        case ast.Call(func=ast.Name(id=name), args=[ast.List(elts=items) | ast.Set(elts=items)], keywords=[]) if (
            name == "frozenset" or isinstance(node.args[0], ast.List)
        ):
            return [ast.copy_location(ast.Tuple(elts=items, ctx=ast.Load()), node.args[0])]
    return node.args


def free_names(node: ast.Lambda) -> list[str]:
    """The names that a lambda reads and does not bind itself, in the order in which they stand."""
    found: dict[str, None] = {}
    # Trees can nest too deeply to recur.
    stack: list[tuple[ast.AST, frozenset[str]]] = [(node, frozenset())]
    while stack:
        top, bound = stack.pop()
        match top:
            case ast.Name(id=name):
                if name not in bound:
                    found[name] = None
            case ast.Lambda(args=args, body=body):
                stack.append((body, bound | {each.arg for each in ast.walk(args) if isinstance(each, ast.arg)}))
            case _:
                stack.extend([(each, bound) for each in reversed(list(ast.iter_child_nodes(top)))])
    return list(found)
