"""The cuda engine over fake cards whose kernel evaluates for real: the cpu engine's records, each once, whatever fails.

On a GPU: tests/gpu/test_engine.py.
"""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest

import batt
from batt.ir import Program
from batt.runtime import Limits, Status
from batt.runtime.cpu import CpuEngine, Job
from batt.runtime.cuda import kernels
from batt.runtime.cuda.engine import LAUNCH_LIMIT
from batt.runtime.options import Options
from batt.runtime.records import Done, unfilled
from fake_cards import PATIENT, Cards, by_cpu, deck_job, gather, plain_job, samples
from fake_cupy import Card
from handmade import MIRROR, RAISES, SAME, program, sample
from native_library import needs_library

pytestmark = [needs_library, pytest.mark.usefixtures("small_launches")]

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
    job = deck_job(batt.load_deck(), 4, request.param)
    engine = CpuEngine(job, Options(limits=PATIENT, workers=2))
    return job, gather(engine), dict(engine.fallbacks)


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("count", [1, 3])
def test_the_built_in_deck_gives_the_records_of_the_cpu_engine(
    built_in: tuple[Job, list[Any], dict[str, int]], monkeypatch: pytest.MonkeyPatch, beside: bool, count: int
):
    job, expected, fallbacks = built_in
    cards = Cards(monkeypatch, count)
    cards.kernel.over = lambda spread: spread < 50
    cards.kernel.full = lambda spread: spread > 980
    engine = cards.make(job, beside=beside)
    assert gather(engine) == expected
    assert dict(engine.fallbacks) == fallbacks
    assert engine.native + sum(fallbacks.values()) == job.evaluations.total
    if not beside:
        assert engine.on_device + sum(engine.left_over.values()) == job.evaluations.total
        assert engine.left_over[LAUNCH_LIMIT] > engine.left_over["arena full"] > 0
        assert set(engine.left_over) <= {LAUNCH_LIMIT, "arena full", *fallbacks}
        assert len(cards.kernel.counts) > 3
    assert engine.notes == cards.told == ["compiling the GPU kernel for compute capability 9.0; this is done once"]
    cards.assert_all_is_given_back()


def test_what_takes_more_steps_than_a_launch_gives_is_left_to_the_threads(cards: Cards):
    long = program("x = size(upscale(I, 300))", "a = asindices(upscale(I, 200))", "x = size(a)")
    job = plain_job([program(*MIRROR), long], samples(20))
    engine = cards.make(job, Limits(wall_s=600))
    assert gather(engine) == by_cpu(job, Limits(wall_s=600))
    over = engine.left_over[LAUNCH_LIMIT]
    assert 0 < over <= 20
    assert (engine.on_device, engine.native) == (40 - over, 40)


@pytest.mark.parametrize("steps", [1, 20, 1000])
def test_tight_budgets_end_the_same_evaluations(cards: Cards, steps: int):
    solvers = batt.load_deck().select(batt.load_deck().names[::6])
    job = deck_job(solvers, 1, True)
    limits = Limits(steps=steps, max_items=50 * steps, wall_s=600)
    engine = cards.make(job, limits)
    assert gather(engine) == by_cpu(job, limits)
    assert engine.on_device == job.evaluations.total


def test_pairs_may_be_any(cards: Cards):
    generator = np.random.default_rng(3)
    chosen = generator.integers(0, 3, 400), generator.integers(0, 50, 400)
    job = plain_job([program(*MIRROR), program(*RAISES), program(*SAME)], samples(50), *chosen)
    engine = cards.make(job)
    assert gather(engine) == by_cpu(job)
    assert engine.on_device == 400


@pytest.mark.parametrize(("programs", "count"), [([], 3), ([program(*MIRROR)], 0)])
def test_no_work_opens_no_card(cards: Cards, programs: list[Program], count: int):
    assert list(cards.make(plain_job(programs, samples(count))).run()) == []
    assert cards.cupy.calls == []


def test_what_native_code_was_not_given_never_comes_to_a_card(cards: Cards):
    broad = f"x = ({'I,' * 4500})"
    odd = [sample(((2**70,),)), sample(expected=(1, 2))]
    job = plain_job([program(*MIRROR), program(broad), program(*WIDE)], [*samples(4), *odd])
    engine = cards.make(job)
    cpu = CpuEngine(job, Options(limits=PATIENT, workers=2))
    assert gather(engine) == gather(cpu)
    assert engine.fallbacks == cpu.fallbacks
    assert engine.on_device == 4
    assert engine.left_over == {"an int beyond 64 bits": 4}


def test_where_native_code_was_given_nothing_the_reference_does_it_all(cards: Cards):
    job = plain_job([program(*MIRROR)], [sample(((2**70,),))] * 3)
    engine = cards.make(job)
    assert gather(engine) == by_cpu(job)
    assert (engine.on_device, engine.native) == (0, 0)


def test_an_observer_is_told_of_every_evaluation_once(cards: Cards):
    told: list[int] = []
    cards.kernel.over = lambda spread: spread % 3 == 0
    job = plain_job([program(*MIRROR), program(*WIDE)], samples(900))
    gather(cards.make(job, observe=lambda part: told.extend(part.ran.numbers.tolist())))
    assert sorted(told) == list(range(1800))


def test_steps_are_those_of_the_cpu_engine(cards: Cards):
    cards.kernel.over = lambda spread: spread < 300
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(900))
    engine = cards.make(job)
    expected = sum(done.steps for done in CpuEngine(job, Options(limits=PATIENT, workers=1)).run())
    assert sum(done.steps for done in engine.run()) == expected
    assert 0 < engine.on_device < 1800


FAILED = "a kernel reached outside its memory (cudaError700: in words); continuing without it"


@pytest.mark.parametrize("launch", [0, 1, 3])
def test_a_launch_that_fails_costs_its_card_and_no_result(
    built_in: tuple[Job, list[Any], dict[str, int]], two: Cards, launch: int
):
    job, expected, fallbacks = built_in
    two.cupy.fails_at_launch = launch
    engine = two.make(job)
    assert gather(engine) == expected
    assert dict(engine.fallbacks) == fallbacks
    (lost,) = two.cupy.lost
    assert engine.notes[1:] == [f"GPU {lost} (Fake Card): {FAILED}"]
    assert engine.on_device + sum(engine.left_over.values()) == job.evaluations.total
    two.assert_all_is_given_back()


def test_a_card_that_is_lost_before_its_results_are_fetched(two: Cards):
    two.kernel.after = lambda launch: two.cupy.lose(card=two.cupy.current) if launch == 1 else None
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(9000))
    engine = two.make(job)
    assert gather(engine) == by_cpu(job)
    (lost,) = two.cupy.lost
    assert engine.notes[1:] == [f"GPU {lost} (Fake Card): {FAILED}"]
    assert engine.on_device == 18_000


def test_without_a_card_left_the_cpu_finishes(two: Cards):
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(20_000))
    engine = two.make(job)
    # A card is lost as soon as something was fetched from one of them.
    two.kernel.after = lambda launch: two.cupy.lose(card=two.cupy.current) if engine.on_device else None
    assert gather(engine) == by_cpu(job)
    assert set(two.cupy.lost) == {0, 1}
    assert sorted(engine.notes[1:]) == [f"GPU {number} (Fake Card): {FAILED}" for number in (0, 1)]
    assert 0 < engine.on_device < engine.native == 40_000


def test_less_memory_than_a_card_tells_of_makes_launches_smaller(
    built_in: tuple[Job, list[Any], dict[str, int]], cards: Cards
):
    job, expected, _ = built_in
    cards.cupy.most_bytes = 30 << 20
    engine = cards.make(job)
    assert gather(engine) == expected
    assert engine.on_device + sum(engine.left_over.values()) == job.evaluations.total
    assert len(engine.notes) == 1
    cards.assert_all_is_given_back()


def test_a_card_without_room_for_a_launch_is_left_out(cards: Cards):
    cards.cupy.most_bytes = 10 << 20
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(900))
    engine = cards.make(job)
    assert gather(engine) == by_cpu(job)
    assert engine.on_device == 0
    (line,) = engine.notes[1:]
    assert line.startswith("GPU 0 (Fake Card): not even ")
    assert line.endswith("; continuing without it")
    cards.assert_all_is_given_back()


def test_one_slot_without_room_is_not_missed(cards: Cards):
    # What the first slot takes, the second finds gone.
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(9000))
    engine = cards.make(job)
    cards.kernel.before = lambda launch: setattr(cards.cupy, "most_bytes", 1000)
    assert gather(engine) == by_cpu(job)
    assert engine.on_device == 18_000
    assert len(engine.notes) == 1


def test_a_card_that_others_have_filled_is_left_out_with_what_to_do(cards: Cards):
    job = plain_job([program(*MIRROR)], samples(300))
    engine = cards.make(job, gpu_memory=0.01)
    assert gather(engine) == by_cpu(job)
    assert engine.notes[1].startswith("GPU 0: one block of 256 lanes takes ")
    assert "end other programs that use the card" in engine.notes[1]
    cards.assert_all_is_given_back()


def test_a_card_that_does_not_fit_is_left_out_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch):
    cards = Cards(monkeypatch, 2)
    cards.cupy.cards[0] = Card("Old", (5, 0))
    job = plain_job([program(*MIRROR)], samples(300))
    engine = cards.make(job)
    assert gather(engine) == by_cpu(job)
    assert engine.on_device == 300
    assert [line for line in engine.notes if line.startswith("GPU 0: Old is too old")] != []


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
    engine = cards.make(job)
    assert gather(engine) == by_cpu(job)
    assert engine.notes == cards.told
    assert [line.partition(":")[0] for line in engine.notes] == ["no GPU is used"]


def test_only_the_collecting_thread_tells(cards: Cards):
    threads: list[threading.Thread] = []
    engine = cards.make(plain_job([program(*MIRROR)], samples(300)))
    engine.tell = lambda line: threads.append(threading.current_thread())
    gather(engine)
    assert threads == [threading.current_thread()]


def test_a_card_that_is_slow_to_start_is_not_waited_for(cards: Cards, monkeypatch: pytest.MonkeyPatch):
    begun, go_on = threading.Event(), threading.Event()
    load = kernels.load

    def slow(*args: Any, **options: Any) -> Any:
        begun.set()
        assert go_on.wait(60)
        return load(*args, **options)

    monkeypatch.setattr(kernels, "load", slow)
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(900))
    engine = cards.make(job, beside=True)
    found: list[Done] = []
    blocks = engine.run()
    while sum(len(done.numbers) for done in found) < 1800:
        found.append(next(blocks))
    go_on.set()
    assert list(blocks) == []
    assert gather(engine, found) == by_cpu(job)
    assert engine.on_device == 0
    cards.assert_all_is_given_back()


def test_closing_waits_for_a_launch_and_keeps_what_it_did(cards: Cards):
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(9000))
    release = threading.Event()
    cards.kernel.before = lambda launch: None if launch == 0 else assert_true(release.wait(60))
    engine = cards.make(job)
    blocks = engine.run()
    found = [next(blocks)]
    while len(cards.kernel.counts) < 2:
        time.sleep(0.01)
    threading.Timer(0.3, release.set).start()
    blocks.close()
    assert cards.kernel.ended == len(cards.kernel.counts) >= 2
    assert len(engine.remains) == cards.kernel.ended - 1
    records = gather(engine, [*found, *engine.remains])
    expected = by_cpu(job)
    assert all(record in (each, unfilled(1).tolist()[0]) for record, each in zip(records, expected, strict=True))
    assert sum(record[0] != Status.NOT_RUN for record in records) == engine.on_device == engine.native
    time.sleep(0.05)
    cards.assert_all_is_given_back()


def assert_true(value: object) -> None:
    assert value


@pytest.mark.parametrize("take", [0, 1])
def test_a_run_that_is_closed_early_gives_all_back(two: Cards, take: int):
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(9000))
    engine = two.make(job, beside=True)
    blocks = engine.run()
    found = [next(blocks) for _ in range(take)]
    blocks.close()
    engine.close()
    records = gather(engine, [*found, *engine.remains])
    assert sum(record[0] != Status.NOT_RUN for record in records) == engine.native
    two.assert_all_is_given_back()


def test_a_mistake_of_ours_on_a_thread_is_not_lost(cards: Cards):
    def fail(launch: int) -> None:
        raise ZeroDivisionError

    cards.kernel.before = fail
    with pytest.raises(ZeroDivisionError):
        gather(cards.make(plain_job([program(*MIRROR)], samples(300))))
    cards.assert_all_is_given_back()
