"""Draw a scene as a PNG: paint shapes into pixels, and encode them."""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache
from math import ceil, floor, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from batt.draw.blocks import ADVANCE, Box, Line, ShapeBlock, Text
from batt.draw.font import BASELINE, EM, strokes
from batt.draw.layout import lay_out
from batt.draw.palette import CARD_LINE, rgb
from batt.draw.scene import Scene
from batt.errors import never

MAX_PIXELS = 16_000_000
BAND = 256

Bytes: TypeAlias = NDArray[np.uint8]
Cover: TypeAlias = NDArray[np.float32]


def png(scene: Scene, scale: float = 2) -> bytes:
    """Return the scene as a PNG with `scale` pixels per unit, or fewer if the picture would be huge."""
    return png_block(lay_out(scene), scale)


def png_block(card: ShapeBlock, scale: float = 2) -> bytes:
    """Return a block of shapes as a PNG."""
    width, height = card.width + 1, card.height + 1
    canvas = Canvas(width, height, min(max(scale, 0.1), sqrt(MAX_PIXELS / (width * height))))
    for shape in card.walk():
        match shape:
            case Box():
                canvas.box(shape)
            case Line():
                canvas.line(shape)
            case Text():
                canvas.text(shape)
            case _:
                never(shape)
    return encode(canvas.pixels)


def encode(pixels: Bytes) -> bytes:
    """Encode rows of red, green, blue and alpha as a PNG file."""
    height, width, _ = pixels.shape
    rows = pixels.reshape(height, width * 4)
    # Each row is stored as its difference from the one above (filter 2): most rows of a picture of cells repeat.
    lines = np.full((height, width * 4 + 1), 2, np.uint8)
    lines[:, 1:] = rows
    lines[1:, 1:] -= rows[:-1]
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    body = zlib.compress(lines.tobytes(), 9)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


class Canvas:
    """Pixels on which shapes, given in units, are painted with smooth edges."""

    def __init__(self, width: float, height: float, scale: float) -> None:
        self.scale = scale
        self.pixels: Bytes = np.zeros((max(1, ceil(height * scale)), max(1, ceil(width * scale)), 4), np.uint8)
        # The smooth edge of the card blends with this colour; it must not be black.
        self.pixels[:, :, :3] = rgb(CARD_LINE)

    def box(self, box: Box) -> None:
        """Paint a box. Its border, one unit wide, is half outside it."""
        if box.stroke:
            self._round_box(box, 0.5, box.stroke)
            self._round_box(box, -0.5, box.fill)
        elif box.radius:
            self._round_box(box, 0, box.fill)
        else:
            across = _span(box.x * self.scale, (box.x + box.width) * self.scale)
            down = _span(box.y * self.scale, (box.y + box.height) * self.scale)
            self._paint(across[0], down[0], np.outer(down[1], across[1]), box.fill)

    def line(self, line: Line) -> None:
        """Paint a stroke."""
        ends = np.array([[line.x, line.y, line.to_x, line.to_y]]) * self.scale
        half = line.weight * self.scale / 2
        left, top = (floor(min(ends[0, i], ends[0, i + 2]) - half - 1) for i in (0, 1))
        right, bottom = (ceil(max(ends[0, i], ends[0, i + 2]) + half + 1) for i in (0, 1))
        ends -= (left, top, left, top)
        self._paint(left, top, _stroke_cover(ends, half, right - left, bottom - top), line.color)

    def text(self, text: Text) -> None:
        """Paint one line of text."""
        step = text.size * self.scale / EM
        x = text.x * self.scale
        if text.centered:
            x -= len(text.text) * text.size * ADVANCE * self.scale / 2
        top = round(text.y * self.scale - (BASELINE + 1.45) * step)
        for position, char in enumerate(text.text):
            left = round(x + position * text.size * ADVANCE * self.scale)
            self._paint(left, top, _glyph(char, step, text.bold), text.color)

    def _round_box(self, box: Box, grow: float, color: str) -> None:
        x, y = (box.x - grow) * self.scale, (box.y - grow) * self.scale
        width, height = (box.width + 2 * grow) * self.scale, (box.height + 2 * grow) * self.scale
        radius = max(0.0, min((box.radius + grow) * self.scale, width / 2, height / 2))
        left, top = floor(x), floor(y)
        across = np.arange(ceil(x + width) - left) + 0.5 + left
        down = np.arange(ceil(y + height) - top) + 0.5 + top
        # The distance of a pixel beyond the box of the corners' centres, in each direction.
        beyond_x = np.maximum(abs(across - x - width / 2) - width / 2 + radius, 0).astype(np.float32)
        beyond_y = np.maximum(abs(down - y - height / 2) - height / 2 + radius, 0).astype(np.float32)
        distance = np.hypot(beyond_x[None, :], beyond_y[:, None])
        self._paint(left, top, np.clip(radius - distance + 0.5, 0, 1), color)

    def _paint(self, left: int, top: int, cover: Cover, color: str) -> None:
        """Blend a colour over the pixels from (left, top) on, weighted by `cover`."""
        height, width, _ = self.pixels.shape
        rows = slice(max(0, top), max(0, min(height, top + cover.shape[0])))
        columns = slice(max(0, left), max(0, min(width, left + cover.shape[1])))
        ink = np.array((*rgb(color), 255), np.float32)
        # In bands, so that a box as large as the picture needs no more memory than a small one.
        for start in range(rows.start, rows.stop, BAND):
            band = slice(start, min(start + BAND, rows.stop))
            part = cover[band.start - top : band.stop - top, columns.start - left : columns.stop - left, None]
            pixels = self.pixels[band, columns]
            pixels[:] = np.rint(pixels + (ink - pixels) * part)


def _span(start: float, end: float) -> tuple[int, Cover]:
    """Return the first pixel of an interval, and how much of each pixel it covers."""
    first = floor(start)
    places = np.arange(first, max(first + 1, ceil(end)), dtype=np.float32)
    return first, np.clip(np.minimum(places + 1, end) - np.maximum(places, start), 0, 1).astype(np.float32)


@lru_cache(maxsize=1024)
def _glyph(char: str, step: float, bold: bool) -> Cover:
    """Return how much of each pixel a character covers; dots of the font are `step` pixels apart."""
    ends = np.array(strokes(char), np.float64).reshape(-1, 4) * step + step
    return _stroke_cover(ends, step * (0.62 if bold else 0.45), ceil(step * 7), ceil(step * 11))


def _stroke_cover(ends: NDArray[np.float64], half: float, width: int, height: int) -> Cover:
    """Return how much of each pixel strokes of half width `half` cover; `ends` are rows of x, y, to x, to y."""
    nearest = np.full((height, width), np.inf)
    down, across = np.mgrid[0:height, 0:width] + 0.5
    for x, y, to_x, to_y in ends:
        run_x, run_y = to_x - x, to_y - y
        along = ((across - x) * run_x + (down - y) * run_y) / max(run_x**2 + run_y**2, 1e-9)
        along = np.clip(along, 0, 1)
        np.minimum(nearest, np.hypot(across - x - along * run_x, down - y - along * run_y), out=nearest)
    return np.clip(half - nearest + 0.5, 0, 1).astype(np.float32)
