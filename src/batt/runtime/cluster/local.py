"""A Dask cluster on this machine: a scheduler and workers, each a process of its own, which end with this one.

They listen on loopback only, and only to who has the certificate that is made for the run: other users of the machine
can connect to loopback, too.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import ExitStack
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Any

from batt.errors import InternalError
from batt.runtime.child import ChildProcess, pipes, receive, reply

MODULE = "batt.runtime.cluster.local"
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Begin:
    """The first message to a process: what it shall be. Without a `scheduler` to join, it is the scheduler."""

    security: Any
    folder: str
    scheduler: str = ""
    threads: int = 1


class LocalCluster:
    """A scheduler and workers: `children`, in this order."""

    def __init__(self, processes: int, threads: int) -> None:
        self._processes = processes
        self._threads = threads
        self._undo = ExitStack()
        self.security: Any = None
        self.address = ""
        self.folder = ""
        self.children: list[ChildProcess] = []

    def open(self) -> LocalCluster:
        """Start all processes, and wait until they listen."""
        from distributed.security import Security

        with self._undo:
            self.folder = self._undo.enter_context(TemporaryDirectory(prefix="batt-cluster-"))
            self.security = Security.temporary()
            self.address = self._answer(self._start(Begin(self.security, self.folder)))
            begun = [self._begin_worker(self._threads) for _ in range(self._processes)]
            for child in begun:
                self._answer(child)
            self._undo = self._undo.pop_all()
        return self

    def add_worker(self, threads: int = 1) -> ChildProcess:
        """Start one more worker."""
        child = self._begin_worker(threads)
        self._answer(child)
        return child

    def close(self) -> None:
        """End all processes."""
        self._undo.close()

    def _begin_worker(self, threads: int) -> ChildProcess:
        return self._start(Begin(self.security, self.folder, self.address, threads))

    def _start(self, message: Begin) -> ChildProcess:
        child = ChildProcess(MODULE)
        self.children.append(child)
        self._undo.callback(child.close)
        child.send(message)
        return child

    @staticmethod
    def _answer(child: ChildProcess) -> str:
        try:
            return str(child.receive())
        except EOFError:
            raise InternalError("a process of the local cluster ended when it started") from None


def main(shared: int) -> None:
    """Be the scheduler or a worker until the parent ends this process."""
    requests, replies = pipes()
    message = receive(requests)
    asyncio.run(_serve(message, lambda address: reply(replies, address)))


def silence() -> None:
    """Let Dask log nothing: lost connections are expected, and the run says what becomes of them."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)


async def _serve(message: Begin, tell: Any) -> None:
    import dask
    from distributed import Scheduler, Worker

    silence()
    # No pages for browsers: they ask for no certificate.
    dask.config.set({"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []})
    dask.config.set({"temporary-directory": message.folder})
    if not message.scheduler:
        async with Scheduler(
            host=LOOPBACK, port=0, protocol="tls", security=message.security,
            dashboard=False, dashboard_address=f"{LOOPBACK}:0",
        ) as scheduler:  # fmt: skip
            tell(scheduler.address)
            await scheduler.finished()
        return
    async with Worker(
        message.scheduler, host=LOOPBACK, nthreads=message.threads, security=message.security,
        memory_limit=0, local_directory=message.folder, dashboard=False, dashboard_address=f"{LOOPBACK}:0",
    ) as worker:  # fmt: skip
        tell(worker.address)
        await worker.finished()
