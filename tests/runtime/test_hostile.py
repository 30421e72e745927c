"""What no input may do to the native engine: malformed bytecode, arenas of any size, very large values, long runs."""

from __future__ import annotations

import random
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import batt
from batt.bytecode.abi import Cause, Ended
from batt.bytecode.image import Image
from batt.codegen.plan import StagePlan, plan
from batt.compiler import compile_deck, encode_programs
from batt.front import Deck
from batt.runtime import Limits, Sample, Split, Status, evaluate_one
from batt.runtime.batch import pack_samples
from batt.runtime.memory import WorkerMemory
from batt.runtime.native import Budget, NativeBatch, NativeProgram, NativeWorker, library
from batt.types import fingerprint
from encoding import encode_deck
from native_library import needs_library
from rearc import compiled_deck

pytestmark = needs_library

AMPLE = Budget(10_000_000, 2_000_000, 1 << 40)


def run(image: Image, slices: Any, samples: list[Sample], arena_bytes: int, budget: Budget = AMPLE) -> Any:
    """The results of slice k on sample k."""
    found = library()
    program = NativeProgram(found, image.words, image.pool)
    made = pack_samples(samples)
    batch = NativeBatch(found, made.data, made.ends, made.rows)
    numbers = np.arange(len(samples), dtype=np.uint32)
    done, results = NativeWorker(found, WorkerMemory(arena_bytes)).run(program, batch, slices, numbers, budget)
    assert done == len(samples)
    return results


def sample(grid: Any) -> Sample:
    return Sample("task", Split.TRAIN, 0, ((grid, grid),), grid, grid)


def one(source: str, grid: Any = ((1, 2), (3, 4)), *, compiled: bool = True) -> tuple[Any, Any]:
    """What a program comes to natively, and on the reference engine."""
    deck = Deck.from_sources({"solve": textwrap.dedent(source)})
    encoded = (
        encode_deck(compile_deck(deck), StagePlan())
        if compiled
        else encode_programs({each.name: each.program for each in deck})
    )
    result = run(encoded.image, np.zeros(1, np.uint32), [sample(grid)], 2 << 30)[0]
    return result, evaluate_one(deck["solve"].program, sample(grid), Limits())


@pytest.mark.parametrize("share", [False, True], ids=["alone", "with a stage"])
def test_an_arena_of_any_size_gives_the_right_result_or_none(share: bool):
    built = compiled_deck("first-132")
    image = encode_deck(built, plan(built.graph) if share else StagePlan()).image
    task = batt.load_tasks("arc1-training")["00d62c1b"]
    pairs = [*task.train, *task.test]
    samples = [sample(pair.input) for pair in pairs for _ in image.slices]
    slices = np.tile(np.arange(len(image.slices), dtype=np.uint32), len(pairs))
    expected = run(image, slices, samples, 1 << 28)
    assert not np.any(expected["status"] == Ended.UNSUPPORTED)
    short = 0
    for arena_bytes in (0, 16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10):
        got = run(image, slices, samples, arena_bytes)
        full = got["status"] == Ended.UNSUPPORTED
        assert set(got["cause"][full].tolist()) <= {Cause.ARENA_FULL}
        for name in ("status", "error", "equal", "hash", "differing", "shape", "steps"):
            assert np.array_equal(got[name][~full], expected[name][~full]), (arena_bytes, name)
        short += int(full.sum())
    assert short > len(slices)


@pytest.mark.parametrize("side", [120, 400])
def test_large_grids_run_natively(side: int):
    rng = random.Random(side)
    grid = tuple([tuple([rng.choice((0, 0, 0, 5, 7)) for _ in range(side)]) for _ in range(side)])
    text = """
        def solve(I):
            x1 = objects(I, T, T, T)
            x2 = argmax(x1, size)
            x3 = fill(I, 3, x2)
            x4 = hconcat(x3, vmirror(I))
            return astuple(x4, size(x1))
        """
    result, expected = one(text, grid)
    assert expected.status is Status.OK
    assert (result["status"], result["hash"], result["steps"]) == (0, fingerprint(expected.value), expected.steps)


@pytest.mark.parametrize("compiled", [True, False])
def test_sets_of_a_million_items_run_natively(compiled: bool):
    text = """
        def solve(I):
            x1 = interval(0, 1000, 1)
            x2 = product(x1, x1)
            x3 = combine(x2, shift(x2, (500, 0)))
            x4 = toobject(x3, I)
            return astuple(size(x3), x4)
        """
    result, expected = one(text, compiled=compiled)
    assert expected.value[0] == 1_500_000
    assert (result["status"], result["hash"], result["steps"]) == (0, fingerprint(expected.value), expected.steps)


def test_what_leaves_64_bits_is_unsupported():
    text = """
        def solve(I):
            x1 = power(lbind(multiply, 10), 30)
            return x1(7)
        """
    result, expected = one(text)
    assert expected.value == 7 * 10**30
    assert result["status"] == Ended.UNSUPPORTED


CORRUPT = """
import random, sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from batt.bytecode.image import Image
from batt.errors import InternalError
from rearc import whole_deck
from test_hostile import Budget, run, sample, compile_deck, encode_deck, encode_programs, plan
deck = whole_deck("first-132")
built = compile_deck(deck)
images = [encode_deck(built, plan(built.graph)).image, encode_programs(deck.programs).image]
rng = random.Random(int(sys.argv[2]))
grid = ((0, 1, 1, 0), (2, 0, 0, 1), (0, 0, 3, 3))
refused = ran = 0
for number in range(int(sys.argv[3])):
    image = images[number % 2]
    words = np.frombuffer(image.words, np.uint32).copy()
    pool = bytearray(image.pool)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(words))
        old = int(words[at])
        near = [old ^ 1, (old + 1) & 0xFFFFFFFF, int(rng.choice(words)), rng.getrandbits(32)]
        words[at] = rng.choice([0, 1, 2, 7, 0xFFFFFFFF, *near])
        if rng.random() < 0.2:
            pool[rng.randrange(len(pool))] = rng.getrandbits(8)
    if rng.random() < 0.1:
        words = words[: rng.randrange(len(words))]
    if rng.random() < 0.05:
        pool = pool[: rng.randrange(len(pool))]
    try:
        spoiled = Image(words.tobytes(), bytes(pool), image.slices, image.helpers)
        slices = np.arange(len(image.slices), dtype=np.uint32)
        run(spoiled, slices, [sample(grid)] * len(slices), 1 << 22, Budget(20_000, 5_000, 1 << 24))
        ran += 1
    except InternalError:
        refused += 1
print(refused, ran)
"""


def test_corrupted_images_are_refused_or_run_safely(tmp_path: Path):
    script = tmp_path / "corrupt.py"
    script.write_text(CORRUPT)
    tests = Path(__file__).parents[1]
    paths = [str(Path(__file__).parent), "7", "400"]
    ended = subprocess.run(
        [sys.executable, str(script), *paths],
        env={"PYTHONPATH": f"{Path(batt.__file__).parents[1]}:{tests}", **_library()},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    refused, ran = map(int, ended.stdout.split())
    assert refused > 100
    assert ran > 10


def _library() -> dict[str, str]:
    return {"BATT_NATIVE_LIBRARY": str(library().path)}
