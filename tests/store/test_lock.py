"""A run has one owner; a lock that a dead process leaves behind is nothing."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from batt.errors import UsageError
from batt.store.lock import LOCK, RunLock, owner_of

HOLDER = "import sys, time; from pathlib import Path; from batt.store.lock import RunLock; lock = RunLock(Path(sys.argv[1])); print('held', flush=True); time.sleep(600)"  # noqa: E501


def test_the_owner_is_named_until_it_lets_go(tmp_path: Path):
    assert owner_of(tmp_path) is None
    lock = RunLock(tmp_path)
    owner = owner_of(tmp_path)
    assert owner is not None
    assert owner.pid == os.getpid()
    with pytest.raises(UsageError, match=f"another process writes this run: process {os.getpid()}, started"):
        RunLock(tmp_path)
    lock.release()
    lock.release()
    assert owner_of(tmp_path) is None
    assert list(tmp_path.iterdir()) == []
    RunLock(tmp_path).release()


def test_a_process_that_is_killed_lets_go(tmp_path: Path):
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match=f"process {holder.pid}, started"):
            RunLock(tmp_path)
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    assert (tmp_path / LOCK).exists()
    assert owner_of(tmp_path) is None
    RunLock(tmp_path).release()


def test_a_folder_that_cannot_be_written_to_is_refused(tmp_path: Path):
    (tmp_path / LOCK).mkdir()
    with pytest.raises(UsageError, match="cannot be written: Is a directory"):
        RunLock(tmp_path)


def test_without_locks_a_process_that_is_gone_counts_for_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def none(*args: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", none)
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    RunLock(tmp_path)
    with pytest.raises(UsageError, match=rf"process {os.getpid()}, started .* writes this run; if it is gone, remove"):
        RunLock(tmp_path)
    assert owner_of(tmp_path) is not None
    text = (tmp_path / LOCK).read_text()
    (tmp_path / LOCK).write_text(text.replace(f'"pid": {os.getpid()}', f'"pid": {gone.pid}'))
    assert owner_of(tmp_path) is None
    RunLock(tmp_path).release()
