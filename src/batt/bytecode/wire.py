"""Values as bytes, both ways: how programs, samples and outputs travel between processes, native code and Python.

The bytes are the prefix code of `types.digest`, except that a function is written as what it is made of: an op by its
number, a helper by its number, or the op that made it followed by its arguments. An output may also hold the printed
form of a function that is too large, or be one tag that says that the value is too large or too deep.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from batt.bytecode.opcodes import OP_NUMBERS, OPS_BY_NUMBER
from batt.bytecode.table import STANDARD, Table
from batt.errors import InternalError
from batt.ops import Op
from batt.types import Function, Made, OrderedSet, ordered
from batt.types.digest import FUNCTION, HUGE, NONE, SET, SMALL, TUPLE, WIDE

OP, MADE, HELPER, LARGER, DEEPER = 246, 247, 248, 249, 250

_INT64 = range(-(2**63), 2**63)


class Cut(Exception):
    """The bytes do not hold the whole value: it is too large or too deep."""


class Unencodable(Exception):
    """What native code cannot hold: an int beyond 64 bits, an op in Python. It is left to the reference engine."""


def op_number(op: Op, table: Table) -> int:
    """The number of an op; Unencodable where it has no native code."""
    try:
        return table.numbers[op]
    except KeyError:
        raise Unencodable(f"the op {op.name} in Python") from None


def write_value(value: Any, helper_number: Callable[[Function], int] | None = None, table: Table = STANDARD) -> bytes:
    """The value as bytes; helpers are written as the numbers that `helper_number` gives."""
    out = bytearray()
    stack = [value]
    while stack:
        top = stack.pop()
        if isinstance(top, int):
            _write_int(out, top)
        elif isinstance(top, tuple):
            out += bytes([TUPLE]) + len(top).to_bytes(4, "little")
            stack.extend(reversed(top))
        elif isinstance(top, frozenset):
            out += bytes([SET]) + len(top).to_bytes(4, "little")
            stack.extend(reversed(tuple(ordered(top))))
        elif top is None:
            out.append(NONE)
        elif isinstance(top, Op):
            out += bytes([OP]) + op_number(top, table).to_bytes(4, "little")
        elif isinstance(top, Made):
            out += bytes([MADE]) + OP_NUMBERS[top.name].to_bytes(4, "little")
            stack.extend(reversed(top.args))
        elif isinstance(top, Function) and helper_number is not None:
            out += bytes([HELPER]) + helper_number(top).to_bytes(4, "little")
        elif isinstance(top, Function):
            raise Unencodable(f"the helper {top.name} in a sample")
        else:
            raise InternalError(f"not a value of the language: {type(top).__name__}")
    return bytes(out)


def read_value(
    data: bytes | memoryview,
    helpers: Sequence[Function] = (),
    table: Table = STANDARD,
    printed: Callable[[str], Any] | None = None,
) -> Any:
    """Read the value that the bytes hold; Cut where they do not hold all of it.

    `printed` makes a value of the printed form of a function that is not there itself.
    """
    return _ValueReader(bytes(data), helpers, table, printed).value()


def read_grid(data: bytes) -> tuple[tuple[int, ...], ...] | None:
    """Read a rectangle of small ints row by row, which is faster; None for any other value."""
    shape = grid_shape(data)
    if shape is None:
        return None
    head, pitch = data[5:10], 5 + shape[1]
    rows = tuple([data[at : at + pitch] for at in range(5, len(data), pitch)])
    if any(row[:5] != head or max(row[5:], default=0) >= SMALL for row in rows):
        return None
    return tuple([tuple(row[5:]) for row in rows])


def grid_shape(data: bytes) -> tuple[int, int] | None:
    """The height and width of a rectangle of small ints, by its size; None where the bytes cannot be one."""
    if len(data) < 10 or data[0] != TUPLE or data[5] != TUPLE:
        return None
    height, width = int.from_bytes(data[1:5], "little"), int.from_bytes(data[6:10], "little")
    return (height, width) if len(data) == 5 + height * (5 + width) else None


def _write_int(out: bytearray, value: int) -> None:
    if 0 <= value < SMALL:
        out.append(value)
    elif value in _INT64:
        out.append(WIDE)
        out += int(value).to_bytes(8, "little", signed=True)
    else:
        raise Unencodable(f"an int of {value.bit_length()} bits")


class _ValueReader:
    """Bytes read from the front; containers under way are kept on a stack, since values nest without bound."""

    def __init__(
        self, data: bytes, helpers: Sequence[Function], table: Table, printed: Callable[[str], Any] | None
    ) -> None:
        self.data = data
        self.printed = printed
        self.helpers = helpers
        self.ops = table.ops
        self.at = 0

    def value(self) -> Any:
        """The one value that the bytes hold."""
        open_parts: list[tuple[Callable[[list[Any]], Any], int, list[Any]]] = []
        while True:
            made = self._next()
            if isinstance(made, _Opening):
                if made.count:
                    open_parts.append((made.close, made.count, []))
                    continue
                made = made.close([])
            while open_parts:
                close, count, parts = open_parts[-1]
                parts.append(made)
                if len(parts) < count:
                    break
                open_parts.pop()
                made = close(parts)
            else:
                return made

    def _next(self) -> Any:
        tag = self.data[self.at]
        self.at += 1
        if tag < SMALL:
            return tag
        if tag == WIDE:
            return self._number(8, signed=True)
        if tag == NONE:
            return None
        if tag in (LARGER, DEEPER):
            raise Cut
        number = self._number(4)
        if tag == TUPLE:
            return _Opening(tuple, number)
        if tag == SET:
            return _Opening(OrderedSet.from_ascending, number)
        if tag == OP:
            return self.ops[number]
        if tag == HELPER:
            return self.helpers[number]
        if tag == HUGE:
            return self._number(number, signed=True)
        if tag == FUNCTION:
            return self._printed(number)
        if tag == MADE:
            maker = OPS_BY_NUMBER[number]
            return _Opening(lambda parts: maker.body(*parts), maker.arity)
        raise InternalError(f"unknown tag {tag} in a value")

    def _printed(self, size: int) -> Any:
        if self.printed is None:
            raise Cut
        text = self.data[self.at : self.at + size].decode()
        self.at += size
        return self.printed(text)

    def _number(self, size: int, *, signed: bool = False) -> int:
        found = int.from_bytes(self.data[self.at : self.at + size], "little", signed=signed)
        self.at += size
        return found


class _Opening:
    """A container or function whose parts follow."""

    __slots__ = ("close", "count")

    def __init__(self, close: Callable[[list[Any]], Any], count: int) -> None:
        self.close = close
        self.count = count
