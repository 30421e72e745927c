"""The built-in font has a shape of its own for every character that titles are written in."""

from __future__ import annotations

import string

from batt.draw.font import BASELINE, strokes

SHOWN = string.ascii_letters + string.digits + string.punctuation + "…×·→—✓✗"


def test_every_character_has_a_shape() -> None:
    assert not [char for char in SHOWN if strokes(char) in ((), strokes("�"))]
    assert len({strokes(char) for char in SHOWN}) == len(SHOWN)
    assert strokes(" ") == ()


def test_shapes_stay_on_their_raster() -> None:
    for char in SHOWN:
        for x, y, to_x, to_y in strokes(char):
            assert {x, to_x} <= set(range(5))
            assert {y, to_y} <= set(range(BASELINE + 3))


def test_an_unknown_character_is_a_frame() -> None:
    assert strokes("語") == strokes("�") != ()
