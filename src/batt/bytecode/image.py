"""Program images, which native engines load, and their builder. Knows no graph and no pass.

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

from batt.bytecode.abi import MAX_PARAMETERS
from batt.bytecode.forms import MAX_IMMEDIATES, MAX_OPERANDS
from batt.bytecode.table import STANDARD, Table
from batt.bytecode.wire import Unencodable, write_value
from batt.errors import InternalError
from batt.ir import Helper
from batt.ir.graph import INPUTS, parameter_number
from batt.types import Function

MAGIC, VERSION = 0x54544142, 1
HEADER_WORDS, ROUTINE_WORDS, STAGE_WORDS, HEAD_WORDS = 12, 7, 2, 4
"""Words of the header, of a routine's row, of a stage entry, and of an instruction before its immediates."""

STAGE_ENTRIES_AT, CODE_WORDS_AT = 8, 9
"""The words of the header that hold the number of stage entries and the length of the code section."""

NOTHING = 0xFFFFFFFF
"""Stands where an instruction has no destination or no counter."""

MAX_PARAMS = MAX_OPERANDS
MAX_SLOTS = MAX_COUNTERS = 65536
MAX_STEPS = 2**62 - 1
MAX_ROUTINES = 2**20 - 1
INDEX_BITS = 28
MAX_CONSTANTS = 2**INDEX_BITS - 1


class Space(IntEnum):
    """The space that an operand points into. The operand's upper bits hold its number."""

    SLOT = 0
    CONSTANT = 1
    INPUT = 2
    ARGUMENT = 3
    STAGE = 4
    PARAMETER = 5


def operand(space: Space, index: int) -> int:
    """Return an operand as a word."""
    return space << INDEX_BITS | index


def input_operand(name: str) -> int:
    """Return the operand of an input, S, I, C or a parameter; raise Unencodable beyond `MAX_PARAMETERS`."""
    number = parameter_number(name)
    if number is None:
        return operand(Space.INPUT, INPUTS.index(name))
    if number >= MAX_PARAMETERS:
        raise Unencodable(f"more than {MAX_PARAMETERS} parameters")
    return operand(Space.PARAMETER, number)


def steps_words(steps: int) -> tuple[int, int]:
    """Return a number of steps as two immediates, the low word first; raise Unencodable if it is too large."""
    if steps > MAX_STEPS:
        raise Unencodable(f"a number of steps of {steps.bit_length()} bits")
    return steps & 0xFFFFFFFF, steps >> 32


def check_length(operands: int, immediates: int) -> None:
    """Raise Unencodable if an instruction would be too long."""
    if operands > MAX_OPERANDS:
        raise Unencodable(f"an instruction of {operands:,} operands")
    if immediates > MAX_IMMEDIATES:
        raise Unencodable(f"an instruction of {immediates:,} immediates")


@dataclass(frozen=True, slots=True)
class Image:
    """An image: its words and bytes, and for Python the names of the slices in order and the helpers by routine."""

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
    """Collects the code of one routine."""

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
    """A finished routine: its code, its number of parameters, slots and counters, and a helper's name."""

    code: bytes
    params: int
    slots: int
    counters: int
    name: str = ""


@dataclass(slots=True)
class ImageBuilder:
    """Builds an image. Adding an equal constant, routine or helper again returns the number of the first."""

    table: Table = STANDARD
    _constants: dict[bytes, int] = field(default_factory=dict)
    _numbers: dict[Any, int] = field(default_factory=dict)
    _routines: dict[Routine, int] = field(default_factory=dict)
    _helpers: dict[str, int] = field(default_factory=dict)
    _helpers_by_routine: dict[int, Helper] = field(default_factory=dict)
    _stage: list[tuple[int, int]] = field(default_factory=list)
    _slices: dict[str, int] = field(default_factory=dict)

    def wire(self, value: Any) -> bytes:
        """Return the wire form of a value whose helpers were added; raise Unencodable if it has none."""
        return write_value(value, self._helper_of, self.table)

    def constant(self, value: Any) -> int:
        """Intern the constant and return its number."""
        number = self._numbers[value] = self.wired_constant(self.wire(value))
        return number

    def known_constant(self, value: Any) -> int | None:
        """Return the number of a constant that was interned by value, or None."""
        return self._numbers.get(value)

    def wired_constant(self, wire: bytes) -> int:
        """Intern the constant with this wire form and return its number."""
        number = self._constants.setdefault(wire, len(self._constants))
        if number >= MAX_CONSTANTS:
            raise Unencodable("more constants than an image holds")
        return number

    def routine(
        self, assembled: Assembler, params: int = 0, slots: int = 0, counters: int = 0, helper: str = ""
    ) -> int:
        """Intern the routine and return its number. Its bodies come before it, so their numbers are smaller."""
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
        """Return the routine of a helper, or None if it was not added. Equal digests mean equal helpers."""
        return self._helpers.get(helper.digest)

    def add_helper(self, helper: Helper, routine: int) -> None:
        """Set the routine of a helper. From now on constants may hold it."""
        self._helpers[helper.digest] = routine
        self._helpers_by_routine.setdefault(routine, helper)

    def stage(self, level: int, routine: int) -> int:
        """Append a staged value. Return its number."""
        self._stage.append((level, routine))
        return len(self._stage) - 1

    def slice(self, name: str, routine: int) -> int:
        """Append a slice. Return its number."""
        if name in self._slices:
            raise InternalError(f"two slices are called {name!r}")
        self._slices[name] = routine
        return len(self._slices) - 1

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Remove all that was added inside the block if it ends in Unencodable."""
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
        """Return the image of all that was added."""
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
