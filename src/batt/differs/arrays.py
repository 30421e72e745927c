"""The built-in measures over many pairs of grids at once. Owns how grids stand in arrays; means what `measures` says.

Pairs are padded to a common size, those of like size together. What is no grid of colours 0 … 9, or is very large, is
left to the plain definitions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.differs.measures import Score, cells, colours, equal, singles
from batt.runtime.outcome import area, shape_of

COLOURS = 10
MAX_SIDE = 1000
"""Larger grids are very rare, and a tall one and a wide one together need much room."""
GROUP_CELLS = 1 << 20
"""Cells of a group of pairs: what stays in a processor's cache is done sooner."""
EMPTY = 255
NO_SINGLE = 254

Bytes: TypeAlias = npt.NDArray[np.uint8]
Shapes: TypeAlias = npt.NDArray[np.int64]
Pairs: TypeAlias = Sequence[tuple[Any, Any]]

_COLOURS_OF = [tuple([c for c in range(COLOURS) if mask >> c & 1]) for mask in range(1 << COLOURS)]
"""The colours of a mask of bits."""


def measure(names: Sequence[str], pairs: Pairs) -> list[list[Score]]:
    """The scores of all pairs (candidate, expected) by the measures of these names: one list for each measure."""
    found: list[list[Any]] = [[None] * len(pairs) for _ in names]
    grids = _Grids()
    usable: list[int] = []
    for at, (candidate, expected) in enumerate(pairs):
        if grids.hold(candidate) and grids.hold(expected):
            usable.append(at)
        else:
            for scores, name in zip(found, names, strict=True):
                scores[at] = PLAIN[name](candidate, expected)
    for chosen in _groups(grids, pairs, usable):
        group = _Group(grids, [pairs[at] for at in chosen])
        for scores, name in zip(found, names, strict=True):
            for at, score in zip(chosen, GROUPED[name](group), strict=True):
                scores[at] = score
    return found


def _groups(grids: _Grids, pairs: Pairs, usable: Iterable[int]) -> Iterator[list[int]]:
    """The pairs in groups of like size."""
    frames = {at: _frame(*[grids.of(grid)[0] for grid in pairs[at]]) for at in usable}
    group: list[int] = []
    size = (0, 0)
    for at in sorted(frames, key=lambda at: (max(frames[at]), frames[at])):
        wider = _frame(size, frames[at])
        if group and (len(group) + 1) * area(wider) > GROUP_CELLS:
            yield group
            group, wider = [], frames[at]
        group.append(at)
        size = wider
    if group:
        yield group


def _frame(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The least shape that holds two."""
    return max(one[0], other[0]), max(one[1], other[1])


class _Grids:
    """Grids by identity, each read once: their shapes and their cells. They are kept: an identity is good only then."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[Any, tuple[int, int], Bytes | None]] = {}

    def hold(self, grid: Any) -> bool:
        """Whether a value is a grid that an array can hold."""
        return self.of(grid)[1] is not None

    def of(self, grid: Any) -> tuple[tuple[int, int], Bytes | None]:
        """The shape, and the cells where an array can hold them."""
        found = self._found.get(id(grid))
        if found is None:
            shape = shape_of(grid)
            found = self._found[id(grid)] = (grid, shape, _array(grid, shape))
        return found[1:]


def _array(grid: Any, shape: tuple[int, int]) -> Bytes | None:
    if not 1 <= max(shape) <= MAX_SIDE:
        return None
    try:
        data = bytes(chain.from_iterable(grid))
    except ValueError:
        return None
    return np.frombuffer(data, np.uint8).reshape(shape) if max(data) < COLOURS else None


class _Group:
    """Pairs of grids, candidates and expected ones, side by side in two arrays with an empty frame around each grid."""

    def __init__(self, grids: _Grids, pairs: Pairs) -> None:
        self.shapes, self.shown = _padded(grids, [candidate for candidate, _ in pairs])
        self.wanted_shapes, self.wanted = _padded(grids, [expected for _, expected in pairs])
        height = max(self.shown.shape[1], self.wanted.shape[1])
        width = max(self.shown.shape[2], self.wanted.shape[2])
        self.shown, self.wanted = _widened(self.shown, height, width), _widened(self.wanted, height, width)

    def places(self) -> tuple[Shapes, Shapes]:
        """How many places show the same in both grids, and how many there are in both together."""
        alike = ((self.shown == self.wanted) & (self.wanted != EMPTY)).sum(axis=(1, 2))
        shared = np.minimum(self.shapes, self.wanted_shapes).prod(axis=1)
        return alike, self.shapes.prod(axis=1) + self.wanted_shapes.prod(axis=1) - shared

    def equal(self) -> list[Score]:
        """As the plain measure of that name, for all pairs; so are the others."""
        alike, places = self.places()
        same = (alike == places).tolist()
        shapes = zip(_pairs(self.shapes), _pairs(self.wanted_shapes), strict=True)
        return [(int(not each), detail) for each, detail in zip(same, shapes, strict=True)]

    def cells(self) -> list[Score]:
        alike, places = (each.tolist() for each in self.places())
        return [(all_ - good, (good, all_)) for good, all_ in zip(alike, places, strict=True)]

    def colours(self) -> list[Score]:
        shown, wanted = _masks(self.shown), _masks(self.wanted)
        missing, extra = (wanted & ~shown).tolist(), (shown & ~wanted).tolist()
        found = [(_COLOURS_OF[a], _COLOURS_OF[b]) for a, b in zip(missing, extra, strict=True)]
        return [(len(a) + len(b), (a, b)) for a, b in found]

    def singles(self) -> list[Score]:
        shown, wanted = _singles(self.shown), _singles(self.wanted)
        differ = shown != wanted
        missing = (differ & (wanted != NO_SINGLE)).sum(axis=(1, 2)).tolist()
        extra = (differ & (shown != NO_SINGLE)).sum(axis=(1, 2)).tolist()
        return [(a + b, (a, b)) for a, b in zip(missing, extra, strict=True)]


PLAIN: Mapping[str, Callable[[Any, Any], Score]] = {
    "equal": equal,
    "cells": cells,
    "colours": colours,
    "singles": singles,
}
"""The definitions by name."""

GROUPED: Mapping[str, Callable[[_Group], list[Score]]] = {
    "equal": _Group.equal,
    "cells": _Group.cells,
    "colours": _Group.colours,
    "singles": _Group.singles,
}


def _padded(grids: _Grids, values: Sequence[Any]) -> tuple[Shapes, Bytes]:
    found = [grids.of(value) for value in values]
    shapes = np.array([shape for shape, _ in found], np.int64)
    height, width = shapes.max(axis=0)
    made = np.full((len(found), height + 2, width + 2), EMPTY, np.uint8)
    for at, (shape, array) in enumerate(found):
        assert array is not None, "only what an array can hold is in a group"
        made[at, 1 : shape[0] + 1, 1 : shape[1] + 1] = array
    return shapes, made


def _widened(array: Bytes, height: int, width: int) -> Bytes:
    if array.shape[1:] == (height, width):
        return array
    made = np.full((len(array), height, width), EMPTY, np.uint8)
    made[:, : array.shape[1], : array.shape[2]] = array
    return made


def _pairs(shapes: Shapes) -> list[tuple[int, int]]:
    return [(height, width) for height, width in shapes.tolist()]


def _counts(array: Bytes) -> Shapes:
    """How often each colour is in each grid."""
    offsets = np.arange(len(array), dtype=np.int64)[:, None, None] * (EMPTY + 1)
    counted = np.bincount((array + offsets).ravel(), minlength=len(array) * (EMPTY + 1))
    return counted.reshape(len(array), EMPTY + 1)[:, :COLOURS]


def _masks(array: Bytes) -> Shapes:
    """The colours of each grid, a bit for each."""
    bits = np.int64(1) << np.arange(COLOURS, dtype=np.int64)
    masks: Shapes = ((_counts(array) > 0) * bits).sum(axis=1)
    return masks


def _singles(array: Bytes) -> Bytes:
    """Each grid with only its single-cell objects left."""
    # Of tied colours argmax takes the lowest, as the background is.
    background = _counts(array).argmax(axis=1).astype(np.uint8)[:, None, None]
    inner = array[:, 1:-1, 1:-1]
    joined = (inner == array[:, :-2, 1:-1]) | (inner == array[:, 2:, 1:-1])
    joined |= (inner == array[:, 1:-1, :-2]) | (inner == array[:, 1:-1, 2:])
    return np.where(joined | (inner == background) | (inner == EMPTY), np.uint8(NO_SINGLE), inner)
