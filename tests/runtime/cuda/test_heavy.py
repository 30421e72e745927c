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

import batt
from batt.bytecode.abi import Cause
from batt.jobs import evaluate, evaluation
from batt.runtime import Limits, Status
from batt.runtime.cpu import CpuEngine, Job
from batt.runtime.cuda import DeviceError, kernels, opening
from batt.runtime.cuda import engine as engine_module
from batt.runtime.cuda import launch as launch_module
from batt.runtime.cuda.contract import DeviceLike, Function
from batt.runtime.cuda.engine import FAILED, LAUNCH_LIMIT, TOGETHER_LIMIT, CudaEngine
from batt.runtime.cuda.faults import CompileFailed, RefusedCubin
from batt.runtime.cuda.heavy import GPU_SHARE, HEAVY_PART, LEFT_PART, Aside, Heavy, Left
from batt.runtime.cuda.launch import LANES, MANY_FOR_EACH, TOGETHER, Prepared, Slot, Way
from batt.runtime.evaluations import Block
from batt.runtime.native import Budget
from batt.runtime.options import Options
from batt.runtime.records import unfilled
from batt.runtime.thread import Call, ThreadWorker
from batt.tasks import tasks_from_dict
from fake_cards import ROOMY, Cards, by_cpu, deck_job, gather, plain_job, samples
from fake_cupy import Card
from handmade import MIRROR, RAISES, SAME, deck, plain_tasks, program
from native_library import needs_library
from small_lanes import FEW_STEPS

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


def aside(*sizes: int, left: Sequence[int] = ()) -> Aside:
    """What threads put aside, and then what lanes left, in blocks of these sizes."""
    made, at = Aside(), 0
    for number, size in enumerate((*sizes, *left)):
        (made.put if number < len(sizes) else made.leave)(numbered(at, at + size))
        at += size
    return made


@pytest.mark.parametrize("kind", [Heavy, Left])
def test_a_part_of_what_was_put_aside_is_of_its_kind(kind: type[Block]):
    block = kind(*[np.arange(5)] * 3)
    assert isinstance(block[2:], kind)
    assert isinstance(block[np.array([True, False, True, False, False])], kind)
    assert block[2:].numbers.tolist() == [2, 3, 4]


@pytest.mark.parametrize("share", [GPU_SHARE, 1.0])
@pytest.mark.parametrize("heavy", [0, 1, 300, 511])
def test_a_few_are_not_worth_a_launch(heavy: int, share: float):
    made = aside(heavy, left=[511 - heavy])
    assert made.for_gpu(10**6, 512, share) is None
    assert len(made) == 511


@pytest.mark.parametrize("left", [0, 100, 512])
def test_while_there_is_other_work_a_launch_takes_all_in_their_order(left: int):
    made = aside(300, 512 - left - 300, left=[left]) if left < 200 else aside(left=[300, left - 300])
    block = made.for_gpu(10**6, 512, 1.0)
    assert block is not None
    assert isinstance(block, Heavy)
    assert block.numbers.tolist() == [*range(512 - left, 512), *range(512 - left)]
    assert block.solvers.tolist() == (2 * block.numbers).tolist()
    assert block.samples.tolist() == (3 * block.numbers).tolist()
    assert len(made) == 0
    assert made.for_gpu(10**6, 1, 1.0) is None


def test_a_launch_takes_no_more_than_it_has_room_for():
    made = aside(400, 300, left=[300])
    blocks = [made.for_gpu(600, 512, 1.0) for _ in range(2)]
    assert [None if block is None else len(block) for block in blocks] == [600, None]
    assert len(made) == 400


@pytest.mark.parametrize("left", [0, 90, 400])
@pytest.mark.parametrize("waiting", [512, 513, 1538])
def test_at_the_end_a_launch_leaves_threads_their_share(waiting: int, left: int):
    made = aside(100, waiting - 100 - left, left=[left])
    block = made.for_gpu(10**6, 512, GPU_SHARE)
    assert block is not None
    assert len(block) == -(-waiting * GPU_SHARE // 1)
    assert len(made) == waiting - len(block)


def test_a_launch_takes_what_lanes_left_before_what_is_heavy():
    made = aside(10, 10, left=[10, 10])
    first, second = made.for_gpu(15, 1, 1.0), made.for_gpu(15, 1, 1.0)
    assert first is not None
    assert second is not None
    assert first.numbers.tolist() == list(range(20, 35))
    assert second.numbers.tolist() == [*range(35, 40), *range(10)]
    # What comes later goes before.
    made.leave(numbered(40, 45))
    third = made.for_gpu(15, 1, 1.0)
    assert third is not None
    assert third.numbers.tolist() == [*range(40, 45), *range(10, 20)]


def test_rows_of_a_launch_stand_program_by_program_and_first_those_of_which_most_was_left():
    generator = np.random.default_rng(5)
    blocks = [Block(np.arange(at, at + 50), *generator.integers(0, 7, (2, 50))) for at in range(0, 400, 50)]
    made = Aside()
    for number, block in enumerate(blocks):
        (made.put if number % 2 else made.leave)(block)
    taken = made.for_gpu(10**6, 1, 1.0)
    assert taken is not None
    wanted = []
    for part in (blocks[0::2], blocks[1::2]):
        rows = [row for each in part for row in zip(each.numbers, each.solvers, each.samples, strict=True)]
        counts = Counter([solver for _, solver, _ in rows])
        wanted += sorted(rows, key=lambda row: (-counts[row[1]], row[1]))
    assert list(zip(taken.numbers, taken.solvers, taken.samples, strict=True)) == wanted


@pytest.mark.parametrize("threads", [1, 2, 16])
def test_only_threads_take_what_lanes_together_gave_up_and_they_take_few_of_it(threads: int):
    made = aside(8, left=[8])
    for start, stop in ((16, 316), (316, 321)):
        made.give_up(Heavy(*[getattr(numbered(start, stop), name) for name in ("numbers", "solvers", "samples")]))
    assert len(made) == 16
    assert made.for_gpu(100, 17, 1.0) is None
    taken = []
    while made.is_any_late:
        block = made.late(threads)
        assert isinstance(block, Heavy)
        assert 1 <= len(block) <= max(1, min(HEAVY_PART[1], (305 - len(taken)) // (4 * threads)))
        taken += block.numbers.tolist()
    assert taken == list(range(16, 321))
    assert made.late(threads) is None
    assert len(made) == 16


def test_nothing_waits_in_an_empty_one():
    assert len(Aside()) == 0
    assert Aside().for_gpu(10, 1, 1.0) is None
    assert Aside().for_threads(4) is None


@pytest.mark.parametrize("threads", [1, 2, 16])
@pytest.mark.parametrize("left", [(), (3,), (5, 900)])
@pytest.mark.parametrize("sizes", [(), (1,), (5, 1, 700), (64,) * 30])
def test_threads_take_a_few_at_a_time_until_none_is_left(sizes: tuple[int, ...], left: tuple[int, ...], threads: int):
    made, taken = aside(*sizes, left=left), []
    while (waiting := len(made)) and (block := made.for_threads(threads)) is not None:
        is_heavy = len(taken) < sum(sizes)
        assert isinstance(block, Heavy if is_heavy else Left)
        queued, (least, most) = (waiting - sum(left), HEAVY_PART) if is_heavy else (waiting, LEFT_PART)
        assert 1 <= len(block) <= max(least, min(most, queued // (4 * threads)))
        taken += block.numbers.tolist()
    assert taken == list(range(sum(sizes) + sum(left)))
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
            if generator.integers(0, 4) == 0:
                made.leave(numbered(at, at + 30))
                at += 30
            most, least = generator.integers(1, 900, 2).tolist()
            share = float(generator.choice([GPU_SHARE, 1.0]))
            gpu = bool(generator.integers(0, 2))
            block = made.for_gpu(most, least, share) if gpu else made.for_threads(1 + most % 5)
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
    for module in (engine_module, opening):
        monkeypatch.setattr(module, "GPU_FROM", 8)


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> Cards:
    return Cards(monkeypatch, card=ROOMY)


@pytest.fixture(scope="module")
def job() -> Job:
    return plain_job([program(*lines) for lines in (MIRROR, *HEAVY, RAISES)], samples(COUNT))


@pytest.fixture(scope="module")
def expected(job: Job) -> list[Any]:
    return by_cpu(job, PATIENT)


class Ran:
    """What threads ran, with few steps and in full, and what ran with lanes together."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.capped: Counter[int] = Counter()
        self.full: Counter[int] = Counter()
        self.together: Counter[int] = Counter()
        run, launch = ThreadWorker.run, Slot.run

        def noting(worker: ThreadWorker, block: Block, slices: Any, lock: Any, budget: Budget | None = None) -> Call:
            part = run(worker, block, slices, lock, budget)
            (self.full if budget is None else self.capped).update(part.ran.numbers.tolist())
            return part

        def noting_launch(slot: Slot, block: Block, slices: Any) -> Call:
            part = launch(slot, block, slices)
            if slot.way is TOGETHER:
                self.together.update(part.ran.numbers.tolist())
            return part

        monkeypatch.setattr(ThreadWorker, "run", noting)
        monkeypatch.setattr(Slot, "run", noting_launch)


def together(cards: Cards) -> list[int]:
    """How many evaluations each launch with lanes together had."""
    return [count for count, way in zip(cards.kernel.counts, cards.kernel.ways, strict=True) if way is TOGETHER]


@needs_library
@on_cards
def test_what_is_heavy_comes_from_lanes_together_as_from_the_cpu(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any]
):
    ran = Ran(monkeypatch)
    engine = cards.make(job, PATIENT)
    assert gather(engine) == expected
    assert {each[0] for each in expected} == {Status.OK, Status.RAISED}
    # Who ran it in full was a thread, which had found out before that it is heavy, or a card, and once.
    are_heavy = set(range(COUNT, 4 * COUNT))
    assert set(ran.full) <= set(ran.capped) <= are_heavy
    assert max([*ran.full.values(), *ran.capped.values()], default=1) == 1
    assert sum(together(cards)) == len(are_heavy) - len(ran.full) > 0
    assert (engine.native, engine.on_device) == (job.evaluations.total, job.evaluations.total - len(ran.full))
    # Left over is what a thread took.
    assert engine.left_over == Counter({LAUNCH_LIMIT: len(ran.capped)})
    cards.assert_all_is_given_back()


@needs_library
@on_cards
def test_what_threads_find_heavy_comes_from_lanes_together_too(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any]
):
    ran = Ran(monkeypatch)
    run_block = CudaEngine._run_block

    def once_open(engine: CudaEngine, *args: Any) -> Call:
        """Where there are no launches with lanes together yet, a thread looks for nothing."""
        ends_s = time.monotonic() + 20
        while not engine._heavy_at and time.monotonic() < ends_s:
            time.sleep(0.001)
        return run_block(engine, *args)

    monkeypatch.setattr(CudaEngine, "_run_block", once_open)
    engine = cards.make(job, PATIENT, beside=True)
    assert gather(engine) == expected
    assert set(ran.capped) & set(ran.together)
    assert set(ran.full) <= set(ran.capped)
    assert set(ran.full) | set(ran.together) == set(range(COUNT, 4 * COUNT))
    assert max([*ran.full.values(), *ran.capped.values(), *ran.together.values()]) == 1
    cards.assert_all_is_given_back()


@needs_library
@on_cards
@pytest.mark.parametrize("count", [1, 2])
def test_threads_beside_cards_change_no_record(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any], count: int
):
    ran = Ran(monkeypatch)
    cards = Cards(monkeypatch, count, ROOMY)
    engine = cards.make(job, PATIENT, beside=True)
    assert gather(engine) == expected
    assert max([*ran.full.values(), *ran.capped.values()]) == 1
    assert engine.native == job.evaluations.total
    cards.assert_all_is_given_back()


@needs_library
@on_cards
@pytest.mark.parametrize("heavy_from", [HEAVY_STEPS, 10**6])
@pytest.mark.parametrize("steps", [HEAVY_STEPS + 1, 20_000, 50_000])
def test_what_is_over_the_runs_own_budget_is_over_it_wherever_it_runs(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, steps: int, heavy_from: int
):
    monkeypatch.setattr(engine_module, "HEAVY_STEPS", heavy_from)
    limits = Limits(steps=steps, wall_s=600)
    wanted = by_cpu(job, limits)
    assert Status.OVER_BUDGET in {each[0] for each in wanted}
    assert gather(cards.make(job, limits)) == wanted
    assert TOGETHER in cards.kernel.ways


@needs_library
@on_cards
@pytest.mark.parametrize("steps", [1_000, FEW_STEPS, FEW_STEPS + 1, HEAVY_STEPS - 1, HEAVY_STEPS])
def test_a_run_with_a_budget_below_what_is_heavy_never_caps(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, steps: int
):
    ran = Ran(monkeypatch)
    limits = Limits(steps=steps, wall_s=600)
    engine = cards.make(job, limits, beside=True)
    assert gather(engine) == by_cpu(job, limits)
    assert not ran.capped
    # What is over the steps of a launch in lanes is over the run's own, or there is more to be had.
    assert set(cards.kernel.ways) <= ({LANES} if steps <= FEW_STEPS else {LANES, TOGETHER})
    assert len(engine.notes) in ((1,) if steps <= FEW_STEPS else (1, 2))


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

    def wait(device: DeviceLike, more: Sequence[str], *args: Any, **options: Any) -> Function:
        loaded.append(tuple(more))
        assert engine._opener.loaded.result() is not None
        while engine._blocks.left:
            time.sleep(0.001)
        return load(device, more, *args, **options)

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
    ran = Ran(monkeypatch)
    cards = Cards(monkeypatch, count, ROOMY)
    failed: list[int] = []

    def before(launch: int) -> None:
        if cards.kernel.ways[launch] is TOGETHER and not failed:
            failed.append(launch)
            fault(cards)

    cards.kernel.before = before
    engine = cards.make(job, PATIENT)
    assert gather(engine) == expected
    assert len(failed) == 1
    assert (engine.native, engine.on_device) == (job.evaluations.total, job.evaluations.total - len(ran.full))
    # What was in the launch is left over for that, and not for the steps that lanes had too few of.
    assert engine.left_over[FAILED] >= cards.kernel.counts[failed[0]]
    assert max([*ran.full.values(), *ran.capped.values()]) == 1
    assert len([line for line in engine.notes if line.endswith("; continuing without it")]) == 1
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
    assert max(ran.full.values()) == max(ran.capped.values(), default=1) == 1
    assert engine.left_over[FAILED] > 0
    assert engine.left_over == {FAILED: engine.left_over[FAILED], LAUNCH_LIMIT: 3 * COUNT - engine.left_over[FAILED]}
    # The card itself goes on with launches in lanes, and threads no longer look for what is heavy.
    assert engine.without == []
    assert not engine._heavy_at
    cards.assert_all_is_given_back()


@needs_library
@on_cards
def test_a_card_without_room_beside_its_launches_in_lanes_says_so(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any]
):
    ran = Ran(monkeypatch)
    cards = Cards(monkeypatch)
    engine = cards.make(job, PATIENT, devices=(0, 0))
    assert gather(engine) == expected
    assert_threads_alone_took_what_lanes_left(cards, engine, ran)
    lines = [line for line in engine.notes if line.endswith("; heavy evaluations run on the CPU")]
    assert len(lines) == 2
    assert all(line.startswith(f"one block of {TOGETHER.block} lanes takes ") for line in lines)


def assert_threads_alone_took_what_lanes_left(cards: Cards, engine: CudaEngine, ran: Ran) -> None:
    assert set(cards.kernel.ways) == {LANES}
    assert ran.full == Counter(range(COUNT, 4 * COUNT))
    assert not ran.capped
    assert engine.left_over == {LAUNCH_LIMIT: 3 * COUNT}
    assert engine.on_device == engine.job.evaluations.total - 3 * COUNT


@needs_library
@on_cards
@pytest.mark.parametrize("fault", [CompileFailed, RefusedCubin])
def test_a_card_whose_second_kernel_fails_goes_on_with_the_first(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any], fault: type[DeviceError]
):
    load = kernels.load

    def refuse(device: DeviceLike, more: Sequence[str], *args: Any, **options: Any) -> Function:
        if set(TOGETHER.options) <= set(more):
            raise fault(0, "card", "no such kernel")
        return load(device, more, *args, **options)

    monkeypatch.setattr(kernels, "load", refuse)
    ran = Ran(monkeypatch)
    engine = cards.make(job, PATIENT)
    assert gather(engine) == expected
    assert_threads_alone_took_what_lanes_left(cards, engine, ran)
    assert engine.without == []
    assert "GPU 0 (card): no such kernel; heavy evaluations run on the CPU" in engine.notes


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
    # There should have been 128.
    assert max(together(cards)) == 64
    # None of them went back to launches in lanes, or to a thread with few steps.
    assert sum(count for count, way in zip(cards.kernel.counts, cards.kernel.ways, strict=True) if way is LANES) < 3000
    assert engine.left_over == Counter({LAUNCH_LIMIT: len(ran.capped)})
    assert max(ran.capped.values(), default=1) == 1
    assert ran.full + ran.together == Counter(range(COUNT, 4 * COUNT))


@needs_library
@on_cards
@pytest.mark.parametrize(("rule", "cause"), [("over_together", TOGETHER_LIMIT), ("full_together", "arena full")])
@pytest.mark.parametrize("every", [2, 1])
def test_what_lanes_together_leave_goes_to_threads_in_full(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any], rule: str, cause: str, every: int
):
    ran = Ran(monkeypatch)
    setattr(cards.kernel, rule, lambda spread: spread % every == 0)
    left: list[int] = []
    engine = cards.make(job, PATIENT)
    engine.on_left = lambda block: left.extend(block.numbers.tolist())
    assert gather(engine) == expected
    # Each is counted where a thread took it from what lanes left, and where lanes together left it.
    assert engine.left_over[cause] == len(set(ran.together) & set(ran.full)) > 0
    assert Counter(left) == Counter(ran.capped) + Counter(set(ran.together) & set(ran.full))
    assert engine.left_over == Counter({LAUNCH_LIMIT: len(ran.capped)}) + Counter({cause: engine.left_over[cause]})
    assert max([*ran.full.values(), *ran.capped.values(), *ran.together.values()]) == 1
    assert set(ran.full) | set(ran.together) == set(range(COUNT, 4 * COUNT))
    assert engine.on_device == job.evaluations.total - len(ran.full)
    if every == 1:
        assert len(ran.full) == 3 * COUNT


@needs_library
@on_cards
@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("cause", ["the time of a launch", "arena full", "stack full"])
def test_what_lanes_leave_for_their_limits_goes_to_a_launch_with_lanes_together(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, cause: str, beside: bool
):
    ran = Ran(monkeypatch)
    job = plain_job([program(*lines) for lines in (MIRROR, RAISES, SAME, MIRROR)], samples(700))
    causes = {each.text: each for each in Cause}
    if cause in causes:
        cards.kernel.full, cards.kernel.cause = (lambda spread: spread % 3 == 0), causes[cause]
    else:
        cards.kernel.over = lambda spread: spread % 3 == 0
    left: list[int] = []
    engine = cards.make(job, PATIENT, beside=beside)
    engine.on_left = lambda block: left.extend(block.numbers.tolist())
    assert gather(engine) == by_cpu(job, PATIENT)
    if beside:
        assert engine.native == job.evaluations.total
    else:
        assert 0 < len(ran.together) < job.evaluations.total / 2
        # Left over is what threads took of it, and they were done with few steps: none of it is heavy.
        assert sorted(left) == sorted(ran.capped)
        assert engine.left_over == Counter({LAUNCH_LIMIT: len(ran.capped)})
        assert engine.on_device + len(ran.capped) == job.evaluations.total
    assert not set(ran.capped) & set(ran.together)
    assert max([*ran.capped.values(), *ran.together.values()], default=1) == 1
    cards.assert_all_is_given_back()


@needs_library
@on_cards
def test_what_lanes_leave_for_another_cause_goes_to_threads_at_once(monkeypatch: pytest.MonkeyPatch, cards: Cards):
    ran = Ran(monkeypatch)
    wide = ("x = multiply(9223372036854775807, size(I))", "x = multiply(x, x)")
    job = plain_job([program(*MIRROR), program(*wide)], samples(300))
    engine = cards.make(job, PATIENT)
    assert gather(engine) == by_cpu(job, PATIENT)
    beyond = engine.left_over["an int beyond 64 bits"]
    assert engine.left_over == {"an int beyond 64 bits": beyond}
    assert engine.on_device + beyond == job.evaluations.total
    assert (len(ran.capped), len(ran.together)) == (beyond, 0)
    assert beyond > 100


@needs_library
@on_cards
def test_while_there_is_other_work_only_many_are_worth_a_launch(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any]
):
    asked: Counter[tuple[bool, bool, int, float]] = Counter()
    for_gpu = Aside.for_gpu

    def noting(waiting: Aside, most: int, least: int, share: float) -> Block | None:
        in_lanes = any(slot.way is LANES for slot, _ in engine._flying.values())
        has_more = bool(engine._blocks.left)
        has_other = has_more or bool(engine._blocks.small) or waiting.is_any_late
        asked[has_more or in_lanes, has_other, least, share] += 1
        before = len(waiting)
        block = for_gpu(waiting, most, least, share)
        assert (block is None) == (before < least)
        return block

    monkeypatch.setattr(Aside, "for_gpu", noting)
    engine = cards.make(job, PATIENT)
    assert gather(engine) == expected
    lanes = TOGETHER.per_processor
    assert {(busy, least) for busy, _, least, _ in asked} == {(True, MANY_FOR_EACH * lanes), (False, 8)}
    assert {(more, share) for _, more, _, share in asked} == {(True, 1.0), (False, GPU_SHARE)}


@needs_library
@on_cards
def test_one_of_two_places_without_room_is_not_missed(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any]
):
    ran = Ran(monkeypatch)
    failed = threading.Event()

    def before(launch: int) -> None:
        assert cards.kernel.ways[launch] is LANES or failed.wait(20)

    def noting(block: Block) -> None:
        if engine.left_over[FAILED]:
            failed.set()

    cards.kernel.before = before
    engine = cards.make(job, PATIENT)
    engine.on_left = noting
    open_together = opening.Prepared.together

    def one_by_one(prepared: Prepared, *args: Any) -> list[Slot]:
        """What the first place takes, the second finds gone."""
        first, second = open_together(prepared, *args)
        take_first, take_second, is_taken = first._taken, second._taken, threading.Event()

        def take_all() -> Any:
            memory = take_first()
            cards.cupy.most_bytes = 1000
            is_taken.set()
            return memory

        monkeypatch.setattr(first, "_taken", take_all)
        monkeypatch.setattr(second, "_taken", lambda: take_second() if is_taken.wait(20) else None)
        return [second, first]

    monkeypatch.setattr(opening.Prepared, "together", one_by_one)
    assert gather(engine) == expected
    assert engine.left_over[FAILED] > 0
    # The other one goes on, and threads still look for what is heavy.
    assert engine._heavy_at
    assert engine.without == []
    assert set(ran.full) | set(ran.together) == set(range(COUNT, 4 * COUNT))
    assert not set(ran.full) & set(ran.together)
    cards.assert_all_is_given_back()


@needs_library
@on_cards
@pytest.mark.parametrize("launch", [1, 2, 4])
def test_what_waits_when_the_last_card_is_lost_ends_on_threads(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, launch: int
):
    job = plain_job([program(*lines) for lines in HEAVY], samples(700))
    expected = by_cpu(job, PATIENT)
    ran = Ran(monkeypatch)
    monkeypatch.setattr(launch_module, "MAX_ROWS", 512)
    cards.cupy.fails_at_launch = launch
    engine = cards.make(job, PATIENT)
    assert gather(engine) == expected
    assert engine._heavy_at == set()
    assert len(engine._heavy) == 0
    assert engine.on_device == len(ran.together)
    assert set(ran.full) | set(ran.together) == set(range(job.evaluations.total))
    assert len(ran.full) + len(ran.together) == job.evaluations.total == engine.native


@needs_library
@on_cards
@pytest.mark.parametrize("compiled", [False, True])
def test_the_built_in_deck_gives_the_records_of_the_cpu_engine_in_both_ways(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, compiled: bool
):
    job = deck_job(batt.load_deck(), 2, compiled)
    ran = Ran(monkeypatch)
    cards.kernel.over = lambda spread: spread < 50
    cards.kernel.full = lambda spread: spread > 980
    cards.kernel.full_together = cards.kernel.over_together = lambda spread: spread % 10 == 0
    cpu, engine = CpuEngine(job, Options(limits=PATIENT, workers=2)), cards.make(job, PATIENT)
    assert gather(engine) == gather(cpu)
    assert engine.fallbacks == cpu.fallbacks
    assert max(ran.together.values()) == 1
    assert engine.left_over[TOGETHER_LIMIT] > 0
    assert engine.on_device + sum(engine.left_over.values()) >= job.evaluations.total
    cards.assert_all_is_given_back()


@needs_library
@on_cards
def test_launches_in_lanes_go_on_beside_those_with_lanes_together(monkeypatch: pytest.MonkeyPatch, cards: Cards):
    few, many = 300, 40_000
    solvers = np.repeat([0, 1], [many, few])
    job = plain_job([program(*MIRROR), program(*COUNTED)], samples(100), solvers, np.arange(many + few) % 100)
    # Once lanes have left something, nobody goes on before two launches of each way are under way at once.
    under_way: Counter[Way] = Counter()
    changed, left, met = threading.Condition(), threading.Event(), threading.Event()
    leave = Aside.leave
    monkeypatch.setattr(Aside, "leave", lambda waiting, block: (leave(waiting, block), left.set())[0])

    def all_there() -> bool:
        return met.is_set() or under_way == {LANES: 2, TOGETHER: 2}

    def before(launch: int) -> None:
        assert launch < 2 or left.wait(20)
        with changed:
            under_way[cards.kernel.ways[launch]] += 1
            changed.notify_all()
            if launch >= 2:
                assert changed.wait_for(all_there, 20)
                met.set()

    def after(launch: int) -> None:
        with changed:
            under_way[cards.kernel.ways[launch]] -= 1

    cards.kernel.before, cards.kernel.after = before, after
    engine = cards.make(job, PATIENT)
    assert gather(engine) == by_cpu(job, PATIENT)
    assert met.is_set()
    cards.assert_all_is_given_back()


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
    wanted = sum(done.steps for done in CpuEngine(job, Options(limits=PATIENT, workers=2)).run())
    engine: CudaEngine = cards.make(job, PATIENT)
    assert sum(done.steps for done in engine.run()) == wanted
    assert TOGETHER in cards.kernel.ways


@needs_library
@on_cards
def test_an_observer_is_told_of_every_evaluation_once(cards: Cards, job: Job):
    told: list[int] = []
    cards.kernel.over_together = lambda spread: spread % 3 == 0
    gather(cards.make(job, PATIENT, observe=lambda part: told.extend(part.ran.numbers.tolist())))
    assert sorted(told) == list(range(job.evaluations.total))
    assert TOGETHER in cards.kernel.ways
