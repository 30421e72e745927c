"""Read an image back: its sections and instructions. `verify` checks what they may be."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from batt.bytecode.image import (
    HEAD_WORDS,
    HEADER_WORDS,
    INDEX_BITS,
    MAGIC,
    ROUTINE_WORDS,
    STAGE_WORDS,
    VERSION,
    Image,
)
from batt.errors import DataError


class BadImage(DataError):
    """An image breaks a rule. The message names the routine, the word and the rule."""

    def __init__(self, rule: str, at: int | None = None, routine: int | None = None) -> None:
        places = [("routine", routine), ("word", at)]
        place = ", ".join([f"{word} {number}" for word, number in places if number is not None])
        super().__init__(f"bad image: {place}: {rule}" if place else f"bad image: {rule}")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table of routines: its words in the code section, its registers, and its name in the pool."""

    start: int
    words: int
    params: int
    slots: int
    counters: int
    name_at: int
    name_bytes: int


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction, and the word at which it begins."""

    at: int
    opcode: int
    destination: int
    counter: int
    immediates: tuple[int, ...]
    operands: tuple[int, ...]

    @property
    def end(self) -> int:
        """The word after the instruction."""
        return self.at + HEAD_WORDS + len(self.immediates) + len(self.operands)


@dataclass(frozen=True, slots=True)
class Layout:
    """The sections of an image. `stage_at`, `slices_at` and the like are the words at which they begin."""

    words: tuple[int, ...]
    constants: tuple[int, ...]
    routines: tuple[Row, ...]
    slices: tuple[int, ...]
    stage: tuple[tuple[int, int], ...]
    routines_at: int
    slices_at: int
    stage_at: int
    code_at: int

    def instruction(self, at: int, end: int) -> Instruction:
        """Return the instruction at the word `at`; raise BadImage if it does not end before `end`."""
        words = self.words
        if at + HEAD_WORDS > end:
            raise BadImage("an instruction's head does not fit into the routine", at)
        first = at + HEAD_WORDS
        operands = first + words[at + 3]
        after = operands + (words[at] >> 16)
        if after > end:
            raise BadImage("an instruction does not fit into the routine", at)
        return Instruction(
            at, words[at] & 0xFFFF, words[at + 1], words[at + 2], words[first:operands], words[operands:after]
        )


def layout_of(image: Image) -> Layout:
    """Return the sections of an image; raise BadImage if header and sections disagree."""
    if len(image.words) % 4 or len(image.words) < 4 * HEADER_WORDS:
        raise BadImage(f"{len(image.words):,} bytes are no header and whole words")
    words = struct.unpack(f"<{len(image.words) // 4}I", image.words)
    constants, routines, slices, stage, code = words[5:10]
    expected = {0: MAGIC, 1: VERSION, 2: image.table.digest, 3: len(words), 4: len(image.pool), 10: 0, 11: 0}
    for at, number in expected.items():
        if words[at] != number:
            raise BadImage(f"{HEADER[at]} is {words[at]:#x}, not {number:#x}", at)
    routines_at = HEADER_WORDS + constants
    slices_at = routines_at + ROUTINE_WORDS * routines
    stage_at = slices_at + slices
    code_at = stage_at + STAGE_WORDS * stage
    if code_at + code != len(words):
        raise BadImage(f"the sections take {code_at + code:,} words, {len(words):,} are there")
    return Layout(
        words,
        words[HEADER_WORDS:routines_at],
        tuple([Row(*words[at : at + ROUTINE_WORDS]) for at in range(routines_at, slices_at, ROUTINE_WORDS)]),
        words[slices_at:stage_at],
        tuple([(words[at], words[at + 1]) for at in range(stage_at, code_at, STAGE_WORDS)]),
        routines_at,
        slices_at,
        stage_at,
        code_at,
    )


HEADER = (
    *("magic", "version", "table digest", "words", "pool bytes", "constants", "routines", "slices"),
    *("stage entries", "code words", "word 10", "word 11"),
)
"""The names of the words of the header, in order."""


def split(operand: int) -> tuple[int, int]:
    """Return the space and the index of an operand. The number of the space may be unknown."""
    return operand >> INDEX_BITS, operand & ((1 << INDEX_BITS) - 1)
