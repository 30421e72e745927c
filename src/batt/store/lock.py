"""One owner per run: a locked file beside `run.batt` that names the process.

The system drops the lock when the process ends, however it ends. On a file system without locks, a file that names a
process of this machine that is gone counts as no lock.
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from batt.errors import UsageError

LOCK = "run.lock"
TRIES, PAUSE_S = 5, 0.02
"""A process that only looks holds the lock for a moment, so it is tried again."""


@dataclass(frozen=True, slots=True)
class Owner:
    """The process that writes a run. `started` is the time of day, for people."""

    pid: int
    host: str
    started: str

    @property
    def is_gone(self) -> bool:
        """Tell whether it is a process of this machine that has ended."""
        if self.host != platform.node():
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        return False

    def __str__(self) -> str:
        where = "" if self.host == platform.node() else f" on {self.host}"
        return f"process {self.pid}{where}, started {self.started}"


class RunLock:
    """The right to write to the run in `folder`. Raise UsageError if another process has it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOCK
        self._handle = self._acquire(folder)
        owner = Owner(os.getpid(), platform.node(), time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()))
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, json.dumps(asdict(owner)).encode(), 0)

    def _acquire(self, folder: Path) -> int:
        for _ in range(TRIES):
            try:
                handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except OSError as error:
                raise UsageError(f"{self.path}: cannot be written: {error.strerror}") from None
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # The process that had it may have removed the file meanwhile.
                if os.path.samestat(os.fstat(handle), os.stat(self.path)):
                    return handle
            except FileNotFoundError:
                pass
            except BlockingIOError:
                time.sleep(PAUSE_S)
            except OSError:
                owner = _named(self.path)
                if owner is None or owner.is_gone:
                    return handle
                os.close(handle)
                raise UsageError(f"{folder}: {owner} writes this run; if it is gone, remove {self.path}") from None
            os.close(handle)
        raise UsageError(f"{folder}: another process writes this run: {_named(self.path) or 'unknown'}")

    def release(self) -> None:
        """Give the lock back and remove its file."""
        if self._handle >= 0:
            with suppress(OSError):
                self.path.unlink()
            os.close(self._handle)
            self._handle = -1


def owner_of(folder: Path) -> Owner | None:
    """Return the process that writes the run in `folder`; None if no process does."""
    path = folder / LOCK
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return None
    except BlockingIOError:
        return _named(path) or Owner(0, "an unknown host", "at an unknown time")
    except OSError:
        owner = _named(path)
        return None if owner is None or owner.is_gone else owner
    finally:
        os.close(handle)


def _named(path: Path) -> Owner | None:
    """Return the process that a lock file names."""
    try:
        return Owner(**json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None
