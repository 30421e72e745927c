"""`batt show --graph` as a person calls it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graph_text import from_text
from handmade import STUCK, source


def test_the_figures_of_a_deck_are_shown(batt: Callable[..., Any], deck_file: str):
    ended = batt("show", "--graph", "--deck", deck_file)
    assert ended.code == 0
    assert "distinct steps" in ended.out


def test_a_solver_that_is_not_compiled_is_named_with_the_reason(batt: Callable[..., Any], tmp_path: Path):
    path = tmp_path / "mixed.py"
    path.write_text(source("solve_mixed", "x = insert(size, initset(I))"))
    ended = batt("show", "--graph", "--deck", str(path))
    assert "0 compiled, 1 not compiled" in ended.out
    assert "not compiled: solve_mixed: functions beside data in one container" in ended.out


def test_the_figures_of_a_deck_are_json_where_asked_for(batt: Callable[..., Any], deck_file: str):
    ended = batt("show", "--graph", "--deck", deck_file, "--json")
    assert json.loads(ended.out)["solvers"] == 3


def test_a_deck_that_never_ends_costs_only_its_measured_figures(batt: Callable[..., Any], tmp_path: Path):
    path = tmp_path / "stuck.py"
    path.write_text(source("solve_stuck", *STUCK))
    ended = batt("show", "--graph", "--deck", str(path), "-t", "2")
    assert ended.code == 0
    assert "distinct steps" in ended.out
    assert "most steps, measured" not in ended.out
    assert "costs were not measured within 2 s" in ended.err


def test_one_solver_is_printed_as_text_that_reads_back(batt: Callable[..., Any], deck_file: str):
    ended = batt("show", "--graph", "solve_mirror", "--deck", deck_file)
    assert [each.name for each in from_text(ended.out).slices] == ["solve_mirror"]


def test_one_solver_is_json_where_asked_for(batt: Callable[..., Any], deck_file: str):
    ended = batt("show", "--graph", "solve_mirror", "--deck", deck_file, "--json")
    assert json.loads(ended.out)["name"] == "solve_mirror"


@pytest.mark.parametrize("suffix", ["svg", "png", "txt"])
@pytest.mark.parametrize("what", [(), ("solve_mirror",)])
def test_a_graph_is_written_to_a_file(
    batt: Callable[..., Any], deck_file: str, tmp_path: Path, suffix: str, what: tuple[str, ...]
):
    target = tmp_path / f"graph.{suffix}"
    assert batt("show", "--graph", *what, "--deck", deck_file, "-o", str(target)).code == 0
    assert target.stat().st_size > 50


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("show --graph solve_nothing", "no solver 'solve_nothing'"),
        ("show --graph -o graph.gif", "a graph is written as .svg, .png or .txt"),
        ("show --graph solve_mirror mirror", "--graph shows a deck or one of its solvers"),
        ("show --json", "--json needs --graph"),
    ],
)
def test_what_cannot_be_shown_is_told(refused: Callable[..., str], deck_file: str, line: str, told: str):
    assert told in refused(*line.split(), "--deck", deck_file)
