"""Workers of a cluster that are threads of this process: they do what real ones do, and fail as a test wants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue

import pytest

from batt.runtime.cluster import link as link_module
from batt.runtime.cluster import worker as there
from batt.runtime.cluster.choice import ClusterChoice
from batt.runtime.cluster.messages import Load, Order
from batt.runtime.cluster.tier import Answer, Event, WorkerJoined, WorkerLeft

Fault = Callable[["InProcess", str, Order], Answer | None]


class InProcess:
    """Threads as workers. `fault` is asked before each block: it may answer instead, or raise to let the worker die."""

    def __init__(self, names: str, fault: Fault | None = None) -> None:
        self.names = names
        self.fault = fault
        self.ran: list[tuple[str, int]] = []
        self.events: SimpleQueue[Event] = SimpleQueue()
        self.getting_ready = 0
        self._threads = ThreadPoolExecutor(8)

    def serve(self, load: Load, events: SimpleQueue[Event], tell: SimpleQueue[str]) -> None:
        self.events = events
        for digest in there.lacking(list(load.data)):
            there.keep(digest, load.data[digest])
        for name in self.names:
            events.put(WorkerJoined(name, 1))

    def send(self, worker: str, order: Order, future: Future[Answer]) -> None:
        self._threads.submit(self._answer, worker, order, future)

    def _answer(self, worker: str, order: Order, future: Future[Answer]) -> None:
        try:
            answer = self.fault(self, worker, order) if self.fault else None
        except ConnectionError:
            self.names = self.names.replace(worker, "")
            self.events.put(WorkerLeft(worker))
            return
        self.ran.append((worker, order.count))
        if answer is None:
            answer = there.run(order)
            assert not isinstance(answer, there.NotKept)
        future.set_result(answer)

    def end(self) -> None:
        self.events = SimpleQueue()

    def use(self, monkeypatch: pytest.MonkeyPatch) -> InProcess:
        @contextmanager
        def linked(choice: ClusterChoice | None) -> Iterator[InProcess]:
            yield self
            self._threads.shutdown()

        monkeypatch.setattr(link_module, "linked", linked)
        return self
