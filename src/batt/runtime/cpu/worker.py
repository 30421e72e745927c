"""A worker of the cpu tier: one call of native code at a time, which the guard can end."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from threading import Lock

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Cause, Stop
from batt.runtime.context import Loaded
from batt.runtime.evaluations import Block, Integers
from batt.runtime.memory import WorkerMemory
from batt.runtime.native import Budget, NativeWorker, Outputs
from batt.runtime.outputs import PackedOutputs
from batt.runtime.sorting import run_sorted
from batt.runtime.tier import CPU, MakePart, Part

FIRST_ROOM = 1 << 20
CALL_S = 0.15
"""How long a call may take until it is ended between two evaluations, and its results are reported."""
SHARED_S, SHARED_STAGED_S = 0.002, 0.02
"""How long the rest of a call must take, about, if idle threads are to get a part of it; with staged values, which they
compute again."""


class ThreadWorker:
    """A native worker with its memory for outputs. Other threads call `watch`, `share` and `close`, and hold `lock`.

    It keeps outputs if the functions that may be in them are `loaded`.
    """

    def __init__(self, loaded: Loaded, memory: WorkerMemory, lock: Lock) -> None:
        self.loaded = loaded
        self.lock = lock
        self.native = NativeWorker(loaded.program.library, memory)
        self.closing = False
        self.running = False
        self.calls = 0
        self.seen = self.suspect = (0, 0)
        self.seen_s = self.begun_s = 0.0
        self.count = 0
        self._room = np.empty(0 if loaded.functions is None else FIRST_ROOM, np.uint8)

    def watch(self, now_s: float, wall_s: float) -> None:
        """Stop the current evaluation if it has run for more than `wall_s` seconds.

        Also let a long call of many evaluations end after this one, so that its results are reported.
        """
        if not self.running:
            return
        current = self.calls, int(self.native.done.value)
        if current != self.seen:
            self.seen, self.seen_s = current, now_s
            if now_s - self.begun_s > CALL_S:
                self._end_after_this()
        elif now_s - self.seen_s > wall_s:
            self.suspect = current
            self.native.stop.value = Stop.AT_ONCE

    def share(self, now_s: float, least_s: float) -> None:
        """Let the current call end after this evaluation if its rest takes `least_s`, about: others are idle."""
        done = int(self.native.done.value)
        rest_s = (now_s - self.begun_s) * (self.count - done - 1) / (done + 1)
        if self.running and rest_s > least_s:
            self._end_after_this()

    def close(self) -> None:
        """End the current call, and let none begin."""
        self.closing = True
        self.native.stop.value = Stop.AT_ONCE

    def run(self, block: Block, slice_of: Integers, budget: Budget, defers: Mapping[int, Cause]) -> MakePart:
        """Evaluate a block until it is done, it is stopped, or the memory for outputs is full.

        `slice_of` has the slice of each program, `defers` the statuses of evaluations to defer, each with its cause.
        """
        started_s = time.monotonic()
        with self.lock:
            self.calls += 1
            self.running = not self.closing
            self.native.stop.value = Stop.AT_ONCE if self.closing else Stop.NO
            self.native.done.value = 0
            self.begun_s = started_s
            self.count = len(block)
        functions = self.loaded.functions
        ends = np.zeros(0 if functions is None else len(block), np.uint64)
        outputs = None if functions is None else self._outputs(ends)
        found = run_sorted(
            self.native, self.loaded.program, self.loaded.batch, slice_of, block, budget, outputs, defers
        )
        done = len(found.ran)
        with self.lock:
            self.running = False
            # If the suspect ended just before it was stopped, neither it nor the next one timed out.
            timed_out = done < len(block) and self.suspect == (self.calls, done) and not self.closing
        packed = None
        if outputs is not None and functions is not None:
            packed = PackedOutputs.of(self._room[: outputs.used].copy(), ends[:done], functions)
            if outputs.needed > len(self._room):
                self._room = np.empty(outputs.needed, np.uint8)
        return partial(
            Part.of_sorted,
            CPU,
            found,
            packed,
            defers,
            timed_out=block[done : done + 1] if timed_out else None,
            rest=block[done + timed_out :] if done + timed_out < len(block) else None,
            wall_s=time.monotonic() - started_s,
        )

    def _end_after_this(self) -> None:
        # Who closes it, or stops an evaluation, does not wait for one to end.
        if self.native.stop.value == Stop.NO:
            self.native.stop.value = Stop.AFTER_THIS

    def _outputs(self, ends: npt.NDArray[np.uint64]) -> Outputs:
        return Outputs(self._room.ctypes.data, len(self._room), 0, ends.ctypes.data, 0)
