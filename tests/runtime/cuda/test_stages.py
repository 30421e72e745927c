"""What solvers share, computed once per sample on GPUs: the same records, on a fake card and by the real kernel."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import batt
import host_kernel
from batt.bench.frozen import first_132
from batt.bytecode.abi import Cause
from batt.check.shared_decks import shared_sources
from batt.check.sharing import random_samples
from batt.front import Deck
from batt.jobs import evaluate, samples_of
from batt.jobs.prepare import prepare
from batt.ops import WORDS_LINE
from batt.runtime import Limits, Sample, evaluate_one
from batt.runtime.cpu import tier as cpu_module
from batt.runtime.cuda import kernels, launch, staging
from batt.runtime.cuda.modes import LIGHT_WARPS, THREADS, WARPS
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.options import Options
from batt.runtime.scores import PACKED, pack_score
from batt.runtime.tier import CUDA_THREADS
from batt.runtime.waiting import Waiting
from batt.variants.templates import make_template
from fake_cards import CARD, PATIENT, ROOMY, Cards, by_cpu, card_of_evaluate, gather, samples
from fake_cupy import Card
from handmade import deck, deck_using_s, program
from native_library import needs_library
from output_texts import run_texts
from small_launches import launch_warps_from, threads_with

pytestmark = needs_library

TIGHT = Limits(steps=3_000, max_items=900, wall_s=600)
FULL, LIMIT = Cause.ARENA_FULL.text, Cause.THREAD_LIMIT.text

SHARING = deck(**{f"s{n}": ("a = objects(I, T, T, F)", f"x = (a, {n})") for n in range(6)})
USING_S = deck_using_s(
    of_S=("a = apply(last, S)", "b = merge(a)"),
    of_both=("a = apply(last, S)", "b = objects(I, T, F, T)"),
    failing=("a = first(first(S))", "b = upscale(a, a)"),
)
FAILING = deck(
    **{f"f{n}": ("a = objects(I, T, T, T)", "b = first(a)", "c = upscale(I, I)", f"x = (c, {n})") for n in range(4)},
    **{f"e{n}": ("a = objects(I, T, T, T)", "b = argmax(a, size)", f"x = ({n}, b)") for n in range(4)},
)
REPEATED = deck(**{f"r{n}": ("a = repeat(I, 40)", "b = repeat(a, 40)", f"x = (b, {n})") for n in range(3)})
"""What holds one part many times over."""


def staged_job(solvers: Deck, taken: Sequence[Sample], share: bool = True) -> Job:
    job = prepare(solvers.programs, Options(compiled=True, share=share))
    assert bool(job.image.stage_entries) == share
    return job.on(Evaluations(taken, len(solvers)))


def training(tasks: int) -> tuple[Sample, ...]:
    return samples_of(batt.load_tasks("arc1-training").select(None, tasks))


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cards:
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(kernels, "_made", {})
    return Cards(monkeypatch)


@pytest.fixture(scope="session")
def forms(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, ctypes.CDLL]:
    return host_kernel.compiled(tmp_path_factory.mktemp("kernel"))


@pytest.fixture
def hosted(cards: Cards, forms: dict[bool, ctypes.CDLL], monkeypatch: pytest.MonkeyPatch) -> Cards:
    """A card whose kernel is the real one, on the host; a few heavy evaluations are worth a launch."""
    cards.kernel = host_kernel.HostKernel(cards.cupy, cards.loaded, forms)
    cards.cupy.cards = [ROOMY]
    launch_warps_from(monkeypatch, 2)
    return cards


@pytest.mark.parametrize("solvers", [SHARING, USING_S, FAILING], ids=["shared", "S", "failing"])
def test_records_are_those_of_the_cpu_engine(cards: Cards, solvers: Deck):
    taken = training(8)
    ladder = cards.make(staged_job(solvers, taken))
    assert gather(ladder) == by_cpu(staged_job(solvers, taken, share=False))
    assert ladder.counts.on_gpus == ladder.job.evaluations.total
    assert sorted(sample for each in cards.kernel.staged for sample in each) == list(range(len(taken)))
    # Both forms of the kernel, of which one is loaded for two functions.
    assert len(cards.cupy.loaded) == 2
    cards.assert_all_is_given_back()


def test_no_sample_is_staged_twice(cards: Cards, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(launch, "MAX_ROWS", 6 * 512)
    monkeypatch.setattr(staging, "SAMPLE_BYTES", 1 << 12)
    job = staged_job(SHARING, samples(1500))
    assert gather(cards.make(job)) == by_cpu(job)
    assert Counter(sample for each in cards.kernel.staged for sample in each) == Counter(range(1500))
    # Whole groups but for the last, and ever smaller blocks towards the end.
    assert sorted(map(len, cards.kernel.staged), reverse=True) == [512, 256, 256, 256, 220]
    assert sum(cards.kernel.counts) == 6 * 1536


def test_more_solvers_than_a_launch_holds_take_turns_on_a_group_of_samples(
    cards: Cards, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(launch, "MAX_ROWS", 2 * 256)
    monkeypatch.setattr(staging, "SAMPLE_BYTES", 1 << 12)
    job = staged_job(SHARING, samples(300))
    assert gather(cards.make(job)) == by_cpu(job)
    assert set(cards.kernel.counts) == {512}
    assert len(cards.kernel.counts) == 6
    assert {len(each) for each in cards.kernel.staged} == {256, 44}


def test_a_small_card_holds_fewer_samples(cards: Cards):
    job = staged_job(SHARING, samples(600))
    assert gather(cards.make(job)) == by_cpu(job)
    held = [len(each) for each in cards.kernel.staged]
    assert sum(held) == 600
    # A quarter of a slot, of which there are two in half of four fifths of the card.
    assert max(held) <= 0.8 * (1 << 28) / 4 / 4 / staging.SAMPLE_BYTES


def test_where_there_is_no_room_for_a_stage_the_cpu_does_what_reads_it(cards: Cards):
    cards.kernel.full_stages = lambda numbers: numbers % 3 == 0
    job = staged_job(SHARING, samples(90))
    ladder = cards.make(job)
    assert gather(ladder) == by_cpu(job)
    assert set(ladder.counts.deferred_by_gpus) == {FULL}
    assert ladder.counts.deferred_by_gpus[FULL] % 6 == 0
    assert 0 < ladder.counts.deferred_by_gpus[FULL] < 540
    assert ladder.counts.on_gpus == 540 - ladder.counts.deferred_by_gpus[FULL]


@pytest.mark.parametrize("devices", [(0, 0, 0), (0, 1)])
def test_several_workers_share_the_samples(cards: Cards, devices: tuple[int, ...], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(launch, "MAX_ROWS", 6 * 256)
    cards.cupy.cards = [Card(total_bytes=1 << 30, processors=1)] * 2
    job = staged_job(SHARING, samples(1500))
    ladder = cards.make(job, devices=devices)
    assert gather(ladder) == by_cpu(job)
    assert len(ladder.counts.by_worker) == len(devices)
    assert Counter(sample for each in cards.kernel.staged for sample in each) == Counter(range(1500))
    cards.assert_all_is_given_back()


def test_where_memory_is_short_fewer_samples_are_staged_at_once(cards: Cards):
    job = staged_job(SHARING, samples(200))
    cards.cupy.most_bytes = 24 << 20
    ladder = cards.make(job)
    assert gather(ladder) == by_cpu(job)
    assert ladder.counts.on_gpus == 1200
    assert max(len(each) for each in cards.kernel.staged) < 20
    cards.assert_all_is_given_back()


def test_a_card_that_is_lost_while_it_stages_gives_its_block_back(cards: Cards):
    cards.cupy.fails_at_launch = 0
    job = staged_job(SHARING, samples(90))
    ladder = cards.make(job)
    assert gather(ladder) == by_cpu(job)
    assert (ladder.counts.on_gpus, len(ladder.without)) == (0, 1)


def test_without_the_kernel_that_stages_the_cpu_goes_on(cards: Cards, monkeypatch: pytest.MonkeyPatch):
    cards.cupy.compile_log = "error: no"
    job = staged_job(SHARING, samples(90))
    ladder = cards.make(job)
    assert gather(ladder) == by_cpu(job)
    assert (ladder.counts.on_gpus, len(ladder.without)) == (0, 1)


def test_the_cpu_beside_takes_samples_too(cards: Cards):
    job = staged_job(SHARING, samples(3000))
    assert gather(cards.make(job, beside=True)) == by_cpu(job)


@pytest.mark.parametrize("share", [None, False, True])
def test_evaluate_shares_on_gpus_where_it_is_told_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, share: bool | None
):
    cards = card_of_evaluate(monkeypatch, tmp_path)
    tasks = batt.load_tasks("arc1-training").select(None, 3)
    found, expected = [
        evaluate(SHARING, tasks, engine=engine, limits=PATIENT, compiled=True, share=share, outputs=True)
        for engine in ("cuda", "cpu")
    ]
    assert cards.ladder is not None
    assert bool(cards.ladder.job.image.stage_entries) == (share is True)
    assert found.records.tolist() == expected.records.tolist()
    assert run_texts(found) == run_texts(expected)


@pytest.mark.parametrize("limits", [PATIENT, TIGHT], ids=["plenty", "tight"])
@pytest.mark.parametrize("solvers", [SHARING, USING_S, FAILING, REPEATED], ids=["shared", "S", "failing", "repeated"])
def test_the_kernels_source_gives_the_records_of_the_cpu_engine(hosted: Cards, solvers: Deck, limits: Limits):
    taken = training(6)
    ladder = hosted.make(staged_job(solvers, taken), limits)
    assert gather(ladder) == by_cpu(staged_job(solvers, taken, share=False), limits)
    assert ladder.counts.on_gpus > 0.8 * ladder.job.evaluations.total, ladder.counts.deferred_by_gpus


@pytest.mark.parametrize(("sample_bytes", "least"), [(1 << 11, 0.1), (1 << 13, 0.4), (1 << 19, 0.9)])
def test_the_kernels_source_defers_what_finds_no_room(
    hosted: Cards, monkeypatch: pytest.MonkeyPatch, sample_bytes: int, least: float
):
    monkeypatch.setattr(staging, "SAMPLE_BYTES", sample_bytes)
    solvers, taken = first_132(), training(10)
    job = prepare(solvers.programs, Options(compiled=True, share=True)).on(Evaluations(taken, len(solvers)))
    plain = prepare(solvers.programs, Options(compiled=True, share=False)).on(Evaluations(taken, len(solvers)))
    ladder = hosted.make(job)
    assert gather(ladder) == by_cpu(plain)
    assert ladder.counts.on_gpus > least * job.evaluations.total
    assert set(ladder.counts.deferred_by_gpus) <= {FULL, LIMIT}
    assert (ladder.counts.deferred_by_gpus[FULL] > 0.1 * job.evaluations.total) == (least < 0.9)


def test_steps_of_staged_values_are_no_limit_of_a_launch(hosted: Cards, monkeypatch: pytest.MonkeyPatch):
    heavy_one = ("a = asindices(I)", "b = apply(rbind(astuple, 1), product(a, a))", "c = size(b)")
    solvers = deck(**{f"s{n}": (*heavy_one, f"x = (c, {n})") for n in range(4)})
    taken = [each for each in training(40) if len(each.input) * len(each.input[0]) in range(80, 101)]
    # There is no room for warps, so that the CPU gets what threads defer.
    hosted.cupy.cards = [CARD]
    limits = Limits(steps=300_000, wall_s=600)
    found = [hosted.make(staged_job(solvers, taken, share), limits) for share in (False, True)]
    left = []
    for ladder in found:
        hosted.ladder = ladder
        assert gather(ladder) == by_cpu(ladder.job, limits)
        left.append(ladder.counts.deferred_by_gpus[LIMIT])
    assert left == [found[0].job.evaluations.total, 0]


def test_launches_of_warps_stage_too(hosted: Cards, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cpu_module, "HEAVY_STEPS", 6_000)
    launch_warps_from(monkeypatch, 1)
    monkeypatch.setattr(Waiting, "for_idle_cpu", lambda self, threads: None)
    solvers, taken = first_132(), training(10)
    job = prepare(solvers.programs, Options(compiled=True, share=True)).on(Evaluations(taken, len(solvers)))
    limits = Limits(steps=300_000, wall_s=600)
    assert gather(hosted.make(job, limits)) == by_cpu(job, limits)
    heavy_ones = [at for at, mode in enumerate(hosted.kernel.modes) if mode is WARPS]
    assert len(heavy_ones) < len(hosted.kernel.modes) == len(hosted.kernel.staged)
    assert sum(hosted.kernel.counts[at] for at in heavy_ones) > 9


@pytest.mark.parametrize("share", [False, True])
def test_what_a_warp_makes_in_split_loops_is_moved_whatever_it_is(
    hosted: Cards, monkeypatch: pytest.MonkeyPatch, share: bool
):
    # All evaluations are for warps.
    monkeypatch.setattr(launch, "THREADS", replace(THREADS, steps=1))
    many = "a = repeat(I, TEN)"
    solvers = deck(
        rows=(many, "x = apply(compose(last, hmirror), a)"),
        grids=(many, "x = apply(rot90, a)"),
        places=(many, "x = apply(compose(toindices, asobject), a)"),
        nested=(many, "x = apply(compose(initset, hmirror), a)"),
        sums=(many, "x = apply(compose(size, palette), a)"),
        best=(many, "x = argmax(a, compose(first, vmirror))"),
        some=(many, "x = sfilter(apply(hmirror, a), compose(positive, first))"),
    )
    taken, limits = training(9), Limits(steps=300_000, wall_s=600)
    job = staged_job(solvers, taken, share)
    assert gather(hosted.make(job, limits)) == by_cpu(job, limits)
    assert WARPS in hosted.kernel.modes


@pytest.mark.parametrize("sample_bytes", [1 << 10, 1 << 15, staging.SAMPLE_BYTES])
@pytest.mark.parametrize("seed", [1, 4, 10, 16, 24, 33])
def test_random_decks_that_share_give_the_records_of_the_cpu_engine(
    hosted: Cards, monkeypatch: pytest.MonkeyPatch, seed: int, sample_bytes: int
):
    monkeypatch.setattr(staging, "SAMPLE_BYTES", sample_bytes)
    rng = Random(seed)
    solvers = Deck.from_sources(shared_sources(rng, 5, 2_000))
    taken = tuple(random_samples(rng, 3))
    ladder = hosted.make(staged_job(solvers, taken), beside=False)
    assert gather(ladder) == by_cpu(staged_job(solvers, taken, share=False))
    assert hosted.kernel.staged


def test_a_kernel_without_new_words_defers_what_calls_one(hosted: Cards):
    lines = (
        "tile(I, TWO, TWO, ZERO)",
        "apply(backcolor, (I, I))",
        "inpaint(I, ZERO)",
        "vmirror(I)",
        "objects(I, T, F, T)",
    )
    texts = {f"s{n}": f"{WORDS_LINE}\ndef solve(I):\n    return {line}\n" for n, line in enumerate(lines)}
    solvers, taken = Deck.from_sources(texts), training(6)
    job = prepare(solvers.programs, Options(compiled=True)).on(Evaluations(taken, len(solvers)))
    ladder = hosted.make(job)
    assert gather(ladder) == by_cpu(job)
    assert set(ladder.counts.deferred_by_gpus) == {Cause.MISSING_OP.text}
    assert ladder.counts.deferred_by_gpus[Cause.MISSING_OP.text] == 3 * len(taken)


@pytest.mark.parametrize("words", [False, True])
def test_the_kernel_has_new_words_for_programs_that_call_them(cards: Cards, words: bool):
    line = "shrink(I, TWO)" if words else "hmirror(I)"
    solvers = Deck.from_sources({"s": f"{WORDS_LINE}\ndef solve(I):\n    return {line}\n"})
    job = prepare(solvers.programs, Options(compiled=True)).on(Evaluations(training(6), 1))
    assert gather(cards.make(job)) == by_cpu(job)
    assert ["-DBATT_NEW_WORDS" in options for _, options in cards.cupy.compiled] == [words]


@pytest.mark.parametrize("share", [False, True])
def test_the_kernel_reads_parameters_and_stages_what_depends_on_them(hosted: Cards, share: bool):
    steps = ("a = objects(I, T, F, T)", "b = colorfilter(a, 3)", "c = fill(I, 5, merge(b))", "d = upscale(c, 2)")
    lines = ("x = vmirror(c)", "x = hconcat(c, c)", "x = d", "x = vconcat(d, d)", "x = first(())")
    templates = [make_template(program(*steps, line)) for line in lines]
    assert len({each.parameters for each in templates}) == 1
    programs = {str(number): each.program for number, each in enumerate(templates)}
    assigned = [(*templates[0].values[:3], colour, other, 2) for colour in range(4) for other in (0, 9)]
    taken = [replace(each, parameters=values) for each in training(1) for values in [*assigned, (), ((0, 1),) * 6]]
    job = prepare(programs, Options(compiled=True, share=share))
    assert bool(job.image.stage_entries) == share
    job = job.on(Evaluations(taken, len(programs)))
    ladder = hosted.make(job)
    assert gather(ladder) == by_cpu(job)
    assert ladder.counts.on_gpus > 0.5 * job.evaluations.total


def test_the_kernel_scores_beyond_equality(hosted: Cards):
    job = staged_job(first_132().select(first_132().names[:12]), training(6), share=False)
    ladder = hosted.make(job, scores=True)
    found, parts = gather(ladder), ladder.observer.parts
    assert found == by_cpu(job)
    assert ladder.counts.on_gpus > 0.5 * job.evaluations.total
    for part in parts:
        assert part.scores is not None
        for number, score in zip(part.numbers.tolist(), part.scores.tolist(), strict=True):
            solver, sample = job.evaluations.pair(number)
            given = job.evaluations.samples[sample]
            outcome = evaluate_one(job.programs[solver], given, PATIENT)
            assert score == PACKED.unpack(pack_score(outcome, given))


@pytest.mark.parametrize("count", [10, 300])
def test_a_launch_of_threads_ends_with_warps_for_what_takes_more_than_a_few_steps(
    hosted: Cards, monkeypatch: pytest.MonkeyPatch, count: int
):
    monkeypatch.setattr(launch, "FIRST_STEPS", 40)
    solvers = deck(
        short=("x = vmirror(I)",),
        long=("a = upscale(I, FIVE)", "b = asindices(a)", "x = apply(rbind(multiply, 2), b)"),
        full=("a = upscale(I, TEN)", "b = upscale(a, TEN)", "x = asobject(b)"),
    )
    job = prepare(solvers.programs, Options(compiled=True, share=False)).on(Evaluations(samples(count), len(solvers)))
    limits = Limits(steps=400_000, wall_s=600)
    with threads_with(steps=100_000):
        ladder = hosted.make(job, limits)
        assert gather(ladder) == by_cpu(job, limits)
    assert (LIGHT_WARPS in hosted.kernel.modes) == (2 * count >= launch.LEAST_AGAIN)
    # Few evaluations are deferred instead.
    assert (ladder.counts.finished[CUDA_THREADS] >= 2 * count) == (2 * count >= launch.LEAST_AGAIN)
