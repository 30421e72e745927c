"""Commands that packing runs: what is missing and what fails is told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from batt.errors import UsageError
from batt.kaggle import commands
from batt.kaggle.packing import PackRequest, make_pack


@pytest.mark.parametrize(("missing", "remedy"), [("pip", "python -m ensurepip"), ("auditwheel", "pip install auditwh")])
def test_a_missing_tool_is_named_with_its_remedy_before_any_work(
    missing: str, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(commands, "find_spec", lambda name: None if name == missing else sys)
    told: list[str] = []
    with pytest.raises(UsageError, match=f"{missing} is missing in {sys.prefix}; {remedy}"):
        make_pack(tmp_path / "pack", PackRequest(("3.12",)), told.append)
    assert told == []
    assert list(tmp_path.iterdir()) == []


def test_a_command_that_fails_says_its_errors_and_not_its_warnings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "noisy.py").write_text(
        "import sys; print('WARNING: old\\nERROR: one\\nnoise\\nERROR: two', file=sys.stderr); sys.exit(1)"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(UsageError, match=r"^noisy download failed: one\ntwo$"):
        commands.run_module("noisy", "download")


def test_what_a_command_prints_is_returned_and_changes_reach_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "shows.py").write_text("import os, sys; print(sys.argv[1], os.environ['BATT_PURE'])")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert commands.run_module("shows", "wheel", BATT_PURE="0") == "wheel 0\n"
