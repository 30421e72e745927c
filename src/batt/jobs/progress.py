"""Show the progress of a run: a bar in a terminal or a notebook, else one plain line per minute."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from batt.jobs.display import Clock, Display, progress_text
from batt.jobs.notebook_bar import notebook_bar

LINE_EVERY_S = 60.0
BAR_COLUMNS = 80
"""The least width of a terminal for the bar with all figures."""


@contextmanager
def progress_display(quiet: bool) -> Iterator[Display | None]:
    """Yield a function that shows progress on standard error or in the notebook; None if `quiet`."""
    console = Console(stderr=True, highlight=False)
    if quiet:
        yield None
    elif console.is_jupyter:
        with notebook_bar() as shown:
            yield shown
    elif console.is_terminal:
        with _bar(console) as bar:
            yield TerminalBar(bar)
    else:
        yield PlainLines()


def _bar(console: Console) -> Progress:
    figures = [MofNCompleteColumn(), TextColumn("{task.fields[rate]}")]
    around = [TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn()]
    wide = [TextColumn("{task.description}"), BarColumn(), *figures, *around]
    # In a narrow terminal rich would cut the figures, which matter more than the bar.
    return Progress(*(wide if console.width >= BAR_COLUMNS else figures), console=console, transient=True)


class TerminalBar(Display):
    """Progress for terminals: a bar of rich."""

    def __init__(self, bar: Progress) -> None:
        self.bar = bar
        self.clock = Clock()
        self.task = bar.add_task("evaluating", total=None, rate="")

    def __call__(self, done: int, total: int) -> None:
        """Show the progress."""
        self.bar.update(self.task, completed=done, total=total, rate=self.rate_text(self.clock.rate(done)))


class PlainLines(Display):
    """Progress for logs: one line per minute."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.told_s = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        """Show the progress, if it is time."""
        rate, now = self.clock.rate(done), time.monotonic()
        if now - self.told_s >= LINE_EVERY_S:
            self.told_s = now
            print(progress_text(done, total, rate, self.rate_text(rate)), file=sys.stderr, flush=True)
