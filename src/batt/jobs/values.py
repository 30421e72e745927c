"""Values that cross between Python and an engine. Owns what a caller may hand in, and how outputs are read back.

An output is JSON, the same text from every engine. What it holds becomes a value of the language again: tuples,
ordered sets, functions.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from batt.errors import InternalError, UsageError
from batt.ops import EVERY_OP, OPS
from batt.runtime import ERROR_KINDS, Status
from batt.types import Function, OrderedSet

TOO_LARGE = "too_large"
"""The kind of a value that is there, but too large or too deep to be handed over."""

_INTS = {int, bool}


@dataclass(frozen=True, slots=True)
class Failed:
    """What stands in place of a value where there is none: the kind of error, and the op where it is known.

    The kind is that of the error (`IndexError`), or `over_budget`, `timed_out` or `too_large`. It equals no value.
    """

    kind: str
    op: str = ""

    def __repr__(self) -> str:
        return f"<Failed {self.kind}{f' in {self.op}' if self.op else ''}>"


def failure(status: Status, error: int) -> Failed:
    """What stands for an evaluation without a value, by its status and the number of its error."""
    return Failed(ERROR_KINDS[error] if status is Status.RAISED else status.word)


def as_value(given: Any) -> Any:
    """A value of the language: lists and arrays become tuples, sets ordered ones; UsageError for all else."""
    try:
        return _as_value(given)
    except RecursionError:
        raise UsageError("a value nested too deeply, or one that holds itself") from None


def _as_value(given: Any) -> Any:
    if _is_rectangle(given) or given is None or isinstance(given, Function) or type(given) in _INTS:
        return given
    if isinstance(given, np.ndarray | np.generic):
        return _as_value(given.tolist())
    if isinstance(given, tuple | list):
        return tuple([_as_value(item) for item in given])
    if isinstance(given, set | frozenset):
        return OrderedSet([_as_value(item) for item in given])
    if isinstance(given, int):
        return int(given)
    shown = repr(given)
    shown = shown if len(shown) <= 60 else f"{shown[:59]}…"
    raise UsageError(
        f"not a value of the language: {shown} ({type(given).__name__}); "
        "it has ints, None, tuples, sets and the functions of batt.dsl"
    )


def read_output(text: str, helpers: Mapping[str, Function] | None = None) -> Any:
    """The value of an output, with the functions of these names in it; Failed where the text does not hold all of it.

    >>> read_output('[[1,2],[3,4]]')
    ((1, 2), (3, 4))
    """
    return _read(json.loads(text), helpers or {})


def _read(part: Any, helpers: Mapping[str, Function]) -> Any:
    try:
        return _value(part, helpers)
    except _Cut:
        return Failed(TOO_LARGE)


class _Cut(Exception):
    """The text does not hold the whole value."""


def _value(part: Any, helpers: Mapping[str, Function]) -> Any:
    match part:
        case list():
            rows = tuple([tuple(row) if type(row) is list else row for row in part])
            return rows if _is_rectangle(rows) else tuple([_value(item, helpers) for item in part])
        case {"set": list(items)}:
            return OrderedSet.from_ascending([_value(item, helpers) for item in items])
        case {"int": str(digits)}:
            return int(digits, 0)
        case {"function": str(form)}:
            return _function(form, helpers)
        case dict():
            raise _Cut
        case _:
            return part


def _is_rectangle(value: Any) -> bool:
    """Whether it is a tuple of tuples of ints, as nearly all values that cross are."""
    return (
        type(value) is tuple
        and set(map(type, value)) == {tuple}
        and set(map(type, chain.from_iterable(value))) <= _INTS
    )


def _function(form: str, helpers: Mapping[str, Function]) -> Any:
    """The function of a printed form."""
    if form.endswith("…"):
        raise _Cut
    try:
        return _part(ast.parse(form, mode="eval").body, helpers)
    except (SyntaxError, RecursionError, MemoryError):
        # Python reads parentheses within one another only so deep.
        raise _Cut from None


def _part(node: ast.expr, helpers: Mapping[str, Function]) -> Any:
    match node:
        case ast.Constant(value):
            return value
        case ast.UnaryOp(ast.USub(), operand):
            return -_part(operand, helpers)
        case ast.Tuple(items):
            return tuple([_part(item, helpers) for item in items])
        case ast.Set(items):
            return OrderedSet([_part(item, helpers) for item in items])
        case ast.Dict([], []):
            return OrderedSet()
        case ast.Name(name):
            found = helpers.get(name) or EVERY_OP.get(name)
            if found is None:
                raise _Cut
            return found
        case ast.Call(ast.Name(name), args, []):
            return OPS[name].body(*[_part(arg, helpers) for arg in args])
    raise InternalError(f"no part of a printed function: {ast.dump(node)}")
