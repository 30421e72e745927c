"""The bytes that shared values may take: what does not fit is not kept, and nothing shows of it but the work."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import batt
from batt.bytecode.opcodes import OP_NUMBERS
from batt.front import Deck
from batt.jobs import samples_of
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Sample, Status
from batt.runtime.collected import Collected
from batt.runtime.evaluations import Evaluations
from batt.runtime.ladder import Ladder
from batt.runtime.memory import MEMORY, WorkerMemory
from batt.runtime.options import Options
from batt.runtime.tallies import Counting
from batt.runtime.tier import CPU
from handmade import deck, source
from native_library import needs_library

pytestmark = needs_library

STAGE_BYTES = (0, 10_000, 60_000, 1 << 30)


def variants(*lines: str, ends: tuple[str, ...]) -> Deck:
    """Solvers of the same lines with different ends."""
    sources = {f"solve_{n}": source(f"solve_{n}", *lines, f"x = {end}", params="S, I, C") for n, end in enumerate(ends)}
    return Deck.from_sources(sources)


DECKS = {
    "constants": variants(
        "a = interval(0, 3000, 1)",
        "b = apply(increment, a)",
        "c = order(b, invert)",
        ends=("size(a)", "last(b)", "c", "first(c)", "(a, last(b))"),
    ),
    "every level": variants(
        "a = interval(0, 500, 1)",
        "b = upscale(first(first(S)), 7)",
        "c = asindices(upscale(I, 9))",
        "d = apply(last, totuple(c))",
        ends=("(size(a), size(c))", "(b, d)", "maximum(d)", "mostcolor(b)", "(c, a)"),
    ),
    "constants in bodies": variants(
        "a = interval(0, 40, 1)",
        "b = apply(lbind(add, size(interval(0, 700, 1))), a)",
        "c = apply(compose(rbind(contained, interval(0, 900, 1)), double), b)",
        "d = mapply(lbind(apply, lbind(add, size(interval(0, 300, 1)))), (a, b))",
        ends=("b", "c", "(d, last(b))", "size(c)", "(c, size(interval(0, 700, 1)))"),
    ),
    "errors": variants(
        "a = interval(0, 600, 1)",
        "b = apply(increment, a)",
        "c = extract(b, lbind(greater, -5))",
        "d = objects(upscale(I, 5), T, F, T)",
        "e = first(sfilter(d, lbind(contained, 77)))",
        ends=("b", "(a, e)", "(c, b)", "size(d)", "(e, c)"),
    ),
    "functions": variants(
        "f = rbind(multiply, size(interval(0, 800, 1)))",
        "a = apply(f, interval(0, 50, 1))",
        "b = (a, a)",
        ends=("a", "b", "f", "apply(f, a)", "(maximum(a), b)"),
    ),
}


@cache
def samples_used() -> tuple[Sample, ...]:
    return samples_of(batt.load_tasks("arc1-training").select(None, 2))


def collected(given: Deck, share: bool, memory: WorkerMemory, limits: Limits) -> tuple[Collected, Any]:
    """What native code gives of every evaluation, and how often it called each op."""
    samples = samples_used()
    job = prepare(given.programs, Options(compiled=True, share=share)).on(Evaluations(samples, len(given)))
    found = Collected(job.evaluations.total)
    options = Options(limits=limits, workers=1, memory=memory)
    ladder = Ladder(job, options, (CPU,), found, counting=Counting.OPS)
    ladder.run()
    assert ladder.counted is not None
    return found, ladder.counted.tallies.by_op["calls"]


@pytest.mark.parametrize("name", DECKS)
@pytest.mark.parametrize("steps", [10_000_000, 2_000])
def test_outcomes_and_steps_are_those_without_sharing(name: str, steps: int):
    limits = Limits(steps=steps, wall_s=600)
    expected, _ = collected(DECKS[name], False, MEMORY, limits)
    assert (
        steps < 10_000_000 or (expected.records["status"] == (Status.RAISED if name == "errors" else Status.OK)).any()
    )
    for stage_bytes in STAGE_BYTES:
        memory = WorkerMemory(stage_bytes=stage_bytes, trim_bytes=0, trim_steps=0)
        got, _ = collected(DECKS[name], True, memory, limits)
        assert np.array_equal(got.records, expected.records), stage_bytes
        assert np.array_equal(got.steps, expected.steps), stage_bytes


def test_what_does_not_fit_is_computed_by_every_reader():
    many = deck(**{f"solve_{n}": ("a = interval(0, 3000, 1)", f"x = (size(a), {n})") for n in range(5)})
    number = OP_NUMBERS["interval"]
    alone = collected(many, False, MEMORY, Limits())[1][number]
    kept = collected(many, True, WorkerMemory(stage_bytes=1 << 20), Limits())[1][number]
    not_kept = collected(many, True, WorkerMemory(stage_bytes=3_000 * 16 - 1), Limits())[1][number]
    # Once for each call of native code, of which there are a few.
    assert kept < alone <= not_kept <= alone + kept


def test_small_values_are_kept_beside_a_large_one():
    lines = ("a = interval(0, 3000, 1)", "b = interval(0, 1000, 1)")
    many = deck(**{f"solve_{n}": (*lines, f"x = (size(a), size(b), {n})") for n in range(5)})
    number = OP_NUMBERS["interval"]
    alone = collected(many, False, MEMORY, Limits())[1][number]
    some = collected(many, True, WorkerMemory(stage_bytes=20_000), Limits())[1][number]
    assert some < 0.7 * alone
