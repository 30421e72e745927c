"""Every fault of ARC data has its message."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.errors import DataError
from batt.tasks import Tasks, load_tasks, tasks_from_dict

GRID = [[1, 2], [3, 4]]
PAIR = {"input": GRID, "output": GRID}


def task(**parts: Any) -> dict[str, Any]:
    return {"train": [PAIR], "test": [PAIR], **parts}


def problems_of(value: Any) -> str:
    with pytest.raises(DataError) as caught:
        tasks_from_dict(value, name="tasks.json")
    return str(caught.value)


GRID_FAULTS: list[tuple[Any, str]] = [
    ("abc", 'expected a list of rows, got "abc"'),
    ({}, "expected a list of rows, got an object"),
    (None, "expected a list of rows, got null"),
    ([], "no rows"),
    ([[]], "row 1 is empty"),
    ([[], []], "row 1 is empty"),
    ([[1], []], "row 2 is empty"),
    ([1, 2], "row 1: expected a list, got 1"),
    ([[1], "1"], 'row 2: expected a list, got "1"'),
    ([[0]] * 31, "31 rows, at most 30"),
    ([[0]] * 1000, "1,000 rows, at most 30"),
    ([[0] * 31] * 2, "row 1 has 31 values, at most 30"),
    ([[0] * 5, [0] * 5, [0] * 4], "row 3 has 4 values, row 1 has 5"),
    ([[0, 0], [0]], "row 2 has 1 value, row 1 has 2"),
    ([[0, 10]], "row 1, value 2: expected an int from 0 to 9, got 10"),
    ([[0], [-1]], "row 2, value 1: expected an int from 0 to 9, got -1"),
    ([[0, True]], "row 1, value 2: expected an int from 0 to 9, got true"),
    ([[1.0]], "row 1, value 1: expected an int from 0 to 9, got 1.0"),
    ([[float("nan")]], "row 1, value 1: expected an int from 0 to 9, got NaN"),
    ([["1"]], 'row 1, value 1: expected an int from 0 to 9, got "1"'),
    ([["long" * 9]], 'row 1, value 1: expected an int from 0 to 9, got "longlonglonglonglong"…'),
    ([["\ud800\n"]], 'row 1, value 1: expected an int from 0 to 9, got "\\ud800\\n"'),
    ([[None]], "row 1, value 1: expected an int from 0 to 9, got null"),
    ([[[1]]], "row 1, value 1: expected an int from 0 to 9, got a list"),
    ([[{}]], "row 1, value 1: expected an int from 0 to 9, got an object"),
    ([[{1}]], "row 1, value 1: expected an int from 0 to 9, got a value of type set"),
    ([[10**5000]], "row 1, value 1: expected an int from 0 to 9, got an int of 16,610 bits"),
]


@pytest.mark.parametrize(("grid", "fault"), GRID_FAULTS, ids=[fault for _, fault in GRID_FAULTS])
def test_a_fault_of_a_grid_is_told_with_its_place(grid: Any, fault: str):
    value = {"007bbfb7": task(train=[PAIR, {"input": GRID, "output": grid}])}
    assert problems_of(value) == f"tasks.json: task 007bbfb7: train pair 1: output: {fault}"
    value = {"007bbfb7": task(test=[{"input": grid}])}
    assert problems_of(value) == f"tasks.json: task 007bbfb7: test pair 0: input: {fault}"


TASK_FAULTS: list[tuple[Any, str]] = [
    ([], "no pairs"),
    ([PAIR, 1, PAIR], "pair 1: expected an object, got 1"),
    ([{"input": GRID}, PAIR], "pair 0: missing 'output'"),
    ([{"input": GRID}], "pair 0: missing 'output'"),
    ([PAIR, {"output": GRID}], "pair 1: missing 'input'"),
    ({"test": [PAIR]}, "missing 'train'"),
    ({"train": [PAIR]}, "missing 'test'"),
    (task(train=[]), "no train pairs"),
    (task(train={}), "'train' expects a list of pairs, got an object"),
    (task(test=None), "'test' expects a list of pairs, got null"),
    (task(test="x"), "'test' expects a list of pairs, got \"x\""),
    (task(train=[GRID]), "train pair 0: expected an object, got a list"),
    (task(train=[PAIR, {"output": GRID}]), "train pair 1: missing 'input'"),
    (task(test=[{"output": GRID}]), "test pair 0: missing 'input'"),
    (task(train=[{"input": GRID}]), "train pair 0: missing 'output'"),
    (task(train=[{"input": GRID, "output": None}]), "train pair 0: output: expected a list of rows, got null"),
]


@pytest.mark.parametrize(("value", "fault"), TASK_FAULTS, ids=[fault for _, fault in TASK_FAULTS])
def test_a_fault_of_a_task_is_told_with_its_place(value: Any, fault: str):
    assert problems_of({"007bbfb7": value}) == f"tasks.json: task 007bbfb7: {fault}"


ID_FAULTS: list[tuple[Any, str]] = [
    ("", "''"),
    ("a\nb", "'a\\nb'"),
    ("\ud800", "'\\ud800'"),
    ("x" * 256, "'" + "x" * 255 + "'"),
    (7, "7"),
    (None, "null"),
]


@pytest.mark.parametrize(("name", "shown"), ID_FAULTS, ids=[shown for _, shown in ID_FAULTS])
def test_an_id_that_cannot_be_shown_is_refused(name: Any, shown: str):
    assert problems_of({name: task()}) == f"tasks.json: task {shown}: an id has 1 to 255 printable characters"


def test_what_is_no_dict_of_tasks_is_refused():
    assert problems_of([task()]) == "tasks.json: expected an object, got a list"
    assert problems_of({}) == "tasks.json: no tasks"


def test_all_problems_are_told_at_once():
    value = {
        "b": task(train=[{"input": [], "output": [[10]]}, PAIR, {}]),
        "a": {},
        "c": task(),
    }
    assert problems_of(value).splitlines() == [
        "tasks.json: task b: train pair 0: input: no rows",
        "tasks.json: task b: train pair 0: output: row 1, value 1: expected an int from 0 to 9, got 10",
        "tasks.json: task b: train pair 2: missing 'input'",
        "tasks.json: task b: train pair 2: missing 'output'",
        "tasks.json: task a: missing 'train'",
        "tasks.json: task a: missing 'test'",
    ]


def test_beyond_twenty_problems_are_counted():
    lines = problems_of({f"t{number:04}": 5 for number in range(1234)}).splitlines()
    assert len(lines) == 21
    assert lines[19] == "tasks.json: task t0019: expected an object or a list of pairs, got 5"
    assert lines[20] == "… and 1,214 more"
    assert len(problems_of({f"t{number}": 5 for number in range(20)}).splitlines()) == 20


def test_the_largest_and_the_smallest_grid_are_read():
    largest = [[9] * 30 for _ in range(30)]
    tasks = tasks_from_dict({"x": task(train=[{"input": largest, "output": [[0]]}])})
    assert tasks["x"].train[0].input == ((9,) * 30,) * 30
    assert tasks["x"].train[0].output == ((0,),)


def test_lists_and_tuples_are_the_same():
    frozen = {"train": (PAIR,), "test": ({"input": ((1, 2), (3, 4)), "output": ([1, 2], (3, 4))},)}
    assert tasks_from_dict({"x": frozen}) == tasks_from_dict({"x": task()})


def test_tests_may_be_missing_and_so_may_their_outputs():
    assert tasks_from_dict({"x": task(test=[])})["x"].test == ()
    assert tasks_from_dict({"x": task(test=[{"input": GRID}])})["x"].test[0].output is None
    assert tasks_from_dict({"x": task(test=[{"input": GRID, "output": None}])})["x"].test[0].output is None


def test_keys_that_arc_does_not_know_are_passed_over():
    assert tasks_from_dict({"x": task(name="mirror")}) == tasks_from_dict({"x": task()})


def test_the_source_of_a_dict_depends_on_its_content_only():
    one = tasks_from_dict({"x": task(), "y": task()})
    assert one.source == tasks_from_dict({"y": task(), "x": task()}).source
    assert one.source != tasks_from_dict({"x": task(), "z": task()}).source
    assert one.source != tasks_from_dict({"x": task(), "y": task(test=[])}).source
    assert one.source.startswith("dict sha256:")


KEYS = st.sampled_from(["train", "test", "input", "output", "007bbfb7"]) | st.text()
SCALARS = st.none() | st.booleans() | st.integers(-2, 11) | st.integers() | st.floats() | st.text(max_size=5)
VALUES = st.recursive(SCALARS, lambda part: st.lists(part) | st.dictionaries(KEYS, part), max_leaves=40)
GRIDS = st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=2), min_size=1, max_size=2) | VALUES
PAIRS = st.fixed_dictionaries({}, optional={"input": GRIDS, "output": GRIDS}) | VALUES
PARTS = st.lists(PAIRS, max_size=2) | VALUES
TASK_LIKE = st.fixed_dictionaries({}, optional={"train": PARTS, "test": PARTS}) | VALUES


def fault_of(read: Callable[[Any], Tasks], value: Any) -> str:
    """What the data is refused for, or nothing where it is read."""
    try:
        read(value)
    except DataError as error:
        return str(error)
    return ""


@given(st.dictionaries(KEYS, TASK_LIKE, max_size=3) | TASK_LIKE)
def test_any_value_is_read_or_refused(value: Any):
    if fault := fault_of(tasks_from_dict, value):
        assert fault.encode()
    else:
        assert tasks_from_dict(value).ids == tuple(sorted(value))


@given(value=TASK_LIKE, name=st.sampled_from(["x.json", "x_challenges.json"]))
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, value: Any, name: str):
    path = tmp_path_factory.mktemp("any") / name
    path.write_text(json.dumps(value))
    path.with_name("x_solutions.json").write_text(json.dumps(value))
    fault = fault_of(load_tasks, path)
    assert not fault or fault.startswith("x")


@given(st.binary() | st.text(alphabet='[]{}:,"019.eE-truefalsn\\u \n').map(str.encode))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes):
    path = tmp_path_factory.mktemp("any") / "x.json"
    path.write_bytes(data)
    with pytest.raises(DataError, match=r"^x\.json: "):
        load_tasks(path)
