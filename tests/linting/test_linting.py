"""`batt.lint`: a deck by path or as it was loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

import batt
from batt.errors import UsageError
from handmade import MIRROR, source

OPS_FILE = """
from batt.own import ANY, op


@op(ANY, result=ANY)
def same(x):
    return x
"""


def test_a_path_and_a_loaded_deck_give_the_same_report(tmp_path: Path):
    path = tmp_path / "deck.py"
    path.write_text(source("solve_a", "y = I", "x = vmirror(I)", "z = first(I)"))
    report = batt.lint(path)
    assert report == batt.lint(batt.load_deck(path)) == batt.lint(str(path))
    assert (report.deck, report.solvers, len(report.findings)) == ("deck.py", 1, 1)


def test_source_texts_and_lists_are_decks_too():
    good, bad = source("solve_a", *MIRROR), source("solve_b", "x = undefined(I)")
    for deck, name in ((bad, "source"), ({"b": bad}, "sources"), ([bad, good], "sources")):
        report = batt.lint(deck)
        assert (report.deck, [each.message for each in report.findings]) == (name, ["'undefined' is not defined"])
    assert batt.lint(good + "\n\n" + bad).solvers == 1


def test_all_mistakes_are_told_even_where_no_solver_is_valid(tmp_path: Path):
    path = tmp_path / "deck.py"
    path.write_text(source("solve_a", *[f"x{n} = undefined{n}(I)" for n in range(50)], "x = I"))
    report = batt.lint(path)
    assert (report.solvers, len(report.findings)) == (0, 50)
    assert all(each.line.strip() and each.place.column == len(f"    x{n} = ") + 1
               for n, each in enumerate(report.findings))  # fmt: skip


def test_own_ops_are_known_and_a_deck_is_never_executed(tmp_path: Path):
    ops, deck, proof = tmp_path / "ops.py", tmp_path / "deck.py", tmp_path / "executed"
    ops.write_text(OPS_FILE)
    deck.write_text(f"import os\nos.system('touch {proof}')\n" + source("solve_a", "x = same(I)"))
    assert {each.message for each in batt.lint(deck).findings} >= {"'same' is not defined"}
    assert not any("same" in each.message for each in batt.lint(deck, ops=ops).findings)
    assert not proof.exists()


def test_imports_that_are_passed_over_are_counted(tmp_path: Path):
    path = tmp_path / "deck.py"
    path.write_text("from somewhere import *\nimport numpy\n\n" + source("solve_a", *MIRROR))
    assert (batt.lint(path).imports, batt.lint(path).findings) == (2, ())


def test_what_is_no_deck_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="no such file or folder"):
        batt.lint(tmp_path / "nothing.py")
