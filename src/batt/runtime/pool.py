"""Worker processes of the reference engine. Owns their life: starting, feeding, watching, killing.

A worker is a fresh interpreter, not a fork: it inherits neither threads nor the caller's main module. The parent waits
on the pipes of all workers; one whose evaluation does not end in time is killed and replaced, and its block goes on
without that evaluation.
"""

from __future__ import annotations

import mmap
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import IO, Any

import numpy as np

from batt.errors import BattError, InternalError
from batt.ir import Program
from batt.runtime.evaluations import Evaluations
from batt.runtime.options import Options
from batt.runtime.outcome import Limits, Outcome, Status
from batt.runtime.outputs import NO_FUNCTIONS, Functions, PackedOutputs
from batt.runtime.process_memory import memory_of_worker
from batt.runtime.sample import Sample
from batt.runtime.worker import COUNTER, NO_MEMORY, Block, Reply, Setup, Trace, pack, receive, send

POLL_S = 0.05
BLOCK_S = 0.3
"""How long a block should take: long enough that messages cost nothing, short enough for a smooth progress bar."""
MAX_BLOCK = 4096
GIVE_UP_AFTER = 5
"""Time-outs of one program in a row after which its other evaluations are not tried: no step budget stops it."""

_PACKAGE_ROOT = str(Path(__file__).resolve().parents[2])
_CODE = "import sys; sys.path[:] = {path!r}; from batt.runtime.worker import main; main({counter})"
"""What a worker runs. It finds modules where its parent does, and not first in a working folder that has a batt.py."""


@dataclass(frozen=True, slots=True)
class Finished:
    """Consecutive evaluations that are done, as packed records, with outputs where asked for."""

    start: int
    count: int
    records: bytes
    outputs: PackedOutputs | None
    steps: int


class Worker:
    """One worker process with its pipes and its counter of evaluations begun."""

    def __init__(self) -> None:
        with tempfile.TemporaryFile() as file:
            file.truncate(COUNTER.size)
            self.counter = mmap.mmap(file.fileno(), COUNTER.size)
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    _CODE.format(path=[*filter(None, sys.path), _PACKAGE_ROOT], counter=file.fileno()),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=[file.fileno()],
                start_new_session=True,
            )
        self.known: set[int] = set()
        self.start = self.stop = 0
        self.begun_before = self.begun_seen = 0
        self.fed_s = self.changed_s = 0.0

    @property
    def busy(self) -> bool:
        """Whether it has evaluations to answer for."""
        return self.stop > self.start

    @property
    def replies(self) -> IO[bytes]:
        """The pipe that its answers come through."""
        assert self.process.stdout
        return self.process.stdout

    @property
    def begun(self) -> int:
        """Evaluations begun since the process started."""
        return int(COUNTER.unpack(self.counter[: COUNTER.size])[0])

    def send(self, message: Any) -> None:
        """Send it one message; that it is gone is found out when its answer is read."""
        assert self.process.stdin
        with suppress(BrokenPipeError):
            send(self.process.stdin, message)

    def receive(self) -> Any:
        """Wait for its next answer; EOFError where it is gone."""
        return receive(self.replies)

    def feed(self, start: int, stop: int, programs: Sequence[Program], evaluations: Evaluations) -> None:
        """Have it evaluate start … stop-1."""
        pairs = [evaluations.pair(number) for number in range(start, stop)]
        new = {program for program, _ in pairs} - self.known
        self.known |= new
        self.start, self.stop = start, stop
        self.begun_before = self.begun_seen = self.begun
        self.fed_s = self.changed_s = time.monotonic()
        self.send(Block({program: programs[program] for program in new}, pairs))

    def stuck(self, wall_s: float) -> bool:
        """Whether the evaluation under way has run longer than the guard allows."""
        begun, now = self.begun, time.monotonic()
        if begun != self.begun_seen:
            self.begun_seen, self.changed_s = begun, now
        # Nothing begun yet means that the process is still starting, or waiting for a processor.
        return begun > self.begun_before and now - self.changed_s > wall_s

    def death(self) -> InternalError:
        """The error to raise where it ended without an evaluation being at fault."""
        return InternalError(f"a worker process ended by itself (exit code {self.process.wait()})")

    def close(self) -> None:
        """End the process at once, whatever it is doing."""
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream
            with suppress(BrokenPipeError):
                stream.close()
        self.process.wait()
        self.counter.close()


class Pool:
    """Workers that evaluate programs on samples; closing it leaves no process behind.

    `crashed` counts evaluations that ended their process, `out_of_memory` those that needed more than a worker may use.

    `on_poll` is called again and again while it runs; what it raises ends the run.
    """

    def __init__(
        self,
        programs: Sequence[Program],
        evaluations: Evaluations,
        options: Options,
        on_poll: Callable[[], None] | None = None,
    ) -> None:
        self.on_poll = on_poll
        self.programs = programs
        self.evaluations = evaluations
        self.limits = options.limits
        self.size = max(1, min(options.workers, evaluations.total))
        self.setup = Setup(tuple(evaluations.samples), _shared(options.limits, self.size), options.outputs)
        self.todo: deque[tuple[int, int]] = deque([(0, evaluations.total)] if evaluations.total else [])
        self.workers: list[Worker] = []
        self.selector = DefaultSelector()
        self.block = 16
        self.crashed = self.out_of_memory = 0
        self.lost_workers = 0
        self.timed_out_in_a_row: Counter[int] = Counter()

    def run(self) -> Generator[Finished, None, None]:
        """Evaluate everything; blocks come as they are done, each evaluation exactly once."""
        try:
            self._start_workers(self.size)
            while self.todo or any(worker.busy for worker in self.workers):
                if self.on_poll:
                    self.on_poll()
                for worker in self.workers:
                    if not worker.busy and self.todo:
                        start, stop = self._next_block()
                        if self._hopeless(start):
                            yield self._timed_out(start, stop)
                        else:
                            worker.feed(start, stop, self.programs, self.evaluations)
                for key, _ in self.selector.select(POLL_S):
                    yield from self._collect(key.data)
                for worker in [each for each in self.workers if each.busy and each.stuck(self.limits.wall_s)]:
                    yield from self._replace(worker)
        finally:
            self.close()

    def close(self) -> None:
        """Kill every worker that is left."""
        for worker in self.workers:
            worker.close()
        self.workers.clear()
        self.selector.close()

    def _start_workers(self, count: int) -> None:
        # Their interpreters start side by side; only then is each waited for.
        for _ in range(count):
            self.workers.append(Worker())
        started = self.workers[-count:]
        for worker in started:
            worker.send(self.setup)
        for worker in started:
            try:
                worker.receive()
            except EOFError:
                raise worker.death() from None
            self.selector.register(worker.replies, EVENT_READ, worker)

    def _next_block(self) -> tuple[int, int]:
        start, stop = self.todo.popleft()
        program = self.evaluations.pair(start)[0]
        if self._hopeless(start):
            cut = next((n for n in range(start + 1, stop) if self.evaluations.pair(n)[0] != program), stop)
        elif self.timed_out_in_a_row[program]:
            # Keep a program that the guard has stopped apart from others, so that it is judged alone.
            cut = start + 1
        else:
            # Towards the end blocks shrink, so that the workers finish together.
            fair = -(-(stop - start) // (2 * self.size))
            cut = start + min(self.block, fair)
        self._put_back(cut, stop)
        return start, cut

    def _put_back(self, start: int, stop: int) -> None:
        if start < stop:
            self.todo.appendleft((start, stop))

    def _collect(self, worker: Worker) -> list[Finished]:
        try:
            reply = worker.receive()
        except EOFError:
            no_memory = worker.process.wait() == NO_MEMORY
            lost = self._replace(worker)
            self.out_of_memory += len(lost) * no_memory
            self.crashed += len(lost) * (not no_memory)
            return lost
        if isinstance(reply, BattError):
            raise reply
        assert isinstance(reply, Reply)
        count = worker.stop - worker.start
        for number in range(worker.start, worker.stop):
            self.timed_out_in_a_row.pop(self.evaluations.pair(number)[0], None)
        took_s = max(time.monotonic() - worker.fed_s, 1e-4)
        self.block = max(1, min(MAX_BLOCK, int((self.block + count * BLOCK_S / took_s) / 2) + 1))
        outputs = _packed(reply) if self.setup.outputs else None
        finished = Finished(worker.start, count, reply.records, outputs, reply.steps)
        worker.start = worker.stop
        return [finished]

    def _replace(self, worker: Worker) -> list[Finished]:
        """Replace a worker; its evaluation under way is timed out, the others of its block are run again."""
        begun = worker.begun - worker.begun_before if worker.busy else 0
        if not begun:
            self.lost_workers += 1
            if self.lost_workers > GIVE_UP_AFTER:
                raise worker.death()
        stopped = worker.start + begun - 1
        self._put_back(stopped + 1, worker.stop)
        self._put_back(worker.start, stopped)
        self.selector.unregister(worker.replies)
        self.workers.remove(worker)
        worker.close()
        self._start_workers(1)
        if not begun:
            return []
        self.timed_out_in_a_row[self.evaluations.pair(stopped)[0]] += 1
        return [self._timed_out(stopped, stopped + 1)]

    def _hopeless(self, number: int) -> bool:
        return self.timed_out_in_a_row[self.evaluations.pair(number)[0]] >= GIVE_UP_AFTER

    def _timed_out(self, start: int, stop: int) -> Finished:
        """Evaluations that the guard ended, or that were not tried because it ended too many like them."""
        samples = [self.evaluations.samples[self.evaluations.pair(number)[1]] for number in range(start, stop)]
        records = b"".join([pack(Outcome(Status.TIMED_OUT), sample) for sample in samples])
        outputs = PackedOutputs.none(stop - start) if self.setup.outputs else None
        return Finished(start, stop - start, records, outputs, 0)


def _packed(reply: Reply) -> PackedOutputs:
    functions = Functions(reply.helpers) if reply.helpers else NO_FUNCTIONS
    return PackedOutputs.of(np.frombuffer(reply.outputs, np.uint8), np.array(reply.ends, np.uint64), functions)


def trace(program: Program, sample: Sample, limits: Limits) -> tuple[list[Any], Outcome]:
    """The value of every step of one evaluation, and its outcome, from a process that the guard can kill."""
    worker = Worker()
    try:
        worker.send(Trace(program, sample, _shared(limits, 1)))
        with DefaultSelector() as selector:
            selector.register(worker.replies, EVENT_READ)
            while not selector.select(POLL_S):
                if worker.stuck(limits.wall_s):
                    return [], Outcome(Status.TIMED_OUT, cause=f"no result within {limits.wall_s:g} s")
        reply = worker.receive()
        if isinstance(reply, BattError):
            raise reply
        values, outcome = reply
        return values, outcome
    except EOFError:
        if not worker.begun:
            raise worker.death() from None
        return [], Outcome(Status.TIMED_OUT, cause="the process that ran it ended")
    finally:
        worker.close()


def _shared(limits: Limits, workers: int) -> Limits:
    """Return `limits` with as much memory as each of `workers` may use on this machine."""
    return replace(limits, memory_bytes=memory_of_worker(limits.memory_bytes, workers))
