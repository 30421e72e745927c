"""`batt run` on batts, and with the options of older scripts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from batt.card.steps import merge_steps
from batt.front import load_deck
from batt.runtime import cuda
from dealt import deck_of, text_of
from native_library import needs_library

Run = Callable[..., Any]

OLD = """
from dsl import *
from constants import *


def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    try:
        t1 = vmirror(I)
    except Exception:
        t1 = I
    o.append((1, t1 != I, "mirror", t1))
    return o, s
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a batt of ten solvers, the same for a batch, and an old batt."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "batt_test.py").write_text(text_of(deck_of(10)))
    (tmp_path / "batt_batch.py").write_text(text_of(deck_of(10), batch=True))
    (tmp_path / "old_batt.py").write_text(OLD)
    deck_of(10).save(tmp_path / "deck.py")
    return tmp_path


def exported(batt: Run, folder: Path, *argv: object) -> str:
    ended = batt("run", *argv, "--quiet", "--outputs", "--export", folder / "rows.jsonl")
    assert ended.code == 0, ended
    return (folder / "rows.jsonl").read_text()


@pytest.mark.parametrize("source", ["batt_test.py", "batt_test", "batt_batch"])
def test_the_export_of_a_batt_is_that_of_its_deck(batt: Run, made: Path, tasks_file: str, source: str):
    rows = exported(batt, made, "--deck", made / "deck.py", "--tasks", tasks_file)
    assert exported(batt, made, "-b", source, "--tasks", tasks_file) == rows
    assert rows.count("\n") == 10 * 7


@needs_library
def test_the_exports_of_two_engines_are_the_same(batt: Run, made: Path):
    given = ("-b", "batt_test", "-c", 3, "-t", 20.0)
    assert exported(batt, made, *given, "--engine", "cpu") == exported(batt, made, *given, "--engine", "reference")


def test_a_batt_is_parsed_and_never_executed(batt: Run, made: Path, tasks_file: str):
    path = made / "batt_test.py"
    path.write_text(path.read_text() + "\nopen('executed', 'w').close()\n")
    assert batt("run", "-b", path, "--tasks", tasks_file, "--quiet").code == 0
    assert not (made / "executed").exists()


def test_defaults_of_an_old_batt_are_told(batt: Run, made: Path, tasks_file: str):
    ended = batt("run", "-b", "old_batt", "--tasks", tasks_file, "--json")
    assert ended.code == 0
    assert "old_batt.py: 1 line gave a default value instead of an error; here the error is raised" in ended.err


def test_the_options_of_older_scripts_are_taken(batt: Run, made: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cuda, "missing", lambda *_: "no NVIDIA driver is installed")
    old = ["--mega-batch", "-c", 2, "-b", "batt_test", "--batch-size", 100, "--use-gpu"]
    ended = batt("run", *old)
    assert ended.code == 0, ended
    assert "batt: no GPU is used: no NVIDIA driver is installed\n" in ended.err


def test_generating_and_running_is_one_command(batt: Run):
    ended = batt("run", "-c", 3, "-t", 1.0, "--json")
    assert ended.code == 0
    figures = json.loads(ended.out)
    assert (figures["solvers"], figures["tasks"]) == (399, 3)
    assert figures["not_run"] == 0


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--use-gpu", "--engine", "cpu"], "--use-gpu asks for a GPU, but --engine cpu uses none"),
        (["--batch-size", "0"], "the batch size must be at least 1, got 0"),
        (["-b", "nowhere"], "nowhere: no such file or module"),
        (["-b", "x.py", "--deck", "y.py"], "-b names a batt and --deck a deck"),
    ],
)
def test_a_request_that_cannot_be_met_is_refused(refused: Callable[..., str], argv: list[str], said: str):
    assert said in refused("run", *argv)


def test_a_solver_file_is_run_by_the_same_option(batt: Run, deck_file: str, tasks_file: str):
    assert batt("run", "-b", deck_file, "--tasks", tasks_file, "--quiet").code == 0
    assert len(merge_steps(load_deck(deck_file)).dealt) == 3


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
@pytest.mark.parametrize("form", ["python", "lines", "file"])
def test_a_deck_is_read_from_standard_input(tmp_path: Path, deck_file: str, tasks_file: str, name: str, form: str):
    command = [sys.executable, "-m", "batt", "run", name, "--tasks", tasks_file, "--engine", "reference", "--json"]
    load_deck(deck_file).save(tmp_path / "deck.jsonl")
    path = tmp_path / "deck.jsonl" if form == "lines" else Path(deck_file)
    with path.open("rb") as file:
        given: Any = {"stdin": file} if form == "file" else {"input": path.read_bytes()}
        done = subprocess.run(command, capture_output=True, timeout=300, check=False, **given)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert (figures["deck"], figures["solvers"], figures["tasks_fitted"]) == ("stdin", 3, 2)


def test_a_mistake_in_standard_input_has_its_place(tasks_file: str):
    command = [sys.executable, "-m", "batt", "run", "-", "--tasks", tasks_file]
    text = "def solve_x(I):\n    return vmiror(I)\n"
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("batt: /dev/stdin:2:12: 'vmiror' is not defined")
    empty = subprocess.run(command, input="", capture_output=True, text=True, timeout=300, check=False)
    assert (empty.returncode, "no solver found" in empty.stderr) == (2, True)


def test_a_deck_is_read_from_a_pipe(batt: Run, deck_file: str, tasks_file: str, tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cp", deck_file, str(tmp_path / "pipe")]):
        ended = batt("run", tmp_path / "pipe", "--tasks", tasks_file, "--engine", "reference", "--json")
    assert json.loads(ended.out)["solvers"] == 3


@pytest.mark.parametrize(
    "line", ["card {deck} -f {root}/out.py", "infer {deck} -f {root}/out.py", "check {deck} --own --quiet"]
)
def test_other_commands_take_decks_as_plain_arguments(
    batt: Run, tmp_path: Path, deck_file: str, tasks_file: str, line: str
):
    argv = line.format(deck=deck_file, root=tmp_path).split()
    ended = batt(*argv, "--tasks", tasks_file, "--keep-going")
    assert "unrecognized" not in ended.err
    assert ended.code == 0 or "no solver has a variant" in ended.err or "nothing to compare" in ended.err


def test_a_second_deck_of_a_measurement_is_refused(refused: Callable[..., str]):
    assert "argument --deck: given twice" in refused("bench", "--deck", "a.py", "--deck", "b.py")
