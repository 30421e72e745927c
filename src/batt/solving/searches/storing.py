"""Keep solutions in a folder while they are found, so that a search goes on after a kill."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, fields
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

from batt.errors import DataError, UsageError
from batt.files import write_text
from batt.front import Deck
from batt.runtime.semantics import semantics_version
from batt.solving.answers.solutions import Solutions, TaskSolution
from batt.store import RUN
from batt.store.lock import RunLock, owner_of
from batt.store.manifest import deck_hash, tasks_hash
from batt.tasks import Tasks

FORMAT = 2
SOLUTIONS, PROGRAMS, SUBMISSION = "solutions.jsonl", "solutions.py", "submission.json"
FILES = (SOLUTIONS, PROGRAMS, SUBMISSION)


@dataclass(frozen=True, slots=True)
class SolveRequest:
    """The request of a search: where its tasks and decks are, their digests, the effort, and the version of batt.

    `submission` is the file that whoever began the search named for it; empty if none.
    """

    tasks: tuple[str, ...]
    ids: tuple[str, ...]
    decks: tuple[str, ...]
    tasks_hash: str
    decks_hash: str
    effort: int | None
    seconds: float | None
    submission: str = ""
    version: str = ""

    @classmethod
    def from_json(cls, read: dict[str, Any]) -> SolveRequest:
        """Read a request from JSON."""
        plain = {each.name: read[each.name] for each in fields(cls)}
        return cls(**plain | {name: tuple(plain[name]) for name in ("tasks", "ids", "decks")})

    def check(self, tasks: Tasks, decks: Sequence[Deck], where: Path) -> None:
        """Raise UsageError if a search would not find what the one that began did."""
        for what, now, then in (
            ("tasks are", tasks_hash(tasks), self.tasks_hash),
            ("decks are", decks_hash(decks), self.decks_hash),
            ("version of batt is", search_version(), self.version),
        ):
            if now != then:
                raise UsageError(f"{where}: the {what} not the same as when this search began; begin again with --out")


def decks_hash(decks: Sequence[Deck]) -> str:
    """Return a digest of decks, in their order."""
    return sha256("".join([deck_hash(deck) for deck in decks]).encode()).hexdigest()


@cache
def search_version() -> str:
    """Return a digest of all code and data that decides what a search finds."""
    made = sha256(semantics_version().encode())
    folder = Path(str(resources.files("batt.solving")))
    for each in sorted([*folder.rglob("*.py"), *folder.rglob("*.json")]):
        made.update(each.relative_to(folder).as_posix().encode() + sha256(each.read_bytes()).digest())
    return made.hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class StoredSearch:
    """The content of a folder: the request, the solutions so far, and the whole lines that say so."""

    request: SolveRequest
    found: tuple[TaskSolution, ...]
    lines: tuple[bytes, ...]

    @property
    def is_finished(self) -> bool:
        """Tell whether all tasks have their line."""
        return {each.task for each in self.found} >= set(self.request.ids)


def is_search(folder: Path) -> bool:
    """Tell whether a folder holds a search."""
    return (folder / SOLUTIONS).is_file()


def read_search(folder: Path) -> StoredSearch:
    """Read the search in a folder, which may be going on. A line that a kill cut is left out."""
    path = folder / SOLUTIONS
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    try:
        head = json.loads(lines[0]) if lines else {}
        if head.get("format") != FORMAT:
            raise DataError(f"{path}: no solutions that this version of batt reads")
        found = [TaskSolution.from_json(json.loads(line)) for line in lines[1:]]
        return StoredSearch(SolveRequest.from_json(head), tuple(found), tuple(lines))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise DataError(f"{path}: damaged; begin again in another folder") from None


class SolutionFolder:
    """A folder that this process writes solutions to: a line for each task, on the disk before the next is begun."""

    def __init__(self, folder: Path, lock: RunLock, request: SolveRequest, found: Sequence[TaskSolution]) -> None:
        self.folder = folder
        self.request = request
        self.found = list(found)
        self._lock = lock

    @classmethod
    def begin(cls, folder: Path, request: SolveRequest) -> SolutionFolder:
        """Begin a search in a folder. One that is finished is replaced, another is refused."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{folder}: {error.strerror}") from None
        if (folder / RUN).exists():
            raise UsageError(f"{folder}: holds a run of `batt run`; name another folder")
        with ExitStack() as undoing:
            lock = RunLock(folder)
            undoing.callback(lock.release)
            if is_search(folder) and not read_search(folder).is_finished:
                raise UsageError(f"{folder}: holds an unfinished search; go on with --resume, or name another folder")
            write_text(folder / SOLUTIONS, _line({"format": FORMAT, **asdict(request)}), is_durable=True)
            undoing.pop_all()
        return cls(folder, lock, request, [])

    @classmethod
    def resume(cls, folder: Path) -> SolutionFolder:
        """Go on with the search of a folder."""
        if not is_search(folder):
            raise UsageError(f"{folder}: holds no search; begin one with --out")
        with ExitStack() as undoing:
            lock = RunLock(folder)
            undoing.callback(lock.release)
            stored = read_search(folder)
            whole = b"".join([line + b"\n" for line in stored.lines])
            if (folder / SOLUTIONS).stat().st_size != len(whole):
                write_text(folder / SOLUTIONS, whole.decode(), is_durable=True)
            undoing.pop_all()
        return cls(folder, lock, stored.request, stored.found)

    def __enter__(self) -> SolutionFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def add(self, solution: TaskSolution) -> None:
        """Keep a solution."""
        path = self.folder / SOLUTIONS
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(_line(solution.as_json()))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise UsageError(f"{path}: cannot be written: {error.strerror}; go on later with --resume") from None
        self.found.append(solution)

    def finish(self, solutions: Solutions) -> None:
        """Write the programs as a deck, and the submission."""
        if solutions.sources:
            solutions.deck().save(self.folder / PROGRAMS)
        solutions.save_submission(self.folder / SUBMISSION)


def state_word(folder: Path, stored: StoredSearch) -> str:
    """Return the state of a search in a word."""
    if owner_of(folder) is not None:
        return "running"
    return "finished" if stored.is_finished else "unfinished"


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"
