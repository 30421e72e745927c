"""Several sets of tasks become one: equal tasks once, different ones under names of their own."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from batt.errors import DataError, UsageError
from batt.tasks import Pair, Task, Tasks, load_tasks, merge_tasks
from batt.tasks.merge import join
from batt.tasks.packing import pack_tasks
from batt.tasks.rows import Rows

A, B, C, D = ((1,),), ((2,),), ((3, 3),), ((4,), (4,))
TRAIN = (Pair(A, B), Pair(B, C), Pair(A, B))
TASK = Task("t", TRAIN, (Pair(C, D), Pair(D, A)))


def named(name: str, *tasks: Task) -> Tasks:
    return Tasks(tasks, f"file {name}", name)


def packed(folder: Path) -> Callable[..., Tasks]:
    """As `named`, of a packed file."""

    def make(name: str, *tasks: Task) -> Tasks:
        pack_tasks(tasks, folder / f"{name}.batt-tasks")
        return replace(load_tasks(folder / f"{name}.batt-tasks"), source=f"file {name}")

    return make


@pytest.fixture(params=["in memory", "packed", "both"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Tasks]:
    """Make a set of tasks, which is in memory or not."""
    if request.param == "in memory":
        return named
    on_demand = packed(tmp_path)
    if request.param == "packed":
        return on_demand
    return lambda name, *tasks: (named if name == "one" else on_demand)(name, *tasks)


@pytest.mark.parametrize(
    "other",
    [
        TASK,
        Task("t", TRAIN[::-1], TASK.test[::-1]),
        Task("t", TRAIN, (Pair(C), Pair(D))),
        Task("t", TRAIN, (Pair(D, A), Pair(C))),
    ],
)
def test_tasks_agree_in_any_order_and_where_an_output_is_unknown(other: Task):
    assert join(TASK, other) is TASK
    joined = join(other, TASK)
    assert joined is not None
    assert (joined.train, set(joined.test)) == (other.train, set(TASK.test))
    assert [pair.input for pair in joined.test] == [pair.input for pair in other.test]


@pytest.mark.parametrize(
    "other",
    [
        Task("t", TRAIN[:2], TASK.test),
        Task("t", (*TRAIN[:2], TRAIN[1]), TASK.test),
        Task("t", TRAIN, TASK.test[:1]),
        Task("t", TRAIN, (*TASK.test, Pair(C))),
        Task("t", TRAIN, (Pair(C, D), Pair(D, B))),
        Task("t", TRAIN, (Pair(C), Pair(D, B))),
        Task("t", TRAIN, ()),
    ],
)
def test_tasks_do_not_agree_where_a_pair_differs(other: Task):
    assert join(TASK, other) is None
    assert join(other, TASK) is None


def test_outputs_that_either_set_knows_are_kept(make: Callable[..., Tasks]):
    half, other = Task("t", TRAIN, (Pair(C, D), Pair(D))), Task("t", TRAIN, (Pair(D, A), Pair(C)))
    merged = merge_tasks([make("one", half), make("two", other)])
    assert tuple(merged) == (TASK,)
    assert merged.notes == ("1 task appeared again with the same pairs: kept once",)
    if isinstance(merged.tasks, Rows):
        assert merged.tasks.cells.tolist() == [2 + 3 + 2 + 4 + 3]
        assert merged.tasks.pair_counts.tolist() == [[3, 2]]


def test_a_set_is_in_ascending_order_and_tells_what_it_is_of(make: Callable[..., Tasks]):
    merged = merge_tasks(
        [make("one", replace(TASK, id="c"), replace(TASK, id="x")), make("two", replace(TASK, id="d"))]
    )
    assert merged.ids == ("c", "d", "x")
    assert (merged.source, merged.name, merged.notes) == ("file one + file two", "one+two", ())
    assert merged["d"] == replace(TASK, id="d")
    assert merged[1:].ids == merged.select(["d", "x"]).ids == ("d", "x")


def test_the_first_task_of_an_id_keeps_it(make: Callable[..., Tasks]):
    second, third = Task("t", TRAIN[:1], ()), Task("t", TRAIN[1:2], ())
    merged = merge_tasks([make("one", TASK), make("two", second), make("three", third), make("four", second)])
    assert merged.ids == ("t", "three/t", "two/t")
    assert merged["t"] == TASK
    assert merged["two/t"] == replace(second, id="two/t")
    assert merged["three/t"] == replace(third, id="three/t")
    assert merged.notes == (
        "1 task appeared again with the same pairs: kept once",
        "2 tasks renamed, because another task has the same id and different pairs: two/t, three/t",
    )
    if isinstance(merged.tasks, Rows):
        assert merged.tasks.pair_counts.tolist() == [[3, 2], [1, 0], [1, 0]]


def test_names_that_are_taken_are_numbered():
    second, third = Task("t", TRAIN[:1], ()), Task("t", TRAIN[1:2], ())
    merged = merge_tasks([named("a", TASK, replace(TASK, id="b/t")), named("b", second), named("b", third)])
    assert merged.ids == ("b-2/t", "b-3/t", "b/t", "t")
    assert merged["b/t"] == replace(TASK, id="b/t")
    assert merged["b-2/t"].train == second.train


def test_a_name_of_more_characters_than_an_id_may_have_is_refused():
    name = "n" * 250
    with pytest.raises(DataError, match=r"^task n+: sources have different tasks of this id, and the name a-set/n+…"):
        merge_tasks([named("a", replace(TASK, id=name)), named("a-set", Task(name, TRAIN[:1], ()))])


def test_one_set_stays_what_it_is_and_none_is_refused():
    tasks = named("a", TASK)
    assert merge_tasks([tasks]) is tasks
    with pytest.raises(UsageError, match=r"^expected at least one source of tasks$"):
        merge_tasks([])


def test_of_packed_sets_no_more_than_two_tasks_are_there_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make = packed(tmp_path)
    sets = [make(name, *[replace(TASK, id=f"many{at:02}") for at in range(20)]) for name in ("one", "two")]
    check, most = Task.__post_init__, 0

    def count(task: Task) -> None:
        nonlocal most
        check(task)
        alive = [each for each in gc.get_objects() if isinstance(each, Task) and each.id.startswith("many")]
        most = max(most, len(alive))

    monkeypatch.setattr(Task, "__post_init__", count)
    # Leave out what is there already: it takes long to look through.
    gc.freeze()
    assert len(merge_tasks(sets)) == 20
    assert most == 2


def test_sources_are_merged_as_they_are_loaded(tmp_path: Path):
    rng = Random(3)
    plain = {
        "train": [{"input": [[1]], "output": [[2]]}, {"input": [[3]], "output": [[4]]}],
        "test": [{"input": [[5]]}],
    }
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        rng.shuffle(plain["train"])
        (tmp_path / name / "t.json").write_text(json.dumps(plain))
    (tmp_path / "two" / "u.json").write_text(json.dumps({**plain, "test": []}))
    both = tmp_path / "one", str(tmp_path / "two")
    for merged in (load_tasks(*both), load_tasks(both), load_tasks(list(both))):
        assert merged.ids == ("t", "u")
        assert merged.source == " + ".join([load_tasks(each).source for each in both])


def test_the_training_sets_of_arc_1_and_2_share_tasks():
    merged = load_tasks("arc1-training", "arc2-training")
    assert merged.name == "arc1-training+arc2-training"
    assert set(load_tasks("arc1-training").ids) <= set(merged.ids)
    assert all(name in merged or f"arc2-training/{name}" in merged for name in load_tasks("arc2-training").ids)
    renamed = [name for name in merged.ids if "/" in name]
    assert all(merged[name].pairs != merged[name.partition("/")[2]].pairs for name in renamed)
