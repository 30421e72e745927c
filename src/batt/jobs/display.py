"""The interface to which a run reports its progress."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, TypeAlias

from batt.runtime.tier import Part, TierName

if TYPE_CHECKING:
    from batt.jobs.evaluation import Gathering

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of evaluations done and their total."""


class Display:
    """A progress that is shown. `workers` counts the workers of a cluster; it is None without one.

    All methods are called in the thread that runs the evaluations, and must be fast.
    """

    workers: int | None = None

    def __call__(self, done: int, total: int) -> None:
        """Show the number of evaluations done and their total."""
        raise NotImplementedError

    def on_start(self, run: Gathering) -> None:
        """Receive the run before its first evaluation."""

    def on_part(self, part: Part) -> None:
        """Receive finished evaluations, under their numbers in the whole run."""

    def on_deferred(self, tier: TierName, why: str, count: int) -> None:
        """Receive how many evaluations `tier` deferred to another tier, and the cause in words."""

    def on_note(self, line: str) -> None:
        """Receive a line for people."""

    def rate_text(self, rate: float) -> str:
        """Return the evaluations per second and the number of workers; an empty text before the first result."""
        if not rate:
            return ""
        of = "" if self.workers is None else f" on {self.workers:,} worker{'s' * (self.workers != 1)}"
        return f"{rate:,.0f}/s{of}"


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


def progress_text(done: int, total: int, rate: float, rate_text: str) -> str:
    """Return the progress in words, with the rate and the time left if there is a rate."""
    estimate = f", {rate_text}, {(total - done) / rate:,.0f} s left" if rate else ""
    return f"{done:,} of {total:,} evaluations{estimate}"


def reporting(progress: Progress | bool | None) -> AbstractContextManager[Progress | None]:
    """Return the function that a run reports its progress to: `progress` itself, or a bar if that is True."""
    if not isinstance(progress, bool):
        return nullcontext(progress)
    # Importing rich takes a while, and only a bar needs it.
    from batt.jobs.progress import progress_display

    return progress_display(quiet=not progress)
