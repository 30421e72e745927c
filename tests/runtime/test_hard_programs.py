"""The machine's hard parts: the cpu engine gives what the reference gives; on a GPU: tests/gpu/test_engine.py."""

from __future__ import annotations

from collections import Counter

import pytest

import hard_programs
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Status, evaluate_one
from batt.runtime.collected import Collected
from batt.runtime.evaluations import Evaluations
from batt.runtime.ladder import Ladder
from batt.runtime.options import Options
from batt.runtime.tier import CPU
from batt.types import fingerprint
from native_library import needs_library

pytestmark = needs_library

LIMITS = Limits(wall_s=600)


@pytest.mark.parametrize("compiled", [False, True], ids=["as they stand", "compiled"])
def test_the_cpu_engine_gives_what_the_reference_gives(compiled: bool):
    deck, samples = hard_programs.deck(), hard_programs.samples(60)
    job = prepare(deck.programs, Options(compiled=compiled, share=False)).on(Evaluations(samples, len(deck)))
    found = Collected(job.evaluations.total)
    ladder = Ladder(job, Options(limits=LIMITS, workers=2), (CPU,), found)
    ladder.run()
    assert ladder.counts.native == job.evaluations.total
    outcomes: Counter[tuple[str, str]] = Counter()
    for number, record in enumerate(found.records):
        solver, sample = job.evaluations.pair(number)
        expected = evaluate_one(deck[solver].program, samples[sample], LIMITS)
        value = fingerprint(expected.value) if expected.status is Status.OK else 0
        got = [*[int(record[name]) for name in ("status", "error", "hash")], int(found.steps[number])]
        assert got == [expected.status, expected.error_number, value, expected.steps], deck[solver].name
        outcomes[deck[solver].name, expected.error] += 1
    # They show what they are for: one program errs on some samples, in two ways, and all others give values.
    assert {error for name, error in outcomes if name == "errors_in_some"} == {"", "StopIteration", "RuntimeError"}
    assert all(error == "" for name, error in outcomes if name != "errors_in_some")
