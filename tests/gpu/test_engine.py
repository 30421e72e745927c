"""The cuda engine for real: the cpu engine's records, and memory that is given back. Run on a machine with a GPU."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import batt
import hard_programs
import rearc
from batt.bytecode.abi import Ended
from batt.jobs import evaluate, samples_of
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Status, usable_cores
from batt.runtime.batch import batch_of
from batt.runtime.cpu import WORK, CpuEngine, Job
from batt.runtime.cuda import Device, kernels, missing, opening
from batt.runtime.cuda import engine as engine_module
from batt.runtime.cuda.engine import LAUNCH_LIMIT, CudaEngine
from batt.runtime.cuda.launch import TOGETHER, Prepared, Slot
from batt.runtime.evaluations import Block, Evaluations
from batt.runtime.native import RESULT_TYPE, Budget, NativeBatch, NativeProgram, library
from batt.runtime.options import Options
from batt.runtime.thread import Call
from gathered import assert_same, gather
from output_texts import texts_of
from small_lanes import FEW_STEPS, lanes_with

WHY_NOT = missing()

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(WHY_NOT is not None, reason=f"no GPU: {WHY_NOT}")]

PATIENT = Limits(wall_s=600)
TIGHT = Limits(steps=3_000, max_items=900, wall_s=600)
DECKS = {"built-in": 40, "re-arc": 10}
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
    cpu = CpuEngine(job, Options(limits=limits))
    expected = gather(cpu)
    # The threads leave all that a GPU can do to it.
    engine = CudaEngine(job, Options(limits=limits), beside=False)
    assert_same(gather(engine), expected)
    assert engine.fallbacks == cpu.fallbacks
    refused = job.evaluations.total - engine.on_device - sum(engine.left_over.values())
    assert refused <= sum(cpu.fallbacks.values())
    assert engine.on_device > 0.8 * job.evaluations.total, engine.left_over
    assert [line for line in engine.notes if "continuing without it" in line] == []


def test_threads_beside_a_gpu_change_no_record():
    job = job_on("built-in", 40, True)
    expected = gather(CpuEngine(job, Options(limits=PATIENT)))
    for workers in (1, usable_cores()):
        assert_same(gather(CudaEngine(job, Options(limits=PATIENT, workers=workers))), expected)


@pytest.mark.parametrize("compiled", [False, True])
def test_the_job_gives_the_same_on_both_engines(compiled: bool):
    tasks = batt.load_tasks("arc1-training").select(None, 40)
    found, expected = [
        evaluate(batt.load_deck(), tasks, engine=engine, limits=PATIENT, compiled=compiled)
        for engine in ("cuda", "cpu")
    ]
    assert found.engine == "cuda"
    assert_same(found.records, expected.records)


def test_memory_is_given_back_also_after_a_run_that_is_closed_early():
    job = job_on("built-in", 40, True)
    threads = threading.active_count()
    # What the driver keeps for a kernel's threads is taken with the first launch, and stays with this process.
    gather(CudaEngine(job, Options(limits=PATIENT, workers=2), beside=False))
    with Device(0) as device:
        before = device.free_bytes
        gather(CudaEngine(job, Options(limits=PATIENT, workers=2), beside=False))
        assert device.free_bytes >= before - MIB
        engine = CudaEngine(job, Options(limits=PATIENT, workers=2), beside=False)
        blocks = engine.run()
        first = next(blocks)
        blocks.close()
        assert device.free_bytes >= before - MIB
        numbers = np.concatenate([done.numbers for done in (first, *engine.remains)])
        assert len(set(numbers.tolist())) == len(numbers) == engine.native
    assert threading.active_count() == threads


def test_no_more_than_the_share_of_the_card_is_taken():
    job = job_on("built-in", 10, True)
    expected = gather(CpuEngine(job, Options(limits=PATIENT)))
    gather(CudaEngine(job, Options(limits=PATIENT, workers=2), beside=False))
    with Device(0) as device:
        in_use = device.info.total_bytes - device.free_bytes
        share = (in_use + 4096 * MIB) / device.info.total_bytes
        least = [device.free_bytes]
        engine = CudaEngine(job, Options(limits=PATIENT, workers=2, gpu_memory=share), beside=False)
        engine.observe = lambda part: least.append(device.free_bytes)
        assert_same(gather(engine), expected)
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
def together(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many evaluations each launch with lanes together had."""
    counts: list[int] = []
    run = Slot.run

    def counted(slot: Slot, block: Block, slices: Any) -> Call:
        part = run(slot, block, slices)
        if slot.way is TOGETHER:
            counts.append(len(part.ran))
        return part

    monkeypatch.setattr(Slot, "run", counted)
    return counts


@pytest.mark.parametrize("mixed", [False, True], ids=["every pair", "any pairs"])
@pytest.mark.parametrize("compiled", [False, True], ids=["as they stand", "compiled"])
def test_the_hard_parts_of_the_machine_give_the_same(compiled: bool, mixed: bool, together: list[int]):
    job = hard_job(compiled, 2048, mixed)
    engine = CudaEngine(job, Options(limits=PATIENT), beside=False)
    assert_same(gather(engine), gather(CpuEngine(job, Options(limits=PATIENT))))
    # Some need more memory or steps than a launch in lanes gives: lanes together run them, or threads.
    assert sum(together) + engine.left_over[LAUNCH_LIMIT] > 0
    assert engine.on_device > 0.3 * job.evaluations.total, engine.left_over


def results_by_number(job: Job) -> npt.NDArray[Any]:
    """What native code on the CPU comes to, with its steps."""
    results = np.zeros(job.evaluations.total, RESULT_TYPE)
    results["status"] = Ended.UNSUPPORTED

    def note(part: Call) -> None:
        results[part.ran.numbers] = part.results

    for _ in CpuEngine(job, Options(limits=PATIENT), observe=note).run(natively_only=True):
        pass
    return results


@pytest.mark.parametrize("compiled", [False, True], ids=["as they stand", "compiled"])
@pytest.mark.parametrize("deck", ["hard", *DECKS])
def test_lanes_together_give_what_the_cpu_gives(deck: str, compiled: bool):
    job = hard_job(compiled, 512) if deck == "hard" else job_on(deck, 5, compiled)
    expected = results_by_number(job)
    found, made = library(job.image.table), batch_of(job.evaluations.samples)
    program = NativeProgram(found, job.image.words, job.image.pool)
    batch = NativeBatch(found, made.data, made.ends, made.rows)
    left = 0
    with Device(0) as device:
        kernel = kernels.load(device, TOGETHER.options)
        prepared = Prepared(device, kernel, program, batch, Budget(PATIENT.steps, PATIENT.max_items, WORK), Options())
        slots = prepared.together(kernel, [])
        block = job.evaluations.block(0, job.evaluations.total)
        block = block[job.slice_of[block.solvers] >= 0]
        while len(block):
            # Each in turn: the one's memory is not the other's.
            slots.append(slots.pop(0))
            part = slots[0].run(block[:STRIDE], job.slice_of[block.solvers[:STRIDE]])
            kept = part.results["status"] < Ended.UNSUPPORTED
            left += int((~kept).sum())
            wanted = expected[part.ran.numbers][kept]
            for name in ("status", "error", "steps", "hash", "shape"):
                assert part.results[name][kept].tolist() == wanted[name].tolist(), name
            block = block[len(part.ran) :]
        for slot in slots:
            slot.close()
    batch.close()
    program.close()
    assert left < 0.05 * job.evaluations.total


def outputs_of(engine: CpuEngine) -> list[str | None]:
    """The outputs by number; none may come twice."""
    texts: list[str | None] = [None] * engine.job.evaluations.total
    for done in engine.run():
        assert done.outputs is not None
        for number, text in zip(done.numbers.tolist(), texts_of(done.outputs), strict=True):
            assert texts[number] is None, "an output came twice"
            texts[number] = text
    return texts


def assert_same_outputs(job: Job, engine: CudaEngine) -> None:
    found, expected = outputs_of(engine), outputs_of(CpuEngine(job, Options(limits=PATIENT, outputs=True)))
    assert None not in found
    assert [(at, *pair) for at, pair in enumerate(zip(found, expected, strict=True)) if pair[0] != pair[1]][:5] == []


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("deck", ["hard", *DECKS])
def test_outputs_are_those_of_the_cpu_engine(deck: str, compiled: bool):
    job = hard_job(compiled, 40) if deck == "hard" else job_on(deck, 10, compiled)
    engine = CudaEngine(job, Options(limits=PATIENT, outputs=True), beside=False)
    assert_same_outputs(job, engine)
    if deck == "built-in":
        assert engine.on_device > 0.5 * job.evaluations.total, engine.left_over


def test_outputs_that_find_no_room_are_those_of_the_cpu_engine(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("batt.runtime.cuda.launch.OUTPUT_BYTES", 8)
    job = job_on("built-in", 10, True)
    engine = CudaEngine(job, Options(limits=PATIENT, outputs=True), beside=False)
    assert_same_outputs(job, engine)
    assert engine.left_over["an output that is not a grid"] > 0
    assert engine.on_device > 0


@pytest.fixture
def few_steps() -> Iterator[None]:
    """Launches in lanes leave more than usual."""
    with lanes_with(steps=FEW_STEPS):
        yield


@pytest.fixture
def soon_heavy(monkeypatch: pytest.MonkeyPatch, few_steps: None) -> None:
    """What a launch in lanes leaves is heavy for a thread too, and a few are worth a launch with lanes together."""
    monkeypatch.setattr(engine_module, "HEAVY_STEPS", FEW_STEPS)
    for module in (engine_module, opening):
        monkeypatch.setattr(module, "GPU_FROM", 32)


@pytest.mark.usefixtures("soon_heavy")
@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("deck", ["hard", *DECKS])
def test_heavy_evaluations_together_give_the_records_of_the_cpu_engine(deck: str, beside: bool, together: list[int]):
    job = hard_job(True, 2048) if deck == "hard" else job_on(deck, DECKS[deck], True)
    expected = gather(CpuEngine(job, Options(limits=PATIENT)))
    engine = CudaEngine(job, Options(limits=PATIENT), beside=beside)
    assert_same(gather(engine), expected)
    # With threads beside it, all may be over before there is enough for a launch.
    assert beside or sum(together) > 0
    assert [line for line in engine.notes if "continuing without it" in line] == []


@pytest.mark.usefixtures("soon_heavy")
def test_heavy_evaluations_together_give_the_outputs_of_the_cpu_engine(together: list[int]):
    job = job_on("built-in", 20, True)
    assert_same_outputs(job, CudaEngine(job, Options(limits=PATIENT, outputs=True), beside=False))
    assert sum(together) > 0


@pytest.mark.usefixtures("soon_heavy")
def test_heavy_evaluations_over_a_budget_are_over_it_together_too(together: list[int]):
    job = job_on("built-in", 20, True)
    limits = Limits(steps=20_000, max_items=20_000, wall_s=600)
    expected = gather(CpuEngine(job, Options(limits=limits)))
    assert (expected["status"] == Status.OVER_BUDGET).any()
    assert_same(gather(CudaEngine(job, Options(limits=limits), beside=False)), expected)
    assert sum(together) > 0


@pytest.mark.usefixtures("few_steps")
@pytest.mark.parametrize("steps", [FEW_STEPS + 1, 20_000])
def test_a_budget_below_what_is_heavy_ends_the_same_evaluations(steps: int, together: list[int]):
    job = hard_job(True, 2048)
    limits = Limits(steps=steps, wall_s=600)
    expected = gather(CpuEngine(job, Options(limits=limits)))
    assert (expected["status"] == Status.OVER_BUDGET).any()
    for beside in (True, False):
        engine = CudaEngine(job, Options(limits=limits), beside=beside)
        assert_same(gather(engine), expected)
    assert sum(together) + engine.left_over[LAUNCH_LIMIT] > 0
