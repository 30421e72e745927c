"""The worker process of the reference tier, which evaluates blocks. Its parent may kill it at any time.

It writes the number of evaluations begun to shared memory, so that the parent knows which one does not end.
"""

from __future__ import annotations

import gc
import mmap
import os
import signal
import struct
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING, Any

from batt.errors import BattError
from batt.ir import Program
from batt.ops import Op
from batt.runtime.child import pipes, receive, reply
from batt.runtime.outcome import Limits, Outcome, Status
from batt.runtime.packing import pack
from batt.runtime.process_memory import limited_memory
from batt.runtime.reference.evaluation import evaluate_one
from batt.runtime.sample import Sample
from batt.runtime.scores import pack_score
from batt.types import Function, form, unordered
from batt.types.plain import MAX_NODES, Printed, is_deep, weight

if TYPE_CHECKING:
    from batt.runtime.outputs import OutputWriter

COUNTER = struct.Struct("=Q")
MAX_ALARM_S = 1e6
NO_MEMORY = 77
"""The exit code of a worker whose evaluation needed more memory than it may use."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The data that all blocks of a run share; sent once."""

    samples: tuple[Sample, ...]
    limits: Limits
    outputs: bool
    scores: bool = False


@dataclass(frozen=True, slots=True)
class Evaluate:
    """Evaluations to run, as positions of programs and samples, and the programs that were not sent before."""

    programs: dict[int, Program]
    pairs: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class TraceRequest:
    """A request for the value of every step of one evaluation."""

    program: Program
    sample: Sample
    limits: Limits


@dataclass(frozen=True, slots=True)
class Reply:
    """The records of a block, the steps of each, and if the run keeps them, outputs with their helpers, and scores."""

    records: bytes
    steps: tuple[int, ...]
    outputs: bytes = b""
    ends: tuple[int, ...] = ()
    helpers: tuple[Function, ...] = ()
    scores: bytes = b""


class _Worker:
    """The state of a worker between messages."""

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
            case Evaluate():
                return self._run_block(message)
            case TraceRequest():
                return self._run_trace(message)
        raise TypeError(f"unknown message {type(message).__name__}")

    def _begin(self, wall_s: float) -> None:
        self.begun += 1
        self.counter[: COUNTER.size] = COUNTER.pack(self.begun)
        # The parent kills what does not end. If the parent itself was killed, the alarm does.
        signal.setitimer(signal.ITIMER_REAL, min(10 + 2 * wall_s, MAX_ALARM_S))

    def _run_block(self, block: Evaluate) -> Reply:
        self.programs.update(block.programs)
        records, scores, steps = bytearray(), bytearray(), list[int]()
        outputs = _output_writer() if self.setup.outputs else None
        for program, position in block.pairs:
            self._begin(self.setup.limits.wall_s)
            sample = self.setup.samples[position]
            outcome = evaluate_one(self.programs[program], sample, self.setup.limits)
            records += pack(outcome, sample)
            if self.setup.scores:
                scores += pack_score(outcome, sample)
            steps.append(outcome.steps)
            if outputs is not None and outcome.status is Status.OK:
                outputs.add(outcome.value)
            elif outputs is not None:
                outputs.skip()
        made = Reply(bytes(records), tuple(steps), scores=bytes(scores))
        if outputs is None:
            return made
        return replace(made, outputs=bytes(outputs.data), ends=tuple(outputs.ends), helpers=tuple(outputs.helpers))

    def _run_trace(self, request: TraceRequest) -> tuple[list[Any], Outcome]:
        self._begin(request.limits.wall_s)
        values: list[Any] = []
        outcome = evaluate_one(
            request.program, request.sample, request.limits, lambda _, value: values.append(portable(value))
        )
        return values, replace(outcome, value=portable(outcome.value))


def _output_writer() -> OutputWriter:
    # Few runs keep outputs, and the others start faster without this module.
    from batt.runtime.outputs import OutputWriter

    return OutputWriter()


def portable(value: Any) -> Any:
    """Return the value itself if the parent can rebuild it cheaply, else its printed form."""
    whole = weight(value) <= MAX_NODES and not is_deep(value) and _is_plain(value)
    return value if whole else Printed(form(value))


def _is_plain(value: Any) -> bool:
    """Tell whether a value contains no functions except primitives, which are sent by name."""
    if isinstance(value, tuple | frozenset):
        return all(map(_is_plain, unordered(value)))
    return value is None or isinstance(value, int | Op)


def main(counter_handle: int) -> None:
    """Answer messages until the parent closes its end."""
    requests, replies = pipes()
    # Values refer only to older values, so there are no cycles, and counting references is enough.
    gc.disable()
    with mmap.mmap(counter_handle, COUNTER.size) as counter, suppress(EOFError):
        message = receive(requests)
        with limited_memory(message.limits.memory_bytes):
            try:
                _answer_all(_Worker(counter), message, requests, replies)
            except MemoryError:
                # A fresh process has all its memory, and the parent knows which evaluation was running.
                os._exit(NO_MEMORY)


def _answer_all(worker: _Worker, message: Any, requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answer `message` and all that follow; raise EOFError if the parent is gone."""
    while True:
        try:
            answer = worker.answer(message)
        except BattError as error:
            # A user's own op is at fault: the parent raises it.
            answer = error
        signal.setitimer(signal.ITIMER_REAL, 0)
        if not isinstance(message, Setup):
            reply(replies, answer)
        message = receive(requests)
