"""Describe values and kinds in plain words: `a grid`, `an empty set`, `a tuple of 3 ints`; check kinds of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from batt.types import Function, Kind, unordered

KIND_WORDS = {
    Kind.ANY: "any value",
    Kind.BOOL: "a bool",
    Kind.INT: "an int",
    Kind.PAIR: "a pair",
    Kind.NUM: "an int or a pair",
    Kind.GRID: "a grid",
    Kind.CELL: "a cell",
    Kind.OBJECT: "an object",
    Kind.OBJECTS: "a set of objects",
    Kind.INDICES: "a set of places",
    Kind.PATCH: "a patch",
    Kind.PIECE: "a grid or a patch",
    Kind.ELEMENT: "a grid or an object",
    Kind.TUPLE: "a tuple",
    Kind.SET: "a set",
    Kind.CONTAINER: "a tuple or a set",
    Kind.FN: "a function",
}
"""Each kind in words."""


def describe_value(value: Any) -> str:
    """Say what `value` is: `an int`, `a grid`, `a set of 3 objects`."""
    if isinstance(value, int):
        return "an int"
    if value is None:
        return "None"
    if isinstance(value, Function):
        return "a function"
    if not isinstance(value, tuple | frozenset):
        return f"an object of type {type(value).__name__}"
    base = "tuple" if isinstance(value, tuple) else "set"
    if not value:
        return f"an empty {base}"
    for kind in (Kind.PAIR, Kind.GRID, Kind.CELL, Kind.INDICES, Kind.OBJECT):
        if is_of_kind(value, kind):
            return KIND_WORDS[kind]
    if isinstance(value, tuple) and all(isinstance(row, tuple) for row in value) and _is_ragged(value):
        return "a tuple of rows of different lengths"
    return f"a {base} of {_counted(value)}"


def is_of_kind(value: Any, kind: Kind) -> bool:
    """Tell whether `value` is of `kind`. An empty tuple is a grid, and an empty set is a set of any items."""
    return _TESTS[kind](value)


def _is_int(value: Any) -> bool:
    return isinstance(value, int)


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and _is_int(value[0]) and _is_int(value[1])


def _is_cell(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and _is_leaf(value[0]) and _is_pair(value[1])


def _is_leaf(value: Any) -> bool:
    return isinstance(value, int) or value is None


def _is_grid(value: Any) -> bool:
    if not isinstance(value, tuple) or not all(isinstance(row, tuple) for row in value):
        return False
    # A row may occur many times, so walking each occurrence could take forever.
    rows = {id(row): row for row in value}.values()
    return not _is_ragged(value) and all(_is_leaf(cell) for row in rows for cell in row)


def _is_ragged(rows: tuple[Any, ...]) -> bool:
    return len({len(row) for row in rows}) > 1


def _set_of(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, frozenset) and all(map(test, unordered(value)))


def _either(*tests: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: any(test(value) for test in tests)


_is_object, _is_indices = _set_of(_is_cell), _set_of(_is_pair)

_TESTS: dict[Kind, Callable[[Any], bool]] = {
    Kind.ANY: lambda _: True,
    Kind.BOOL: _is_int,
    Kind.INT: _is_int,
    Kind.PAIR: _is_pair,
    Kind.NUM: _either(_is_int, _is_pair),
    Kind.GRID: _is_grid,
    Kind.CELL: _is_cell,
    Kind.OBJECT: _is_object,
    Kind.OBJECTS: _set_of(_is_object),
    Kind.INDICES: _is_indices,
    Kind.PATCH: _either(_is_object, _is_indices),
    Kind.PIECE: _either(_is_grid, _is_object, _is_indices),
    Kind.ELEMENT: _either(_is_grid, _is_object),
    Kind.TUPLE: lambda value: isinstance(value, tuple),
    Kind.SET: lambda value: isinstance(value, frozenset),
    Kind.CONTAINER: lambda value: isinstance(value, tuple | frozenset),
    Kind.FN: lambda value: isinstance(value, Function),
}

_ITEM_WORDS = {Kind.INT: "int", Kind.PAIR: "pair", Kind.GRID: "grid", Kind.CELL: "cell", Kind.OBJECT: "object",
               Kind.INDICES: "patch", Kind.FN: "function", Kind.TUPLE: "tuple", Kind.SET: "set"}  # fmt: skip
_PLURALS = {"patch": "patches"}


def _counted(container: tuple[Any, ...] | frozenset[Any]) -> str:
    """Return the number of items with a common description: `3 ints`."""
    items = {id(item): item for item in unordered(container)}.values()
    found = [word for kind, word in _ITEM_WORDS.items() if all(is_of_kind(item, kind) for item in items)]
    word = found[0] if found else "item"
    return f"{len(container):,} {word if len(container) == 1 else _PLURALS.get(word, word + 's')}"
