"""Loops that the machine runs whole: the same values, steps and limits as their calls one by one."""

from __future__ import annotations

import random
import textwrap
from typing import Any

import numpy as np
import pytest

from batt.compiler import compile_deck, encode_deck
from batt.front import Deck
from batt.passes.plan import Plan
from batt.runtime import Limits, Part, Sample, Status, evaluate_one
from batt.runtime.batch import batch_of
from batt.runtime.native import Budget, NativeBatch, NativeProgram, NativeWorker, library
from batt.types import fingerprint
from native_library import needs_library

pytestmark = needs_library

PROGRAMS = {
    "connect over two sets of places": """
        def solve(I):
            x1 = shift(ofcolor(I, 1), (-3, -40000))
            x2 = shift(ofcolor(I, 2), (-1, -40000))
            x3 = prapply(connect, ofcolor(I, 1), ofcolor(I, 2))
            x4 = prapply(connect, ofcolor(I, 2), shift(ofcolor(I, 2), (-4, 3)))
            x5 = prapply(connect, x1, x2)
            return (x3, x4, x5)
        """,
    "connect over tuples and sets that are no places": """
        def solve(I):
            x1 = totuple(ofcolor(I, 1))
            x2 = prapply(connect, x1, ofcolor(I, 2))
            x3 = prapply(connect, ofcolor(I, 2), toobject(ofcolor(I, 1), I))
            return (x2, x3)
        """,
    "a body of several ops": """
        def solve(I):
            x1 = product(ofcolor(I, 1), ofcolor(I, 2))
            x2 = fork(equality, compose(first, first), compose(last, last))
            x3 = sfilter(x1, x2)
            x4 = argmax(x1, fork(subtract, compose(size, first), compose(last, first)))
            x5 = extract(x1, fork(greater, compose(first, last), compose(first, first)))
            return (x3, x4, x5)
        """,
}
BUDGETS = (Limits(), Limits(max_items=3), Limits(max_items=8), *[Limits(steps=steps) for steps in (40, 90, 200, 700)])


def grids() -> list[Any]:
    rng = random.Random(3)
    sides = [(rng.randint(1, 9), rng.randint(1, 9)) for _ in range(12)]
    return [tuple([tuple([rng.choice((0, 0, 1, 2)) for _ in range(w)]) for _ in range(h)]) for h, w in sides]


@pytest.mark.parametrize("limits", BUDGETS, ids=lambda limits: f"{limits.steps} steps, {limits.max_items} items")
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_a_loop_run_whole_is_its_calls(text: str, limits: Limits):
    deck = Deck.from_sources({"solve": textwrap.dedent(text)})
    image = encode_deck(compile_deck(deck), Plan.none()).image
    samples = [Sample("task", Part.TRAIN, 0, (), grid, None) for grid in grids()]
    made, found = batch_of(samples), library()
    program = NativeProgram(found, image.words, image.pool)
    batch = NativeBatch(found, made.data, made.ends, made.rows)
    numbers = np.arange(len(samples), dtype=np.uint32)
    budget = Budget(limits.steps, limits.max_items, 1 << 40)
    _, results = NativeWorker(found, 1 << 26).run(program, batch, 0 * numbers, numbers, budget)
    for sample, result in zip(samples, results, strict=True):
        expected = evaluate_one(deck["solve"].program, sample, limits)
        value = fingerprint(expected.value) if expected.status is Status.OK else 0
        got = [int(result[name]) for name in ("status", "error", "steps", "hash")]
        assert got == [expected.status, expected.error_number, expected.steps, value], sample.input
