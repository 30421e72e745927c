"""Two checkouts measured in turn: ratios by pairs of runs, and what makes the comparison fail."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from alternate import compare, main, only_in_one, order, quartiles
from handmade import MIRROR, plain_tasks, source

MakeCheckout = Callable[..., str]

MISSING = """
for word; do
    [ "$word" = --devices ] && echo "batt bench: error: unrecognized arguments: --devices" >&2 && exit 2
done
"""


def figures(rate: float, engine: str = "cpu:2", ok: int = 9) -> dict[str, Any]:
    column = {"engine": engine, "evaluations_per_s": rate, "statuses": {"ok": ok}}
    return {"cases": [{"case": "built-in", "equal": True, "columns": [column]}]}


def test_runs_alternate_in_such_an_order_that_drift_favours_neither():
    assert [place for _, place in order(4)] == [0, 1, 1, 0, 0, 1, 1, 0]
    assert [number for number, _ in order(2)] == [0, 0, 1, 1]


def test_quartiles_of_one_value_are_that_value():
    assert quartiles([2.0]) == (2.0, 2.0, 2.0)
    assert quartiles([1.0, 2.0, 3.0, 4.0, 5.0]) == (2.0, 3.0, 4.0)


def test_ratios_are_those_of_the_pairs():
    # The ratio of the medians would be 1: the machine was twice as fast during the last pairs.
    old, new = (100.0, 200.0, 400.0), (110.0, 200.0, 300.0)
    (found,) = compare([figures(each) for each in old], [figures(each) for each in new])
    assert (found.case, found.engine, found.pairs) == ("built-in", "cpu:2", 3)
    assert (found.lower_quartile, found.median, found.upper_quartile) == pytest.approx((0.875, 1.0, 1.05))
    assert (found.old_per_s, found.new_per_s, found.outcomes_equal) == (200.0, 200.0, True)
    assert found.is_ok(1.0)
    assert not found.is_ok(1.01)


def test_one_run_with_other_outcomes_is_enough_to_fail():
    (found,) = compare([figures(1.0), figures(1.0)], [figures(2.0), figures(2.0, ok=8)])
    assert found.outcomes_equal is False
    assert not found.is_ok(0.97)


def test_plain_python_has_no_outcomes_to_compare():
    (found,) = compare([figures(1.0, "plain")], [figures(1.0, "plain", ok=8)])
    assert found.outcomes_equal is None
    assert found.is_ok(0.97)


def test_growth_and_devices_are_read():
    old = {"growth": {"rows": [{"evaluations": 1000, "evaluations_per_s": {"auto": 5.0, "reference": None}}]}}
    (found,) = compare([old], [old])
    assert (found.case, found.engine, found.median, found.outcomes_equal) == ("growth 1,000", "auto", 1.0, None)
    (found,) = compare(*[[{"devices": {"rows": [{"devices": "0,0", "evaluations_per_s": 3.0}]}}]] * 2)
    assert (found.case, found.engine, found.median) == ("devices 0,0", "cuda", 1.0)


def test_what_only_one_has_measured_is_named():
    old, new = [figures(1.0)], [figures(1.0, "cpu:3")]
    assert compare(old, new) == []
    assert only_in_one(old, new) == ["only in old: built-in, cpu:2", "only in new: built-in, cpu:3"]


def test_two_checkouts_are_measured(tmp_path: Path, checkout: MakeCheckout, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "deck.py").write_text(source("solve_mirror", *MIRROR))
    (tmp_path / "tasks.json").write_text(json.dumps(plain_tasks()))
    case = ["--deck", f"{tmp_path}/deck.py", "--tasks", f"{tmp_path}/tasks.json", "--limit", "2"]
    bench = [*case, "--engines", "reference", "--repeat", "1"]
    own = ["--no-build", "--times", "1", "--json", f"{tmp_path}/told.json"]
    code = main([checkout("one"), checkout("two"), *own, "--least", "0", *bench])
    printed = capsys.readouterr()
    assert code == 0, printed.err
    assert printed.err.splitlines()[-2:] == ["run 1 of 2: old", "run 2 of 2: new"]
    told = json.loads((tmp_path / "told.json").read_text())
    assert told["arguments"] == bench
    (found,) = told["compared"]
    assert (found["case"], found["engine"], found["pairs"], found["outcomes_equal"]) == ("deck", "reference", 1, True)
    assert found["median"] == found["new_per_s"] / found["old_per_s"] > 0
    assert printed.out.splitlines()[-1].split()[:3] == ["deck", "reference", "1"]


def test_a_median_below_the_least_fails(
    tmp_path: Path, checkout: MakeCheckout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    rates = iter([100.0, 90.0])
    monkeypatch.setattr("alternate.bench", lambda *_: figures(next(rates)))
    monkeypatch.setattr("alternate.check_options", lambda *_: None)
    assert main([checkout("one"), checkout("two"), "--no-build", "--times", "1"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].endswith("0.900  0.900 – 0.900     equal  below 0.97")


def test_an_option_that_the_old_batt_does_not_know_is_told_before_anything_runs(
    checkout: MakeCheckout, capsys: pytest.CaptureFixture[str]
):
    assert main([checkout("one", MISSING), checkout("two"), "--no-build", "built-in", "--devices", "0"]) == 2
    told = capsys.readouterr().err
    assert "unrecognized arguments: --devices" in told
    assert told.splitlines()[-1].startswith("old: the batt of ")
    assert "does not take these arguments; give those that both take" in told
    assert "run 1 of" not in told
