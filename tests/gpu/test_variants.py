"""Solvers of the demonstrations on a GPU: the records of the cpu engine; and scores. Run on a machine with a GPU."""

from __future__ import annotations

import numpy as np
import pytest

import batt
from batt.differs import read_differs, score_results
from batt.jobs.prepare import prepare
from batt.jobs.samples import samples_of
from batt.runtime import Limits, Status
from batt.runtime.cpu import CpuEngine
from batt.runtime.cuda import missing
from batt.runtime.cuda.engine import CudaEngine
from batt.runtime.evaluations import Evaluations
from batt.runtime.options import Options
from batt.runtime.records import put, unfilled
from batt.variants import infer_variants

WHY_NOT = missing()

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(WHY_NOT is not None, reason=f"no GPU: {WHY_NOT}")]

TASKS = batt.load_tasks("arc1-training")
OWN = "def differ_new(S, I, C):\n    x = difference(palette(C), mapply(palette, apply(last, S)))\n    return x\n"


def gather(engine: CpuEngine):
    records = unfilled(engine.job.evaluations.total)
    for done in engine.run():
        assert (records["status"][done.numbers] == Status.NOT_RUN).all(), "an evaluation came twice"
        put(records, done.numbers, done.records)
    return records


@pytest.mark.parametrize("limits", [Limits(wall_s=600), Limits(steps=700, max_items=300, wall_s=600)], ids=str)
@pytest.mark.parametrize("compiled", [False, True])
def test_variants_give_the_records_of_the_cpu_engine(compiled, limits):
    deck = infer_variants(batt.load_deck(), TASKS).deck
    samples = samples_of(TASKS.select(count=60))
    job = prepare(deck.programs, Options(compiled=compiled, share=False)).on(Evaluations(samples, len(deck)))
    expected = gather(CpuEngine(job, Options(limits=limits)))
    engine = CudaEngine(job, Options(limits=limits), beside=False)
    found = gather(engine)
    differing = np.flatnonzero(found != expected)
    assert [(at, found[at], expected[at]) for at in differing[:5]] == []
    assert engine.on_device > 0.8 * job.evaluations.total, engine.left_over


def test_differs_score_alike_on_both_engines():
    results = batt.evaluate(batt.load_deck()[:20], TASKS.select(count=10), outputs=True)
    differs = read_differs(OWN, "own.py")
    assert score_results(results, differs, "cuda").scores == score_results(results, differs, "cpu").scores
