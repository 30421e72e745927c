"""The states of many tasks: one call applies ops to states of all of them, on CPU threads or on a GPU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.errors import UsageError
from batt.runtime import Limits
from batt.runtime.context import MOST
from batt.runtime.cpu.worker import ThreadWorker
from batt.states.applied import Applied
from batt.states.applying import Applier, without_refused
from batt.states.calls import CalleeSource, CallMaker, HandleSource, Integers
from batt.states.derivations import ProgramNumbers
from batt.states.device_layout import chunks
from batt.states.device_states import DeviceStates
from batt.states.native import CANDIDATE_TYPE, Calls
from batt.states.native_batch import BatchCalls, Parts
from batt.states.programs import KeptPrograms
from batt.states.states import LIMITS, MOST_BYTES, States, TaskSource, budget_of
from batt.states.threads import KeptThreads

FEW = 2
"""With fewer parts for each thread, the candidates of one task are evaluated on all threads together."""


class StatesBatch:
    """The states of many tasks. `batch[k]` are those of task k.

    Handles, programs and refused values are those that each task has alone, on any engine.
    """

    def __init__(
        self,
        tasks: Sequence[TaskSource],
        threads: KeptThreads,
        programs: KeptPrograms,
        limits: Limits = LIMITS,
        work: int = MOST,
        most_bytes: int = MOST_BYTES,
        device: DeviceStates | None = None,
    ) -> None:
        numbers = ProgramNumbers()
        self._states = [States(each, threads, programs, limits, work, most_bytes, numbers) for each in tasks]
        self._sets = [each.native for each in self._states]
        self._maker = CallMaker(programs, numbers, threads)
        self._threads = threads
        self._budget = budget_of(limits, work)
        self._device = device
        if device is not None:
            device.begin(self._sets, self._budget)

    def __len__(self) -> int:
        return len(self._states)

    def __getitem__(self, position: int) -> States:
        return self._states[position]

    def __iter__(self) -> Iterator[States]:
        return iter(self._states)

    def __repr__(self) -> str:
        states = sum(map(len, self._states))
        return f"<StatesBatch | {states:,} states of {len(self):,} tasks | {self.used_bytes:,} bytes>"

    @property
    def used_bytes(self) -> int:
        """Return the memory that the states of all tasks use, wherever they are."""
        return sum([each.used_bytes for each in self._states])

    @property
    def gpu_bytes(self) -> int:
        """Return the memory that the values of states use on a GPU."""
        return 0 if self._device is None else self._device.used_bytes

    @property
    def refused(self) -> int:
        """Return how many new values were refused because there was no memory left for them."""
        return sum([each.refused for each in self._states])

    def constant(self, value: Any) -> npt.NDArray[np.int64]:
        """Return the handle in each task of a value that is the same on every sample."""
        return np.array([each.constant(value) for each in self._states], np.int64)

    def apply(self, callee: CalleeSource, of: npt.ArrayLike, *arguments: HandleSource) -> Applied:
        """Apply an op or a program to argument states of the tasks `of`, one task for each candidate."""
        return self.apply_each([callee], of, None, *arguments)

    def apply_each(
        self, callees: Sequence[CalleeSource], of: npt.ArrayLike, called: npt.ArrayLike | None, *arguments: HandleSource
    ) -> Applied:
        """Apply `callees[called[k]]` to states of task `of[k]` for each candidate k, as `States.apply_each` does.

        The candidates of a task are merged in their order.
        """
        tasks = np.asarray(of, np.int64).reshape(-1)
        if len(tasks) and not 0 <= int(tasks.min()) <= int(tasks.max()) < len(self):
            raise UsageError(f"a task is out of range: there are {len(self):,}")
        if any(each.closed for each in self._sets):
            raise UsageError("the states are closed")
        samples = max([len(each.samples) for each in self._states], default=0)
        calls, slices = self._maker.make(callees, called, arguments, lambda: self._shown(tasks), samples, tasks)
        order = None if (tasks[1:] >= tasks[:-1]).all() else np.argsort(tasks, kind="stable")
        if order is not None:
            calls, tasks = calls[order], tasks[order]

        def run(some: Calls, made: npt.NDArray[np.void], of: Integers = tasks) -> None:
            self._run(BatchCalls(self._sets, some, made), np.bincount(of, minlength=len(self)))

        if (slices < 0).any():
            called_there = np.zeros(len(calls), np.uint32) if calls.called is None else calls.called
            accepted = tasks[slices[called_there] >= 0]
            made = without_refused(calls, slices, lambda some, ran: run(some, ran, accepted))
        else:
            made = np.zeros(len(calls), CANDIDATE_TYPE)
            run(calls, made)
        if order is None:
            return Applied(made)
        found = np.empty_like(made)
        found[order] = made
        return Applied(found)

    def close(self) -> None:
        """Free the memory of all states."""
        if self._device is not None:
            self._device.close()
        for each in self._states:
            each.close()

    def _shown(self, tasks: Integers) -> Integers:
        """Return the handles of S in these tasks."""
        return np.array([each.S for each in self._states], np.int64)[tasks]

    def _run(self, batch: BatchCalls, counts: Integers) -> None:
        parts = batch.parts(counts)
        device = self._device if batch.calls.program is None else None
        if device is not None and device.is_open:
            batch.check(parts, may_be_away=True)
            parts = device.apply(batch, parts)
        if not len(parts):
            return
        self._bring(batch, parts)
        batch.check(parts, may_be_away=False)
        if self._threads.count > 1 and len(parts) < FEW * self._threads.count:
            self._run_each(batch, parts)
            return

        def work(worker: ThreadWorker, some: slice) -> None:
            worker.native.stop.value = 0
            batch.apply(parts[some], worker.native, self._budget)

        self._threads.map(work, chunks(parts, self._threads.count))

    def _run_each(self, batch: BatchCalls, parts: Parts) -> None:
        """Run one task after the other, each on all threads."""
        sets = {each.handle: each for each in self._sets}
        for part in parts:
            some = slice(int(part["start"]), int(part["start"] + part["count"]))
            Applier(sets[int(part["set"])], self._threads, self._budget).run(batch.calls[some], batch.made[some])

    def _bring(self, batch: BatchCalls, parts: Parts) -> None:
        """Make sure that the values of all arguments are on the CPU."""
        if self._device is None:
            return
        sets = {each.handle: each for each in self._sets}
        for part in parts:
            some = slice(int(part["start"]), int(part["start"] + part["count"]))
            sets[int(part["set"])].bring(batch.calls.arguments[some])
