"""Check that bytes are the wire form of a value, without making the value."""

from __future__ import annotations

from dataclasses import dataclass, field

from batt.bytecode.table import STANDARD, Table
from batt.bytecode.wire import HELPER, MADE, OP
from batt.ops.functions import POWER_LIMIT
from batt.types.digest import NONE, SET, SMALL, TUPLE, WIDE

FUNCTION, OTHER = "function", "other"
"""The kind of a part that is no int."""

PAYLOADS = {WIDE: 8, NONE: 0, TUPLE: 4, SET: 4, OP: 4, MADE: 4, HELPER: 4}
"""Bytes of the number that follows each tag."""


@dataclass(slots=True)
class _Open:
    """A value whose parts follow: how many are missing, and for a made function the op that makes it and its parts."""

    missing: int
    maker: str = ""
    parts: list[int | str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scanned:
    """The byte after a value, and the numbers of the helpers in it."""

    end: int
    helpers: frozenset[int]


def scan(data: bytes, at: int, table: Table = STANDARD) -> Scanned:
    """Walk over the value that begins at byte `at`; raise ValueError if the bytes are no value."""
    helpers: set[int] = set()
    open_values: list[_Open] = []
    while True:
        tag = _byte(data, at)
        at += 1
        size = 0 if tag < SMALL else PAYLOADS.get(tag, -1)
        if size < 0:
            raise ValueError(f"no tag {tag}")
        if at + size > len(data):
            raise ValueError("its bytes end early")
        number = int.from_bytes(data[at : at + size], "little", signed=tag == WIDE)
        at += size
        opened = _opened(tag, number, table)
        if opened and opened.missing:
            if opened.missing > len(data) - at:
                raise ValueError("its bytes end early")
            open_values.append(opened)
            continue
        part: int | str = tag if tag < SMALL else number if tag == WIDE else FUNCTION if tag in (OP, HELPER) else OTHER
        if tag == HELPER:
            helpers.add(number)
        while open_values:
            top = open_values[-1]
            top.missing -= 1
            if top.maker:
                top.parts.append(part)
            if top.missing:
                break
            part = _closed(open_values.pop())
        else:
            return Scanned(at, frozenset(helpers))


def _byte(data: bytes, at: int) -> int:
    if at >= len(data):
        raise ValueError("its bytes end early")
    return data[at]


def _opened(tag: int, number: int, table: Table) -> _Open | None:
    """Return the open value that a tag begins, or None if the tag has no parts."""
    if tag in (TUPLE, SET):
        return _Open(number)
    if tag in (OP, MADE) and number >= len(table.ops):
        raise ValueError(f"no op {number}")
    if tag != MADE:
        return None
    maker = table.ops[number]
    if maker.family != "functions":
        raise ValueError(f"{maker.name} makes no function")
    return _Open(maker.arity, maker.name)


def _closed(whole: _Open) -> str:
    """Return the kind of a value whose parts are complete; raise ValueError if they do not fit."""
    if whole.maker in ("lbind", "rbind") and whole.parts[0] != FUNCTION:
        raise ValueError(f"{whole.maker} binds an argument of a function")
    if whole.maker == "power":
        count = whole.parts[1]
        if isinstance(count, str) or not 2 <= count <= POWER_LIMIT:
            raise ValueError(f"power repeats from 2 to {POWER_LIMIT} times")
    return FUNCTION if whole.maker else OTHER
