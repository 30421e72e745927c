"""`batt stats`: how solvers use the language, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import batt as package
from batt.statistics import count_statistics, json_text
from handmade import source


def test_tables_tell_of_lengths_arguments_literals_and_groups(batt: Callable[..., Any], tmp_path: Path):
    (tmp_path / "mine.py").write_text(source("solve_a", "y = objects(I, T, F, T)", "x = argmax(y, size)"))
    ended = batt("stats", tmp_path / "mine.py")
    assert (ended.code, ended.err) == (0, "")
    rows = [" ".join(line.split()) for line in ended.out.splitlines()]
    assert rows[0] == "mine.py: 1 solver, 2 steps"
    assert "steps of a solver 2 2 2.0 2" in rows
    assert "argmax 1 0 0: step objects 100%" in rows
    assert "1: function size 100%" in rows
    assert "function 1 size 100%" in rows
    assert "mine 2 objects 50%, argmax 50%" in rows


def test_only_the_top_ops_are_shown(batt: Callable[..., Any]):
    least = batt("stats", "--top", "1").out
    assert len(least.splitlines()) < len(batt("stats", "--top", "2").out.splitlines())


def test_all_counts_are_written_as_json(batt: Callable[..., Any], tmp_path: Path):
    assert batt("stats", "--json", tmp_path / "counts.json") == (0, "", "")
    assert (tmp_path / "counts.json").read_text("utf-8") == json_text(count_statistics(package.load_deck()))


def test_a_top_of_nothing_is_refused(refused: Callable[..., str]):
    assert refused("stats", "--top", "0") == "batt: --top is a number of ops greater than zero, got 0\n"
