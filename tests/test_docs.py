"""The generated pages of the documentation are those that the code generates."""

from __future__ import annotations

import runpy
from pathlib import Path

from batt.bytecode.opcodes import Code

ROOT = Path(__file__).parents[1]


def test_generated_pages_are_up_to_date():
    pages = runpy.run_path(str(ROOT / "docs" / "make.py"))["pages"]()
    assert len(pages) == 3
    for path, text in pages.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: make docs"


def test_the_page_of_the_bytecode_has_a_row_for_every_instruction():
    page = (ROOT / "docs" / "bytecode.md").read_text(encoding="utf-8")
    for code in Code:
        assert f"| {code.name} | " in page
        assert f" | {code.form.effect} |\n" in page
