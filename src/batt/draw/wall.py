"""Many small pictures for a notebook: thumbnails of pairs of grids, and a matrix, a pixel for each cell."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.draw import palette
from batt.draw.png import encode

SIDE = 72
"""The most pixels of a thumbnail's height, unless its grids have more cells."""
MATRIX_SIDE = 640
GAP = 2
"""The cells between the grids of a thumbnail."""


@dataclass(frozen=True, slots=True)
class WallTile:
    """A thumbnail of grids of colours beside each other, above a title; `color` is that of the line below it."""

    title: str
    grids: Sequence[Any]
    color: str = palette.CARD_LINE


def html_wall(tiles: Sequence[WallTile]) -> str:
    """Return the tiles as HTML that flows."""
    shown = [
        f'<figure style="margin:0;padding:4px 6px;border-bottom:3px solid {tile.color};text-align:center">'
        f'{_image(_pixels(tile.grids), SIDE, tile.title)}<figcaption style="font:11px monospace">{escape(tile.title)}'
        "</figcaption></figure>"
        for tile in tiles
    ]
    return f'<div style="display:flex;flex-wrap:wrap;gap:8px;align-items:flex-end">{"".join(shown)}</div>'


def html_matrix(cells: npt.NDArray[np.uint8], colors: Sequence[str], title: str) -> str:
    """Return a picture of cells, each in the colour of its number."""
    inks = np.array([(*palette.rgb(color), 255) for color in colors], np.uint8)
    return _image(inks[cells], MATRIX_SIDE, title)


def _pixels(grids: Sequence[Any]) -> npt.NDArray[np.uint8]:
    """Return a transparent picture with the grids on it, a pixel for each cell."""
    inks = np.array([(*palette.rgb(color), 255) for color in palette.COLORS], np.uint8)
    made = [np.array(grid, np.intp) for grid in grids]
    height, width = max(len(grid) for grid in made), sum(grid.shape[1] for grid in made) + GAP * (len(made) - 1)
    pixels, left = np.zeros((height, width, 4), np.uint8), 0
    for grid in made:
        top = (height - len(grid)) // 2
        pixels[top : top + len(grid), left : left + grid.shape[1]] = inks[grid]
        left += grid.shape[1] + GAP
    return pixels


def _image(pixels: npt.NDArray[np.uint8], side: int, title: str) -> str:
    """Return pixels as an image that is enlarged by a whole number."""
    height, width, _ = pixels.shape
    scale = max(1, min(8, side // max(height, width // 2)))
    data = b64encode(encode(pixels)).decode("ascii")
    return (
        f'<img src="data:image/png;base64,{data}" width="{width * scale}" height="{height * scale}" '
        f'style="image-rendering:pixelated;max-width:none" alt="{escape(title)}" title="{escape(title)}">'
    )
