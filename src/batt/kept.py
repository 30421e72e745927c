"""Keep values that take long to make in a folder that only this user can write to.

A file is named after everything that its value depends on: the content that it was made of, the code that made it, and
the version of Python. A file that is damaged, or that another user could have written, is not read.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

from batt.private import cache_folder, make_private, read_private, write_private

FOLDER = "kept"
"""The folder within that of the cache."""
MOST_FILES = 100
"""The most files that are kept; the least recently used are deleted."""
MOST_BYTES = 512 << 20
"""The most bytes of all files together. A value that alone has more than a quarter of it is not kept."""
LARGE_BYTES = 20_000
"""The size of texts whose values are kept; what is made of less is made as fast as it is read."""
SUM_BYTES = 32
DATA = (
    *("batt.errors", "batt.front", "batt.ir", "batt.jobs.images", "batt.ops", "batt.solving.library", "batt.source"),
    *("batt.tasks", "batt.types"),
)
"""The modules and packages whose classes a file may name. They do nothing but hold data."""
CALLED = (("batt.ir.program", "with_digest"), ("batt.ops.table", "find_op"), ("collections", "Counter"))
"""What a file may name besides."""

Value = TypeVar("Value")


def is_large(made_of: Iterable[bytes]) -> bool:
    """Tell whether a value that is made of these texts is worth keeping."""
    return sum(map(len, made_of)) >= LARGE_BYTES


def kept(
    kind: type[Value],
    made_by: tuple[str, ...],
    made_of: Iterable[bytes],
    make: Callable[[], Value],
    is_sound: Callable[[Value], bool] = lambda value: True,
) -> Value:
    """Return the value of this `kind` that an earlier call kept, else make it and keep it.

    `made_by` names the packages and modules of batt whose code decides the value, `made_of` is the content. A value
    that is not sound is made again.
    """
    path = _path(kind, made_by, made_of)
    if path is None:
        return make()
    with _uncollected():
        found = _read(path)
        if isinstance(found, kind) and is_sound(found):
            return found
        value = make()
    _write(path, value)
    return value


def is_kept(kind: type[object], made_by: tuple[str, ...], made_of: Iterable[bytes]) -> bool:
    """Tell whether there is a file for such a value. `kept` may still find that it cannot be used."""
    path = _path(kind, made_by, made_of)
    return path is not None and path.is_file()


def _path(kind: type[object], made_by: tuple[str, ...], made_of: Iterable[bytes]) -> Path | None:
    folder = cache_folder()
    return None if folder is None else folder / FOLDER / f"{kind.__name__.lower()}-{_key(made_by, made_of)}"


@contextmanager
def _uncollected() -> Iterator[None]:
    """Turn off the search for cycles of garbage: many objects are made and none of them is garbage."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


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
    """Makes objects of the classes of plain data, and calls nothing else but what is in `CALLED`."""

    def find_class(self, module: str, name: str) -> Any:
        is_data = any(module == each or module.startswith(f"{each}.") for each in DATA)
        if (is_data and "." not in name) or (module, name) in CALLED:
            found = super().find_class(module, name)
            # A module also has the names that it imports.
            if (module, name) in CALLED or (isinstance(found, type) and found.__module__ == module):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is not a class of plain data")


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
    if 4 * len(data) > MOST_BYTES:
        return
    try:
        make_private(path.parent.parent)
        make_private(path.parent)
        write_private(path, sha256(data).digest() + data)
        _shrink(path.parent)
    except OSError:
        return


def _shrink(folder: Path) -> None:
    """Delete the files that were used least recently, down to the most files and the most bytes."""
    found = [(each.stat(), each) for each in folder.iterdir()]
    left = MOST_BYTES
    for number, (status, path) in enumerate(sorted(found, key=lambda each: -each[0].st_mtime_ns)):
        left -= status.st_size
        if number >= MOST_FILES or left < 0:
            path.unlink(missing_ok=True)
