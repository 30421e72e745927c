"""Forms of everyday Python: the ops that they become, and imports, which are never executed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from types import UnionType
from typing import NamedTuple

from batt.ir import Literal
from batt.ops import EVERY_OP, NEW_WORDS, WORDS_LINE

BUILTINS: Mapping[str, Literal] = {
    "tuple": Literal(EVERY_OP["totuple"]),
    "frozenset": Literal(EVERY_OP["frozenset"]),
}
"""Python's own functions that a deck may call or pass on."""

OPERATORS = "+ - * // % not == != < <= > >="
"""The supported operators, for messages."""

LANGUAGE_MODULES = {"dsl", "constants", "arc_types", "typing", "__future__"}
"""Modules whose names a deck has without an import."""

WORDS_MODULE = "batt.words"
"""The module of the new words, which `WORDS_LINE` imports."""

MAX_UNPACKED = 64
"""The most names that one unpacking may assign."""

BINARY: Mapping[type[ast.operator], str] = {
    ast.Add: "py_add",
    ast.Sub: "py_sub",
    ast.Mult: "py_mul",
    ast.FloorDiv: "py_floordiv",
    ast.Mod: "py_mod",
}
UNARY: Mapping[type[ast.unaryop], str] = {ast.USub: "py_neg", ast.Not: "flip"}


class Comparison(NamedTuple):
    """The op of a comparison, whether its operands are swapped, and whether its result is negated."""

    op: str
    is_swapped: bool = False
    is_negated: bool = False


COMPARISONS: Mapping[type[ast.cmpop], Comparison] = {
    ast.Eq: Comparison("equality"),
    ast.NotEq: Comparison("equality", is_negated=True),
    ast.Gt: Comparison("greater"),
    ast.Lt: Comparison("greater", is_swapped=True),
    ast.LtE: Comparison("py_le"),
    ast.GtE: Comparison("py_le", is_swapped=True),
}


def with_display_as_tuple(node: ast.Call) -> list[ast.expr]:
    """Return the arguments of a call of `tuple` or `frozenset`. Nothing, a list or a set display becomes a tuple."""
    match node:
        case ast.Call(args=[], keywords=[]):
            return [ast.copy_location(ast.Tuple(elts=[], ctx=ast.Load()), node)]
        case ast.Call(func=ast.Name(id=name), args=[ast.List(elts=items) | ast.Set(elts=items)], keywords=[]) if (
            name == "frozenset" or isinstance(node.args[0], ast.List)
        ):
            return [ast.copy_location(ast.Tuple(elts=items, ctx=ast.Load()), node.args[0])]
    return node.args


def assigned_names(node: ast.AST, contexts: type[ast.expr_context] | UnionType) -> Iterator[str]:
    """Yield the names that a node itself, without its children, assigns in one of `contexts`."""
    match node:
        case ast.Name(id=name, ctx=context) if isinstance(context, contexts):
            yield name
        case ast.alias(name=name, asname=asname):
            yield asname or name.partition(".")[0]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name


def free_names(node: ast.Lambda) -> list[str]:
    """Return the names that a lambda reads and does not bind itself, in order."""
    found: dict[str, None] = {}
    # Trees can nest too deeply to recurse.
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


def passed_over(statement: ast.Import | ast.ImportFrom) -> list[str]:
    """Return the modules that an import names, without those of the language."""
    if isinstance(statement, ast.Import):
        names = [alias.name for alias in statement.names]
    else:
        names = ["." * statement.level + (statement.module or "")]
    known = [WORDS_MODULE, *[name for name in names if name.rpartition(".")[2] in LANGUAGE_MODULES]]
    return [name for name in names if name not in known]


def switches_words_on(statement: ast.stmt) -> bool:
    """Tell whether a statement is the line that switches the new words on."""
    return isinstance(statement, ast.ImportFrom) and ast.unparse(statement) == WORDS_LINE


def unknown_word(name: str) -> str:
    """Return why a name is not defined if it is a new word that no line switches on; else an empty text."""
    return f"{name!r} is not defined; it is a new word: add the line `{WORDS_LINE}`" if name in NEW_WORDS else ""


def imported_names(statement: ast.Import | ast.ImportFrom, is_of_language: Callable[[str], bool]) -> Mapping[str, str]:
    """Return the names that an import would bind to something batt does not know, each with why it cannot be used.

    A name of the language that is imported under its own name keeps its meaning.
    """
    found: list[str] = []
    for alias in statement.names:
        if isinstance(statement, ast.Import):
            found.append(alias.asname or alias.name.partition(".")[0])
        elif alias.name != "*" and not (alias.asname in (None, alias.name) and is_of_language(alias.name)):
            found.append(alias.asname or alias.name)
    why = "it is imported, and imports are never executed"
    return {name: unknown_word(name) or f"{name!r} is not defined: {why}" for name in found}
