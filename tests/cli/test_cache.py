"""The cache on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Batt = Callable[..., Any]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def named(deck_file: str, tasks_file: str) -> list[str]:
    return ["--deck", deck_file, "--tasks", tasks_file]


def figures(batt: Batt) -> Any:
    return json.loads(batt("cache", "show", "--json").out)


def test_a_second_run_takes_all_from_the_cache(batt: Batt, named: list[str], tmp_path: Path):
    exports = []
    for number, cached in enumerate((0, 21)):
        path = tmp_path / f"{number}.jsonl"
        ended = batt("run", *named, "--cache", "--export", path, "--outputs")
        assert ended.code == 0
        assert ("from the cache    21" in ended.out) == bool(cached)
        exports.append(path.read_bytes())
    assert exports[0] == exports[1]
    assert json.loads(batt("run", *named, "--cache", "--json").out)["cached"] == 21
    assert json.loads(batt("run", *named, "--json").out)["cached"] == 0
    assert json.loads(batt("run", *named, "--no-cache", "--json").out)["cached"] == 0


def test_a_stored_run_may_use_the_cache(batt: Batt, named: list[str], tmp_path: Path):
    for name in ("one", "two"):
        assert batt("run", *named, "--cache", "--out", tmp_path / name, "--quiet") == (0, "", "")
    assert (tmp_path / "one" / "results.jsonl").read_bytes() == (tmp_path / "two" / "results.jsonl").read_bytes()
    assert json.loads((tmp_path / "two" / "summary.json").read_text())["cached"] == 21


def test_it_is_shown_pruned_and_cleared(batt: Batt, named: list[str], tmp_path: Path):
    assert figures(batt)["evaluations"] == 0
    assert batt("run", *named, "--cache", "--quiet").code == 0
    shown = batt("cache").out
    assert "21 in 3 columns" in shown
    assert str(tmp_path / "cache" / "results-1.db") in shown
    assert batt("cache", "prune").code == 0
    assert figures(batt)["usable"] == 21
    assert "0 in 0 columns" in batt("cache", "prune", "--size", "0").out
    assert batt("run", *named, "--cache", "--quiet").code == 0
    assert "0 in 0 columns" in batt("cache", "clear").out


def test_its_size_is_bounded(batt: Batt, named: list[str]):
    assert batt("run", *named, "--cache", "--cache-size", "0", "--quiet").code == 0
    assert figures(batt)["evaluations"] == 0


def test_what_makes_no_sense_is_refused(refused: Callable[..., str], batt: Batt, named: list[str], tmp_path: Path):
    assert "--cache-size needs --cache" in refused("run", *named, "--cache-size", "1")
    assert "a size in GiB" in batt("cache", "prune", "--size", "much").err
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    assert "other users can write to" in refused("cache")
    ended = batt("run", *named, "--cache")
    assert ended.code == 0
    assert "the cache is not used: other users can write to" in ended.err
