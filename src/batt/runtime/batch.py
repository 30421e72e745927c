"""Pack samples for native code: rows of positions into a list of distinct values.

A sample with a value that native code does not support, or with an expected output that is not a plain grid, is
refused. Its evaluations are deferred to the reference tier.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import MAX_PARAMETERS
from batt.bytecode.wire import Unencodable, write_value
from batt.runtime.native import SAMPLE_TYPE, Library
from batt.runtime.outcome import MAX_SIDE, shape_of
from batt.runtime.sample import GridPair, Sample, TaskSamples
from batt.types import Function, unordered
from batt.types.digest import TUPLE

NO_GRID = "an expected output that is no plain grid"
AT_ONCE = 1 << 10
"""The tasks, or samples, whose grids are converted at once."""
_CELLS = 256
_INTS = {int, bool}


@dataclass(frozen=True, slots=True)
class PackedSamples:
    """Distinct values as wire bytes with their ends, the rows of the samples, and why some samples are refused.

    The row of a refused sample has no positions. `assignments` has the positions of parameters: a row for each distinct
    assignment of the samples, -1 for None and for a parameter without a value.
    """

    data: bytes
    ends: npt.NDArray[np.uint64]
    rows: npt.NDArray[np.void]
    assignments: npt.NDArray[np.int64]
    refused: Mapping[int, str]

    @property
    def input_bytes(self) -> npt.NDArray[np.int64]:
        """Return the bytes of each sample's input; 0 if the sample is refused."""
        sizes = self.ends.astype(np.int64)
        sizes[1:] -= sizes[:-1].copy()
        inputs = self.rows["input"]
        return np.where(inputs < 0, 0, sizes[inputs]) if len(sizes) else np.zeros(len(inputs), np.int64)

    def __repr__(self) -> str:
        return f"<PackedSamples | {len(self.rows):,} samples | {len(self.ends):,} values | {len(self.data):,} bytes>"


def pack_samples(samples: Sequence[Sample], library: Library | None = None) -> PackedSamples:
    """Pack samples, faster with the native `library`.

    Samples of one task should be neighbours and share their demonstrations.
    """
    packing = _Packing()
    if isinstance(samples, TaskSamples):
        tasks = iter(samples.pairs())
        while some := list(islice(tasks, AT_ONCE)):
            packing.add_tasks(some, library)
    else:
        rest = iter(samples)
        while part := list(islice(rest, AT_ONCE)):
            grids = list(chain.from_iterable([(each.input, each.expected) for each in part]))
            packing.values.see(grids, list(map(id, grids)), library)
            for sample in part:
                packing.add(sample.demonstrations, sample.input, sample.expected, sample.parameters)
    return packing.packed()


class _Packing:
    """The rows of the samples so far, column by column, and their distinct values."""

    def __init__(self) -> None:
        self.values = DistinctValues()
        self.refused: dict[int, str] = {}
        self._inputs: list[int] = []
        self._expected: list[int] = []
        self._assignments: dict[int, int] = {}
        # The positions of demonstrations, each with the number of neighbours that share it.
        self._shown: list[tuple[int, int]] = []
        # What was packed as a grid, by identity; `values` keeps it alive. No expected output has no position.
        self._grids: dict[int, int] = {id(None): -1}
        self._demonstrations: dict[tuple[int, ...], int] = {}

    def add(self, demonstrations: Any, given: Any, expected: Any, parameters: Sequence[Any] = ()) -> None:
        """Add a sample, or refuse it."""
        values, number = self.values, len(self._inputs)
        try:
            if expected is not None and not values.is_plain(expected):
                raise Unencodable(NO_GRID)
            shown = values.position(demonstrations)
            wanted = -1 if expected is None else values.position(expected)
            if parameters:
                self._assignments[number] = values.assignment(parameters)
            place = values.position(given)
        except Unencodable as reason:
            self._assignments.pop(number, None)
            shown = wanted = place = -1
            self.refused[number] = str(reason)
        self._shown.append((shown, 1))
        self._inputs.append(place)
        self._expected.append(wanted)

    def add_tasks(self, tasks: Sequence[tuple[Sequence[GridPair], int]], library: Library | None) -> None:
        """Add the samples of tasks, each given by its pairs and how many of them are shown."""
        grids = list(chain.from_iterable(chain.from_iterable([pairs for pairs, _ in tasks])))
        identities = list(map(id, grids))
        self.values.see(grids, identities, library)
        start = 0
        for pairs, shown in tasks:
            stop = start + 2 * len(pairs)
            self._add_task(pairs, shown, identities[start:stop])
            start = stop

    def _add_task(self, pairs: Sequence[GridPair], count: int, identities: list[int]) -> None:
        key = tuple(identities[: 2 * count])
        shown = self._demonstrations.get(key, -1)
        places = list(map(self._grids.get, identities))
        if shown < 0 or None in places or -1 in places[::2]:
            if not all(map(self._is_plain, pairs)):
                demonstrations = tuple(pairs[:count])
                for given, expected in pairs:
                    self.add(demonstrations, given, expected)
                return
            shown = self._demonstrations[key] = self._place(pairs, count)
            places = list(map(self._grids.get, identities))
        self._shown.append((shown, len(pairs)))
        self._inputs += cast("list[int]", places[::2])
        self._expected += cast("list[int]", places[1::2])

    def _is_plain(self, pair: GridPair) -> bool:
        given, expected = pair
        is_rectangle = self.values.is_rectangle
        return is_rectangle(given) and (expected is None or is_rectangle(expected))

    def _place(self, pairs: Sequence[GridPair], count: int) -> int:
        """Append what is new of a task of plain grids, in the order of `add`; return where its demonstrations are."""
        shown = self.values.position(tuple(pairs[:count])) if pairs else -1
        for given, expected in pairs:
            for grid in (expected, given):
                if id(grid) not in self._grids:
                    self._grids[id(grid)] = self.values.position(grid)
        return shown

    def packed(self) -> PackedSamples:
        """Return the samples with their values."""
        rows = np.empty(len(self._inputs), SAMPLE_TYPE)
        shown = np.array(self._shown, np.int64).reshape(-1, 2)
        # Staged values of a task are kept as long as the demonstrations are the same, so their position is the task.
        rows["task"] = rows["demonstrations"] = np.repeat(shown[:, 0], shown[:, 1])
        rows["input"], rows["expected"], rows["assignment"] = self._inputs, self._expected, -1
        rows["assignment"][list(self._assignments)] = list(self._assignments.values())
        wires = self.values.wires
        ends = np.cumsum([len(wire) for wire in wires], dtype=np.uint64)
        return PackedSamples(b"".join(wires), ends, rows, self.values.assignments, self.refused)


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

    def see(self, values: Sequence[Any], identities: Sequence[int], library: Library | None) -> None:
        """Make the wire forms of all grids among `values` at once, if there is a `library`: that is faster."""
        if library is None:
            return
        known = self._by_identity
        new = {at: each for at, each in zip(identities, values, strict=True) if at not in known}
        for (at, value), wire in zip(new.items(), _rectangles(list(map(_dumped, new.values())), library), strict=True):
            if wire:
                known[at] = _Seen(value, wire)

    def position(self, value: Any) -> int:
        """Return the position of a value; append it if it is new."""
        seen = self._seen(value)
        if seen.position < 0:
            wire = self.wire(value) if seen.rectangle is None else seen.rectangle
            seen.position = self._by_wire.setdefault(wire, len(self.wires))
            if seen.position == len(self.wires):
                self.wires.append(wire)
        return seen.position

    def is_plain(self, value: Any) -> bool:
        """Tell whether native code packs a value as a grid. It counts differing cells only against such values."""
        if self.is_rectangle(value):
            return True
        return shape_of(value) != (0, 0) and all(0 <= cell < _CELLS for cell in chain.from_iterable(value))

    def is_rectangle(self, value: Any) -> bool:
        """Tell whether a value is a rectangle of ints below 128, as most grids are."""
        return self._seen(value).rectangle is not None

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


def _dumped(value: Any) -> bytes:
    """Return the bytes of a value, with the exact types of its parts; empty if they have none."""
    try:
        return marshal.dumps(value, 2)
    except ValueError:
        return b""


def _rectangles(dumped: Sequence[bytes], library: Library) -> list[bytes]:
    """Return the wire form of each rectangle of ints below 128 that was dumped; empty for anything else."""
    ends = np.cumsum(list(map(len, dumped)), dtype=np.uint64)
    data = b"".join(dumped)
    packed, packed_ends = np.empty(len(data), np.uint8), np.empty(len(ends), np.uint64)
    places = [each.ctypes.data for each in (packed, packed_ends)]
    library.call("batt_pack_rectangles", data, ends.ctypes.data, len(ends), *places)
    bounds = [0, *packed_ends.tolist()]
    whole = packed[: bounds[-1]].tobytes()
    return [whole[start:end] for start, end in pairwise(bounds)]


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
