"""Load files and folders of tasks. A folder means all .json files below it; each of its subfolders is a set."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from batt.errors import DataError
from batt.tasks.files import digest, printable, read_json, read_object, shown_name
from batt.tasks.kaggle import challenges_in, join, solutions_beside
from batt.tasks.merge import merge_tasks
from batt.tasks.model import Task, Tasks
from batt.tasks.read import Problems, is_task, read_task, read_tasks

DEPTH_LIMIT = 10
"""The most levels of folders below the loaded one."""


def load_file(path: Path, keep_going: bool = False) -> Tasks:
    """Load one task, tasks by id, or Kaggle's challenges with the solutions beside them."""
    name = shown_name(path)
    found = _FoundFiles(Problems(keep_going))
    tasks = found.read_any(path, name)
    notes = found.problems.settle(len(tasks), found.total)
    beside = "".join([f" with {printable(each)}" for each in found.contents if each != path.name])
    return Tasks(tasks, f"file {name}{beside} {digest(found.contents)}", name.removesuffix(path.suffix), notes)


def load_folder(path: Path, keep_going: bool = False) -> Tasks:
    """Load a folder of task files named by id, or a folder with a Kaggle set.

    Files in subfolders are included. Each folder among them is a set, named by its path; `merge_tasks` joins them.
    """
    name = shown_name(path)
    groups = _json_files(path)
    if not groups:
        raise DataError(f"folder {name}: no .json files, and none in folders below it")
    challenges = {inside: challenges_in(printable(inside) or name, files) for inside, files in groups.items()}
    if len(groups) == 1 and (sole := next(iter(challenges.values()))) is not None:
        return load_file(sole, keep_going)
    found = _FoundFiles(Problems(keep_going))
    sets: list[Tasks] = []
    for inside, files in groups.items():
        kaggle = challenges[inside]
        if kaggle is None:
            tasks = [task for file in files for task in found.read_one(file, _joined(inside, file.name))]
        else:
            tasks = list(found.read_any(kaggle, _joined(inside, kaggle.name)))
        sets.append(Tasks(tuple(sorted(tasks, key=lambda task: task.id)), inside, printable(inside) or name))
    notes = found.problems.settle(sum(map(len, sets)), found.total)
    merged = merge_tasks([each for each in sets if len(each)])
    return Tasks(merged.tasks, f"folder {name} {digest(found.contents)}", name, (*notes, *merged.notes))


class _FoundFiles:
    """Collects files: the bytes of each by name, the number of tasks they should hold, and the problems."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.contents: dict[str, bytes] = {}
        self.total = 0

    def read_any(self, path: Path, name: str) -> tuple[Task, ...]:
        """Return the valid tasks of a file of one task or of tasks by id, with the solutions beside it."""
        beside = solutions_beside(path)
        self.contents[name], value = read_json(path, printable(name))
        if not isinstance(value, dict) or is_task(value):
            return self._sole(path, value, name)
        self.total += len(value)
        before = self.problems.count
        tasks = read_tasks(value, printable(name), self.problems)
        # A missing or wrong solution removes answers, not tasks.
        if beside is None or (self.problems.count > before and not self.problems.keep_going):
            return tasks
        answers = name.removesuffix(path.name) + beside.name
        self.contents[answers], solutions = read_object(beside, printable(answers))
        return join(tasks, printable(name), solutions, printable(answers), self.problems)

    def read_one(self, path: Path, name: str) -> tuple[Task, ...]:
        """Return the one task of a file, named after the file; none if it has problems."""
        try:
            self.contents[name], value = read_json(path, printable(name))
        except DataError as error:
            self.total += 1
            self.problems.add(str(error))
            return ()
        return self._sole(path, value, name)

    def _sole(self, path: Path, value: Any, name: str) -> tuple[Task, ...]:
        self.total += 1
        task = read_task(path.stem, value, printable(name), self.problems)
        return () if task is None else (task,)


def _joined(inside: str, name: str) -> str:
    return f"{inside}/{name}" if inside else name


def _json_files(path: Path) -> dict[str, list[Path]]:
    """Return the visible .json files of a folder and its subfolders, by folder, sorted by name."""
    found: dict[str, list[Path]] = {}
    seen: set[tuple[int, int]] = set()

    def walk(folder: Path, inside: tuple[str, ...]) -> None:
        shown = "/".join((shown_name(path), *inside))
        if len(inside) > DEPTH_LIMIT:
            raise DataError(f"folder {printable(shown)}: more than {DEPTH_LIMIT} levels below {shown_name(path)}")
        try:
            status = os.stat(folder)
            # A link may lead back to a folder above it.
            if (status.st_dev, status.st_ino) in seen:
                return
            seen.add((status.st_dev, status.st_ino))
            with os.scandir(folder) as entries:
                visible = sorted([(each.name, each.is_dir()) for each in entries if not each.name.startswith(".")])
        except OSError as error:
            raise DataError(f"folder {printable(shown)}: cannot be read: {error.strerror}") from None
        files = [folder / name for name, is_folder in visible if name.endswith(".json") and not is_folder]
        if files:
            found["/".join(inside)] = files
        for name, is_folder in visible:
            if is_folder:
                walk(folder / name, (*inside, name))

    walk(path, ())
    return found
