"""The picture of the README: the wall of a real run, with what the built-in deck answers to each training task."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import batt
from batt.draw.palette import BAD, BLANK, CARD, COLORS, rgb

COLUMNS = 25
TILE, GAP = 60, 12
"""Pixels of the side of a tile, enough for 30 cells of two pixels, and between tiles."""
MOST_PIXELS = 15
"""The most pixels of the side of a cell: a small answer stays smaller than a large one."""


def wall() -> NDArray[np.uint8]:
    """Run each solver of the built-in deck on its own task. Return its answers to the first test inputs as pixels."""
    tasks = batt.load_tasks("arc1-training")
    results = batt.evaluate("built-in", tasks, own=True, outputs=True)
    solved = (results.fits & results.correct).any(axis=0)
    rows = -(-len(tasks) // COLUMNS)
    step = TILE + GAP
    pixels = np.full((rows * step + GAP, COLUMNS * step + GAP, 4), (*rgb(CARD), 255), np.uint8)
    for at, task in enumerate(tasks):
        top, left = (GAP + step * place for place in divmod(at, COLUMNS))
        answer = results.output(f"solve_{task.id}", task.id) if solved[at] else None
        pixels[top : top + TILE, left : left + TILE, :3] = tile(answer)
    return pixels


def tile(answer: Any) -> NDArray[np.uint8]:
    """Return an answer in the middle of a tile; a task without one is an empty tile with a red frame."""
    made = np.full((TILE, TILE, 3), rgb(CARD), np.uint8)
    if answer is None:
        made[:] = rgb(BAD)
        made[2:-2, 2:-2] = rgb(BLANK)
        return made
    cells = np.array(answer)
    pixels = min(TILE // max(cells.shape), MOST_PIXELS)
    drawn = np.array([rgb(color) for color in COLORS], np.uint8)[cells].repeat(pixels, 0).repeat(pixels, 1)
    top, left = ((TILE - side) // 2 for side in drawn.shape[:2])
    made[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn
    return made
