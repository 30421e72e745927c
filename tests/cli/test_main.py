"""The frame of the command: subcommands, exit codes, and how it takes interruptions and broken outputs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import batt as package
from batt.cli import main as frame
from batt.errors import DataError, InternalError, UsageError
from handmade import STUCK, source

COMMAND = [sys.executable, "-m", "batt.cli.main"]
HANG_S = 120


def finish(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=HANG_S, check=False, **options)


def test_the_version_is_the_packages(batt: Callable[..., Any]):
    assert batt("--version")[:2] == (0, f"batt {package.__version__}\n")


def test_help_names_every_command_and_exit_code(batt: Callable[..., Any]):
    ended = batt("--help")
    assert ended.code == 0
    for word in ("run", "show", "trace", "ops", "doctor", "130 interrupted"):
        assert word in ended.out


@pytest.mark.parametrize("command", ["run", "show", "trace", "ops", "check", "bench", "doctor"])
def test_every_command_has_help(batt: Callable[..., Any], command: str):
    ended = batt(command, "--help")
    assert ended.code == 0
    assert f"batt {command}" in ended.out


@pytest.mark.parametrize(
    "line", ["", "fly", "run --fly", "run -t soon", "run --steps 1.5", "run --ids", "show --fly", "trace x"]
)
def test_a_command_line_that_cannot_be_read_is_refused(refused: Callable[..., str], line: str):
    assert refused(*line.split()).startswith("usage: batt")


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (UsageError("no such thing"), 2, "batt: no such thing\n"),
        (DataError("a.json: [red]not[/red] JSON :100:"), 2, "batt: a.json: [red]not[/red] JSON :100:\n"),
        (InternalError("lost"), 1, "batt: internal error: lost\nThis is a bug of batt; please report it.\n"),
        (KeyboardInterrupt(), 130, "batt: interrupted\n"),
        (PermissionError(13, "Permission denied", "deck"), 2, "batt: [Errno 13] Permission denied: 'deck'\n"),
        (BrokenPipeError(), 0, ""),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_every_branch_of_errors_has_its_exit_code(
    batt: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, told: str
):
    def fail(args: object) -> int:
        raise error

    monkeypatch.setattr("batt.cli.ops.execute", fail)
    assert batt("ops") == (code, "", told)


def test_an_unexpected_error_is_not_hidden(monkeypatch: pytest.MonkeyPatch):
    def fail(args: object) -> int:
        raise AssertionError("a bug")

    monkeypatch.setattr("batt.cli.ops.execute", fail)
    with pytest.raises(AssertionError, match="a bug"):
        frame.main(["ops"])


def test_a_reader_that_goes_away_is_no_error():
    command = subprocess.Popen([*COMMAND, "ops", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert command.stdout is not None
    assert command.stderr is not None
    with command:
        command.stdout.close()
        assert command.stderr.read() == b""
        assert command.wait(HANG_S) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("argv", [["ops"], ["ops", "--json"], ["doctor", "--json"]])
def test_an_output_that_cannot_be_written_is_told(argv: list[str]):
    with open("/dev/full", "w") as full:
        done = subprocess.run([*COMMAND, *argv], stdout=full, stderr=subprocess.PIPE, timeout=HANG_S, check=False)
    assert done.returncode == 2
    assert done.stderr == b"batt: [Errno 28] No space left on device\n"


def test_a_terminal_without_unicode_gets_question_marks(deck_file: str, tasks_file: str):
    command = [*COMMAND, "run", "--engine", "reference", "--deck", deck_file, "--tasks", tasks_file]
    done = finish(command, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "solve_mirror fits trap  ? correct" in done.stdout


def workers_of(process: int) -> set[int]:
    """The worker processes of a process, as Linux tells them."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            if parent == process and b"batt.runtime.worker" in (stat.parent / "cmdline").read_bytes():
                found.add(int(stat.parent.name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def wait_for(is_so: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + HANG_S
    while not is_so():
        assert time.monotonic() < deadline_s, "it never came to be so"
        time.sleep(0.02)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see the workers")
def test_an_interrupt_ends_the_command_and_its_workers(tmp_path: Path, tasks_file: str):
    endless = tmp_path / "endless.py"
    endless.write_text(source("solve_endless", *STUCK))
    options = [
        *("--deck", str(endless), "--tasks", tasks_file, "-t", "600", "--workers", "2"),
        *("--engine", "reference", "--out", str(tmp_path / "out"), "--quiet"),
    ]
    with subprocess.Popen([*COMMAND, "run", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
        wait_for(lambda: len(workers_of(command.pid)) == 2)
        workers = workers_of(command.pid)
        command.send_signal(signal.SIGINT)
        out, err = command.communicate(timeout=HANG_S)
    assert (command.returncode, out, err) == (130, b"", b"batt: interrupted: 0 of 7 evaluations are done\n")
    wait_for(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["results.jsonl", "summary.json"]
    assert (tmp_path / "out" / "results.jsonl").read_text() == ""


def test_a_command_loads_no_other_command():
    code = "import sys; from batt.cli.main import parser; parser('ops'); print('batt.cli.bench' in sys.modules)"
    found = finish([sys.executable, "-c", code])
    assert found.stdout.strip() == "False"
