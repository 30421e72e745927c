"""Values written in full: how large a value is, and how exports write it, the same for every engine."""

from __future__ import annotations

from itertools import chain
from typing import Any

from batt.types.functions import Function, form, integer_form
from batt.types.sets import ordered, unordered

MAX_NODES = 200_000
"""The most ints, tuples and sets in a value that is written in full; a value can repeat its parts many times."""


MAX_DEPTH = 200
"""The deepest nesting of tuples and sets in a value that is written in full."""


class Printed(str):
    """The printed form of a value that is too large, too deep, or made of functions, so it is not sent in full."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def weight(value: Any, limit: int = MAX_NODES) -> int:
    """Count the ints, tuples, sets and functions in `value`, up to just beyond `limit`.

    A value can hold the same part many times (`x = astuple(x, x)`, forty times), so its weight can be far larger than
    the memory it uses.
    """
    if type(value) is tuple and set(map(type, value)) == {tuple}:
        parts = 1 + len(value) + sum(map(len, value))
        rows = {id(row): row for row in value}.values()  # a scaled grid holds each row many times
        if parts > limit or set(map(type, chain.from_iterable(rows))) <= {int, bool}:
            return parts
    count = 0
    stack = [value]
    while stack and count <= limit:
        top = stack.pop()
        count += 1
        if isinstance(top, tuple | frozenset):
            if len(top) > limit:
                return limit + 1
            stack.extend(unordered(top))
    return count


def is_deep(value: Any) -> bool:
    """Tell whether tuples and sets are nested more than `MAX_DEPTH` deep. A repeated part is visited once."""
    level = [value]
    for _ in range(MAX_DEPTH):
        inner = {id(part): part for outer in level if isinstance(outer, tuple | frozenset) for part in unordered(outer)}
        if not inner:
            return False
        level = list(inner.values())
    return any(isinstance(outer, tuple | frozenset) for outer in level)


def as_json(value: Any) -> Any:
    """Convert a tuple to a list, a set to {"set": […]}, a function to {"function": form}, a bool to an int."""
    if weight(value) > MAX_NODES:
        return {"larger than": MAX_NODES}
    if is_deep(value):
        return {"deeper than": MAX_DEPTH}
    return _as_json(value)


def _as_json(value: Any) -> Any:
    if isinstance(value, int):
        return int(value) if value.bit_length() <= 64 else {"int": integer_form(value)}
    if isinstance(value, tuple):
        return [_as_json(item) for item in value]
    if isinstance(value, frozenset):
        return {"set": [_as_json(item) for item in ordered(value)]}
    return {"function": form(value)} if isinstance(value, Function) else None
