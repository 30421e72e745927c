"""The cuda engine for real: the cpu engine's records, and memory that is given back. Run on a machine with a GPU."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import batt
import hard_programs
import rearc
from batt.bench.frozen import first_132
from batt.bytecode.abi import Cause
from batt.jobs import evaluate, samples_of
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Status, usable_cores
from batt.runtime.batch import pack_samples
from batt.runtime.collected import Collected
from batt.runtime.cpu import tier as cpu_module
from batt.runtime.cuda import Device, kernels, launch, missing
from batt.runtime.cuda.launch import LaunchSlot, Prepared
from batt.runtime.cuda.modes import FIRST_STEPS, LIGHT_WARPS, THREADS, WARPS
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.native import Budget, NativeBatch, NativeProgram, library
from batt.runtime.options import WORK, Options
from batt.runtime.tier import CPU, Part
from gathered import Once, assert_same, gather, ladder_on
from output_texts import texts_of
from small_launches import FEW_STEPS, launch_warps_from, threads_with

WHY_NOT = missing()

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(WHY_NOT is not None, reason=f"no GPU: {WHY_NOT}")]

PATIENT = Limits(wall_s=600)
LIMIT = Cause.THREAD_LIMIT.text
TIGHT = Limits(steps=3_000, max_items=900, wall_s=600)
DECKS = {"first-132": 40, "re-arc": 10}
"""Decks, and the tasks that each is run on."""
MIB = 1 << 20
STRIDE = 20_000
"""Evaluations of a launch at most, so that there are several."""


def job_on(deck: str, tasks: int, compiled: bool) -> Job:
    solvers = rearc.whole_deck(deck)
    samples = samples_of(batt.load_tasks("arc1-training").select(None, tasks))
    return prepare(solvers.programs, Options(compiled=compiled, share=False)).on(Evaluations(samples, len(solvers)))


@pytest.mark.parametrize("limits", [PATIENT, TIGHT], ids=["plenty", "tight"])
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("deck", DECKS)
def test_records_are_those_of_the_cpu_engine(deck: str, compiled: bool, limits: Limits):
    job = job_on(deck, DECKS[deck], compiled)
    cpu = ladder_on(job, "cpu", limits=limits)
    expected = gather(cpu)
    # The CPU leaves all that a GPU can do to it.
    ladder = ladder_on(job, "cuda", limits=limits)
    assert_same(gather(ladder), expected)
    assert ladder.counts.deferred_to_reference == cpu.counts.deferred_to_reference
    refused = job.evaluations.total - ladder.counts.on_gpus - sum(ladder.counts.deferred_by_gpus.values())
    assert refused <= sum(cpu.counts.deferred_to_reference.values())
    assert ladder.counts.on_gpus > 0.8 * job.evaluations.total, ladder.counts.deferred_by_gpus
    assert [line for line in ladder.notes if "continuing without it" in line] == []


def test_a_cpu_beside_a_gpu_changes_no_record():
    job = job_on("first-132", 40, True)
    expected = gather(ladder_on(job, "cpu", limits=PATIENT))
    for workers in (1, usable_cores()):
        assert_same(gather(ladder_on(job, "cuda", beside=True, limits=PATIENT, workers=workers)), expected)


@pytest.mark.parametrize("compiled", [False, True])
def test_the_job_gives_the_same_on_both_engines(compiled: bool):
    tasks = batt.load_tasks("arc1-training").select(None, 40)
    found, expected = [
        evaluate(first_132(), tasks, engine=engine, limits=PATIENT, compiled=compiled) for engine in ("cuda", "cpu")
    ]
    assert found.engine == "cuda"
    assert_same(found.records, expected.records)


@pytest.mark.alone
def test_memory_is_given_back_also_after_a_run_that_is_interrupted(monkeypatch: pytest.MonkeyPatch):
    job = job_on("first-132", 40, True)
    threads = threading.active_count()
    # What the driver keeps for a kernel's threads is taken with the first launch, and stays with this process.
    gather(ladder_on(job, "cuda", limits=PATIENT, workers=2))
    with Device(0) as device:
        before = device.free_bytes
        gather(ladder_on(job, "cuda", limits=PATIENT, workers=2))
        assert device.free_bytes >= before - MIB
        run, begun = LaunchSlot.run, threading.Event()

        class Interrupting(Once):
            """Interrupts the run as soon as a launch has begun: it is waited for, and what it did is kept."""

            def on_poll(self) -> None:
                if begun.is_set():
                    raise KeyboardInterrupt

        monkeypatch.setattr(LaunchSlot, "run", lambda *args: (begun.set(), run(*args))[1])
        ladder = ladder_on(job, "cuda", Interrupting, limits=PATIENT, workers=2)
        with pytest.raises(KeyboardInterrupt):
            ladder.run()
        assert device.free_bytes >= before - MIB
        assert isinstance(ladder.observer, Once)
        assert 0 < (ladder.observer.records["status"] != Status.NOT_RUN).sum() == ladder.counts.native
    assert threading.active_count() == threads


@pytest.mark.alone
def test_no_more_than_the_share_of_the_card_is_taken():
    job = job_on("first-132", 10, True)
    expected = gather(ladder_on(job, "cpu", limits=PATIENT))
    gather(ladder_on(job, "cuda", limits=PATIENT, workers=2))
    with Device(0) as device:
        in_use = device.info.total_bytes - device.free_bytes
        share = (in_use + 4096 * MIB) / device.info.total_bytes
        least = [device.free_bytes]

        class Looking(Once):
            def on_part(self, part: Part) -> None:
                super().on_part(part)
                least.append(device.free_bytes)

        ladder = ladder_on(job, "cuda", Looking, limits=PATIENT, workers=2, gpu_memory=share)
        assert_same(gather(ladder), expected)
        assert device.info.total_bytes - min(least) <= share * device.info.total_bytes + 64 * MIB


def hard_job(compiled: bool, count: int, mixed: bool = False) -> Job:
    """Every hard program on every sample, or as many evaluations of any on any."""
    deck, samples = hard_programs.deck(), hard_programs.samples(count)
    evaluations = Evaluations(samples, len(deck))
    if mixed:
        generator = np.random.default_rng(6)
        pairs = [generator.integers(0, most, evaluations.total) for most in (len(deck), count)]
        evaluations = Evaluations(samples, len(deck), *pairs)
    return prepare(deck.programs, Options(compiled=compiled, share=False)).on(evaluations)


@pytest.fixture
def by_warps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many evaluations each kernel of warps ran: launches of their own, and ends of launches of threads."""
    counts: list[int] = []
    launched = Device.launch

    def counted(device: Device, kernel: Any, blocks: int, threads: int, argument: Any, stream: Any) -> None:
        if threads in (WARPS.block * WARPS.threads, LIGHT_WARPS.block * LIGHT_WARPS.threads):
            counts.append(int(argument["count"]))
        launched(device, kernel, blocks, threads, argument, stream)

    monkeypatch.setattr(Device, "launch", counted)
    return counts


def begun_in(part: Part) -> int:
    """How many evaluations a launch ran, whatever it made of them."""
    return len(part.block) + sum(map(len, part.deferred.values()))


@pytest.mark.parametrize("first_steps", [FIRST_STEPS, THREADS.steps], ids=["two kernels", "one kernel"])
@pytest.mark.parametrize("mixed", [False, True], ids=["every pair", "any pairs"])
@pytest.mark.parametrize("compiled", [False, True], ids=["as they stand", "compiled"])
def test_the_hard_parts_of_the_machine_give_the_same(
    monkeypatch: pytest.MonkeyPatch, compiled: bool, mixed: bool, first_steps: int, by_warps: list[int]
):
    monkeypatch.setattr(launch, "FIRST_STEPS", first_steps)
    job = hard_job(compiled, 2048, mixed)
    ladder = ladder_on(job, "cuda", limits=PATIENT)
    assert_same(gather(ladder), gather(ladder_on(job, "cpu", limits=PATIENT)))
    # Some need more memory or steps than a GPU's thread has: the second kernel runs them, or warps, or the CPU.
    assert sum(by_warps) + ladder.counts.deferred_by_gpus[LIMIT] > 0
    assert ladder.counts.on_gpus > 0.3 * job.evaluations.total, ladder.counts.deferred_by_gpus


@pytest.mark.parametrize("compiled", [False, True], ids=["as they stand", "compiled"])
@pytest.mark.parametrize("deck", ["hard", *DECKS])
def test_warps_give_what_the_cpu_gives(deck: str, compiled: bool):
    job = hard_job(compiled, 512) if deck == "hard" else job_on(deck, 5, compiled)
    expected = Collected(job.evaluations.total)
    Ladder(job, Options(limits=PATIENT), (CPU,), expected).run()
    found, made = library(job.image.table), pack_samples(job.evaluations.samples)
    program = NativeProgram(found, job.image.words, job.image.pool)
    batch = NativeBatch(found, made.data, made.ends, made.rows)
    deferred = 0
    with Device(0) as device:
        kernel = kernels.load(device, WARPS.options)
        prepared = Prepared(device, kernel, program, batch, Budget(PATIENT.steps, PATIENT.max_items, WORK), Options())
        slots = prepared.warp_slots(kernel, [])
        block = job.evaluations.block(0, job.evaluations.total)
        block = block[job.slice_of[block.solvers] >= 0]
        while len(block):
            # Each in turn: the one's memory is not the other's.
            slots.append(slots.pop(0))
            part = slots[0].run(block[:STRIDE], job.slice_of[block.solvers[:STRIDE]])()
            deferred += begun_in(part) - len(part.block)
            assert_same(part.records, expected.records[part.block.numbers])
            assert part.steps.tolist() == expected.steps[part.block.numbers].tolist()
            block = block[begun_in(part) :]
        for slot in slots:
            slot.close()
    batch.close()
    program.close()
    assert deferred < 0.05 * job.evaluations.total


def outputs_of(ladder: Ladder) -> list[str | None]:
    """The outputs by number; no evaluation may come twice."""
    texts: list[str | None] = [None] * len(gather(ladder))
    assert isinstance(ladder.observer, Once)
    for part in ladder.observer.parts:
        assert part.outputs is not None
        for number, text in zip(part.block.numbers.tolist(), texts_of(part.outputs), strict=True):
            texts[number] = text
    return texts


def assert_same_outputs(job: Job, ladder: Ladder) -> None:
    found, expected = outputs_of(ladder), outputs_of(ladder_on(job, "cpu", limits=PATIENT, outputs=True))
    assert None not in found
    assert [(at, *pair) for at, pair in enumerate(zip(found, expected, strict=True)) if pair[0] != pair[1]][:5] == []


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("deck", ["hard", *DECKS])
def test_outputs_are_those_of_the_cpu_engine(deck: str, compiled: bool):
    job = hard_job(compiled, 40) if deck == "hard" else job_on(deck, 10, compiled)
    ladder = ladder_on(job, "cuda", limits=PATIENT, outputs=True)
    assert_same_outputs(job, ladder)
    if deck == "first-132":
        assert ladder.counts.on_gpus > 0.5 * job.evaluations.total, ladder.counts.deferred_by_gpus


def test_outputs_that_find_no_room_are_those_of_the_cpu_engine(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("batt.runtime.cuda.launch.OUTPUT_BYTES", 8)
    job = job_on("first-132", 10, True)
    ladder = ladder_on(job, "cuda", limits=PATIENT, outputs=True)
    assert_same_outputs(job, ladder)
    assert ladder.counts.deferred_by_gpus[Cause.OTHER_OUTPUT.text] > 0
    assert ladder.counts.on_gpus > 0


@pytest.fixture
def few_steps() -> Iterator[None]:
    """Launches of threads defer more than usual."""
    with threads_with(steps=FEW_STEPS):
        yield


@pytest.fixture
def soon_heavy(monkeypatch: pytest.MonkeyPatch, few_steps: None) -> None:
    """What a launch of threads defers is heavy for the CPU too, and a few are worth a launch of warps."""
    monkeypatch.setattr(cpu_module, "HEAVY_STEPS", FEW_STEPS)
    launch_warps_from(monkeypatch, 32)


@pytest.mark.usefixtures("soon_heavy")
@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("deck", ["hard", *DECKS])
def test_heavy_evaluations_on_warps_give_the_records_of_the_cpu_engine(deck: str, beside: bool, by_warps: list[int]):
    job = hard_job(True, 2048) if deck == "hard" else job_on(deck, DECKS[deck], True)
    expected = gather(ladder_on(job, "cpu", limits=PATIENT))
    ladder = ladder_on(job, "cuda", beside=beside, limits=PATIENT)
    assert_same(gather(ladder), expected)
    # With a CPU beside it, all may be over before there is enough for a launch.
    assert beside or sum(by_warps) > 0
    assert [line for line in ladder.notes if "continuing without it" in line] == []


@pytest.mark.usefixtures("soon_heavy")
def test_heavy_evaluations_on_warps_give_the_outputs_of_the_cpu_engine(by_warps: list[int]):
    job = job_on("first-132", 20, True)
    assert_same_outputs(job, ladder_on(job, "cuda", limits=PATIENT, outputs=True))
    assert sum(by_warps) > 0


@pytest.mark.usefixtures("soon_heavy")
def test_heavy_evaluations_over_a_budget_are_over_it_on_warps_too(by_warps: list[int]):
    job = job_on("first-132", 20, True)
    limits = Limits(steps=20_000, max_items=20_000, wall_s=600)
    expected = gather(ladder_on(job, "cpu", limits=limits))
    assert (expected["status"] == Status.OVER_BUDGET).any()
    assert_same(gather(ladder_on(job, "cuda", limits=limits)), expected)
    assert sum(by_warps) > 0


@pytest.mark.usefixtures("few_steps")
@pytest.mark.parametrize("steps", [FEW_STEPS + 1, 20_000])
def test_a_budget_below_what_is_heavy_ends_the_same_evaluations(steps: int, by_warps: list[int]):
    job = hard_job(True, 2048)
    limits = Limits(steps=steps, wall_s=600)
    expected = gather(ladder_on(job, "cpu", limits=limits))
    assert (expected["status"] == Status.OVER_BUDGET).any()
    for beside in (True, False):
        ladder = ladder_on(job, "cuda", beside=beside, limits=limits)
        assert_same(gather(ladder), expected)
    assert sum(by_warps) + ladder.counts.deferred_by_gpus[LIMIT] > 0
