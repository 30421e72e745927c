"""Heavy evaluations: nothing that is put aside is lost, and on fake cards they come to what the cpu engine gives.

On a GPU: tests/gpu/test_engine.py.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from batt.jobs import evaluate, evaluation
from batt.runtime import Limits, Status
from batt.runtime.blocks import Block, Order
from batt.runtime.cpu import CpuEngine, Job
from batt.runtime.cuda import DeviceError, heavy, kernels
from batt.runtime.cuda import engine as engine_module
from batt.runtime.cuda.contract import DeviceLike, Function
from batt.runtime.cuda.engine import LAUNCH_LIMIT, TOGETHER_LIMIT, CudaEngine
from batt.runtime.cuda.faults import CompileFailed, RefusedCubin
from batt.runtime.cuda.heavy import GPU_FROM, GPU_SHARE, Aside, Heavy
from batt.runtime.cuda.launch import LANES, TOGETHER
from batt.runtime.native import Budget
from batt.runtime.records import unfilled
from batt.runtime.thread import Call, ThreadWorker
from batt.tasks import tasks_from_dict
from fake_cards import Cards, by_cpu, gather, plain_job, samples
from fake_cupy import Card
from handmade import MIRROR, RAISES, deck, plain_tasks, program
from native_library import needs_library

on_cards = pytest.mark.usefixtures("small_launches", "soon_heavy")

HEAVY_STEPS = 6_000
"""In these tests: above what a launch in lanes gives."""
PATIENT = Limits(wall_s=600)
COUNTED = ("a = upscale(I, 40)", "x = size(asindices(a))")
PAINTED = ("a = upscale(I, 40)", "x = fill(a, 3, asindices(a))")
FAILS_LATE = ("a = asindices(upscale(I, 40))", "x = first(sfilter(a, matcher(first, 99)))")
HEAVY = (COUNTED, PAINTED, FAILS_LATE)
"""All of them are, on every sample."""
COUNT = 150


def numbered(start: int, stop: int) -> Block:
    numbers = np.arange(start, stop)
    return Block(numbers, numbers * 2, numbers * 3)


def aside(*sizes: int) -> Aside:
    made, at = Aside(), 0
    for size in sizes:
        made.put(numbered(at, at + size))
        at += size
    return made


def test_a_part_of_heavy_evaluations_is_heavy_too():
    block = Heavy(*[np.arange(5)] * 3)
    assert isinstance(block[2:], Heavy)
    assert isinstance(block[np.array([True, False, True, False, False])], Heavy)
    assert block[2:].numbers.tolist() == [2, 3, 4]


@pytest.mark.parametrize("is_last", [False, True])
def test_a_few_are_not_worth_a_launch(is_last: bool):
    made = aside(GPU_FROM - 1)
    assert made.for_gpu(10**6, is_last) is None
    assert len(made) == GPU_FROM - 1


def test_while_there_is_other_work_a_launch_takes_all_in_their_order():
    made = aside(300, GPU_FROM - 301)
    made.put(numbered(GPU_FROM - 1, GPU_FROM))
    block = made.for_gpu(10**6, is_last=False)
    assert block is not None
    assert isinstance(block, Heavy)
    assert block.numbers.tolist() == list(range(GPU_FROM))
    assert block.solvers.tolist() == (2 * block.numbers).tolist()
    assert block.samples.tolist() == (3 * block.numbers).tolist()
    assert len(made) == 0
    assert made.for_gpu(10**6, is_last=False) is None


def test_a_launch_takes_no_more_than_it_has_room_for():
    made = aside(400, 300, 300)
    blocks = [made.for_gpu(600, is_last=False) for _ in range(2)]
    assert [None if block is None else len(block) for block in blocks] == [600, None]
    assert len(made) == 400


@pytest.mark.parametrize("waiting", [GPU_FROM, GPU_FROM + 1, 3 * GPU_FROM + 2])
def test_at_the_end_a_launch_leaves_threads_their_share(waiting: int):
    made = aside(100, waiting - 100)
    block = made.for_gpu(10**6, is_last=True)
    assert block is not None
    assert len(block) == -(-waiting * GPU_SHARE // 1)
    assert len(made) == waiting - len(block)


def test_nothing_waits_in_an_empty_one():
    assert len(Aside()) == 0
    assert Aside().for_gpu(10, is_last=True) is None
    assert Aside().for_threads(4) is None


@pytest.mark.parametrize("threads", [1, 2, 16])
@pytest.mark.parametrize("sizes", [(1,), (5, 1, 700), (64,) * 30])
def test_threads_take_a_few_at_a_time_until_none_is_left(sizes: tuple[int, ...], threads: int):
    made, taken = aside(*sizes), []
    while (waiting := len(made)) and (block := made.for_threads(threads)) is not None:
        assert isinstance(block, Heavy)
        assert 1 <= len(block) <= max(1, min(4, waiting // (4 * threads)))
        taken += block.numbers.tolist()
    assert taken == list(range(sum(sizes)))
    assert made.for_threads(threads) is None


def test_nothing_is_lost_and_nothing_comes_twice_whoever_asks():
    generator = np.random.default_rng(4)
    made, taken, at = Aside(), [], 0

    def put(start: int) -> None:
        for first in range(start, start + 600, 6):
            made.put(numbered(first, first + 6))

    for _ in range(5):
        threads = [threading.Thread(target=put, args=(at + 600 * number,)) for number in range(4)]
        at += 2400
        for thread in threads:
            thread.start()
        for _ in range(200):
            most, is_last = int(generator.integers(1, 900)), bool(generator.integers(0, 2))
            gpu = bool(generator.integers(0, 2))
            block = made.for_gpu(most, is_last) if gpu else made.for_threads(1 + most % 5)
            taken += [] if block is None else block.numbers.tolist()
        for thread in threads:
            thread.join()
    while (block := made.for_threads(1)) is not None:
        taken += block.numbers.tolist()
    assert sorted(taken) == list(range(at))


@pytest.fixture
def soon_heavy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluations of some thousand steps are heavy, and eight of them are worth a launch."""
    monkeypatch.setattr(engine_module, "HEAVY_STEPS", HEAVY_STEPS)
    for module in (engine_module, heavy):
        monkeypatch.setattr(module, "GPU_FROM", 8)


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> Cards:
    return Cards(monkeypatch)


@pytest.fixture(scope="module")
def job() -> Job:
    return plain_job([program(*lines) for lines in (MIRROR, *HEAVY, RAISES)], samples(COUNT))


@pytest.fixture(scope="module")
def expected(job: Job) -> list[Any]:
    return by_cpu(job, PATIENT)


class Ran:
    """What threads ran, with few steps and in full."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.capped: Counter[int] = Counter()
        self.full: Counter[int] = Counter()
        run = ThreadWorker.run

        def noting(worker: ThreadWorker, block: Block, slices: Any, lock: Any, budget: Budget | None = None) -> Call:
            part = run(worker, block, slices, lock, budget)
            (self.full if budget is None else self.capped).update(part.ran.numbers.tolist())
            return part

        monkeypatch.setattr(ThreadWorker, "run", noting)


def together(cards: Cards) -> list[int]:
    """How many evaluations each launch with lanes together had."""
    return [count for count, way in zip(cards.kernel.counts, cards.kernel.ways, strict=True) if way is TOGETHER]


@needs_library
@on_cards
def test_what_threads_find_heavy_comes_from_lanes_together_as_from_the_cpu(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any]
):
    ran = Ran(monkeypatch)
    engine = cards.make(job, PATIENT)
    assert gather(engine) == expected
    assert {each[0] for each in expected} == {Status.OK, Status.RAISED}
    # All that is heavy was found by a thread; who ran it in full was a thread or a card, and once.
    are_heavy = set(range(COUNT, 4 * COUNT))
    assert set(ran.full) <= are_heavy == set(ran.capped)
    assert max([*ran.full.values(), *ran.capped.values()]) == 1
    assert sum(together(cards)) == len(are_heavy) - len(ran.full) > 0
    assert (engine.native, engine.on_device) == (job.order.total, job.order.total - len(ran.full))
    assert engine.left_over == {LAUNCH_LIMIT: len(are_heavy)}
    cards.assert_all_is_given_back()


@needs_library
@on_cards
@pytest.mark.parametrize("count", [1, 2])
def test_threads_beside_cards_change_no_record(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any], count: int
):
    ran = Ran(monkeypatch)
    cards = Cards(monkeypatch, count)
    engine = cards.make(job, PATIENT, beside=True)
    assert gather(engine) == expected
    assert max([*ran.full.values(), *ran.capped.values()]) == 1
    assert engine.native == job.order.total
    cards.assert_all_is_given_back()


@needs_library
@on_cards
@pytest.mark.parametrize("steps", [HEAVY_STEPS + 1, 20_000, 50_000])
def test_what_is_over_the_runs_own_budget_is_over_it_wherever_it_runs(cards: Cards, job: Job, steps: int):
    limits = Limits(steps=steps, wall_s=600)
    wanted = by_cpu(job, limits)
    assert Status.OVER_BUDGET in {each[0] for each in wanted}
    assert gather(cards.make(job, limits)) == wanted
    assert TOGETHER in cards.kernel.ways


@needs_library
@on_cards
@pytest.mark.parametrize("steps", [1_000, HEAVY_STEPS - 1, HEAVY_STEPS])
def test_a_run_with_a_budget_below_what_is_heavy_never_caps(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, steps: int
):
    ran = Ran(monkeypatch)
    limits = Limits(steps=steps, wall_s=600)
    engine = cards.make(job, limits, beside=True)
    assert gather(engine) == by_cpu(job, limits)
    assert not ran.capped
    assert set(cards.kernel.ways) <= {LANES}
    assert len(engine.notes) == 1


@needs_library
@on_cards
def test_a_few_evaluations_need_no_second_kernel(cards: Cards):
    job = plain_job([program(*COUNTED)], samples(7))
    engine = cards.make(job, PATIENT)
    assert gather(engine) == by_cpu(job, PATIENT)
    assert set(cards.kernel.ways) == {LANES}
    assert len(engine.notes) == 1


@needs_library
@on_cards
def test_where_threads_were_faster_nobody_waits_for_a_second_kernel(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any]
):
    load, loaded = kernels.load, list[tuple[str, ...]]()

    def wait(device: DeviceLike, more: Sequence[str], tell: Callable[[str], object]) -> Function:
        loaded.append(tuple(more))
        while engine._blocks.left:
            time.sleep(0.001)
        return load(device, more, tell)

    monkeypatch.setattr(kernels, "load", wait)
    engine = cards.make(job, PATIENT, beside=True)
    assert gather(engine) == expected
    assert loaded == [()]


def lose(cards: Cards) -> None:
    cards.cupy.lose(card=cards.cupy.current)


def fail(cards: Cards) -> None:
    raise DeviceError(0, "Fake Card", "it did not")


def end(cards: Cards) -> None:
    raise SystemExit


@needs_library
@on_cards
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("fault", [lose, fail, end])
def test_a_launch_with_lanes_together_that_fails_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any], fault: Callable[[Cards], None], count: int
):
    cards = Cards(monkeypatch, count)
    failed: list[int] = []

    def before(launch: int) -> None:
        if cards.kernel.ways[launch] is TOGETHER and not failed:
            failed.append(launch)
            fault(cards)

    cards.kernel.before = before
    engine = cards.make(job, PATIENT)
    assert gather(engine) == expected
    assert len(failed) == 1
    assert engine.native == job.order.total
    assert len([line for line in engine.notes if line.endswith("; going on without it")]) == 1
    cards.assert_all_is_given_back()


@needs_library
@on_cards
def test_a_place_without_room_is_left_out_and_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any]
):
    ran = Ran(monkeypatch)
    cards.cupy.most_bytes = 100 << 20
    engine = cards.make(job, PATIENT)
    assert gather(engine) == expected
    assert set(cards.kernel.ways) == {LANES}
    assert set(ran.full) >= set(range(COUNT, 4 * COUNT))
    assert max(ran.full.values()) == max(ran.capped.values()) == 1
    # The card itself goes on with launches in lanes, and threads no longer look for what is heavy.
    assert engine.without == []
    assert not engine._heavy_at
    cards.assert_all_is_given_back()


@needs_library
@on_cards
def test_a_card_without_room_beside_its_launches_in_lanes_says_so(cards: Cards, job: Job, expected: list[Any]):
    # Two workers have half of the card each.
    engine = cards.make(job, PATIENT, devices=(0, 0))
    assert gather(engine) == expected
    assert set(cards.kernel.ways) == {LANES}
    lines = [line for line in engine.notes if line.endswith("; heavy evaluations are left to the CPU")]
    assert len(lines) == 2
    assert all(line.startswith("one block of 8 lanes takes ") for line in lines)


@needs_library
@on_cards
@pytest.mark.parametrize("fault", [CompileFailed, RefusedCubin])
def test_a_card_whose_second_kernel_fails_goes_on_with_the_first(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any], fault: type[DeviceError]
):
    load = kernels.load

    def refuse(device: DeviceLike, more: Sequence[str], tell: Callable[[str], object]) -> Function:
        if set(TOGETHER.options) <= set(more):
            raise fault(0, "card", "no such kernel")
        return load(device, more, tell)

    monkeypatch.setattr(kernels, "load", refuse)
    engine = cards.make(job, PATIENT)
    assert gather(engine) == expected
    assert set(cards.kernel.ways) == {LANES}
    assert engine.without == []
    assert "GPU 0 (card): no such kernel; heavy evaluations are left to the CPU" in engine.notes


@needs_library
@on_cards
def test_what_a_smaller_launch_does_not_hold_stays_heavy(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any]
):
    ran = Ran(monkeypatch)
    cards.cupy.cards[0] = Card(total_bytes=1 << 30, processors=2)
    cards.cupy.most_bytes = 300 << 20
    engine = cards.make(job, PATIENT)
    assert gather(engine) == expected
    # There should have been 32.
    assert max(together(cards)) == 16
    # None of them went back to launches in lanes, or to a thread with few steps.
    assert engine.left_over == {LAUNCH_LIMIT: 3 * COUNT}
    assert max(ran.capped.values()) == 1
    assert sum(together(cards)) + sum(ran.full.values()) == 3 * COUNT


@needs_library
@on_cards
@pytest.mark.parametrize("every", [2, 1])
def test_what_lanes_together_leave_goes_to_threads_in_full(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any], every: int
):
    ran = Ran(monkeypatch)
    cards.kernel.over_together = lambda spread: spread % every == 0
    left: list[int] = []
    engine = cards.make(job, PATIENT)
    engine.on_left = lambda block: left.extend(block.numbers.tolist())
    assert gather(engine) == expected
    over = engine.left_over[TOGETHER_LIMIT]
    assert over > 0
    again = [number for number, count in Counter(left).items() if count == 2]
    assert len(again) == over
    assert set(again) <= set(ran.full)
    assert max(ran.full.values()) == max(ran.capped.values()) == 1
    if every == 1:
        assert set(ran.full) == set(range(COUNT, 4 * COUNT))


@needs_library
@on_cards
def test_launches_in_lanes_go_on_beside_one_with_lanes_together(cards: Cards):
    few, many = 300, 40_000
    solvers = np.repeat([0, 1], [many, few])
    order = Order(2, 100, solvers, np.arange(many + few) % 100)
    job = plain_job([program(*MIRROR), program(*COUNTED)], samples(100), order)
    # Once there is something heavy, nobody goes on before a launch together and two in lanes are under way at once.
    found, over, all_there = threading.Event(), threading.Event(), threading.Barrier(3)

    def before(launch: int) -> None:
        if found.is_set() and not over.is_set():
            all_there.wait(20)
            over.set()

    cards.kernel.before = before
    engine = cards.make(job, PATIENT)
    engine.on_left = lambda block: found.set()
    assert gather(engine) == by_cpu(job, PATIENT)
    assert over.is_set()
    assert TOGETHER in cards.kernel.ways


def assert_whole(records: list[Any], expected: list[Any]) -> None:
    """Every record is the cpu engine's, or there is none."""
    none = unfilled(1).tolist()[0]
    assert [(each, whole) for each, whole in zip(records, expected, strict=True) if each not in (whole, none)] == []


@needs_library
@on_cards
@pytest.mark.parametrize("take", [0, 1, 2, 3, 5, 8])
def test_a_run_that_is_closed_keeps_only_whole_results(cards: Cards, job: Job, expected: list[Any], take: int):
    engine = cards.make(job, PATIENT, beside=True)
    blocks = engine.run()
    found = list(itertools.islice(blocks, take))
    blocks.close()
    engine.close()
    records = gather(engine, [*found, *engine.remains])
    assert_whole(records, expected)
    assert sum(record[0] != Status.NOT_RUN for record in records) == engine.native
    cards.assert_all_is_given_back()


@needs_library
@on_cards
def test_closing_waits_for_a_launch_with_lanes_together_and_keeps_what_it_did(
    cards: Cards, job: Job, expected: list[Any]
):
    release, found = threading.Event(), []

    def before(launch: int) -> None:
        if cards.kernel.ways[launch] is TOGETHER:
            assert release.wait(20)

    def interrupt() -> None:
        if TOGETHER in cards.kernel.ways:
            threading.Timer(0.3, release.set).start()
            raise KeyboardInterrupt

    cards.kernel.before = before
    engine = cards.make(job, PATIENT)
    engine.on_poll = interrupt
    with pytest.raises(KeyboardInterrupt):
        found += engine.run()
    records = gather(engine, [*found, *engine.remains])
    assert_whole(records, expected)
    at = cards.kernel.ways.index(TOGETHER)
    heavy_done = [record for record in records[COUNT : 4 * COUNT] if record[0] != Status.NOT_RUN]
    assert len(heavy_done) >= cards.kernel.counts[at]
    time.sleep(0.05)
    cards.assert_all_is_given_back()


@needs_library
@on_cards
@pytest.mark.parametrize("after", [1, 30, 300])
def test_an_interrupt_records_no_evaluation_that_was_put_aside(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, after: int
):
    cards.watch(monkeypatch, evaluation)
    solvers = deck(**{f"solve_{n}": lines for n, lines in enumerate((MIRROR, *HEAVY) * 20)})
    tasks = tasks_from_dict(plain_tasks())

    def interrupt(done: int, total: int) -> None:
        if done >= after:
            raise KeyboardInterrupt

    whole = evaluate(solvers, tasks, engine="cpu", limits=PATIENT, compiled=False)
    results = evaluate(solvers, tasks, engine="cuda", limits=PATIENT, progress=interrupt, compiled=False, workers=2)
    assert results.interrupted
    assert results.engine == "cuda"
    assert_whole(results.records.tolist(), whole.records.tolist())
    assert results.counts["over_budget"] == 0
    assert sum(results.counts.values()) == len(results) - results.not_run >= after


@needs_library
@on_cards
def test_steps_are_counted_once(cards: Cards, job: Job):
    wanted = sum(done.steps for done in CpuEngine(job, PATIENT, False, 2).run())
    engine: CudaEngine = cards.make(job, PATIENT)
    assert sum(done.steps for done in engine.run()) == wanted
    assert TOGETHER in cards.kernel.ways


@needs_library
@on_cards
def test_an_observer_is_told_of_every_evaluation_once(cards: Cards, job: Job):
    told: list[int] = []
    cards.kernel.over_together = lambda spread: spread % 3 == 0
    gather(cards.make(job, PATIENT, observe=lambda part: told.extend(part.ran.numbers.tolist())))
    assert sorted(told) == list(range(job.order.total))
    assert TOGETHER in cards.kernel.ways
