"""The cache folder of compiled code. The code is loaded and run, so only this user may be able to write to it.

Digests detect damaged files. Only the owner and the mode of files protect against code that another user planted.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from pathlib import Path

VARIABLE = "BATT_CACHE_DIR"
"""The environment variable that names the folder of the cache."""

_HAS_OWNERS = hasattr(os, "geteuid")
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Unsafe(OSError):
    """A file or folder of the cache that other users may have written."""


def cache_folder() -> Path | None:
    """Return the folder of the cache; None if there is neither a home folder nor the environment variable."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).absolute()
    try:
        home = Path.home()
    except RuntimeError:
        return None
    match sys.platform:
        case "win32":
            return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "batt" / "Cache"
        case "darwin":
            return home / "Library" / "Caches" / "batt"
        case _:
            return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "batt"


def make_private(folder: Path) -> None:
    """Make a folder that only this user can use, if it does not exist; raise Unsafe if others can write to it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    check_private(folder)


def check_private(path: Path) -> None:
    """Raise Unsafe if another user owns a file or folder, or can write to it."""
    if _HAS_OWNERS:
        _check(path, path.stat())


def read_private(path: Path) -> bytes:
    """Read a file of the cache; raise Unsafe if another user can write to it or to its folder.

    Both are opened before they are checked, and links are not followed, so what is checked is what is read.
    """
    if not _HAS_OWNERS:
        return path.read_bytes()
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _check(path.parent, os.fstat(folder))
        # Do not wait for a writer if the file is a pipe.
        handle = os.open(path.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    finally:
        os.close(folder)
    with open(handle, "rb") as file:
        _check(path, os.fstat(handle))
        return file.read()


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only this user can use, completely or not at all."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    finally:
        Path(name).unlink(missing_ok=True)


def _check(path: Path, found: os.stat_result) -> None:
    remedy = f"delete it, or set {VARIABLE} to a folder that only you can write to"
    if found.st_uid not in (os.geteuid(), 0):
        raise Unsafe(f"{path} belongs to another user (uid {found.st_uid}), who could put any code there; {remedy}")
    if found.st_mode & _OTHERS_WRITE:
        mode = f"{stat.S_IMODE(found.st_mode):04o}"
        raise Unsafe(f"other users can write to {path} (mode {mode}) and could put any code there; {remedy}")
