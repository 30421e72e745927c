"""Sets of transformed tasks: made on demand, named by what was done, run like others."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import batt
from batt.errors import DataError, UsageError
from batt.tasks import load_tasks, original, tasks_from_dict
from batt.tasks.packing import pack_tasks
from batt.tasks.rows import Rows
from handmade import MIRROR, SAME, deck, plain_tasks

TASKS = tasks_from_dict(plain_tasks())


@pytest.mark.parametrize("packed", [False, True])
def test_each_task_comes_with_its_transforms(packed: bool, tmp_path: Path):
    tasks = TASKS
    if packed:
        pack_tasks(TASKS, tmp_path / "x")
        tasks = load_tasks(tmp_path / "x")
    found = tasks.augmented(symmetries=True, colours=2, seed=3)
    assert len(found) == 2 * 8 * 3
    assert isinstance(found.tasks, Rows)
    assert found.ids[0] == "mirror"
    assert found.ids[24] == "trap"
    for task in found:
        name, transform = original(task.id)
        assert task == transform.task(TASKS[name])
    assert found.tasks.cells.tolist() == [14] * 24 + [18] * 24
    assert found.tasks.pair_counts.tolist() == [[2, 1]] * 24 + [[2, 2]] * 24
    assert found["trap.rot90"].train[0].input == ((1,), (1,))
    assert found.select(["trap.vmirror", "mirror"]).ids == ("trap.vmirror", "mirror")
    assert found.source == f"{tasks.source} @symmetries@colours:2:seed=3"


def test_a_task_that_is_named_like_a_transform_is_transformed_as_it_is():
    turned = replace(TASKS["mirror"], id="mirror.rot90")
    found = load_tasks(turned).augmented(["rot90"])
    assert found.ids == ("mirror.rot90", "mirror.rot90.rot90")
    assert found[0] == turned
    assert found[1].train[0].input == ((1,), (2,))


def test_a_source_may_ask_for_transforms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert len(load_tasks("arc1-training@symmetries")) == 3200
    monkeypatch.chdir(tmp_path)
    for name in ("tasks.json", "my@tasks", "my@tasks@symmetries"):
        Path(name).write_text(json.dumps(plain_tasks()))
    assert load_tasks("tasks.json@symmetries:rot90").ids == ("mirror", "mirror.rot90", "trap", "trap.rot90")
    assert len(load_tasks("my@tasks@colours:2")) == 6
    assert load_tasks("my@tasks@symmetries").ids == ("mirror", "trap")
    assert len(load_tasks("my@tasks@symmetries@symmetries")) == 16
    merged = load_tasks("tasks.json", "tasks.json@symmetries:rot90")
    assert merged.ids == ("mirror", "mirror.rot90", "trap", "trap.rot90")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("arc1-training@", "unknown augmentation ''; expected one of: symmetries, "),
        ("arc1-training@rotations", "unknown augmentation 'rotations'; expected one of: symmetries, "),
        ("arc1-trainin@symmetries", "'arc1-trainin@symmetries'; did you mean arc1-training?"),
        ("nowhere@symmetries", "no such file, folder or set of tasks: 'nowhere@symmetries'; built in are"),
        ("a\0@symmetries", "no such file, folder or set of tasks: 'a\\x00@symmetries'; built in are"),
    ],
)
def test_a_source_that_asks_for_something_unknown_is_refused(source: str, message: str):
    with pytest.raises(UsageError) as caught:
        load_tasks(source)
    assert message in str(caught.value)


def test_an_id_that_would_be_too_long_is_refused():
    tasks = load_tasks(replace(TASKS["mirror"], id="m" * 250))
    with pytest.raises(DataError, match=r"^task m+.*…: with its transform the id is longer than 255 characters$"):
        tasks.augmented(True)


def test_more_tasks_than_a_set_may_have_are_refused():
    with pytest.raises(UsageError, match=r"^arc1-training@colours:30000 would have 12,000,400 tasks; at most "):
        load_tasks("arc1-training@colours:30000")


def test_transformed_tasks_are_run_like_others():
    solvers = deck(solve_mirror=MIRROR, solve_same=SAME)
    found = TASKS.augmented(["vmirror", "rot90"])
    results = batt.evaluate(solvers, found, engine="reference", workers=1)
    fits = {(solver, found.ids[task]) for solver, row in zip(solvers.names, results.fits, strict=True)
            for task in row.nonzero()[0]}  # fmt: skip
    # A grid that is mirrored left to right is still one after a mirror, but not after a turn.
    assert {task for solver, task in fits if solver == "solve_mirror"} >= {"mirror", "mirror.vmirror"}
    assert ("solve_mirror", "mirror.rot90") not in fits
    assert {task for solver, task in fits if solver == "solve_same"} == {"trap", "trap.vmirror", "trap.rot90"}
