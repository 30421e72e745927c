"""Wait for the first of many futures."""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any


class FirstDone:
    """The futures that have ended, in order. They report themselves: to ask each takes long if there are many."""

    def __init__(self) -> None:
        self._done: SimpleQueue[Future[Any]] = SimpleQueue()

    def watch(self, future: Future[Any]) -> None:
        """Let a future report when it has ended."""
        future.add_done_callback(self._done.put)

    def wait(self, timeout_s: float) -> list[Future[Any]]:
        """Wait until a future has ended, at most `timeout_s`. Return all that have ended since the last call."""
        ended: list[Future[Any]] = []
        with suppress(Empty):
            ended.append(self._done.get(timeout=timeout_s))
            while True:
                ended.append(self._done.get_nowait())
        return ended
