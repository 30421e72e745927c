"""The values that calls are measured with: by size, shape and form.

A shape is how items lie: square, tall, wide, sparse, in one object or in many. A form is how native code holds them:
packed, or a value of 16 bytes each (native/core/value.h). Each value comes twice, the second half over the first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from batt.bench.cliffs.wires import (
    Integers,
    Records,
    cell_records,
    grouped,
    int_records,
    pair_records,
    tuple_records,
    wire_grid,
    wire_set,
    wire_tuple,
)
from batt.types import Kind

POWERS = 6
SIZES = tuple(sorted([500, *[10**power for power in range(1, POWERS + 1)]]))
"""The numbers of items: powers of ten, and one that gives just over a hundred objects of four cells."""
FAR = 100_000
"""Beyond the 16 bits of a packed place."""
MANY = (1_000, 100_000)
"""Numbers of objects."""

BESIDE_GRIDS = frozenset({
    ("square", "places, packed"), ("square", "cells, packed"), ("square", "places, unpacked"),
    ("square", "cells, unpacked"), ("square", "places, tuple"), ("sparse", "places, packed"),
})  # fmt: skip
"""The shapes and forms of patches that stand beside grids in calls."""

GRIDS = frozenset({Kind.GRID, Kind.PIECE, Kind.ELEMENT, Kind.ANY})
PLACES = frozenset({Kind.INDICES, Kind.PATCH, Kind.PIECE})
CELLS = frozenset({Kind.OBJECT, Kind.PATCH, Kind.PIECE, Kind.ELEMENT})
TUPLES = frozenset({Kind.TUPLE, Kind.CONTAINER, Kind.ANY})
SETS = frozenset({Kind.SET, Kind.CONTAINER, Kind.ANY})
OBJECTS = SETS | {Kind.OBJECTS}


@dataclass(frozen=True, slots=True)
class MeasuredValue:
    """A value: its shape and form in words, what it may be an argument for, its wire bytes, items and bytes of an item.

    With `rows` the program makes rows of a packed grid before the measured call.
    """

    shape: str
    form: str
    kinds: frozenset[Kind]
    wire: bytes
    items: int
    item_bytes: int
    rows: bool = False


def values(size: int, second: bool = False) -> Iterator[MeasuredValue]:
    """Make all values of about `size` items; with `second` those that stand beside them in calls with two."""
    yield from _grids(size, second)
    yield from patches(size, second)
    yield from _containers(size, second)
    yield from _sets_of_sets(size, second)


def _random(size: int, second: bool) -> np.random.Generator:
    return np.random.default_rng([size, second])


def _grids(size: int, second: bool) -> Iterator[MeasuredValue]:
    side, long = max(2, math.isqrt(size)), max(2, size // 3)
    random = _random(size, second)
    for name, height, width in (("square", side, side), ("tall", long, 3), ("wide", 3, long)):
        dense = random.integers(0, 10, (height, width))
        spots = np.where(random.random((height, width)) < 0.01, 1 + dense % 9, 0)
        spots[0, 0] = 1
        count = height * width
        packed = "packed" if max(height, width) < 2**16 else "rows"
        yield MeasuredValue(name, f"grid, {packed}", GRIDS, wire_grid(dense), count, 1)
        yield MeasuredValue(f"{name}, sparse", f"grid, {packed}", GRIDS, wire_grid(spots), count, 1)
        if packed == "packed":
            yield MeasuredValue(name, "grid, rows", GRIDS, wire_grid(dense), count, 1, rows=True)
        yield MeasuredValue(name, "grid, wide ints", GRIDS, wire_grid(dense + 300), count, 16)
    for objects in (1, *MANY):
        if objects * 4 <= size:
            yield MeasuredValue(
                _objects(objects), "grid, packed", GRIDS, wire_grid(_dotted(side, objects)), side * side, 1
            )


def _dotted(side: int, objects: int) -> Integers:
    """Make a square grid with this many objects: dots two apart, or one that fills all but the border."""
    cells = np.zeros((side, side), np.int64)
    if objects == 1:
        cells[1:-1, 1:-1] = 3
        return cells
    dots = cells[::2, ::2]
    at = np.linspace(0, dots.size - 1, min(objects, dots.size)).astype(np.int64)
    dots[at // dots.shape[1], at % dots.shape[1]] = 1 + at % 9
    return cells


def patches(size: int, second: bool) -> Iterator[MeasuredValue]:
    """Make sets of places and of cells."""
    side = max(2, math.isqrt(size))
    random = _random(size, second)
    square = np.divmod(np.arange(side * side), side)
    line = np.arange(size), np.zeros(size, np.int64)
    reach = 20_000
    spread = np.divmod(np.sort(random.choice(reach * reach, size, replace=False)), reach)
    shapes = {"square": square, "tall": line, "wide": line[::-1], "sparse": spread}
    for name, (rows, columns) in shapes.items():
        if second:
            columns = columns + max(1, (int(columns.max()) + 1) // 2)
        count = len(rows)
        far = max(int(rows.max()), int(columns.max())) > 2**15 - 1
        colours = random.integers(0, 10, count)
        one = np.full(count, 3)
        form = "unpacked" if far else "packed"
        sizes = (16, 16) if far else (4, 8)
        yield MeasuredValue(name, f"places, {form}", PLACES, wire_set(pair_records(rows, columns)), count, sizes[0])
        yield MeasuredValue(name, f"cells, {form}", CELLS, wire_set(cell_records(one, rows, columns)), count, sizes[1])
        if name in ("square", "sparse"):
            several = wire_set(cell_records(colours, rows, columns))
            yield MeasuredValue(f"{name}, ten colours", f"cells, {form}", CELLS, several, count, sizes[1])
            wide_places = wire_set(pair_records(rows + FAR, columns))
            yield MeasuredValue(name, "places, unpacked", PLACES, wide_places, count, 16)
            wide_cells = wire_set(cell_records(one, rows + FAR, columns))
            yield MeasuredValue(name, "cells, unpacked", CELLS, wide_cells, count, 16)
            yield MeasuredValue(name, "places, tuple", PLACES, wire_tuple(pair_records(rows, columns)), count, 16)


def _containers(size: int, second: bool) -> Iterator[MeasuredValue]:
    random = _random(size, second)
    from_ = size // 2 if second else 0
    numbers = np.arange(from_, from_ + size)
    shuffled = random.permutation(numbers)
    spread = shuffled * 2_654_435_761 % (1 << 40)
    few = random.integers(0, 10, size)
    flat = {
        "small ints": few % 10,
        "many wide ints": spread,
        "few wide ints": few + 1_000,
        "ascending ints": numbers + 1_000,
    }
    for name, ints in flat.items():
        item_bytes = 1 if name == "small ints" else 16
        yield MeasuredValue(name, "tuple", TUPLES, wire_tuple(int_records(ints)), size, item_bytes)
        if name not in ("few wide ints", "small ints"):
            yield MeasuredValue(name, "set", SETS, wire_set(int_records(ints)), size, 16)
    nested = {
        "pairs": pair_records(shuffled % 1_000, shuffled // 1_000),
        "wide pairs": pair_records(spread, shuffled),
        "triples": tuple_records(int_records(few), int_records(spread), int_records(shuffled)),
        "pairs of pairs": tuple_records(pair_records(shuffled, few), pair_records(few, shuffled)),
        "alike tuples": tuple_records(*[int_records(few * 0 + 700)] * 7, int_records(spread)),
        "cells": cell_records(few, shuffled // 1_000, shuffled % 1_000),
    }
    parts = {"pairs": 0, "wide pairs": 2, "triples": 3, "pairs of pairs": 2, "alike tuples": 8, "cells": 0}
    for name, records in nested.items():
        item_bytes = 16 * (1 + parts[name])  # a value for the item, and one for each part that lies elsewhere
        yield MeasuredValue(name, "tuple", TUPLES, wire_tuple(records), size, item_bytes)
        yield MeasuredValue(name, "set", SETS, wire_set(records), size, item_bytes)
    if size >= 90:
        cells = grouped(grouped(int_records(random.integers(0, 10, size // 9 * 9)), 3, 242), 3, 242)
        yield MeasuredValue("grids of 3 × 3", "tuple", TUPLES, wire_tuple(cells), len(cells), 32)


def _sets_of_sets(size: int, second: bool) -> Iterator[MeasuredValue]:
    side = max(4, math.isqrt(size))
    at = np.arange(size)
    rows, columns = at // side, at % side
    shift = side // 2 if second else 0
    for far in (0, FAR):
        places = pair_records(rows + far, columns + shift)
        cells = cell_records(3 + 0 * at, rows + far, columns + shift)
        form = "unpacked" if far else "packed"
        for objects in _counts(size):
            each = max(1, size // objects)
            yield _of_objects(objects, "cells", form, grouped(cells, each), each)
            yield _of_objects(objects, "places", form, grouped(places, each), each)


def _counts(size: int) -> list[int]:
    """Return numbers of objects that `size` cells can make: one, a thousand, a hundred thousand, and of four cells."""
    return sorted({1, *[many for many in MANY if many <= size], max(1, size // 4)})


def _of_objects(objects: int, what: str, form: str, records: Records, each: int) -> MeasuredValue:
    # A place or cell, and its part of the value for the set that it lies in.
    item_bytes = (16 if form == "unpacked" else 8 if what == "cells" else 4) + 16 // each
    return MeasuredValue(
        _objects(objects), f"set of {what}, {form}", OBJECTS, wire_set(records), len(records) * each, item_bytes
    )


def _objects(count: int) -> str:
    return "one object" if count == 1 else f"{count:,} objects"
