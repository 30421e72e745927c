"""Shapes and the boxes they are composed of. Owns the three things that a device must draw; knows nothing of scenes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

ADVANCE = 0.6
"""The width of a character, as a part of the size of its font."""


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle with its upper left corner at x, y; where it is rounded, it may have a tooltip."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    radius: float = 0
    stroke: str = ""
    title: str = ""

    def moved(self, dx: float, dy: float) -> Box:
        """The same box elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True, slots=True)
class Line:
    """A stroke with round ends; a dot where both ends are one."""

    x: float
    y: float
    to_x: float
    to_y: float
    color: str
    weight: float

    def moved(self, dx: float, dy: float) -> Line:
        """The same line elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy, to_x=self.to_x + dx, to_y=self.to_y + dy)


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text centred on x, or starting there, with its baseline at y and perhaps a tooltip."""

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
        """The same text elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


Shape: TypeAlias = Box | Line | Text


@dataclass(frozen=True, slots=True)
class Block:
    """A rectangle of shapes, given directly or as blocks at offsets within it; the later ones lie on top."""

    width: float
    height: float
    shapes: tuple[Shape, ...] = ()
    inner: tuple[tuple[float, float, Block], ...] = ()

    def walk(self, dx: float = 0, dy: float = 0) -> Iterator[Shape]:
        """Every shape at its final place, in drawing order."""
        for shape in self.shapes:
            yield shape.moved(dx, dy)
        for x, y, block in self.inner:
            yield from block.walk(dx + x, dy + y)


def beside(blocks: Sequence[Block], gap: float, align: float = 0.5) -> Block:
    """The blocks from left to right; align 0 is along their tops, 0.5 along their middles."""
    height = max((block.height for block in blocks), default=0)
    placed = []
    x = 0.0
    for block in blocks:
        placed.append((x, round((height - block.height) * align), block))
        x += block.width + gap
    return Block(max(0, x - gap), height, inner=tuple(placed))


def above(blocks: Sequence[Block], gap: float, align: float = 0) -> Block:
    """The blocks from top to bottom; align 0 is along their left sides, 0.5 along their middles."""
    blocks = [block for block in blocks if block.height]
    width = max((block.width for block in blocks), default=0)
    placed = []
    y = 0.0
    for block in blocks:
        placed.append((round((width - block.width) * align), y, block))
        y += block.height + gap
    return Block(width, max(0, y - gap), inner=tuple(placed))


def framed(block: Block, pad: float, box: Box) -> Block:
    """The block on a box that is at least as large as the one given, with padding all around."""
    width, height = max(block.width + 2 * pad, box.width), max(block.height + 2 * pad, box.height)
    return Block(width, height, (replace(box, width=width, height=height),), ((pad, pad, block),))


def line_breaks(widths: Sequence[float], room: float, gap: float) -> list[slice]:
    """Where to break things of these widths so that each line fits the room, or holds one thing."""
    lines: list[slice] = []
    start, used = 0, 0.0
    for position, width in enumerate(widths):
        if position > start and used + width > room:
            lines.append(slice(start, position))
            start, used = position, 0.0
        used += width + gap
    return [*lines, slice(start, len(widths))] if widths else []
