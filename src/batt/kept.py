"""Keep values that take long to make in a folder that only this user can write to.

A file is named after everything that its value depends on: the content that it was made of, the code that made it, and
the version of Python. A file that is damaged, or that another user could have written, is not read.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

from batt.private import cache_folder, make_private, read_private, write_private

FOLDER = "kept"
"""The folder within that of the cache."""
MOST_FILES = 40
"""The most files that are kept; the least recently used are deleted."""
LEAST_BYTES = 50_000
"""The content of values that are kept; what has less is made as fast as it is read."""
SUM_BYTES = 32

Value = TypeVar("Value")


def kept(kind: type[Value], made_by: tuple[str, ...], made_of: Iterable[bytes], make: Callable[[], Value]) -> Value:
    """Return the value of this `kind` that an earlier call kept, else make it and keep it.

    `made_by` names the packages and modules of batt whose code decides the value, `made_of` is the content.
    """
    folder, made_of = cache_folder(), list(made_of)
    if folder is None or sum(map(len, made_of)) < LEAST_BYTES:
        return make()
    path = folder / FOLDER / f"{kind.__name__.lower()}-{_key(made_by, made_of)}"
    was_on = gc.isenabled()
    # Many objects are made and none of them is garbage.
    gc.disable()
    try:
        found = _read(path)
        if isinstance(found, kind):
            return found
        value = make()
    finally:
        if was_on:
            gc.enable()
    _write(path, value)
    return value


def _key(made_by: tuple[str, ...], made_of: Iterable[bytes]) -> str:
    made = sha256(_code(made_by))
    for part in made_of:
        made.update(len(part).to_bytes(8, "little") + part)
    return made.hexdigest()


@cache
def _code(names: tuple[str, ...]) -> bytes:
    """Return a digest of the version of Python and of the modules of batt with these names."""
    root, made = Path(__file__).parent, sha256(sys.version.encode())
    for name in (*names, "kept", "private"):
        place = root / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]:
            data = path.read_bytes()
            made.update(f"{path.relative_to(root).as_posix()} {len(data)}\n".encode() + data)
    return made.digest()


class _OfBatt(pickle.Unpickler):
    """Makes objects of batt's own classes and counters, and calls nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        is_own = module.partition(".")[0] == "batt" and "." not in name
        if not is_own and (module, name) != ("collections", "Counter"):
            raise pickle.UnpicklingError(f"{module}.{name} is not of batt")
        return super().find_class(module, name)


def _read(path: Path) -> object:
    """Return the value of a file, or None if there is none that can be used."""
    try:
        data = read_private(path)
        if sha256(data[SUM_BYTES:]).digest() != data[:SUM_BYTES]:
            return None
        value: object = _OfBatt(BytesIO(data[SUM_BYTES:])).load()
        os.utime(path)
    except (OSError, pickle.UnpicklingError, EOFError, LookupError, AttributeError, ImportError, TypeError, ValueError):
        return None
    return value


def _write(path: Path, value: object) -> None:
    """Keep a value. Where that cannot be done, it is made again next time."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    try:
        make_private(path.parent.parent)
        make_private(path.parent)
        write_private(path, sha256(data).digest() + data)
        files = sorted(path.parent.iterdir(), key=lambda each: each.stat().st_mtime_ns, reverse=True)
        for old in files[MOST_FILES:]:
            old.unlink(missing_ok=True)
    except OSError:
        return
