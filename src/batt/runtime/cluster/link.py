"""The connection to a Dask cluster: who is there, who has the deck and the samples, and one call after the other.

All of it runs in the event loop of one thread. Only this file, and `local` for its processes, use Dask.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any
from uuid import uuid4

from batt.errors import InternalError, UsageError
from batt.runtime.cluster import worker as there
from batt.runtime.cluster.choice import ClusterChoice
from batt.runtime.cluster.local import LocalCluster, silence
from batt.runtime.cluster.messages import Load, Order
from batt.runtime.cluster.tier import Answer, Event, WorkerFailure, WorkerJoined, WorkerLeft
from batt.runtime.options import usable_cores

CONNECT_S = 15.0
POLL_S = 0.25
ANSWER_S = 10.0
"""How long the scheduler may take to say who its workers are."""
MOST_SENDS = 4
"""How often the deck or the samples are sent to a worker until it is used no more."""


@dataclass(slots=True, eq=False)
class _Member:
    """A worker: its address, its threads, and what was asked of it."""

    address: str
    threads: int
    tasks: set[asyncio.Task[Any]] = field(default_factory=set)
    is_greeted: bool = False
    is_refused: bool = False
    is_ready: bool = False


class Link:
    """A connection to the workers of a cluster. `serve`, `send` and `end` may be called from another thread."""

    def __init__(self, choice: ClusterChoice, local: LocalCluster | None = None) -> None:
        self.choice = choice
        self._local = local
        self._name = uuid4().hex[:12]
        self._calls = 0
        self._loop = asyncio.new_event_loop()
        self._closing = asyncio.Event()
        self._opened: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, name="batt-cluster", daemon=True)
        self._client: Any = None
        self._members: dict[str, _Member] = {}
        self._data: dict[str, Any] = {}
        self._load: Load | None = None
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._lines: SimpleQueue[str] = SimpleQueue()

    def open(self) -> None:
        """Connect to the scheduler; raise UsageError if it does not answer."""
        self._thread.start()
        self._opened.result()

    def close(self) -> None:
        """Disconnect; workers end what they run by themselves."""
        # If the connection has ended by itself, its loop takes no more calls.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()

    @property
    def getting_ready(self) -> int:
        """Count the workers that may soon be ready."""
        return sum([not (member.is_ready or member.is_refused) for member in list(self._members.values())])

    def serve(self, load: Load, events: SimpleQueue[Event], tell: SimpleQueue[str]) -> None:
        """Send `load` to all workers, also to those that join later, and report in `events` who is ready or gone."""
        asyncio.run_coroutine_threadsafe(self._begin(load, events, tell), self._loop).result()

    def send(self, worker: str, order: Order, future: Future[Answer]) -> None:
        """Let a worker run a block, and set the answer."""
        # If the connection has ended, its workers have left.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._send, worker, order, future)

    def end(self) -> None:
        """Report nothing more, and forget all blocks."""
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self._forget(), self._loop).result()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        # Dask leaves tasks behind that wait for workers which are gone; what they raise is of no interest.
        self._loop.set_exception_handler(lambda loop, context: None)
        try:
            self._loop.run_until_complete(self._stay())
        finally:
            for member in self._members.values():
                self._lose(member)
            if not self._opened.done():
                self._opened.set_exception(InternalError("the connection to the cluster ended; see the error above"))
            self._loop.close()

    async def _stay(self) -> None:
        """Connect, and look who is there until this is closed."""
        from distributed import Client

        where: dict[str, Any] = {"address": self.choice.address}
        if self.choice.address.endswith(".json"):
            where = {"scheduler_file": self.choice.address}
        if self._local is not None:
            where = {"address": self._local.address, "security": self._local.security}
        made = Client(**where, asynchronous=True, set_as_default=False, timeout=CONNECT_S)
        try:
            client = await made
        except (OSError, ValueError, TypeError) as error:
            text = str(error) or type(error).__name__
            self._opened.set_exception(UsageError(f"the Dask scheduler at {self.choice} does not answer: {text}"))
            return
        self._client = client
        try:
            await self._look()
            self._opened.set_result(None)
            while not self._closing.is_set():
                await self._look()
                await asyncio.wait([asyncio.ensure_future(self._closing.wait())], timeout=POLL_S)
            await self._forget()
        finally:
            # A client that is trying to connect to a dead scheduler may fail to close, too.
            with suppress(OSError, ValueError, asyncio.TimeoutError):
                await client.close()

    async def _look(self) -> None:
        """Compare who is there with who was there before."""
        # Without a scheduler there is no way to its workers. Dask then tries to connect to it again.
        threads: dict[str, int] = {}
        if self._client.status == "running":
            with suppress(OSError, ValueError, asyncio.TimeoutError):
                threads = await asyncio.wait_for(self._client.nthreads(), ANSWER_S)
        for address in [each for each in self._members if each not in threads]:
            self._lose(self._members.pop(address))
        for address, count in threads.items():
            if address not in self._members:
                member = self._members[address] = _Member(address, self.choice.threads or count)
                self._begin_task(member, self._greet(member))

    def _lose(self, member: _Member) -> None:
        for task in list(member.tasks):
            task.cancel()
        if member.is_ready:
            self._events.put(WorkerLeft(member.address))
        member.is_ready = False

    def _refuse(self, member: _Member, why: str) -> None:
        self._lines.put(f"worker {member.address} is not used: {why}")
        member.is_refused = True
        self._lose(member)

    def _begin_task(self, member: _Member, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = self._loop.create_task(work)
        member.tasks.add(task)
        task.add_done_callback(member.tasks.discard)
        return task

    async def _call(self, member: _Member, function: Callable[..., Any], *args: Any) -> tuple[Any, str]:
        """Call a function on a worker. Return its result, and what it raised in words, or an empty text."""
        self._calls += 1
        future = self._client.submit(
            function, *args, key=f"batt-{self._name}-{self._calls}", workers=[member.address], pure=False, retries=0
        )
        result = asyncio.ensure_future(future.result())
        try:
            await asyncio.wait([result])
        finally:
            result.cancel()
            future.release()
        if result.cancelled():
            return None, "its data was lost"
        error = result.exception()
        return (None, f"{type(error).__name__}: {error}".partition("\n")[0]) if error else (result.result(), "")

    async def _greet(self, member: _Member) -> None:
        """Compare versions with a worker that joined, then send it the deck and the samples."""
        found, error = await self._call(member, there.version)
        if error:
            self._refuse(member, f"it has no batt, or another version: {error}")
        elif found != there.version():
            self._refuse(member, f"it has {found}, and this run {there.version()}")
        else:
            member.is_greeted = True
            await self._equip(member)

    async def _equip(self, member: _Member) -> None:
        """Send a worker the deck and the samples, then report it as ready."""
        load = self._load
        if load is None:
            return
        error = await self._supply(member, load)
        if load is not self._load:
            # Another span of the run has begun, and a task of its own does this.
            return
        if error:
            self._refuse(member, error)
        else:
            member.is_ready = True
            self._events.put(WorkerJoined(member.address, member.threads))

    async def _supply(self, member: _Member, load: Load) -> str:
        """Send a worker what it lacks of the deck and the samples. Return why that is not possible, if so."""
        error = ""
        for _ in range(MOST_SENDS):
            lacking, error = await self._call(member, there.lacking, list(load.data))
            if not error and not lacking:
                return ""
            for digest in lacking or ():
                _, error = await self._call(member, there.keep, digest, await self._scattered(digest, load))
                if error:
                    self._data.pop(digest, None)
        return error or "it does not keep the deck and the samples"

    async def _scattered(self, digest: str, load: Load) -> Any:
        """Return the future of data that is on some worker; the others get it from each other."""
        found = self._data.get(digest)
        if found is None or found.status != "finished":
            found = self._data[digest] = await self._client.scatter(load.data[digest], hash=False)
        return found

    async def _begin(self, load: Load, events: SimpleQueue[Event], tell: SimpleQueue[str]) -> None:
        await self._forget()
        while not self._lines.empty():
            tell.put(self._lines.get())
        self._load, self._events, self._lines = load, events, tell
        self._data = {digest: each for digest, each in self._data.items() if digest in load.data}
        for member in self._members.values():
            if member.is_greeted and not member.is_refused:
                self._begin_task(member, self._equip(member))

    async def _forget(self) -> None:
        self._load = None
        self._events = SimpleQueue()
        greeted = [member for member in self._members.values() if member.is_greeted]
        for task in [task for member in greeted for task in member.tasks]:
            task.cancel()
        for member in greeted:
            member.is_ready = False

    def _send(self, worker: str, order: Order, future: Future[Answer]) -> None:
        member = self._members.get(worker)
        if member is not None:
            self._begin_task(member, self._answer(member, order, future))

    async def _answer(self, member: _Member, order: Order, future: Future[Answer]) -> None:
        found, error = await self._call(member, there.run, order)
        while isinstance(found, there.NotKept) and self._load is not None and not error:
            error = await self._supply(member, self._load)
            found, error = (None, error) if error else await self._call(member, there.run, order)
        if error and self._client.status != "running":
            # The scheduler is gone, and `_look` loses its workers.
            return
        future.set_result(WorkerFailure(error) if error else found)


@contextmanager
def linked(choice: ClusterChoice | None) -> Iterator[Link | None]:
    """Yield a connection to the workers that are chosen; None if none are."""
    if choice is None:
        yield None
        return
    import distributed  # noqa: F401

    logger = logging.getLogger("distributed")
    level = logger.level
    silence()
    local = None
    try:
        if choice.processes:
            local = LocalCluster(choice.processes, choice.threads or max(1, usable_cores() // choice.processes))
            local.open()
        link = Link(choice, local)
        try:
            link.open()
            yield link
        finally:
            link.close()
    finally:
        if local is not None:
            local.close()
        logger.setLevel(level)
