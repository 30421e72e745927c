"""Count what a run does while it runs, for a terminal and for the live page."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.jobs.display import Display
from batt.jobs.evaluation import Gathering
from batt.jobs.samples import keys_of
from batt.runtime.counts import Counts
from batt.runtime.evaluations import Integers
from batt.runtime.records import join
from batt.runtime.tier import Part, TierName
from batt.store.costs import HISTORY, SLOWEST, History, SolverCosts
from batt.store.tally import RunTally

LOG_LINES = 200
MOST_WAITING = 32
"""The most parts whose tasks are not counted yet: counting many at once is cheaper."""
POINT_EVERY_S = 0.5
MOST_PAIRS = 1 << 26
"""With more pairs of a solver and a task, solved tasks are not counted: that would take too much memory."""
RECENT_S = 5.0
"""The current rate is the average of the last seconds, as many as this."""


class RunMonitor(Display):
    """The figures of a run, which another thread may copy at any time. Progress goes on to `shown`, if given."""

    def __init__(self, shown: Display | None = None) -> None:
        self.shown = shown
        self.run: Gathering | None = None
        self.is_over = False
        self.done = self.done_before = self.total = 0
        self.log: deque[tuple[str, str]] = deque(maxlen=LOG_LINES)
        self._lock = threading.Lock()
        self._tally: RunTally | None = None
        self._waiting: list[tuple[Integers, npt.NDArray[Any]]] = []  # numbers and records that the tally has not yet
        self._costs: SolverCosts | None = None
        self._history = History(POINT_EVERY_S)
        self._recent: deque[tuple[float, int]] = deque()
        self._tiers: Counter[TierName] = Counter()
        self._by_worker: Counter[str] = Counter()
        self._deferred: Counter[str] = Counter()
        self._latest: list[str] = []  # solved tasks, in the order in which they were
        self._started_s = self._ended_s = 0.0

    def on_start(self, run: Gathering) -> None:
        """Take the run, and count what its earlier sessions found."""
        with self._lock:
            self.run = run
            self._costs = SolverCosts(run.evaluations)
            keys = keys_of(run.evaluations.samples)
            if run.evaluations.solvers * len(keys.ids) <= MOST_PAIRS:
                self._tally = RunTally(run.evaluations, keys, None)
                if run.done:
                    self._tally.add_all(run.records)
            self.done = self.done_before = run.done
            self.total = run.evaluations.total
        self.on_note(f"{self.total:,} evaluations on the {run.options.engine_name} engine")

    def __call__(self, done: int, total: int) -> None:
        """Take the number of evaluations done."""
        now = time.monotonic()
        with self._lock:
            if not self._started_s:
                self._started_s = now
            self.done, self.total = done, total
            at_s = now - self._started_s
            self._history.add(at_s, done)
            self._recent.append((at_s, done))
            while len(self._recent) > 2 and self._recent[1][0] < at_s - RECENT_S:
                self._recent.popleft()
        if self.shown is not None:
            self.shown.workers = self.workers
            self.shown(done, total)

    def on_part(self, part: Part) -> None:
        """Count finished evaluations."""
        if self._costs is None or not len(part.block):
            return
        with self._lock:
            self._costs.add(part)
            self._tiers[part.tier] += len(part.block)
            if part.worker:
                self._by_worker[part.worker] += len(part.block)
            if self._tally is not None:
                self._waiting.append((part.numbers, part.records))
                if len(self._waiting) >= MOST_WAITING:
                    self._count_tasks(self._tally)

    def _count_tasks(self, tally: RunTally) -> None:
        if not self._waiting:
            return
        numbers, records = zip(*self._waiting, strict=True)
        self._waiting.clear()
        tally.add(np.concatenate(numbers), join(records))
        solved = tally.solved
        if len(solved) > len(self._latest):
            known = set(self._latest)
            self._latest += [name for name in [tally.keys.ids[task] for task in solved.tolist()] if name not in known]

    def on_deferred(self, tier: TierName, why: str, count: int) -> None:
        """Count deferred evaluations by cause."""
        with self._lock:
            self._deferred[why] += count

    def on_note(self, line: str) -> None:
        """Keep a line in the log."""
        with self._lock:
            self.log.append((time.strftime("%H:%M:%S"), line))

    def end(self) -> None:
        """Stop the clock: the run is over."""
        with self._lock:
            self.is_over, self._ended_s = True, time.monotonic()

    @property
    def wall_s(self) -> float:
        """Return the seconds since the first report of progress."""
        if not self._started_s:
            return 0.0
        return (self._ended_s if self.is_over else time.monotonic()) - self._started_s

    def figures(self) -> dict[str, Any]:
        """Return the figures of now as plain data; without those of tasks if they are not counted."""
        with self._lock:
            wall_s = self.wall_s
            figures = {
                "done": self.done,
                "total": self.total,
                "wall_s": wall_s,
                "rate": (self.done - self.done_before) / wall_s if wall_s else None,
                "rate_now": self._rate_now(),
                "tiers": {tier.name.lower().replace("_", " "): n for tier, n in sorted(self._tiers.items())},
                "deferred": dict(self._deferred.most_common()),
                "workers": dict(self._by_worker),
            }
            return figures | ({} if self._tally is None else self._task_figures(self._tally))

    def _task_figures(self, tally: RunTally) -> dict[str, Any]:
        self._count_tasks(tally)
        solved = tally.solved
        return {
            "statuses": dict(tally.found.counts),
            "fits": len(tally.fitted),
            "solvers_that_fit": tally.fitting_solvers,
            "correct": len(solved),
            "solved": solved.tolist(),
            "tasks": len(tally.keys.ids),
            "latest": self._latest[-5:][::-1],
        }

    def history(self) -> list[tuple[float, int]]:
        """Return how many evaluations were done after how many seconds."""
        with self._lock:
            return [*self._history.points]

    def session(self) -> dict[str, Any]:
        """Return the history and the slowest solvers as a stored session has them."""
        with self._lock:
            costs = [] if self._costs is None else self._costs.slowest()
            return {HISTORY: [*self._history.points], SLOWEST: costs, "wall_s": self.wall_s}

    def counts(self) -> Counts:
        """Return what the tiers did so far."""
        with self._lock:
            return Counts(Counter(self._tiers), Counter(self._by_worker), Counter(), Counter(self._deferred))

    def lines(self) -> list[tuple[str, str]]:
        """Return the last lines of the log with the time of each."""
        with self._lock:
            return [*self.log]

    def _rate_now(self) -> float | None:
        if len(self._recent) < 2 or self.is_over:
            return None
        (before_s, before), (now_s, done) = self._recent[0], self._recent[-1]
        return (done - before) / (now_s - before_s) if now_s > before_s else None
