"""A value as bytes and as 64 bits: the fingerprint that results carry. Equality never depends on it.

The bytes are a prefix code over the value (a bool is the int it equals, a set is in canonical order). The fingerprint
is those bytes, read as one big-endian number, modulo the largest prime below 2**64. A native engine computes the same
by Horner's rule: multiply by 256, add a byte, fold the overflow back as 59 times itself. A function is written as its
printed form, of which only the first 2,000 characters count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from batt.types.functions import Function, form
from batt.types.sets import ordered

PRIME = 2**64 - 59
SMALL = 240
WIDE, HUGE, TUPLE, SET, NONE, FUNCTION = range(SMALL, SMALL + 6)


def fingerprint(value: Any) -> int:
    """Return 64 bits that are equal for equal values, on every engine."""
    return int.from_bytes(encode(value), "big") % PRIME


def encode(value: Any) -> bytes:
    """Return `value` as bytes. Equal values give equal bytes, and no value's bytes are a prefix of another's."""
    rows = encode_rows(value)
    return write(value, put_int, _put_form) if rows is None else rows


def write(
    value: Any, put_int: Callable[[bytearray, int], None], put_function: Callable[[bytearray, Function], Sequence[Any]]
) -> bytes:
    """Return `value` as bytes. `put_int` and `put_function` append an int and a function.

    `put_function` returns the parts of the function that are to follow. Raise TypeError for what is no value.
    """
    out = bytearray()
    stack = [value]
    while stack:
        top = stack.pop()
        if isinstance(top, int):
            put_int(out, top)
        elif isinstance(top, tuple):
            put_head(out, TUPLE, len(top))
            stack.extend(reversed(top))
        elif isinstance(top, frozenset):
            put_head(out, SET, len(top))
            stack.extend(reversed(tuple(ordered(top))))
        elif top is None:
            out.append(NONE)
        elif isinstance(top, Function):
            stack.extend(reversed(put_function(out, top)))
        else:
            raise TypeError(f"not a value of the language: {type(top).__name__}")
    return bytes(out)


def encode_rows(rows: Any) -> bytes | None:
    """Encode a tuple of tuples of small ints row by row, which is faster; return None for any other value."""
    if not (type(rows) is tuple and rows and set(map(type, rows)) == {tuple}):
        return None
    try:
        parts = [bytes(row) for row in rows]
    except (TypeError, ValueError):
        return None
    if any(part and max(part) >= SMALL for part in parts):
        return None
    heads = {size: bytes([TUPLE]) + size.to_bytes(4, "little") for size in set(map(len, rows))}
    head = bytes([TUPLE]) + len(rows).to_bytes(4, "little")
    return head + b"".join([heads[len(part)] + part for part in parts])


def put_head(out: bytearray, tag: int, count: int) -> None:
    """Append a tag and a count."""
    out.append(tag)
    out += count.to_bytes(4, "little")


def _put_form(out: bytearray, function: Function) -> Sequence[Any]:
    text = form(function).encode()
    put_head(out, FUNCTION, len(text))
    out += text
    return ()


def put_int(out: bytearray, value: int) -> None:
    """Append an int of any size."""
    if 0 <= value < SMALL:
        out.append(value)
    elif -(2**63) <= value < 2**63:
        out.append(WIDE)
        out += int(value).to_bytes(8, "little", signed=True)
    else:
        size = value.bit_length() // 8 + 1
        put_head(out, HUGE, size)
        out += value.to_bytes(size, "little", signed=True)
