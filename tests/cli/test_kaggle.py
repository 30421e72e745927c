"""`batt kaggle pack`: what it prints and refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import small_wheels
from batt.cli.kaggle import show
from batt.kaggle import Pack
from batt.kaggle.compiling import Compiled
from native_library import needs_library


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--python", "2.7"], "--python 2.7: not a version of Python"),
        (["--python", "3.8"], "batt needs Python 3.10 or newer"),
        (["--cuda", "11"], "invalid choice: '11'"),
        (["--user", "my name"], "--user my name: names on Kaggle consist of letters, digits and hyphens"),
        (["--competition", "https://x"], "--competition https://x: names on Kaggle"),
        (["--wheel", "nowhere.whl"], "nowhere.whl: is not a wheel of batt"),
        (["--deck", "nowhere.py"], "nowhere.py"),
    ],
)
def test_bad_input_is_refused(refused: Callable[..., str], tmp_path: Path, words: list[str], message: str):
    assert message in refused("kaggle", "pack", tmp_path / "new", *words)


def test_a_folder_that_is_not_empty_is_refused(refused: Callable[..., str], tmp_path: Path, deck_file: str):
    assert "is not empty; name a new folder" in refused("kaggle", "pack", tmp_path)


def test_a_deck_with_mistakes_is_refused(refused: Callable[..., str], tmp_path: Path, bad_deck_file: str):
    assert "vmiror" in refused("kaggle", "pack", tmp_path / "new", "--deck", bad_deck_file)


@needs_library
def test_what_was_packed_is_printed_as_json(
    batt: Callable[..., Any], tmp_path: Path, deck_file: str, monkeypatch: pytest.MonkeyPatch
):
    for name, value in small_wheels.index(tmp_path).items():
        monkeypatch.setenv(name, value)
    wheel = small_wheels.batt_wheel(tmp_path)
    words = ["--python", "3.12", "--cuda", "none", "--wheel", wheel, "--deck", deck_file, "--json"]
    ended = batt("kaggle", "pack", tmp_path / "new", *words)
    assert ended.code == 0, ended
    told = json.loads(ended.out)
    assert told["wheels"] == {"3.12": 2}
    assert told["solvers"] == 3
    assert ended.err == "batt: making batt's wheel\nbatt: downloading wheels for Python 3.12\n"


def test_the_report_names_the_glibc_and_the_capabilities(capsys: pytest.CaptureFixture[str]):
    compiled = (Compiled("6.0", reason="NVRTC 13.4 does not compile for it"), Compiled("9.0", ("a", "b")))
    show(Pack(Path("new"), "arc_batt.whl", "2.34", "2.35", {"3.12": 10, "3.13": 9}, "13.4", compiled, None, 2_500_000))
    assert capsys.readouterr().out.splitlines() == [
        "packed        new, 2 MB",
        "batt          arc_batt.whl",
        "glibc         batt needs 2.34 or newer (auditwheel), all wheels together 2.35",
        "wheels        10 for Python 3.12, 9 for Python 3.13",
        "kernels       NVRTC 13.4: 9.0",
        "not compiled  6.0: NVRTC 13.4 does not compile for it",
        "deck          built-in",
        "next          see new/README.md",
    ]
