"""Samples as the native engine takes them: columns of positions into values that are each there once.

Owns which samples it can take. One that holds what native code cannot, or whose expected output is no plain grid, is
refused and left to the reference engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bytecode.wire import Unencodable, write_value
from batt.runtime.native import SAMPLE_TYPE
from batt.runtime.outcome import Equality, area, shape_of
from batt.runtime.sample import Sample
from batt.types.digest import TUPLE, encode

NO_GRID = "an expected output that is no plain grid"
_CELLS = 256


@dataclass(frozen=True, slots=True)
class Batch:
    """Distinct values as wire bytes with their ends, the rows of the samples, and why some samples are refused.

    A refused sample keeps its row, which points nowhere. `equal` and `areas` are what a record of an evaluation
    without a value says of its expected output.
    """

    data: bytes
    ends: npt.NDArray[np.uint64]
    rows: npt.NDArray[np.void]
    refused: Mapping[int, str]
    equal: npt.NDArray[np.uint8]
    areas: npt.NDArray[np.uint32]

    def __repr__(self) -> str:
        return f"<Batch | {len(self.rows):,} samples | {len(self.ends):,} values | {len(self.data):,} bytes>"


def batch_of(samples: Sequence[Sample]) -> Batch:
    """The batch of these samples; those of one task should share their demonstrations and stand side by side."""
    values = _Values()
    rows = np.full(len(samples), -1, SAMPLE_TYPE)
    refused: dict[int, str] = {}
    for position, sample in enumerate(samples):
        try:
            rows[position] = _row(sample, values)
        except Unencodable as reason:
            refused[position] = str(reason)
    unknown = [sample.expected is None for sample in samples]
    return Batch(
        b"".join(values.wires),
        np.cumsum([len(wire) for wire in values.wires], dtype=np.uint64),
        rows,
        refused,
        np.where(np.array(unknown, dtype=bool), Equality.UNKNOWN, Equality.NO).astype(np.uint8),
        np.array([area(shape_of(sample.expected)) for sample in samples], dtype=np.uint32),
    )


def _row(sample: Sample, values: _Values) -> tuple[int, int, int, int]:
    if sample.expected is not None and not _is_plain(sample.expected):
        raise Unencodable(NO_GRID)
    demonstrations = values.position(sample.demonstrations)
    expected = -1 if sample.expected is None else values.position(sample.expected)
    # What depends on the demonstrations alone is kept as long as they are the same, so they number the task.
    return demonstrations, demonstrations, values.position(sample.input), expected


def _is_plain(value: Any) -> bool:
    """Whether native code packs a value as a grid: differing cells are counted against such ones only."""
    return shape_of(value) != (0, 0) and all(0 <= cell < _CELLS for cell in chain.from_iterable(value))


class _Values:
    """Distinct values by their bytes."""

    def __init__(self) -> None:
        self.wires: list[bytes] = []
        self._by_wire: dict[bytes, int] = {}
        self._by_identity: dict[int, int] = {}
        self._kept: list[Any] = []

    def position(self, value: Any) -> int:
        """The position of a value; an object that was seen before is not written again."""
        found = self._by_identity.get(id(value))
        if found is None:
            wire = wire_of(value)
            found = self._by_wire.setdefault(wire, len(self.wires))
            if found == len(self.wires):
                self.wires.append(wire)
            self._by_identity[id(value)] = found
            # An identity is good only as long as the object is there.
            self._kept.append(value)
        return found


def wire_of(value: Any) -> bytes:
    """The wire form of a value, quickly for grids and for pairs of them."""
    if type(value) is tuple and value and set(map(type, value)) == {tuple}:
        if set(map(type, chain.from_iterable(value))) <= {int, bool}:
            wire = encode(value)
            # A byte for each cell: the fingerprint's code and the wire form are then the same.
            if len(wire) == 5 + 5 * len(value) + sum(map(len, value)):
                return wire
        elif all(type(part) is tuple for part in chain.from_iterable(value)):
            pairs = [_head(len(pair)) + b"".join(map(wire_of, pair)) for pair in value]
            return _head(len(value)) + b"".join(pairs)
    return write_value(value)


def _head(count: int) -> bytes:
    return bytes([TUPLE]) + count.to_bytes(4, "little")
