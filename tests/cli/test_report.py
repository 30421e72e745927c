from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Batt


@pytest.fixture
def run(batt: Batt, deck_file: str, tasks_file: str, tmp_path: Path) -> Path:
    batt("run", deck_file, "--tasks", tasks_file, "--out", tmp_path / "run", "--engine", "reference", "--quiet")
    return tmp_path / "run"


def test_the_page_is_one_file(batt: Batt, run: Path, tmp_path: Path):
    ended = batt("report", run, "-o", tmp_path / "page.html")
    assert ended.code == 0
    assert ended.err.startswith(f"batt: wrote {tmp_path / 'page.html'}, ")
    text = (tmp_path / "page.html").read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert "<title>deck.py on tasks · batt</title>" in text


def test_a_folder_without_a_run_is_refused(refused: Callable[..., str], tmp_path: Path):
    assert "no such file; batt run --out DIR makes one" in refused("report", tmp_path, "-o", tmp_path / "page.html")


def test_the_page_never_replaces_the_run(refused: Callable[..., str], run: Path):
    assert "not written" in refused("report", run, "-o", run / "run.batt")
