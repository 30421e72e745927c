"""The built-in measures over many pairs of grids at once, with the scores that `measures` defines.

Pairs of similar size are padded to a common size. A value that is not a grid of colours 0 … 9, or is very large, is
scored by the plain definitions. A candidate is a value, or the array of a grid that `read_grids` has read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.differs.measures import Measure, Score, cells, colours, equal, singles
from batt.runtime.outcome import shape_of
from batt.types.digest import TUPLE

COLOURS = 10
MAX_SIDE = 1000
"""Larger grids are very rare, and a tall one and a wide one together need much memory."""
GROUP_CELLS = 1 << 20
"""The cells of a group of pairs: a group that fits a processor's cache is faster."""
EMPTY = 255
NO_SINGLE = 254
HEAD_BYTES = 10
"""The bytes of a grid before its first cell: the heads of the grid and of its first row."""

Bytes: TypeAlias = npt.NDArray[np.uint8]
Shapes: TypeAlias = npt.NDArray[np.int64]
Pairs: TypeAlias = Sequence[tuple[Any, Any]]


@cache
def _colours_of(mask: int) -> tuple[int, ...]:
    """Return the colours of a bit mask."""
    return tuple([colour for colour in range(COLOURS) if mask >> colour & 1])


def measure(names: Sequence[str], pairs: Pairs) -> list[list[Score]]:
    """Score all pairs (candidate, expected) by the measures `names`. Return one list for each measure."""
    found: list[list[Any]] = [[None] * len(pairs) for _ in names]
    grids = _Grids()
    places: list[int] = []
    shown_grids: list[Bytes] = []
    wanted_grids: list[Bytes] = []
    for at, (candidate, expected) in enumerate(pairs):
        shown, wanted = grids.array(candidate), grids.array(expected)
        if shown is not None and wanted is not None:
            places.append(at)
            shown_grids.append(shown)
            wanted_grids.append(wanted)
        else:
            value = as_grid(candidate)
            for scores, name in zip(found, names, strict=True):
                scores[at] = PLAIN[name](value, expected)
    for chosen in _groups(np.maximum(_shapes(shown_grids), _shapes(wanted_grids))):
        group = _Group([shown_grids[each] for each in chosen], [wanted_grids[each] for each in chosen])
        for scores, name in zip(found, names, strict=True):
            for each, score in zip(chosen, getattr(group, name)(), strict=True):
                scores[places[each]] = score
    return found


def _groups(frames: Shapes) -> Iterator[list[int]]:
    """Yield the numbers of pairs in groups of similar size; `frames` are the shapes that hold both grids of a pair."""
    order = np.lexsort((frames[:, 1], frames[:, 0], frames.max(axis=1)))
    group: list[int] = []
    height = width = 0
    for each, (own_height, own_width) in zip(order.tolist(), frames[order].tolist(), strict=True):
        height, width = max(height, own_height), max(width, own_width)
        if group and (len(group) + 1) * height * width > GROUP_CELLS:
            yield group
            group, height, width = [], own_height, own_width
        group.append(each)
    if group:
        yield group


class _Grids:
    """The arrays of grids by identity, each read once. Grids are kept alive, so that identities stay valid."""

    def __init__(self) -> None:
        self._kept: list[Any] = []
        self._arrays: dict[int, Bytes | None] = {}

    def array(self, grid: Any) -> Bytes | None:
        """Return the cells of a grid, or None if an array cannot hold them."""
        if type(grid) is np.ndarray:
            return grid
        if id(grid) not in self._arrays:
            self._kept.append(grid)
            self._arrays[id(grid)] = _array(grid, shape_of(grid))
        return self._arrays[id(grid)]


def _array(grid: Any, shape: tuple[int, int]) -> Bytes | None:
    if not 1 <= max(shape) <= MAX_SIDE:
        return None
    try:
        data = bytes(chain.from_iterable(grid))
    except ValueError:
        return None
    return np.frombuffer(data, np.uint8).reshape(shape) if max(data) < COLOURS else None


def as_grid(candidate: Any) -> Any:
    """Return the value of a candidate that may be an array."""
    return tuple(map(tuple, candidate.tolist())) if type(candidate) is np.ndarray else candidate


def read_grids(wires: Sequence[bytes]) -> list[Bytes | None]:
    """Read the wire bytes of many values, all grids of one shape at once; None for values that are no such grid."""
    found: list[Bytes | None] = [None] * len(wires)
    data = np.frombuffer(b"".join(wires), np.uint8)
    sizes = np.fromiter(map(len, wires), np.int64, len(wires))
    starts = np.cumsum(sizes) - sizes
    places = np.flatnonzero(sizes > HEAD_BYTES)
    heads = data[starts[places, None] + np.arange(HEAD_BYTES)]
    height, width = [heads[:, at : at + 4].copy().view("<u4")[:, 0].astype(np.int64) for at in (1, 6)]
    fits = (heads[:, 0] == TUPLE) & (heads[:, 5] == TUPLE) & (sizes[places] == 5 + height * (5 + width))
    fits &= (np.minimum(height, width) >= 1) & (np.maximum(height, width) <= MAX_SIDE)
    shapes, shape_of_each = np.unique(height * (MAX_SIDE + 1) + width, return_inverse=True)
    order = np.argsort(shape_of_each, kind="stable")
    for alike in np.split(order, np.searchsorted(shape_of_each[order], np.arange(1, len(shapes)))):
        chosen = places[alike[fits[alike]]]
        if not len(chosen):
            continue
        size = int(sizes[chosen[0]])
        at_once = max(1, GROUP_CELLS // size)
        for some in np.split(chosen, range(at_once, len(chosen), at_once)):
            block = data[starts[some, None] + np.arange(size)]
            rows = block[:, 5:].reshape(len(some), int.from_bytes(block[0, 1:5].tobytes(), "little"), -1)
            cells = rows[:, :, 5:]
            usable = (rows[:, :, :5] == rows[0, 0, :5]).all(axis=(1, 2)) & (cells.max(axis=(1, 2)) < COLOURS)
            for at in np.flatnonzero(usable).tolist():
                found[some[at]] = cells[at]
    return found


class _Group:
    """Pairs of grids, candidates and expected ones, in two arrays with an empty frame around each grid."""

    def __init__(self, shown: Sequence[Bytes], wanted: Sequence[Bytes]) -> None:
        self.shapes, self.wanted_shapes = _shapes(shown), _shapes(wanted)
        height, width = np.maximum(self.shapes, self.wanted_shapes).max(axis=0).tolist()
        self.shown, self.wanted = _padded(shown, height, width), _padded(wanted, height, width)

    @cached_property
    def places(self) -> tuple[Shapes, Shapes]:
        """Return the number of equal places of each pair, and of places in either grid."""
        alike = ((self.shown == self.wanted) & (self.wanted != EMPTY)).sum(axis=(1, 2))
        shared = np.minimum(self.shapes, self.wanted_shapes).prod(axis=1)
        return alike, self.shapes.prod(axis=1) + self.wanted_shapes.prod(axis=1) - shared

    def equal(self) -> list[Score]:
        """Score all pairs as the plain measure of this name does; so do the methods below."""
        alike, places = self.places
        same = (alike == places).tolist()
        shapes = zip(_pairs(self.shapes), _pairs(self.wanted_shapes), strict=True)
        return [(int(not each), detail) for each, detail in zip(same, shapes, strict=True)]

    def cells(self) -> list[Score]:
        alike, places = (each.tolist() for each in self.places)
        return [(all_ - good, (good, all_)) for good, all_ in zip(alike, places, strict=True)]

    def colours(self) -> list[Score]:
        shown, wanted = _masks(self.shown), _masks(self.wanted)
        missing, extra = (wanted & ~shown).tolist(), (shown & ~wanted).tolist()
        found = [(_colours_of(a), _colours_of(b)) for a, b in zip(missing, extra, strict=True)]
        return [(len(a) + len(b), (a, b)) for a, b in found]

    def singles(self) -> list[Score]:
        shown, wanted = _singles(self.shown), _singles(self.wanted)
        differ = shown != wanted
        missing = (differ & (wanted != NO_SINGLE)).sum(axis=(1, 2)).tolist()
        extra = (differ & (shown != NO_SINGLE)).sum(axis=(1, 2)).tolist()
        return [(a + b, (a, b)) for a, b in zip(missing, extra, strict=True)]


PLAIN: Mapping[str, Measure] = {each.__name__: each for each in (equal, cells, colours, singles)}
"""The definitions by name. A group has a method of each name."""


def _padded(grids: Sequence[Bytes], height: int, width: int) -> Bytes:
    """Return grids in one array of frames of this size, each with an empty row and column around it."""
    made = np.full((len(grids), height + 2, width + 2), EMPTY, np.uint8)
    for each, grid in zip(made, grids, strict=True):
        each[1 : len(grid) + 1, 1 : grid.shape[1] + 1] = grid
    return made


def _shapes(grids: Sequence[Bytes]) -> Shapes:
    return np.array([grid.shape for grid in grids], np.int64).reshape(-1, 2)


def _pairs(shapes: Shapes) -> list[tuple[int, int]]:
    return [(height, width) for height, width in shapes.tolist()]


def _counts(array: Bytes) -> Shapes:
    """Count each colour in each grid."""
    offsets = np.arange(len(array), dtype=np.int64)[:, None, None] * (EMPTY + 1)
    counted = np.bincount((array + offsets).ravel(), minlength=len(array) * (EMPTY + 1))
    return counted.reshape(len(array), EMPTY + 1)[:, :COLOURS]


def _masks(array: Bytes) -> Shapes:
    """Return the colours of each grid as a bit mask."""
    bits = np.int64(1) << np.arange(COLOURS, dtype=np.int64)
    masks: Shapes = ((_counts(array) > 0) * bits).sum(axis=1)
    return masks


def _singles(array: Bytes) -> Bytes:
    """Return each grid with only its single-cell objects."""
    # argmax takes the lowest of tied colours, as the background is defined.
    background = _counts(array).argmax(axis=1).astype(np.uint8)[:, None, None]
    inner = array[:, 1:-1, 1:-1]
    joined = (inner == array[:, :-2, 1:-1]) | (inner == array[:, 2:, 1:-1])
    joined |= (inner == array[:, 1:-1, :-2]) | (inner == array[:, 1:-1, 2:])
    return np.where(joined | (inner == background) | (inner == EMPTY), np.uint8(NO_SINGLE), inner)
