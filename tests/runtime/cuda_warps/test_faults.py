"""Warps that fail, find no room or are interrupted: nothing is lost, nothing comes twice, all memory is given back."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from batt.bytecode.abi import Cause
from batt.jobs import evaluate, evaluation
from batt.runtime import Status
from batt.runtime.cuda import Device, DeviceError, kernels
from batt.runtime.cuda import launch as launch_module
from batt.runtime.cuda.faults import CompileFailed, RefusedCubin
from batt.runtime.cuda.launch import NO_EVALUATION, LaunchSlot, Prepared
from batt.runtime.cuda.modes import THREADS, WARPS
from batt.runtime.cuda.resources import Kernel
from batt.runtime.evaluations import Block
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.tier import CUDA_WARPS, TierName
from batt.tasks import tasks_from_dict
from fake_cards import ROOMY, Cards, by_cpu, gather, plain_job, samples, seen
from fake_kernel import read
from gathered import Once
from handmade import MIRROR, deck, plain_tasks, program
from heavy_runs import ARE_HEAVY, COUNT, HEAVY, PATIENT, Ran, assert_whole
from native_library import needs_library

pytestmark = [needs_library, pytest.mark.usefixtures("small_launches", "soon_heavy")]

LIMIT, FAILED = Cause.THREAD_LIMIT.text, Cause.LAUNCH_FAILED.text


def lose(cards: Cards) -> None:
    cards.cupy.lose(card=cards.cupy.current)


def fail(cards: Cards) -> None:
    raise DeviceError(0, "Fake Card", "it did not")


def end(cards: Cards) -> None:
    raise SystemExit


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("fault", [lose, fail, end])
def test_a_launch_of_warps_that_fails_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any], fault: Callable[[Cards], None], count: int
):
    ran = Ran(monkeypatch)
    cards = Cards(monkeypatch, count, ROOMY)
    failed: list[int] = []

    def before(launch: int) -> None:
        if cards.kernel.modes[launch] is WARPS and not failed:
            failed.append(launch)
            fault(cards)

    cards.kernel.before = before
    ladder = cards.make(job, PATIENT)
    assert gather(ladder) == expected
    assert len(failed) == 1
    total = job.evaluations.total
    assert (ladder.counts.native, ladder.counts.on_gpus) == (total, total - len(ran.full))
    # What was in the launch is deferred for that, and not for the steps that threads had too few of.
    assert ladder.counts.deferred_by_gpus[FAILED] >= cards.kernel.counts[failed[0]]
    assert max([*ran.full.values(), *ran.capped.values()]) == 1
    assert len([line for line in ladder.notes if line.endswith("; continuing without it")]) == 1
    cards.assert_all_is_given_back()


def test_what_makes_cards_fail_costs_two_of_them_and_is_run_by_the_cpu_alone(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any]
):
    ran = Ran(monkeypatch)
    cards = Cards(monkeypatch, 4, ROOMY)
    evaluate_all = cards.kernel.evaluate

    def evaluate_unless_poisoned(told: np.void) -> None:
        numbers = read(told["numbers"], np.dtype("<u4"), int(told["count"]))
        if 77 in numbers[numbers != NO_EVALUATION]:
            cards.cupy.lose(card=cards.cupy.current)
        evaluate_all(told)

    monkeypatch.setattr(cards.kernel, "evaluate", evaluate_unless_poisoned)
    ladder = cards.make(job, PATIENT)
    assert gather(ladder) == expected
    # Every program meets sample 77, in launches of threads or of warps: each that failed was tried twice at most.
    assert len(cards.cupy.lost) == len(ladder.without)
    assert ladder.counts.native == job.evaluations.total
    assert max(ran.full.values()) == 1
    by_gpus = {number for part in seen(ladder).parts if part.tier.is_gpu for number in part.block.numbers.tolist()}
    assert not by_gpus & {77 + COUNT * solver for solver in range(5)}


def test_a_slot_without_room_is_left_out_and_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any]
):
    ran = Ran(monkeypatch)
    cards.cupy.most_bytes = 100 << 20
    there: list[bool] = []

    class Watching(Once):
        def on_poll(self) -> None:
            there.append(ladder.context.is_there(CUDA_WARPS))

    ladder = cards.make(job, PATIENT, kind=Watching)
    assert gather(ladder) == expected
    assert set(cards.kernel.modes) == {THREADS}
    assert set(ran.full) >= ARE_HEAVY
    assert max(ran.full.values()) == max(ran.capped.values(), default=1) == 1
    failed = ladder.counts.deferred_by_gpus[FAILED]
    assert failed > 0
    assert ladder.counts.deferred_by_gpus == Counter({FAILED: failed, LIMIT: 3 * COUNT - failed})
    # The card itself goes on with launches of threads, and the CPU no longer looks for what is heavy.
    assert ladder.without == []
    assert True in there
    assert not there[-1]
    cards.assert_all_is_given_back()


def test_a_card_without_room_beside_its_launches_of_threads_says_so(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any]
):
    ran = Ran(monkeypatch)
    cards = Cards(monkeypatch)
    ladder = cards.make(job, PATIENT, devices=(0, 0))
    assert gather(ladder) == expected
    assert_the_cpu_alone_took_what_threads_deferred(cards, ladder, ran)
    lines = [line for line in ladder.notes if line.endswith("; heavy evaluations run on the CPU")]
    assert len(lines) == 2
    assert all(line.startswith(f"one block of {WARPS.block} arenas takes ") for line in lines)


def assert_the_cpu_alone_took_what_threads_deferred(cards: Cards, ladder: Ladder, ran: Ran) -> None:
    assert set(cards.kernel.modes) == {THREADS}
    assert ran.full == Counter(ARE_HEAVY)
    assert not ran.capped
    assert ladder.counts.deferred_by_gpus == {LIMIT: 3 * COUNT}
    assert ladder.counts.on_gpus == ladder.job.evaluations.total - 3 * COUNT


@pytest.mark.parametrize("fault", [CompileFailed, RefusedCubin])
def test_a_card_whose_second_kernel_fails_goes_on_with_the_first(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any], fault: type[DeviceError]
):
    load = kernels.load

    def refuse(device: Device, more: Sequence[str], *args: Any, **options: Any) -> Kernel:
        if set(WARPS.options) <= set(more):
            raise fault(0, "card", "no such kernel")
        return load(device, more, *args, **options)

    monkeypatch.setattr(kernels, "load", refuse)
    ran = Ran(monkeypatch)
    ladder = cards.make(job, PATIENT)
    assert gather(ladder) == expected
    assert_the_cpu_alone_took_what_threads_deferred(cards, ladder, ran)
    assert ladder.without == []
    assert "GPU 0 (card): no such kernel; heavy evaluations run on the CPU" in ladder.notes


def test_one_of_two_slots_without_room_is_not_missed(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, job: Job, expected: list[Any]
):
    ran = Ran(monkeypatch)
    failed = threading.Event()
    there: list[bool] = []

    class Watching(Once):
        """Lets warps begin once the other slot was left out."""

        def on_deferred(self, tier: TierName, why: Any, block: Block) -> None:
            if ladder.counts.deferred_by_gpus[FAILED]:
                failed.set()

        def on_poll(self) -> None:
            there.append(ladder.context.is_there(CUDA_WARPS))

    def before(launch: int) -> None:
        assert cards.kernel.modes[launch] is THREADS or failed.wait(20)

    cards.kernel.before = before
    ladder = cards.make(job, PATIENT, kind=Watching)
    warp_slots = Prepared.warp_slots

    def one_by_one(prepared: Prepared, *args: Any) -> list[LaunchSlot]:
        """What the first slot takes, the second finds gone."""
        first, second = warp_slots(prepared, *args)
        take_first, take_second, is_allocate = first._allocate, second._allocate, threading.Event()

        def take_all() -> Any:
            memory = take_first()
            cards.cupy.most_bytes = 1000
            is_allocate.set()
            return memory

        monkeypatch.setattr(first, "_allocate", take_all)
        monkeypatch.setattr(second, "_allocate", lambda: take_second() if is_allocate.wait(20) else None)
        return [second, first]

    monkeypatch.setattr(Prepared, "warp_slots", one_by_one)
    assert gather(ladder) == expected
    assert ladder.counts.deferred_by_gpus[FAILED] > 0
    # The other one goes on, and the CPU still looks for what is heavy.
    assert there[-1]
    assert ladder.without == []
    assert set(ran.full) | set(ran.by_warps) == ARE_HEAVY
    assert not set(ran.full) & set(ran.by_warps)
    cards.assert_all_is_given_back()


@pytest.mark.parametrize("launch", [1, 2, 4])
def test_what_waits_when_the_last_card_is_lost_ends_on_the_cpu(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, launch: int
):
    job = plain_job([program(*lines) for lines in HEAVY], samples(700))
    expected = by_cpu(job, PATIENT)
    ran = Ran(monkeypatch)
    monkeypatch.setattr(launch_module, "MAX_ROWS", 512)
    cards.cupy.fails_at_launch = launch
    ladder = cards.make(job, PATIENT)
    assert gather(ladder) == expected
    assert len(ladder.without) == 1
    assert ladder.counts.on_gpus == len(ran.by_warps)
    assert set(ran.full) | set(ran.by_warps) == set(range(job.evaluations.total))
    assert len(ran.full) + len(ran.by_warps) == job.evaluations.total == ladder.counts.native


@pytest.mark.parametrize("parts", [0, 1, 2, 3, 5, 8])
def test_a_run_that_is_interrupted_keeps_only_whole_results(cards: Cards, job: Job, expected: list[Any], parts: int):
    class Interrupting(Once):
        def on_poll(self) -> None:
            if len(self.parts) >= parts:
                raise KeyboardInterrupt

    ladder = cards.make(job, PATIENT, kind=Interrupting, beside=True)
    try:
        ladder.run()
    except KeyboardInterrupt:
        assert len(seen(ladder).parts) >= parts
    else:
        # A fast run ends before anybody looks.
        assert parts == 8
        assert seen(ladder).records.tolist() == expected
    records = seen(ladder).records.tolist()
    assert_whole(records, expected)
    assert sum(record[0] != Status.NOT_RUN for record in records) == ladder.counts.native
    cards.assert_all_is_given_back()


def test_an_interrupt_waits_for_a_launch_of_warps_and_keeps_what_it_did(cards: Cards, job: Job, expected: list[Any]):
    release = threading.Event()

    class Interrupting(Once):
        def on_poll(self) -> None:
            if WARPS in cards.kernel.modes:
                threading.Timer(0.3, release.set).start()
                raise KeyboardInterrupt

    def before(launch: int) -> None:
        if cards.kernel.modes[launch] is WARPS:
            assert release.wait(20)

    cards.kernel.before = before
    ladder = cards.make(job, PATIENT, kind=Interrupting)
    with pytest.raises(KeyboardInterrupt):
        ladder.run()
    records = seen(ladder).records.tolist()
    assert_whole(records, expected)
    at = cards.kernel.modes.index(WARPS)
    heavy_done = [record for record in records[COUNT : 4 * COUNT] if record[0] != Status.NOT_RUN]
    assert len(heavy_done) >= cards.kernel.counts[at]
    time.sleep(0.05)
    cards.assert_all_is_given_back()


@pytest.mark.parametrize("after", [1, 30, 300])
def test_an_interrupt_records_no_evaluation_that_waits_for_warps(
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
