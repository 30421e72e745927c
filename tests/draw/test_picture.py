"""A picture in a notebook: rich takes over the console there, and must not take over ours."""

from __future__ import annotations

import builtins
from pathlib import Path

import pytest
from rich.console import Console

from batt.draw import Picture
from scenes import value_scene

PICTURE = Picture(value_scene(((1, 2), (3, 4)), "title"))


class ZMQInteractiveShell:
    """What rich tells a notebook by."""


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtins, "get_ipython", ZMQInteractiveShell, raising=False)
    assert Console().is_jupyter


def test_the_text_of_a_picture_is_the_same_in_a_notebook_and_nothing_is_displayed(
    request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = repr(PICTURE)
    assert "│ 1 2 │" in text
    request.getfixturevalue("notebook")
    assert repr(PICTURE) == text
    PICTURE.save(tmp_path / "x.txt")
    assert (tmp_path / "x.txt").read_text("utf-8") == text
    assert capsys.readouterr() == ("", "")
