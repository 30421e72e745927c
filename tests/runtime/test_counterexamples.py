"""Programs that once came out otherwise natively: each a fault that fuzzing found, and that is mended."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

from batt.codegen.plan import StagePlan
from batt.compiler import compile_deck, encode_programs
from batt.front import Deck
from batt.runtime import Limits, Sample, Split, Status, evaluate_one
from batt.runtime.batch import pack_samples
from batt.runtime.memory import WorkerMemory
from batt.runtime.native import Budget, NativeBatch, NativeProgram, NativeWorker, library
from batt.types import fingerprint
from encoding import encode_deck
from native_library import needs_library

pytestmark = needs_library

GRIDS = (((0,),), ((0, 1), (2, 0)), ((3, 3, 3), (0, 3, 0), (3, 3, 3)))

MENDED = {
    "a set of objects was ordered by part of its code, where one begins with an int and one with a function": """
        def solve(I):
            return frontiers(((asobject, asobject, asobject), (2, 2, 2), (asobject, asobject, asobject)))
        """,
    "so it was where one begins with an int and one with a tuple": """
        def solve(I):
            x1 = astuple(ORIGIN, ORIGIN)
            x2 = repeat(first(I), 1)
            x3 = repeat(repeat((), 1), 1)
            x4 = combine(combine(x3, repeat(repeat(0, 1), 1)), x3)
            return frontiers(x4)
        """,
    "None as the key by which a function is picked was called": """
        def solve(S, I, C):
            x1 = initset(identity)
            x2 = argmax(x1, C)
            return I
        """,
    "a function to a power that turns out as 1 is called itself, and charged": """
        def solve(I):
            x1 = numcolors(I)
            x2 = power(identity, x1)
            return x2(0, 1)
        """,
}


@pytest.mark.parametrize("form", ["compiled", "direct"])
@pytest.mark.parametrize("text", MENDED.values(), ids=MENDED)
def test_what_differed_once_agrees(text: str, form: str):
    deck = Deck.from_sources({"solve": textwrap.dedent(text)})
    program = deck["solve"].program
    encoded = (
        encode_deck(compile_deck(deck), StagePlan()) if form == "compiled" else encode_programs({"solve": program})
    )
    samples = [Sample("task", Split.TRAIN, 0, (), grid, None) for grid in GRIDS]
    made, found = pack_samples(samples), library()
    loaded = NativeProgram(found, encoded.image.words, encoded.image.pool)
    batch = NativeBatch(found, made.data, made.ends, made.rows)
    numbers, limits = np.arange(len(samples), dtype=np.uint32), Limits()
    budget = Budget(limits.steps, limits.max_items, 1 << 40)
    _, results = NativeWorker(found, WorkerMemory(1 << 26)).run(loaded, batch, 0 * numbers, numbers, budget)
    for sample, result in zip(samples, results, strict=True):
        expected = evaluate_one(program, sample, limits)
        value = fingerprint(expected.value) if expected.status is Status.OK else 0
        got = [int(result[name]) for name in ("status", "error", "steps", "hash")]
        assert got == [expected.status, expected.error_number, expected.steps, value]
