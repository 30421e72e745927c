"""The display of `batt solve`: a bar while it searches, then a wall of what it solved, a table and the totals."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from batt.cli.output import console as standard_output
from batt.cli.output import print_rows
from batt.draw.terminal import terminal
from batt.solving import Solutions, TaskSolution
from batt.solving.answers.pictures import wall_scene

LINE_EVERY_S = 60.0


@contextmanager
def solving_progress(
    total: int, is_quiet: bool, done: Sequence[TaskSolution] = ()
) -> Iterator[Callable[[TaskSolution], None]]:
    """Yield a function that takes each solution, and show how many tasks are done and answered.

    `done` are the solutions of earlier sessions.
    """
    console = Console(stderr=True, highlight=False)
    counts = _SolveCounts(total)
    for solution in done:
        counts.add(solution)
    if is_quiet:
        yield counts.add
    elif not console.is_terminal:
        yield _PlainLines(counts).add
    else:
        columns = (TextColumn("solving"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[said]}"))
        around = (TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
        with Progress(*columns, *around, console=console, transient=True) as bar:
            shown = bar.add_task("", total=total, completed=counts.done, said=counts.said)

            def add(solution: TaskSolution) -> None:
                counts.add(solution)
                bar.update(shown, completed=counts.done, said=counts.said)

            yield add


class _SolveCounts:
    """Counts of tasks that are done, have an answer, and are surely solved."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
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

    def __init__(self, counts: _SolveCounts) -> None:
        self.counts = counts
        self.told_s = time.monotonic()

    def add(self, solution: TaskSolution) -> None:
        self.counts.add(solution)
        if time.monotonic() - self.told_s >= LINE_EVERY_S:
            self.told_s = time.monotonic()
            counts = self.counts
            print(f"{counts.done:,} of {counts.total:,} tasks, {counts.said}", file=sys.stderr, flush=True)


def print_solutions(solutions: Solutions, wall_s: float) -> None:
    """Print the wall of what was solved, a row for each task with an answer, and the totals."""
    scene = wall_scene(solutions)
    if scene is not None:
        standard_output().print(terminal(scene, is_dense=True))
        print_rows("")
    if any(any(each.answers) for each in solutions):
        print_rows(solutions_table(solutions), "")
    print_rows(totals_table(solutions, wall_s))


def solutions_table(solutions: Solutions) -> Table:
    """Return a row for each task with an answer: how sure it is, its layer, and whether it is right, if known."""
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for heading in ("task", "answer", "sure", "steps", "found as"):
        table.add_column(heading)
    for task, solution in zip(solutions.tasks, solutions, strict=True):
        if not any(solution.answers):
            continue
        best = next(answers for answers in solution.answers if answers)[0]
        is_known = all(pair.output is not None for pair in task.test)
        said = ("right" if solution.is_right(task) else "wrong") if is_known else "?"
        steps = best.source.count(" = ")
        # As Text, because rich could read a name as markup.
        table.add_row(Text(task.id), said, f"{best.sure:.0%}", f"{steps:,}", Text(best.layer.value))
    return table


def totals_table(solutions: Solutions, wall_s: float) -> Table:
    """Return the totals in words."""
    table = Table(show_header=False, box=None, pad_edge=False, padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    done = f", {solutions.done:,} of them searched" if solutions.done < len(solutions) else ""
    table.add_row("tasks", f"{len(solutions):,}{done}")
    table.add_row("answered", f"{solutions.answered:,} with an answer for every test input")
    if solutions.known:
        of = f" of {len(solutions.known):,}" if len(solutions.known) < len(solutions) else ""
        table.add_row("solved", f"{solutions.right:,}{of}: one of two answers is right for every test input")
    else:
        table.add_row("solved", f"about {sum([each.sure for each in solutions]):.0f}, by how sure the answers are")
    for word, count, what in (
        ("dropped", sum([each.dropped for each in solutions]), "programs did not give their answer again"),
        ("stopped", sum([each.was_stopped for each in solutions]), "tasks were stopped by the clock"),
        ("failed", len(solutions.failed), "tasks whose processes ended: --resume tries them again"),
    ):
        if count:
            table.add_row(word, f"{count:,} {what}")
    searched = [each.cpu_s for each in solutions if each.cpu_s]
    if searched:
        table.add_row("time", f"{wall_s:,.0f} s; {sum(searched) / len(searched):.1f} CPU seconds a task")
    return table
