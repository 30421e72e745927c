"""Which evaluations warps take, and that they give on fake cards what the cpu engine gives.

What fails, and what is interrupted: test_faults.py. On a GPU: tests/gpu/test_engine.py.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from batt.bench.frozen import first_132
from batt.bytecode.abi import Cause
from batt.runtime import Limits, Status, waiting
from batt.runtime.cpu import CpuTier
from batt.runtime.cpu import tier as cpu_module
from batt.runtime.cuda import Device, kernels, opening
from batt.runtime.cuda.launch import LaunchSlot
from batt.runtime.cuda.modes import LIGHT_WARPS, THREADS, WARPS, Mode
from batt.runtime.cuda.resources import Kernel
from batt.runtime.cuda_warps import tier as warps_module
from batt.runtime.cuda_warps.tier import GPU_FRACTION, GPU_FROM, CudaWarpsTier
from batt.runtime.evaluations import Block
from batt.runtime.job import Job
from batt.runtime.tier import CPU, CUDA_THREADS, CUDA_WARPS, Part
from batt.runtime.waiting import Waiting
from fake_cards import ROOMY, Cards, by_cpu, deck_job, gather, on_cpu, plain_job, samples, seen
from fake_cupy import Card
from handmade import MIRROR, RAISES, SAME, evaluations_of, program
from heavy_runs import ARE_HEAVY, COUNT, COUNTED, HEAVY_STEPS, PATIENT, Noting, Ran, deferred, warp_launches
from native_library import needs_library
from small_launches import FEW_STEPS, launch_warps_from

on_cards = pytest.mark.usefixtures("small_launches", "soon_heavy")

LIMIT, WARP_LIMIT = Cause.THREAD_LIMIT.text, Cause.WARP_LIMIT.text
WIDE = ("x = multiply(9223372036854775807, size(I))", "x = multiply(x, x)")


class Asked:
    """A tier, and what waits for it: `heavy` that the CPU found, and `limit` that launches of threads deferred."""

    def __init__(self, room: int, slots: int = 1, new: int = 0, heavy: int = 0, limit: int = 0) -> None:
        made: Any = [SimpleNamespace(room=SimpleNamespace(evaluations=room))] * slots
        nobody: Any = None
        self.tier = CudaWarpsTier(nobody, nobody, made, nobody)
        self.waiting = Waiting(evaluations_of(1, new))
        self.waiting.workers = Counter({CPU: 1, CUDA_THREADS: 1, CUDA_WARPS: 1})
        for cause, start, count in ((Cause.HEAVY, 0, heavy), (Cause.THREAD_LIMIT, heavy, limit)):
            if count:
                self.waiting.defer(CUDA_WARPS, cause, Block(*[np.arange(start, start + count)] * 3))

    def taken(self) -> int | None:
        """How many evaluations the tier takes."""
        block = self.tier.take(self.waiting)
        return None if block is None else len(block)


@pytest.mark.parametrize(("pace", "taken"), [(0, 600), (1_000, 600), (2_000, 450), (10_000, 450)])
def test_warps_leave_the_cpu_its_part_if_new_evaluations_keep_it_busy_for_less_than_a_launch(pace: int, taken: int):
    asked = Asked(600, new=5_001, heavy=600)
    asked.waiting.cpu_pace = pace
    assert asked.taken() == taken


def part_of_gpu(count: int) -> int:
    """What warps take of so many where the CPU has nothing else to do."""
    return int(-(-count * GPU_FRACTION // 1))


@pytest.mark.parametrize("limit", [0, 100, 699])
@pytest.mark.parametrize("count", [699, 700, 900, 3000])
def test_while_there_is_other_work_only_a_full_launch_is_worth_it(count: int, limit: int):
    assert Asked(700, new=1, heavy=count - limit, limit=limit).taken() == (None if count < 700 else 700)
    # Launches of threads that are under way may defer more; the CPU has nothing else to do.
    asked = Asked(700, heavy=count - limit, limit=limit)
    asked.waiting.under_way[CUDA_THREADS] = 1
    assert asked.taken() == (None if count < 700 else min(700, part_of_gpu(count)))


@pytest.mark.parametrize("count", [GPU_FROM - 1, GPU_FROM, 3 * GPU_FROM])
def test_at_the_end_a_few_are_not_launched_and_the_cpu_gets_its_part_of_many(count: int):
    assert Asked(10**6, heavy=count).taken() == (None if count < GPU_FROM else part_of_gpu(count))


def test_a_cpu_that_has_other_work_leaves_all_that_is_heavy_to_warps():
    asked = Asked(10**6, heavy=GPU_FROM)
    asked.waiting.defer(CPU, Cause.LONG_WORK, Block(*[np.arange(5000, 5001)] * 3))
    assert asked.taken() == GPU_FROM


def test_without_a_cpu_warps_take_all_that_waits():
    asked = Asked(10**6, heavy=1, limit=2)
    asked.waiting.workers[CPU] = 0
    assert (asked.taken(), asked.taken()) == (3, None)


def test_warps_are_done_when_too_few_evaluations_for_a_launch_can_come():
    def is_done(on_cpu: Sequence[Block] = (), **waits: int) -> bool:
        asked = Asked(64, **waits)
        return asked.tier.is_done(asked.waiting, on_cpu)

    block = Block(*[np.arange(GPU_FROM // 2)] * 3)
    assert is_done()
    assert not is_done(new=1)
    assert is_done(heavy=GPU_FROM - 1)
    assert not is_done(heavy=GPU_FROM // 2, limit=GPU_FROM // 2)
    # The CPU may find its evaluations to be heavy, unless it runs them to the end.
    assert not is_done([block], heavy=GPU_FROM // 2)
    assert is_done([block.because(Cause.HEAVY)], heavy=GPU_FROM // 2)
    returned = Asked(64, heavy=GPU_FROM // 2)
    returned.waiting.give_back(CPU, block)
    assert not returned.tier.is_done(returned.waiting, [])


def test_a_tier_without_a_free_slot_takes_nothing():
    assert Asked(64, slots=0, heavy=10_000).taken() is None


@needs_library
@on_cards
def test_what_is_heavy_comes_from_warps_as_from_the_cpu(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any]
):
    ran = Ran(monkeypatch)
    ladder = cards.make(job, PATIENT)
    assert gather(ladder) == expected
    assert {each[0] for each in expected} == {Status.OK, Status.RAISED}
    # What ran to its end on the CPU, it had found to be heavy before; all else ran on a card, and once.
    assert set(ran.full) <= set(ran.capped) <= ARE_HEAVY
    assert ran.most == 1
    assert sum(warp_launches(cards)) == len(ARE_HEAVY) - len(ran.full) > 0
    total = job.evaluations.total
    assert (ladder.counts.native, ladder.counts.on_gpus) == (total, total - len(ran.full))
    assert ladder.counts.finished[CUDA_WARPS] == len(ran.by_warps)
    # Deferred is what the CPU took.
    assert ladder.counts.deferred_by_gpus == Counter({LIMIT: len(ran.capped)})
    cards.assert_all_is_given_back()


@needs_library
@on_cards
def test_what_the_cpu_finds_heavy_comes_from_warps_too(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any]
):
    """Where few evaluations of each solver give no weights."""
    ran = Ran(monkeypatch)
    monkeypatch.setattr(waiting, "pays_to_weigh", lambda evaluations: False)
    run = CpuTier._run

    def once_open(tier: CpuTier, block: Block) -> Part:
        """Where there are no warps yet, the CPU looks for nothing."""
        ends_s = time.monotonic() + 20
        while not tier.context.is_there(CUDA_WARPS) and time.monotonic() < ends_s:
            time.sleep(0.001)
        return run(tier, block)

    monkeypatch.setattr(CpuTier, "_run", once_open)
    ladder = cards.make(job, PATIENT, beside=True)
    assert gather(ladder) == expected
    assert set(ran.capped) & set(ran.by_warps)
    assert set(ran.full) <= set(ran.capped)
    assert set(ran.full) | set(ran.by_warps) == ARE_HEAVY
    assert ran.most == 1
    cards.assert_all_is_given_back()


@needs_library
@on_cards
def test_what_the_cpu_takes_by_weight_runs_there_to_its_end(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any]
):
    ran = Ran(monkeypatch)
    taken, first = set[int](), Waiting.first

    def seen_first(self: Waiting, *arguments: int) -> Block | None:
        block = first(self, *arguments)
        if block is not None and block.cause is Cause.HEAVY:
            taken.update(block.numbers.tolist())
        return block

    monkeypatch.setattr(Waiting, "first", seen_first)
    assert gather(cards.make(job, PATIENT, beside=True)) == expected
    # Of each of the solvers at least one is tried.
    assert len(taken) >= job.evaluations.solvers
    assert not taken & (set(ran.capped) | set(ran.by_warps))
    assert ran.most == 1
    cards.assert_all_is_given_back()


@needs_library
@on_cards
@pytest.mark.parametrize("count", [1, 2])
def test_a_cpu_beside_cards_changes_no_record(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any], count: int
):
    ran = Ran(monkeypatch)
    cards = Cards(monkeypatch, count, ROOMY)
    ladder = cards.make(job, PATIENT, beside=True)
    assert gather(ladder) == expected
    assert ran.most == 1
    assert ladder.counts.native == job.evaluations.total
    cards.assert_all_is_given_back()


@needs_library
@on_cards
@pytest.mark.parametrize("heavy_from", [HEAVY_STEPS, 10**6])
@pytest.mark.parametrize("steps", [HEAVY_STEPS + 1, 20_000, 50_000])
def test_what_is_over_the_runs_own_budget_is_over_it_wherever_it_runs(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, steps: int, heavy_from: int
):
    monkeypatch.setattr(cpu_module, "HEAVY_STEPS", heavy_from)
    limits = Limits(steps=steps, wall_s=600)
    wanted = by_cpu(job, limits)
    assert Status.OVER_BUDGET in {each[0] for each in wanted}
    assert gather(cards.make(job, limits)) == wanted
    assert WARPS in cards.kernel.modes


@needs_library
@on_cards
@pytest.mark.parametrize("steps", [1_000, FEW_STEPS, FEW_STEPS + 1, HEAVY_STEPS - 1, HEAVY_STEPS])
def test_a_run_with_a_budget_below_what_is_heavy_never_caps(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, steps: int
):
    ran = Ran(monkeypatch)
    limits = Limits(steps=steps, wall_s=600)
    ladder = cards.make(job, limits, beside=True)
    assert gather(ladder) == by_cpu(job, limits)
    assert not ran.capped
    # What is over the steps of a launch of threads is over the run's own, or there is more to be had.
    assert set(cards.kernel.modes) <= ({THREADS} if steps <= FEW_STEPS else {THREADS, LIGHT_WARPS, WARPS})
    assert len(ladder.notes) in ((1,) if steps <= FEW_STEPS else (1, 3))


@needs_library
@on_cards
def test_a_few_evaluations_need_no_second_kernel(cards: Cards):
    job = plain_job([program(*COUNTED)], samples(7))
    ladder = cards.make(job, PATIENT)
    assert gather(ladder) == by_cpu(job, PATIENT)
    assert set(cards.kernel.modes) == {THREADS}
    assert len(ladder.notes) == 1


@needs_library
@on_cards
def test_where_the_cpu_was_faster_nobody_waits_for_a_second_kernel(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any]
):
    load, loaded = kernels.load, list[tuple[str, ...]]()

    def wait(device: Device, more: Sequence[str], *args: Any, **options: Any) -> Kernel:
        loaded.append(tuple(more))
        assert ladder.context.loaded.result() is not None
        while ladder.context.is_any_new():
            time.sleep(0.001)
        return load(device, more, *args, **options)

    monkeypatch.setattr(kernels, "load", wait)
    ladder = cards.make(job, PATIENT, beside=True)
    assert gather(ladder) == expected
    assert loaded == [()]


@needs_library
@on_cards
def test_what_a_smaller_launch_does_not_hold_stays_heavy(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any]
):
    ran = Ran(monkeypatch)
    cards.cupy.cards[0] = Card(total_bytes=1 << 30, processors=2)
    cards.cupy.most_bytes = 300 << 20
    ladder = cards.make(job, PATIENT)
    assert gather(ladder) == expected
    # There should have been 128.
    assert max(warp_launches(cards)) == 64
    # None of them went back to launches of threads, or to a CPU that runs it for a few steps.
    assert sum(cards.kernel.counts) - sum(warp_launches(cards)) < 3000
    assert ladder.counts.deferred_by_gpus == Counter({LIMIT: len(ran.capped)})
    assert max(ran.capped.values(), default=1) == 1
    assert ran.full + ran.by_warps == Counter(ARE_HEAVY)


@needs_library
@on_cards
@pytest.mark.parametrize(
    ("rule", "cause"),
    [
        ("over_warps", Cause.WARP_LIMIT),
        ("full_warps", Cause.ARENA_FULL),
        ("full_warps", Cause.STACK_FULL),
        ("full_warps", Cause.LONG_WORK),
    ],
)
@pytest.mark.parametrize("every", [2, 1])
def test_what_warps_defer_goes_to_the_cpu_which_runs_it_to_its_end(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any], rule: str, cause: Cause, every: int
):
    ran = Ran(monkeypatch)
    cards.kernel.cause = cause
    setattr(cards.kernel, rule, lambda spread: spread % every == 0)
    ladder = cards.make(job, PATIENT, kind=Noting)
    assert gather(ladder) == expected
    # Each is counted where the CPU took it from what threads deferred, and where warps deferred it.
    counts, both = ladder.counts.deferred_by_gpus, set(ran.by_warps) & set(ran.full)
    assert counts[cause.text] == len(both) > 0
    assert Counter(deferred(ladder)) == Counter(ran.capped) + Counter(both)
    assert counts == Counter({LIMIT: len(ran.capped)}) + Counter({cause.text: len(both)})
    assert ran.most == 1
    assert set(ran.full) | set(ran.by_warps) == ARE_HEAVY
    assert ladder.counts.on_gpus == job.evaluations.total - len(ran.full)
    if every == 1:
        assert len(ran.full) == 3 * COUNT


@needs_library
@on_cards
@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("cause", [Cause.THREAD_LIMIT, Cause.ARENA_FULL, Cause.STACK_FULL])
def test_what_threads_defer_for_their_limits_goes_to_warps(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, cause: Cause, beside: bool
):
    job = plain_job([program(*lines) for lines in (MIRROR, RAISES, SAME, MIRROR)], samples(700))
    expected, ran = by_cpu(job, PATIENT), Ran(monkeypatch)
    cards.kernel.cause = cause
    setattr(cards.kernel, "over" if cause is Cause.THREAD_LIMIT else "full", lambda spread: spread % 3 == 0)
    ladder = cards.make(job, PATIENT, kind=Noting, beside=beside)
    assert gather(ladder) == expected
    if beside:
        assert ladder.counts.native == job.evaluations.total
    else:
        assert 0 < len(ran.by_warps) < job.evaluations.total / 2
        # The CPU took the rest of it, and was done with few steps: none of it is heavy.
        assert sorted(deferred(ladder)) == sorted(ran.capped)
        assert ladder.counts.deferred_by_gpus == Counter({LIMIT: len(ran.capped)})
        assert ladder.counts.on_gpus + len(ran.capped) == job.evaluations.total
    assert not set(ran.capped) & set(ran.by_warps)
    assert ran.most == 1
    cards.assert_all_is_given_back()


@needs_library
@on_cards
def test_what_no_native_tier_can_represent_goes_to_the_reference_tier_at_once(
    monkeypatch: pytest.MonkeyPatch, cards: Cards
):
    job = plain_job([program(*MIRROR), program(*WIDE)], samples(300))
    expected, ran = by_cpu(job, PATIENT), Ran(monkeypatch)
    ladder = cards.make(job, PATIENT, kind=Noting)
    assert gather(ladder) == expected
    wide = Cause.WIDE_INT.text
    beyond = ladder.counts.deferred_by_gpus[wide]
    assert ladder.counts.deferred_by_gpus == ladder.counts.deferred_to_reference == {wide: beyond}
    assert ladder.counts.on_gpus + beyond == job.evaluations.total
    assert len(deferred(ladder)) == len(set(deferred(ladder))) == beyond > 100
    assert (ran.capped, ran.full, ran.by_warps) == ({}, {}, {})


@needs_library
@on_cards
@pytest.mark.parametrize("is_large", [True, False])
def test_cards_of_a_large_run_are_closed_while_the_cpu_runs_the_last_evaluations(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any], is_large: bool
):
    give_back, run, closed = opening.Cards._give_back, CpuTier._run, threading.Event()
    in_run: list[bool] = []

    def noting(given: opening.Cards) -> None:
        in_run.append(threading.current_thread() is not threading.main_thread())
        give_back(given)
        closed.set()

    def patient(tier: CpuTier, block: Block) -> Any:
        assert not is_large or closed.wait(20)
        return run(tier, block)

    monkeypatch.setattr(opening.Cards, "_give_back", noting)
    monkeypatch.setattr(CpuTier, "_run", patient)
    monkeypatch.setattr(opening, "PREPARE_FROM", 1 if is_large else job.evaluations.total + 1)
    # At the end, what waits for warps is not enough for a launch.
    monkeypatch.setattr(warps_module, "GPU_FROM", job.evaluations.total)
    ladder = cards.make(job, PATIENT)
    assert gather(ladder) == expected
    assert in_run == ([True, False] if is_large else [False])
    assert ladder.counts.finished[CUDA_THREADS] == len(expected) - len(ARE_HEAVY)
    assert ladder.counts.finished[CPU] > 0
    cards.assert_all_is_given_back()


@needs_library
@on_cards
@pytest.mark.parametrize("cause", [Cause.LONG_WORK, Cause.LONG_FORM, Cause.OWN_OP])
def test_what_no_gpu_can_do_goes_to_the_cpu_at_once(monkeypatch: pytest.MonkeyPatch, cards: Cards, cause: Cause):
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(600))
    expected, ran = by_cpu(job, PATIENT), Ran(monkeypatch)
    cards.kernel.cause, cards.kernel.full = cause, lambda spread: spread % 3 == 0
    ladder = cards.make(job, PATIENT, kind=Noting)
    assert gather(ladder) == expected
    assert ladder.counts.deferred_by_gpus == {cause.text: len(ran.capped)}
    assert sorted(deferred(ladder)) == sorted(ran.capped)
    assert ran.most == 1
    assert (ran.full, ran.by_warps) == ({}, {})
    assert ladder.counts.deferred_to_reference == {}


@needs_library
@on_cards
@pytest.mark.parametrize("compiled", [False, True])
def test_the_built_in_deck_gives_the_records_of_the_cpu_engine_in_both_modes(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, compiled: bool
):
    job = deck_job(first_132(), 2, compiled)
    ran = Ran(monkeypatch)
    # Nobody else runs what waits for warps, so they run even one.
    launch_warps_from(monkeypatch, 1)
    # Idle threads may have run all of it before the kernels for warps are compiled.
    monkeypatch.setattr(Waiting, "for_idle_cpu", lambda self, threads: None)
    cards.kernel.over = lambda spread: spread < 50
    cards.kernel.full = lambda spread: spread > 980
    cards.kernel.full_warps = cards.kernel.over_warps = lambda spread: spread % 10 == 0
    cpu, ladder = on_cpu(job, PATIENT), cards.make(job, PATIENT)
    assert gather(ladder) == gather(cpu)
    assert ladder.counts.deferred_to_reference == cpu.counts.deferred_to_reference
    assert max(ran.by_warps.values()) == 1
    assert ladder.counts.deferred_by_gpus[WARP_LIMIT] > 0
    assert ladder.counts.on_gpus + ladder.counts.deferred_by_gpus.total() >= job.evaluations.total
    cards.assert_all_is_given_back()


@needs_library
@on_cards
def test_launches_of_threads_go_on_beside_those_of_warps(monkeypatch: pytest.MonkeyPatch, cards: Cards):
    few, many = 300, 40_000
    solvers = np.repeat([0, 1], [many, few])
    job = plain_job([program(*MIRROR), program(*COUNTED)], samples(100), solvers, np.arange(many + few) % 100)
    expected = by_cpu(job, PATIENT)
    # Once threads have deferred something, nobody goes on before two launches of each mode are under way at once.
    under_way: Counter[Mode] = Counter()
    changed, is_deferred, met = threading.Condition(), threading.Event(), threading.Event()
    defer, run = Waiting.defer, LaunchSlot.run
    monkeypatch.setattr(Waiting, "defer", lambda *args: (defer(*args), is_deferred.set())[0])

    def all_there() -> bool:
        return met.is_set() or min(under_way[THREADS], under_way[WARPS]) >= 2

    def meet(slot: LaunchSlot, block: Block, slices: Any) -> Part:
        if slot.mode is THREADS and (block.solvers == 1).any():
            return run(slot, block, slices)
        assert is_deferred.wait(20)
        with changed:
            under_way[slot.mode] += 1
            changed.notify_all()
            assert changed.wait_for(all_there, 20)
            met.set()
        return run(slot, block, slices)

    monkeypatch.setattr(LaunchSlot, "run", meet)
    ladder = cards.make(job, PATIENT)
    assert gather(ladder) == expected
    assert met.is_set()
    cards.assert_all_is_given_back()


@needs_library
@on_cards
def test_steps_are_counted_once_and_every_evaluation_comes_once(cards: Cards, job: Job):
    cards.kernel.over_warps = lambda spread: spread % 3 == 0
    cpu, ladder = on_cpu(job, PATIENT), cards.make(job, PATIENT)
    assert gather(ladder) == gather(cpu)
    assert seen(ladder).steps.tolist() == seen(cpu).steps.tolist()
    came = [number for part in seen(ladder).parts for number in part.block.numbers.tolist()]
    assert sorted(came) == list(range(job.evaluations.total))
    assert WARPS in cards.kernel.modes
