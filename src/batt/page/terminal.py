"""A run in a terminal while it runs: ten lines that are replaced in place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import pairwise
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from batt.jobs.display import Display
from batt.jobs.progress import progress_display
from batt.page.machine import MachineLoad
from batt.page.monitor import RunMonitor

LINES = 10
LEAST_COLUMNS = 40
LABEL_COLUMNS = 12
REFRESHES_PER_S = 4
LOAD_EVERY = 4
"""The number of refreshes between two measurements of the load."""
BARS = "▁▂▃▄▅▆▇█"
SHOWN_CAUSES = 3


@contextmanager
def run_display(quiet: bool, monitor: RunMonitor | None = None) -> Iterator[Display | None]:
    """Yield what a run reports to, and show it on standard error: as ten lines, as a bar, or as a line a minute.

    Ten lines need a terminal of 40 columns and more than ten lines; a smaller one has a bar. `quiet` shows nothing. A
    `monitor` that is given receives all reports.
    """
    console = Console(stderr=True, highlight=False)
    has_room = console.width >= LEAST_COLUMNS and console.height > LINES
    if quiet or not console.is_terminal or console.is_jupyter or console.is_dumb_terminal or not has_room:
        with progress_display(quiet) as shown:
            if monitor is not None:
                monitor.shown = shown
            yield monitor or shown
        return
    monitor = monitor or RunMonitor()
    view = TerminalView(monitor)
    with Live(view, console=console, refresh_per_second=REFRESHES_PER_S, transient=True, vertical_overflow="crop"):
        yield monitor


class TerminalView:
    """The figures of a monitor as lines for a terminal."""

    def __init__(self, monitor: RunMonitor, load: MachineLoad | None = None) -> None:
        self.monitor = monitor
        self._load = load or MachineLoad()
        self._load_text = ""
        self._drawn = 0

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        figures = self.monitor.figures()
        if self._drawn % LOAD_EVERY == 0:
            self._load_text = load_text(self._load)
        self._drawn += 1
        table = Table.grid(padding=(0, 1))
        table.add_column(style="dim", no_wrap=True, width=LABEL_COLUMNS)
        table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
        table.expand = True
        done, total = figures["done"], figures["total"]
        table.add_row("evaluating", ProgressBar(max(1, total), done, complete_style="green", finished_style="green"))
        # As Text, because rich could read a name as markup.
        for label, line in lines_of(figures, self.monitor.history()):
            table.add_row(label, Text(line, no_wrap=True, overflow="ellipsis"))
        table.add_row("load", Text(self._load_text, no_wrap=True, overflow="ellipsis"))
        yield table


def lines_of(figures: dict[str, Any], history: list[tuple[float, int]]) -> Iterator[tuple[str, str]]:
    """Yield the labels and texts of all lines but the bar and the load."""
    done, total, rate = figures["done"], figures["total"], figures["rate"]
    share = f" ({done / total:.0%})" if total else ""
    yield "done", f"{done:,} of {total:,}{share}"
    now = f"{figures['rate_now']:,.0f}/s now, " if figures["rate_now"] else ""
    yield "rate", f"{now}{rate:,.0f}/s on average {sparkline(history)}" if rate else "before the first result"
    left = f", about {_clock((total - done) / rate)} left" if rate else ""
    yield "time", f"{_clock(figures['wall_s'])}{left}"
    yield "engines", _counted(figures["tiers"], " · ") or "–"
    causes = dict(list(figures["deferred"].items())[:SHOWN_CAUSES])
    deferred = sum(figures["deferred"].values())
    yield "deferred", f"{deferred:,}: {_counted(causes, ', ')}" if deferred else "none"
    statuses = {word.replace("_", " "): count for word, count in figures.get("statuses", {}).items()}
    yield "outcomes", _counted(statuses, " · ") or "–"
    is_counted = "correct" in figures
    yield (
        "solved",
        f"{figures['correct']:,} of {figures['tasks']:,} tasks, {figures['fits']:,} fitted" if is_counted else "–",
    )
    yield "latest", " ".join(figures.get("latest", ())) or "–"


def sparkline(history: list[tuple[float, int]], points: int = 24) -> str:
    """Return the rate over time as small bars, the last ones of the history."""
    pairs = list(pairwise(history))[-points:]
    rates = [(done - before) / (at_s - before_s) for (before_s, before), (at_s, done) in pairs if at_s > before_s]
    most = max(rates, default=0)
    return "".join([BARS[round((len(BARS) - 1) * rate / most)] for rate in rates]) if most > 0 else ""


def load_text(load: MachineLoad) -> str:
    """Return the load of the machine and its GPUs in a line; a hint if it cannot be measured."""
    rows = [row for row in load.rows() if row.total_bytes]
    if not rows:
        return "unknown (psutil is not installed)"
    return " · ".join(
        [f"{row.name} {row.load or 0:.0f} %, {_gib(row.used_bytes)} of {_gib(row.total_bytes)} GiB" for row in rows]
    )


def _gib(count: int | None) -> str:
    return f"{(count or 0) / 2**30:.1f}"


def _counted(counts: dict[str, int], separator: str) -> str:
    return separator.join([f"{word} {count:,}" for word, count in counts.items() if count])


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
