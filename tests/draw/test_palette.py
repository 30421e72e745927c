"""The ten colours and what can be read on them."""

from __future__ import annotations

from batt.draw.palette import COLORS, contrast, rgb


def test_there_are_ten_distinct_colours() -> None:
    assert len(set(map(rgb, COLORS))) == 10


def test_text_contrasts_with_its_colour() -> None:
    assert [contrast(color) for color in (COLORS[0], COLORS[4], COLORS[9])] == ["#FFFFFF", "#000000", "#FFFFFF"]
