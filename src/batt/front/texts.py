"""Find the files of a deck and read their texts."""

from __future__ import annotations

import os
from pathlib import Path

from batt.errors import DeckError, SourceError, UsageError
from batt.source import Place

MAX_FILE_BYTES = 1 << 30
STANDARD_INPUT = "/dev/stdin"


def deck_files(path: Path) -> list[Path]:
    """Return the file itself, or the files of a folder that hold solvers."""
    try:
        if path.is_file() or is_stream(path):
            return [path]
        files = sorted([*path.glob("*.py"), *path.glob("*.jsonl")]) if path.is_dir() else None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    if files is None:
        raise UsageError(f"{path}: no such file or folder; a deck is a .py file, a folder of them, or a .jsonl file")
    if not files:
        raise UsageError(f"{path}: the folder holds no .py or .jsonl file")
    return files


def is_stream(path: Path) -> bool:
    """Tell whether a path is standard input or a pipe, which are read once and have no suffix."""
    return str(path) == STANDARD_INPUT or path.is_fifo()


def read_text(path: Path) -> str:
    """Return the text of a file, which is UTF-8 with or without a byte order mark."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1) if os.fstat(file.fileno()).st_size <= MAX_FILE_BYTES else None
        if data is None or len(data) > MAX_FILE_BYTES:
            raise UsageError(f"{path}: larger than {MAX_FILE_BYTES:,} bytes; split the deck")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise DeckError([_not_utf8(path, error)]) from None


def batt_path(source: str | os.PathLike[str]) -> Path:
    """Return the file that a path or a module name means."""
    path = Path(source)
    try:
        if path.is_file():
            return path
        parts = os.fspath(source).split(".")
        module = Path(*parts).with_suffix(".py") if all(part.isidentifier() for part in parts) else path
        if module.is_file():
            return module
    except (OSError, ValueError):
        pass  # not a valid file name
    raise UsageError(f"{path}: no such file or module; a batt is a .py file, such as `batt card -f my_batt.py` writes")


def _not_utf8(path: Path, error: UnicodeDecodeError) -> SourceError:
    before = error.object[: error.start].decode()
    line_start = before.rfind("\n") + 1
    line = error.object[len(before[:line_start].encode()) :].partition(b"\n")[0].decode(errors="replace")
    place = Place(str(path), 1 + before.count("\n"), len(before) - line_start + 1)
    return SourceError(f"not UTF-8 text: the byte {error.object[error.start]:#04x}", place, line)
