"""`batt run`: what it prints, what it writes, what it refuses."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import batt as package
from batt.cli.main import parser
from batt.errors import UsageError
from batt.jobs import Results, evaluate
from batt.report import summary
from batt.runtime.native import VARIABLE
from batt.runtime.options import read_options
from batt.runtime.records import unfilled
from handmade import HUNGRY, MIRROR, RAISES, SAME, plain_tasks, source
from native_library import needs_library

FILES = ["results.jsonl", "run.batt", "summary.json", "winners.py"]


@pytest.fixture
def named(deck_file: str, tasks_file: str) -> list[str]:
    """The options that name the deck and the tasks."""
    return ["--deck", deck_file, "--tasks", tasks_file, "--workers", "1", "--engine", "reference"]


def test_a_run_prints_one_summary_and_no_bar_without_a_terminal(batt: Callable[..., Any], named: list[str]):
    ended = batt("run", *named)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.count("evaluations ") == 1
    assert "21 on the reference engine" in ended.out
    assert "  trap  solve_mirror, solve_same (not correct)\n" in ended.out
    assert "\x1b" not in ended.out
    assert "next steps" not in ended.out


def test_a_run_of_the_built_in_deck_ends_with_commands_for_a_newcomer(batt: Callable[..., Any]):
    ended = batt("run", "--own", "--ids", "3c9b0459")
    _, told = ended.out.split("\nnext steps\n")
    commands = [line.split("  ")[1] for line in told.splitlines()]
    assert len(commands) == 4
    for command in commands:
        name, *words = command.split()
        assert name == "batt"
        assert parser().parse_args(words).execute


@needs_library
def test_engines_print_and_write_the_same_but_for_their_names(
    batt: Callable[..., Any], named: list[str], tmp_path: Path
):
    written = []
    for options in (["--engine", "cpu"], ["--engine", "cpu", "--no-share"], ["--engine", "auto"], []):
        ended = batt("run", *named, *options, "--export", tmp_path / "rows.jsonl", "--outputs")
        assert (ended.code, ended.err) == (0, f"batt: wrote {tmp_path / 'rows.jsonl'}\n")
        assert f"21 on the {'cpu' if options else 'reference'} engine" in ended.out
        written.append((tmp_path / "rows.jsonl").read_bytes())
    assert len(set(written)) == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited on Linux only")
def test_a_run_goes_on_where_an_evaluation_needs_too_much_memory(
    batt: Callable[..., Any], named: list[str], tmp_path: Path
):
    path = tmp_path / "hungry.py"
    path.write_text("\n\n".join([source("solve_hungry", *HUNGRY), source("solve_mirror", *MIRROR)]))
    ended = batt("run", "--deck", path, *named[2:], "--memory", "0.2")
    told = " ".join(ended.out.split())
    assert ended.code == 0
    assert "7 ok, 7 timed out" in told
    assert "memory 5 of those timed out needed more memory than a worker may use" in told


@pytest.mark.parametrize("given", ["0", "-1", "nan", "inf"])
def test_a_memory_that_is_no_size_is_refused(batt: Callable[..., Any], named: list[str], given: str):
    ended = batt("run", *named, "--memory", given)
    assert (ended.code, ended.out) == (2, "")
    assert "--memory is a number of GiB greater than zero" in ended.err


@needs_library
def test_what_ran_on_the_reference_engine_is_told(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    path = tmp_path / "wide.py"
    wide = ("y = multiply(9223372036854775807, height(I))", "x = multiply(y, y)")
    path.write_text("\n\n".join([source("solve_wide", *wide), source("solve_mirror", *MIRROR)]))
    ended = batt("run", "--deck", path, *named[2:], "--engine", "cpu")
    told = " ".join(ended.out.split())
    assert "7 of 14 evaluations ran on the reference engine: an int beyond 64 bits 7" in told


def test_without_the_library_one_line_says_why(
    batt: Callable[..., Any], named: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(VARIABLE, "/nowhere/lib.so")
    for options in ([], ["--json"]):
        ended = batt("run", *named, "--engine", "auto", *options)
        assert ended.code == 0
        assert ended.err.startswith("batt: the cpu engine is not available (the native lib")
        assert ended.err.count("\n") == 1
    assert batt("run", *named, "--engine", "auto", "--quiet") == (0, "", "")
    ended = batt("run", *named, "--engine", "cpu")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("batt: engine 'cpu' is not available: the native library is missing")


def test_an_interrupted_run_writes_what_is_done_and_tells_so(
    batt: Callable[..., Any], named: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    def cut(*args: Any, **options: Any) -> Results:
        results = evaluate(*args, **options)
        results.records[:14] = unfilled(14)
        results.interrupted = True
        return results

    monkeypatch.setattr("batt.cli.run.evaluate", cut)
    ended = batt("run", *named, "--export", tmp_path / "rows.jsonl")
    assert ended.code == 130
    assert ended.err.splitlines() == [
        f"batt: wrote {tmp_path / 'rows.jsonl'}",
        "batt: interrupted: 7 of 21 evaluations done",
    ]
    assert "14: the run was interrupted" in ended.out
    assert len((tmp_path / "rows.jsonl").read_text().splitlines()) == 7


def test_quiet_prints_nothing(batt: Callable[..., Any], named: list[str]):
    assert batt("run", *named, "--quiet") == (0, "", "")


def test_json_is_the_summary_and_nothing_else(batt: Callable[..., Any], named: list[str]):
    ended = batt("run", *named, "--json")
    figures = json.loads(ended.out)
    results = evaluate(package.load_deck(named[1]), package.load_tasks(named[3]), workers=1, engine="reference")
    expected = summary(results)
    assert (ended.code, ended.err, list(figures)) == (0, "", list(expected))
    for changing in ("wall_s", "evaluations_per_s"):
        del figures[changing], expected[changing]
    assert figures == expected
    assert figures["deck"] == "deck.py"


def test_tasks_are_chosen_by_number_and_by_id(batt: Callable[..., Any], named: list[str]):
    def evaluations(*options: str) -> int:
        return int(json.loads(batt("run", *named, "--json", *options).out)["evaluations"])

    assert evaluations("-c", "1") == 9
    assert evaluations("-c", "100") == 21
    assert evaluations("--ids", "trap") == 12
    assert evaluations("--ids", "trap", "mirror", "-c", "1") == 12
    assert evaluations("--own") == 3


def test_limits_are_those_of_the_options(batt: Callable[..., Any], named: list[str]):
    figures = json.loads(batt("run", *named, "--json", "--steps", "1", "-t", "2.5", "--memory", "3").out)
    assert figures["limits"] == {"steps": 1, "items": 2_000_000, "wall_s": 2.5, "memory_bytes": 3 << 30}
    assert figures["statuses"]["over_budget"] > 0


def test_a_folder_gets_summary_results_and_winners(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    out = tmp_path / "new" / "out"
    assert batt("run", *named, "--out", out, "--quiet").code == 0
    assert sorted(path.name for path in out.iterdir()) == FILES
    assert json.loads((out / "summary.json").read_text())["evaluations"] == 21
    assert len((out / "results.jsonl").read_text().splitlines()) == 21
    winners = package.load_deck(out / "winners.py")
    assert winners.names == ("solve_mirror", "solve_same")
    assert winners[0].program == package.load_deck(named[1])["solve_mirror"].program


def test_winners_of_a_run_before_do_not_stay(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    assert batt("run", *named, "--out", tmp_path / "out", "--quiet").code == 0
    losers = tmp_path / "losers.py"
    losers.write_text(source("solve_fails", *RAISES))
    assert batt("run", "--deck", losers, *named[2:], "--out", tmp_path / "out", "--quiet").code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == FILES
    run = json.loads((tmp_path / "out" / "summary.json").read_text())["run"]
    assert (tmp_path / "out" / "winners.py").read_text() == f"# Run {run}: no solver fits a task.\n"


def test_winners_that_cannot_stand_in_one_file_are_written_as_json_lines(
    batt: Callable[..., Any], named: list[str], tmp_path: Path
):
    folder = tmp_path / "decks"
    folder.mkdir()
    for name, op in (("one", "vmirror"), ("two", "identity")):
        helper = source("helper", f"x = {op}(I)")
        (folder / f"{name}.py").write_text(f"{helper}\n\n{source(f'solve_{name}', 'x = helper(I)')}")
    ended = batt("run", "--deck", folder, *named[2:], "--out", tmp_path / "out", "--quiet")
    assert ended.code == 0
    assert "two different 'helper'" in ended.err
    assert not (tmp_path / "out" / "winners.py").exists()
    assert package.load_deck(tmp_path / "out" / "winners.jsonl").names == ("solve_one", "solve_two")


def test_an_export_holds_a_row_per_evaluation(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    plain, full = tmp_path / "plain.jsonl", tmp_path / "full.jsonl"
    assert batt("run", *named, "--export", plain, "--quiet").code == 0
    assert batt("run", *named, "--export", full, "--outputs", "--with-engine", "--quiet").code == 0
    without = [json.loads(line) for line in plain.read_text().splitlines()]
    complete = [json.loads(line) for line in full.read_text().splitlines()]
    assert len(without) == 21
    assert [{**row, "engine": "reference"} for row in without] == [
        {key: value for key, value in row.items() if key != "output"} for row in complete
    ]
    assert complete[-1]["output"] == [[2, 3, 2]]


def test_a_deck_with_mistakes_is_refused_with_their_places(
    refused: Callable[..., str], bad_deck_file: str, named: list[str]
):
    told = refused("run", "--deck", bad_deck_file, *named[2:])
    assert told.startswith(f"batt: {bad_deck_file}:2:9: 'vmiror' is not defined; did you mean 'vmirror'?\n")
    assert "        x = vmiror(I)\n            ^" in told


def test_keep_going_runs_what_is_good_in_a_deck(batt: Callable[..., Any], bad_deck_file: str, named: list[str]):
    ended = batt("run", "--deck", bad_deck_file, *named[2:], "--keep-going", "--json")
    assert ended.code == 0
    assert f"{bad_deck_file}:2:9: 'vmiror' is not defined" in ended.err
    assert ended.err.endswith("batt: 1 mistake in bad.py; continuing with the 1 valid solver\n")
    assert json.loads(ended.out)["solvers"] == 1


def test_keep_going_tells_only_the_first_of_many_mistakes(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    bad = "\n".join([source(f"solve_{n}", "x = nothing(I)") for n in range(50)])
    path = tmp_path / "bad.py"
    path.write_text(f"{bad}\n{source('solve_mirror', *MIRROR)}")
    ended = batt("run", "--deck", path, *named[2:], "--keep-going", "--quiet")
    assert ended.code == 0
    assert ended.err.count("is not defined") == 20
    assert "… and 30 more" in ended.err


def test_imports_that_are_passed_over_are_told_once(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    path = tmp_path / "mine.py"
    path.write_text("import a, b, c, d\nfrom e import *\nfrom f.g import h\ndef solve_x(I):\n    return I\n")
    ended = batt("run", "--deck", path, *named[2:], "--quiet")
    assert ended.code == 0
    assert ended.err.count("skipped (never") == 1
    assert "batt: mine.py: 6 imports skipped (never executed): a, b, c, d, e and 1 more\n" in ended.err


def test_keep_going_needs_something_good(refused: Callable[..., str], named: list[str], tmp_path: Path):
    path = tmp_path / "bad.py"
    path.write_text(source("solve_bad", "x = nothing(I)"))
    assert "'nothing' is not defined" in refused("run", "--deck", path, *named[2:], "--keep-going")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-t", "0"], "the limit of seconds must be greater than zero, got 0"),
        (["-t", "-1"], "the limit of seconds must be greater than zero, got -1"),
        (["-t", "nan"], "the limit of seconds must be greater than zero, got nan"),
        (["--steps", "0"], "the limit of steps must be greater than zero, got 0"),
        (["--steps", "-5"], "the limit of steps must be greater than zero, got -5"),
        (["--workers", "0"], "the number of workers must be at least 1, got 0"),
        (
            ["--engine", "gpu"],
            "engine 'gpu' is not available; this version has: auto, cuda, cpu, reference (see batt doctor)",
        ),
        (["--devices", "x"], "devices are all, or numbers of GPUs such as 0,1 (0,0 is two workers on one), got 'x'"),
        (["--devices", "0", "--engine", "cpu"], "devices are GPUs, and engine 'cpu' uses none; leave one out"),
        (["--gpu-memory", "2"], "the fraction of a GPU's memory must be above 0 and at most 1, got '2.0'"),
        (["-c", "0"], "the number of tasks must be at least 1, got 0"),
        (["--ids", "miror"], "unknown task 'miror'; did you mean mirror?"),
        (["--outputs"], "--outputs needs --export FILE or --out DIR"),
        (["--with-engine"], "--with-engine needs --export FILE or --out DIR"),
    ],
)
def test_a_bad_option_is_refused_in_one_line(
    refused: Callable[..., str], named: list[str], options: list[str], message: str
):
    assert refused("run", *named, *options) == f"batt: {message}\n"


def test_a_bad_option_leaves_no_folder_behind(refused: Callable[..., str], named: list[str], tmp_path: Path):
    refused("run", *named, "--out", tmp_path / "out", "--engine", "gpu")


@pytest.mark.parametrize(
    ("option", "target", "message"),
    [
        ("--export", "nowhere/rows.jsonl", "{root}/nowhere/rows.jsonl: {root}/nowhere is not a folder"),
        ("--export", "deck.py/rows.jsonl", "{root}/deck.py/rows.jsonl: {root}/deck.py is not a folder"),
        ("--export", "", "{root}: is a folder"),
        ("--out", "deck.py", "{root}/deck.py: {root}/deck.py is not a folder"),
        ("--out", "deck.py/out", "{root}/deck.py/out: {root}/deck.py is not a folder"),
    ],
)
def test_a_target_that_cannot_be_written_is_refused_before_the_run(
    refused: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    named: list[str],
    tmp_path: Path,
    option: str,
    target: str,
    message: str,
):
    monkeypatch.setattr("batt.cli.run.evaluate", lambda *args, **options: pytest.fail("it ran"))
    assert refused("run", *named, option, tmp_path / target) == f"batt: {message.format(root=tmp_path)}\n"


@pytest.mark.parametrize(("option", "target"), [("--export", "rows.jsonl"), ("--out", "out"), ("--out", "a/b/c")])
def test_a_folder_without_permission_is_refused_before_the_run(
    refused: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    named: list[str],
    tmp_path: Path,
    option: str,
    target: str,
):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everywhere
    told = refused("run", *named, option, tmp_path / target)
    assert told == f"batt: {tmp_path / target}: {tmp_path} cannot be written to\n"


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="there is no /dev/null")
def test_a_device_is_written_to_and_never_replaced(batt: Callable[..., Any], named: list[str]):
    assert batt("run", *named, "--export", "/dev/null", "--quiet") == (0, "", "")
    assert Path("/dev/null").is_char_device()


def test_an_unknown_deck_is_refused(refused: Callable[..., str], named: list[str]):
    told = refused("run", "--deck", "no-such-deck.py", *named[2:])
    assert told.startswith("batt: no-such-deck.py: no such file or folder")
    assert told.count("\n") == 1


def test_unknown_tasks_are_refused(refused: Callable[..., str], named: list[str]):
    told = refused("run", *named[:2], "--tasks", "arc1-trainin")
    assert told == "batt: no such file, folder or set of tasks: 'arc1-trainin'; did you mean arc1-training?\n"


@pytest.mark.parametrize("text", ["", "x = 1\n", '"""Nothing."""\n', "def helper(I):\n    return I\n"])
def test_a_deck_without_solvers_is_refused(refused: Callable[..., str], named: list[str], tmp_path: Path, text: str):
    path = tmp_path / "empty.py"
    path.write_text(text)
    assert refused("run", "--deck", path, *named[2:]).startswith("batt: empty.py: no solver found")


def test_an_empty_folder_is_no_deck(refused: Callable[..., str], named: list[str], tmp_path: Path):
    (tmp_path / "empty").mkdir()
    assert "holds no .py or .jsonl file" in refused("run", "--deck", tmp_path / "empty", *named[2:])


def test_a_deck_that_is_no_text_is_refused(refused: Callable[..., str], named: list[str], tmp_path: Path):
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8 text" in refused("run", "--deck", tmp_path / "bytes.py", *named[2:])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "tasks.json: line 1, column 2: not JSON"),
        ("[]", "tasks.json: task tasks: no pairs"),
        ("{}", "tasks.json: no tasks"),
        ('{"a": 1}', "tasks.json: task a: expected an object or a list of pairs, got 1"),
        (json.dumps({"a": {"train": []}}), "tasks.json: task a: no train pairs"),
        (
            json.dumps({"a": plain_tasks()["mirror"] | {"test": [{"input": [[11]]}]}}),
            "expected an int from 0 to 9, got 11",
        ),
    ],
)
def test_malformed_tasks_are_refused(
    refused: Callable[..., str], named: list[str], tmp_path: Path, text: str, message: str
):
    (tmp_path / "tasks.json").write_text(text)
    assert message in refused("run", *named)


def test_tasks_without_answers_are_run(batt: Callable[..., Any], named: list[str]):
    Path(named[3]).write_text(json.dumps(plain_tasks(answers=False)))
    ended = batt("run", *named)
    assert ended.code == 0
    assert "test outputs unknown" in ended.out
    assert json.loads(batt("run", *named, "--json").out)["tasks_correct"] is None


def test_a_name_with_markup_is_printed_as_it_is(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    path = tmp_path / "[bold]:100:.py"
    path.write_text(source("solve_mirror", *MIRROR))
    assert "[bold]:100:.py: 1 solver\n" in batt("run", "--deck", path, *named[2:]).out


def test_the_built_in_deck_runs_in_a_process_without_a_terminal(tmp_path: Path):
    command = [sys.executable, "-m", "batt.cli.main", "run", "-c", "2", "--own", "--engine", "reference"]
    environment = {**os.environ, "PYTHONPATH": str(Path(package.__file__).parents[1])}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path, env=environment
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("on the reference engine") == 1
    assert "\x1b" not in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_results_of_the_command_are_those_of_the_package(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    assert batt("run", *named, "--export", tmp_path / "a.jsonl", "--quiet").code == 0
    results: Results = evaluate(package.load_deck(named[1]), package.load_tasks(named[3]))
    package.export(results, tmp_path / "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_tasks_with_faults_are_left_out_where_asked(batt: Callable[..., Any], deck_file: str, tmp_path: Path):
    folder = tmp_path / "tasks"
    folder.mkdir()
    (folder / "mirror.json").write_text(json.dumps(plain_tasks()["mirror"]))
    (folder / "bad.json").write_text("[]")
    ended = batt("run", "--deck", deck_file, "--tasks", folder, "--keep-going", "--quiet")
    assert ended.code == 0
    assert ended.err.splitlines()[:2] == ["batt: bad.json: task bad: no pairs", "batt: 1 of 2 tasks left out"]
    assert batt("run", "--deck", deck_file, "--tasks", folder).code == 2


def test_the_files_of_a_folder_name_one_run(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    ids = []
    for options in ([], [], ["--own"], ["--steps", "1"]):
        assert batt("run", *named, *options, "--out", tmp_path / "out", "--quiet").code == 0
        summary = json.loads((tmp_path / "out" / "summary.json").read_text())
        rows = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]
        assert {row["run"] for row in rows} == {summary["run"]}
        assert (tmp_path / "out" / "winners.py").read_text().startswith(f"# Run {summary['run']}")
        ids.append(summary["run"])
    assert ids[0] == ids[1]
    assert len(set(ids)) == 3


def test_winners_replace_those_of_the_other_form(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "winners.jsonl").write_text("older")
    assert batt("run", *named, "--out", out, "--quiet").code == 0
    assert not (out / "winners.jsonl").exists()


@pytest.mark.parametrize("own", [True, False])
def test_what_failed_is_told_and_all_of_it_where_asked_for(
    batt: Callable[..., Any], named: list[str], tmp_path: Path, own: bool
):
    deck = tmp_path / "many.py"
    solvers = {f"solve_mirror_{n}": SAME if n else RAISES for n in range(15)}
    deck.write_text("\n\n".join([source(name, *lines) for name, lines in solvers.items()]))
    options = ["--own"] if own else []
    ended = batt("run", deck, *named[2:], *options)
    assert ended.code == 0
    if own:
        assert "did not fit: 15\n" in ended.out
        assert "  solve_mirror_1: 4 of 5 cells differ, first on train 0\n" in ended.out
        assert "… and 3 more (--all)" in ended.out
        every = batt("run", deck, *named[2:], *options, "--all").out
        assert "  solve_mirror_0: raised StopIteration on train 0\n" in every
        assert "--all" not in every
    else:
        assert "tasks that no solver fits, with the nearest solver: 1\n" in ended.out
        assert "  mirror: solve_mirror_1: 4 of 5 cells differ, first on train 0\n" in ended.out
        assert " (not correct) and 10 more\n" in ended.out
        assert batt("run", deck, *named[2:], "--all").out.count(" (not correct)") == 14


def test_a_deck_may_stand_anywhere_among_the_options(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    other = tmp_path / "other.py"
    other.write_text(source("solve_other", *SAME))
    for line in (
        [named[1], other, *named[2:]],
        [*named[2:], named[1], other],
        [named[1], *named[2:], other],
        [named[1], *named[2:], "--deck", other],
    ):
        ended = batt("run", *line, "--json")
        assert ended.code == 0, ended
        figures = json.loads(ended.out)
        assert (figures["solvers"], figures["deck"]) == (4, "deck.py + other.py")


def test_solvers_of_one_name_in_two_decks_are_told_apart(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    other = tmp_path / "other.py"
    other.write_text("\n\n".join([source("solve_mirror", *SAME), source("solve_same", *SAME)]))
    ended = batt("run", named[1], other, *named[2:], "--own", "--json")
    assert "batt: 1 solver renamed, because decks use one name for different programs" in ended.err
    figures = json.loads(ended.out)
    assert figures["solvers"] == 4
    assert [miss["solver"] for miss in figures["misses"]] == ["other_solve_mirror"]


def test_mistakes_of_all_decks_are_told_together(refused: Callable[..., str], bad_deck_file: str, tmp_path: Path):
    other = tmp_path / "other.py"
    other.write_text(source("solve_other", "x = nothing(I)"))
    told = refused("run", bad_deck_file, other)
    assert "'vmiror' is not defined" in told
    assert "'nothing' is not defined" in told


def test_tasks_of_several_sources_are_run(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"another": plain_tasks()["mirror"]}))
    ended = batt("run", *named, "--tasks", other, "--json")
    assert json.loads(ended.out)["tasks"] == 3


def test_ids_are_separated_by_spaces_or_commas(batt: Callable[..., Any], named: list[str]):
    for words in (["trap", "mirror"], ["trap,mirror"], ["trap,", "mirror"]):
        assert json.loads(batt("run", *named, "--json", "--ids", *words).out)["tasks"] == 2


def test_a_deck_after_ids_is_told_apart_from_an_unknown_id(refused: Callable[..., str], named: list[str]):
    told = refused("run", *named[2:], "--ids", "trap", named[1])
    assert "put decks before --ids" in told


def test_the_share_of_memory_is_checked_where_no_gpu_is_used(
    refused: Callable[..., str], named: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("BATT_GPU_MEMORY", "abc")
    assert refused("run", *named) == "batt: BATT_GPU_MEMORY must be above 0 and at most 1, got 'abc'\n"


def test_the_share_of_memory_is_handed_on_and_the_environment_left_alone(
    batt: Callable[..., Any], named: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("BATT_GPU_MEMORY", raising=False)
    read: list[Any] = []

    def watched(**given: Any) -> Any:
        read.append(given["gpu_memory"])
        return read_options(**given)

    monkeypatch.setattr("batt.jobs.evaluation.read_options", watched)
    assert batt("run", *named, "--gpu-memory", "0.5").code == 0
    assert read == [0.5]
    assert "BATT_GPU_MEMORY" not in os.environ


def test_a_dash_exports_rows_to_standard_output_and_nothing_else(batt: Callable[..., Any], named: list[str]):
    ended = batt("run", *named, "--export", "-")
    assert ended.code == 0
    assert len([json.loads(line) for line in ended.out.splitlines()]) == 21
    assert "21 on the reference engine" in ended.err


def test_a_name_in_gz_is_compressed_and_always_the_same(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    plain, packed = tmp_path / "rows.jsonl", tmp_path / "rows.jsonl.gz"
    assert batt("run", *named, "--export", plain, "--quiet").code == 0
    for _ in range(2):
        assert batt("run", *named, "--export", packed, "--quiet").code == 0
        assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
        assert packed.read_bytes()[3:8] == bytes(5)  # no name, no time


@pytest.mark.parametrize("name", ["rows.xlsx", "rows.json", "rows.gz", "rows.parquet.gz", "rows.jsonl.zst"])
def test_a_name_that_promises_another_format_is_refused(
    refused: Callable[..., str], named: list[str], tmp_path: Path, name: str
):
    told = refused("run", *named, "--export", tmp_path / name)
    assert told.startswith(f"batt: {tmp_path / name}: results are written as JSON lines, CSV or Parquet; end the name")


def test_a_format_needs_a_file(refused: Callable[..., str], named: list[str], tmp_path: Path):
    assert "--format needs --export FILE" in refused("run", *named, "--format", "csv", "--out", tmp_path / "run")


def test_the_end_of_a_name_or_an_option_chooses_the_format(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    assert batt("run", *named, "--export", tmp_path / "rows.csv", "--quiet").code == 0
    assert batt("run", *named, "--export", "-", "--format", "csv", "--quiet").out == (tmp_path / "rows.csv").read_text()
    assert batt("run", *named, "--export", tmp_path / "rows.parquet", "--quiet").code == 0
    assert (tmp_path / "rows.parquet").read_bytes()[:4] == b"PAR1"


def test_json_and_rows_do_not_share_a_stream(refused: Callable[..., str], named: list[str]):
    assert "both write to standard output" in refused("run", *named, "--json", "--export", "-")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_costs_one_file_and_nothing_else(batt: Callable[..., Any], named: list[str], tmp_path: Path):
    ended = batt("run", *named, "--out", tmp_path / "out", "--export", "/dev/full")
    assert ended.code == 2
    assert "21 on the reference engine" in ended.out
    written = ", ".join([str(tmp_path / "out" / name) for name in ("summary.json", "winners.py", "results.jsonl")])
    assert ended.err == f"batt: /dev/full: cannot be written: No space left on device\nwritten: {written}\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_an_output_that_is_full_costs_no_file(named: list[str], tmp_path: Path):
    command = [sys.executable, "-m", "batt", "run", *named, "--out", str(tmp_path / "out")]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300, check=False)
    assert done.returncode == 2
    assert done.stderr.endswith("batt: [Errno 28] No space left on device\n")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == FILES


def test_files_that_cannot_be_written_are_named_beside_those_that_are(
    batt: Callable[..., Any], named: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    def full(*args: object, **options: object) -> None:
        raise UsageError("winners.py: cannot be written: No space left on device")

    monkeypatch.setattr(package.Deck, "save", full)
    ended = batt("run", *named, "--out", tmp_path / "out")
    written = f"written: {tmp_path / 'out' / 'summary.json'}, {tmp_path / 'out' / 'results.jsonl'}\n"
    assert (ended.code, ended.err) == (2, f"batt: winners.py: cannot be written: No space left on device\n{written}")
