"""Cards that are made ready while the samples are loaded: nobody waits in vain, and nothing is kept.

What is opened on them, and what they do without: test_tier.py, test_devices.py and cuda_warps/test_tier.py.
"""

from __future__ import annotations

import sys
import threading
from contextlib import nullcontext
from typing import Any

import pytest

from batt.errors import UsageError
from batt.runtime import Limits, context
from batt.runtime.cuda import kernels
from batt.runtime.cuda.faults import CompileFailed
from batt.runtime.cuda.modes import WARPS
from batt.runtime.opening import SWITCH_S
from fake_cards import ROOMY, Cards, by_cpu, gather, plain_job, samples
from gathered import Once
from handmade import MIRROR, RAISES, program
from native_library import needs_library

pytestmark = [needs_library, pytest.mark.usefixtures("small_launches")]


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> Cards:
    return Cards(monkeypatch, 2)


@pytest.fixture
def has_kernel(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set as soon as a card has its kernel."""
    load, loaded = kernels.load, threading.Event()

    def noting(*args: Any, **options: Any) -> Any:
        kernel = load(*args, **options)
        loaded.set()
        return kernel

    monkeypatch.setattr(kernels, "load", noting)
    return loaded


def test_cards_have_their_kernel_before_the_samples_are_loaded(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, has_kernel: threading.Event
):
    job = plain_job([program(*MIRROR), program(*RAISES)], samples(900))
    expected, make = by_cpu(job), context.NativeBatch

    def wait(*args: Any) -> Any:
        assert has_kernel.wait(20)
        return make(*args)

    monkeypatch.setattr(context, "NativeBatch", wait)
    ladder = cards.make(job)
    assert gather(ladder) == expected
    assert ladder.counts.on_gpus == 1800
    cards.assert_all_is_given_back()


@pytest.mark.parametrize("late", [False, True], ids=["at once", "when cards have their kernel"])
@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt])
def test_samples_that_are_not_loaded_end_the_run_and_no_card_waits_for_them(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, has_kernel: threading.Event, error: type[BaseException], late: bool
):
    def fail(*args: Any) -> None:
        assert not late or has_kernel.wait(20)
        raise error

    monkeypatch.setattr(context, "NativeBatch", fail)
    ladder = cards.make(plain_job([program(*MIRROR)], samples(300)))
    with pytest.raises(error):
        gather(ladder)
    assert (ladder.counts.native, ladder.without, cards.kernel.counts) == (0, [], [])
    cards.assert_all_is_given_back()


@pytest.mark.parametrize("error", [None, MemoryError])
def test_threads_switch_as_usual_once_samples_are_loaded(
    monkeypatch: pytest.MonkeyPatch, cards: Cards, error: type[BaseException] | None
):
    usual_s, make, seen_s = sys.getswitchinterval(), context.NativeBatch, []

    def noting(*args: Any) -> Any:
        seen_s.append(sys.getswitchinterval())
        if error:
            raise error
        return make(*args)

    monkeypatch.setattr(context, "NativeBatch", noting)
    ladder = cards.make(plain_job([program(*MIRROR)], samples(300)))
    with pytest.raises(error) if error else nullcontext():
        gather(ladder)
    assert seen_s == [pytest.approx(SWITCH_S)]
    assert sys.getswitchinterval() == usual_s


def test_without_the_source_of_the_kernel_the_cpu_does_it_all(monkeypatch: pytest.MonkeyPatch, cards: Cards):
    def missing() -> kernels.Source:
        raise UsageError("the source is gone")

    job = plain_job([program(*MIRROR)], samples(300))
    expected = by_cpu(job)
    monkeypatch.setattr(kernels, "source", missing)
    ladder = cards.make(job)
    assert gather(ladder) == expected
    assert (ladder.counts.on_gpus, ladder.notes) == (0, ["the source is gone; continuing without it"])


def test_a_second_kernel_that_is_kept_is_loaded_before_the_samples_are(monkeypatch: pytest.MonkeyPatch):
    cards = Cards(monkeypatch, card=ROOMY)
    job = plain_job([program(*MIRROR)], samples(900))
    expected, load, has_both = by_cpu(job), kernels.load, threading.Event()
    for _ in range(2):
        ladder = cards.make(job, Limits(wall_s=600))
        assert gather(ladder) == expected
    assert ladder.notes == []

    def noting(device: Any, more: Any, *args: Any, **options: Any) -> Any:
        kernel = load(device, more, *args, **options)
        if set(WARPS.options) <= set(more):
            has_both.set()
        return kernel

    def wait(*args: Any) -> Any:
        assert has_both.wait(20)
        return make(*args)

    make = context.NativeBatch
    monkeypatch.setattr(kernels, "load", noting)
    monkeypatch.setattr(context, "NativeBatch", wait)
    assert gather(cards.make(job, Limits(wall_s=600))) == expected
    assert has_both.is_set()
    cards.assert_all_is_given_back()


def test_a_second_kernel_that_is_kept_and_fails_is_tried_once(monkeypatch: pytest.MonkeyPatch):
    cards = Cards(monkeypatch, card=ROOMY)
    job = plain_job([program(*MIRROR)], samples(900))
    expected, load, tried = by_cpu(job), kernels.load, []
    assert gather(cards.make(job, Limits(wall_s=600))) == expected

    def refuse(device: Any, more: Any, *args: Any, **options: Any) -> Any:
        if set(WARPS.options) <= set(more):
            tried.append(more)
            raise CompileFailed(0, "card", "no such kernel")
        return load(device, more, *args, **options)

    monkeypatch.setattr(kernels, "load", refuse)
    ladder = cards.make(job, Limits(wall_s=600))
    assert gather(ladder) == expected
    assert len(tried) == 1
    assert ladder.notes == ["GPU 0 (card): no such kernel; heavy evaluations run on the CPU"]


def test_a_card_that_was_opened_in_vain_takes_what_another_one_gives_back_later(
    monkeypatch: pytest.MonkeyPatch, cards: Cards
):
    job = plain_job([program(*MIRROR)], samples(300))
    expected, load = by_cpu(job), kernels.load
    launched, loaded, failed, polls = threading.Event(), threading.Event(), list[int](), threading.Semaphore(0)

    class Watching(Once):
        def on_poll(self) -> None:
            if loaded.is_set():
                polls.release()

    def load_late(device: Any, *args: Any, **options: Any) -> Any:
        if device.info.number == 1:
            assert launched.wait(20)
        kernel = load(device, *args, **options)
        if device.info.number == 1:
            loaded.set()
        return kernel

    def fail_late(launch: int) -> None:
        if failed:
            return
        failed.append(cards.cupy.current)
        # The first card has everything; the second one is opened, and the loop turns a few times.
        launched.set()
        for _ in range(5):
            assert polls.acquire(timeout=20)
        cards.cupy.lose(card=cards.cupy.current)

    monkeypatch.setattr(kernels, "load", load_late)
    cards.kernel.before = fail_late
    ladder = cards.make(job, kind=Watching)
    assert gather(ladder) == expected
    assert failed == [0]
    assert ladder.counts.on_gpus == 300
    cards.assert_all_is_given_back()


def test_a_run_that_is_not_begun_opens_no_card(cards: Cards):
    cards.make(plain_job([program(*MIRROR)], samples(3)))
    assert cards.cupy.calls == []


def test_threads_switch_as_usual_on_the_cpu_engine(monkeypatch: pytest.MonkeyPatch):
    usual_s, make, seen_s = sys.getswitchinterval(), context.NativeBatch, list[float]()
    monkeypatch.setattr(context, "NativeBatch", lambda *args: seen_s.append(sys.getswitchinterval()) or make(*args))
    by_cpu(plain_job([program(*MIRROR)], samples(30)))
    assert seen_s == [usual_s]


def test_what_an_opening_card_has_to_say_comes_before_why_it_is_left_out(monkeypatch: pytest.MonkeyPatch, cards: Cards):
    def refuse(device: Any, more: Any, tell: Any, *args: Any, **options: Any) -> Any:
        tell(f"compiling for {device.info.number}")
        raise CompileFailed(device.info.number, "card", "no such kernel")

    monkeypatch.setattr(kernels, "load", refuse)
    ladder = cards.make(plain_job([program(*MIRROR)], samples(300)), devices=(1,))
    gather(ladder)
    left_out = "GPU 1 (card): no such kernel"
    assert ladder.notes == cards.told == ["compiling for 1", f"{left_out}; continuing without it"]
    assert ladder.without == [left_out]
