"""A wheel of batt and a folder from which pip takes what it needs."""

from __future__ import annotations

from pathlib import Path

import pytest

import small_wheels


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    folder = tmp_path / "given"
    folder.mkdir()
    return small_wheels.batt_wheel(folder)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "index"
    folder.mkdir()
    for name, value in small_wheels.index(folder).items():
        monkeypatch.setenv(name, value)
    return folder
