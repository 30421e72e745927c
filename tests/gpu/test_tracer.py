"""The tracer's programs give the same on the reference engine, on the CPU engine and on a GPU."""

from __future__ import annotations

import random
import textwrap
from collections import Counter
from typing import Any

import numpy as np
import pytest

import tracer
from batt.compiler import Encoded, compile_deck, encode_deck, encode_programs
from batt.front import Deck
from batt.passes.plan import Plan
from batt.runtime import Limits, Part, Sample, Status, evaluate_one
from batt.runtime.batch import batch_of
from batt.runtime.native import RESULT_TYPE, UNSUPPORTED, Budget, NativeBatch, NativeProgram, NativeWorker, library
from batt.types import fingerprint
from native_library import needs_library

pytestmark = needs_library

LIMITS = Limits()
STATUS_OF_DEVICE = {0: Status.OK, 1: Status.RAISED, 2: Status.OVER_BUDGET, 3: UNSUPPORTED}


def deck() -> Deck:
    named = {title.replace(" ", "_"): text for title, text in tracer.PROGRAMS.items()}
    return Deck.from_sources(
        {name: textwrap.dedent(text).replace("def solve(", f"def {name}(") for name, text in named.items()}
    )


def images() -> dict[str, Encoded]:
    """The programs compiled, and encoded as they stand: then functions are values and every call of one is a CALL."""
    made = deck()
    return {
        "compiled": encode_deck(compile_deck(made), Plan.none()),
        "direct": encode_programs([(solver.name, solver.program) for solver in made]),
    }


def grids(count: int) -> list[Any]:
    rng = random.Random(5)
    found = []
    for _ in range(count):
        height, width = rng.randint(1, 30), rng.randint(1, 30)
        colours, calm = rng.sample(range(10), rng.randint(1, 5)), rng.random()
        rows = [
            tuple([colours[0] if rng.random() < calm else rng.choice(colours) for _ in range(width)])
            for _ in range(height)
        ]
        found.append(tuple(rows))
    return found


def samples_of(inputs: list[Any]) -> list[Sample]:
    return [Sample(str(number), Part.TRAIN, 0, (), grid, None) for number, grid in enumerate(inputs)]


def run_on_cpu(encoded: Encoded, slices: Any, samples: list[Sample], arena_bytes: int = 1 << 28) -> Any:
    """The results of slice k on sample k."""
    found = library()
    program = NativeProgram(found, encoded.image.words, encoded.image.pool)
    made = batch_of(samples)
    batch = NativeBatch(found, made.data, made.ends, made.rows)
    worker = NativeWorker(found, arena_bytes)
    numbers = np.arange(len(samples), dtype=np.uint32)
    done, results = worker.run(program, batch, slices, numbers, Budget(LIMITS.steps, LIMITS.max_items, 1 << 40))
    assert done == len(samples)
    assert results.dtype == RESULT_TYPE
    return results


@pytest.mark.parametrize("form", ["compiled", "direct"])
def test_the_cpu_engine_gives_what_the_reference_gives(form: str):
    encoded, solvers = images()[form], deck()
    inputs = grids(60)
    outcomes: Counter[tuple[str, str]] = Counter()
    for solver in solvers:
        samples = samples_of(inputs)
        results = run_on_cpu(encoded, np.full(len(samples), encoded.slice_of[solver.name], np.uint32), samples)
        for sample, result in zip(samples, results, strict=True):
            expected = evaluate_one(solver.program, sample, LIMITS)
            value = fingerprint(expected.value) if expected.status is Status.OK else 0
            got = [int(result[name]) for name in ("status", "error", "steps", "hash")]
            assert got == [expected.status, expected.error_number, expected.steps, value], solver.name
            outcomes[solver.name, expected.error] += 1
    # The tracer shows what it is for: one program errs on some samples, in two ways, and all others give values.
    assert {error for name, error in outcomes if name == "errors_in_some"} == {"", "StopIteration", "RuntimeError"}
    assert all(error == "" for name, error in outcomes if name != "errors_in_some")


@pytest.mark.gpu
@pytest.mark.parametrize("mixed", [False, True], ids=["a slice for each block of threads", "slices mixed in a warp"])
@pytest.mark.parametrize("form", ["compiled", "direct"])
def test_a_gpu_gives_what_the_cpu_gives(form: str, mixed: bool):
    cupy = pytest.importorskip("cupy")
    encoded, inputs = images()[form], grids(2048)
    which = np.arange(len(inputs)) // (1 if mixed else 64) % len(encoded.image.slices)
    expected = run_on_cpu(encoded, which.astype(np.uint32), samples_of(inputs))
    device = tracer.Device(cupy)
    budget = (LIMITS.steps, LIMITS.max_items)
    got = device.run(encoded.image, which, inputs, 32 << 10, budget)
    full = np.flatnonzero((got["status"] == 3) & (got["cause"] == tracer.ARENA_FULL))
    assert 0 < len(full) < len(inputs)
    # What its arena was too small for is run again with a larger one.
    got[full] = device.run(encoded.image, which[full], [inputs[number] for number in full], 4 << 20, budget)
    assert [STATUS_OF_DEVICE[int(each)] for each in got["status"]] == expected["status"].tolist()
    for name in ("error", "steps", "hash", "shape"):
        assert got[name].tolist() == expected[name].tolist(), name
