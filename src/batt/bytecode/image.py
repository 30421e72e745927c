"""A program image: what native engines load. Owns the layout in words and the making of it; knows no graph and no pass.

The layout is drawn in docs/bytecode.md. An image is a buffer of little-endian 32-bit words and a pool of bytes, which
holds the wire forms of constants and the names of helpers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from batt.bytecode.forms import MAX_IMMEDIATES, MAX_OPERANDS
from batt.bytecode.table import STANDARD, Table
from batt.bytecode.wire import Unencodable, write_value
from batt.errors import InternalError
from batt.ir import Helper
from batt.types import Function

MAGIC, VERSION = 0x54544142, 1
HEADER_WORDS, ROUTINE_WORDS, STAGE_WORDS, HEAD_WORDS = 12, 7, 2, 4
"""Words of the header, of a routine's row, of a stage entry, and of an instruction before its immediates."""

STAGE_ENTRIES_AT, CODE_WORDS_AT = 8, 9
"""Where the header says how many entries the stage has, and how long the code section is."""

NOTHING = 0xFFFFFFFF
"""Stands where an instruction has no destination or no counter."""

MAX_PARAMS = MAX_OPERANDS
MAX_SLOTS = MAX_COUNTERS = 65536
MAX_STEPS = 2**62 - 1
MAX_ROUTINES = 2**20 - 1
INDEX_BITS = 28
MAX_CONSTANTS = 2**INDEX_BITS - 1


class Space(IntEnum):
    """What an operand points into; its number stands in the operand's upper bits."""

    SLOT = 0
    CONSTANT = 1
    INPUT = 2
    ARGUMENT = 3
    STAGE = 4


def operand(space: Space, index: int) -> int:
    """An operand as a word."""
    return space << INDEX_BITS | index


def steps_words(steps: int) -> tuple[int, int]:
    """A number of steps as two immediates, the low word first."""
    if steps > MAX_STEPS:
        raise Unencodable(f"a number of steps of {steps.bit_length()} bits")
    return steps & 0xFFFFFFFF, steps >> 32


def check_length(operands: int, immediates: int) -> None:
    """Raise Unencodable where an instruction would be too long."""
    if operands > MAX_OPERANDS:
        raise Unencodable(f"an instruction of {operands:,} operands")
    if immediates > MAX_IMMEDIATES:
        raise Unencodable(f"an instruction of {immediates:,} immediates")


@dataclass(frozen=True, slots=True)
class Image:
    """What is loaded, and what only Python needs: the slices' names in order and the helpers by routine number."""

    words: bytes
    pool: bytes
    slices: tuple[str, ...]
    helpers: Mapping[int, Helper]
    table: Table = field(default=STANDARD, compare=False)

    @property
    def stage_entries(self) -> int:
        """The number of staged values."""
        return self._header_word(STAGE_ENTRIES_AT)

    @property
    def code_words(self) -> int:
        """The length of its code section."""
        return self._header_word(CODE_WORDS_AT)

    def _header_word(self, at: int) -> int:
        (word,) = struct.unpack_from("<I", self.words, 4 * at)
        return int(word)

    def __repr__(self) -> str:
        return f"<Image | {len(self.slices):,} slices | {len(self.words):,} + {len(self.pool):,} bytes>"


@dataclass(frozen=True, slots=True)
class Encoded:
    """An image, the number of each program's slice in it, and the reason for each program that has none."""

    image: Image
    slice_of: Mapping[str, int]
    refused: Mapping[str, str]


class Assembler:
    """The code of one routine in the making."""

    __slots__ = ("words",)

    def __init__(self) -> None:
        self.words: list[int] = []

    def emit(
        self,
        opcode: int,
        operands: Sequence[int] = (),
        immediates: Sequence[int] = (),
        destination: int = NOTHING,
        counter: int = NOTHING,
    ) -> None:
        """Append an instruction."""
        check_length(len(operands), len(immediates))
        self.words += (opcode | len(operands) << 16, destination, counter, len(immediates), *immediates, *operands)


@dataclass(frozen=True, slots=True)
class Routine:
    """A finished routine: its code, how many arguments it takes, the size of its files, and a helper's name."""

    code: bytes
    params: int
    slots: int
    counters: int
    name: str = ""


@dataclass(slots=True)
class ImageBuilder:
    """An image in the making: adding a constant, a routine or a helper that is there gives the one that is there."""

    table: Table = STANDARD
    _constants: dict[bytes, int] = field(default_factory=dict)
    _numbers: dict[Any, int] = field(default_factory=dict)
    _routines: dict[Routine, int] = field(default_factory=dict)
    _helpers: dict[str, int] = field(default_factory=dict)
    _helpers_by_routine: dict[int, Helper] = field(default_factory=dict)
    _stage: list[tuple[int, int]] = field(default_factory=list)
    _slices: dict[str, int] = field(default_factory=dict)

    def wire(self, value: Any) -> bytes:
        """The wire form of a value; raises Unencodable where it has none. Its helpers must be there."""
        return write_value(value, self._helper_of, self.table)

    def constant(self, value: Any) -> int:
        """The number of the constant that is so."""
        number = self._numbers[value] = self.wired_constant(self.wire(value))
        return number

    def known_constant(self, value: Any) -> int | None:
        """The same where the value was asked for before: equal values have one wire form."""
        return self._numbers.get(value)

    def wired_constant(self, wire: bytes) -> int:
        """The number of the constant whose wire form this is."""
        number = self._constants.setdefault(wire, len(self._constants))
        if number >= MAX_CONSTANTS:
            raise Unencodable("more constants than an image holds")
        return number

    def routine(
        self, assembled: Assembler, params: int = 0, slots: int = 0, counters: int = 0, helper: str = ""
    ) -> int:
        """The number of the routine that is so; its bodies are there before it, so their numbers are smaller."""
        for what, count, most in (
            ("arguments", params, MAX_PARAMS),
            ("slots", slots, MAX_SLOTS),
            ("counters", counters, MAX_COUNTERS),
        ):
            if count > most:
                raise Unencodable(f"a routine of {count:,} {what}")
        made = Routine(_packed(assembled.words), params, slots, counters, helper)
        number = self._routines.setdefault(made, len(self._routines))
        if number >= MAX_ROUTINES:
            raise Unencodable("more routines than an image holds")
        return number

    def helper(self, helper: Helper) -> int | None:
        """The number of a helper's routine, where it is there. Helpers are the same where their digests are."""
        return self._helpers.get(helper.digest)

    def add_helper(self, helper: Helper, routine: int) -> None:
        """From now on constants may hold this helper."""
        self._helpers[helper.digest] = routine
        self._helpers_by_routine.setdefault(routine, helper)

    def stage(self, level: int, routine: int) -> int:
        """Append an entry of the stage, and give its number."""
        self._stage.append((level, routine))
        return len(self._stage) - 1

    def slice(self, name: str, routine: int) -> int:
        """Append a slice, and give its number."""
        if name in self._slices:
            raise InternalError(f"two slices are called {name!r}")
        self._slices[name] = routine
        return len(self._slices) - 1

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Take back all that was added inside, should it end in Unencodable."""
        tables: list[dict[Any, Any]] = [self._constants, self._numbers, self._routines]
        tables += [self._helpers, self._helpers_by_routine]
        sizes, entries = [len(table) for table in tables], len(self._stage)
        try:
            yield
        except Unencodable:
            del self._stage[entries:]
            for table, size in zip(tables, sizes, strict=True):
                while len(table) > size:
                    table.popitem()
            raise

    def image(self) -> Image:
        """The image of all that was added."""
        pool, code, offsets = bytearray(), bytearray(), list[int]()
        for wire in self._constants:
            offsets.append(len(pool))
            pool += wire
        rows: list[int] = []
        for each in self._routines:
            name = len(pool) if each.name else 0
            pool += each.name.encode("ascii")
            rows += (len(code) // 4, len(each.code) // 4, each.params, each.slots, each.counters, name, len(each.name))
            code += each.code
        tables = [*offsets, *rows, *self._slices.values(), *[word for entry in self._stage for word in entry]]
        total = HEADER_WORDS + len(tables) + len(code) // 4
        counts = len(self._constants), len(self._routines), len(self._slices), len(self._stage), len(code) // 4
        header = MAGIC, VERSION, self.table.digest, total, len(pool), *counts, 0, 0
        words = _packed([*header, *tables]) + bytes(code)
        return Image(words, bytes(pool), tuple(self._slices), dict(self._helpers_by_routine), self.table)

    def _helper_of(self, function: Function) -> int:
        number = self.helper(function) if isinstance(function, Helper) else None
        if number is None:
            raise InternalError(f"the helper {function.name} has no routine yet")
        return number


def _packed(words: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(words)}I", *words)
