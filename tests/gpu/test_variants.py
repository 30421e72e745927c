"""Solvers of the demonstrations on a GPU: the records of the cpu engine; and scores. Run on a machine with a GPU."""

from __future__ import annotations

import pytest

import batt
from batt.bench.frozen import first_132
from batt.differs import read_differs, score_results
from batt.jobs.prepare import prepare
from batt.jobs.samples import samples_of
from batt.runtime import Limits
from batt.runtime.cuda import missing
from batt.runtime.evaluations import Evaluations
from batt.runtime.options import Options
from batt.variants import infer_variants
from gathered import assert_same, gather, ladder_on

WHY_NOT = missing()

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(WHY_NOT is not None, reason=f"no GPU: {WHY_NOT}")]

TASKS = batt.load_tasks("arc1-training")
OWN = "def differ_new(S, I, C):\n    x = difference(palette(C), mapply(palette, apply(last, S)))\n    return x\n"


@pytest.mark.parametrize("limits", [Limits(wall_s=600), Limits(steps=700, max_items=300, wall_s=600)], ids=str)
@pytest.mark.parametrize("compiled", [False, True])
def test_variants_give_the_records_of_the_cpu_engine(compiled: bool, limits: Limits):
    deck = infer_variants(first_132(), TASKS).deck
    samples = samples_of(TASKS.select(count=60))
    job = prepare(deck.programs, Options(compiled=compiled, share=False)).on(Evaluations(samples, len(deck)))
    ladder = ladder_on(job, "cuda", limits=limits)
    assert_same(gather(ladder), gather(ladder_on(job, "cpu", limits=limits)))
    assert ladder.counts.on_gpus > 0.8 * job.evaluations.total, ladder.counts.deferred_by_gpus


def test_differs_score_alike_on_both_engines():
    results = batt.evaluate(first_132()[:20], TASKS.select(count=10), outputs=True)
    differs = read_differs(OWN, "own.py")
    assert score_results(results, differs, "cuda").scores == score_results(results, differs, "cpu").scores
