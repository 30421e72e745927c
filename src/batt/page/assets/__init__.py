"""The files of the page: its frame, styles and scripts, and in `third_party` those of others with their licences."""

from __future__ import annotations

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
STYLES = ("third_party/uPlot.min.css", "page.css")
OWN_SCRIPTS = ("grids.js", "task.js", "matrix.js", "charts.js", "page.js", "live.js", "start.js")
SCRIPTS = ("third_party/uPlot.iife.min.js", *OWN_SCRIPTS)
"""In the order in which the page needs them."""


@cache
def asset(name: str) -> str:
    """Return the text of a file of the page."""
    return (FOLDER / name).read_text("utf-8")
