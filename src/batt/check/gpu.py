"""Check GPUs: copies of memory, the size of launches, random programs, a run, and memory after a run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.check.batches import AMPLE, RandomBatch
from batt.errors import BattError
from batt.front import Deck
from batt.ir import Literal
from batt.jobs import samples_of
from batt.jobs.prepare import prepare
from batt.ops import OPS, Op
from batt.runtime import Limits, Options, Status, cuda
from batt.runtime.batch import pack_samples
from batt.runtime.collected import Collected
from batt.runtime.context import MOST
from batt.runtime.cuda import kernels
from batt.runtime.cuda.launch import Prepared
from batt.runtime.cuda.memory import NoRoom, allowed_bytes, gib
from batt.runtime.cuda.modes import WARPS
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.native import Budget, NativeBatch, NativeProgram, library
from batt.runtime.options import WORK
from batt.runtime.tier import ENGINES
from batt.tasks import Tasks

PATIENT = Limits(wall_s=120)
FORM = Options(compiled=True, share=False, verify=True)
COPIED_BYTES = 64 << 20
KEPT_BYTES = 1 << 20
"""Memory that a driver may keep after a run."""
PROGRAMS, SEEDS = 200, (1, 2, 3)
TOO_LITTLE = 1e-6
"""A fraction of a GPU's memory in which nothing fits."""


class Wrong(BattError):
    """A check has found something wrong."""


def usable() -> Iterator[cuda.Device]:
    """Yield every GPU that batt can use, opened. Each is closed before the next is opened."""
    for info in cuda.devices():
        if cuda.missing((info.number,)) is None:
            with cuda.Device(info.number) as device:
                yield device


def memory(options: Options) -> str:
    """Copy bytes to each GPU and back."""
    told = []
    for device in usable():
        allowed = allowed_bytes(device.free_bytes, device.info.total_bytes, options.gpu_memory)
        size = min(COPIED_BYTES, max(1, allowed // 4))
        sent = np.random.default_rng(0).integers(0, 256, size, np.uint8)
        stream, before = device.stream(), device.free_bytes
        buffer = device.alloc(size)
        started_s = time.perf_counter()
        device.upload(buffer, sent, stream)
        got = np.zeros_like(sent)
        device.download(got, buffer, stream)
        device.synchronize(stream)
        rate = 2 * size / (time.perf_counter() - started_s) / 1e9
        if not np.array_equal(sent, got):
            raise Wrong(f"{device.info}: {int((sent != got).sum()):,} of {size:,} bytes came back as others")
        buffer.close()
        if device.free_bytes < before - KEPT_BYTES:
            raise Wrong(f"{device.info}: memory is not given back")
        room = f"{gib(device.free_bytes)} of {gib(device.info.total_bytes)} free, {gib(allowed)} may be taken"
        told.append(f"{device.info}: {room}; {gib(size)} there and back at {rate:.1f} GB/s")
    return "; ".join(told)


def batch_size(options: Options, deck: Deck, tasks: Tasks) -> str:
    """Compute the size of launches on each GPU, and check that their memory is within the allowed fraction."""
    job = job_on(deck, tasks)
    found = library(job.image.table)
    program = NativeProgram(found, job.image.words, job.image.pool)
    made = pack_samples(job.evaluations.samples)
    batch = NativeBatch(found, made.data, made.ends, made.rows, made.assignments)
    told = []
    try:
        for device in usable():
            kernel = kernels.load(device)
            prepared = Prepared(device, kernel, program, batch, Budget(MOST, MOST, WORK), options)
            allowed = allowed_bytes(device.free_bytes, device.info.total_bytes, options.gpu_memory)
            slots = prepared.slots(1 << 30)
            room = slots[0].room
            launch = f"{len(slots)} launches of {room.evaluations:,} evaluations in {room.arenas:,} threads"
            with suppress(NoRoom):
                warps = prepared.warp_slots(kernels.load(device, WARPS.options), slots)
                launch += f" and {len(warps)} of {warps[0].room.arenas:,} evaluations, each in a warp"
                slots += warps
            taken = sum(slot.room.bytes for slot in slots)
            if taken > allowed:
                raise Wrong(f"{device.info}: launches would take {gib(taken)}, {gib(allowed)} may be taken")
            told.append(f"{device.info}: {launch}, {gib(taken)} of {gib(allowed)}")
    finally:
        batch.close()
        program.close()
    return "; ".join(told)


def operations(options: Options) -> str:
    """Compare random programs on GPUs with the cpu engine."""
    compared = finished = 0
    ran: set[str] = set()
    for seed in SEEDS:
        made = RandomBatch(seed, PROGRAMS).made()
        job = prepare(made.deck.programs, FORM).on(Evaluations(made.samples, len(made.deck)))
        patient = replace(options, limits=replace(AMPLE, wall_s=10))
        wanted, _ = gather(job, patient, "cpu")
        got, ladder = gather(job, patient)
        compare(job, wanted.records, got.records)
        compared += len(got.records)
        finished += ladder.counts.on_gpus
        done = np.flatnonzero((got.records["status"] == Status.OK) & ~got.past_gpus) // len(made.samples)
        ran.update(name for solver in np.unique(done).tolist() for name in _called(made.deck, solver))
    if not finished:
        raise Wrong("GPUs finished none of them")
    share = f"{finished:,} of {compared:,} evaluations finished there"
    called = f"{len(ran & OPS.keys())} of {len(OPS)} primitives called by programs that ended well on a GPU"
    return f"{called}; {share}, all equal"


def processor(options: Options, deck: Deck, tasks: Tasks) -> str:
    """Compare a run on GPUs with the cpu engine, and check that a run without GPU memory continues on the CPU."""
    job, patient = job_on(deck, tasks), replace(options, limits=PATIENT)
    wanted, _ = gather(job, patient, "cpu")
    started_s = time.perf_counter()
    got, ladder = gather(job, patient)
    wall_s = time.perf_counter() - started_s
    compare(job, wanted.records, got.records)
    finished = ladder.counts.on_gpus
    if not finished:
        raise Wrong(f"GPUs finished nothing: {'; '.join(ladder.notes) or dict(ladder.counts.deferred_by_gpus)}")
    got, without = gather(job, replace(patient, gpu_memory=TOO_LITTLE))
    compare(job, wanted.records, got.records)
    if without.counts.on_gpus or not any("continuing without it" in note for note in without.notes):
        raise Wrong(f"with no room on GPUs, a run did not go on without them: {without.notes}")
    share = f"{finished:,} of {job.evaluations.total:,} evaluations finished on GPUs"
    return f"{share} in {wall_s:.2f} s; with no room there, all of them on the CPU, with the same results"


def clean_up(options: Options, deck: Deck, tasks: Tasks) -> str:
    """Check that each GPU has as much free memory after a run as before it."""
    job, patient = job_on(deck, tasks), replace(options, limits=PATIENT)
    # With the first launch a driver takes memory for the threads of a kernel, and keeps it for this process.
    gather(job, patient)
    before = [device.free_bytes for device in usable()]
    gather(job, patient)
    after = [device.free_bytes for device in usable()]
    kept = [max(0, one - other) for one, other in zip(before, after, strict=True)]
    if max(kept) > KEPT_BYTES:
        raise Wrong(f"bytes that are not free again after a run, by card: {kept}")
    return f"{max(kept):,} bytes less free after a run than before it"


def job_on(deck: Deck, tasks: Tasks) -> Job:
    """Return the job of every solver of `deck`, compiled, on every sample of `tasks`."""
    samples = samples_of(tasks)
    return prepare(deck.programs, FORM).on(Evaluations(samples, len(deck)))


def gather(job: Job, options: Options, engine: str = "cuda") -> tuple[Collected, Ladder]:
    """Run a job to its end. The CPU runs only the evaluations that GPUs defer."""
    collected = Collected(job.evaluations.total)
    ladder = Ladder(job, options, ENGINES[engine], collected, beside=False)
    ladder.run()
    return collected, ladder


def compare(job: Job, wanted: npt.NDArray[Any], got: npt.NDArray[Any]) -> None:
    """Raise Wrong if records differ. A time-out is no outcome, and differs from nothing."""
    timed_out = (wanted["status"] == Status.TIMED_OUT) | (got["status"] == Status.TIMED_OUT)
    different = np.flatnonzero((wanted != got) & ~timed_out)
    if len(different):
        solver, sample = job.evaluations.pair(int(different[0]))
        task = job.evaluations.samples[sample].task
        where = f"the first is program {solver} on {task}: {got[different[0]]}, {wanted[different[0]]}"
        raise Wrong(f"{len(different):,} of {len(got):,} evaluations differ from the cpu engine's; {where}")


def _called(deck: Deck, solver: int) -> set[str]:
    """Return the primitives that the lines of a solver call. All of them ran if it ended without an error."""
    callees = [step.callee for step in deck[solver].program.steps]
    return {each.value.name for each in callees if isinstance(each, Literal) and isinstance(each.value, Op)}
