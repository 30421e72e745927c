"""The generated pages of the documentation are those that the code generates."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_generated_pages_are_up_to_date():
    pages = runpy.run_path(str(ROOT / "docs" / "make.py"))["pages"]()
    assert len(pages) == 2
    for path, text in pages.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: make docs"
