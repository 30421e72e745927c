"""Show the progress of a run: a bar in a terminal or a notebook, else one plain line per minute."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from batt.jobs.display import Display

LINE_EVERY_S = 60.0
REPLACE_EVERY_S = 0.2
BAR_COLUMNS = 80
"""The least width of a terminal for the bar with all figures."""


@contextmanager
def progress_display(quiet: bool) -> Iterator[Display | None]:
    """Yield a function that shows progress on standard error or in the notebook; None if `quiet`."""
    console = Console(stderr=True, highlight=False)
    if quiet:
        yield None
    elif console.is_jupyter:
        yield NotebookBar()
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


class Clock:
    """The rate of a run since its first report, which comes when the programs are prepared.

    What was done before that, in an earlier session, does not count.
    """

    def __init__(self) -> None:
        self.started_s: float | None = None
        self.done_before = 0

    def rate(self, done: int) -> float:
        """Return evaluations per second so far; 0 before the first result."""
        now = time.monotonic()
        if self.started_s is None:
            self.started_s, self.done_before = now, done
        return (done - self.done_before) / max(now - self.started_s, 1e-9)


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
            estimate = f", {self.rate_text(rate)}, {(total - done) / rate:,.0f} s left" if rate else ""
            print(f"{done:,} of {total:,} evaluations{estimate}", file=sys.stderr, flush=True)


class NotebookBar(Display):
    """Progress for notebooks: one output that is replaced at most five times a second."""

    def __init__(self) -> None:
        # Only notebooks have this module.
        notebook = import_module("IPython.display")
        self.clock = Clock()
        self.told_s = float("-inf")
        self.output = notebook.display(self._shown(0, 0, 0.0), raw=True, display_id=True)

    def __call__(self, done: int, total: int) -> None:
        """Show the progress, if it is time."""
        rate, now = self.clock.rate(done), time.monotonic()
        if now - self.told_s >= REPLACE_EVERY_S or done == total:
            self.told_s = now
            self.output.update(self._shown(done, total, rate), raw=True)

    def _shown(self, done: int, total: int, rate: float) -> dict[str, str]:
        shown = f", {self.rate_text(rate)}" if rate else ""
        text = f"{done:,} of {total:,} evaluations{shown}" if total else "evaluating"
        return {"text/plain": text, "text/html": f'<progress value="{done}" max="{max(total, 1)}"></progress> {text}'}
