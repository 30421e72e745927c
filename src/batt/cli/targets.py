"""The decks, tasks and files that the options of a command name. No command overwrites or removes one of its inputs.

All commands are checked here before any of them runs, by the names of their options.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from batt.errors import UsageError
from batt.files import STREAMS
from batt.front import BUILT_IN
from batt.front.texts import batt_path
from batt.store import RUN
from batt.tasks import BUILT_IN as TASK_SETS
from batt.tasks import split_source
from batt.tasks.kaggle import CHALLENGES, SOLUTIONS

WRITTEN = {
    "output": "-o",
    "file": "-f",
    "export": "--export",
    "json": "--json",
    "records": "--records",
    "submission": "--submission",
    "svg": "--svg",
    "plot": "--plot",
}
"""Options that name a file to write, by the name of their value."""

SUMMARY, WINNERS, WINNER_LINES, RESULTS = "summary.json", "winners.py", "winners.jsonl", "results.jsonl"
"""The files that `--out` writes to its folder beside `run.batt`, in this order; the winners as one of the two."""
RUN_FILES = (RUN, SUMMARY, WINNERS, WINNER_LINES, RESULTS)
"""All files of a folder of `batt run`; the commands of other folders name theirs as `folder_files`."""

DEFAULT_TASKS = "arc1-training"
DECK_SUFFIXES, TASK_SUFFIXES = (".py", ".jsonl"), (".json",)


def deck_paths(args: argparse.Namespace) -> list[str]:
    """Return the decks that the options name, as given; none for the default deck."""
    return [*getattr(args, "decks", ()), *listed(args.deck)]


def task_sources(args: argparse.Namespace) -> list[str]:
    """Return the sources of tasks that the options name."""
    return listed(args.tasks) or [DEFAULT_TASKS]


def listed(given: str | list[str] | None) -> list[str]:
    """Return the values of an option that may be repeated."""
    return [given] if isinstance(given, str) else given or []


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file to write, the option that names it, and the folder that is created for it if missing."""

    option: str
    path: Path
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file or a folder to read, and the option that names it.

    In a folder, files with one of `suffixes` are read; with `deep`, also those in its subfolders.
    """

    option: str
    path: Path
    suffixes: tuple[str, ...] = ()
    deep: bool = False

    def reads(self, target: Path) -> bool:
        """Tell whether `target` is among the files that are read, or would be the next time."""
        if not self.path.is_dir():
            return same_file(self.path, target)
        if target.suffix in self.suffixes:
            around = Path(os.path.realpath(target)).parents
            if Path(os.path.realpath(self.path)) in (around if self.deep else around[:1]):
                return True
        # A link in the folder may lead to a target elsewhere.
        return target.exists() and any(same_file(each, target) for each in self._files())

    def _files(self) -> Iterator[Path]:
        for folder, _, names in os.walk(self.path):
            yield from [Path(folder, name) for name in names if name.endswith(self.suffixes)]
            if not self.deep:
                return


def check_targets(args: argparse.Namespace) -> None:
    """Refuse a command that cannot write its files, or would write to one of its inputs or twice to one file."""
    targets = list(targets_of(args))
    for target in targets:
        _check_writable(target)
    inputs = list(inputs_of(args)) if targets else []
    for number, target in enumerate(targets):
        if is_stream(target.path):
            continue
        for each in inputs:
            if each.reads(target.path):
                raise UsageError(f"{target.path}: not written, since {each.option} {each.path} reads it; name another")
        for other in targets[:number]:
            if same_file(other.path, target.path):
                raise UsageError(f"{target.path}: both {other.option} and {target.option} write to it; name another")


def is_stream(path: Path) -> bool:
    """Tell whether a file to write is standard output, a device or a pipe, which are never replaced."""
    return str(path) in STREAMS or (path.exists() and not path.is_file() and not path.is_dir())


def targets_of(args: argparse.Namespace) -> Iterator[OutputFile]:
    """Yield the files that a command would write."""
    for name, option in WRITTEN.items():
        path = getattr(args, name, None)
        if isinstance(path, Path):
            yield OutputFile(option, path)
    for option in ("out", "resume"):
        folder: Any = getattr(args, option, None)
        for name in getattr(args, "folder_files", RUN_FILES) if folder else ():
            yield OutputFile(f"--{option}", folder / name, folder)


def inputs_of(args: argparse.Namespace) -> Iterator[InputFile]:
    """Yield the files and folders that a command would read."""
    if hasattr(args, "deck"):
        for path in deck_paths(args):
            if path not in (BUILT_IN, "-"):
                yield InputFile("--deck", Path(path), DECK_SUFFIXES)
    if getattr(args, "batt", None) is not None:
        with suppress(UsageError):  # told when it is read
            yield InputFile("-b", batt_path(args.batt))
    for source in (*listed(getattr(args, "tasks", None)), *getattr(args, "sources", ())):
        name, _ = split_source(source)
        if name not in TASK_SETS:
            yield from _task_inputs(Path(name))
    folder: Any = getattr(args, "folder", None)
    if isinstance(folder, Path):
        yield InputFile("the run", folder / RUN)
    if getattr(args, "ops", None) is not None:
        ops = Path(args.ops)
        yield InputFile("--ops", ops)
        # C++ bodies are read from headers beside it.
        yield InputFile("--ops", ops.parent, (".h",))
    for word in (getattr(args, "differs", None) or "").split(","):
        if word.strip().endswith(".py"):
            yield InputFile("--differs", Path(word.strip()))


def _task_inputs(path: Path) -> Iterator[InputFile]:
    yield InputFile("--tasks", path, TASK_SUFFIXES, deep=True)
    if path.name.endswith(CHALLENGES):
        yield InputFile("--tasks", path.with_name(path.name.removesuffix(CHALLENGES) + SOLUTIONS))


def same_file(one: Path, other: Path) -> bool:
    """Tell whether two paths lead to one file, which may not exist yet."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return os.path.realpath(one) == os.path.realpath(other)


def _check_writable(target: OutputFile) -> None:
    if target.path.is_dir():
        raise UsageError(f"{target.path}: is a folder")
    if target.folder is not None:
        around = target.folder.absolute()
        check_folder(next(each for each in (around, *around.parents) if each.exists()), target.folder)
    elif not is_stream(target.path):
        # A device or a pipe is written in place; its folder need not take a new file.
        check_folder(target.path.absolute().parent, target.path)


def check_folder(folder: Path, target: Path) -> None:
    """Refuse a folder that cannot hold the target."""
    if not folder.is_dir():
        raise UsageError(f"{target}: {folder} is not a folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"{target}: {folder} cannot be written to")
