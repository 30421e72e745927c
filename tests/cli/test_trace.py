"""`batt trace`: one evaluation, step by step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def named(deck_file: str, tasks_file: str) -> list[str]:
    return ["--deck", deck_file, "--tasks", tasks_file]


def test_a_trace_shows_input_steps_and_verdict(batt: Callable[..., Any], named: list[str]):
    ended = batt("trace", "solve_mirror", "mirror", *named)
    assert (ended.code, ended.err) == (0, "")
    for text in ("solve_mirror on mirror", "def solve_mirror(I)", "x = vmirror(I)", "│ 2 1 │", "return x", "✓ equal"):
        assert text in ended.out


@pytest.mark.parametrize(("pair", "cells"), [("train0", "2 1"), ("1", "5 4 3"), ("0", "2 1"), ("test0", "7 6")])
def test_a_pair_is_named_by_part_and_number(batt: Callable[..., Any], named: list[str], pair: str, cells: str):
    assert f"│ {cells} │" in batt("trace", "solve_mirror", "mirror", pair, *named).out


def test_a_failed_step_is_the_last_one_shown_with_its_cause(batt: Callable[..., Any], named: list[str]):
    ended = batt("trace", "solve_fails", "mirror", *named)
    assert ended.code == 0
    assert "def solve_fails(I)    x = first(())\n" in ended.out
    assert "! raised StopIteration: first of an empty tuple\n" in ended.out
    assert "return" not in ended.out


def test_a_trace_that_differs_shows_what_was_expected(batt: Callable[..., Any], named: list[str]):
    ended = batt("trace", "solve_same", "trap", "test0", *named)
    assert ended.code == 0
    assert ended.out.startswith("solve_same on trap test 0\n")
    assert "│*8*9 │  │ 9 8 │" in ended.out
    assert "✗ different: 2 of 2 cells differ" in ended.out


def test_a_trace_is_written_to_a_file(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    assert batt("trace", "solve_mirror", "mirror", *named, "-o", tmp_path / "trace.txt") == (0, "", "")
    assert "x = vmirror(I)" in (tmp_path / "trace.txt").read_text()


HAVE = "it has train0 … train1, test0 … test0"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["solve_mirror", "mirror", "train2"], f"task mirror has no pair 'train2'; {HAVE}"),
        (["solve_mirror", "mirror", "test1"], f"task mirror has no pair 'test1'; {HAVE}"),
        (["solve_mirror", "mirror", "exam0"], f"task mirror has no pair 'exam0'; {HAVE}"),
        (["solve_mirror", "mirror", "train"], f"task mirror has no pair 'train'; {HAVE}"),
        (["solve_mirror", "mirror", "9" * 30], f"task mirror has no pair '{'9' * 30}'; {HAVE}"),
        (["solve_mirror", "mirror", ""], f"task mirror has no pair ''; {HAVE}"),
        (["solve_qqqqqqqqqqqqqqqq", "mirror"], "no solver 'solve_qqqqqqqqqqqqqqqq' in deck.py"),
        (["solve_mirror", "miror"], "unknown task 'miror'; did you mean mirror?"),
        (["solve_mirror", "mirror", "--steps", "0"], "the limit of steps must be greater than zero, got 0"),
    ],
)
def test_what_cannot_be_traced_is_told_in_one_line(
    refused: Callable[..., str], named: list[str], argv: list[str], message: str
):
    assert refused("trace", *argv, *named) == f"batt: {message}\n"
