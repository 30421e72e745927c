"""Rows of JSON: their format, their order, and that they are the same for every way of running."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from batt.errors import UsageError
from batt.jobs import Results, evaluate, export
from batt.runtime import Limits
from batt.runtime.outputs import OutputStore
from batt.runtime.records import unfilled
from batt.runtime.reference import tier as tier_module
from batt.tasks import tasks_from_dict
from batt.types import fingerprint
from handmade import MIRROR, RAISES, SAME, deck, plain_tasks
from native_library import needs_library

DECK = deck(
    solve_z=MIRROR,
    solve_b=SAME,
    solve_a=RAISES,
    solve_m=("x = asindices(I)",),
    solve_f=("x = compose(first, last)",),
    solve_o=("x = I", *["x = combine(x, x)"] * 40),
)
FIELDS = ["solver", "task", "part", "index", "status", "error", "equal", "hash"]


def run(workers: int = 1, outputs: bool = True, answers: bool = True, engine: str = "reference") -> Results:
    tasks = tasks_from_dict(plain_tasks(answers))
    return evaluate(DECK, tasks, workers=workers, outputs=outputs, limits=Limits(steps=100_000), engine=engine)


@pytest.fixture(scope="module")
def results() -> Results:
    return run()


def written(results: Results, folder: Path, **options: Any) -> bytes:
    export(results, folder / "rows.jsonl", **options)
    assert [path.name for path in folder.iterdir()] == ["rows.jsonl"]
    return (folder / "rows.jsonl").read_bytes()


def rows(results: Results, folder: Path, **options: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written(results, folder, **options).splitlines()]


def test_a_row_is_compact_json_with_its_fields_in_order(results: Results, tmp_path: Path):
    first = written(results, tmp_path).splitlines()[0]
    assert first == (
        b'{"solver":"solve_a","task":"mirror","part":"test","index":0,'
        b'"status":"raised","error":"StopIteration","equal":false,"hash":null}'
    )
    assert all(list(row) == FIELDS for row in rows(results, tmp_path))


def test_rows_are_sorted_and_complete(results: Results, tmp_path: Path):
    keys = [(row["solver"], row["task"], row["part"], row["index"]) for row in rows(results, tmp_path)]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(results) == 42


@pytest.mark.parametrize(("workers", "largest_block"), [(2, 4096), (3, 1), (1, 3)])
def test_rows_are_the_same_bytes_for_any_workers_and_blocks(
    results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int, largest_block: int
):
    expected = written(results, tmp_path, outputs=True)
    monkeypatch.setattr(tier_module, "MAX_BLOCK", largest_block)
    assert written(run(workers), tmp_path, outputs=True) == expected


@needs_library
@pytest.mark.parametrize("outputs", [False, True])
def test_rows_are_the_same_bytes_for_every_engine(results: Results, tmp_path: Path, outputs: bool):
    expected = written(results, tmp_path, outputs=outputs)
    native = run(outputs=outputs, engine="cpu")
    assert (native.engine, native.native) == ("cpu", 42)
    assert written(native, tmp_path, outputs=outputs) == expected


def test_what_was_not_run_has_no_row(results: Results, tmp_path: Path):
    records = results.records.copy()
    records[::2] = unfilled(21)
    cut = Results(results.deck, results.tasks, results.evaluations, records, engine="x", limits=results.limits)
    kept = rows(cut, tmp_path)
    whole = rows(results, tmp_path)
    assert len(kept) == 21
    assert all(row in whole for row in kept)


def test_the_order_of_the_deck_does_not_show(results: Results, tmp_path: Path):
    turned = DECK.select(reversed(DECK.names))
    again = evaluate(turned, results.tasks, workers=1, limits=results.limits, engine="reference")
    assert written(again, tmp_path) == written(results, tmp_path)


def test_equal_is_null_where_the_output_is_unknown(tmp_path: Path):
    found = {(row["task"], row["part"], row["index"], row["equal"]) for row in rows(run(answers=False), tmp_path)}
    assert {("mirror", "test", 0, None), ("trap", "test", 1, None), ("trap", "test", 0, False)} <= found
    assert ("mirror", "train", 0, None) not in found


def test_the_hash_is_the_fingerprint_of_the_value(results: Results, tmp_path: Path):
    row = next(row for row in rows(results, tmp_path) if row["solver"] == "solve_z")
    assert row["hash"] == f"{fingerprint(((7, 6),)):016x}"
    assert all(len(row["hash"]) == 16 for row in rows(results, tmp_path) if row["status"] == "ok")
    assert all(row["hash"] is None for row in rows(results, tmp_path) if row["status"] != "ok")


def test_outputs_stand_beside_their_evaluations(results: Results, tmp_path: Path):
    found = {row["solver"]: row for row in rows(results, tmp_path, outputs=True) if row["index"] == 0}
    assert list(found["solve_z"]) == [*FIELDS, "output"]
    assert found["solve_z"]["output"] == [[1, 1]]
    assert found["solve_m"]["output"] == {"set": [[0, 0], [0, 1]]}
    assert found["solve_f"]["output"] == {"function": "compose(first, last)"}
    assert found["solve_a"]["output"] is None
    assert (found["solve_o"]["status"], found["solve_o"]["output"]) == ("over_budget", None)


def test_rows_without_outputs_are_the_same_whether_they_were_kept(results: Results, tmp_path: Path):
    assert written(run(outputs=False), tmp_path) == written(results, tmp_path)


def test_the_engine_is_named_where_asked_for(results: Results, tmp_path: Path):
    assert all(row["engine"] == "reference" for row in rows(results, tmp_path, with_engine=True))
    assert list(rows(results, tmp_path, with_engine=True, outputs=True)[0]) == [*FIELDS, "engine", "output"]


def test_outputs_that_were_not_kept_cannot_be_written(tmp_path: Path):
    with pytest.raises(UsageError, match=r"^outputs were not kept; evaluate with outputs=True$"):
        export(run(outputs=False), tmp_path / "rows.jsonl", outputs=True)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_refused(results: Results, tmp_path: Path):
    with pytest.raises(UsageError, match=r"rows\.jsonl: cannot be written: No such file or directory$"):
        export(results, tmp_path / "nowhere" / "rows.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_target_that_is_a_folder_is_refused(results: Results, tmp_path: Path):
    (tmp_path / "rows.jsonl").mkdir()
    with pytest.raises(UsageError, match=r"rows\.jsonl: cannot be written: Is a directory$"):
        export(results, tmp_path / "rows.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


def test_nothing_half_written_is_left_when_writing_fails(results: Results, tmp_path: Path):
    target = tmp_path / "rows.jsonl"
    target.write_text("what was there\n")
    broken = run()
    broken.outputs = OutputStore(20)
    with pytest.raises(IndexError):
        export(broken, target, outputs=True)
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]
    assert target.read_text() == "what was there\n"
