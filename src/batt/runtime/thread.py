"""One thread's worker of the cpu engine. Owns one call of native code at a time, and how the guard ends it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.runtime.evaluations import Block
from batt.runtime.memory import WorkerMemory
from batt.runtime.native import Budget, NativeBatch, NativeProgram, NativeWorker, Outputs
from batt.runtime.outputs import Functions, PackedOutputs

FIRST_ROOM = 1 << 20
CALL_S = 0.5
"""How long a call may take before it is ended between evaluations."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a call did of a block: the evaluations that ran with their results, and the rest.

    Where `timed_out`, the first of the rest is the one that the guard stopped.
    """

    ran: Block
    results: npt.NDArray[Any]
    outputs: PackedOutputs | None
    rest: Block
    timed_out: bool
    wall_s: float

    def only(self, chosen: npt.NDArray[np.bool_]) -> Call:
        """The same with only some of the evaluations that ran."""
        outputs = None if self.outputs is None else self.outputs.only(chosen)
        return Call(self.ran[chosen], picked(self.results, chosen), outputs, self.rest, self.timed_out, self.wall_s)


def picked(results: npt.NDArray[Any], chosen: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The results at these places, or where a mask is True."""
    # As plain bytes: field by field NumPy takes several times as long.
    found: npt.NDArray[Any] = results.view(f"V{results.itemsize}")[chosen].view(results.dtype)
    return found


class ThreadWorker:
    """A native worker with its room for outputs. `watch` and `close` are for other threads, under the engine's lock.

    It keeps outputs where it is given the `functions` that they may hold.
    """

    def __init__(
        self,
        program: NativeProgram,
        batch: NativeBatch,
        budget: Budget,
        memory: WorkerMemory,
        functions: Functions | None,
    ) -> None:
        self.program = program
        self.batch = batch
        self.budget = budget
        self.functions = functions
        self.native = NativeWorker(program.library, memory)
        self.closing = False
        self.running = False
        self.calls = 0
        self.seen = self.suspect = (0, 0)
        self.seen_s = self.begun_s = 0.0
        self._room = np.empty(0 if functions is None else FIRST_ROOM, np.uint8)

    def watch(self, now_s: float, wall_s: float) -> None:
        """Stop the evaluation under way where it is the same as ever since `wall_s` ago.

        A call that takes long by its number of evaluations is ended too, soon after an evaluation has begun, so that
        little is lost: others may take its rest, and what it did is seen.
        """
        if not self.running:
            return
        current = self.calls, int(self.native.done.value)
        if current != self.seen:
            self.seen, self.seen_s = current, now_s
            if current[1] and now_s - self.begun_s > CALL_S:
                self.native.stop.value = 1
        elif now_s - self.seen_s > wall_s:
            self.suspect = current
            self.native.stop.value = 1

    def close(self) -> None:
        """End the call under way, and let none begin."""
        self.closing = True
        self.native.stop.value = 1

    def run(self, block: Block, slices: npt.NDArray[np.uint32], lock: Lock, budget: Budget | None = None) -> Call:
        """Evaluate a block as far as it goes: until it is stopped, there is no room for outputs, or it is done."""
        started_s = time.monotonic()
        with lock:
            self.calls += 1
            self.running = not self.closing
            self.native.stop.value = int(self.closing)
            self.native.done.value = 0
            self.begun_s = started_s
        ends = np.zeros(len(block), np.uint64)
        outputs = None if self.functions is None else self._outputs(ends)
        done, results = self.native.run(
            self.program, self.batch, slices, block.samples.astype(np.uint32), budget or self.budget, outputs
        )
        with lock:
            self.running = False
            # One that ended by itself just before it was stopped is not timed out, and the next has not begun.
            timed_out = done < len(block) and self.suspect == (self.calls, done) and not self.closing
        packed = None
        if outputs is not None and self.functions is not None:
            packed = PackedOutputs.of(self._room[: outputs.used].copy(), ends[:done], self.functions)
            if outputs.needed > len(self._room):
                self._room = np.empty(outputs.needed, np.uint8)
        wall_s = time.monotonic() - started_s
        return Call(block[:done], results[:done], packed, block[done:], timed_out, wall_s)

    def _outputs(self, ends: npt.NDArray[np.uint64]) -> Outputs:
        return Outputs(self._room.ctypes.data, len(self._room), 0, ends.ctypes.data, 0)
