"""The sources of the live page: a run of this process, or a stored run that any process may be writing."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from batt.errors import BattError
from batt.front import Deck
from batt.front.deck import OwnOps
from batt.jobs import Results
from batt.jobs.matrix import Matrix, matrix_of
from batt.page.details import task_details
from batt.page.machine import DeviceLoad, MachineLoad
from batt.page.monitor import RunMonitor
from batt.page.overview import RunInfo, overview
from batt.page.slowest import slowest_ops
from batt.runtime.reference.process import Tracer
from batt.runtime.tier import TierName
from batt.store import RUN, RunState, open_run, state_of
from batt.store.costs import history_of
from batt.store.manifest import machine
from batt.store.runfile import Meta, RunFile
from batt.tasks import Tasks

AGAIN_S = 10.0
"""An overview is made again after this time at the earliest."""
SHARE = 50
"""It is also not made again before this multiple of the time that it took: so it takes 2 % of a core at most."""
KEPT_TASKS = 64
RUNNING = "running"


class PageSource(ABC):
    """A run as the live page reads it. All methods may be called by any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tracer = Tracer()
        self._made: tuple[Results, Matrix, dict[str, Any]] | None = None
        self._made_of: tuple[str, int] | None = None
        self._made_s = self._took_s = float("-inf")
        self._ops_lock = threading.Lock()
        self._ops: Mapping[str, Any] | None = None
        self._details: dict[int, dict[str, Any]] = {}

    @abstractmethod
    def version(self) -> tuple[str, int]:
        """Return the state of the run in a word, and how many evaluations are done. Cheap."""

    @abstractmethod
    def event(self) -> dict[str, Any]:
        """Return what changes all the time: figures, history, load, log. Cheap."""

    @abstractmethod
    def results(self) -> Results | None:
        """Return the results so far; None before there are any."""

    @abstractmethod
    def info(self) -> RunInfo:
        """Return what is known of the run besides its results."""

    def overview(self) -> dict[str, Any] | None:
        """Return the overview, not older than its own cost allows; None before the run begins."""
        with self._lock:
            made = self._current()
            return None if made is None else made[2]

    def task(self, at: int) -> dict[str, Any] | None:
        """Return the view of the task at a position; None if there is no such task."""
        with self._lock:
            made = self._current()
            if made is None or not 0 <= at < len(made[0].tasks):
                return None
            if at not in self._details:
                if len(self._details) >= KEPT_TASKS:
                    del self._details[next(iter(self._details))]
                self._details[at] = task_details(made[0], made[1], at, self._tracer)
            return self._details[at]

    def ops(self) -> Mapping[str, Any] | None:
        """Return the slowest ops, measured now; None while the run is running: that would slow it down."""
        with self._ops_lock:
            made = self._made
            if made is None or made[2]["state"] == RUNNING:
                return None
            if self._ops is None:
                self._ops = slowest_ops(made[0])
            return self._ops

    def close(self) -> None:
        """End the process that traces."""
        with self._lock:
            self._tracer.close()

    def _current(self) -> tuple[Results, Matrix, dict[str, Any]] | None:
        began_s, version = time.monotonic(), self.version()
        is_soon = began_s - self._made_s < max(AGAIN_S, SHARE * self._took_s)
        if self._made is not None and (version == self._made_of or (version[0] == RUNNING and is_soon)):
            return self._made
        results = self.results()
        if results is not None:
            matrix = matrix_of(results)
            self._made = results, matrix, overview(results, matrix, self.info(), with_ops=False)
            self._made_of, self._ops = version, None
            self._details.clear()
            self._made_s = time.monotonic()
            self._took_s = self._made_s - began_s
        return self._made


class MonitorSource(PageSource):
    """A run of this process, which a monitor watches."""

    def __init__(self, monitor: RunMonitor, deck: Deck, tasks: Tasks) -> None:
        super().__init__()
        self.monitor = monitor
        self.deck = deck
        self.tasks = tasks
        self._load = MachineLoad()

    def version(self) -> tuple[str, int]:
        """Return what the monitor says."""
        return self._state, self.monitor.done

    def event(self) -> dict[str, Any]:
        """Return the figures of the monitor."""
        return {
            "state": self._state,
            "figures": self.monitor.figures(),
            "history": self.monitor.history(),
            "load": [] if self.monitor.is_over else [each.as_json() for each in self._load.rows()],
            "log": self.monitor.lines(),
        }

    def results(self) -> Results | None:
        """Return the records that the run has now."""
        run = self.monitor.run
        if run is None:
            return None
        return replace(run.results(self.deck, self.tasks), tiers=self.monitor.counts(), wall_s=self.monitor.wall_s)

    def info(self) -> RunInfo:
        """Return this machine, and what the monitor noted."""
        here = machine()
        rows = [
            ("Machine", f"{here['host']}, {here['cores']} cores, {here['processor']}"),
            ("System", f"{here['system']}, Python {here['python']}"),
        ]
        return RunInfo(self._state, rows, [self.monitor.session()])

    @property
    def _state(self) -> str:
        if not self.monitor.is_over:
            return RUNNING
        return "finished" if self.monitor.done == self.monitor.total else "unfinished"


class StoredSource(PageSource):
    """A stored run, read again while another process writes it."""

    def __init__(self, folder: Path, ops: OwnOps = None) -> None:
        super().__init__()
        self.folder = folder
        self.own_ops = ops
        # A folder without a run is refused before a page is served.
        RunFile.open(folder / RUN).close()
        self._blocks = _BlockCounts(folder)
        self._event_lock = threading.Lock()
        self._loads: dict[int | None, MachineLoad] = {}

    def version(self) -> tuple[str, int]:
        """Return what the file says."""
        state = state_of(self.folder)
        return state.word, state.done

    def event(self) -> dict[str, Any]:
        """Return what the file says without its records being read."""
        with self._event_lock:
            state = state_of(self.folder)
            self._blocks.update()
            total = 0 if state.manifest is None else state.manifest.total
            figures: dict[str, Any] = {
                "done": state.done,
                "total": total,
                "wall_s": state.wall_s,
                "rate": state.done / state.wall_s if state.wall_s else None,
                "statuses": dict(state.found.counts),
                **self._blocks.as_json(),
            }
            if state.found.solved is not None:
                figures["correct"] = state.found.solved
            return {
                "state": state.word,
                "figures": figures,
                "history": history_of(state.sessions),
                "load": [each.as_json() for each in self._load_of(state)] if state.word == RUNNING else [],
                "log": [["", str(line)] for each in state.sessions for line in each.get("notes", ())],
            }

    def _load_of(self, state: RunState) -> list[DeviceLoad]:
        """Return the load of this machine, and of the processes of the run if they are on it."""
        owner = state.owner
        pid = owner.pid if owner is not None and owner.host == machine()["host"] else None
        return self._loads.setdefault(pid, MachineLoad(pid)).rows()

    def results(self) -> Results | None:
        """Read the run again."""
        return open_run(self.folder, ops=self.own_ops)

    def info(self) -> RunInfo:
        """Return what the run says of itself."""
        return RunInfo.of_stored(state_of(self.folder))


class _BlockCounts:
    """Counts of tiers, workers and causes, from the rows of blocks alone. Only new blocks are read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.last = 0
        self.tiers: Counter[str] = Counter()
        self.workers: Counter[str] = Counter()
        self.deferred: Counter[str] = Counter()

    def update(self) -> None:
        """Count the blocks that were written since."""
        try:
            file = RunFile.open(self.folder / RUN)
        except BattError:
            return
        try:
            for number, meta in file.metas(self.last):
                self.last = number
                self._count(meta)
        finally:
            file.close()

    def _count(self, meta: Meta) -> None:
        self.tiers[TierName(meta.tier).name.lower().replace("_", " ")] += meta.count
        if meta.worker:
            self.workers[meta.worker] += meta.count
        self.deferred.update(meta.causes)

    def as_json(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        return {"tiers": dict(self.tiers), "workers": dict(self.workers), "deferred": dict(self.deferred.most_common())}
