"""Packing: what may be packed, in which order, and that nothing half-written is left."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from batt.errors import DataError, UsageError
from batt.tasks import Pair, Task, load_tasks, tasks_from_dict
from batt.tasks.packing import pack_tasks
from handmade import plain_tasks


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (Task("a", (), ()), "task a: no train pairs"),
        (Task("a\n", (Pair(((1,),), ((1,),)),), ()), "an id has 1 to 255 printable characters"),
        (Task("a", (Pair(((1,), (1, 2)), ((1,),)),), ()), "task a: train pair 0: input: row 2 has 2 values"),
        (Task("a", (Pair(((1,),), ((10,),)),), ()), "task a: train pair 0: output: row 1, value 1: expected an int"),
        (Task("a", (Pair(((1,),), ((1,),)),), (Pair(()),)), "task a: test pair 0: input: no rows"),
    ],
)
def test_what_is_no_arc_data_is_not_packed(tmp_path: Path, task: Task, message: str):
    with pytest.raises(DataError, match=message):
        pack_tasks([task], tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_tasks_are_packed_in_ascending_order_of_id_and_equal_ones_once(tmp_path: Path):
    first, second = tasks_from_dict(plain_tasks())
    done = pack_tasks([second, first, second], tmp_path / "x")
    assert (done.tasks, done.repeated) == (2, 1)
    assert tuple(load_tasks(tmp_path / "x")) == (first, second)
    other = Task(first.id, second.train, second.test)
    with pytest.raises(DataError, match="task mirror: appears twice, with other pairs; leave one of them out"):
        pack_tasks([first, other], tmp_path / "x")
    assert tuple(load_tasks(tmp_path / "x")) == (first, second)


def test_a_packed_file_is_packed_again_over_itself(tmp_path: Path):
    path = tmp_path / "x"
    pack_tasks(tasks_from_dict(plain_tasks()), path)
    found = load_tasks(path)
    pack_tasks(found[:1], path)
    assert load_tasks(path).ids == ("mirror",)
    # What was opened before is still what it was.
    assert found["trap"].id == "trap"


def test_a_target_that_cannot_be_written_is_refused(tmp_path: Path):
    tasks = tasks_from_dict(plain_tasks())
    with pytest.raises(UsageError, match="not a regular file"):
        pack_tasks(tasks, tmp_path)
    with pytest.raises(UsageError, match="cannot be written"):
        pack_tasks(tasks, tmp_path / "nowhere" / "x")
    with pytest.raises(UsageError, match="there are no tasks to pack"):
        pack_tasks([], tmp_path / "x")
    with pytest.raises(UsageError, match="not a regular file"):
        pack_tasks(tasks, os.devnull)
    assert list(tmp_path.iterdir()) == []


def test_tasks_are_taken_one_after_the_other(tmp_path: Path):
    def many() -> Iterator[Task]:
        for number in range(20):
            alive = [each for each in gc.get_objects() if isinstance(each, Task) and each.id.startswith("many")]
            assert len(alive) <= 1
            del alive
            yield Task(f"many{number:03}", (Pair(((1,),), ((1,),)),), ())

    pack_tasks(many(), tmp_path / "x")
    assert len(load_tasks(tmp_path / "x")) == 20
