"""The threads of an open engine: native workers that are kept, and the guard that stops long evaluations."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import TypeVar

from batt.runtime.context import Loaded
from batt.runtime.cpu.worker import ThreadWorker
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.options import Options

POLL_S = 0.05
_In = TypeVar("_In")
_Out = TypeVar("_Out")


class KeptThreads:
    """At most `options.workers` threads, each with a native worker. Both start when they are first needed."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.workers: list[ThreadWorker] = []
        self._lock = Lock()
        self._idle: SimpleQueue[ThreadWorker] = SimpleQueue()
        self._pool: ThreadPoolExecutor | None = None
        self._guard: Thread | None = None
        self._is_busy = Event()
        self._is_closed = False

    @property
    def count(self) -> int:
        """Return the largest number of threads."""
        return self.options.workers

    @contextmanager
    def one(self) -> Iterator[ThreadWorker]:
        """Lend a worker to the calling thread."""
        self._is_busy.set()
        worker = self._borrowed()
        try:
            yield worker
        finally:
            self._idle.put(worker)
            self._is_busy.clear()

    def map(self, function: Callable[[ThreadWorker, _In], _Out], parts: Sequence[_In]) -> list[_Out]:
        """Call `function` with a worker and each part, on all threads; return the results in the order of the parts."""
        if len(parts) == 1 or self.count == 1:
            with self.one() as worker:
                return [function(worker, part) for part in parts]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.count, thread_name_prefix="batt")
        self._is_busy.set()
        try:
            return list(self._pool.map(partial(self._with_worker, function), parts))
        finally:
            self._is_busy.clear()

    def close(self) -> None:
        """Stop what is running, wait for it, and free all memory."""
        self._is_closed = True
        self._is_busy.set()
        with self._lock:
            for worker in self.workers:
                worker.close()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        if self._guard is not None:
            self._guard.join()
        for worker in self.workers:
            worker.native.close()
        self.workers.clear()

    def _with_worker(self, function: Callable[[ThreadWorker, _In], _Out], part: _In) -> _Out:
        worker = self._borrowed()
        try:
            return function(worker, part)
        finally:
            self._idle.put(worker)

    def _borrowed(self) -> ThreadWorker:
        with self._lock:
            if self._idle.empty() and len(self.workers) < self.count:
                self.workers.append(ThreadWorker(_nothing(), self.options.memory, self._lock))
                self._idle.put(self.workers[-1])
            if self._guard is None:
                self._guard = Thread(target=self._watch, name="batt-guard", daemon=True)
                self._guard.start()
        return self._idle.get()

    def _watch(self) -> None:
        """Stop evaluations that take too long, while there are any."""
        while not self._is_closed:
            self._is_busy.wait()
            time.sleep(POLL_S)
            with self._lock:
                for worker in self.workers:
                    worker.watch(time.monotonic(), self.options.limits.wall_s)


@cache
def _nothing() -> Loaded:
    """Return a program without slices and no samples, for a worker that has not run anything yet."""
    return Loaded.of(Job.plain({}).on(Evaluations((), 0)), outputs=False)
