"""Runs beside an event loop: blocks as they come, the results of `evaluate`, and an end at once where nobody waits."""

from __future__ import annotations

import asyncio
import threading

import numpy as np
import pytest

import batt
from batt.bench.frozen import first_132
from batt.errors import UsageError
from batt.jobs import evaluate, evaluate_async
from batt.runtime import Limits
from handmade import MIRROR, SAME, deck, plain_tasks
from native_library import needs_library
from output_texts import run_texts

ENGINES = ["reference", pytest.param("cpu", marks=needs_library)]
every_engine = pytest.mark.parametrize("engine", ENGINES)
TASKS = batt.tasks_from_dict(plain_tasks())
DECK = deck(solve_mirror=MIRROR, solve_same=SAME)

LONG = (
    "x = interval(ZERO, 1000000, ONE)",
    "most = chain(maximum, rbind(apply, x), lbind(lbind, add))",
    "x = apply(most, x)",
)
"""A million times a million sums."""


EARLIER: list[threading.Thread] = []
"""The threads before a test: an engine of another test may still be open."""


@pytest.fixture(autouse=True)
def _look_at_threads():
    EARLIER[:] = threading.enumerate()


def threads() -> list[str]:
    return [each.name for each in threading.enumerate() if each.name.startswith("batt") and each not in EARLIER]


@every_engine
def test_every_evaluation_comes_once_and_the_results_are_those_of_evaluate(engine: str):
    solvers = first_132()[:20]
    tasks = batt.Tasks(batt.load_tasks("arc1-training").tasks[:4], "some")
    blocks = []

    async def run() -> None:
        running = evaluate_async(solvers, tasks, engine=engine, outputs=True)
        with pytest.raises(UsageError, match="has not ended"):
            _ = running.results
        async for block in running:
            assert len(block) == len(block.records) == len(block.values)
            blocks.append(block)
        assert running.results.records.tolist() == expected.records.tolist()
        assert run_texts(running.results) == run_texts(expected)

    expected = evaluate(solvers, tasks, engine=engine, outputs=True)
    asyncio.run(run())
    numbers = np.concatenate([block.numbers for block in blocks])
    assert sorted(numbers.tolist()) == list(range(len(expected)))
    assert (np.concatenate([block.records for block in blocks]) == expected.records[numbers]).all()
    assert threads() == []


def test_it_can_be_awaited_as_a_whole():
    async def run() -> batt.Results:
        return await evaluate_async(DECK, TASKS, own=True)

    results = asyncio.run(run())
    assert (results.records == evaluate(DECK, TASKS, own=True).records).all()


def test_the_event_loop_goes_on_meanwhile():
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.001)

    async def run() -> None:
        ticking = asyncio.create_task(tick())
        await evaluate_async(DECK, TASKS, engine="reference")
        ticking.cancel()

    asyncio.run(run())
    assert ticks > 3


@every_engine
def test_cancelling_ends_the_run_at_once(engine: str):
    async def run() -> None:
        limits = Limits(steps=10**15, wall_s=300)
        task = asyncio.ensure_future(
            evaluate_async(deck(solve_long=LONG), TASKS, engine=engine, limits=limits)._whole()
        )
        while not threads():
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert threads() == []


def test_closing_the_iterator_ends_the_run():
    async def run() -> None:
        blocks = aiter(evaluate_async(DECK, TASKS))
        await anext(blocks)
        await blocks.aclose()
        assert threads() == []

    asyncio.run(run())


def test_what_a_run_raises_is_raised_where_it_is_read():
    def complain(done: int, total: int) -> None:
        raise ZeroDivisionError(f"at {done} of {total}")

    async def run(**options: object) -> None:
        async for _ in evaluate_async(DECK, TASKS, **options):
            pass

    with pytest.raises(UsageError, match="engine 'abacus'"):
        asyncio.run(run(engine="abacus"))
    with pytest.raises(ZeroDivisionError, match="at 0 of"):
        asyncio.run(run(progress=complain))
    with pytest.raises(TypeError, match="sorcery"):
        asyncio.run(run(sorcery=True))
    assert threads() == []


def test_a_run_is_read_once():
    async def run() -> None:
        running = evaluate_async(DECK, TASKS)
        await running
        with pytest.raises(UsageError, match="was begun before"):
            aiter(running)

    asyncio.run(run())
