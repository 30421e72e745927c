"""The page of a search, as a file and live: the page of the run of all programs that it found, each on its task."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from batt.front import Deck
from batt.jobs import Results, evaluate
from batt.page.machine import MachineLoad
from batt.page.overview import RunInfo
from batt.page.sources import RUNNING, PageSource
from batt.solving import Solutions, TaskSolution
from batt.solving.searches.storing import StoredSearch, read_search, state_word
from batt.store.manifest import machine
from batt.tasks import Tasks, load_tasks

UNIT = "tasks searched"
LOG_LINES = 200


@dataclass(frozen=True, slots=True)
class SearchView:
    """A search at a moment: its state in a word, what it found, how long it has taken, and lines for people."""

    state: str
    solutions: Solutions
    wall_s: float = 0.0
    log: tuple[tuple[str, str], ...] = ()


def found_results(solutions: Solutions) -> Results | None:
    """Return what all programs that were found give on their own tasks; None if there are none."""
    if not solutions.sources:
        return None
    return evaluate(Deck(solutions.deck(), "the programs found"), solutions.tasks, own=True)


def search_info(view: SearchView) -> RunInfo:
    """Return what is known of a search besides the programs."""
    here = machine()
    layers: dict[str, int] = {}
    for solution in view.solutions:
        for answers in solution.answers:
            for answer in answers[:1]:
                layers[answer.layer.name.lower()] = layers.get(answer.layer.name.lower(), 0) + 1
    rows = [
        ("Searched", f"{view.solutions.done:,} of {len(view.solutions):,} tasks"),
        ("Answered", f"{view.solutions.answered:,} tasks"),
        ("First answers by layer", ", ".join([f"{name} {count:,}" for name, count in sorted(layers.items())])),
        ("Machine", f"{here['host']}, {here['cores']} cores, {here['processor']}"),
    ]
    return RunInfo(view.state, rows)


class SearchSource(PageSource):
    """A search as the live page reads it. `look` returns how it is now."""

    def __init__(self, look: Callable[[], SearchView]) -> None:
        super().__init__()
        self._look = look
        self._load = MachineLoad()

    def version(self) -> tuple[str, int]:
        """Return the state, and how many tasks are done."""
        view = self._look()
        return view.state, view.solutions.done

    def event(self) -> dict[str, Any]:
        """Return the figures of now."""
        view = self._look()
        found = view.solutions
        solved = [
            at
            for at, (task, each) in enumerate(zip(found.tasks, found, strict=True))
            if each.answers and all(each.answers) and (each.is_right(task) or task.test[0].output is None)
        ]
        return {
            "state": view.state,
            "figures": {
                "unit": UNIT,
                "done": found.done,
                "total": len(found),
                "wall_s": view.wall_s,
                "rate": found.done / view.wall_s if view.wall_s else None,
                "tasks": len(found),
                "correct": found.right,
                "fits": found.answered,
                "solved": solved,
                "tiers": {},
                "workers": {},
                "deferred": {},
            },
            "history": [],
            "load": [each.as_json() for each in self._load.rows()] if view.state == RUNNING else [],
            "log": [list(line) for line in view.log],
        }

    def results(self) -> Results | None:
        """Run the programs that were found until now."""
        return found_results(self._look().solutions)

    def info(self) -> RunInfo:
        """Return what is known of the search."""
        return search_info(self._look())


class SearchMonitor:
    """A search of this process, which other threads may look at."""

    def __init__(self, tasks: Tasks, done: dict[str, TaskSolution]) -> None:
        self.tasks = tasks
        self._found = dict(done)
        self._state = RUNNING
        self._log: deque[tuple[str, str]] = deque(maxlen=LOG_LINES)
        self._began_s = time.monotonic()
        self._ended_s: float | None = None
        self._lock = threading.Lock()

    def add(self, solution: TaskSolution) -> None:
        """Take a solution."""
        firsts = [answers[0] for answers in solution.answers if answers]
        said = f"{firsts[0].layer.value}, {firsts[0].sure:.0%} sure" if firsts else "no answer"
        with self._lock:
            self._found[solution.task] = solution
            self._log.append((time.strftime("%H:%M:%S"), f"{solution.task}: {said}"))

    def end(self, interrupted: bool) -> None:
        """Stop the clock: the search is over."""
        with self._lock:
            self._state, self._ended_s = "unfinished" if interrupted else "finished", time.monotonic()

    def look(self) -> SearchView:
        """Return the search as it is now."""
        with self._lock:
            wall_s = (self._ended_s or time.monotonic()) - self._began_s
            return SearchView(self._state, Solutions(self.tasks, dict(self._found)), wall_s, tuple(self._log))


class StoredSearchView:
    """A search in a folder, which any process may be writing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        request = read_search(folder).request
        self.tasks = load_tasks(*request.tasks).select(request.ids)

    def look(self) -> SearchView:
        """Read the folder again."""
        stored: StoredSearch = read_search(self.folder)
        found = {each.task: each for each in stored.found}
        return SearchView(state_word(self.folder, stored), Solutions(self.tasks, found))
