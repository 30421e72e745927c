"""Solve tasks on the workers of a Dask cluster: each worker has processes that search, one task at a time each.

A task whose worker is gone is handed out again, so workers may join, leave and be killed at any time.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pickle import dumps
from queue import Empty, SimpleQueue
from typing import Any

from batt.errors import BattError, UsageError
from batt.runtime.child import ChildProcess
from batt.runtime.cluster.choice import ClusterChoice
from batt.runtime.cluster.local import LocalCluster, silence
from batt.runtime.options import usable_cores
from batt.solving.answers.solutions import TaskSolution
from batt.solving.searches.child import SearchRequest, new_child
from batt.solving.searches.search import SearchSettings
from batt.solving.searches.storing import search_version
from batt.solving.searches.workers import MOST_ENDS, TaskFailure
from batt.tasks import Task
from batt.tasks.model import counted

CONNECT_S = 15.0
POLL_S = 0.5
FETCH_S = 10.0
"""How long to wait for an answer that a worker has: if the worker is killed meanwhile, it never comes."""
NOBODY_S = 30.0
"""A search ends with an error when no worker was there for this long."""

Tell = Callable[[str], None]


class _Here:
    """The state of a worker: a process for each of its threads, with the settings of one search."""

    lock = threading.Lock()
    digest = ""
    free: SimpleQueue[ChildProcess] = SimpleQueue()


def search_there(digest: str, settings: SearchSettings, version: str, task: Task) -> TaskSolution | BattError | None:
    """Solve a task on a worker, in a process of its own. Return None if that process ended."""
    if search_version() != version:
        return UsageError(f"it has another version of batt: {search_version()}, and this search {version}")
    child = _child(digest, settings)
    child.send(SearchRequest(task))
    try:
        answer: TaskSolution | BattError = child.receive()
    except EOFError:
        child.close()
        return None
    with _Here.lock:
        if _Here.digest == digest:
            _Here.free.put(child)
            return answer
    child.close()
    return answer


def _child(digest: str, settings: SearchSettings) -> ChildProcess:
    """Return a process that is free, or a new one. Those of another search are ended."""
    with _Here.lock:
        if _Here.digest != digest:
            _end_all()
            _Here.digest = digest
        try:
            return _Here.free.get_nowait()
        except Empty:
            return new_child(settings)


def end_there(digest: str) -> None:
    """End the processes of a search on a worker."""
    with _Here.lock:
        if _Here.digest == digest:
            _end_all()
            _Here.digest = ""


def _end_all() -> None:
    with suppress(Empty):
        while True:
            _Here.free.get_nowait().close()


@dataclass(slots=True)
class _SearchMember:
    """A worker: how many tasks it takes at a time, and those that it has."""

    threads: int
    tasks: dict[Any, Task] = field(default_factory=dict)
    is_refused: bool = False


@contextmanager
def connected(choice: ClusterChoice) -> Iterator[Any]:
    """Yield a client of the cluster that is chosen; raise UsageError if its scheduler does not answer."""
    from distributed import Client

    logger = logging.getLogger("distributed")
    level = logger.level
    silence()
    local = LocalCluster(choice.processes, max(1, usable_cores() // choice.processes)) if choice.processes else None
    try:
        where: dict[str, Any] = {"address": choice.address}
        if choice.address.endswith(".json"):
            where = {"scheduler_file": choice.address}
        if local is not None:
            local.open()
            where = {"address": local.address, "security": local.security}
        try:
            client = Client(**where, set_as_default=False, timeout=CONNECT_S)
        except (OSError, ValueError, TypeError) as error:
            said = str(error) or type(error).__name__
            raise UsageError(f"the Dask scheduler at {choice} does not answer: {said}") from None
        with client:
            yield client
    finally:
        if local is not None:
            local.close()
        logger.setLevel(level)


class ClusterSearch:
    """A search on a cluster: hands out tasks, at most as many to a worker as it has threads."""

    def __init__(self, client: Any, settings: SearchSettings, tell: Tell | None = None) -> None:
        self._client = client
        self._tell = tell or (lambda line: None)
        self._settings = settings
        self._digest = sha256(dumps(settings)).hexdigest()
        self._scattered: Any = None
        self._members: dict[str, _SearchMember] = {}
        self._waiting: deque[Task] = deque()
        self._ended: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self._seen_s = time.monotonic()

    def solve(self, tasks: Sequence[Task]) -> Iterator[TaskSolution | TaskFailure]:
        """Yield the solutions of tasks as they are found."""
        self._waiting.extend(tasks)
        ends: dict[str, int] = {}
        try:
            while self._waiting or any(member.tasks for member in self._members.values()):
                self._look()
                self._hand_out()
                for task, solution in self._answers():
                    if solution is not None:
                        yield solution
                        continue
                    ends[task.id] = ends.get(task.id, 0) + 1
                    if ends[task.id] < MOST_ENDS:
                        self._waiting.append(task)
                    else:
                        yield TaskFailure(task.id)
        finally:
            with suppress(OSError, ValueError, TimeoutError, RuntimeError):
                self._client.run(end_there, self._digest, on_error="return")

    def _look(self) -> None:
        """Compare who is there with who was before. Tasks of workers that are gone wait again."""
        there: dict[str, int] = {}
        if self._client.status == "running":
            with suppress(OSError, ValueError, TimeoutError):
                there = self._client.nthreads()
        for address in [each for each in there if each not in self._members]:
            self._members[address] = _SearchMember(there[address])
            self._tell(f"worker {address} searches {counted(there[address], 'task')} at a time")
        for address in [each for each in self._members if each not in there]:
            self._waiting.extend(self._members.pop(address).tasks.values())
            self._tell(f"worker {address} is gone")
        if any(not member.is_refused for member in self._members.values()):
            self._seen_s = time.monotonic()
        elif time.monotonic() - self._seen_s > NOBODY_S:
            raise UsageError(f"the cluster had no worker that can search for {NOBODY_S:.0f} s")

    def _hand_out(self) -> None:
        for address, member in self._members.items():
            while self._waiting and not member.is_refused and len(member.tasks) < member.threads:
                if self._scattered is None or self._scattered.status != "finished":
                    self._scattered = self._client.scatter(self._settings, hash=False, workers=[address])
                task = self._waiting.popleft()
                future = self._client.submit(
                    search_there, self._digest, self._scattered, search_version(), task,
                    workers=[address], pure=False, retries=0,
                )  # fmt: skip
                member.tasks[future] = task
                future.add_done_callback(partial(self._note_end, address))

    def _note_end(self, address: str, future: Any) -> None:
        self._ended.put((address, future))

    def _answers(self) -> Iterator[tuple[Task, TaskSolution | None]]:
        """Wait a moment, and yield the tasks whose calls have ended; without a solution if their process ended."""
        with suppress(Empty):
            timeout_s = POLL_S
            while True:
                address, future = self._ended.get(timeout=timeout_s)
                timeout_s = 0.001
                member = self._members.get(address)
                if member is None or future not in member.tasks:
                    continue
                task = member.tasks.pop(future)
                answer = self._fetched(future)
                if isinstance(answer, BattError):
                    member.is_refused = True
                    self._waiting.append(task)
                    self._tell(f"worker {address} is not used: {answer}")
                else:
                    yield task, answer

    @staticmethod
    def _fetched(future: Any) -> TaskSolution | BattError | None:
        """Return the answer of a call that has ended; None if it has none, or if the worker is gone with it."""
        if future.status != "finished":
            return None
        try:
            answer: TaskSolution | BattError | None = future.result(timeout=FETCH_S)
        except (OSError, TimeoutError, asyncio.TimeoutError, CancelledError):
            return None
        return answer
