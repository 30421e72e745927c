"""Read the bytes and the JSON of a file, and show values and names in messages."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from batt.errors import DataError

PACKED_SUFFIX = ".batt-tasks"
PACKED_MAGIC = b"batttsk\0"
SIZE_LIMIT_BYTES = 512 * 2**20
SHOWN_CHARACTERS = 20


class Repeating(dict[str, Any]):
    """A JSON object that has the keys `twice` more than once."""

    __slots__ = ("twice",)
    twice: tuple[str, ...]


def read_json(path: Path, name: str | None = None) -> tuple[bytes, Any]:
    """Return the bytes of a file and their JSON value; messages call the file `name`."""
    name = name or shown_name(path)
    data = read_bytes(path, name)
    return data, _parse(data, name)


def read_object(path: Path, name: str | None = None) -> tuple[bytes, dict[str, Any]]:
    """Do as `read_json`, for a file that must hold an object."""
    name = name or shown_name(path)
    data = read_bytes(path, name)
    return data, object_of(data, name)


def object_of(data: bytes, name: str) -> dict[str, Any]:
    """Return the JSON object of these bytes; messages call their file `name`."""
    value = _parse(data, name)
    if not isinstance(value, dict):
        raise DataError(f"{name}: expected an object, got {shown(value)}")
    return value


def is_packed(path: Path) -> bool:
    """Tell whether a file has the name or the first bytes of a packed file."""
    if path.name.endswith(PACKED_SUFFIX):
        return True
    try:
        with path.open("rb") as file:
            return file.read(len(PACKED_MAGIC)) == PACKED_MAGIC
    except OSError:
        return False


def digest(files: Mapping[str, bytes]) -> str:
    """Return the first 16 digits that `sha256sum FILE`, or `sha256sum FILES | sha256sum`, prints."""
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    if len(sums) == 1:
        return f"sha256:{next(iter(sums.values()))[:16]}"
    listing = "".join(f"{each}  {name}\n" for name, each in sums.items())
    return f"sha256:{hashlib.sha256(os.fsencode(listing)).hexdigest()[:16]}"


def shown_name(path: Path) -> str:
    """Return the last part of a path, safe to print: no message or source names a folder of the machine."""
    name = path.name if path.name not in ("", "..") else os.path.basename(os.path.abspath(path))
    return printable(name)


def printable(name: str) -> str:
    """Return `name` if it can be printed, else its ASCII form."""
    return name if name.isprintable() else ascii(name)


def shown(value: object) -> str:
    """Describe a JSON value in a few words, however large or deep it is."""
    if isinstance(value, str):
        return json.dumps(value[:SHOWN_CHARACTERS]) + "…" * (len(value) > SHOWN_CHARACTERS)
    if value is None or isinstance(value, bool | float):
        return json.dumps(value)
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 64 else f"an int of {value.bit_length():,} bits"
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list) else f"a value of type {type(value).__name__}"


def read_bytes(path: Path, name: str) -> bytes:
    """Return all bytes of a regular file within the size limit; a pipe or a device may never end."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise DataError(f"{name}: not a regular file")
        if status.st_size > SIZE_LIMIT_BYTES:
            limit = SIZE_LIMIT_BYTES // 2**20
            raise DataError(f"{name}: {status.st_size:,} bytes are too large a file, the limit is {limit} MiB")
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{name}: cannot be read: {error.strerror}") from None


def _parse(data: bytes, name: str) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise DataError(f"{name}: line {line}: not UTF-8: byte 0x{error.object[error.start]:02x}") from None
    except json.JSONDecodeError as error:
        raise DataError(f"{name}: line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise DataError(f"{name}: nested too deeply") from None
    except ValueError:
        # Python refuses to convert ints of thousands of digits.
        raise DataError(f"{name}: a number has too many digits") from None


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict that remembers the keys that appeared more than once."""
    made = dict(members)
    if len(made) == len(members):
        return made
    repeating = Repeating(made)
    counts = Counter(key for key, _ in members)
    repeating.twice = tuple(key for key, count in counts.items() if count > 1)
    return repeating
