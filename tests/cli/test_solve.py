import json
import os
import signal
import subprocess
import sys
import time
from argparse import Namespace

import pytest

from batt.cli.solve import tell_slow
from batt.runtime import cuda, native
from batt.solving.searches.storing import SOLUTIONS
from batt.store.lock import LOCK
from batt.tasks import load_tasks

EFFORT = 10**8
HANG_S = 300
COMMAND = (sys.executable, "-m", "batt", "solve")


@pytest.fixture
def given(deck_file, tasks_file):
    return (tasks_file, "--deck", deck_file, "--effort", EFFORT, "--workers", 1)


def test_solve_prints_answers_and_writes_a_valid_submission(batt, given, tasks_file, tmp_path):
    submission = tmp_path / "submission.json"
    ended = batt("solve", *given, "--submission", submission, "--out", tmp_path / "out", "--page")
    assert ended.code == 0, ended.err
    assert "the live page is at http://127.0.0.1:" in ended.err
    assert "with an answer" in ended.out
    assert "CPU seconds a task" in ended.out
    assert f"batt report {tmp_path / 'out'} -o page.html" in ended.err
    assert ended.out.startswith("solved: "), "the wall"
    assert batt("submit", "--check", submission, "--tasks", tasks_file).code == 0


def answers(out):
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.slow
def test_the_reference_engine_gives_the_answers_of_the_cpu(batt, given):
    found = [batt("solve", *given, "--json", "--engine", engine).out for engine in ("cpu", "reference")]
    assert found[0] == found[1]
    assert '"grid"' in found[0]


@pytest.mark.skipif(cuda.missing() is None, reason="there is a GPU")
def test_a_missing_gpu_is_an_error_that_says_what_to_do(refused):
    assert "engine 'cuda' is not available" in refused("solve", "--engine", "cuda")


def test_options_that_do_not_go_together_are_refused(refused, tmp_path):
    assert "leave out tasks" in refused("solve", "arc1-training", "--resume", tmp_path)
    assert "leave out tasks" in refused("solve", "-c", 0, "--resume", tmp_path)
    assert "either --time or --effort" in refused("solve", "--time", 1, "--effort", 1)
    assert "cannot be a stream" in refused("solve", "--submission", "-")
    assert "search on their CPUs" in refused("solve", "--engine", "cuda", "--cluster", "local:1")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--time", "0"), "above 0 seconds"),
        (("--time", "nan"), "above 0 seconds"),
        (("--effort", "0"), "at least 1"),
        (("--workers", "0"), "at least 1"),
        (("--deck", "missing.py"), "missing.py"),
        (("missing/",), "missing"),
        (("--resume", "missing"), "holds no search"),
        (("--cluster", "here"), "--cluster takes the address of a Dask scheduler"),
        (("--cluster", "local:1", "--workers", "1"), "leave one out"),
        (("--at", "127.0.0.1:1"), "add --page"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_written(refused, words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    more = () if "--resume" in words else ("--out", tmp_path / "out")
    assert said in refused("solve", *words, *more)


def test_an_unfinished_search_is_not_overwritten_and_a_finished_one_is_replaced(batt, given, tmp_path):
    out = tmp_path / "solved"
    assert batt("solve", *given, "--out", out, "--quiet").code == 0
    assert batt("solve", *given, "--out", out, "--quiet").code == 0
    path = out / SOLUTIONS
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    ended = batt("solve", *given, "--out", out, "--quiet")
    assert ended.code == 2
    assert "unfinished search" in ended.err


def test_a_deck_that_was_edited_meanwhile_is_refused(batt, given, deck_file, tmp_path):
    out = tmp_path / "solved"
    assert batt("solve", *given, "--out", out, "--quiet").code == 0
    with open(deck_file, "a") as file:
        file.write("\n\ndef solve_more(I):\n    x = hmirror(I)\n    return x\n")
    ended = batt("solve", "--resume", out)
    assert ended.code == 2
    assert "decks are not the same" in ended.err


def test_the_deck_of_a_search_is_not_overwritten_by_its_programs(refused, deck_file, tmp_path):
    os.rename(deck_file, tmp_path / "solutions.py")
    said = refused("solve", "--deck", tmp_path / "solutions.py", "--out", tmp_path)
    assert "reads it" in said


def test_a_missing_native_library_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(native.VARIABLE, str(tmp_path / "missing.so"))
    tell_slow(Namespace(quiet=False, engine="auto"))
    assert "reference engine, which is many times slower: the native library is missing" in capsys.readouterr().err
    tell_slow(Namespace(quiet=False, engine="reference"))
    assert not capsys.readouterr().err, "it was asked for"


def started(*words):
    return subprocess.Popen([*COMMAND, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_lines(folder, count):
    path, until = folder / SOLUTIONS, time.monotonic() + HANG_S
    while time.monotonic() < until:
        if path.exists() and len(path.read_bytes().splitlines()) >= count:
            return
        time.sleep(0.01)
    raise TimeoutError


@pytest.fixture
def many(deck_file, tmp_path):
    """Twelve tasks of the training set with a small deck."""
    path = tmp_path / "many.json"
    path.write_text(json.dumps({task.id: plain(task) for task in list(load_tasks("arc1-training"))[:12]}))
    return str(path), "--deck", deck_file, "--effort", EFFORT


def plain(task):
    return {
        "train": [{"input": pair.input, "output": pair.output} for pair in task.train],
        "test": [{"input": pair.input, "output": pair.output} for pair in task.test],
    }


def test_a_search_that_is_killed_and_resumed_with_other_workers_has_the_same_answers(batt, many, tmp_path):
    unbroken = batt("solve", *many, "--workers", 1, "--json")
    out, submission = tmp_path / "out", tmp_path / "submission.json"
    with started(*many, "--workers", 2, "--out", out, "--submission", submission) as running:
        wait_for_lines(out, 3)
        second = batt("solve", "--resume", out)
        assert second.code == 2
        assert f"another process writes this run: process {running.pid}" in second.err
        running.send_signal(signal.SIGKILL)
        running.wait(HANG_S)
    assert batt("submit", "--check", submission, "--tasks", many[0]).code == 0
    assert 3 <= len((out / SOLUTIONS).read_bytes().splitlines()) < 13
    ended = batt("solve", "--resume", out, "--json")
    assert ended.code == 0, ended.err
    assert answers(ended.out) == answers(unbroken.out)


@pytest.mark.parametrize(("number", "word"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")])
def test_a_signal_ends_the_search_with_what_was_found(many, tmp_path, number, word):
    out = tmp_path / "out"
    with started(*many, "--workers", 1, "--out", out) as running:
        wait_for_lines(out, 2)
        running.send_signal(number)
        _, err = running.communicate(timeout=HANG_S)
    assert running.returncode == 128 + number
    assert f"{word}: " in err
    assert f"go on with: batt solve --resume {out}" in err
    assert (out / "submission.json").exists()
    assert not (out / LOCK).exists()
