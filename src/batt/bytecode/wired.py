"""Check that bytes are the wire form of a value, without making the value."""

from __future__ import annotations

from typing import Any, NamedTuple

from batt.bytecode.table import STANDARD, Table
from batt.bytecode.wire import HELPER, MADE, OP, Opening, ValueReader
from batt.ops import Op
from batt.ops.functions import POWER_LIMIT
from batt.types.digest import NONE, SET, SMALL, TUPLE, WIDE

FUNCTION, OTHER = "function", "other"
"""The kind of a part that is no int."""

PAYLOADS = {WIDE: 8, NONE: 0, TUPLE: 4, SET: 4, OP: 4, MADE: 4, HELPER: 4}
"""Bytes of the number that follows each tag."""


class Scanned(NamedTuple):
    """The byte after a value, and the numbers of the helpers and of the ops in it."""

    end: int
    helpers: frozenset[int]
    ops: frozenset[int]


def scan(data: bytes, at: int, table: Table = STANDARD) -> Scanned:
    """Walk over the value that begins at byte `at`; raise ValueError if the bytes are no value."""
    scanner = _Scanner(data, table, at)
    scanner.value()
    return Scanned(scanner.at, frozenset(scanner.found), frozenset(scanner.named))


class _Scanner(ValueReader):
    """Reads an int as itself, and any other value as its kind."""

    def __init__(self, data: bytes, table: Table, at: int) -> None:
        super().__init__(data, (), table, None, at)
        self.found: set[int] = set()
        self.named: set[int] = set()

    def next(self) -> Any:
        tag = self.number(1)
        if tag < SMALL:
            return tag
        if tag not in PAYLOADS:
            raise ValueError(f"no tag {tag}")
        number = self.number(PAYLOADS[tag], signed=tag == WIDE)
        if tag == WIDE:
            return number
        if tag in (OP, MADE) and number >= len(self.ops):
            raise ValueError(f"no op {number}")
        if tag == OP:
            self.named.add(number)
        if tag in (TUPLE, SET):
            return self._opening(Opening(lambda parts: OTHER, number))
        if tag == MADE:
            maker = self.ops[number]
            if maker.family != "functions":
                raise ValueError(f"{maker.name} makes no function")
            return self._opening(Opening(lambda parts: _made(maker, parts), maker.arity))
        if tag == HELPER:
            self.found.add(number)
        return OTHER if tag == NONE else FUNCTION

    def number(self, size: int, *, signed: bool = False) -> int:
        if self.at + size > len(self.data):
            raise ValueError("its bytes end early")
        return super().number(size, signed=signed)

    def _opening(self, opening: Opening) -> Opening:
        if opening.count > len(self.data) - self.at:
            raise ValueError("its bytes end early")
        return opening


def _made(maker: Op, parts: list[int | str]) -> str:
    """Return the kind of a made function; raise ValueError if its parts do not fit."""
    if maker.name in ("lbind", "rbind") and parts[0] != FUNCTION:
        raise ValueError(f"{maker.name} binds an argument of a function")
    if maker.name == "power" and (isinstance(parts[1], str) or not 2 <= parts[1] <= POWER_LIMIT):
        raise ValueError(f"power repeats from 2 to {POWER_LIMIT} times")
    return FUNCTION
