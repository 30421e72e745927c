"""The PNG decodes, and its cells have ARC's colours."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest
from numpy.typing import NDArray

from batt.draw import Panel, PanelRow, Scene, png
from batt.draw.blocks import Box
from batt.draw.layout import lay_out
from batt.draw.palette import CELL_LINE, COLORS, rgb
from batt.draw.png import MAX_PIXELS, encode
from scenes import value_scene

GRID = tuple(tuple((row + column) % 10 for column in range(10)) for row in range(10))


def decode(data: bytes) -> NDArray[np.uint8]:
    """The pixels of a PNG of 8 bits, four channels and filter 2, its checksums checked."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size) == (zlib.crc32(name + body),)
        chunks[name] = body
        at += size + 12
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert rest == [8, 6, 0, 0, 0]
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width * 4 + 1)
    assert set(lines[:, 0]) == {2}
    return np.cumsum(lines[:, 1:], axis=0, dtype=np.uint8).reshape(height, width, 4)


def test_what_is_encoded_decodes() -> None:
    pixels = np.arange(5 * 7 * 4, dtype=np.uint8).reshape(5, 7, 4) * 3
    assert (decode(encode(pixels)) == pixels).all()


@pytest.mark.parametrize("scale", [1, 2, 3, 1.7])
def test_the_middle_of_a_cell_has_its_colour(scale: float) -> None:
    scene = value_scene(GRID, "a grid")
    pixels = decode(png(scene, scale))
    lines = [shape for shape in lay_out(scene).walk() if isinstance(shape, Box) and shape.fill == CELL_LINE]
    left, top = min(line.x for line in lines), min(line.y for line in lines)
    pitch = (max(line.x for line in lines) - left) / 10
    for row, colors in enumerate(GRID):
        for column, color in enumerate(colors):
            x, y = (int((low + (i + 0.5) * pitch + 0.5) * scale) for low, i in ((left, column), (top, row)))
            assert tuple(pixels[y, x]) == (*rgb(COLORS[color]), 255)


def test_the_corners_are_transparent_and_the_card_is_not() -> None:
    pixels = decode(png(value_scene(GRID)))
    assert pixels[0, 0, 3] == 0
    assert pixels[0, pixels.shape[1] // 2, 3] == 255


def test_text_leaves_ink() -> None:
    blank, titled = (decode(png(Scene(title, ()))) for title in ("·" * 12, "A title, 12%"))
    assert (blank != titled).any()


@pytest.mark.parametrize("scale", [0, -1, 1_000])
def test_no_scale_makes_an_unreasonable_picture(scale: float) -> None:
    height, width, _ = decode(png(Scene("", (PanelRow((Panel("", ((1,),)),)),)), scale)).shape
    assert 0 < height * width <= MAX_PIXELS * 1.01
