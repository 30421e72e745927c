"""What solvers share, computed once per sample on a GPU: the records of the cpu engine. Run on a machine with a GPU."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt
import pytest

import batt
import rearc
from batt.bench.frozen import first_132
from batt.front import Deck
from batt.jobs import evaluate, samples_of
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Sample
from batt.runtime.cuda import missing, staging
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.options import Options
from batt.runtime.waiting import Waiting
from gathered import assert_same, gather, ladder_on
from handmade import deck_using_s
from output_texts import run_texts
from small_launches import launch_warps_from

WHY_NOT = missing()

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(WHY_NOT is not None, reason=f"no GPU: {WHY_NOT}")]

PATIENT = Limits(wall_s=600)
TIGHT = Limits(steps=3_000, max_items=900, wall_s=600)
DECKS = {"first-132": 40, "re-arc": 6}
"""Decks, and the tasks that each is run on."""

USING_S = deck_using_s(
    of_S=("a = apply(last, S)", "b = merge(a)"),
    of_both=("a = apply(last, S)", "b = objects(I, T, F, T)"),
    failing=("a = first(first(S))", "b = upscale(a, a)"),
    repeated=("a = repeat(I, 40)", "b = repeat(a, 40)"),
)


def taken(tasks: int) -> tuple[Sample, ...]:
    return samples_of(batt.load_tasks("arc1-training").select(None, tasks))


def job_on(solvers: Deck, samples: tuple[Sample, ...], share: bool) -> Job:
    job = prepare(solvers.programs, Options(compiled=True, share=share))
    assert bool(job.image.stage_entries) == share
    return job.on(Evaluations(samples, len(solvers)))


def by_cpu(solvers: Deck, samples: tuple[Sample, ...], limits: Limits = PATIENT) -> npt.NDArray[Any]:
    return gather(ladder_on(job_on(solvers, samples, False), "cpu", limits=limits))


@pytest.mark.parametrize("limits", [PATIENT, TIGHT], ids=["plenty", "tight"])
@pytest.mark.parametrize("deck", DECKS)
def test_shared_or_not_the_records_are_those_of_the_cpu_engine(
    monkeypatch: pytest.MonkeyPatch, deck: str, limits: Limits
):
    # The CPU leaves all that a GPU can do to it.
    launch_warps_from(monkeypatch, 1)
    monkeypatch.setattr(Waiting, "for_idle_cpu", lambda self, threads: None)
    solvers, samples = rearc.whole_deck(deck), taken(DECKS[deck])
    expected = by_cpu(solvers, samples, limits)
    on_gpus = []
    for share in (False, True):
        ladder = ladder_on(job_on(solvers, samples, share), "cuda", limits=limits)
        assert_same(gather(ladder), expected)
        assert [line for line in ladder.notes if "continuing without it" in line] == []
        on_gpus.append(ladder.counts.on_gpus)
    assert on_gpus[1] > 0.8 * len(expected)
    # Steps of shared values are no limit of a launch.
    assert on_gpus[1] > 0.98 * on_gpus[0]


@pytest.mark.parametrize("limits", [PATIENT, TIGHT], ids=["plenty", "tight"])
def test_what_depends_on_the_task_what_fails_and_what_repeats_a_part(limits: Limits):
    samples = taken(40)
    ladder = ladder_on(job_on(USING_S, samples, True), "cuda", limits=limits)
    assert_same(gather(ladder), by_cpu(USING_S, samples, limits))
    assert ladder.counts.on_gpus > 0


@pytest.mark.parametrize("sample_bytes", [1 << 11, 1 << 13])
def test_evaluations_without_room_for_shared_values_are_deferred(monkeypatch: pytest.MonkeyPatch, sample_bytes: int):
    monkeypatch.setattr(staging, "SAMPLE_BYTES", sample_bytes)
    solvers, samples = first_132(), taken(20)
    ladder = ladder_on(job_on(solvers, samples, True), "cuda", limits=PATIENT)
    assert_same(gather(ladder), by_cpu(solvers, samples))
    assert ladder.counts.deferred_by_gpus["arena full"] > 0.1 * ladder.job.evaluations.total


def test_a_cpu_beside_and_several_workers_change_no_record():
    solvers, samples = first_132(), taken(60)
    expected = by_cpu(solvers, samples)
    for devices in (None, (0, 0)):
        job = job_on(solvers, samples, True)
        ladder = ladder_on(job, "cuda", beside=True, limits=PATIENT, devices=devices)
        assert_same(gather(ladder), expected)


def test_the_job_shares_on_gpus_where_it_is_told_to():
    tasks = batt.load_tasks("arc1-training").select(None, 10)
    found, expected = [
        evaluate(first_132(), tasks, engine=engine, limits=PATIENT, compiled=True, share=True, outputs=True)
        for engine in ("cuda", "cpu")
    ]
    assert_same(found.records, expected.records)
    assert run_texts(found) == run_texts(expected)
