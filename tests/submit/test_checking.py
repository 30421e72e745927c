"""Whether a submission is valid, and its score."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import batt
from batt.errors import DataError
from batt.jobs import evaluate
from batt.submit import Checked, check_submission, checking
from batt.tasks import load_tasks
from handmade import MIRROR, SAME, deck, plain_tasks

GRID = [[1, 2], [3, 4]]
GOOD: dict[str, Any] = {
    "mirror": [{"attempt_1": [[7, 6]], "attempt_2": [[1]]}],
    "trap": [{"attempt_1": GRID, "attempt_2": GRID}, {"attempt_1": GRID, "attempt_2": [[0, 1]]}],
}

TEST = "task mirror: test input 0"
ATTEMPT = f"{TEST}: attempt_1"
CELL = f"{ATTEMPT}: row 1, value 1: expected an int from 0 to 9"

Check = Callable[..., Checked]


@pytest.fixture
def check(tmp_path: Path) -> Check:
    def run(text: Any, answers: bool = True) -> Checked:
        path = tmp_path / "s.json"
        path.write_text(text if isinstance(text, str) else json.dumps(text))
        return check_submission(path, load_tasks(plain_tasks(answers)))

    return run


def with_attempt(grid: Any) -> dict[str, Any]:
    """A submission whose first attempt is this."""
    return GOOD | {"mirror": [{"attempt_1": grid, "attempt_2": [[1]]}]}


def test_a_valid_submission_is_scored_by_test_outputs_and_by_tasks(check: Check):
    found = check(GOOD)
    assert found.findings == ()
    assert found.is_in_order
    assert found.score.share == 2 / 3
    assert (found.score.outputs_right, found.score.outputs) == (2, 3)
    assert (found.score.tasks_right, found.score.tasks) == (1, 2)


def test_only_known_test_outputs_are_scored(check: Check):
    found = check(GOOD, answers=False)
    assert (found.score.outputs_right, found.score.outputs) == (0, 1)
    assert (found.score.tasks_right, found.score.tasks) == (0, 0)


def test_without_test_outputs_there_is_no_score(tmp_path: Path):
    tasks = plain_tasks()
    for task in tasks.values():
        task["test"] = [{"input": pair["input"]} for pair in task["test"]]
    (tmp_path / "s.json").write_text(json.dumps(GOOD))
    assert check_submission(tmp_path / "s.json", load_tasks(tasks)).score.share is None


def test_another_order_of_ids_is_valid_and_told(check: Check):
    found = check(dict(reversed(GOOD.items())))
    assert found.findings == ()
    assert not found.is_in_order


@pytest.mark.parametrize(
    ("value", "finding"),
    [
        ({"mirror": GOOD["mirror"]}, "task trap: missing"),
        (GOOD | {"more": []}, "task more: is not one of the tasks"),
        (GOOD | {"mirror": {}}, "task mirror: expected a list with an object for each test input, got an object"),
        (GOOD | {"mirror": []}, "task mirror: 0 answers for 1 test input"),
        (GOOD | {"trap": GOOD["trap"][:1]}, "task trap: 1 answer for 2 test inputs"),
        (
            GOOD | {"mirror": [GRID]},
            f"{TEST}: expected an object with attempt_1 and attempt_2, got a list",
        ),
        (GOOD | {"mirror": [{"attempt_1": GRID}]}, "task mirror: test input 0: attempt_2 is missing"),
        (
            GOOD | {"mirror": [{"attempt_1": GRID, "attempt_2": GRID, "attempt_3": GRID}]},
            'task mirror: test input 0: key "attempt_3" is unknown',
        ),
        (with_attempt([]), f"{ATTEMPT}: no rows"),
        (with_attempt([[1, 2], [3]]), f"{ATTEMPT}: row 2 has 1 value, row 1 has 2"),
        (with_attempt([[0] * 31]), f"{ATTEMPT}: row 1 has 31 values, at most 30"),
        (with_attempt([[0]] * 31), f"{ATTEMPT}: 31 rows, at most 30"),
        (
            with_attempt([[10]]),
            f"{CELL}, got 10",
        ),
        (
            with_attempt([[-1]]),
            f"{CELL}, got -1",
        ),
        (
            with_attempt([[1.0]]),
            f"{CELL}, got 1.0",
        ),
        (
            with_attempt([[True]]),
            f"{CELL}, got true",
        ),
        (with_attempt(None), f"{ATTEMPT}: expected a list of rows, got null"),
        (
            json.dumps(with_attempt([["?"]])).replace('"?"', "NaN"),
            f"{CELL}, got NaN",
        ),
        (json.dumps(GOOD)[:-1] + ',"mirror":[]}', "task mirror: appears twice"),
        (
            json.dumps(GOOD).replace('"attempt_2": [[1]]', '"attempt_1": [[1]], "attempt_2": [[1]]'),
            'task mirror: test input 0: key "attempt_1" appears twice',
        ),
    ],
    ids=lambda value: value[-40:] if isinstance(value, str) else "",
)
def test_every_finding_names_its_place(check: Check, value: Any, finding: str):
    found = check(value)
    assert f"s.json: {finding}" in found.findings
    assert found.score.share is None


def test_all_findings_are_told_up_to_a_limit(check: Check):
    found = check({f"t{n}": [] for n in range(1000)})
    assert len(found.findings) == 201
    assert found.findings[-1] == "… and 802 more"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "expected an object, got a list"),
        ("", "not JSON"),
        ('{"a": [}', "line 1, column 8: not JSON"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ('{"a": ' + "9" * 10_000 + "}", "a number has too many digits"),
    ],
    ids=["list", "empty", "broken", "deep", "long number"],
)
def test_what_is_no_object_is_refused(check: Check, text: str, message: str):
    with pytest.raises(DataError, match=f"^s.json: .*{message}"):
        check(text)


def test_a_file_that_is_too_large_is_refused(check: Check, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(checking, "HEAD_BYTES", 0)
    large = 3 * 2 * 900 * 64
    with pytest.raises(DataError, match=r"s.json: 345,601 bytes are too large; .* at most 345,600"):
        check(json.dumps(GOOD).ljust(large + 1))
    assert check(json.dumps(GOOD).ljust(large)).findings == ()


def test_what_batt_makes_is_valid_and_scored(tmp_path: Path):
    tasks = load_tasks(plain_tasks())
    batt.submission(evaluate(deck(a=MIRROR, b=SAME), tasks, workers=1), tmp_path / "s.json")
    found = check_submission(tmp_path / "s.json", tasks)
    assert (found.findings, found.is_in_order, found.score.share) == ((), True, 1.0)
