"""Pack samples for native code: rows of positions into a list of distinct values.

A sample with a value that native code does not support, or with an expected output that is not a plain grid, is
refused. Its evaluations are deferred to the reference tier.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import MAX_PARAMETERS, Equality
from batt.bytecode.wire import Unencodable, write_value
from batt.runtime.native import SAMPLE_TYPE
from batt.runtime.outcome import MAX_SIDE, area, shape_of
from batt.runtime.sample import Sample
from batt.types import Function, unordered
from batt.types.digest import TUPLE

NO_GRID = "an expected output that is no plain grid"
_CELLS = 256
_INTS = {int, bool}
_NOWHERE = (-1, -1, -1, -1, -1)


@dataclass(frozen=True, slots=True)
class PackedSamples:
    """Distinct values as wire bytes with their ends, the rows of the samples, and why some samples are refused.

    The row of a refused sample has no positions. `assignments` has the positions of parameters: a row for each distinct
    assignment of the samples, -1 for None and for a parameter without a value. `equal` and `areas` are the equality and
    the number of differing cells in the record of an evaluation without a value.
    """

    data: bytes
    ends: npt.NDArray[np.uint64]
    rows: npt.NDArray[np.void]
    assignments: npt.NDArray[np.int64]
    refused: Mapping[int, str]
    equal: npt.NDArray[np.uint8]
    areas: npt.NDArray[np.uint32]

    @property
    def input_bytes(self) -> npt.NDArray[np.int64]:
        """Return the bytes of each sample's input; 0 if the sample is refused."""
        sizes = self.ends.astype(np.int64)
        sizes[1:] -= sizes[:-1].copy()
        inputs = self.rows["input"]
        return np.where(inputs < 0, 0, sizes[inputs]) if len(sizes) else np.zeros(len(inputs), np.int64)

    def __repr__(self) -> str:
        return f"<PackedSamples | {len(self.rows):,} samples | {len(self.ends):,} values | {len(self.data):,} bytes>"


def pack_samples(samples: Sequence[Sample]) -> PackedSamples:
    """Pack samples. Those of one task should be neighbours and share their demonstrations."""
    values = DistinctValues()
    rows: list[tuple[int, int, int, int, int]] = []
    refused: dict[int, str] = {}
    for position, sample in enumerate(samples):
        try:
            rows.append(_row(sample, values))
        except Unencodable as reason:
            rows.append(_NOWHERE)
            refused[position] = str(reason)
    unknown = [sample.expected is None for sample in samples]
    return PackedSamples(
        b"".join(values.wires),
        np.cumsum([len(wire) for wire in values.wires], dtype=np.uint64),
        np.array(rows, SAMPLE_TYPE),
        values.assignments,
        refused,
        np.where(np.array(unknown, dtype=bool), Equality.UNKNOWN, Equality.NO).astype(np.uint8),
        np.array([values.area(sample.expected) for sample in samples], dtype=np.uint32),
    )


def _row(sample: Sample, values: DistinctValues) -> tuple[int, int, int, int, int]:
    if sample.expected is not None and not values.is_plain(sample.expected):
        raise Unencodable(NO_GRID)
    demonstrations = values.position(sample.demonstrations)
    expected = -1 if sample.expected is None else values.position(sample.expected)
    assignment = values.assignment(sample.parameters) if sample.parameters else -1
    # Staged values of a task are kept as long as the demonstrations are the same, so their position is the task.
    return demonstrations, demonstrations, values.position(sample.input), expected, assignment


@dataclass(slots=True)
class _Seen:
    """An object, its wire form if it is a rectangle of small ints, and its position once it has one.

    The object is kept because `id` is unique only among living objects.
    """

    value: Any
    rectangle: bytes | None
    position: int = -1


class DistinctValues:
    """Distinct values by their bytes. A grid that occurs in many samples is converted once."""

    def __init__(self) -> None:
        self.wires: list[bytes] = []
        self._by_wire: dict[bytes, int] = {}
        self._by_identity: dict[int, _Seen] = {}
        self._assignments: dict[tuple[int, ...], int] = {}

    @property
    def assignments(self) -> npt.NDArray[np.int64]:
        """Return the positions of the parameters of each distinct assignment."""
        return np.array(list(self._assignments), np.int64).reshape(-1, MAX_PARAMETERS)

    def assignment(self, parameters: Sequence[Any]) -> int:
        """Return the number of an assignment; append it if it is new."""
        if len(parameters) > MAX_PARAMETERS:
            raise Unencodable(f"more than {MAX_PARAMETERS} parameters")
        if any(map(_has_function, parameters)):
            # Compiled programs count on it that parameters are data.
            raise Unencodable("a function as a parameter")
        positions = [-1 if each is None else self.position(each) for each in parameters]
        row = (*positions, *[-1] * (MAX_PARAMETERS - len(positions)))
        return self._assignments.setdefault(row, len(self._assignments))

    def position(self, value: Any) -> int:
        """Return the position of a value; append it if it is new."""
        seen = self._seen(value)
        if seen.position < 0:
            wire = self.wire(value)
            seen.position = self._by_wire.setdefault(wire, len(self.wires))
            if seen.position == len(self.wires):
                self.wires.append(wire)
        return seen.position

    def is_plain(self, value: Any) -> bool:
        """Tell whether native code packs a value as a grid. It counts differing cells only against such values."""
        if self._seen(value).rectangle is not None:
            return True
        return shape_of(value) != (0, 0) and all(0 <= cell < _CELLS for cell in chain.from_iterable(value))

    def area(self, value: Any) -> int:
        """Return the number of cells of a grid; 0 for anything else."""
        return len(value) * len(value[0]) if self._seen(value).rectangle is not None else area(shape_of(value))

    def wire(self, value: Any) -> bytes:
        """Return the wire form of a value, with a fast path for grids and for pairs of grids."""
        rectangle = self._seen(value).rectangle
        if rectangle is not None:
            return rectangle
        if type(value) is tuple and set(map(type, value)) == {tuple}:
            parts = list(chain.from_iterable(value))
            grids = [self._seen(part).rectangle for part in parts if type(part) is tuple]
            if len(grids) == len(parts) and None not in grids:
                rest = iter(grids)
                pairs = [_head(len(pair)) + b"".join(filter(None, islice(rest, len(pair)))) for pair in value]
                return _head(len(value)) + b"".join(pairs)
        return write_value(value)

    def _seen(self, value: Any) -> _Seen:
        found = self._by_identity.get(id(value))
        if found is None:
            found = self._by_identity[id(value)] = _Seen(value, _rectangle(value))
        return found


def _has_function(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return any(map(_has_function, unordered(value)))
    return isinstance(value, Function)


def _rectangle(value: Any) -> bytes | None:
    """Return the wire form of a rectangle of ints below 128; None for anything else."""
    if type(value) is not tuple or set(map(type, value)) != {tuple}:
        return None
    width = len(value[0])
    if not 1 <= width <= MAX_SIDE or len(value) > MAX_SIDE or set(map(len, value)) != {width}:
        return None
    if not set(map(type, chain.from_iterable(value))) <= _INTS:
        return None
    try:
        rows = list(map(bytes, value))
    except ValueError:
        return None
    # The wire form of such an int is one byte, the int itself.
    head = _head(width)
    return _head(len(value)) + head + head.join(rows) if b"".join(rows).isascii() else None


def _head(count: int) -> bytes:
    return bytes([TUPLE]) + count.to_bytes(4, "little")
