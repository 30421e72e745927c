"""Runs on fake cards whose kernel evaluates for real: the cpu engine's records, each once, whatever fails.

On a GPU: tests/gpu/test_engine.py.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from batt.bench.frozen import first_132
from batt.bytecode.abi import Cause
from batt.ir import Program
from batt.jobs import evaluate, evaluation
from batt.runtime import Limits, Status
from batt.runtime.cuda import kernels, opening
from batt.runtime.cuda.faults import OutOfMemory
from batt.runtime.cuda.launch import SLOTS, LaunchSlot
from batt.runtime.job import Job
from batt.runtime.records import unfilled
from batt.tasks import tasks_from_dict
from fake_cards import PATIENT, Cards, by_cpu, deck_job, gather, on_cpu, plain_job, samples, seen
from fake_cupy import Card
from gathered import Once
from handmade import MIRROR, RAISES, SAME, deck, plain_tasks, program, sample
from native_library import needs_library

pytestmark = [needs_library, pytest.mark.usefixtures("small_launches")]

LIMIT = Cause.THREAD_LIMIT.text
WIDE = ("x = multiply(9223372036854775807, size(I))", "x = multiply(x, x)")


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> Cards:
    return Cards(monkeypatch)


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> Cards:
    return Cards(monkeypatch, 2)


@pytest.fixture(scope="module", params=[False, True], ids=["as it stands", "compiled"])
def built_in(request: pytest.FixtureRequest) -> tuple[Job, list[Any], dict[str, int]]:
    """A job of the built-in deck, and what the cpu engine makes of it."""
    job = deck_job(first_132(), 4, request.param)
    ladder = on_cpu(job)
    return job, gather(ladder), dict(ladder.counts.deferred_to_reference)


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("count", [1, 3])
def test_the_built_in_deck_gives_the_records_of_the_cpu_engine(
    built_in: tuple[Job, list[Any], dict[str, int]], monkeypatch: pytest.MonkeyPatch, beside: bool, count: int
):
    job, expected, fallbacks = built_in
    cards = Cards(monkeypatch, count)
    cards.kernel.over = lambda spread: spread < 50
    cards.kernel.full = lambda spread: spread > 980
    ladder = cards.make(job, beside=beside)
    assert gather(ladder) == expected
    assert dict(ladder.counts.deferred_to_reference) == fallbacks
    assert ladder.counts.native + sum(fallbacks.values()) == job.evaluations.total
    if not beside:
        assert ladder.counts.on_gpus + sum(ladder.counts.deferred_by_gpus.values()) == job.evaluations.total
        assert ladder.counts.deferred_by_gpus[LIMIT] > ladder.counts.deferred_by_gpus["arena full"] > 0
        assert set(ladder.counts.deferred_by_gpus) <= {LIMIT, "arena full", *fallbacks}
        assert len(cards.kernel.counts) > 3
    assert ladder.notes == cards.told == ["compiling the GPU kernel for compute capability 9.0; this is done once"]
    cards.assert_all_is_given_back()


def test_what_takes_more_steps_than_a_launch_gives_is_deferred_to_the_cpu(cards: Cards):
    long = program("x = size(upscale(I, 300))", "a = asindices(upscale(I, 200))", "x = size(a)")
    job = plain_job([program(*MIRROR), long], samples(20))
    ladder = cards.make(job, Limits(wall_s=600))
    assert gather(ladder) == by_cpu(job, Limits(wall_s=600))
    over = ladder.counts.deferred_by_gpus[LIMIT]
    assert 0 < over <= 20
    assert (ladder.counts.on_gpus, ladder.counts.native) == (40 - over, 40)


@pytest.mark.parametrize("steps", [1, 20, 1000])
def test_tight_budgets_end_the_same_evaluations(cards: Cards, steps: int):
    solvers = first_132().select(first_132().names[::6])
    job = deck_job(solvers, 1, True)
    limits = Limits(steps=steps, max_items=50 * steps, wall_s=600)
    ladder = cards.make(job, limits)
    assert gather(ladder) == by_cpu(job, limits)
    assert ladder.counts.on_gpus == job.evaluations.total


def test_pairs_may_be_any(cards: Cards):
    generator = np.random.default_rng(3)
    chosen = generator.integers(0, 3, 400), generator.integers(0, 50, 400)
    job = plain_job([program(*MIRROR), program(*RAISES), program(*SAME)], samples(50), *chosen)
    ladder = cards.make(job)
    assert gather(ladder) == by_cpu(job)
    assert ladder.counts.on_gpus == 400


@pytest.mark.parametrize(("programs", "count"), [([], 3), ([program(*MIRROR)], 0)])
def test_no_work_opens_no_card(cards: Cards, programs: list[Program], count: int):
    assert gather(cards.make(plain_job(programs, samples(count)))) == []
    assert cards.cupy.calls == []


def test_what_native_code_was_not_given_never_comes_to_a_card(cards: Cards):
    broad = f"x = ({'I,' * 4500})"
    odd = [sample(((2**70,),)), sample(expected=(1, 2))]
    job = plain_job([program(*MIRROR), program(broad), program(*WIDE)], [*samples(4), *odd])
    ladder = cards.make(job)
    cpu = on_cpu(job)
    assert gather(ladder) == gather(cpu)
    assert ladder.counts.deferred_to_reference == cpu.counts.deferred_to_reference
    assert ladder.counts.on_gpus == 4
    assert ladder.counts.deferred_by_gpus == {"an int beyond 64 bits": 4}


def test_where_native_code_was_given_nothing_the_reference_does_it_all(cards: Cards):
    job = plain_job([program(*MIRROR)], [sample(((2**70,),))] * 3)
    ladder = cards.make(job)
    assert gather(ladder) == by_cpu(job)
    assert (ladder.counts.on_gpus, ladder.counts.native) == (0, 0)


def test_every_evaluation_comes_in_one_part_and_is_deferred_at_most_once_by_cards(cards: Cards):
    class Deferring(Once):
        def on_deferred(self, tier: Any, why: Any, block: Any) -> None:
            deferred.extend(block.numbers.tolist())

    deferred: list[int] = []
    cards.kernel.over = lambda spread: spread % 3 == 0
    job = plain_job([program(*MIRROR), program(*WIDE)], samples(900))
    ladder = cards.make(job, kind=Deferring)
    gather(ladder)
    assert sorted(number for part in seen(ladder).parts for number in part.block.numbers.tolist()) == list(range(1800))
    # What met a limit and is too wide for the CPU too was deferred twice.
    assert ladder.counts.on_gpus + len(set(deferred)) == 1800
    assert ladder.counts.deferred_by_gpus.total() == len(set(deferred))
    assert len(deferred) == len(set(deferred)) + ladder.counts.deferred_to_reference.total() - by_wide(ladder)


def by_wide(ladder: Any) -> int:
    """How many evaluations GPUs deferred to the reference tier at once."""
    return int(ladder.counts.deferred_by_gpus[Cause.WIDE_INT.text])


def test_steps_are_those_of_the_cpu_engine(cards: Cards):
    cards.kernel.over = lambda spread: spread < 300
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(900))
    ladder, cpu = cards.make(job), on_cpu(job)
    assert gather(ladder) == gather(cpu)
    assert seen(ladder).steps.tolist() == seen(cpu).steps.tolist()
    assert 0 < ladder.counts.on_gpus < 1800


FAILED = "a kernel accessed memory outside its own (cudaError700: in words); continuing without it"


@pytest.mark.parametrize("launch", [0, 1, 3])
def test_a_launch_that_fails_costs_its_card_and_no_result(
    built_in: tuple[Job, list[Any], dict[str, int]], two: Cards, launch: int
):
    job, expected, fallbacks = built_in
    two.cupy.fails_at_launch = launch
    ladder = two.make(job)
    assert gather(ladder) == expected
    assert dict(ladder.counts.deferred_to_reference) == fallbacks
    (lost,) = two.cupy.lost
    assert ladder.notes[1:] == [f"GPU {lost} (Fake Card): {FAILED}"]
    assert ladder.counts.on_gpus + sum(ladder.counts.deferred_by_gpus.values()) == job.evaluations.total
    two.assert_all_is_given_back()


def test_a_card_that_is_lost_before_its_results_are_fetched(two: Cards):
    two.kernel.after = lambda launch: two.cupy.lose(card=two.cupy.current) if launch == 1 else None
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(9000))
    ladder = two.make(job)
    assert gather(ladder) == by_cpu(job)
    (lost,) = two.cupy.lost
    assert ladder.notes[1:] == [f"GPU {lost} (Fake Card): {FAILED}"]
    assert ladder.counts.on_gpus == 18_000


def test_without_a_card_left_the_cpu_finishes(two: Cards):
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(20_000))
    ladder = two.make(job)
    # A card is lost as soon as something was fetched from one of them.
    two.kernel.after = lambda launch: two.cupy.lose(card=two.cupy.current) if ladder.counts.on_gpus else None
    assert gather(ladder) == by_cpu(job)
    assert set(two.cupy.lost) == {0, 1}
    assert sorted(ladder.notes[1:]) == [f"GPU {number} (Fake Card): {FAILED}" for number in (0, 1)]
    assert 0 < ladder.counts.on_gpus < ladder.counts.native == 40_000


def test_less_memory_than_a_card_tells_of_makes_launches_smaller(
    built_in: tuple[Job, list[Any], dict[str, int]], cards: Cards
):
    job, expected, _ = built_in
    cards.cupy.most_bytes = 30 << 20
    ladder = cards.make(job)
    assert gather(ladder) == expected
    assert ladder.counts.on_gpus + sum(ladder.counts.deferred_by_gpus.values()) == job.evaluations.total
    assert len(ladder.notes) == 1
    cards.assert_all_is_given_back()


def test_a_card_without_room_for_a_launch_is_left_out(cards: Cards):
    cards.cupy.most_bytes = 10 << 20
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(900))
    ladder = cards.make(job)
    assert gather(ladder) == by_cpu(job)
    assert ladder.counts.on_gpus == 0
    (line,) = ladder.notes[1:]
    assert line.startswith("GPU 0 (Fake Card): not even ")
    assert line.endswith("; continuing without it")
    cards.assert_all_is_given_back()


def test_one_slot_without_room_is_not_missed(cards: Cards):
    # What the first slot takes, the second finds gone.
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(9000))
    ladder = cards.make(job)
    cards.kernel.before = lambda launch: setattr(cards.cupy, "most_bytes", 1000)
    assert gather(ladder) == by_cpu(job)
    assert ladder.counts.on_gpus == 18_000
    assert len(ladder.notes) == 1


def test_a_card_that_others_have_filled_is_left_out_with_what_to_do(cards: Cards):
    job = plain_job([program(*MIRROR)], samples(300))
    ladder = cards.make(job, gpu_memory=0.01)
    assert gather(ladder) == by_cpu(job)
    assert ladder.notes[1].startswith("GPU 0: one block of 256 arenas takes ")
    assert "end other programs that use the card" in ladder.notes[1]
    cards.assert_all_is_given_back()


def test_a_card_that_does_not_fit_is_left_out_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch):
    cards = Cards(monkeypatch, 2)
    cards.cupy.cards[0] = Card("Old", (5, 0))
    job = plain_job([program(*MIRROR)], samples(300))
    ladder = cards.make(job)
    assert gather(ladder) == by_cpu(job)
    assert ladder.counts.on_gpus == 300
    assert [line for line in ladder.notes if line.startswith("GPU 0: Old is too old")] != []


def test_a_kernel_that_cannot_be_compiled_or_loaded_leaves_the_card_out(cards: Cards):
    job = plain_job([program(*MIRROR)], samples(300))
    cards.cupy.compile_log = "error: no"
    first = cards.make(job)
    assert gather(first) == by_cpu(job)
    assert "the kernel cannot be compiled for sm_90: error: no; continuing without it" in first.notes[1]
    cards.cupy.compile_log = ""
    cards.cupy.refused.add(b"cubin 1")
    second = cards.make(job)
    assert gather(second) == by_cpu(job)
    assert "the driver refuses a compiled kernel" in second.notes[1]
    assert gather(cards.make(job)) == by_cpu(job)
    cards.assert_all_is_given_back()


def test_where_there_is_no_gpu_the_cpu_does_it_all_and_a_line_tells_so(cards: Cards):
    cards.cupy.count_error = 100
    job = plain_job([program(*MIRROR)], samples(300))
    ladder = cards.make(job)
    assert gather(ladder) == by_cpu(job)
    assert ladder.notes == cards.told
    assert [line.partition(":")[0] for line in ladder.notes] == ["no GPU is used"]


def test_only_the_thread_of_the_run_tells(cards: Cards):
    threads: list[threading.Thread] = []
    ladder = cards.make(plain_job([program(*MIRROR)], samples(300)))
    seen(ladder).tell = lambda line: threads.append(threading.current_thread())
    gather(ladder)
    assert threads == [threading.current_thread()]


def test_a_card_that_is_slow_to_start_is_not_waited_for(cards: Cards, monkeypatch: pytest.MonkeyPatch):
    class Releasing(Once):
        """Lets the card go on when all has come."""

        def on_part(self, part: Any) -> None:
            super().on_part(part)
            if (self.records["status"] != Status.NOT_RUN).all():
                go_on.set()

    go_on, load = threading.Event(), kernels.load

    def slow(*args: Any, **options: Any) -> Any:
        assert go_on.wait(60)
        return load(*args, **options)

    monkeypatch.setattr(kernels, "load", slow)
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(900))
    ladder = cards.make(job, kind=Releasing, beside=True)
    assert gather(ladder) == by_cpu(job)
    assert ladder.counts.on_gpus == 0
    assert cards.kernel.counts == []
    cards.assert_all_is_given_back()


def test_an_interrupt_waits_for_launches_and_keeps_what_they_did(cards: Cards):
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(9000))
    release = threading.Event()

    class Interrupting(Once):
        """Interrupts the run when one launch has ended, and another is under way."""

        def on_poll(self) -> None:
            if self.parts and cards.kernel.counts[1:]:
                threading.Timer(0.3, release.set).start()
                raise KeyboardInterrupt

    cards.kernel.before = lambda launch: None if launch == 0 else assert_true(release.wait(60))
    ladder = cards.make(job, kind=Interrupting)
    with pytest.raises(KeyboardInterrupt):
        ladder.run()
    assert cards.kernel.ended == len(cards.kernel.counts) == len(seen(ladder).parts) >= 2
    records, expected = seen(ladder).records.tolist(), by_cpu(job)
    assert all(record in (each, unfilled(1).tolist()[0]) for record, each in zip(records, expected, strict=True))
    done = sum(record[0] != Status.NOT_RUN for record in records)
    assert 0 < done == ladder.counts.on_gpus == ladder.counts.native
    time.sleep(0.05)
    cards.assert_all_is_given_back()


def assert_true(value: object) -> None:
    assert value


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
@pytest.mark.parametrize("polls", [0, 1])
def test_a_run_that_ends_early_gives_all_back(two: Cards, polls: int, error: type[BaseException]):
    class Ending(Once):
        left = polls

        def on_poll(self) -> None:
            self.left -= 1
            if self.left < 0:
                raise error

    job = plain_job([program(*MIRROR), program(*RAISES)], samples(9000))
    ladder = two.make(job, kind=Ending, beside=True)
    with pytest.raises(error):
        ladder.run()
    assert (seen(ladder).records["status"] != Status.NOT_RUN).sum() == ladder.counts.native
    two.assert_all_is_given_back()


@pytest.mark.parametrize("after", [1, 3000])
def test_a_run_that_its_own_progress_interrupts_keeps_all_that_was_done(
    monkeypatch: pytest.MonkeyPatch, two: Cards, after: int
):
    two.watch(monkeypatch, evaluation)
    solvers = deck(**{f"solve_{number}": (MIRROR, RAISES)[number % 2] for number in range(1000)})
    tasks, handed = tasks_from_dict(plain_tasks()), list[int]()

    def interrupt(done: int, total: int) -> None:
        if done >= after:
            raise KeyboardInterrupt

    options: dict[str, Any] = {"limits": PATIENT, "compiled": False, "workers": 2}
    whole = evaluate(solvers, tasks, engine="cpu", **options)
    results = evaluate(
        solvers,
        tasks,
        engine="cuda",
        progress=interrupt,
        on_block=lambda part: handed.extend(part.numbers.tolist()),
        **options,
    )
    assert results.interrupted
    none = unfilled(1).tolist()[0]
    pairs = zip(results.records.tolist(), whole.records.tolist(), strict=True)
    assert all(record in (each, none) for record, each in pairs)
    done = len(results) - results.not_run
    assert after <= done == len(handed) == len(set(handed)) == results.tiers.native
    assert results.steps <= whole.steps
    two.assert_all_is_given_back()


def test_an_interrupt_while_cards_begin_to_open_leaves_no_thread_and_no_memory(
    monkeypatch: pytest.MonkeyPatch, two: Cards
):
    class Interrupted(ThreadPoolExecutor):
        def submit(self, *args: Any, **options: Any) -> Any:
            if self._threads:
                raise KeyboardInterrupt
            return super().submit(*args, **options)

    monkeypatch.setattr(opening, "ThreadPoolExecutor", Interrupted)
    ladder = two.make(plain_job([program(*MIRROR)], samples(300)))
    with pytest.raises(KeyboardInterrupt):
        gather(ladder)
    two.assert_all_is_given_back()


@pytest.mark.parametrize("workers", [1, 3])
def test_slots_that_find_no_room_all_at_once_cost_their_workers_and_no_result(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, workers: int
):
    all_there = threading.Barrier(SLOTS * workers)

    def fail(slot: LaunchSlot) -> None:
        if slot.room.blocks == 1:
            assert all_there.wait(60) >= 0
        raise OutOfMemory(0, "Fake Card", "out of memory")

    monkeypatch.setattr(LaunchSlot, "_allocate", fail)
    cards.cupy.cards[0] = Card(total_bytes=1 << 30, processors=1)
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(18_000))
    ladder = cards.make(job, devices=(0,) * workers)
    assert gather(ladder) == by_cpu(job)
    assert ladder.counts.on_gpus == 0
    assert len(ladder.without) == workers
    cards.assert_all_is_given_back()


def test_a_mistake_of_ours_on_a_thread_is_not_lost(cards: Cards):
    def fail(launch: int) -> None:
        raise ZeroDivisionError

    cards.kernel.before = fail
    with pytest.raises(ZeroDivisionError):
        gather(cards.make(plain_job([program(*MIRROR)], samples(300))))
    cards.assert_all_is_given_back()
