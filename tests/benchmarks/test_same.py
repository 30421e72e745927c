"""Exports of two checkouts: equal byte for byte, or the first row that differs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from handmade import plain_tasks
from same import drawn, main

MakeCheckout = Callable[..., str]

WRITES = """
[ "$1" = -c ] && exec {python} "$@"
for last; do :; done
printf '{{"row":1}}\\n{{"row":{second}}}\\n' > "$last"
echo '{{"steps": 7, "statuses": {{"ok": 2}}}}'
exit {code}
"""


def writes(second: int, code: int = 0) -> str:
    """A Python that exports two rows in place of `batt run`."""
    return WRITES.format(python=sys.executable, second=second, code=code)


@pytest.mark.parametrize("deck", ["first-132", "built-in"])
def test_exports_of_the_same_source_are_equal(
    tmp_path: Path, checkout: MakeCheckout, capsys: pytest.CaptureFixture[str], deck: str
):
    (tmp_path / "tasks.json").write_text(json.dumps(plain_tasks()))
    chosen = ["--decks", deck, "--tasks", f"{tmp_path}/tasks.json", "--sample", "4"]
    options = ["--no-build", "--engine", "reference", "--json", f"{tmp_path}/told.json"]
    code = main([checkout("one"), checkout("two"), *chosen, *options])
    assert code == 0, capsys.readouterr().err
    told = json.loads((tmp_path / "told.json").read_text())
    assert [each["outputs"] for each in told] == [False, True]
    for each in told:
        assert each["equal"]
        assert each["old"]["sha256"] == each["new"]["sha256"]
        assert 4 <= each["new"]["rows"] <= 7
        assert each["new"]["steps"] > 0
    assert told[0]["old"]["size_bytes"] < told[1]["old"]["size_bytes"]


def test_the_first_row_that_differs_is_shown(checkout: MakeCheckout, capsys: pytest.CaptureFixture[str]):
    options = ["--no-build", "--decks", "built-in", "--tasks", "arc1-training"]
    assert main([checkout("one", writes(2)), checkout("two", writes(3)), *options]) == 1
    printed = capsys.readouterr().out
    assert "DIFFERENT" in printed
    assert 'row 1 differs:\n  old {"row":2}\n  new {"row":3}' in printed


def test_a_run_that_fails_is_an_error(checkout: MakeCheckout, capsys: pytest.CaptureFixture[str]):
    options = ["--no-build", "--decks", "built-in", "--tasks", "arc1-training"]
    assert main([checkout("one", writes(2, code=1)), checkout("two", writes(2)), *options]) == 2
    assert "old: batt run failed with exit code 1" in capsys.readouterr().err


def test_a_seed_draws_the_same_pairs_of_solvers_and_tasks():
    contents = {"solvers": ["solve_a", "solve_b", "solve_c"], "tasks": plain_tasks()}
    chosen = drawn(contents, 8, seed=1)
    assert drawn(contents, 8, seed=1) == chosen
    assert {name: contents["tasks"][name.partition("/")[0]] for name in chosen} == chosen
    pairs = [len(task["train"]) + len(task["test"]) for task in chosen.values()]
    assert sum(pairs[:-1]) < 8 <= sum(pairs)
    assert len(drawn(contents, 10**6, seed=1)) == 6
