"""Keep a submission file up to date while a run goes on. It is valid before the first evaluation and ever after."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from batt.errors import UsageError
from batt.files import write_text
from batt.jobs import Results
from batt.jobs.evaluation import Gathering
from batt.runtime.tier import Part
from batt.submit.attempts import Attempts
from batt.submit.making import attempts_of

EVERY_S = 1.0
"""The file is replaced at most this often while a run goes on."""
SHARE = 0.02
"""The share of the run's time that choosing may take."""


class SubmissionFile:
    """The file of a submission. Its methods are given to `evaluate`, then `finish` makes it final.

    If the file cannot be written during the run, `tell` gets one message, and the run goes on.
    """

    def __init__(self, path: Path, tell: Callable[[str], None] | None = None) -> None:
        self.path = path
        self.tell = tell
        self._run: Gathering | None = None
        self._attempts: Attempts | None = None
        self._touched = np.zeros(0, bool)
        self._next_s = 0.0
        self._is_stale = True
        self._has_failed = False

    def on_start(self, run: Gathering) -> None:
        """Write the file by what earlier sessions found; raise UsageError if it cannot be written."""
        self._run = run
        self._attempts = Attempts(run.programs, run.evaluations, run.options)
        self._touched = np.zeros(len(self._attempts.tasks), bool)
        if run.done:
            self._attempts.choose_all(run.records)
        self._write(self._attempts)
        self._next_s = time.monotonic() + EVERY_S

    def on_block(self, part: Part) -> None:
        """Remember which tasks have new results."""
        if self._attempts is not None:
            self._touched[self._attempts.tasks_of(part.numbers)] = True

    def on_poll(self) -> None:
        """Choose again for tasks with new results, and replace the file if an attempt changed, if it is time."""
        began_s = time.monotonic()
        if self._run is None or self._attempts is None or began_s < self._next_s or not self._touched.any():
            return
        touched = np.flatnonzero(self._touched)
        self._touched[touched] = False
        self._is_stale |= self._attempts.choose(touched.tolist(), self._run.records)
        if self._is_stale:
            self._try_to_write(self._attempts)
        ended_s = time.monotonic()
        self._next_s = ended_s + max(EVERY_S, (ended_s - began_s) / SHARE)

    def finish(self, results: Results) -> Attempts:
        """Choose by all results, and write the file; raise UsageError if it cannot be written."""
        # An interrupt may come before the attempts are made.
        attempts = self._attempts or attempts_of(results)
        attempts.choose_all(results.records)
        self._write(attempts)
        return attempts

    def _try_to_write(self, attempts: Attempts) -> None:
        try:
            self._write(attempts)
        except UsageError as error:
            if self.tell and not self._has_failed:
                self.tell(f"{error}; the run goes on")
            self._has_failed = True

    def _write(self, attempts: Attempts) -> None:
        write_text(self.path, attempts.text, is_durable=True)
        self._is_stale = False
