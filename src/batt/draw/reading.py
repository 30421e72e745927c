"""Read a value as something that can be drawn. Never raises, and never walks far.

A value is measured first: one with too many parts, too deep, or not of the language becomes text, so that everything
after that may walk the value, sort its sets and print it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice
from typing import Any, TypeAlias

from batt.types import Function, Made, form, ordered, unordered
from batt.types.plain import Printed

MAX_SIDE = 64
MAX_RASTERS = 12
MAX_PARTS = 24_000
MAX_DEPTH = 60
MAX_TEXT = 1_200

Cell: TypeAlias = int | str
"""A colour 0 to 9, PLACE, BLANK, or the label of a value that is not a colour."""

PLACE = 10
BLANK = 11


class PanelKind(Enum):
    """The kinds of picture."""

    GRID = "grid"
    PATCH = "patch"
    OBJECTS = "objects"
    GRIDS = "grids"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Raster:
    """A rectangle of cells, its place if it has one, and the cells marked as wrong."""

    rows: tuple[tuple[Cell, ...], ...]
    place: str = ""
    wrong: frozenset[tuple[int, int]] = frozenset()

    @property
    def height(self) -> int:
        """Return the number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return len(self.rows[0])

    @property
    def note(self) -> str:
        """Return its size, and its place if it has one."""
        size = f"{self.height} × {self.width}"
        return f"{size} at {self.place}" if self.place else size


@dataclass(frozen=True, slots=True)
class View:
    """A value as rasters, and how many more there are; or as text, without rasters."""

    kind: PanelKind
    rasters: tuple[Raster, ...] = ()
    more: int = 0
    text: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """Return a note for each raster; a short one if there are many."""
        if self.kind is PanelKind.OBJECTS:
            return tuple(raster.place for raster in self.rasters)
        return tuple(raster.note for raster in self.rasters)


def read(value: Any, wrong: frozenset[tuple[int, int]] = frozenset()) -> View:
    """Read a value as rasters if it consists of colours and places, else as text; `wrong` are cells of a grid."""
    if isinstance(value, Printed):
        return View(PanelKind.TEXT, text=value if len(value) <= MAX_TEXT else value[: MAX_TEXT - 1] + "…")
    trouble = _trouble(value)
    if trouble:
        return View(PanelKind.TEXT, text=trouble)
    if grid := _grid(value):
        return View(PanelKind.GRID, (replace(grid, wrong=wrong),))
    if patch := _patch(value):
        return View(PanelKind.PATCH, (patch,))
    if isinstance(value, tuple | frozenset) and value:
        if all(map(_grid, unordered(value))):
            return _many(PanelKind.GRIDS, value, map(_grid, ordered(value)))
        if any(unordered(value)) and all(_empty(item) or _patch(item) for item in unordered(value)):
            return _many(PanelKind.OBJECTS, value, (_patch(item) or _NOTHING for item in ordered(value)))
    return View(PanelKind.TEXT, text=form(value, MAX_TEXT))


def _many(kind: PanelKind, value: Any, rasters: Iterable[Raster | None]) -> View:
    shown = tuple(raster for raster in islice(rasters, MAX_RASTERS) if raster)
    return View(kind, shown, len(value) - len(shown))


_NOTHING = Raster(((BLANK,),), "empty")


def _empty(value: Any) -> bool:
    return isinstance(value, frozenset) and not value


def _grid(value: Any) -> Raster | None:
    """Return the raster of a rectangle of tuples that are mostly colours, or None."""
    if not isinstance(value, tuple) or not 0 < len(value) <= MAX_SIDE or not isinstance(value[0], tuple):
        return None
    width = len(value[0])
    if not 0 < width <= MAX_SIDE or any(not isinstance(row, tuple) or len(row) != width for row in value):
        return None
    if not all(_is_leaf(item) for row in value for item in row):
        return None
    rows = tuple(tuple(map(_cell, row)) for row in value)
    labels = sum(isinstance(cell, str) for row in rows for cell in row)
    # Pairs such as ((-3, 12), (40, 7)) are rectangles too; they read better as text.
    return Raster(rows) if 2 * labels <= len(rows) * width else None


def _patch(value: Any) -> Raster | None:
    """Return the raster of a set of places, or of a set or tuple of cells, on its bounding box; or None."""
    if not isinstance(value, tuple | frozenset) or not value or not all(map(_is_two, unordered(value))):
        return None
    if all(map(_is_place, unordered(value))):
        if isinstance(value, tuple):
            return None
        return _on_box([(PLACE, place) for place in unordered(value)])
    if all(_is_leaf(color) and _is_two(place) and _is_place(place) for color, place in unordered(value)):
        return _on_box([(_cell(color), place) for color, place in ordered(value)])
    return None


def _on_box(cells: list[tuple[Cell, tuple[int, int]]]) -> Raster | None:
    """Return the cells on the smallest box around them, the last one on top; None if it is too large."""
    top, left = (min(place[axis] for _, place in cells) for axis in (0, 1))
    height, width = (1 + max(place[axis] for _, place in cells) - low for axis, low in ((0, top), (1, left)))
    if height > MAX_SIDE or width > MAX_SIDE:
        return None
    rows: list[list[Cell]] = [[BLANK] * width for _ in range(height)]
    for cell, (row, column) in cells:
        rows[row - top][column - left] = cell
    return Raster(tuple(map(tuple, rows)), form((top, left), 24))


def _is_leaf(value: Any) -> bool:
    return isinstance(value, int) or value is None


def _is_two(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2


def _is_place(value: Any) -> bool:
    return isinstance(value[0], int) and isinstance(value[1], int)


def _cell(value: int | None) -> Cell:
    """Return a colour unchanged, anything else as a label of at most two characters."""
    if value is None:
        return "N"
    if 0 <= value <= 9:
        return int(value)
    return str(value) if -10 < value < 100 else "?"


def _trouble(value: Any) -> str:
    """Return why the value cannot be walked to its end, or an empty text."""
    parts = 0
    stack = [(value, 0)]
    while stack:
        top, depth = stack.pop()
        if isinstance(top, int):
            parts += top.bit_length() // 64
        elif isinstance(top, tuple | frozenset | Made):
            inner = top.args if isinstance(top, Made) else top
            parts += len(inner)
            if parts <= MAX_PARTS and depth < MAX_DEPTH:
                stack.extend([(item, depth + 1) for item in unordered(inner)])
        elif top is not None and not isinstance(top, Function):
            return f"not a value of the language: {type(top).__name__}"
        if parts > MAX_PARTS or depth >= MAX_DEPTH:
            return f"{_summary(value)}, too large to show"
    return ""


def _summary(value: Any) -> str:
    """Describe the value without looking into it."""
    if isinstance(value, int):
        return f"int of {value.bit_length():,} bits"
    if isinstance(value, Function):
        return f"function {value.name}(…)"
    return f"{'tuple' if isinstance(value, tuple) else 'set'} of {len(value):,} items"
