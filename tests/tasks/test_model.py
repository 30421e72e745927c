"""Lookup, selection and printed forms of tasks."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from batt.errors import DataError, UsageError
from batt.tasks import Pair, Task, Tasks

ONE, WIDE = ((1,),), ((1, 2, 3),)
FIRST = Task("aaaa0001", (Pair(ONE, WIDE), Pair(WIDE, ONE)), (Pair(ONE),))
SECOND = Task("aaaa0002", (Pair(ONE, ONE),), ())
THIRD = Task("bbbb0003", (Pair(ONE, ONE),), (Pair(ONE, ONE),))
TASKS = Tasks((FIRST, SECOND, THIRD), "test")


def test_printed_forms():
    assert repr(FIRST) == "<Task aaaa0001 | 2 train | 1 test>"
    assert repr(TASKS) == "<Tasks | 3 tasks | 6 pairs>"
    assert repr(TASKS[1:2]) == "<Tasks | 1 task | 1 pair>"
    assert repr(FIRST.train[0]) == "<Pair 1x1 -> 1x3>"
    assert repr(FIRST.test[0]) == "<Pair 1x1 -> ?>"


def test_demonstrations_are_the_train_pairs_as_plain_tuples():
    assert FIRST.demonstrations == ((ONE, WIDE), (WIDE, ONE))


def test_pairs_are_train_then_test():
    assert FIRST.pairs == FIRST.train + FIRST.test


def test_a_train_pair_needs_its_output():
    with pytest.raises(DataError, match=r"^task x: train pair 1: missing 'output'$"):
        Task("x", (Pair(ONE, ONE), Pair(ONE)), ())


def test_tasks_are_found_by_position_id_and_slice():
    assert TASKS[0] is FIRST
    assert TASKS[-1] is THIRD
    assert TASKS["aaaa0002"] is SECOND
    assert TASKS[1:] == Tasks((SECOND, THIRD), "test")
    assert list(TASKS) == [FIRST, SECOND, THIRD]
    assert TASKS.ids == ("aaaa0001", "aaaa0002", "bbbb0003")
    assert len(TASKS) == 3
    with pytest.raises(IndexError):
        TASKS[3]


def test_membership_is_by_id_or_by_task():
    assert "aaaa0001" in TASKS
    assert FIRST in TASKS
    assert "aaaa0009" not in TASKS
    assert Task("aaaa0001", SECOND.train, ()) not in TASKS
    assert 0 not in TASKS


def test_an_unknown_id_names_close_ones():
    with pytest.raises(UsageError, match=r"^unknown task 'bbbb0030'; did you mean bbbb0003\?$"):
        TASKS["bbbb0030"]
    with pytest.raises(UsageError, match=r"^unknown task '~'$"):
        TASKS["~"]


def test_select_keeps_the_order_asked_for_and_the_source():
    assert TASKS.select() == TASKS
    assert TASKS.select(count=2).ids == ("aaaa0001", "aaaa0002")
    assert TASKS.select(count=9) == TASKS
    assert TASKS.select(ids=["bbbb0003", "aaaa0001", "bbbb0003"]).ids == ("bbbb0003", "aaaa0001")
    assert TASKS.select(ids=["bbbb0003", "aaaa0001"], count=1).ids == ("bbbb0003",)
    assert TASKS.select("aaaa0002").ids == ("aaaa0002",)
    assert TASKS.select(count=1).source == "test"


def test_select_refuses_what_cannot_be_met():
    with pytest.raises(UsageError, match=r"^unknown task 'cccc'$"):
        TASKS.select(ids=["cccc"])
    with pytest.raises(UsageError, match=r"^the number of tasks must be at least 1, got 0$"):
        TASKS.select(count=0)


def test_an_id_appears_once():
    with pytest.raises(DataError, match=r"^task aaaa0001: appears twice$"):
        Tasks((FIRST, Task("aaaa0001", SECOND.train, ())), "test")
    with pytest.raises(DataError, match=r"^task aaaa0001: appears twice$"):
        Tasks((FIRST, FIRST), "test")


@pytest.mark.parametrize(("frozen", "name"), [(FIRST.train[0], "input"), (FIRST, "id"), (TASKS, "source")])
def test_nothing_can_be_changed(frozen: Any, name: str):
    with pytest.raises(FrozenInstanceError):
        setattr(frozen, name, "other")


def test_tasks_are_hashable_and_survive_copying():
    assert hash(TASKS) == hash(Tasks((FIRST, SECOND, THIRD), "test"))
    for twin in (pickle.loads(pickle.dumps(TASKS)), copy.deepcopy(TASKS)):
        assert twin == TASKS
        assert twin["aaaa0001"] == FIRST


def test_a_task_is_a_scene_of_its_pairs():
    scene = FIRST.scene()
    assert scene.title == "task aaaa0001"
    assert [row.title for row in scene.rows] == ["train 0", "train 1", "test 0"]
    assert [len(row.parts) for row in scene.rows] == [3, 3, 1]


def test_a_task_draws_itself_in_notebooks_and_on_terminals():
    assert "aaaa0001" in FIRST._repr_html_()
    assert FIRST.__rich__().scene == FIRST.scene()


def test_a_pair_draws_itself_in_notebooks():
    assert FIRST.train[0]._repr_html_().count(">output<") == 1
    assert ">output<" not in FIRST.test[0]._repr_html_()


def test_a_set_of_tasks_draws_the_first_pairs_of_its_first_tasks_in_notebooks():
    html = Tasks(tuple(replace(FIRST, id=f"a{at}") for at in range(62)), "")._repr_html_()
    assert html.startswith("<p>Tasks | 62 tasks | 186 pairs; the first 60:</p>")
    assert html.count("<img ") == 60
    assert [f">a{at}<" in html for at in (0, 59, 60)] == [True, True, False]
    assert TASKS._repr_html_().startswith(f"<p>{repr(TASKS)[1:-1]}</p>")


def test_reading_tasks_does_not_import_the_drawing():
    code = "import sys, batt.tasks; print('batt.draw' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
