"""GPUs as an engine to compare, over fake cards: what they did is compared, what they left is counted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import batt
from batt.bench.frozen import first_132
from batt.bytecode.abi import Cause
from batt.check import engines as module
from batt.check.compare import EngineComparison, OpenComparison, Tally
from batt.check.engines import ENGINES, Engine, Reference, SharedProgress, engines_named, on_cpu, on_gpus
from batt.check.sharing import evaluating
from batt.errors import UsageError
from batt.jobs import evaluation, samples_of
from batt.runtime import Limits
from batt.runtime.cuda import kernels
from fake_cards import PATIENT, Cards
from fake_cupy import FakeCupy
from handmade import HUNGRY, SAME, sample
from handmade import deck as handmade_deck
from native_library import needs_library
from small_launches import threads_with

pytestmark = needs_library


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Cards]:
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(kernels, "_made", {})
    cards = Cards(monkeypatch, 2)
    cards.watch(monkeypatch, module)
    with threads_with(arena_bytes=64 << 10):
        yield cards


def compared(*engines: Engine, limits: Limits = PATIENT, solvers: int = 40) -> Tally:
    whole = first_132()
    deck, tasks = whole.select(whole.names[:solvers]), batt.load_tasks("arc1-training").select(None, 2)
    samples = samples_of(tasks)
    opened = OpenComparison(EngineComparison(deck, samples, (limits,) * len(samples), engines))
    pairs = [(solver, at) for at in range(len(samples)) for solver in range(len(deck))]
    return opened.compare(pairs, SharedProgress())


@pytest.mark.parametrize("devices", [None, (1,), (0, 0), (0, 1)])
@pytest.mark.parametrize("limits", [PATIENT, Limits(steps=500, max_items=200, wall_s=600)], ids=["plenty", "tight"])
def test_gpus_do_as_the_cpu_does(cards: Cards, devices: tuple[int, ...] | None, limits: Limits):
    tally = compared(on_gpus(devices), on_cpu("cpu-noshare", share=False), limits=limits)
    assert tally.found == []
    assert tally.compared + sum(tally.unsupported.values()) == tally.evaluations
    assert tally.compared > 0.9 * tally.evaluations
    cards.assert_all_is_given_back()


def test_gpus_that_share_do_as_the_cpu_does(cards: Cards):
    tally = compared(on_gpus((0,), share=True), evaluating(share=False))
    assert tally.found == []
    assert tally.compared > 0.9 * tally.evaluations
    assert cards.kernel.staged
    cards.assert_all_is_given_back()


def test_evaluating_on_gpus_does_as_the_cpu_does(cards: Cards, monkeypatch: pytest.MonkeyPatch):
    cards.watch(monkeypatch, evaluation)
    tally = compared(evaluating("cuda"), evaluating(share=False))
    assert (tally.found, tally.compared) == ([], tally.evaluations)
    cards.assert_all_is_given_back()


def test_gpus_do_as_the_reference_does(cards: Cards):
    tally = compared(on_gpus(), Reference(), solvers=15)
    assert (tally.found, tally.unsupported) == ([], {})
    assert tally.compared == tally.evaluations > 0
    cards.assert_all_is_given_back()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited on Linux only")
def test_what_the_reference_has_no_memory_for_is_timed_out_and_not_compared():
    samples = (sample(), sample(((3, 4),)))
    limits = Limits(wall_s=600, memory_bytes=200 << 20)
    given = handmade_deck(same=SAME, hungry=HUNGRY)
    opened = OpenComparison(EngineComparison(given, samples, (limits,) * 2, (Reference(), Reference())))
    tally = opened.compare([(solver, at) for at in range(2) for solver in range(2)], SharedProgress())
    assert (tally.found, tally.timed_out, tally.compared) == ([], 2, 2)


def test_what_a_gpu_left_is_counted_and_not_compared(cards: Cards):
    cards.kernel.over = lambda spread: spread < 300
    tally = compared(on_gpus((0,)), on_cpu())
    assert tally.unsupported.keys() == {Cause.THREAD_LIMIT.text}
    assert 0 < tally.unsupported[Cause.THREAD_LIMIT.text] == tally.evaluations - tally.compared < tally.evaluations


def test_what_the_measure_leaves_is_not_run_and_not_compared():
    left = on_cpu(work=1)
    tally = compared(ENGINES["cpu-direct"], left, solvers=15)
    assert tally.found == []
    assert 0 < tally.statuses["not_run"] == tally.unsupported["long work"] == tally.evaluations - tally.compared


def test_a_gpu_that_does_otherwise_is_found(cards: Cards):
    evaluate = cards.kernel.evaluate

    def wrong(told: np.void) -> None:
        told["budget_steps"] = 50
        evaluate(told)

    cards.kernel.evaluate = wrong  # type: ignore[method-assign]
    found = compared(on_gpus((0,)), on_cpu()).found
    assert {each.engine for each in found} == {"cuda"}
    assert "over_budget" in found[0].what


def test_nothing_is_compared_where_a_gpu_is_left_out(cards: Cards):
    cards.cupy.fails_at_launch = 0
    with pytest.raises(UsageError, match=r"^cuda: a GPU failed, so nothing is compared: GPU 0 \(Fake Card\): a kernel"):
        compared(on_gpus((0,)), on_cpu())


@pytest.mark.usefixtures("cards")
def test_gpus_are_named_as_an_engine():
    assert engines_named("cuda,cpu") == (on_gpus(), on_cpu())
    assert engines_named("cpu, cuda", (0, 1)) == (on_cpu(), on_gpus((0, 1)))
    with pytest.raises(UsageError, match=r"^there is no GPU 2; GPUs here: 0, 1$"):
        engines_named("cuda,cpu", (2,))
    with pytest.raises(UsageError, match="devices are GPUs, and none of these engines uses any: cpu,reference"):
        engines_named("cpu,reference", ())


def test_without_a_gpu_it_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch):
    FakeCupy(count_error=100).use(monkeypatch)
    with pytest.raises(UsageError, match=r"^engine 'cuda' is not available: "):
        engines_named("cuda,cpu")
