"""Files and folders of ARC tasks."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from batt.errors import DataError
from batt.tasks import Pair, load_tasks, tasks_from_dict

TASK = {"train": [{"input": [[1]], "output": [[2]]}], "test": [{"input": [[3]]}]}
OTHER = {**TASK, "test": []}
PAIRS = [{"input": [[at]], "output": [[at + 1]]} for at in range(4)]


def write(path: Path, value: object) -> str:
    path.write_text(json.dumps(value))
    return "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()[:16]


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
    assert tasks.ids == ("a", "a-b", "b", "c")
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
    with pytest.raises(DataError, match=r"^folder mine: no \.json files, and none in folders below it$"):
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


def test_folders_below_a_folder_belong_to_it(tmp_path: Path):
    for inside in ("data/training", "data/evaluation", "data/.git", "data/corpus/deep"):
        (tmp_path / inside).mkdir(parents=True)
    write(tmp_path / "data" / "training" / "a.json", TASK)
    write(tmp_path / "data" / "training" / "same.json", TASK)
    write(tmp_path / "data" / "training" / "other.json", TASK)
    write(tmp_path / "data" / "evaluation" / "same.json", TASK)
    write(tmp_path / "data" / "evaluation" / "other.json", OTHER)
    write(tmp_path / "data" / "corpus" / "deep" / "d.json", TASK)
    write(tmp_path / "data" / ".git" / "hidden.json", TASK)
    tasks = load_tasks(tmp_path / "data")
    assert tasks.ids == ("a", "d", "other", "same", "training/other")
    assert tasks["other"].test == ()
    assert len(tasks["training/other"].test) == 1
    assert (tasks.name, len(tasks.notes)) == ("data", 2)
    names = ["corpus/deep/d", "evaluation/other", "evaluation/same", "training/a", "training/other", "training/same"]
    sums = [hashlib.sha256((tmp_path / "data" / f"{name}.json").read_bytes()).hexdigest() for name in names]
    listing = "".join([f"{each}  {name}.json\n" for each, name in zip(sums, names, strict=True)])
    assert tasks.source == f"folder data sha256:{hashlib.sha256(listing.encode()).hexdigest()[:16]}"


def test_files_of_kaggle_may_lie_in_a_folder_below(tmp_path: Path):
    for inside in ("data/kaggle", "data/mine"):
        (tmp_path / inside).mkdir(parents=True)
    write(tmp_path / "data" / "kaggle" / "x_challenges.json", {"a": TASK, "b": TASK})
    write(tmp_path / "data" / "kaggle" / "x_solutions.json", {"a": [[[4]]], "b": [[[5]]]})
    write(tmp_path / "data" / "mine" / "a.json", OTHER)
    tasks = load_tasks(tmp_path / "data")
    assert tasks.ids == ("a", "b", "mine/a")
    assert tasks["b"].test == (Pair(((3,),), ((5,),)),)
    write(tmp_path / "data" / "kaggle" / "x_solutions.json", {"a": [[[4]]]})
    with pytest.raises(DataError, match=r"^kaggle/x_solutions\.json: task b: missing$"):
        load_tasks(tmp_path / "data")
    assert load_tasks(tmp_path / "data", keep_going=True)["b"].test == (Pair(((3,),)),)


def test_a_link_to_a_folder_above_is_followed_once(tmp_path: Path):
    (tmp_path / "data" / "inside").mkdir(parents=True)
    write(tmp_path / "data" / "a.json", TASK)
    (tmp_path / "elsewhere").mkdir()
    write(tmp_path / "elsewhere" / "b.json", TASK)
    (tmp_path / "data" / "inside" / "up").symlink_to(tmp_path / "data")
    (tmp_path / "data" / "inside" / "more").symlink_to(tmp_path / "elsewhere")
    assert load_tasks(tmp_path / "data").ids == ("a", "b")


def test_folders_that_nest_too_deeply_are_refused(tmp_path: Path):
    (tmp_path / "data" / "/".join("abcdefghijk")).mkdir(parents=True)
    with pytest.raises(DataError, match=r"^folder data/a/b/c/d/e/f/g/h/i/j/k: more than 10 levels below data$"):
        load_tasks(tmp_path / "data")


def test_a_folder_below_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "data" / "closed").mkdir(parents=True)
    scan = os.scandir

    def refuse(folder: Path) -> Any:
        if folder.name == "closed":
            raise PermissionError(13, "Permission denied")
        return scan(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(DataError, match=r"^folder data/closed: cannot be read: Permission denied$"):
        load_tasks(tmp_path / "data")


def test_the_place_of_a_fault_names_the_folder_below(tmp_path: Path):
    (tmp_path / "data" / "training").mkdir(parents=True)
    write(tmp_path / "data" / "training" / "a.json", {"train": [{"input": [[1], []], "output": [[1]]}], "test": []})
    (tmp_path / "data" / "training" / "b.json").write_text("{")
    with pytest.raises(DataError) as caught:
        load_tasks(tmp_path / "data")
    assert str(caught.value).splitlines() == [
        "training/a.json: task a: train pair 0: input: row 2 is empty",
        "training/b.json: line 1, column 2: not JSON: Expecting property name enclosed in double quotes",
    ]


def test_files_that_are_not_sound_are_left_out_where_asked(tmp_path: Path):
    write(tmp_path / "a.json", TASK)
    write(tmp_path / "b.json", 5)
    (tmp_path / "c.json").write_text("{")
    found = load_tasks(tmp_path, keep_going=True)
    assert found.ids == ("a",)
    assert found.notes == (
        "b.json: task b: expected an object or a list of pairs, got 5",
        "c.json: line 1, column 2: not JSON: Expecting property name enclosed in double quotes",
        "2 of 3 tasks left out",
    )
    (tmp_path / "a.json").unlink()
    with pytest.raises(DataError, match=r"^b\.json: task b: expected"):
        load_tasks(tmp_path, keep_going=True)


def test_a_list_of_pairs_is_a_task_whose_last_pair_is_the_test(tmp_path: Path):
    write(tmp_path / "007bbfb7.json", PAIRS)
    write(tmp_path / "one.json", PAIRS[:1])
    found = load_tasks(tmp_path)
    pairs = tuple([Pair(((at,),), ((at + 1,),)) for at in range(4)])
    assert found.ids == ("007bbfb7", "one")
    assert (found[0].train, found[0].test) == (pairs[:3], pairs[3:])
    assert (found[1].train, found[1].test) == (pairs[:1], ())
    assert tuple(load_tasks(tmp_path / "007bbfb7.json")) == (found[0],)
    write(tmp_path / "all.json", {"007bbfb7": PAIRS})
    assert tuple(load_tasks(tmp_path / "all.json")) == (found[0],)


def test_an_id_may_have_255_characters(tmp_path: Path):
    name = "n" * 250
    write(tmp_path / f"{name}.json", TASK)
    assert load_tasks(tmp_path).ids == (name,)
