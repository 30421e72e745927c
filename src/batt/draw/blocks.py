"""Shapes, and the blocks that are composed of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TypeAlias

ADVANCE = 0.6
"""The width of a character as a fraction of the font size."""


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle with its upper left corner at x, y. A rounded one may have a tooltip."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    radius: float = 0
    stroke: str = ""
    title: str = ""

    def moved(self, dx: float, dy: float) -> Box:
        """Return the box moved by (dx, dy)."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True, slots=True)
class Line:
    """A stroke with round ends; a dot if both ends are equal."""

    x: float
    y: float
    to_x: float
    to_y: float
    color: str
    weight: float

    def moved(self, dx: float, dy: float) -> Line:
        """Return the line moved by (dx, dy)."""
        return replace(self, x=self.x + dx, y=self.y + dy, to_x=self.to_x + dx, to_y=self.to_y + dy)


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text, centred on x or starting there, with its baseline at y and an optional tooltip."""

    x: float
    y: float
    text: str
    size: float
    color: str
    centered: bool = False
    bold: bool = False
    mono: bool = False
    title: str = ""

    def moved(self, dx: float, dy: float) -> Text:
        """Return the text moved by (dx, dy)."""
        return replace(self, x=self.x + dx, y=self.y + dy)


Shape: TypeAlias = Box | Line | Text


@dataclass(frozen=True, slots=True)
class ShapeBlock:
    """A rectangle of shapes, given directly or as inner blocks at offsets; later ones are on top."""

    width: float
    height: float
    shapes: tuple[Shape, ...] = ()
    inner: tuple[tuple[float, float, ShapeBlock], ...] = ()

    def walk(self, dx: float = 0, dy: float = 0) -> Iterator[Shape]:
        """Yield every shape at its final place, in drawing order."""
        for shape in self.shapes:
            yield shape.moved(dx, dy)
        for x, y, block in self.inner:
            yield from block.walk(dx + x, dy + y)


def beside(blocks: Sequence[ShapeBlock], gap: float, align: float = 0.5) -> ShapeBlock:
    """Place blocks from left to right; `align` 0 aligns their tops, 0.5 their middles."""
    height = max((block.height for block in blocks), default=0)
    *starts, end = accumulate([block.width + gap for block in blocks], initial=0.0)
    tops = [round((height - block.height) * align) for block in blocks]
    return ShapeBlock(max(0, end - gap), height, inner=tuple(zip(starts, tops, blocks, strict=True)))


def above(blocks: Sequence[ShapeBlock], gap: float, align: float = 0) -> ShapeBlock:
    """Place blocks from top to bottom; `align` 0 aligns their left sides, 0.5 their middles."""
    blocks = [block for block in blocks if block.height]
    width = max((block.width for block in blocks), default=0)
    *starts, end = accumulate([block.height + gap for block in blocks], initial=0.0)
    lefts = [round((width - block.width) * align) for block in blocks]
    return ShapeBlock(width, max(0, end - gap), inner=tuple(zip(lefts, starts, blocks, strict=True)))


def framed(block: ShapeBlock, pad: float, box: Box) -> ShapeBlock:
    """Place a block on a box at least as large as `box`, with padding `pad` on all sides."""
    width, height = max(block.width + 2 * pad, box.width), max(block.height + 2 * pad, box.height)
    return ShapeBlock(width, height, (replace(box, width=width, height=height),), ((pad, pad, block),))


def line_breaks(widths: Sequence[float], room: float, gap: float) -> list[slice]:
    """Break items of these widths into lines that fit `room`, or hold one item."""
    lines: list[slice] = []
    start, used = 0, 0.0
    for position, width in enumerate(widths):
        if position > start and used + width > room:
            lines.append(slice(start, position))
            start, used = position, 0.0
        used += width + gap
    return [*lines, slice(start, len(widths))] if widths else []
