"""Compare engines in other processes, which may crash, never end, or be killed at any time.

Wrong native code may end its process or never end: the parent reads in shared memory how far the child came.
"""

from __future__ import annotations

import gc
import mmap
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from itertools import islice
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar

from batt.check.batches import RandomBatch
from batt.check.compare import Difference, EngineComparison, OpenComparison, Tally
from batt.check.engines import PROGRESS_BYTES, Engine, Pairs, SharedProgress
from batt.errors import BattError, InternalError
from batt.front import Deck
from batt.ir import Helper, Program
from batt.runtime import Limits, Sample, evaluate_one, usable_cores
from batt.runtime.child import ChildProcess, pipes, receive, reply
from batt.runtime.process_memory import limited_memory, memory_of_worker
from batt.runtime.reference.worker import portable

POLL_S = 0.2
OPEN_S = 240.0
"""The most seconds for making a deck ready."""
MAX_LOST = 20
"""The number of lost evaluations after which the others of a block are not run."""
LEFT_OUT = "left out after too many lost processes"

Work = TypeVar("Work")
Result = TypeVar("Result")


Recipe: TypeAlias = EngineComparison | RandomBatch
"""Makes a comparison in the other process."""


@dataclass
class Lost(Exception):
    """No answer: the process ended, was ended by the guard, or met a bug of batt, in evaluation `number`.

    `phase` is the number of the engine, from 1 on; 0 while a comparison is made ready.
    """

    phase: int
    number: int
    why: str
    timed_out: bool = False


class Closed(Exception):
    """The child was closed by another thread."""


class ComparingChild:
    """A process that compares. It belongs to one thread, but any thread may close it.

    `recipe` makes the comparison that is open in the process, if any.
    """

    def __init__(self, wall_s: float) -> None:
        self.wall_s = wall_s
        self.closed = False
        self.recipe: Recipe | None = None
        self._process: ChildProcess | None = None
        self._progress = SharedProgress()

    def open(self, recipe: Recipe) -> tuple[tuple[Limits, ...], list[int]]:
        """Open the comparison of `recipe`. Return the budget of each sample, and a digest of each program."""
        self.recipe = None
        limits, digests = self._ask(_open, recipe)
        self.recipe = recipe
        return limits, digests

    def compare(self, pairs: Pairs) -> Tally:
        """Compare evaluations of the open comparison."""
        tally = self._ask(_compare, list(pairs))
        assert isinstance(tally, Tally)
        return tally

    def compare_safely(self, pairs: Pairs, recipe: Recipe, engines: Sequence[Engine]) -> Tally:
        """Compare evaluations of one budget. If one is lost, open `recipe` again and compare the others.

        An evaluation that ends the process is a difference of its engine; one that the guard ends is timed out.
        """
        left, tally = list(pairs), Tally()
        for _ in range(MAX_LOST):
            if not left:
                return tally
            try:
                tally.add(self.compare(left))
                return tally
            except Lost as lost:
                self.open(recipe)
                solver, sample = left.pop(min(lost.number, len(left) - 1))
                tally.evaluations += 1
                tally.lost[solver] += 1
                if lost.timed_out:
                    tally.timed_out += 1
                else:
                    tally.found.append(Difference(solver, sample, engines[lost.phase - 1].name, lost.why))
        tally.evaluations += len(left)
        tally.unsupported[LEFT_OUT] += len(left)
        return tally

    def values(self, program: Program, sample: Sample, limits: Limits) -> list[Any]:
        """Return the values of a program's steps as far as the reference engine comes. Nothing needs to be open."""
        return list(self._ask(_values, program, sample, limits))

    def unopenable_program(self, comparison: EngineComparison) -> int | None:
        """Return the position of the program that keeps `comparison` from being opened; None if it takes several."""
        suspects = list(range(len(comparison.deck)))
        while len(suspects) > 1:
            half = len(suspects) // 2
            suspects = next((part for part in (suspects[:half], suspects[half:]) if self._fails(comparison, part)), [])
        return suspects[0] if suspects else None

    def _fails(self, comparison: EngineComparison, programs: list[int]) -> bool:
        try:
            self.open(replace(comparison, deck=Deck([comparison.deck[number] for number in programs])))
        except Lost:
            return True
        return False

    def close(self) -> None:
        """End the process for good."""
        self.closed = True
        process = self._process
        if process is not None:
            process.kill()

    def stop(self) -> None:
        """End the process. The next question starts another."""
        process, self._process, self.recipe = self._process, None, None
        if process is not None:
            process.close()

    def _ask(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call `function` in the process and return its answer. Raise Lost if the process ends instead."""
        if self.closed:
            raise Closed
        if self._process is None:
            self._process = ChildProcess("batt.check.child", PROGRESS_BYTES)
            self._progress = SharedProgress(self._process.shared)
        process = self._process
        process.send((function, args))
        seen, since_s = self._position(), time.monotonic()

        def is_stuck() -> bool:
            nonlocal seen, since_s
            position, now_s = self._position(), time.monotonic()
            if position != seen:
                seen, since_s = position, now_s
            return self.closed or now_s - since_s > (self.wall_s if position[0] else OPEN_S)

        if not process.answers(POLL_S, is_stuck):
            raise self._lost("it did not end in time", timed_out=True)
        try:
            answer = process.receive()
        except EOFError:
            raise self._lost("the process ended") from None
        if isinstance(answer, InternalError):
            raise Lost(self._progress.phase.value, self._progress.number, str(answer))
        if isinstance(answer, BattError):
            raise answer
        return answer

    def _position(self) -> tuple[int, int]:
        return self._progress.phase.value, self._progress.counter.value

    def _lost(self, why: str, timed_out: bool = False) -> Exception:
        phase, number = self._progress.phase.value, self._progress.number
        self.stop()
        return Closed() if self.closed else Lost(phase, number, why, timed_out)


class ComparingChildren(AbstractContextManager["ComparingChildren"]):
    """Some threads, with a comparing process each. All processes end with the context."""

    def __init__(self, count: int, wall_s: float) -> None:
        self.children = [ComparingChild(wall_s) for _ in range(count)]
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="check")
        self._idle: SimpleQueue[ComparingChild] = SimpleQueue()
        for child in self.children:
            self._idle.put(child)

    def results(self, do: Callable[[Work, ComparingChild], Result], work: Iterable[Work]) -> Iterator[list[Result]]:
        """Call `do` for each piece of `work` with an idle process. Yield new results, or none, several times a second.

        A piece is taken from `work` only when a process is idle.
        """

        def run(piece: Work) -> Result:
            child = self._idle.get()
            try:
                return do(piece, child)
            finally:
                self._idle.put(child)

        pieces = iter(work)
        running: set[Future[Result]] = set()
        while True:
            running |= {self._threads.submit(run, each) for each in islice(pieces, len(self.children) - len(running))}
            if not running:
                return
            ended, running = wait(running, POLL_S, FIRST_COMPLETED)
            yield [future.result() for future in ended]

    def __exit__(self, *exception: object) -> None:
        for child in self.children:
            child.close()
        self._threads.shutdown()
        for child in self.children:
            child.stop()


class _State:
    """The progress and the open comparison of a process."""

    def __init__(self, progress: SharedProgress) -> None:
        self.progress = progress
        self.opened: OpenComparison | None = None


def main(shared_handle: int) -> None:
    """Answer messages until the parent closes its end."""
    requests, replies = pipes()
    # Everything loaded by now stays loaded; garbage collection need not traverse it again.
    gc.freeze()
    state = _State(SharedProgress(mmap.mmap(shared_handle, PROGRESS_BYTES)))
    while True:
        try:
            function, args = receive(requests)
        except EOFError:
            # A plain exit would close the mapping, which is still in use.
            os._exit(0)
        try:
            answer = function(state, *args)
        except BattError as error:
            answer = error
        reply(replies, answer)


def _open(state: _State, recipe: Recipe) -> tuple[tuple[Limits, ...], list[int]]:
    state.progress.phase.value = 0
    # Free the memory of the comparison before.
    state.opened = None
    state.opened = OpenComparison(recipe.made())
    comparison = state.opened.comparison
    return comparison.limits, [int(Helper("", each.program).digest[:16], 16) for each in comparison.deck]


def _compare(state: _State, pairs: Pairs) -> Tally:
    if state.opened is None:
        raise InternalError("no comparison is open")
    return state.opened.compare(pairs, state.progress)


def _values(state: _State, program: Program, sample: Sample, limits: Limits) -> list[Any]:
    state.progress.phase.value = 1
    values: list[Any] = []
    memory_bytes = memory_of_worker(limits.memory_bytes, usable_cores())
    with suppress(MemoryError), limited_memory(memory_bytes):
        evaluate_one(program, sample, limits, lambda _, value: values.append(portable(value)))
    return values
