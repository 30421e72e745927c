"""The frame of the command: subcommands, exit codes, and how it takes interruptions and broken outputs."""

from __future__ import annotations

import json
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
from handmade import SAME, STUCK, source

COMMAND = [sys.executable, "-m", "batt"]
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


def test_a_terminal_without_unicode_gets_question_marks(tmp_path: Path, tasks_file: str):
    deck = tmp_path / "solvers.py"
    deck.write_text(source("solve_trap", *SAME))
    command = [*COMMAND, "run", "--engine", "reference", "--deck", str(deck), "--tasks", tasks_file]
    done = finish(command, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "solve_trap fits trap  ? not correct" in done.stdout


def workers_of(process: int) -> set[int]:
    """The worker processes of a process, as Linux tells them."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            if parent == process and b"batt.runtime.reference.worker" in (stat.parent / "cmdline").read_bytes():
                found.add(int(stat.parent.name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def wait_for(is_so: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + HANG_S
    while not is_so():
        assert time.monotonic() < deadline_s, "it never came to be so"
        time.sleep(0.02)


FILES = ["results.jsonl", "run.batt", "summary.json", "winners.py"]


def endless_run(folder: Path, tasks_file: str) -> list[str]:
    """A command that never ends by itself."""
    endless = folder / "endless.py"
    endless.write_text(source("solve_endless", *STUCK))
    options = ["-t", "600", "--workers", "2", "--engine", "reference", "--out", str(folder / "out"), "--quiet"]
    return [*COMMAND, "run", str(endless), "--tasks", tasks_file, *options]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see the workers")
@pytest.mark.parametrize(
    ("number", "times", "word"),
    [
        (signal.SIGINT, 1, "interrupted"),
        (signal.SIGTERM, 1, "terminated"),
        (signal.SIGTERM, 20, "terminated"),
        (signal.SIGHUP, 1, "hung up"),
    ],
)
def test_a_signal_ends_the_command_and_its_workers_and_what_is_done_is_written(
    tmp_path: Path, tasks_file: str, number: signal.Signals, times: int, word: str
):
    command = endless_run(tmp_path, tasks_file)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        wait_for(lambda: len(workers_of(running.pid)) == 2)
        workers = workers_of(running.pid)
        for _ in range(times):
            running.send_signal(number)
            time.sleep(0.001)
        out, err = running.communicate(timeout=HANG_S)
    assert (running.returncode, out) == (128 + number, "")
    assert err == f"batt: {word}: 0 of 7 evaluations done; go on with: batt run --resume {tmp_path / 'out'}\n"
    wait_for(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "results.jsonl",
        "run.batt",
        "summary.json",
        "winners.py",
    ]
    assert (tmp_path / "out" / "results.jsonl").read_text() == ""
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["interrupted"] is True


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see the workers")
def test_workers_do_not_outlive_a_command_that_is_killed(tmp_path: Path, tasks_file: str):
    command = endless_run(tmp_path, tasks_file)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        wait_for(lambda: len(workers_of(running.pid)) == 2)
        workers = workers_of(running.pid)
        running.kill()
        assert running.communicate(timeout=HANG_S) == ("", "")
    wait_for(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see the workers")
def test_a_signal_to_all_processes_of_a_job_costs_no_result(tmp_path: Path, tasks_file: str):
    # As Slurm and Kubernetes do; a worker that ended by it would count as crashed.
    command = endless_run(tmp_path, tasks_file)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        wait_for(lambda: len(workers_of(running.pid)) == 2)
        # A worker ignores the signal once it has begun its work.
        wait_for(lambda: all(ignores_sigterm(worker) for worker in workers_of(running.pid)))
        for worker in workers_of(running.pid):
            os.kill(worker, signal.SIGTERM)
        time.sleep(0.1)
        running.send_signal(signal.SIGTERM)
        _, err = running.communicate(timeout=HANG_S)
    assert err == f"batt: terminated: 0 of 7 evaluations done; go on with: batt run --resume {tmp_path / 'out'}\n"
    figures = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert (figures["crashed"], figures["not_run"]) == (0, 7)


def ignores_sigterm(process: int) -> bool:
    (line,) = [each for each in Path(f"/proc/{process}/status").read_text().splitlines() if each.startswith("SigIgn")]
    return bool(int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


SLOW_START = """
import sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "batt.cli.main":
            print("loading", flush=True)
            time.sleep(100)
sys.meta_path.insert(0, Slow())
from batt.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize(("number", "word"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")])
def test_a_signal_while_the_command_is_loaded_is_one_line(number: signal.Signals, word: str):
    command = [sys.executable, "-c", SLOW_START]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as loading:
        assert loading.stdout is not None
        assert loading.stdout.readline() == "loading\n"
        loading.send_signal(number)
        out, err = loading.communicate(timeout=HANG_S)
    assert (loading.returncode, out, err) == (128 + number, "", f"batt: {word}\n")


def test_a_signal_that_is_ignored_stays_ignored():
    code = "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    code += "from batt.__main__ import main; sys.argv = ['batt', 'ops', 'first']; main()\n"
    code += "print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
    assert finish([sys.executable, "-c", code]).stdout.endswith("True\n")


def test_handlers_are_given_back(batt: Callable[..., Any]):
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    assert batt("ops", "first").code == 0
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before


def test_the_package_is_the_command():
    done = finish([sys.executable, "-m", "batt", "--version"])
    assert (done.returncode, done.stdout) == (0, f"batt {package.__version__}\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_error(deck_file: str, tasks_file: str, tmp_path: Path, closed: str):
    line = f'"$@" {closed}'
    options = ["--tasks", tasks_file, "--engine", "reference", "--export", str(tmp_path / "rows.jsonl")]
    done = finish(["bash", "-c", line, "bash", *COMMAND, "run", deck_file, *options])
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert len((tmp_path / "rows.jsonl").read_text().splitlines()) == 21


def test_docstrings_may_be_stripped(deck_file: str, tasks_file: str):
    optimised = [sys.executable, "-OO", "-m", "batt"]
    done = finish([*optimised, "run", deck_file, "--tasks", tasks_file, "--engine", "reference", "--quiet"])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert finish([*optimised, "--help"]).returncode == 0
    assert finish([*optimised, "ops"]).returncode == 0


def test_a_command_loads_no_other_command():
    code = "import sys; from batt.cli.main import parser; parser('ops'); print('batt.cli.bench' in sys.modules)"
    found = finish([sys.executable, "-c", code])
    assert found.stdout.strip() == "False"
