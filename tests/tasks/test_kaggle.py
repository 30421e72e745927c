"""Kaggle's challenges, with and without their solutions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from batt.errors import DataError, UsageError
from batt.tasks import load_tasks

CHALLENGES, SOLUTIONS = "arc-agi_training_challenges.json", "arc-agi_training_solutions.json"
TRAIN = [{"input": [[1]], "output": [[2]]}]
TASKS = {
    "b": {"train": TRAIN, "test": [{"input": [[3]]}]},
    "a": {"train": TRAIN, "test": [{"input": [[4]]}, {"input": [[5]]}]},
}
OUTPUTS = {"a": [[[6]], [[7, 7]]], "b": [[[8]]]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "kaggle"
    path.mkdir()
    write(path / CHALLENGES, TASKS)
    return path


def write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value))


def test_challenges_alone_have_tests_without_outputs(folder: Path):
    tasks = load_tasks(folder / CHALLENGES)
    assert tasks.ids == ("a", "b")
    assert [pair.output for task in tasks for pair in task.test] == [None, None, None]
    assert tasks.source.startswith(f"file {CHALLENGES} sha256:")


def test_solutions_beside_give_the_outputs(folder: Path):
    alone = load_tasks(folder / CHALLENGES)
    write(folder / SOLUTIONS, OUTPUTS)
    tasks = load_tasks(folder / CHALLENGES)
    assert [pair.output for pair in tasks["a"].test] == [((6,),), ((7, 7),)]
    assert [pair.input for pair in tasks["a"].test] == [((4,),), ((5,),)]
    assert tasks["b"].test[0].output == ((8,),)
    assert tasks["b"].train == alone["b"].train
    assert tasks.source.startswith(f"file {CHALLENGES} with {SOLUTIONS} sha256:")
    write(folder / SOLUTIONS, {**OUTPUTS, "b": [[[9]]]})
    assert load_tasks(folder / CHALLENGES).source != tasks.source


def test_solutions_of_another_set_are_left_alone(folder: Path):
    write(folder / "arc-agi_evaluation_solutions.json", {"x": 5})
    assert load_tasks(folder / CHALLENGES)["b"].test[0].output is None


FAULTS: list[tuple[Any, str]] = [
    ([], "expected an object, got a list"),
    ({**OUTPUTS, "c": [], "\n": []}, "task '\\n': not in {0}\n{1}: task c: not in {0}"),
    ({"a": OUTPUTS["a"]}, "task b: missing"),
    ({**OUTPUTS, "a": {}}, "task a: expected a list of grids, got an object"),
    ({**OUTPUTS, "a": [[[1]]]}, "task a: 1 output for 2 test pairs"),
    ({**OUTPUTS, "b": [[[1]], [[1]], [[1]]]}, "task b: 3 outputs for 1 test pair"),
    ({**OUTPUTS, "a": [[[1]], [[1, 2], [3]]]}, "task a: test pair 1: output: row 2 has 1 value, row 1 has 2"),
    ({**OUTPUTS, "b": [None]}, "task b: test pair 0: output: expected a list of rows, got null"),
]


@pytest.mark.parametrize(("solutions", "fault"), FAULTS, ids=[fault for _, fault in FAULTS])
def test_solutions_that_do_not_fit_are_refused(folder: Path, solutions: Any, fault: str):
    write(folder / SOLUTIONS, solutions)
    with pytest.raises(DataError) as caught:
        load_tasks(folder / CHALLENGES)
    assert str(caught.value) == f"{SOLUTIONS}: " + fault.format(CHALLENGES, SOLUTIONS)


def test_a_solution_given_twice_is_refused(folder: Path):
    (folder / SOLUTIONS).write_text('{"a": [[[6]], [[7]]], "b": [[[8]]], "b": [[[8]]]}')
    with pytest.raises(DataError, match=r"solutions\.json: task b: appears twice$"):
        load_tasks(folder / CHALLENGES)


def test_a_solution_must_agree_with_an_output_that_is_there(folder: Path):
    write(folder / CHALLENGES, {"b": {"train": TRAIN, "test": [{"input": [[3]], "output": [[8]]}]}})
    write(folder / SOLUTIONS, {"b": [[[8]]]})
    assert load_tasks(folder / CHALLENGES)["b"].test[0].output == ((8,),)
    write(folder / SOLUTIONS, {"b": [[[9]]]})
    with pytest.raises(DataError, match=r"test pair 0: output: differs from the output that the task has already$"):
        load_tasks(folder / CHALLENGES)


def test_solutions_alone_are_no_tasks(folder: Path):
    write(folder / SOLUTIONS, OUTPUTS)
    with pytest.raises(UsageError, match=r"holds answers only, name the file that ends in _challenges\.json$"):
        load_tasks(folder / SOLUTIONS)


def test_a_folder_with_one_set_is_that_set(folder: Path):
    write(folder / SOLUTIONS, OUTPUTS)
    write(folder / "sample_submission.json", {"a": []})
    assert load_tasks(folder) == load_tasks(folder / CHALLENGES)


def test_a_folder_with_several_sets_asks_for_one(folder: Path):
    write(folder / "arc-agi_test_challenges.json", TASKS)
    with pytest.raises(UsageError) as caught:
        load_tasks(folder)
    names = f"arc-agi_test_challenges.json, {CHALLENGES}"
    assert str(caught.value) == f"folder kaggle holds several sets of tasks, name one of them: {names}"


def test_a_folder_with_a_set_and_task_files_asks_for_one(folder: Path):
    write(folder / "007bbfb7.json", TASKS["a"])
    with pytest.raises(UsageError) as caught:
        load_tasks(folder)
    assert str(caught.value) == f"folder kaggle holds both {CHALLENGES} and 007bbfb7.json, name the file that is meant"
