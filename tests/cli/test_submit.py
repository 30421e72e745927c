"""Submissions on the command line: made by a run, made of a stored run, checked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from handmade import plain_tasks

Batt = Callable[..., Any]


@pytest.fixture
def named(deck_file: str, tasks_file: str) -> list[str]:
    return ["--deck", deck_file, "--tasks", tasks_file]


@pytest.fixture
def made(batt: Batt, named: list[str], tmp_path: Path) -> Path:
    """The submission of a run."""
    path = tmp_path / "submission.json"
    assert batt("run", *named, "--submission", path, "--quiet") == (0, "", "")
    return path


def test_a_run_writes_a_submission_and_says_what_it_is(batt: Batt, named: list[str], tmp_path: Path):
    path = tmp_path / "submission.json"
    ended = batt("run", *named, "--submission", path)
    assert ended.code == 0
    told = f"batt: {path}: 3 test inputs; first attempts: 3 by solvers that fit, 0 near misses, 0 the input itself\n"
    assert ended.err.endswith(f"{told}batt: wrote {path}\n")
    assert list(json.loads(path.read_text())) == ["mirror", "trap"]


def test_kaggles_files_without_solutions_have_a_submission(batt: Batt, deck_file: str, made: Path, tmp_path: Path):
    tasks = plain_tasks()
    for task in tasks.values():
        task["test"] = [{"input": pair["input"]} for pair in task["test"]]
    challenges = tmp_path / "arc-agi_test_challenges.json"
    challenges.write_text(json.dumps(tasks))
    path = tmp_path / "other.json"
    assert batt("run", "--deck", deck_file, "--tasks", challenges, "--submission", path, "--quiet").code == 0
    assert path.read_bytes() == made.read_bytes()
    ended = batt("submit", "--check", path, "--tasks", challenges)
    assert (ended.code, ended.out.splitlines()[1]) == (0, "score                the test outputs are unknown")


def test_a_stored_run_keeps_the_name_of_its_submission(batt: Batt, named: list[str], made: Path, tmp_path: Path):
    path, folder = tmp_path / "kept.json", tmp_path / "run"
    ended = batt(
        "run", *named, "--out", folder, "--submission", path, "--quiet", "--deadline", "0.000001s",
        "--engine", "reference",
    )  # fmt: skip
    assert ended.code == 0
    assert json.loads(path.read_text())["mirror"][0]["attempt_1"] == [[6, 7]]
    assert batt("run", "--resume", folder, "--quiet") == (0, "", "")
    assert path.read_bytes() == made.read_bytes()
    assert batt("submit", folder, "-o", tmp_path / "again.json") == (0, "", f"batt: wrote {tmp_path / 'again.json'}\n")
    assert (tmp_path / "again.json").read_bytes() == made.read_bytes()


def test_a_submission_of_an_unfinished_run_says_so(batt: Batt, named: list[str], tmp_path: Path):
    folder = tmp_path / "run"
    batt("run", *named, "--out", folder, "--quiet", "--deadline", "0.000001s", "--engine", "reference")
    ended = batt("submit", folder, "-o", tmp_path / "s.json")
    assert ended.code == 0
    assert ended.err.startswith(f"batt: {folder}: not finished, 21 of 21 evaluations are not run\n")


def test_a_valid_submission_is_scored(batt: Batt, tasks_file: str, made: Path):
    assert batt("submit", "--check", made, "--tasks", tasks_file) == (
        0,
        "valid                2 tasks, 3 test inputs\n"
        "test outputs right   3 of 3: score 1.0000\n"
        "tasks right          2 of 2\n",
        "",
    )
    found = json.loads(batt("submit", "--check", made, "--tasks", tasks_file, "--json").out)
    assert found == {
        "valid": True,
        "findings": [],
        "in_order": True,
        "score": 1.0,
        "test_outputs": {"right": 3, "known": 3},
        "tasks": {"right": 2, "known": 2},
    }


def test_another_order_is_a_note(batt: Batt, tasks_file: str, made: Path):
    made.write_text(json.dumps(dict(reversed(json.loads(made.read_text()).items()))))
    ended = batt("submit", "--check", made, "--tasks", tasks_file)
    assert ended.code == 0
    assert ended.err == "batt: the ids are in another order than the tasks, which Kaggle allows\n"


def test_what_is_not_valid_has_exit_code_2_and_a_line_for_each_finding(batt: Batt, tasks_file: str, made: Path):
    made.write_text('{"mirror": [], "x": 1}')
    ended = batt("submit", "--check", made, "--tasks", tasks_file)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        "batt: not valid: submission.json: task x: is not one of the tasks\n"
        "batt: not valid: submission.json: task mirror: 0 answers for 1 test input\n"
        "batt: not valid: submission.json: task trap: missing\n"
    )
    found = batt("submit", "--check", made, "--tasks", tasks_file, "--json")
    assert (found.code, json.loads(found.out)["valid"]) == (2, False)


def test_only_some_tasks_can_be_checked(batt: Batt, tasks_file: str, made: Path):
    plain = json.loads(made.read_text())
    made.write_text(json.dumps({"trap": plain["trap"]}))
    assert batt("submit", "--check", made, "--tasks", tasks_file, "--ids", "trap").code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name either the folder of a stored run, or a submission to check"),
        (["run", "--check", "s.json"], "name either the folder of a stored run, or a submission to check"),
        (["--check", "s.json", "-o", "t.json"], "--check writes no file"),
        (["run"], "name the file to write: -o submission.json"),
        (["run", "-o", "-"], "name the file to write: -o submission.json"),
        (["run", "-o", "t.json", "--json"], "--json needs --check FILE"),
        (["--check", "nothing.json"], "nothing.json: cannot be read: No such file or directory"),
    ],
)
def test_options_that_do_not_go_together_are_refused(refused: Callable[..., str], words: list[str], message: str):
    assert message in refused("submit", *words)


def test_a_submission_is_no_stream_and_no_input(refused: Callable[..., str], named: list[str], tasks_file: str):
    assert "it cannot be a stream" in refused("run", *named, "--submission", "-")
    assert "reads it; name another" in refused("run", *named, "--submission", tasks_file)
