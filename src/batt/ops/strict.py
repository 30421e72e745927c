"""Check the arguments of the new words, which take only plain values: anything else is a TypeError.

A plain grid has 1 to 65,535 rows and columns, rows of one length, and ints from 0 to 255. A plain place is a pair of
ints, a plain cell a colour from 0 to 255 with a plain place. Demonstrations are a tuple of pairs of plain grids.
"""

from __future__ import annotations

from typing import Any

from batt.ops.meter import items
from batt.types.kinds import Grid, Indices, Object, Pair

COLOURS = 256
MAX_SIDE = 0xFFFF


def plain_grid(value: Any) -> Grid:
    """Return a plain grid as it is."""
    if not isinstance(value, tuple) or not value or not isinstance(value[0], tuple):
        raise TypeError("expected a grid")
    width = len(value[0])
    if not (1 <= width <= MAX_SIDE and len(value) <= MAX_SIDE):
        raise TypeError("expected a grid with rows and columns")
    # The same row may occur many times.
    rows = {id(row): row for row in value}
    for row in rows.values():
        if not isinstance(row, tuple) or len(row) != width or not all(map(_is_colour, row)):
            raise TypeError("expected a grid of colours with rows of one length")
    return value


def plain_int(value: Any) -> int:
    """Return an int as it is."""
    if not isinstance(value, int):
        raise TypeError("expected an int")
    return value


def plain_colour(value: Any) -> int:
    """Return an int from 0 to 255 as it is."""
    if not _is_colour(value):
        raise TypeError("expected a colour")
    colour: int = value
    return colour


def plain_pair(value: Any) -> Pair:
    """Return a pair of ints as it is."""
    if not _is_pair(value):
        raise TypeError("expected a pair of ints")
    pair: Pair = value
    return pair


def plain_size(value: Any) -> Pair:
    """Return a pair of ints as it is; a ValueError if one is less than 1."""
    rows, columns = plain_pair(value)
    if rows < 1 or columns < 1:
        raise ValueError("a size has at least one row and one column")
    return rows, columns


def plain_places(value: Any) -> Indices:
    """Return a set of plain places as it is; the empty set is one."""
    if not isinstance(value, frozenset) or not all(map(_is_pair, value)):
        raise TypeError("expected a set of places")
    return value  # type: ignore[return-value]


def plain_object(value: Any) -> Object:
    """Return a set of plain cells as it is; the empty set is one."""
    if not isinstance(value, frozenset) or not all(map(_is_cell, value)):
        raise TypeError("expected an object")
    return value  # type: ignore[return-value]


def plain_demonstrations(value: Any) -> tuple[tuple[Grid, Grid], ...]:
    """Return demonstrations as they are; a ValueError if there are none."""
    if not isinstance(value, tuple):
        raise TypeError("expected demonstrations")
    for pair in value:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("expected demonstrations")
        plain_grid(pair[0])
        plain_grid(pair[1])
    if not value:
        raise ValueError("there are no demonstrations")
    return value


def demonstrations_cost(S: Any) -> int:
    """1 + the cells of all demonstrations"""
    pairs = [pair for pair in S if isinstance(pair, tuple) and len(pair) == 2] if isinstance(S, tuple) else []
    return 1 + sum([items(given) + items(wanted) for given, wanted in pairs])


def _is_colour(value: Any) -> bool:
    return isinstance(value, int) and 0 <= value < COLOURS


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], int) and isinstance(value[1], int)


def _is_cell(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and _is_colour(value[0]) and _is_pair(value[1])
