"""The cuda engine for real: the cpu engine's records, and memory that is given back. Run on a machine with a GPU."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import batt
import rearc
from batt.jobs import evaluate, samples_of
from batt.jobs.native import encoded, job_of
from batt.runtime import Limits, Status, usable_cores
from batt.runtime.blocks import Order
from batt.runtime.cpu import CpuEngine, Job
from batt.runtime.cuda import Device, missing
from batt.runtime.cuda.engine import CudaEngine
from batt.runtime.records import put, unfilled

WHY_NOT = missing()

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(WHY_NOT is not None, reason=f"no GPU: {WHY_NOT}")]

PATIENT = Limits(wall_s=600)
TIGHT = Limits(steps=3_000, max_items=900, wall_s=600)
DECKS = {"built-in": 40, "re-arc": 10}
"""Decks, and the tasks that each is run on."""
MIB = 1 << 20


def job_on(deck: str, tasks: int, compiled: bool) -> Job:
    solvers = rearc.whole_deck(deck)
    samples = samples_of(batt.load_tasks("arc1-training").select(None, tasks))
    return job_of(solvers, encoded(solvers, compiled, False), samples, Order(len(solvers), len(samples)))


def gather(engine: CpuEngine) -> npt.NDArray[Any]:
    """The records by number; no evaluation may come twice."""
    records = unfilled(engine.job.order.total)
    for done in engine.run():
        assert (records["status"][done.numbers] == Status.NOT_RUN).all(), "an evaluation came twice"
        put(records, done.numbers, done.records)
    return records


def assert_same(found: npt.NDArray[Any], expected: npt.NDArray[Any]) -> None:
    differing = np.flatnonzero(found != expected)
    assert [(at, found[at], expected[at]) for at in differing[:5]] == []


@pytest.mark.parametrize("limits", [PATIENT, TIGHT], ids=["plenty", "tight"])
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("deck", DECKS)
def test_records_are_those_of_the_cpu_engine(deck: str, compiled: bool, limits: Limits):
    job = job_on(deck, DECKS[deck], compiled)
    cpu = CpuEngine(job, limits, False, usable_cores())
    expected = gather(cpu)
    # The threads leave all that a GPU can do to it.
    engine = CudaEngine(job, limits, False, usable_cores(), beside=False)
    assert_same(gather(engine), expected)
    assert engine.fallbacks == cpu.fallbacks
    refused = job.order.total - engine.on_device - sum(engine.left_over.values())
    assert refused <= sum(cpu.fallbacks.values())
    assert engine.on_device > 0.8 * job.order.total, engine.left_over
    assert [line for line in engine.notes if "going on without it" in line] == []


def test_threads_beside_a_gpu_change_no_record():
    job = job_on("built-in", 40, True)
    expected = gather(CpuEngine(job, PATIENT, False, usable_cores()))
    for workers in (1, usable_cores()):
        assert_same(gather(CudaEngine(job, PATIENT, False, workers)), expected)


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
    gather(CudaEngine(job, PATIENT, False, 2, beside=False))
    with Device(0) as device:
        before = device.free_bytes
        gather(CudaEngine(job, PATIENT, False, 2, beside=False))
        assert device.free_bytes >= before - MIB
        engine = CudaEngine(job, PATIENT, False, 2, beside=False)
        blocks = engine.run()
        first = next(blocks)
        blocks.close()
        assert device.free_bytes >= before - MIB
        numbers = np.concatenate([done.numbers for done in (first, *engine.remains)])
        assert len(set(numbers.tolist())) == len(numbers) == engine.native
    assert threading.active_count() == threads


def test_no_more_than_the_share_of_the_card_is_taken(monkeypatch: pytest.MonkeyPatch):
    job = job_on("built-in", 10, True)
    expected = gather(CpuEngine(job, PATIENT, False, usable_cores()))
    gather(CudaEngine(job, PATIENT, False, 2, beside=False))
    with Device(0) as device:
        in_use = device.info.total_bytes - device.free_bytes
        share = (in_use + 4096 * MIB) / device.info.total_bytes
        monkeypatch.setenv("BATT_GPU_MEMORY", f"{share:.4f}")
        least = [device.free_bytes]
        engine = CudaEngine(job, PATIENT, False, 2, beside=False)
        engine.observe = lambda part: least.append(device.free_bytes)
        assert_same(gather(engine), expected)
        assert device.info.total_bytes - min(least) <= share * device.info.total_bytes + 64 * MIB
