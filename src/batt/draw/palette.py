"""The colours of pictures: ARC's ten, and the neutral ones around them."""

from __future__ import annotations

from typing import TypeAlias

Rgb: TypeAlias = tuple[int, int, int]

COLORS = (
    "#000000",
    "#0074D9",
    "#FF4136",
    "#2ECC40",
    "#FFDC00",
    "#AAAAAA",
    "#F012BE",
    "#FF851B",
    "#7FDBFF",
    "#870C25",
)
"""The colours 0 to 9, in order."""

PLACE = "#57606A"
"""A place without a colour."""

MARKED = "#FFF1E5"
"""A cell that holds something other than a colour."""

CELL_LINE = "#4B535D"
CARD, CARD_LINE = "#F6F8FA", "#D0D7DE"
TILE, TILE_LINE = "#FFFFFF", "#E1E6EB"
BLANK, BLANK_DOT = "#F0F3F6", "#B6BEC8"
TEXT, FAINT_TEXT, ARROW = "#1F2328", "#656D76", "#8B949E"
GOOD, BAD = "#1A7F37", "#CF222E"
RING, RING_EDGE = "#FFFFFF", "#000000"

_FILLS = (*COLORS, PLACE, BLANK)


def fill(cell: int | str) -> str:
    """Return the colour of a cell: of a colour 0 to 9, a place or a blank by its number, or of a label."""
    return MARKED if isinstance(cell, str) else _FILLS[cell]


def rgb(color: str) -> Rgb:
    """Return the three bytes of a colour written as #RRGGBB."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def contrast(color: str) -> str:
    """Return black or white, whichever is easier to read on the colour."""
    red, green, blue = rgb(color)
    return "#000000" if 299 * red + 587 * green + 114 * blue > 140_000 else "#FFFFFF"
