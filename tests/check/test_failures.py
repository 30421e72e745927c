"""Differences made small and kept."""

from __future__ import annotations

import json

import pytest

from batt.check.child import ComparingChild
from batt.check.compare import Difference, EngineComparison
from batt.check.engines import Reference
from batt.check.failures import explain, kind_of, save
from batt.front import load_deck
from batt.runtime import Limits
from handmade import SAME, deck, sample
from planted import Planted

GIVEN = deck(same=SAME, wrong=("a = rot90(I)", "b = vmirror(a)", "x = trim(b)"), crash=("x = palette(I)",))


@pytest.fixture
def child():
    made = ComparingChild(wall_s=5.0)
    yield made
    made.close()
    made.stop()


def failure(child: ComparingChild, solver: int, *planted: str):
    bench = EngineComparison(
        GIVEN,
        (sample(((1, 2, 3, 4), (5, 6, 7, 8), (9, 0, 1, 2), (3, 4, 5, 6))),),
        (Limits(),),
        (Planted(*planted), Reference()),
    )
    return explain(bench, Difference(solver, 0, "cpu", "seen in the deck"), child)


def test_a_difference_becomes_the_step_that_differs(child):
    found = failure(child, 1, "vmirror", "upside down")
    assert found.is_alone
    assert [step.callee.value.name for step in found.case.program.steps] == ["vmirror"]
    assert str(found).startswith("# cpu against reference: hash: ok ")


def test_a_crash_is_a_difference(child):
    found = failure(child, 2, "palette", "crash")
    assert found.what == "the process ended"
    assert found.case.source == "def solve_it(I):\n    x1 = palette(0)\n    return x1\n"


def test_what_does_not_show_again_is_told_as_it_was_seen(child):
    found = failure(child, 0, "vmirror", "upside down")
    assert (found.is_alone, found.what) == (False, "seen in the deck")
    assert found.case.program == GIVEN[0].program
    assert "# seen only after the evaluations before it\n" in str(found)


def test_files_can_be_checked_again(child, tmp_path):
    found = failure(child, 1, "vmirror", "upside down")
    save(found, tmp_path / "7-0", "seed 7, program 1")
    text = (tmp_path / "7-0.py").read_text()
    assert "# batt check --deck 7-0.py --tasks 7-0.json --engines cpu,reference --steps 1000000\n" in text
    assert load_deck(tmp_path / "7-0.py")[0].program == found.case.program
    task = json.loads((tmp_path / "7-0.json").read_text())["failure"]
    assert task["test"] == [{"input": [list(row) for row in found.case.sample.input]}]


def test_a_failure_keeps_its_kind_while_it_becomes_smaller():
    a = "hash, height: ok 00f2020000000000 3x4 (equal 2, differing 0) in 5 steps, expected ok 0f00 3x5 (equal 2)"
    assert kind_of(a) == kind_of(a.replace("00f2020000000000", "00f2020000000001").replace("5 steps", "1,234 steps"))
    assert kind_of("status, error: KeyError in 3 steps") == kind_of("status, error, hash: KeyError in 4 steps")
    assert kind_of("status: KeyError in 3 steps") != kind_of("status: TypeError in 3 steps")
    assert kind_of("") == ""
