"""What `batt solve` shows: a bar while it searches, then a wall of what it solved, a table and the totals."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from batt.solving import TaskSolution

LINE_EVERY_S = 60.0


@contextmanager
def solving_progress(total: int, is_quiet: bool, done: int = 0) -> Iterator[Callable[[TaskSolution], None]]:
    """Yield a function that takes each solution, and show how many tasks are done and answered."""
    console = Console(stderr=True, highlight=False)
    counts = _Counts(total, done)
    if is_quiet:
        yield counts.add
    elif not console.is_terminal:
        yield _PlainLines(counts).add
    else:
        columns = (TextColumn("solving"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[said]}"))
        around = (TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
        with Progress(*columns, *around, console=console, transient=True) as bar:
            shown = bar.add_task("", total=total, completed=done, said="")

            def add(solution: TaskSolution) -> None:
                counts.add(solution)
                bar.update(shown, completed=counts.done, said=counts.said)

            yield add


class _Counts:
    """How many tasks are done, have an answer, and are surely solved."""

    def __init__(self, total: int, done: int) -> None:
        self.total = total
        self.done = done
        self.answered = 0
        self.sure = 0.0

    def add(self, solution: TaskSolution) -> None:
        self.done += 1
        if solution.answers and all(solution.answers):
            self.answered += 1
            self.sure += solution.sure

    @property
    def said(self) -> str:
        return f"{self.answered:,} answered, about {self.sure:.0f} solved"


class _PlainLines:
    """Progress for logs: one line per minute."""

    def __init__(self, counts: _Counts) -> None:
        self.counts = counts
        self.told_s = time.monotonic()

    def add(self, solution: TaskSolution) -> None:
        self.counts.add(solution)
        if time.monotonic() - self.told_s >= LINE_EVERY_S:
            self.told_s = time.monotonic()
            counts = self.counts
            print(f"{counts.done:,} of {counts.total:,} tasks, {counts.said}", file=sys.stderr, flush=True)
