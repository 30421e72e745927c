"""A column in its own process, so that its passes disturb no other column and its memory is its own."""

from __future__ import annotations

import mmap
import os
import signal
import time
from collections.abc import Callable
from ctypes import c_uint64
from typing import Any

import numpy as np

from batt.bench.cases import BenchCase, Spec, resolve
from batt.bench.columns import BenchColumn
from batt.bench.native import NativeRunner
from batt.bench.passes import Pass, ReadyColumn, joined, peak_bytes, reset_peak
from batt.bench.plain import PythonRunner, bound_memory
from batt.errors import BattError, InternalError
from batt.runtime import Options
from batt.runtime.child import ChildProcess, pipes, receive, reply
from batt.runtime.evaluations import Integers

POLL_S = 0.25
SLACK_S = 3.0
"""The seconds beyond its guard in which an evaluation can react to the alarm."""
CHUNK = 2_000
"""The evaluations in Python of one message: those that are repeated after the process had to be ended."""


class ColumnProcess:
    """The parent's side of the process. Closing it ends the process.

    If Python does the work, the process is restarted when an evaluation ends it, or neither ends nor reacts to its
    alarm; such an evaluation counts as timed out.
    """

    def __init__(self, spec: Spec, column: BenchColumn, options: Options, guard_s: float) -> None:
        self.column = column
        self._arguments = spec, column, options, guard_s
        self._patience_s = (options.limits.wall_s if column.is_exact else guard_s) + SLACK_S
        self.ready = self._start()

    def run(self, numbers: Integers | None) -> Pass:
        """Run the evaluations `numbers` of the case, or all."""
        if not self.column.in_python:
            self._process.send((numbers,))
            done: Pass = self._answer()
            return done
        chosen = np.arange(self.ready.evaluations) if numbers is None else numbers
        starts = range(0, max(1, len(chosen)), CHUNK)
        return joined([self._chunk(chosen[start : start + CHUNK]) for start in starts])

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def _start(self) -> ReadyColumn:
        self._process = ChildProcess("batt.bench.child")
        self._process.send(self._arguments)
        try:
            ready: ReadyColumn = self._answer()
        except (BattError, KeyboardInterrupt):
            self.close()
            raise
        return ready

    def _answer(self) -> Any:
        try:
            answer = self._process.receive()
        except EOFError:
            code = self._process.process.wait()
            raise InternalError(f"{self.column.name}: its process ended with {code}") from None
        if isinstance(answer, BattError):
            raise answer
        return answer

    def _chunk(self, numbers: Integers) -> Pass:
        """Run evaluations in Python in one message. Those that end the process or never end are lost."""
        lost: set[int] = set()
        while (done := self._patiently(numbers, lost)) is None:
            at = self._process.word()
            self.close()
            if at in lost:
                raise InternalError(f"{self.column.name}: its process ended outside of an evaluation")
            lost.add(at)
            self._start()
        return done

    def _patiently(self, numbers: Integers, lost: set[int]) -> Pass | None:
        """Return the answer, or None if the current evaluation does not end or has ended the process."""
        self._process.send((numbers, lost))
        seen, since_s = -1, 0.0

        def is_stuck() -> bool:
            nonlocal seen, since_s
            begun, now_s = self._process.word(), time.monotonic()
            if begun != seen:
                seen, since_s = begun, now_s
            return now_s - since_s > self._patience_s

        if not self._process.answers(POLL_S, is_stuck):
            return None
        try:
            done: Pass = self._process.receive()
        except EOFError:
            return None
        return done


def open_runner(
    case: BenchCase,
    column: BenchColumn,
    options: Options,
    guard_s: float,
    begin: Callable[[int], None] = lambda position: None,
) -> PythonRunner | NativeRunner:
    """Prepare a case on a column. One in Python calls `begin` with the position of each evaluation."""
    if column.in_python:
        return PythonRunner(case, column, options.limits, guard_s, begin)
    return NativeRunner(case, column, options)


def main(shared_handle: int) -> None:
    """Prepare a case on a column, then run what is asked for until the parent closes its end."""
    # An interrupt goes to the parent, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, replies = pipes()
    begun = c_uint64.from_buffer(mmap.mmap(shared_handle, 8))

    def begin(position: int) -> None:
        begun.value = position

    try:
        spec, column, options, guard_s = receive(requests)
        case = resolve(spec)
        if column.in_python:
            bound_memory()
        reset_peak()
        base_bytes = peak_bytes()
        started_s = time.perf_counter()
        runner = open_runner(case, column, options, guard_s, begin)
        reply(replies, ReadyColumn(time.perf_counter() - started_s, base_bytes, len(case)))
        while True:
            asked = receive(requests)
            begun.value = 0
            reply(replies, runner.run(*asked))
    except EOFError:
        # The mapping is in use until the end.
        os._exit(0)
    except BattError as error:
        reply(replies, error)
