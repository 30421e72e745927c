"""Files written whole or not at all. Owns how batt writes to disk; knows nothing of what is written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from batt.errors import UsageError


@contextmanager
def whole_file(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """A file to write to, which appears under its name only when all of it is written."""
    encoding = None if "b" in mode else "utf-8"
    try:
        if path.exists() and not path.is_file():
            # A device or a pipe is written to; replacing it would take it from everybody else.
            with path.open(mode, encoding=encoding) as file:
                yield file
            return
        target = Path(os.path.realpath(path))
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        temporary = Path(name)
        try:
            with os.fdopen(handle, mode, encoding=encoding) as file:
                yield file
            mask = os.umask(0)
            os.umask(mask)
            temporary.chmod(0o666 & ~mask)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None


def write_text(path: Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    with whole_file(path) as file:
        file.write(text)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file of bytes, whole or not at all."""
    with whole_file(path, "wb") as file:
        file.write(data)
