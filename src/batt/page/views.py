"""Values as plain data that the page's script draws: rows of characters, a character for each cell."""

from __future__ import annotations

from typing import Any

from batt.draw.reading import BLANK, PLACE, Raster, read

CELLS = "0123456789"
CHARACTERS = {**{number: CELLS[number] for number in range(10)}, PLACE: "#", BLANK: " "}
LABEL = "?"
"""The character of a cell that is not a colour; its text is in the list of labels."""


def grid_rows(grid: Any) -> list[str] | None:
    """Return a grid of colours as rows of digits; None if there is none."""
    if grid is None:
        return None
    return ["".join([CELLS[cell] for cell in row]) for row in grid]


def value_view(value: Any) -> dict[str, Any]:
    """Return a value as pictures, and how many more there are, or as text."""
    view = read(value)
    if not view.rasters:
        return {"text": view.text}
    shown: dict[str, Any] = {
        "kind": view.kind.value,
        "pictures": [_picture(raster, note) for raster, note in zip(view.rasters, view.notes, strict=True)],
    }
    return shown | ({"more": view.more} if view.more else {})


def _picture(raster: Raster, note: str) -> dict[str, Any]:
    rows, labels = [], []
    for row in raster.rows:
        labels += [cell for cell in row if isinstance(cell, str)]
        rows.append("".join([LABEL if isinstance(cell, str) else CHARACTERS[cell] for cell in row]))
    return {"rows": rows, "note": note} | ({"labels": labels} if labels else {})
