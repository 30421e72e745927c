"""Values as bytes, both ways: how programs, samples and outputs travel between processes, native code and Python.

The bytes are the prefix code of `types.digest`, except that a function is written as what it is made of: an op by its
number, a helper by its number, or the op that made it followed by its arguments. An output may also hold the printed
form of a function that is too large, or be one tag that says that the value is too large or too deep.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from batt.bytecode.opcodes import OP_NUMBERS, OPS_BY_NUMBER
from batt.bytecode.table import STANDARD, Table
from batt.errors import InternalError
from batt.ops import Op
from batt.types import Function, Made, OrderedSet
from batt.types.digest import FUNCTION, HUGE, NONE, SET, SMALL, TUPLE, WIDE, put_head, put_int, write

OP, MADE, HELPER, LARGER, DEEPER = 246, 247, 248, 249, 250


class Cut(Exception):
    """The bytes do not hold the whole value: it is too large or too deep."""


class Unencodable(Exception):
    """Native code cannot hold this: an int beyond 64 bits, or an op in Python. The reference engine runs it."""


def op_number(op: Op, table: Table) -> int:
    """Return the number of an op; raise Unencodable if it has no native code."""
    try:
        return table.numbers[op]
    except KeyError:
        raise Unencodable(f"the op {op.name} in Python") from None


def write_value(value: Any, helper_number: Callable[[Function], int] | None = None, table: Table = STANDARD) -> bytes:
    """Return the value as bytes. Helpers are written as the numbers that `helper_number` gives."""

    def put_function(out: bytearray, function: Function) -> Sequence[Any]:
        if isinstance(function, Op):
            put_head(out, OP, op_number(function, table))
        elif isinstance(function, Made):
            put_head(out, MADE, OP_NUMBERS[function.name])
            return function.args
        elif helper_number is not None:
            put_head(out, HELPER, helper_number(function))
        else:
            raise Unencodable(f"the helper {function.name} in a sample")
        return ()

    try:
        return write(value, _put_int64, put_function)
    except TypeError as error:
        raise InternalError(str(error)) from None


def read_value(
    data: bytes | memoryview,
    helpers: Sequence[Function] = (),
    table: Table = STANDARD,
    printed: Callable[[str], Any] | None = None,
    at: int = 0,
) -> Any:
    """Read the value that begins at byte `at`; raise Cut if the bytes do not hold all of it.

    `printed` makes a value of the printed form of a function that is not there itself.
    """
    return ValueReader(bytes(data), helpers, table, printed, at).value()


def read_grid(data: bytes) -> tuple[tuple[int, ...], ...] | None:
    """Read a rectangle of small ints row by row, which is faster; return None for any other value."""
    shape = grid_shape(data)
    if shape is None:
        return None
    head, pitch = data[5:10], 5 + shape[1]
    rows = tuple([data[at : at + pitch] for at in range(5, len(data), pitch)])
    if any(row[:5] != head or max(row[5:], default=0) >= SMALL for row in rows):
        return None
    return tuple([tuple(row[5:]) for row in rows])


def grid_shape(data: bytes) -> tuple[int, int] | None:
    """Return the height and width of a rectangle of small ints, by its size; None if the bytes cannot be one."""
    if len(data) < 10 or data[0] != TUPLE or data[5] != TUPLE:
        return None
    height, width = int.from_bytes(data[1:5], "little"), int.from_bytes(data[6:10], "little")
    return (height, width) if len(data) == 5 + height * (5 + width) else None


def _put_int64(out: bytearray, value: int) -> None:
    if not -(2**63) <= value < 2**63:
        raise Unencodable(f"an int of {value.bit_length()} bits")
    put_int(out, value)


class ValueReader:
    """Reads a value from bytes. Open containers are kept on a stack, since values nest without bound."""

    def __init__(
        self, data: bytes, helpers: Sequence[Function], table: Table, printed: Callable[[str], Any] | None, at: int
    ) -> None:
        self.data = data
        self.printed = printed
        self.helpers = helpers
        self.ops = table.ops
        self.at = at

    def value(self) -> Any:
        """Read the value."""
        open_parts: list[tuple[Callable[[list[Any]], Any], int, list[Any]]] = []
        while True:
            made = self.next()
            if isinstance(made, Opening):
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

    def next(self) -> Any:
        """Return the next value, or the opening of one whose parts follow."""
        tag = self.data[self.at]
        self.at += 1
        if tag < SMALL:
            return tag
        if tag == WIDE:
            return self.number(8, signed=True)
        if tag == NONE:
            return None
        if tag in (LARGER, DEEPER):
            raise Cut
        number = self.number(4)
        if tag == TUPLE:
            return Opening(tuple, number)
        if tag == SET:
            return Opening(OrderedSet.from_ascending, number)
        if tag == OP:
            return self.ops[number]
        if tag == HELPER:
            return self.helpers[number]
        if tag == HUGE:
            return self.number(number, signed=True)
        if tag == FUNCTION:
            return self._printed(number)
        if tag == MADE:
            maker = OPS_BY_NUMBER[number]
            return Opening(lambda parts: maker.body(*parts), maker.arity)
        raise InternalError(f"unknown tag {tag} in a value")

    def _printed(self, size: int) -> Any:
        if self.printed is None:
            raise Cut
        text = self.data[self.at : self.at + size].decode()
        self.at += size
        return self.printed(text)

    def number(self, size: int, *, signed: bool = False) -> int:
        """Return the number in the next `size` bytes."""
        found = int.from_bytes(self.data[self.at : self.at + size], "little", signed=signed)
        self.at += size
        return found


@dataclass(slots=True)
class Opening:
    """A container or function whose parts follow: what makes it of its parts, and their number."""

    close: Callable[[list[Any]], Any]
    count: int
