from __future__ import annotations

import re
import zlib
from base64 import b64decode

import numpy as np

from batt.draw import palette
from batt.draw.wall import WallTile, html_matrix, html_wall


def pixels(html: str) -> np.ndarray:
    """The pixels of the first image, whose rows are stored as differences from the row above."""
    data = b64decode(re.findall('base64,([^"]*)"', html)[0])
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    body = data[data.index(b"IDAT") + 4 : data.index(b"IEND") - 8]
    lines = np.frombuffer(zlib.decompress(body), np.uint8).reshape(height, 1 + 4 * width)[:, 1:]
    return np.cumsum(lines, axis=0, dtype=np.uint8).reshape(height, width, 4)


def test_grids_stand_beside_each_other_with_a_gap():
    found = pixels(html_wall([WallTile("t", [((1, 2),), ((3,), (4,), (5,))])]))
    assert found.shape == (3, 5, 4)
    assert [tuple(found[1, column][:3]) for column in (0, 1, 4)] == [palette.rgb(palette.COLORS[n]) for n in (1, 2, 4)]
    assert found[:, :, 3].tolist() == [[0, 0, 0, 0, 255], [255, 255, 0, 0, 255], [0, 0, 0, 0, 255]]


def test_titles_are_text():
    html = html_wall([WallTile("<b>", [((0,),)])])
    assert "<b>" not in html
    assert html.count("&lt;b&gt;") == 3


def test_a_matrix_has_a_pixel_for_each_cell():
    html = html_matrix(np.array([[0, 1, 1]], np.uint8), ["#000000", "#FF0000"], "one solver")
    assert pixels(html)[0, :, 0].tolist() == [0, 255, 255]
    assert 'alt="one solver"' in html


def test_small_pictures_are_enlarged_by_whole_numbers():
    assert 'width="16" height="8"' in html_wall([WallTile("t", [((0, 1),)])])
    assert 'width="2000" height="2000"' in html_matrix(np.zeros((2_000, 2_000), np.uint8), ["#000000"], "many")
