"""Write what the documentation derives from the code: the reference page, the table of instructions and the README's
picture.

python docs/make.py
"""

from __future__ import annotations

import re
from pathlib import Path

import batt
from batt.bytecode.opcodes import Code
from batt.draw import svg
from batt.jobs import show_result
from batt.ops.page import reference_page

DOCS = Path(__file__).parent
TABLE = re.compile(r"(<!-- Made from .* -->\n)(?:.*\n)*?(<!-- End of what is made. -->\n)")
PICTURED = "solve_ecdecbb3", "ecdecbb3"


def pages() -> dict[Path, str]:
    """Every generated file of the documentation with its text."""
    solver, task = PICTURED
    picture = show_result(batt.load_deck()[solver], batt.load_tasks("arc1-training")[task], batt.Limits())
    return {
        DOCS / "reference.md": reference_page(),
        DOCS / "bytecode.md": bytecode_page(),
        DOCS / "picture.svg": svg(picture.scene),
    }


def bytecode_page() -> str:
    """The page of the bytecode, its table of instructions made anew."""
    rows = ["| opcode | immediates | operands | effect |", "|---|---|---|---|"]
    rows += ["| an op | – | its arity | `R[d] := op(x…)`, charged as the op is |"]
    for code in Code:
        immediates, operands = [", ".join(each) or "–" for each in (code.form.immediates, code.form.operands)]
        rows.append(f"| {code.name} | {immediates} | {operands} | {code.form.effect} |")
    text = (DOCS / "bytecode.md").read_text(encoding="utf-8")
    return TABLE.sub(lambda found: found[1] + "".join([f"{each}\n" for each in rows]) + found[2], text)


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
