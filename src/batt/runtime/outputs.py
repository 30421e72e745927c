"""Outputs of evaluations as wire bytes: write them, pass them on in blocks, and keep them by number.

All engines write the same bytes for a value, except for the numbers of helpers, which `Functions` resolves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.opcodes import OP_NUMBERS
from batt.bytecode.table import STANDARD, Table
from batt.bytecode.wire import DEEPER, HELPER, LARGER, MADE, OP
from batt.types import Function, Made, form, ordered, unordered
from batt.types.digest import FUNCTION, NONE, SET, TUPLE, encode_rows, put_head, put_int
from batt.types.plain import MAX_DEPTH, MAX_NODES, is_deep, weight

FUNCTION_PARTS = 2_000
"""A function with more parts is written as its printed form. All functions of an output have at most `MAX_NODES`."""

Bytes: TypeAlias = npt.NDArray[np.uint8]
Offsets: TypeAlias = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Functions:
    """The functions behind the numbers in wire bytes: helpers, and the ops of a table."""

    helpers: Sequence[Function] = ()
    table: Table = STANDARD


NO_FUNCTIONS = Functions()
"""The functions of outputs that have no functions but the ops of the language."""


@dataclass(frozen=True, slots=True, eq=False)
class PackedOutputs:
    """The outputs of some evaluations: output k is `data[starts[k] : ends[k]]`, and empty if there is no value."""

    data: Bytes
    starts: Offsets
    ends: Offsets
    functions: Functions = NO_FUNCTIONS

    @classmethod
    def of(cls, data: Bytes, ends: Offsets, functions: Functions = NO_FUNCTIONS) -> PackedOutputs:
        """Return outputs that follow one another in `data`."""
        starts = np.zeros_like(ends)
        starts[1:] = ends[:-1]
        return cls(data, starts, ends, functions)

    @classmethod
    def none(cls, count: int) -> PackedOutputs:
        """Return the outputs of `count` evaluations without a value."""
        return cls(np.zeros(0, np.uint8), np.zeros(count, np.uint64), np.zeros(count, np.uint64))

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def wires(self) -> list[bytes]:
        """Return the bytes of each output; empty if there is no value."""
        data = self.data.data
        return [bytes(data[start:end]) for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True)]

    def __repr__(self) -> str:
        return f"<PackedOutputs | {len(self):,} outputs>"

    def only(self, chosen: npt.NDArray[Any]) -> PackedOutputs:
        """Return the outputs at these positions, or those that a mask chooses."""
        return PackedOutputs(self.data, self.starts[chosen], self.ends[chosen], self.functions)


class OutputStore:
    """The outputs of a run by the numbers of the evaluations, kept in the blocks in which they came.

    `sizes` are the bytes of each output; 0 if there is no value.
    """

    def __init__(self, total: int) -> None:
        self.blocks: list[PackedOutputs] = [PackedOutputs.none(1)]
        # The block of each evaluation, and its position there. By default it is the empty output of the first block.
        self._block_of = np.zeros(total, np.uint32)
        self._place_of = np.zeros(total, np.uint32)
        self.sizes = np.zeros(total, np.uint32)

    def __len__(self) -> int:
        return len(self._block_of)

    def __repr__(self) -> str:
        return f"<OutputStore | {len(self):,} outputs>"

    def put(self, numbers: npt.NDArray[np.int64], outputs: PackedOutputs) -> None:
        """Keep the outputs of the evaluations with these numbers."""
        self._block_of[numbers] = len(self.blocks)
        self._place_of[numbers] = np.arange(len(numbers), dtype=np.uint32)
        self.sizes[numbers] = outputs.ends - outputs.starts
        self.blocks.append(outputs)

    def take(self, numbers: npt.NDArray[np.int64]) -> tuple[list[bytes], list[Functions]]:
        """Return the bytes of the outputs of these evaluations, empty without a value, and the functions of each."""
        wires, functions = [b""] * len(numbers), [NO_FUNCTIONS] * len(numbers)
        block_of, place_of = self._block_of[numbers], self._place_of[numbers]
        order = np.argsort(block_of, kind="stable")
        firsts = np.flatnonzero(np.diff(block_of[order], prepend=-1))
        for places in np.split(order, firsts[1:]) if len(order) else ():
            outputs = self.blocks[block_of[places[0]]].only(place_of[places])
            for place, wire in zip(places.tolist(), outputs.wires, strict=True):
                wires[place], functions[place] = wire, outputs.functions
        return wires, functions


class OutputWriter:
    """Writes outputs one after the other. `helpers` are the functions in them that are not ops."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.ends: list[int] = []
        self.helpers: list[Function] = []
        self._numbers: dict[Function, int] = {}

    def add(self, value: Any) -> None:
        """Write the value of the next evaluation."""
        self.data += write_output(value, self._number)
        self.skip()

    def skip(self) -> None:
        """End the output of this evaluation, which is empty if it has no value."""
        self.ends.append(len(self.data))

    def _number(self, function: Function) -> int:
        found = self._numbers.setdefault(function, len(self.helpers))
        if found == len(self.helpers):
            self.helpers.append(function)
        return found


def write_output(value: Any, helper_number: Callable[[Function], int]) -> bytes:
    """Return the value as wire bytes, or a tag if it is too large or too deep.

    A function that has too many parts or is too deep is written as its printed form.
    """
    if weight(value) > MAX_NODES:
        return bytes([LARGER])
    if is_deep(value):
        return bytes([DEEPER])
    rows = encode_rows(value)
    if rows is not None:
        return rows
    out = bytearray()
    left = MAX_NODES
    # Parts to write, each with its depth; -1 within a function that is written completely.
    stack: list[tuple[Any, int]] = [(value, 0)]
    while stack:
        top, depth = stack.pop()
        if isinstance(top, Made) and depth >= 0:
            parts = _count_parts(top, depth, min(left, FUNCTION_PARTS))
            if parts is None:
                text = form(top).encode()
                put_head(out, FUNCTION, len(text))
                out += text
                continue
            left, depth = left - parts, -1
        inner = depth + 1 if depth >= 0 else -1
        stack.extend([(part, inner) for part in reversed(_put(out, top, helper_number))])
    return bytes(out)


def _put(out: bytearray, value: Any, helper_number: Callable[[Function], int]) -> tuple[Any, ...]:
    """Write the head of a value, and return its parts."""
    match value:
        case int():
            put_int(out, value)
        case tuple():
            put_head(out, TUPLE, len(value))
            return value
        case frozenset():
            put_head(out, SET, len(value))
            return tuple(ordered(value))
        case None:
            out.append(NONE)
        case Made():
            put_head(out, MADE, OP_NUMBERS[value.name])
            return value.args
        case _ if value in STANDARD.numbers:
            put_head(out, OP, STANDARD.numbers[value])
        case _:
            put_head(out, HELPER, helper_number(value))
    return ()


def _count_parts(function: Made, depth: int, most: int) -> int | None:
    """Count the parts of a function; return None if they are more than `most` or too deep."""
    count = 0
    stack: list[tuple[Any, int]] = [(function, depth)]
    while stack:
        top, around = stack.pop()
        parts = top.args if isinstance(top, Made) else top if isinstance(top, tuple | frozenset) else ()
        count += len(parts)
        if count > most or (parts is top and around >= MAX_DEPTH):
            return None
        stack.extend([(part, around + 1) for part in unordered(parts)])
    return count
