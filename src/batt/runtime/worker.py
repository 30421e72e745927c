"""The child process of the reference engine. Owns the loop that evaluates blocks; its parent may kill it at any time.

Messages are pickles over standard input and output, each after its length. The number of evaluations begun is kept in
memory that the parent shares, so that the parent sees which one does not end.
"""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
import pickle
import signal
import struct
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import IO, Any

from batt.bytecode.abi import Equality
from batt.errors import BattError
from batt.ir import Program
from batt.ops import Op
from batt.runtime.outcome import RECORD, Limits, Outcome, Status, area, differing_cells, shape_of
from batt.runtime.outputs import OutputWriter
from batt.runtime.process_memory import limited_memory
from batt.runtime.reference import evaluate_one
from batt.runtime.sample import Sample
from batt.types import Function, fingerprint, form, unordered
from batt.types.plain import MAX_NODES, Printed, is_deep, weight

LENGTH = struct.Struct("<Q")
COUNTER = struct.Struct("<Q")
MAX_ALARM_S = 1e6
NO_MEMORY = 77
"""The exit code of a worker whose evaluation needed more memory than it may use."""
PR_SET_PDEATHSIG = 1
"""Linux: have a signal sent to this process when the thread that started it ends."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Sent once: what every block of a run shares."""

    samples: tuple[Sample, ...]
    limits: Limits
    outputs: bool


@dataclass(frozen=True, slots=True)
class Block:
    """Evaluations to run, as positions of programs and samples, with the programs not sent before."""

    programs: dict[int, Program]
    pairs: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Trace:
    """A request for every step's value of one evaluation."""

    program: Program
    sample: Sample
    limits: Limits


@dataclass(frozen=True, slots=True)
class Reply:
    """The packed records of a block, the steps it took, and where asked for its outputs with the helpers in them."""

    records: bytes
    steps: int
    outputs: bytes = b""
    ends: tuple[int, ...] = ()
    helpers: tuple[Function, ...] = ()


def send(stream: IO[bytes], message: Any) -> None:
    """Write one message."""
    data = pickle.dumps(message, protocol=5)
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read one message; EOFError where the other side is gone."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    (length,) = LENGTH.unpack(head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)


def pack(outcome: Outcome, sample: Sample) -> bytes:
    """One outcome as a record: scored against the expected output, cell by cell."""
    expected, value = sample.expected, outcome.value
    if outcome.status is not Status.OK:
        missed = area(shape_of(expected))
        return RECORD.pack(outcome.status, outcome.error_number, _equality(False, sample), 0, missed, 0, 0)
    equal = expected is not None and bool(value == expected)
    shape = shape_of(value)
    differing = 0 if expected is None or equal else differing_cells(value, shape, expected)
    return RECORD.pack(outcome.status, 0, _equality(equal, sample), fingerprint(value), differing, *shape)


def _equality(equal: bool, sample: Sample) -> Equality:
    return Equality.UNKNOWN if sample.expected is None else Equality(equal)


class _Worker:
    """What a worker holds between messages."""

    def __init__(self, counter: mmap.mmap) -> None:
        self.counter = counter
        self.begun = 0
        self.setup = Setup((), Limits(), False)
        self.programs: dict[int, Program] = {}

    def answer(self, message: Any) -> Any:
        match message:
            case Setup():
                self.setup = message
                return None
            case Block():
                return self._run_block(message)
            case Trace():
                return self._run_trace(message)
        raise TypeError(f"unknown message {type(message).__name__}")

    def _begin(self, wall_s: float) -> None:
        self.begun += 1
        self.counter[: COUNTER.size] = COUNTER.pack(self.begun)
        # The parent kills what does not end. Where the parent itself was killed, the alarm does.
        signal.setitimer(signal.ITIMER_REAL, min(10 + 2 * wall_s, MAX_ALARM_S))

    def _run_block(self, block: Block) -> Reply:
        self.programs.update(block.programs)
        records, outputs, steps = bytearray(), OutputWriter(), 0
        for program, position in block.pairs:
            self._begin(self.setup.limits.wall_s)
            sample = self.setup.samples[position]
            outcome = evaluate_one(self.programs[program], sample, self.setup.limits)
            records += pack(outcome, sample)
            steps += outcome.steps
            if self.setup.outputs and outcome.status is Status.OK:
                outputs.add(outcome.value)
            elif self.setup.outputs:
                outputs.skip()
        return Reply(bytes(records), steps, bytes(outputs.data), tuple(outputs.ends), tuple(outputs.helpers))

    def _run_trace(self, request: Trace) -> tuple[list[Any], Outcome]:
        self._begin(request.limits.wall_s)
        values: list[Any] = []
        outcome = evaluate_one(
            request.program, request.sample, request.limits, lambda _, value: values.append(portable(value))
        )
        return values, replace(outcome, value=portable(outcome.value))


def portable(value: Any) -> Any:
    """The value itself where the parent can rebuild it cheaply, else its printed form."""
    whole = weight(value) <= MAX_NODES and not is_deep(value) and _is_plain(value)
    return value if whole else Printed(form(value))


def _is_plain(value: Any) -> bool:
    """Whether a value holds no functions but primitives, which are sent by name."""
    if isinstance(value, tuple | frozenset):
        return all(map(_is_plain, unordered(value)))
    return value is None or isinstance(value, int | Op)


def main(counter_handle: int) -> None:
    """Answer messages until the parent closes its end."""
    _leave_ending_to_parent()
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    # Values refer only to values made before them, so no cycles arise and counting references is enough.
    gc.disable()
    with mmap.mmap(counter_handle, COUNTER.size) as counter, suppress(EOFError):
        message = receive(requests)
        with limited_memory(message.limits.memory_bytes):
            try:
                _answer_all(_Worker(counter), message, requests, replies)
            except MemoryError:
                # A fresh process has all its memory, and the parent sees which evaluation was under way.
                os._exit(NO_MEMORY)


def _answer_all(worker: _Worker, message: Any, requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answer `message` and all that follow; EOFError where the parent is gone."""
    while True:
        try:
            reply = worker.answer(message)
        except BattError as error:
            # A user's own op is at fault: the parent raises it.
            reply = error
        signal.setitimer(signal.ITIMER_REAL, 0)
        try:
            send(replies, reply)
        except BrokenPipeError:
            # The parent is gone. At a plain exit the interpreter would try to write the rest.
            os._exit(0)
        message = receive(requests)


def _leave_ending_to_parent() -> None:
    """Let the parent end this process, and nothing but the parent's own end.

    A scheduler signals all processes of a job at once. The parent then writes what is done, and kills its workers.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
