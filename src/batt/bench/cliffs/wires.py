"""Arrays of numbers as wire bytes of values, without a Python object for each item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.types.digest import SET, TUPLE, WIDE

Integers: TypeAlias = npt.NDArray[np.int64]
Records: TypeAlias = npt.NDArray[np.void]
"""One record per value, which holds its wire bytes."""

_INT = np.dtype([("tag", "u1"), ("int", "<i8")])
_HEAD = np.dtype([("tag", "u1"), ("count", "<u4")])


def int_records(numbers: Integers) -> Records:
    """Return the records of ints."""
    made = np.zeros(len(numbers), _INT)
    made["tag"], made["int"] = WIDE, numbers
    return made


def tuple_records(*parts: Records) -> Records:
    """Return the records of tuples: item k of each comes from `parts[k]`."""
    return _records(TUPLE, parts)


def set_records(*parts: Records) -> Records:
    """Return the records of sets: item k of each comes from `parts[k]`."""
    return _records(SET, parts)


def pair_records(rows: Integers, columns: Integers) -> Records:
    """Return the records of the places (row, column)."""
    return tuple_records(int_records(rows), int_records(columns))


def cell_records(colours: Integers, rows: Integers, columns: Integers) -> Records:
    """Return the records of the cells (colour, (row, column))."""
    return tuple_records(int_records(colours), pair_records(rows, columns))


def wire_tuple(items: Records) -> bytes:
    """Return the wire bytes of the tuple of all records."""
    return _head(TUPLE, len(items)) + items.tobytes()


def wire_set(items: Records) -> bytes:
    """Return the wire bytes of the set of all records, which may repeat and stand in any order."""
    return _head(SET, len(items)) + items.tobytes()


def grouped(items: Records, size: int, tag: int = SET) -> Records:
    """Return the records of sets (or tuples) of `size` neighbours each; a rest that is too short is left out."""
    count = len(items) // size
    dtype = np.dtype([("head", _HEAD), ("items", items.dtype, (size,))])
    made = np.zeros(count, dtype)
    made["head"]["tag"], made["head"]["count"] = tag, size
    made["items"] = items[: count * size].reshape(count, size)
    return made


def wire_grid(cells: Integers) -> bytes:
    """Return the wire bytes of a grid, from an array of two dimensions."""
    height, width = cells.shape
    return wire_tuple(grouped(int_records(cells.reshape(-1)), width, TUPLE)) if height else _head(TUPLE, 0)


def _records(tag: int, parts: Sequence[Records]) -> Records:
    fields: list[Any] = [("head", _HEAD), *[(f"p{at}", part.dtype) for at, part in enumerate(parts)]]
    made = np.zeros(len(parts[0]), np.dtype(fields))
    made["head"]["tag"], made["head"]["count"] = tag, len(parts)
    for at, part in enumerate(parts):
        made[f"p{at}"] = part
    return made


def _head(tag: int, count: int) -> bytes:
    return bytes([tag]) + count.to_bytes(4, "little")
