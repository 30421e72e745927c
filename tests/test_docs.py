"""The generated pages of the documentation are those that the code generates."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from batt.bytecode.opcodes import Code
from batt.jobs.choice import PAYS_FROM
from batt.jobs.prepare import COMPILE_FROM

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


def test_pages_give_the_figures_that_the_code_goes_by():
    guide, speed = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("guide.md", "speed.md")]
    sentence = f"Compiling a solver costs what about {COMPILE_FROM} evaluations save."
    assert sentence in guide
    assert sentence in speed
    assert f"{PAYS_FROM['cuda']:,} steps of programs for each thread" in guide


def test_no_page_and_no_message_names_an_install_from_an_index_that_has_no_batt():
    texts = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("src/batt/**/*.py")]
    assert [path.name for path in texts if re.search(r"install.*arc-batt", path.read_text(encoding="utf-8"))] == []
