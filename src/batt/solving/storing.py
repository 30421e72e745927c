"""Keep solutions in a folder while they are found, so that a search goes on after a kill."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from batt.errors import DataError, UsageError
from batt.files import write_text
from batt.solving.solutions import Solutions, TaskSolution

FORMAT = 1
SOLUTIONS, PROGRAMS, SUBMISSION = "solutions.jsonl", "solutions.py", "submission.json"


@dataclass(frozen=True, slots=True)
class SolveRequest:
    """What a search was asked for: everything that decides its answers."""

    tasks: tuple[str, ...]
    ids: tuple[str, ...]
    decks: tuple[str, ...]
    effort: int | None
    seconds: float | None

    def as_json(self) -> dict[str, Any]:
        """Return the request for JSON."""
        return {
            "format": FORMAT,
            "tasks": self.tasks,
            "ids": self.ids,
            "decks": self.decks,
            "effort": self.effort,
            "seconds": self.seconds,
        }

    @classmethod
    def from_json(cls, read: dict[str, Any]) -> SolveRequest:
        """Read a request from JSON."""
        return cls(tuple(read["tasks"]), tuple(read["ids"]), tuple(read["decks"]), read["effort"], read["seconds"])


class SolutionFolder:
    """A folder with the solutions of a search: a line for each task, on the disk before the next one is begun."""

    def __init__(self, folder: Path, request: SolveRequest, found: list[TaskSolution]) -> None:
        self.folder = folder
        self.request = request
        self.found = found

    @classmethod
    def begin(cls, folder: Path, request: SolveRequest) -> SolutionFolder:
        """Begin a search in a folder; one that is there is replaced."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / SOLUTIONS).unlink(missing_ok=True)
        except OSError as error:
            raise UsageError(f"{folder}: {error.strerror}") from None
        made = cls(folder, request, [])
        made._write(request.as_json())
        return made

    @classmethod
    def resume(cls, folder: Path) -> SolutionFolder:
        """Go on with the search of a folder. A line that a kill cut is dropped."""
        path = folder / SOLUTIONS
        try:
            lines = path.read_bytes().split(b"\n")[:-1]
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}") from None
        try:
            head = json.loads(lines[0]) if lines else {}
            if head.get("format") != FORMAT:
                raise DataError(f"{path}: not solutions of this version of batt")
            found = [TaskSolution.from_json(json.loads(line)) for line in lines[1:]]
        except (ValueError, KeyError, TypeError):
            raise DataError(f"{path}: damaged; begin again with --out") from None
        write_text(path, "".join([line.decode() + "\n" for line in lines]), is_durable=True)
        return cls(folder, SolveRequest.from_json(head), found)

    def add(self, solution: TaskSolution) -> None:
        """Keep a solution."""
        self.found.append(solution)
        self._write(solution.as_json())

    def _write(self, value: dict[str, Any]) -> None:
        with (self.folder / SOLUTIONS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(value, separators=(",", ":")) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def finish(self, solutions: Solutions) -> None:
        """Write the programs as a deck, and the submission."""
        if solutions.sources:
            solutions.deck().save(self.folder / PROGRAMS)
        solutions.save_submission(self.folder / SUBMISSION)
