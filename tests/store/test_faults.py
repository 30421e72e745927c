"""What can happen to a run, for real: killed, disk full, damaged bytes, another owner, a folder that is read-only."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from batt.errors import BattError
from batt.front import Deck
from batt.runtime import Status
from batt.store import RUN, Session, open_run, state_of
from batt.store.runfile import RunDamaged, RunFile
from batt.store.session import DAMAGED, Given
from batt.tasks import Tasks
from native_library import needs_library
from stored_runs import resumed, stored

Rows = Callable[..., bytes]

DRIVER = """
import resource, sys
from batt.store import writer
writer.FLUSH_S, writer.FLUSH_EVALUATIONS = 0.01, 200
from batt.cli.main import main
most = int(sys.argv[1])
if most:
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
sys.exit(main(sys.argv[2:]))
"""
"""A process of its own that stores small blocks; no file that it writes may be larger than the first argument."""
DECK = resources.files("batt.bench") / "decks" / "first-132.py"
TASKS = ["--deck", str(DECK), "--tasks", "arc1-training", "-c", "40", "--workers", "1", "--quiet"]
HANG_S = 300


def command(*words: object, most: int = 0) -> list[str]:
    return [sys.executable, "-c", DRIVER, str(most), "run", *map(str, words)]


def ended(*words: object, most: int = 0) -> tuple[int, str]:
    done = subprocess.run(command(*words, most=most), capture_output=True, text=True, timeout=HANG_S, check=False)
    return done.returncode, done.stderr


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an unbroken run."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    assert ended(*TASKS, "--out", folder)[0] == 0
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    """What must not depend on how a run came to its end."""
    return {name: (folder / name).read_bytes() for name in ("results.jsonl", "winners.py")}


def kill_at(folder: Path, done: int, *words: object) -> bool:
    """Kill the process that runs these words when it has stored some evaluations; return False if it ended before."""
    with subprocess.Popen(command(*words), stderr=subprocess.PIPE, text=True) as running:
        until = time.monotonic() + HANG_S
        while running.poll() is None and time.monotonic() < until:
            if (folder / RUN).exists() and state_of(folder).done >= done:
                running.send_signal(signal.SIGKILL)
                break
            time.sleep(0.005)
        _, err = running.communicate(timeout=HANG_S)
    if running.returncode == -signal.SIGKILL:
        return True
    assert running.returncode == 0, err
    return False


@needs_library
@pytest.mark.parametrize("rounds", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_a_run_that_is_killed_at_random_moments_and_resumed_writes_the_same_files(
    whole: Path, tmp_path: Path, rounds: int
):
    folder, total = tmp_path / "run", state_of(whole).done
    moments = sorted(random.Random(rounds).sample(range(total * 9 // 10), rounds))
    words: list[object] = [*TASKS, "--out", folder]
    killed = 0
    for moment in moments:
        killed += kill_at(folder, moment, *words)
        words = ["--resume", folder, "--workers", "1", "--quiet"]
    assert killed == rounds
    assert state_of(folder).word == "killed"
    assert ended(*words) == (0, "")
    assert files_of(folder) == files_of(whole)
    assert state_of(folder).done == total


@needs_library
def test_sigterm_stores_what_is_finished(whole: Path, tmp_path: Path):
    folder = tmp_path / "run"
    with subprocess.Popen(command(*TASKS, "--out", folder), stderr=subprocess.PIPE, text=True) as running:
        while running.poll() is None and not ((folder / RUN).exists() and state_of(folder).done):
            time.sleep(0.005)
        running.send_signal(signal.SIGTERM)
        _, err = running.communicate(timeout=HANG_S)
    assert running.returncode == 128 + signal.SIGTERM
    state = state_of(folder)
    assert err.startswith(
        f"batt: terminated: {state.done:,} of {state.manifest and state.manifest.total:,} evaluations"
    )
    assert (state.word, state.ended_by) == ("unfinished", "an interrupt")
    assert ended("--resume", folder, "--quiet") == (0, "")
    assert files_of(folder) == files_of(whole)


@needs_library
def test_a_full_disk_ends_a_run_with_a_message_and_costs_nothing_that_is_stored(whole: Path, tmp_path: Path):
    folder = tmp_path / "run"
    code, err = ended(*TASKS, "--out", folder, most=260_000)
    assert code == 2
    assert "run.batt: cannot be written: the disk is full, or a file would be too large; " in err
    assert f"evaluations are stored. Make room, then go on with: batt run --resume {folder}\n" in err
    assert "Traceback" not in err
    assert 0 < state_of(folder).done < state_of(whole).done
    assert ended("--resume", folder, "--quiet") == (0, "")
    assert files_of(folder) == files_of(whole)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 400 kB: too small for the run, large enough for a part of it."""
    folder = tmp_path / "small"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", "size=400k", "tmpfs", str(folder)]
    if subprocess.run(["mount", *options], capture_output=True, check=False).returncode:
        pytest.skip("this process may not mount a file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@needs_library
@pytest.mark.slow
def test_a_small_file_system_that_fills_up_is_a_full_disk(whole: Path, tmp_path: Path, small_disk: Path):
    code, err = ended(*TASKS, "--out", small_disk / "run")
    assert code == 2
    assert "run.batt: cannot be written: database or disk is full" in err
    assert "Traceback" not in err
    shutil.copytree(small_disk / "run", tmp_path / "run")
    assert 0 < state_of(tmp_path / "run").done < state_of(whole).done
    assert ended("--resume", tmp_path / "run", "--quiet") == (0, "")
    assert files_of(tmp_path / "run") == files_of(whole)


@needs_library
def test_a_run_of_a_live_process_is_refused_with_its_pid(tmp_path: Path):
    folder = tmp_path / "run"
    with subprocess.Popen(command("--out", folder, "--workers", "1", "--quiet"), stderr=subprocess.DEVNULL) as running:
        while running.poll() is None and not (folder / RUN).exists():
            time.sleep(0.005)
        code, err = ended("--resume", folder)
        running.kill()
    assert code == 2
    assert f"another process writes this run: process {running.pid}, started" in err


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, deck: Deck, tasks: Tasks) -> Path:
    """A finished run of several blocks."""
    folder = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("batt.store.writer.FLUSH_EVALUATIONS", 1)
        stored(folder, deck, tasks)
    return folder


@pytest.mark.parametrize("place", range(0, 100, 6))
def test_damaged_bytes_are_found_and_what_is_sound_is_still_read(
    kept: Path, deck: Deck, tasks: Tasks, rows: Rows, tmp_path: Path, place: int
):
    whole = open_run(kept)
    expected = rows(whole)
    folder = tmp_path / "run"
    shutil.copytree(kept, folder)
    data = bytearray((folder / RUN).read_bytes())
    at = len(data) * place // 100
    data[at : at + 64] = bytes(255 - byte for byte in data[at : at + 64])
    (folder / RUN).write_bytes(data)
    try:
        results = open_run(folder, deck=deck, tasks=tasks)
    except BattError:
        # What says what the run is cannot be read.
        assert place < 12
        return
    ran = results.records["status"] != Status.NOT_RUN
    assert (results.records[ran] == whole.records[ran]).all()
    if not ran.all():
        assert any("damaged" in note for note in results.notes)
    notes: list[str] = []
    with Session.resume(folder, Given(deck, tasks), notes.append) as session:
        assert rows(session.evaluate(workers=1)) == expected
    assert bool(notes) == (folder / DAMAGED).exists()
    assert open_run(folder).notes == ()


@pytest.mark.parametrize("share", [0.3, 0.7, 0.95])
def test_a_file_that_was_cut_off_is_damaged(kept: Path, rows: Rows, tmp_path: Path, share: float):
    expected = rows(open_run(kept))
    folder = tmp_path / "run"
    shutil.copytree(kept, folder)
    os.truncate(folder / RUN, int((folder / RUN).stat().st_size * share))
    try:
        results = open_run(folder)
    except RunDamaged:
        assert share < 0.5
        return
    assert any("damaged" in note for note in results.notes)
    assert rows(resumed(folder)) == expected


def test_a_malformed_block_with_a_right_sum_is_damaged(kept: Path, tmp_path: Path):
    folder = tmp_path / "run"
    shutil.copytree(kept, folder)
    file = RunFile.open(folder / RUN, write=True)
    sound = file.block(1)
    file.add([replace(sound, body=sound.body[:40]), replace(sound, body=b"")], 1, {})
    file.add([sound], 1, {})
    file.close(whole=True)
    results = open_run(folder)
    assert not results.not_run
    assert [note for note in results.notes if note.startswith("3 of ")]


def test_a_folder_that_is_read_only_is_read_with_its_log(
    deck: Deck, tasks: Tasks, rows: Rows, tmp_path: Path, many_blocks: None, monkeypatch: pytest.MonkeyPatch
):
    folder = tmp_path / "run"
    copy = tmp_path / "copy"

    def take(part: object) -> None:
        if not copy.exists() and state_of(folder).done:
            shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*-shm"))

    stored(folder, deck, tasks, on_block=take)
    # Root may write everywhere, so the log is given no index by a link to nowhere.
    (copy / f"{RUN}-shm").symlink_to(tmp_path / "nowhere" / "file")
    results = open_run(copy)
    assert 0 < len(results) - results.not_run < len(results)


def test_a_folder_that_cannot_be_made_is_refused(deck: Deck, tasks: Tasks, tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BattError, match="cannot be made: "):
        Session.begin(tmp_path / "file" / "run", deck, tasks)


def test_an_engine_that_raises_ends_the_run_and_the_rest_is_run_later(
    deck: Deck, tasks: Tasks, rows: Rows, tmp_path: Path, many_blocks: None
):
    whole = stored(tmp_path / "whole", deck, tasks)

    def fail(part: object) -> None:
        raise BattError("an engine failed")

    with pytest.raises(BattError, match="an engine failed"):
        stored(tmp_path / "run", deck, tasks, on_block=fail)
    assert state_of(tmp_path / "run").ended_by == "an engine failed"
    assert rows(resumed(tmp_path / "run")) == rows(whole)
