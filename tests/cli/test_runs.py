"""Stored runs on the command line: going on, listing, comparing, merging, deadlines."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from batt.cli.runs import age
from batt.cli.storing import deadline
from batt.store import RUN
from handmade import MIRROR, SAME, source

Batt = Callable[..., Any]


@pytest.fixture
def named(deck_file: str, tasks_file: str) -> list[str]:
    return ["--deck", deck_file, "--tasks", tasks_file]


@pytest.fixture
def finished(batt: Batt, named: list[str], tmp_path: Path) -> Path:
    """A finished run."""
    assert batt("run", *named, "--out", tmp_path / "run", "--quiet") == (0, "", "")
    return tmp_path / "run"


@pytest.fixture
def unfinished(batt: Batt, named: list[str], tmp_path: Path) -> Path:
    """A run that a deadline ended before a worker began."""
    ended = batt(
        "run", *named, "--out", tmp_path / "cut", "--quiet", "--deadline", "0.000001s", "--engine", "reference"
    )
    assert ended.code == 0
    go_on = f"go on with: batt run --resume {tmp_path / 'cut'}"
    assert ended.err == f"batt: deadline reached: 0 of 21 evaluations done; {go_on}\n"
    return tmp_path / "cut"


def test_a_run_that_goes_on_writes_what_an_unbroken_one_does(batt: Batt, finished: Path, unfinished: Path):
    assert json.loads((unfinished / "summary.json").read_text())["interrupted"] is True
    assert batt("run", "--resume", unfinished, "--quiet") == (0, "", "")
    for name in ("results.jsonl", "winners.py"):
        assert (unfinished / name).read_bytes() == (finished / name).read_bytes()
    assert json.loads((unfinished / "summary.json").read_text())["interrupted"] is False


def test_options_of_exports_are_remembered(batt: Batt, named: list[str], tmp_path: Path):
    more = ["--outputs", "--with-engine", "--differs", "equal,cells", "--engine", "reference"]
    assert batt("run", *named, "--out", tmp_path / "run", "--quiet", *more).code == 0
    before = (tmp_path / "run" / "results.jsonl").read_bytes()
    (tmp_path / "run" / "results.jsonl").unlink()
    assert batt("run", "--resume", tmp_path / "run", "--quiet", "--engine", "reference").code == 0
    assert (tmp_path / "run" / "results.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--resume", "{run}", "--out", "{root}/new"],
            "--resume names the folder of the run, and --out that of a new one",
        ),
        (["--keep", "hits"], "--keep needs --out DIR"),
        (["--out", "{run}", "--keep", "hits", "--differs", "equal"], "--differs scores all outputs"),
        (["--resume", "{root}/nowhere"], "holds no run.batt to go on with; batt run --out {root}/nowhere begins a run"),
        (["--resume", "{run}", "--steps", "5"], "the run began with --steps 100000000, not 5"),
        (["--resume", "{run}", "--own"], "the run began with --own False, not True"),
        (["--resume", "{run}", "--keep", "hits"], "the run began with --keep all, not hits"),
        (["--resume", "{run}", "--deck", "{other}"], "the run began with another deck (deck.py, 3 solvers)"),
        (["--resume", "{run}", "-c", "1", "--tasks", "{tasks}"], "the run began with other tasks: 2, now 1"),
        (["--resume", "{run}", "--differs", "equal"], "the run began with --outputs False, not True"),
    ],
)
def test_what_does_not_go_together_is_refused(
    refused: Callable[..., str], finished: Path, tmp_path: Path, tasks_file: str, words: list[str], message: str
):
    other = tmp_path / "other.py"
    other.write_text(source("solve_same", *SAME))
    places = {"run": finished, "root": tmp_path, "other": other, "tasks": tasks_file}
    assert message.format(**places) in refused("run", *[word.format(**places) for word in words])


def test_what_agrees_may_be_repeated(batt: Batt, named: list[str], finished: Path):
    assert batt("run", "--resume", finished, *named, "--keep", "all", "-t", "30", "--quiet") == (0, "", "")


@pytest.mark.parametrize(("text", "after_s"), [("90s", 90), ("30m", 1800), ("11.5h", 41_400), ("1d", 86_400), ("7", 7)])
def test_a_deadline_is_a_time_from_now(text: str, after_s: float, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("time.monotonic", lambda: 100.0)
    assert deadline(text).at_s == 100.0 + after_s


@pytest.mark.parametrize("text", ["", "h", "-1h", "0s", "1 week", "nan"])
def test_what_is_no_time_is_refused(batt: Batt, text: str):
    ended = batt("run", f"--deadline={text}")
    assert ended.code == 2
    assert "a time such as 11.5h, 30m or 90s" in ended.err


def test_runs_are_listed_with_their_state(batt: Batt, finished: Path, unfinished: Path, tmp_path: Path):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / RUN).write_text("not a database")
    listed = json.loads(batt("runs", tmp_path, "--json").out)
    assert [Path(each["run"]).name for each in listed] == ["bad", "cut", "run"]
    bad, cut, run = listed
    assert bad["state"] == "damaged"
    assert (cut["state"], cut["total"]) == ("unfinished", 21)
    assert (run["state"], run["done"], run["solved"], run["deck"]) == ("finished", 21, 2, "deck.py, 3")
    shown = batt("runs", "list", finished).out
    assert "21 of 21" in shown
    assert batt("runs", tmp_path / "bad").code == 0


def test_a_list_reads_records_only_to_check_them(batt: Batt, finished: Path):
    with sqlite3.connect(finished / RUN) as file:
        file.execute("UPDATE blocks SET body = x'00'")
    file.close()
    listed = json.loads(batt("runs", "list", finished, "--json").out)[0]
    assert (listed["done"], listed["solved"], listed["note"]) == (21, 2, "")
    assert listed["counts"] == {"ok": 14, "raised": 7, "over_budget": 0, "timed_out": 0}
    checked = json.loads(batt("runs", "list", finished, "--check", "--json").out)[0]
    assert (checked["solved"], checked["note"][:20]) == (0, "1 of 1 blocks of rec")
    assert "blocks of records are damaged" in batt("runs", "list", finished, "--check").err


def test_a_folder_without_runs_says_so(batt: Batt, tmp_path: Path):
    ended = batt("runs", tmp_path)
    assert (ended.code, ended.out) == (0, "")
    assert "no runs in" in ended.err


def test_diff_tells_what_one_run_solves_and_the_other_does_not(
    batt: Batt, named: list[str], finished: Path, tmp_path: Path
):
    less = tmp_path / "less.py"
    less.write_text(source("solve_same", *SAME))
    assert batt("run", less, *named[2:], "--out", tmp_path / "less", "--quiet").code == 0
    told = batt("runs", "diff", finished, tmp_path / "less").out
    assert "0 tasks solved by both" in told
    assert f"only by {finished}: 2\n  mirror: solve_mirror\n  trap: solve_mirror\n" in told
    assert f"only by {tmp_path / 'less'}: 0" in told
    plain = json.loads(batt("runs", "diff", finished, tmp_path / "less", "--json").out)
    assert plain["only"][0] == {"run": str(finished), "solved": {"mirror": ["solve_mirror"], "trap": ["solve_mirror"]}}


def test_merged_runs_are_one_run_with_its_files(batt: Batt, named: list[str], finished: Path, tmp_path: Path):
    for name, lines in (("one", MIRROR), ("two", SAME)):
        deck = tmp_path / f"{name}.py"
        deck.write_text(source(f"solve_{name}", *lines))
        assert batt("run", deck, *named[2:], "--out", tmp_path / name, "--quiet").code == 0
    ended = batt("runs", "merge", tmp_path / "one", tmp_path / "two", "-o", tmp_path / "both")
    assert ended.code == 0
    rows = [json.loads(line) for line in (tmp_path / "both" / "results.jsonl").read_text().splitlines()]
    assert {row["solver"] for row in rows} == {"solve_one", "solve_two"}
    assert len(rows) == 14
    assert batt("run", "--resume", tmp_path / "both", "--quiet") == (0, "", "")
    assert "is one of the runs to merge" in batt("runs", "merge", finished, finished, "-o", finished).err


@pytest.mark.parametrize(("seconds", "text"), [(0, "0 s"), (59, "59 s"), (61, "1 min"), (7200, "2 h"), (1e6, "11 d")])
def test_an_age_is_told_in_its_largest_unit(seconds: float, text: str):
    assert age(seconds) == text


def test_the_rows_of_a_stored_run_are_exported_in_any_format(batt: Batt, named: list[str], finished: Path):
    for name in ("rows.jsonl", "rows.csv"):
        direct, stored = finished / f"direct-{name}", finished / f"stored-{name}"
        assert batt("run", *named, "--export", direct, "--quiet").code == 0
        assert batt("runs", "export", finished, "-o", stored) == (0, "", "")
        assert stored.read_bytes() == direct.read_bytes()
    assert (
        batt("runs", "export", finished, "-o", "-", "--format", "csv").out == (finished / "direct-rows.csv").read_text()
    )
    assert batt("runs", "export", finished, "-o", finished / "rows.parquet").code == 0


def test_exporting_what_a_run_does_not_keep_is_refused(
    batt: Batt, refused: Callable[..., str], finished: Path, unfinished: Path
):
    assert "the run keeps no outputs" in refused("runs", "export", finished, "-o", finished / "rows.csv", "--outputs")
    ended = batt("runs", "export", unfinished, "-o", unfinished / "rows.csv")
    assert (ended.code, ended.out) == (0, "")
    assert ended.err == f"batt: {unfinished}: not finished, 21 of 21 evaluations have no row\n"


def test_scores_of_a_stored_run_are_those_of_the_run(
    batt: Batt, refused: Callable[..., str], named: list[str], finished: Path
):
    direct, stored = finished / "direct.csv", finished / "stored.csv"
    assert batt("run", *named, "--differs", "equal,cells", "--export", direct, "--quiet").code == 0
    assert batt("run", *named, "--outputs", "--out", finished / "more", "--quiet").code == 0
    assert batt("runs", "export", finished / "more", "-o", stored, "--differs", "equal,cells") == (0, "", "")
    assert stored.read_bytes() == direct.read_bytes()
    assert "--differs needs all outputs" in refused("runs", "export", finished, "-o", stored, "--differs", "equal")
