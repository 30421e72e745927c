"""Make calls on the states of one task, on threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Cause, Ended
from batt.errors import UsageError
from batt.runtime.cpu.worker import ThreadWorker
from batt.runtime.native import Budget, library
from batt.states.native import CANDIDATE_TYPE, Calls, Evaluated, NativeStates
from batt.states.threads import KeptThreads

BLOCK = 1_024
"""Candidates that a thread evaluates before they are merged."""
ROUND = 1 << 16
"""Candidates in one call of native code with one thread, between which an interrupt ends the call."""

Run: TypeAlias = Callable[[Calls, "npt.NDArray[np.void]"], None]


class Applier:
    """Makes calls on the states of one task."""

    def __init__(self, native: NativeStates, threads: KeptThreads, budget: Budget) -> None:
        self._native = native
        self._threads = threads
        self._budget = budget

    def apply(self, calls: Calls, slices: npt.NDArray[np.int64]) -> npt.NDArray[np.void]:
        """Make calls whose callees are these slices, or refused if that is below 0. Return what became of them."""
        if self._native.closed:
            raise UsageError("the states are closed")
        made = np.zeros(len(calls), CANDIDATE_TYPE)
        self._native.bring(calls.arguments)
        if (slices < 0).any():
            return without_refused(calls, slices, self.run)
        self.run(calls, made)
        return made

    def run(self, calls: Calls, made: npt.NDArray[np.void]) -> None:
        """Make calls on one thread or, if there are many, on all."""
        if self._threads.count == 1 or len(calls) <= BLOCK:
            with self._threads.one() as worker:
                self._run_alone(worker, calls, made)
        else:
            self._run_on_threads(calls, made)

    def _run_alone(self, worker: ThreadWorker, calls: Calls, made: npt.NDArray[np.void]) -> None:
        worker.native.stop.value = 0
        at = 0
        while at < len(calls):
            some = slice(at, at + ROUND)
            at += self._native.apply(worker.native, calls[some], self._budget, made[some])

    def _run_on_threads(self, calls: Calls, made: npt.NDArray[np.void]) -> None:
        """Evaluate blocks on all threads, and merge them in order: the states do not depend on the threads."""

        def work(worker: ThreadWorker, place: int) -> int:
            worker.native.stop.value = 0
            some = slice(blocks[place], min(blocks[place] + BLOCK, len(calls)))
            return self._native.apply(worker.native, calls[some], self._budget, made[some], kept[place])

        kept = [Evaluated(library()) for _ in range(4 * self._threads.count)]
        at = 0
        while at < len(calls):
            blocks = list(range(at, len(calls), BLOCK))[: len(kept)]
            for place, done in enumerate(self._threads.map(work, range(len(blocks)))):
                start, end = blocks[place], min(blocks[place] + BLOCK, len(calls))
                some = slice(start, start + done)
                self._native.merge(calls[some], made[some], kept[place])
                if start + done < end:
                    rest = slice(start + done, end)
                    with self._threads.one() as worker:
                        self._run_alone(worker, calls[rest], made[rest])
                at = end
        for each in kept:
            each.close()


def without_refused(calls: Calls, slices: npt.NDArray[np.int64], run: Run) -> npt.NDArray[np.void]:
    """Run the candidates whose program native code accepts; the others are not supported."""
    made = np.zeros(len(calls), CANDIDATE_TYPE)
    called = np.zeros(len(calls), np.uint32) if calls.called is None else calls.called
    accepted = np.flatnonzero(slices[called] >= 0)
    made["handle"], made["status"], made["cause"] = -1, Ended.UNSUPPORTED, Cause.REFUSED
    ran = np.zeros(len(accepted), CANDIDATE_TYPE)
    run(Calls(calls.callees, called[accepted], calls.arguments[accepted], calls.program), ran)
    made[accepted] = ran
    return made
