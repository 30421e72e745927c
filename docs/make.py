"""Write what the documentation derives from the code: the reference page and the README's picture.

python docs/make.py
"""

from __future__ import annotations

from pathlib import Path

import batt
from batt.draw import svg
from batt.jobs import show_result
from batt.ops.page import reference_page

DOCS = Path(__file__).parent
PICTURED = "solve_ecdecbb3", "ecdecbb3"


def pages() -> dict[Path, str]:
    """Every generated file of the documentation with its text."""
    solver, task = PICTURED
    picture = show_result(batt.load_deck()[solver], batt.load_tasks("arc1-training")[task], batt.Limits())
    return {DOCS / "reference.md": reference_page(), DOCS / "picture.svg": svg(picture.scene)}


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
