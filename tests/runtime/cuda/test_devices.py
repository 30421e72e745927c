"""Several workers on one card and on several: the cpu engine's records whoever fails, and one line about each that did.

On a GPU: tests/gpu/test_devices.py.
"""

from __future__ import annotations

import ctypes
import itertools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import batt
from batt.bench.frozen import first_132
from batt.bytecode.abi import Cause
from batt.errors import UsageError
from batt.jobs import evaluate, evaluation, export
from batt.runtime.cuda import Device, DeviceError, kernels, missing
from batt.runtime.cuda.faults import OutOfMemory
from batt.runtime.cuda.launch import NO_EVALUATION, LaunchSlot
from batt.runtime.cuda.memory import FRACTION
from batt.runtime.job import Job
from fake_cards import CARD, PATIENT, Cards, by_cpu, deck_job, gather, plain_job, samples
from fake_cupy import Card
from fake_kernel import read
from handmade import MIRROR, RAISES, program
from native_library import needs_library

pytestmark = [needs_library, pytest.mark.usefixtures("small_launches")]

COMPILED = "compiling the GPU kernel for compute capability 9.0; this is done once"
OUTSIDE = "a kernel accessed memory outside its own (cudaError700: in words)"
FAILED_TWICE = Cause.FAILED_TWICE.text
EVALUATIONS = 24_000

several = pytest.mark.parametrize(
    ("count", "devices"), [(1, (0, 0)), (1, (0, 0, 0, 0)), (2, (0, 1)), (2, (1, 0, 1, 0)), (4, (0, 1, 2, 3))]
)


@pytest.fixture(scope="module")
def job() -> Job:
    return plain_job([program(*MIRROR), program(*RAISES)], samples(EVALUATIONS // 2))


@pytest.fixture(scope="module")
def expected(job: Job) -> list[Any]:
    return by_cpu(job)


def together(cards: Cards, workers: int) -> None:
    """Let no launch end before every worker has one, so that all take part."""
    all_there = threading.Barrier(workers)
    cards.kernel.before = lambda launch: all_there.wait(60) and None if launch < workers else None


def at(launch: int, fail: Callable[[], object]) -> Callable[[int], None]:
    """What a kernel does before a launch: nothing, but to fail at one."""
    return lambda number: fail() and None if number == launch else None


def fail(error: BaseException) -> None:
    raise error


def end_this_thread() -> None:
    """As far as a thread can be killed: it is told to end, from outside."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(threading.get_ident()), ctypes.py_object(SystemExit))


@several
@pytest.mark.parametrize("beside", [False, True])
def test_workers_share_the_work_and_change_no_record(
    monkeypatch: pytest.MonkeyPatch,
    job: Job,
    expected: list[Any],
    count: int,
    devices: tuple[int, ...],
    beside: bool,
):
    cards = Cards(monkeypatch, count)
    if not beside:
        together(cards, len(devices))
    ladder = cards.make(job, devices=devices, beside=beside)
    assert gather(ladder) == expected
    assert sum(ladder.counts.by_worker.values()) == ladder.counts.on_gpus
    if not beside:
        assert ladder.counts.on_gpus == EVALUATIONS
        assert len(ladder.counts.by_worker) == len(devices)
        assert min(ladder.counts.by_worker.values()) > 0
    assert ladder.notes == [COMPILED]
    cards.assert_all_is_given_back()


@pytest.mark.parametrize("devices", [(0, 0), (0, 0, 0, 0), (0, 1, 2, 3)])
def test_the_built_in_deck_gives_the_records_of_the_cpu_engine(
    monkeypatch: pytest.MonkeyPatch, devices: tuple[int, ...]
):
    job = deck_job(first_132(), 4, True)
    cards = Cards(monkeypatch, max(devices) + 1)
    cards.kernel.over = lambda spread: spread < 50
    assert gather(cards.make(job, devices=devices)) == by_cpu(job)
    cards.assert_all_is_given_back()


def test_only_the_cards_that_are_named_are_opened(monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any]):
    cards = Cards(monkeypatch, 4)
    cards.cupy.cards[0] = Card("Old", (5, 0))
    ladder = cards.make(job, devices=(2, 1))
    assert gather(ladder) == expected
    assert set(ladder.counts.by_worker) <= {"GPU 1 (Fake Card)", "GPU 2 (Fake Card)"}
    assert ladder.notes == [COMPILED]


def test_workers_on_one_card_keep_within_its_share_together(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any]
):
    cards = Cards(monkeypatch)
    used: list[int] = []
    cards.kernel.before = lambda launch: used.append(cards.cupy.used(0))
    ladder = cards.make(job, devices=(0, 0, 0, 0))
    assert gather(ladder) == expected
    assert 0.3 * CARD.total_bytes < max(used) <= FRACTION * CARD.total_bytes


def test_a_worker_tells_its_part_of_a_card(monkeypatch: pytest.MonkeyPatch):
    cards = Cards(monkeypatch)
    whole, part = Device(0), Device(0, 1, 4)
    assert str(part.info) == "GPU 0 (Fake Card, worker 2 of 4)"
    for name in ("total_bytes", "free_bytes"):
        assert getattr(part.info, name) == getattr(whole.info, name) // 4 == CARD.total_bytes // 4
    kept = part.alloc(4000)
    assert part.free_bytes == CARD.total_bytes // 4 - 1000
    kept.close()
    cards.cupy.lose()
    with pytest.raises(DeviceError, match=r"^GPU 0 \(Fake Card, worker 2 of 4\): a kernel accessed memory outside"):
        part.stream()


@several
@pytest.mark.parametrize("launch", [0, 2, 5])
def test_a_worker_that_fails_gives_its_block_back(
    monkeypatch: pytest.MonkeyPatch,
    job: Job,
    expected: list[Any],
    count: int,
    devices: tuple[int, ...],
    launch: int,
):
    cards = Cards(monkeypatch, count)
    cards.kernel.before = at(launch, lambda: fail(DeviceError(0, "Fake Card", "it did not")))
    ladder = cards.make(job, devices=devices)
    assert gather(ladder) == expected
    assert ladder.counts.on_gpus == EVALUATIONS
    assert ladder.notes == cards.told == [COMPILED, "GPU 0 (Fake Card): it did not; continuing without it"]
    cards.assert_all_is_given_back()


@several
def test_a_card_that_is_lost_in_the_middle_takes_all_its_workers_with_one_line(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any], count: int, devices: tuple[int, ...]
):
    cards = Cards(monkeypatch, count)
    together(cards, len(devices))
    cards.cupy.fails_at_launch = len(devices) + 1
    ladder = cards.make(job, devices=devices)
    assert gather(ladder) == expected
    (lost,) = cards.cupy.lost
    _, line = ladder.notes
    workers = devices.count(lost)
    assert line.startswith(f"GPU {lost} (Fake Card{', worker ' if workers > 1 else ''}")
    more = f" and {workers - 1} more on this card" if workers > 1 else ""
    assert line.endswith(f": {OUTSIDE}; continuing without it{more}")
    assert (ladder.counts.on_gpus == EVALUATIONS) == (count > 1)
    cards.assert_all_is_given_back()


def test_a_process_whose_card_is_lost_goes_on_with_the_cpu(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any]
):
    # Such a fault stays with the process: a card that is opened again fails at once.
    cards = Cards(monkeypatch)
    cards.cupy.fails_at_launch = 5
    first = cards.make(job, devices=(0, 0))
    assert gather(first) == expected
    assert 0 < first.counts.on_gpus < first.counts.native == EVALUATIONS
    again = cards.make(job, devices=(0, 0))
    assert gather(again) == expected
    assert again.counts.on_gpus == 0
    assert again.notes == [f"GPU 0 (Fake Card): {OUTSIDE}; continuing without it"]


def test_what_makes_cards_fail_costs_two_of_them(monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any]):
    cards = Cards(monkeypatch, 4)
    evaluate_all = cards.kernel.evaluate

    def evaluate_unless_poisoned(told: np.void) -> None:
        numbers = read(told["numbers"], np.dtype("<u4"), int(told["count"]))
        if 1234 in numbers[numbers != NO_EVALUATION]:
            cards.cupy.lose(card=cards.cupy.current)
        evaluate_all(told)

    monkeypatch.setattr(cards.kernel, "evaluate", evaluate_unless_poisoned)
    one = plain_job([program(*MIRROR)], samples(EVALUATIONS))
    ladder = cards.make(one)
    assert gather(ladder) == by_cpu(one)
    assert len(cards.cupy.lost) == len(ladder.notes) - 1 == 2
    assert ladder.counts.deferred_by_gpus.keys() == {FAILED_TWICE}
    assert ladder.counts.on_gpus == EVALUATIONS - ladder.counts.deferred_by_gpus[FAILED_TWICE] > 0


@several
def test_a_killed_worker_loses_no_result(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any], count: int, devices: tuple[int, ...]
):
    cards = Cards(monkeypatch, count)
    # The end comes within a launch: its results are there, and nobody fetches them.
    cards.kernel.after = at(3, end_this_thread)
    ladder = cards.make(job, devices=devices)
    assert gather(ladder) == expected
    assert ladder.counts.on_gpus == EVALUATIONS
    _, line = ladder.notes
    assert line.startswith("GPU ")
    assert line.endswith(": its thread was ended; continuing without it")
    cards.assert_all_is_given_back()


@several
def test_a_worker_for_which_the_host_has_no_memory_loses_no_result(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any], count: int, devices: tuple[int, ...]
):
    cards = Cards(monkeypatch, count)
    run, launches = LaunchSlot.run, itertools.count()
    monkeypatch.setattr(LaunchSlot, "run", lambda *args: fail(MemoryError()) if next(launches) == 3 else run(*args))
    ladder = cards.make(job, devices=devices)
    assert gather(ladder) == expected
    assert ladder.counts.on_gpus == EVALUATIONS
    _, line = ladder.notes
    assert line.endswith(": the host is out of memory; continuing without it")
    cards.assert_all_is_given_back()


@pytest.mark.parametrize("workers", [2, 4])
def test_memory_that_others_take_meanwhile_ends_workers_and_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any], workers: int
):
    cards = Cards(monkeypatch)
    cards.kernel.before = lambda launch: setattr(cards.cupy, "most_bytes", 1000)
    ladder = cards.make(job, devices=(0,) * workers)
    assert gather(ladder) == expected
    assert ladder.counts.on_gpus == EVALUATIONS
    assert len(ladder.counts.by_worker) + len(ladder.notes) - 1 == workers
    assert all(line.endswith("; continuing without it") and "not even" in line for line in ladder.notes[1:])
    cards.assert_all_is_given_back()


def test_a_card_with_room_for_some_of_its_workers_has_those(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any]
):
    cards = Cards(monkeypatch)
    load = kernels.load
    loaded: list[Any] = []

    def counted(*args: Any, **options: Any) -> Any:
        loaded.append(args)
        if len(loaded) == 3:
            raise OutOfMemory(0, "Fake Card, worker 3 of 4", "out of memory")
        return load(*args, **options)

    monkeypatch.setattr(kernels, "load", counted)
    ladder = cards.make(job, devices=(0, 0, 0, 0))
    assert gather(ladder) == expected
    assert ladder.counts.on_gpus == EVALUATIONS
    line = "GPU 0 (Fake Card, worker 3 of 4): out of memory; continuing with 2 of 4 workers on GPU 0"
    assert ladder.notes == [COMPILED, line]
    cards.assert_all_is_given_back()


def test_a_thread_that_ends_while_it_opens_a_card_leaves_the_others(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: list[Any]
):
    cards = Cards(monkeypatch, 2)
    load = kernels.load

    def ended(device: Device, *args: Any, **options: Any) -> Any:
        return fail(SystemExit()) if device.info.number else load(device, *args, **options)

    monkeypatch.setattr(kernels, "load", ended)
    ladder = cards.make(job)
    assert gather(ladder) == expected
    assert ladder.counts.on_gpus == EVALUATIONS
    assert sorted(ladder.notes) == ["GPU 1: its thread was ended; continuing without it", COMPILED]


def test_a_named_card_that_cannot_be_used_is_refused(monkeypatch: pytest.MonkeyPatch):
    cards = Cards(monkeypatch, 2)
    cards.cupy.cards[1] = Card("Old", (5, 0))
    assert missing() is missing(()) is missing((0, 0)) is None
    assert str(missing((0, 1))).startswith("Old is too old")
    with pytest.raises(UsageError, match=r"^there is no GPU 2; GPUs here: 0, 1$"):
        missing((0, 2))


@pytest.mark.parametrize("lost", [False, True])
def test_exports_are_the_same_bytes_whoever_did_the_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lost: bool):
    cards = Cards(monkeypatch, 2)
    cards.watch(monkeypatch, evaluation)
    deck, tasks = first_132(), batt.load_tasks("arc1-training").select(None, 3)
    written = []
    for number, devices in enumerate([None, "0,0", "0,1", "1,0,1,0"]):
        cards.cupy.fails_at_launch = cards.cupy.launches + 1 if lost else -1
        cards.cupy.lost.clear()
        engine = "cpu" if devices is None else "auto"
        results = evaluate(deck, tasks, engine=engine, devices=devices, limits=PATIENT, compiled=True, workers=1)
        assert results.engine == ("cpu" if devices is None else "cuda")
        export(results, tmp_path / str(number))
        written.append((tmp_path / str(number)).read_bytes())
    assert set(written) == {written[0]}
