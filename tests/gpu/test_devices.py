"""Several workers for real, two and four of them on one card: the cpu engine's records, whoever is lost on the way.

Run on a machine with a GPU. Nothing here needs a second one; where there are several, all take part once.
"""

from __future__ import annotations

import ctypes
import itertools
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy.typing as npt
import pytest

import batt
from batt.bench.frozen import first_132
from batt.jobs import evaluate, evaluation, export, samples_of
from batt.jobs.prepare import prepare
from batt.runtime import Limits
from batt.runtime.cuda import Device, DeviceError, missing
from batt.runtime.cuda import launch as launch_module
from batt.runtime.cuda.launch import LaunchSlot
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.options import Options
from batt.runtime.tier import Part
from gathered import Once, assert_same, gather, ladder_on

WHY_NOT = missing()

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(WHY_NOT is not None, reason=f"no GPU: {WHY_NOT}")]

PATIENT = Limits(wall_s=600)
TASKS = 100
MIB = 1 << 20

workers = pytest.mark.parametrize("devices", [(0,), (0, 0), (0, 0, 0, 0)], ids=["one", "two", "four"])
several = pytest.mark.parametrize("devices", [(0, 0), (0, 0, 0, 0)], ids=["two", "four"])


@pytest.fixture(scope="module")
def job() -> Job:
    """A slice of the built-in deck on ARC-1."""
    deck, samples = first_132(), samples_of(batt.load_tasks("arc1-training").select(None, TASKS))
    return prepare(deck.programs, Options(compiled=True, share=False)).on(Evaluations(samples, len(deck)))


@pytest.fixture(scope="module")
def expected(job: Job) -> npt.NDArray[Any]:
    return gather(ladder_on(job, "cpu", limits=PATIENT))


@pytest.fixture(autouse=True)
def _small_launches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many blocks, so that every worker has several."""
    monkeypatch.setattr(launch_module, "MAX_ROWS", 1 << 11)


def fail_at(monkeypatch: pytest.MonkeyPatch, launch: int, end: Callable[[LaunchSlot], object]) -> None:
    """Let one launch of the next run end its worker."""
    run, launches = LaunchSlot.run, itertools.count()

    def failing(slot: LaunchSlot, *args: Any) -> Any:
        if next(launches) == launch:
            end(slot)
        return run(slot, *args)

    monkeypatch.setattr(LaunchSlot, "run", failing)


def lines(ladder: Ladder) -> list[str]:
    return [line for line in ladder.notes if "continuing without it" in line]


@workers
@pytest.mark.parametrize("beside", [False, True])
def test_workers_on_one_card_change_no_record(
    job: Job, expected: npt.NDArray[Any], devices: tuple[int, ...], beside: bool
):
    ladder = ladder_on(job, "cuda", beside=beside, limits=PATIENT, devices=devices)
    assert_same(gather(ladder), expected)
    assert lines(ladder) == []
    assert sum(ladder.counts.by_worker.values()) == ladder.counts.on_gpus
    if not beside:
        assert len(ladder.counts.by_worker) == len(devices), ladder.counts.by_worker
        assert ladder.counts.on_gpus > 0.8 * job.evaluations.total, ladder.counts.deferred_by_gpus


def test_all_cards_of_this_machine_change_no_record(job: Job, expected: npt.NDArray[Any]):
    ladder = ladder_on(job, "cuda", limits=PATIENT)
    assert_same(gather(ladder), expected)
    assert lines(ladder) == []


@several
@pytest.mark.parametrize("launch", [0, 3])
def test_a_worker_that_fails_loses_no_result(
    monkeypatch: pytest.MonkeyPatch,
    job: Job,
    expected: npt.NDArray[Any],
    devices: tuple[int, ...],
    launch: int,
):
    def injected(slot: LaunchSlot) -> None:
        raise DeviceError(0, slot.prepared.device.info.name, "injected")

    fail_at(monkeypatch, launch, injected)
    ladder = ladder_on(job, "cuda", limits=PATIENT, devices=devices)
    assert_same(gather(ladder), expected)
    (line,) = lines(ladder)
    assert line.endswith(f"of {len(devices)}): injected; continuing without it")
    assert ladder.counts.on_gpus > 0.8 * job.evaluations.total, ladder.counts.deferred_by_gpus


@several
def test_a_killed_worker_loses_no_result(
    monkeypatch: pytest.MonkeyPatch, job: Job, expected: npt.NDArray[Any], devices: tuple[int, ...]
):
    def killed(slot: LaunchSlot) -> None:
        thread = ctypes.c_ulong(threading.get_ident())
        ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(SystemExit))

    fail_at(monkeypatch, 3, killed)
    ladder = ladder_on(job, "cuda", limits=PATIENT, devices=devices)
    assert_same(gather(ladder), expected)
    (line,) = lines(ladder)
    assert line.endswith(": its thread was ended; continuing without it")


FAULT = """
import itertools
import numpy as np
from batt.bench.frozen import first_132
import batt
from batt.jobs import samples_of
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Options
from batt.runtime.collected import Collected
from batt.runtime.evaluations import Evaluations
from batt.runtime.cuda import launch as launch_module
from batt.runtime.cuda.launch import LaunchSlot
from batt.runtime.ladder import Ladder

SOURCE = 'extern "C" __global__ void outside(unsigned* to) { *to = 1; }'
launch_module.MAX_ROWS = 1 << 11
run, launches = LaunchSlot.run, itertools.count()

def faulty(slot, *args):
    if next(launches) == 3:
        device = slot.prepared.device
        stream = device.stream()
        kernel = device.load(device.compile(SOURCE, ("-std=c++17",)), "outside")
        device.launch(kernel, 1, 1, np.array([(64,)], [("to", "<u8")])[0], stream)
        device.synchronize(stream)
    return run(slot, *args)

def outcomes(engine):
    found = Collected(job.evaluations.total)
    options = Options(engine=engine, limits=Limits(wall_s=600), workers=2, devices=(0, 0))
    ladder = Ladder(job, options, observer=found, beside=False)
    ladder.run()
    return found.records.tolist(), ladder

LaunchSlot.run = faulty
deck, samples = first_132(), samples_of(batt.load_tasks("arc1-training").select(None, 40))
job = prepare(deck.programs, Options(compiled=True, share=False)).on(Evaluations(samples, len(deck)))
expected, _ = outcomes("cpu")
for _ in range(2):
    found, ladder = outcomes("cuda")
    assert found == expected
    (line,) = [note for note in ladder.notes if "compiling" not in note]
    print(ladder.counts.on_gpus, line)
"""


def test_after_a_real_fault_the_cpu_finishes_this_run_and_the_next():
    # In a process of its own: after that, this one could not use the device any more.
    ended = subprocess.run([sys.executable, "-c", FAULT], capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr
    first, second = ended.stdout.splitlines()
    assert "a kernel accessed memory outside its own (" in first
    assert first.endswith("; continuing without it and 1 more on this card")
    assert second.startswith("0 GPU 0")


@pytest.mark.alone
@several
def test_memory_is_within_the_share_and_given_back(job: Job, expected: npt.NDArray[Any], devices: tuple[int, ...]):
    # What the driver keeps for a kernel's threads is taken with the first launch, and stays with this process.
    gather(ladder_on(job, "cuda", limits=PATIENT, workers=2, devices=devices))
    with Device(0) as device:
        before, least = device.free_bytes, list[int]()

        class Looking(Once):
            def on_part(self, part: Part) -> None:
                super().on_part(part)
                least.append(device.free_bytes)

        ladder = ladder_on(job, "cuda", Looking, limits=PATIENT, workers=2, devices=devices)
        assert_same(gather(ladder), expected)
        assert device.info.total_bytes - min(least) <= 0.8 * device.info.total_bytes + 64 * MIB
        assert device.free_bytes >= before - MIB


class Alone(Ladder):
    """The CPU does what GPUs defer, and no more."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options, beside=False)


def test_exports_are_the_same_bytes_whoever_did_the_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(evaluation, "Ladder", Alone)
    deck, tasks = first_132(), batt.load_tasks("arc1-training").select(None, 40)
    written = []
    for number, devices in enumerate([None, "0", "0,0", "0,0,0,0", "all"]):
        engine = "cpu" if devices is None else "cuda"
        results = evaluate(deck, tasks, engine=engine, devices=devices, limits=PATIENT, compiled=True)
        export(results, tmp_path / str(number))
        written.append((tmp_path / str(number)).read_bytes())
    assert set(written) == {written[0]}
