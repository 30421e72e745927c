"""The machine's hard parts: the cpu engine gives what the reference gives; on a GPU: tests/gpu/test_engine.py."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import hard_programs
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Status, evaluate_one
from batt.runtime.cpu import CpuEngine
from batt.runtime.evaluations import Evaluations
from batt.runtime.native import RESULT_TYPE
from batt.runtime.options import Options
from batt.runtime.thread import Call
from batt.types import fingerprint
from native_library import needs_library

pytestmark = needs_library

LIMITS = Limits(wall_s=600)


@pytest.mark.parametrize("compiled", [False, True], ids=["as they stand", "compiled"])
def test_the_cpu_engine_gives_what_the_reference_gives(compiled: bool):
    deck, samples = hard_programs.deck(), hard_programs.samples(60)
    job = prepare(deck.programs, Options(compiled=compiled, share=False)).on(Evaluations(samples, len(deck)))
    results = np.zeros(job.evaluations.total, RESULT_TYPE)

    def note(part: Call) -> None:
        results[part.ran.numbers] = part.results

    engine = CpuEngine(job, Options(limits=LIMITS, workers=2), observe=note)
    assert sum(len(done.numbers) for done in engine.run(natively_only=True)) == job.evaluations.total
    outcomes: Counter[tuple[str, str]] = Counter()
    for number, result in enumerate(results):
        solver, sample = job.evaluations.pair(number)
        expected = evaluate_one(deck[solver].program, samples[sample], LIMITS)
        value = fingerprint(expected.value) if expected.status is Status.OK else 0
        got = [int(result[name]) for name in ("status", "error", "steps", "hash")]
        assert got == [expected.status, expected.error_number, expected.steps, value], deck[solver].name
        outcomes[deck[solver].name, expected.error] += 1
    # They show what they are for: one program errs on some samples, in two ways, and all others give values.
    assert {error for name, error in outcomes if name == "errors_in_some"} == {"", "StopIteration", "RuntimeError"}
    assert all(error == "" for name, error in outcomes if name != "errors_in_some")
