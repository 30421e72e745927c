"""`batt bench`: its list, its table and files, its exit codes, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import batt.cli.bench as command
from batt.bench import rearc
from batt.bench.measure import Measurement
from native_library import needs_library


@pytest.fixture
def given(deck_file: str, tasks_file: str) -> list[str]:
    return ["--deck", deck_file, "--tasks", tasks_file, "--repeat", "1"]


def test_the_list_names_every_case_with_its_hash(batt: Callable[..., Any]):
    ended = batt("bench", "--list")
    assert ended.code == 0
    for word in ("prototype", "sizes/3 samples", "first-132", "re-arc-all/lowest 95 %", "687,200"):
        assert word in ended.out


@needs_library
def test_a_tiny_run_prints_a_table_and_writes_its_files(batt: Callable[..., Any], given: list[str], tmp_path: Path):
    told, drawn = tmp_path / "told.json", tmp_path / "drawn.svg"
    ended = batt("bench", *given, "--engines", "reference,cpu:1", "--json", told, "--plot", drawn)
    assert ended.code == 0, ended.err
    for word in ("reference", "cpu:1", "evaluations/s", "ratio", "peak MB", "first result s", "all outcomes equal"):
        assert word in ended.out
    assert "solve_mirror" in ended.out
    found = json.loads(told.read_text())
    assert found.keys() == {"batt", "machine", "cases", "skipped"}
    (case,) = found["cases"]
    assert (case["evaluations"], case["equal"], len(case["columns"])) == (21, True, 2)
    ElementTree.fromstring(drawn.read_text())


@needs_library
def test_a_difference_is_told_and_the_exit_code_is_1(
    batt: Callable[..., Any], given: list[str], monkeypatch: pytest.MonkeyPatch
):
    true = command.measure

    def planted(*args: Any, **options: Any) -> Measurement:
        done = true(*args, **options)
        return Measurement(done.case, done.settings, (), done.compared, ("solve_x on t: 1, 2",), 7)

    monkeypatch.setattr(command, "measure", planted)
    ended = batt("bench", *given, "--engines", "cpu:1,cpu:2")
    assert ended.code == 1
    assert "outcomes differ in 7 evaluations" in ended.out
    assert "solve_x on t: 1, 2" in ended.out


def test_a_case_without_rearc_is_skipped_and_said(batt: Callable[..., Any], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rearc, "_found", lambda: None)
    ended = batt("bench", "re-arc", "re-arc-all/all")
    assert ended.code == 0
    assert ended.err.count("re-arc is not installed") == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["nothing"], "no case 'nothing'"),
        (["--engines", "gpu", "prototype"], "no column 'gpu'"),
        (["--repeat", "0"], "the number of repeats must be at least 1, got 0"),
        (["--limit", "0"], "--limit must be at least 1, got 0"),
        (["--tasks", "arc1-training"], "--tasks needs --deck PATH"),
        (["--deck", "a.py", "prototype"], "a case has its own deck"),
        (["--growth", "9"], "--growth goes from 1 to 8, got 9"),
        (["--cliffs", "7"], "--cliffs goes from 1 to 6, got 7"),
        (["--cliffs", "--growth"], "--cliffs measures single calls"),
    ],
)
def test_bad_options_are_refused(refused: Callable[..., str], options: list[str], message: str):
    assert message in refused("bench", *options)


@needs_library
@pytest.mark.slow
def test_cliffs_prints_a_table_and_writes_its_files(batt: Callable[..., Any], tmp_path: Path):
    told, drawn = tmp_path / "told.json", tmp_path / "drawn.svg"
    ended = batt("bench", "--cliffs", "3", "--json", told, "--plot", drawn)
    assert ended.code == 0, ended.err
    assert "ns a step" in ended.out
    assert len(json.loads(told.read_text())["cliffs"]["rows"]) > 5_000
    assert ElementTree.parse(drawn).getroot().tag.endswith("svg")
