"""The process in which engines are compared. Owns its loop and the talk with its parent, which may kill it any time.

Native code that is wrong may end the process or never end: the parent sees how far it came in memory that both share.
"""

from __future__ import annotations

import gc
import mmap
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from batt.check.compare import Bench, Opened, Tally
from batt.check.place import BYTES, Place
from batt.errors import BattError, InternalError
from batt.ir import Helper, Program
from batt.runtime import Limits, Sample, evaluate_one, usable_cores
from batt.runtime.child import ChildProcess, pipes, receive, reply
from batt.runtime.process_memory import limited_memory, memory_of_worker
from batt.runtime.reference.worker import portable

POLL_S = 0.2
OPEN_S = 240.0
"""How long making a deck ready may take."""


class Recipe(Protocol):
    """What a bench is made from; it can be sent to another process."""

    def made(self) -> Bench:
        """The bench."""
        ...


@dataclass(frozen=True, slots=True)
class Open:
    """Make a bench ready; the one before is forgotten."""

    recipe: Recipe


@dataclass(frozen=True, slots=True)
class Compare:
    """Compare these evaluations of the bench that is open."""

    pairs: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Values:
    """Tell the values of a program's steps on the reference engine."""

    program: Program
    sample: Sample
    limits: Limits


@dataclass(frozen=True, slots=True)
class Ready:
    """A bench is ready: the budgets of its samples, and a number for each program, the same for equal ones."""

    limits: tuple[Limits, ...]
    digests: list[int]


class Lost(Exception):
    """No answer: the process ended, was ended by the guard, or met a bug of ours, in an engine's evaluation.

    Phase 0 is making a bench ready.
    """

    def __init__(self, phase: int, number: int, why: str, timed_out: bool = False) -> None:
        super().__init__(phase, number, why, timed_out)
        self.phase = phase
        self.number = number
        self.why = why
        self.timed_out = timed_out


class Closed(Exception):
    """The child was closed by another thread."""


class Child:
    """A process that compares. It belongs to one thread, but any may close it."""

    def __init__(self, wall_s: float) -> None:
        self.wall_s = wall_s
        self.closed = False
        self._process: ChildProcess | None = None
        self._place = Place()

    def open(self, recipe: Recipe) -> Ready:
        """Have it make a bench ready."""
        if self.closed:
            raise Closed
        if self._process is None:
            self._start()
        ready = self._ask(Open(recipe))
        assert isinstance(ready, Ready)
        return ready

    def compare(self, pairs: Sequence[tuple[int, int]]) -> Tally:
        """Have it compare evaluations of the bench that is open."""
        tally = self._ask(Compare(list(pairs)))
        assert isinstance(tally, Tally)
        return tally

    def values(self, program: Program, sample: Sample, limits: Limits) -> list[Any]:
        """The values of a program's steps, as far as the reference engine comes; nothing needs to be open."""
        if self.closed:
            raise Closed
        if self._process is None:
            self._start()
        return list(self._ask(Values(program, sample, limits)))

    def close(self) -> None:
        """End it for good."""
        self.closed = True
        process = self._process
        if process is not None:
            process.kill()

    def stop(self) -> None:
        """End the process; another is started when it is needed."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def _start(self) -> None:
        self._process = ChildProcess("batt.check.child", BYTES)
        self._place = Place(self._process.shared)

    def _where(self) -> tuple[int, int]:
        return self._place.phase.value, self._place.counter.value

    def _ask(self, message: Any) -> Any:
        """The answer to a message; Lost where the process ends instead of answering."""
        process = self._process
        assert process
        process.send(message)
        seen, since_s = self._where(), time.monotonic()

        def is_stuck() -> bool:
            nonlocal seen, since_s
            where, now_s = self._where(), time.monotonic()
            if where != seen:
                seen, since_s = where, now_s
            return self.closed or now_s - since_s > (self.wall_s if where[0] else OPEN_S)

        if not process.answers(POLL_S, is_stuck):
            raise self._lost("it was closed" if self.closed else "it did not end in time", timed_out=True)
        try:
            answer = process.receive()
        except EOFError:
            raise self._lost("the process ended") from None
        if isinstance(answer, InternalError):
            raise Lost(self._place.phase.value, self._place.number, str(answer))
        if isinstance(answer, BattError):
            raise answer
        return answer

    def _lost(self, why: str, timed_out: bool = False) -> Exception:
        phase, number = self._place.phase.value, self._place.number
        self.stop()
        return Closed() if self.closed else Lost(phase, number, why, timed_out)


def main(shared_handle: int) -> None:
    """Answer messages until the parent closes its end."""
    requests, replies = pipes()
    # What is loaded by now stays, and need not be looked through again and again.
    gc.freeze()
    place = Place(mmap.mmap(shared_handle, BYTES))
    opened: Opened | None = None
    while True:
        try:
            message = receive(requests)
        except EOFError:
            # The mapping is in use to the end; nothing is left to be done.
            os._exit(0)
        try:
            if isinstance(message, Open):
                place.phase.value = 0
                opened = None
                opened = Opened(message.recipe.made())
                answer: Any = Ready(opened.bench.limits, [_digest(each.program) for each in opened.bench.deck])
            else:
                answer = _answer(opened, message, place)
        except BattError as error:
            answer = error
        reply(replies, answer)


def _digest(program: Program) -> int:
    """64 bits of what a program does."""
    return int(Helper("", program).digest[:16], 16)


def _answer(opened: Opened | None, message: Any, place: Place) -> Any:
    if isinstance(message, Values):
        place.phase.value = 1
        values: list[Any] = []
        memory_bytes = memory_of_worker(message.limits.memory_bytes, usable_cores())
        with suppress(MemoryError), limited_memory(memory_bytes):
            evaluate_one(
                message.program, message.sample, message.limits, lambda _, value: values.append(portable(value))
            )
        return values
    if opened is None:
        raise InternalError("nothing is open")
    match message:
        case Compare(pairs):
            return opened.compare(pairs, place)
    raise InternalError(f"unknown message {type(message).__name__}")
