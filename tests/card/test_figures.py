"""The figures of a batt and its docstring."""

from __future__ import annotations

from batt.card.figures import WIDTH, docstring
from batt.card.steps import merge_steps
from dealt import deck_of
from handmade import deck

SOLVERS = deck(
    solve_007bbfb7=("y = vmirror(I)", "x = hconcat(I, y)"),
    solve_007bbfb7_b=("y = vmirror(I)", "f = compose(first, last)", "x = vconcat(I, y)"),
)


def test_the_docstring_tells_all_of_it():
    measured = {"hconcat": 0.5, "vmirror": 0.25}
    text = docstring(merge_steps(SOLVERS), measured, "batt card -f my_batt.py", "1.2.3", batch=False)
    assert text.startswith("2 solvers of 1 task as one function of a sample: 4 steps.\n\n")
    assert "Written by `batt card -f my_batt.py`, batt 1.2.3." in text
    table = dict(line.strip().split("  ", 1) for line in text.rsplit("\n\n", 1)[1].splitlines())
    assert {name: words.strip() for name, words in table.items()} == {
        "steps before sharing": "5",
        "steps after sharing": "4, 1 of them shared by several solvers",
        "steps by level": "1 constant, 0 task, 3 sample",
        "sample extraction": "none",
        "several objects": "none",
        "groups of mapply": "none",
        "ops by frequency": "compose 1, hconcat 1, vconcat 1, vmirror 1",
        "ops by measured cost": "hconcat 50.0%, vmirror 25.0%",
    }


def test_the_docstring_of_a_large_batt_fits_the_page():
    text = docstring(merge_steps(deck_of(400)), {}, "batt card " + "--deck x " * 20, "1.2.3", batch=True)
    assert max(map(len, text.splitlines())) <= WIDTH
    assert "400 solvers of 400 tasks as one function of a batch of samples" in text
