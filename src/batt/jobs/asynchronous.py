"""Run an evaluation beside an event loop.

A separate thread runs the engine. It does not wait until blocks are read: the results hold them anyway.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import Any

import numpy.typing as npt

from batt.errors import UsageError
from batt.front import DeckSource
from batt.jobs.evaluation import evaluate
from batt.jobs.results import Results
from batt.jobs.values import values_of
from batt.runtime.evaluations import Integers
from batt.runtime.outputs import PackedOutputs
from batt.runtime.tier import Part
from batt.tasks import TaskSource


@dataclass(frozen=True, slots=True)
class ResultBlock:
    """Finished evaluations: their numbers in the run, their records, and their outputs if the run keeps them."""

    numbers: Integers
    records: npt.NDArray[Any]
    outputs: PackedOutputs | None

    @property
    def values(self) -> list[Any]:
        """Return the value of each evaluation, or a Failed; raise UsageError if the run does not keep outputs."""
        if self.outputs is None:
            raise UsageError("outputs were not kept; evaluate with outputs=True")
        return values_of(self.records, self.outputs.wires, [self.outputs.functions] * len(self))

    def __len__(self) -> int:
        return len(self.numbers)

    def __repr__(self) -> str:
        return f"<ResultBlock | {len(self):,} evaluations>"


class _GivenUp(BaseException):
    """Nobody waits for this run any more: end it."""


class AsyncEvaluation:
    """A run that is read with `async for`, block by block, or awaited as a whole.

    After the run, `results` are those of `evaluate`. What the run raises is raised in the loop. Cancelling the task, or
    closing the iterator, ends the run and its thread.
    """

    def __init__(self, deck: DeckSource, tasks: TaskSource, options: dict[str, Any]) -> None:
        self._run = partial(evaluate, deck, tasks, **options)
        self._results: Results | None = None
        self._begun = False

    @property
    def results(self) -> Results:
        """Return all results; raise UsageError before the run has ended."""
        if self._results is None:
            raise UsageError("the run has not ended; take all of its blocks first, or await it")
        return self._results

    def __aiter__(self) -> AsyncGenerator[ResultBlock, None]:
        if self._begun:
            raise UsageError("this run was begun before; evaluate_async makes another")
        self._begun = True
        return self._blocks()

    def __await__(self) -> Generator[Any, None, Results]:
        return self._whole().__await__()

    async def _whole(self) -> Results:
        async for _ in self:
            pass
        return self.results

    async def _blocks(self) -> AsyncGenerator[ResultBlock, None]:
        # A caller with a running loop has imported it already; others need not wait for the import.
        import asyncio

        loop = asyncio.get_running_loop()
        ready: asyncio.Queue[ResultBlock | None] = asyncio.Queue()
        given_up = Event()

        def check() -> None:
            if given_up.is_set():
                raise _GivenUp

        def hand_over(part: Part) -> None:
            check()
            block = ResultBlock(part.numbers, part.records, part.outputs)
            loop.call_soon_threadsafe(ready.put_nowait, block)

        # Leaving this context waits for the thread to end, which takes at most one poll of the engine.
        with ThreadPoolExecutor(1, thread_name_prefix="batt-async") as thread:
            future = thread.submit(partial(self._run, on_block=hand_over, on_poll=check))
            future.add_done_callback(lambda _: loop.call_soon_threadsafe(ready.put_nowait, None))
            try:
                while (block := await ready.get()) is not None:
                    yield block
                self._results = future.result()
            finally:
                given_up.set()


def evaluate_async(deck: DeckSource, tasks: TaskSource, **options: Any) -> AsyncEvaluation:
    """Run `evaluate` beside an event loop: `async for block in evaluate_async(deck, tasks)`, with the same options.

    Each evaluation comes once, in the block in which it was finished. The results are those of `evaluate`.
    """
    return AsyncEvaluation(deck, tasks, options)
