"""A column in a process of its own. Owns that process; a pass in it disturbs no other, and its memory is its own."""

from __future__ import annotations

import dataclasses
import mmap
import os
import signal
import time
from collections.abc import Callable
from ctypes import c_uint64
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bench.cases import Case, Spec, resolve
from batt.bench.columns import Column, Kind
from batt.bench.cuda import CudaRunner
from batt.bench.native import NativeRunner
from batt.bench.plain import PythonRunner, bound_memory
from batt.bench.runner import Pass, Ready, Runner, joined, peak_bytes, reset_peak
from batt.errors import BattError, InternalError
from batt.runtime import Options, Status
from batt.runtime.child import ChildProcess, pipes, receive, reply
from batt.runtime.evaluations import Integers
from batt.runtime.records import unfilled

POLL_S = 0.25
SLACK_S = 3.0
"""What an evaluation is given beyond its guard, to hear the alarm."""
CHUNK = 2_000
"""Evaluations in Python of one message: those that are done again when the process had to be ended."""
LOST = "never ended, or ended the process"


class Child:
    """The parent's side; closing it ends the process.

    Where Python does the work, the process is ended and started anew when an evaluation neither ends nor hears its
    alarm, or takes the process with it; such an evaluation is left out.
    """

    def __init__(self, spec: Spec, column: Column, options: Options, guard_s: float) -> None:
        self.column = column
        self._arguments = spec, column, options, guard_s
        self._patience_s = (options.limits.wall_s if column.is_exact else guard_s) + SLACK_S
        self._start()
        try:
            self.ready: Ready = self._answer()
        except (BattError, KeyboardInterrupt):
            self.close()
            raise

    def run(self, numbers: Integers | None) -> Pass:
        """Run these evaluations of the case, or all."""
        if not self.column.in_python:
            self._process.send(numbers)
            done: Pass = self._answer()
            return done
        chosen = np.arange(self.ready.evaluations) if numbers is None else numbers
        starts = range(0, max(1, len(chosen)), CHUNK)
        return joined([self._chunk(chosen[start : start + CHUNK]) for start in starts])

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def _start(self) -> None:
        self._process = ChildProcess("batt.bench.child")
        self._process.send(self._arguments)

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
        """Some evaluations in one message; those that end the process or never end are left out."""
        lost = np.zeros(len(numbers), bool)
        while True:
            kept = np.flatnonzero(~lost)
            self._process.send(numbers[kept])
            done = self._patiently()
            if done is not None:
                return with_lost(done, lost)
            lost[kept[self._process.word()]] = True
            self.close()
            self._start()
            self._answer()

    def _patiently(self) -> Pass | None:
        """The answer; None where the evaluation under way does not end, or has ended the process."""
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


def with_lost(done: Pass, lost: npt.NDArray[np.bool_]) -> Pass:
    """A pass with the evaluations put in that were lost: timed out, and left out."""
    if not lost.any():
        return done
    records, times_ns = unfilled(len(lost)), np.full(len(lost), -1, np.int64)
    records["status"] = Status.TIMED_OUT
    records[~lost], times_ns[~lost] = done.records, done.times_ns
    left_out = lost.copy()
    left_out[~lost] = done.left_out
    return dataclasses.replace(
        done,
        records=records,
        times_ns=times_ns,
        left_out=left_out,
        handed_down=np.zeros(len(lost), bool),
        fallbacks={**done.fallbacks, LOST: int(lost.sum())},
    )


def open_runner(
    case: Case, column: Column, options: Options, guard_s: float, begin: Callable[[int], None] = lambda number: None
) -> Runner:
    """Make ready to run a case on a column; one in Python tells which evaluation begins."""
    if column.in_python:
        return PythonRunner(case, column, options.limits, guard_s, begin)
    return (CudaRunner if column.kind is Kind.CUDA else NativeRunner)(case, column, options)


def main(shared_handle: int) -> None:
    """Make a case ready on a column, then run what is asked for until the parent closes its end."""
    # An interrupt goes to the parent, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, replies = pipes()
    begun = c_uint64.from_buffer(mmap.mmap(shared_handle, 8))

    def begin(number: int) -> None:
        begun.value = number

    try:
        spec, column, options, guard_s = receive(requests)
        case = resolve(spec)
        if column.in_python:
            bound_memory()
        reset_peak()
        base_bytes = peak_bytes()
        started_s = time.perf_counter()
        runner = open_runner(case, column, options, guard_s, begin)
        reply(replies, Ready(time.perf_counter() - started_s, base_bytes, len(case)))
        while True:
            numbers = receive(requests)
            begun.value = 0
            reply(replies, runner.run(numbers))
    except EOFError:
        # The mapping is in use to the end.
        os._exit(0)
    except BattError as error:
        reply(replies, error)
