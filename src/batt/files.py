"""Write files whole or not at all."""

from __future__ import annotations

import fcntl
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TextIO

from batt.errors import UsageError

STREAMS = ("-", "/dev/stdout")
"""Names that mean standard output."""

_stream: TextIO | None = None


@contextmanager
def stream_apart() -> Iterator[None]:
    """Keep standard output for the file named `-`; send everything printed meanwhile to standard error."""
    global _stream
    before, _stream, sys.stdout = (_stream, sys.stdout), sys.stdout, sys.stderr
    try:
        yield
    finally:
        _stream, sys.stdout = before


@contextmanager
def whole_file(path: Path, mode: str = "w", is_durable: bool = False) -> Iterator[IO[Any]]:
    """Open a file for writing that appears under its name only when it is complete; `-` is standard output.

    With `is_durable`, it is on the disk before it has its name, so that a power cut leaves it or its predecessor.
    """
    encoding = None if "b" in mode else "utf-8"
    if str(path) in STREAMS:
        file = _stream or sys.stdout
        yield file.buffer if "b" in mode else file
        file.flush()
        return
    try:
        if path.exists() and not path.is_file():
            # Write to a device or a pipe; replacing it would take it from other processes.
            with path.open(mode, encoding=encoding) as file:
                yield file
            return
        target = Path(os.path.realpath(path))
        handle, temporary = _open_beside(target)
        # The second handle keeps the lock until the file has its name, so that nobody removes it as abandoned.
        lock = os.dup(handle)
        is_written = False
        try:
            with os.fdopen(handle, mode, encoding=encoding) as file:
                yield file
                if is_durable:
                    file.flush()
                    os.fsync(file.fileno())
            temporary.replace(target)
            is_written = True
        finally:
            if not is_written:
                temporary.unlink(missing_ok=True)
            os.close(lock)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None


def _open_beside(target: Path) -> tuple[int, Path]:
    """Open a temporary file in the folder of `target`.

    Its name is fixed, so that the next process reuses what a killed process left. While another process writes it, the
    name is random.
    """
    temporary = target.with_name(f".{target.name}.part")
    handle = _lock(temporary)
    if handle is not None:
        return handle, temporary
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    mask = os.umask(0)
    os.umask(mask)
    os.fchmod(handle, 0o666 & ~mask)
    return handle, Path(name)


def _lock(path: Path) -> int | None:
    """Create and lock `path`; return None if another process holds it or another user's file is in the way."""
    for _ in range(2):
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        except FileExistsError:
            if not _remove_left(path):
                return None
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                return handle
        except OSError:
            pass  # another process was faster, or the file system has no locks
        os.close(handle)
    return None


def _remove_left(path: Path) -> bool:
    """Remove an abandoned temporary file. Return whether it is gone."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(handle), os.stat(path, follow_symlinks=False)):
            path.unlink()
        return True
    except OSError:
        return False
    finally:
        os.close(handle)


def write_text(path: Path, text: str, is_durable: bool = False) -> None:
    """Write a text file, whole or not at all; with `is_durable`, also if the power fails."""
    with whole_file(path, is_durable=is_durable) as file:
        file.write(text)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file of bytes, whole or not at all."""
    with whole_file(path, "wb") as file:
        file.write(data)
