"""`batt profile`: its tables and files, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from batt.profile import run
from native_library import needs_library


@pytest.fixture
def given(deck_file: str, tasks_file: str) -> list[str]:
    return ["--deck", deck_file, "--tasks", tasks_file]


@needs_library
def test_the_standard_tables_are_printed(batt: Callable[..., Any], given: list[str]):
    ended = batt("profile", *given)
    assert ended.code == 0, ended.err
    for word in ("21 evaluations", "by op", "by solver", "by loop", "by evaluation", "vmirror", "machine"):
        assert word in ended.out
    assert "by step" not in ended.out
    assert "solve_mirror on mirror train0" in ended.out


@needs_library
@pytest.mark.parametrize("view", ["op", "step", "solver", "pattern", "evaluation"])
def test_one_view_is_printed_alone(batt: Callable[..., Any], given: list[str], view: str):
    ended = batt("profile", *given, "--by", view, "--top", "1")
    assert ended.code == 0, ended.err
    assert [line.split()[1] for line in ended.out.splitlines() if line.startswith("by ")] == [
        "loop" if view == "pattern" else view
    ]


@needs_library
def test_all_of_it_is_written_as_json_and_drawn(batt: Callable[..., Any], given: list[str], tmp_path: Path):
    told, drawn = tmp_path / "told.json", tmp_path / "drawn.svg"
    assert batt("profile", *given, "--json", told, "--svg", drawn, "--share", "--workers", "2").code == 0
    found = json.loads(told.read_text())
    assert {"batt", "time_s", "by_op", "by_step", "by_solver", "by_pattern", "by_evaluation"} <= found.keys()
    assert (found["evaluations"], found["share"], found["workers"]) == (21, True, 2)
    assert len(found["by_evaluation"]) == 21
    assert "vmirror" in "".join(ElementTree.fromstring(drawn.read_text()).itertext())


@needs_library
def test_evaluations_are_drawn_by_chance_or_own(batt: Callable[..., Any], given: list[str]):
    assert "9 evaluations" in batt("profile", *given, "--sample", "9", "--seed", "4").out
    assert "3 evaluations" in batt("profile", *given, "--own").out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--own", "--sample", "3"],
            "--sample takes evaluations on tasks that are not the solver's own; leave out --own",
        ),
        (["--sample", "0"], "must be at least 1, got 0"),
        (["--top", "0"], "--top must be at least 1, got 0"),
        (["--workers", "0"], "workers"),
        (["--by", "nothing"], "invalid choice"),
        (["--json", "/nowhere/told.json"], "/nowhere is not a folder"),
    ],
)
def test_bad_options_are_refused(refused: Callable[..., str], given: list[str], options: list[str], message: str):
    assert message in refused("profile", *given, *options)


def test_without_the_library_it_is_refused(
    refused: Callable[..., str], given: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(run, "missing", lambda: "it is not there")
    assert "engine 'cpu' is not available: it is not there" in refused("profile", *given)
