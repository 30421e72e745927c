"""The parent's side of a worker process of the reference tier: send it blocks, watch it, kill it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.errors import BattError, InternalError
from batt.ir import Program
from batt.runtime.child import ChildProcess
from batt.runtime.evaluations import Block
from batt.runtime.outcome import Limits, Outcome, Status
from batt.runtime.outputs import NO_FUNCTIONS, Functions, PackedOutputs
from batt.runtime.process_memory import memory_of_worker
from batt.runtime.records import RECORD_TYPE
from batt.runtime.reference.worker import NO_MEMORY, Evaluate, Reply, Setup, TraceRequest
from batt.runtime.sample import Sample
from batt.runtime.scores import score_type
from batt.runtime.tier import REFERENCE, Part, StoppedBy

MODULE = "batt.runtime.reference.worker"
POLL_S = 0.05
MOST_STARTS = 5
"""How often a process may end before its first evaluation until that is an error."""


@dataclass(slots=True)
class _Stopwatch:
    """Finds out whether the current evaluation of a child has run for longer than `wall_s`."""

    child: ChildProcess
    wall_s: float
    before: int = 0
    seen: int = 0
    since_s: float = 0.0

    def begin(self) -> None:
        self.before = self.seen = self.child.word()
        self.since_s = time.monotonic()

    @property
    def begun(self) -> int:
        """Count the evaluations begun since `begin`."""
        return self.child.word() - self.before

    def is_stuck(self) -> bool:
        begun, now_s = self.child.word(), time.monotonic()
        if begun != self.seen:
            self.seen, self.since_s = begun, now_s
        # If nothing has begun, the process is still starting or waiting for a core.
        return begun > self.before and now_s - self.since_s > self.wall_s


class Process:
    """A process that evaluates blocks. It is replaced when an evaluation crashes it or does not end.

    One thread uses it, but any thread may call `close`.
    """

    def __init__(self, programs: Sequence[Program], setup: Setup) -> None:
        self.programs = programs
        self.setup = setup
        self.closing = False
        self._child: ChildProcess | None = None
        self._known: set[int] = set()

    def run(self, block: Block) -> Part:
        """Evaluate a block. If one evaluation is stopped, all others of the block are the rest of the part."""
        started_s = time.monotonic()
        for _ in range(MOST_STARTS + 1):
            child = self._started()
            watch = _Stopwatch(child, self.setup.limits.wall_s)
            reply, stopped = self._ask(child, watch, block)
            if isinstance(reply, BattError):
                raise reply
            if reply is not None:
                return self._part(block, reply, time.monotonic() - started_s)
            begun, code = watch.begun, self._end()
            if self.closing:
                return self._without(block, None, stopped, 0.0)
            if begun:
                stopped = StoppedBy.MEMORY if code == NO_MEMORY else stopped
                return self._without(block, begun - 1, stopped, time.monotonic() - started_s)
        raise InternalError(f"a worker process ended by itself (exit code {code})")

    def close(self) -> None:
        """Kill the process, and start no other."""
        self.closing = True
        child = self._child
        if child is not None:
            child.kill()

    def end(self) -> None:
        """Release the resources of the process."""
        if self._child is not None:
            self._end()

    def _started(self) -> ChildProcess:
        if self._child is None:
            self._child = ChildProcess(MODULE)
            self._child.send(self.setup)
            if self.closing:
                self._child.kill()
        return self._child

    def _end(self) -> int:
        assert self._child is not None
        code, self._child = self._child.close(), None
        self._known.clear()
        return code

    def _message(self, block: Block) -> Evaluate:
        new = set(block.solvers.tolist()) - self._known
        self._known |= new
        pairs = list(zip(block.solvers.tolist(), block.samples.tolist(), strict=True))
        return Evaluate({solver: self.programs[solver] for solver in new}, pairs)

    def _part(self, block: Block, reply: Reply, wall_s: float) -> Part:
        outputs = None
        if self.setup.outputs:
            functions = Functions(reply.helpers) if reply.helpers else NO_FUNCTIONS
            ends = np.array(reply.ends, np.uint64)
            outputs = PackedOutputs.of(np.frombuffer(reply.outputs, np.uint8), ends, functions)
        records: npt.NDArray[Any] = np.frombuffer(reply.records, RECORD_TYPE)
        steps = np.array(reply.steps, np.int64)
        scores = np.frombuffer(reply.scores, score_type()) if self.setup.scores else None
        return Part(REFERENCE, block, records, steps, outputs=outputs, wall_s=wall_s, scores=scores)

    def _without(self, block: Block, at: int | None, stopped: StoppedBy, wall_s: float) -> Part:
        """Return the part of a block whose evaluation `at` was stopped; the results before it are lost."""
        others = np.arange(len(block)) != (-1 if at is None else at)
        return Part(
            REFERENCE,
            block[:0],
            np.zeros(0, RECORD_TYPE),
            np.zeros(0, np.int64),
            outputs=PackedOutputs.none(0) if self.setup.outputs else None,
            timed_out=None if at is None else block[at : at + 1],
            stopped=stopped,
            rest=block[others] if others.any() else None,
            wall_s=wall_s,
            scores=np.zeros(0, score_type()) if self.setup.scores else None,
        )

    def _ask(self, child: ChildProcess, watch: _Stopwatch, block: Block) -> tuple[Any, StoppedBy]:
        """Return the answer, or None if an evaluation was stopped or ended the process, and what stopped it."""
        watch.begin()
        child.send(self._message(block))
        if not child.answers(POLL_S, lambda: watch.is_stuck() or self.closing):
            return None, StoppedBy.CLOCK
        try:
            return child.receive(), StoppedBy.CLOCK
        except EOFError:
            return None, StoppedBy.CRASH


class Tracer:
    """Traces one evaluation after another in a process that the guard can kill, and that is replaced then."""

    def __init__(self) -> None:
        self._child: ChildProcess | None = None

    def __enter__(self) -> Tracer:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def trace(self, program: Program, sample: Sample, limits: Limits) -> tuple[list[Any], Outcome]:
        """Run one evaluation. Return the value of every step, and the outcome."""
        if self._child is None:
            self._child = ChildProcess(MODULE)
        child = self._child
        watch = _Stopwatch(child, limits.wall_s)
        watch.begin()
        child.send(TraceRequest(program, sample, shared_limits(limits, 1)))
        try:
            if not child.answers(POLL_S, watch.is_stuck):
                self.close()
                return [], Outcome(Status.TIMED_OUT, cause=f"no result within {limits.wall_s:g} s")
            reply = child.receive()
        except EOFError:
            begun, code = watch.begun, self.close()
            if not begun:
                raise InternalError(f"a worker process ended by itself (exit code {code})") from None
            return [], Outcome(Status.TIMED_OUT, cause="the process that ran it ended")
        if isinstance(reply, BattError):
            raise reply
        values, outcome = reply
        return values, outcome

    def close(self) -> int:
        """End the process, and return its exit code; the next trace begins another one."""
        child, self._child = self._child, None
        return 0 if child is None else child.close()


def trace(program: Program, sample: Sample, limits: Limits) -> tuple[list[Any], Outcome]:
    """Run one evaluation in a process that the guard can kill. Return the value of every step, and the outcome."""
    with Tracer() as tracer:
        return tracer.trace(program, sample, limits)


def shared_limits(limits: Limits, workers: int) -> Limits:
    """Return `limits` with the memory that each of `workers` processes may use on this machine."""
    return replace(limits, memory_bytes=memory_of_worker(limits.memory_bytes, workers))
