"""Steps of the demonstrations alone: worked out once per task, and still the same outcomes on every engine.

Any solver becomes one of S alone when it is given a demonstration's grid in place of the input: then all its steps, the
failing ones too, are the task's. Beside it stand the solver of the input and one that has a part of both.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import batt
from batt.bench.frozen import first_132
from batt.check.engines import ENGINES, SharedProgress
from batt.codegen.plan import plan
from batt.compiler import compile_deck
from batt.front import Deck, Solver
from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ir.graph import Level
from batt.jobs import evaluate, samples_of
from batt.ops import OPS
from batt.runtime import Limits, Sample, Status
from native_library import needs_library
from rearc import verifiers

pytestmark = needs_library

LIMITS = (Limits(100_000, 100_000), Limits(2_000, 300), Limits(300, 5_000))
TASKS = batt.load_tasks("arc1-training")


def of_demonstrations(program: Program, ends: Sequence[str], share: float, chooser: random.Random) -> Program:
    """The program with a demonstration's grid in place of that share of its uses of the input."""
    path = [Step(Literal(OPS[end]), (Slot(0 if not at else 2 + at),), f"s{at}", 0) for at, end in enumerate(ends)]

    def moved(operand: Operand) -> Operand:
        if isinstance(operand, Literal):
            return operand
        if operand.index == 0:
            return Slot(2 + len(path)) if chooser.random() < share else Slot(1)
        return Slot(operand.index + 2 + len(path))

    steps = [
        Step(step.callee and moved(step.callee), tuple(map(moved, step.args)), step.target, step.line)
        for step in program.steps
    ]
    return Program(("S", "I", "C"), 3, (*path, *steps), moved(program.result))


def drawn(seed: int, count: int) -> Deck:
    """Solvers drawn from two decks, each in four forms."""
    chooser = random.Random(seed)
    forms = ((("first", "first"), 1.0), (("first", "last"), 1.0), (("last", "first"), 0.5), (("first", "last"), 0.0))
    found: list[Solver] = []
    for solver in chooser.sample([*first_132(), *verifiers()], count):
        for at, (ends, share) in enumerate(forms):
            made = of_demonstrations(solver.program, ends, share, chooser)
            found.append(replace(solver, name=f"{solver.name}_{at}", program=made))
    return Deck(found, "of demonstrations")


def compare(deck: Deck, samples: Sequence[Sample], pairs: list[tuple[int, int]], limits: Limits) -> None:
    wanted = ENGINES["reference"].open(deck, samples)(pairs, limits, SharedProgress())
    over = wanted.records["status"] == Status.OVER_BUDGET
    for name in ("cpu", "cpu-noshare", "cpu-direct"):
        got = ENGINES[name].open(deck, samples)(pairs, limits, SharedProgress())
        ran = np.array([not cause for cause in got.causes])
        assert ran.mean() > 0.95
        assert np.array_equal(got.records[ran], wanted.records[ran]), name
        steps = ran & ~over
        assert np.array_equal(got.steps[steps], wanted.steps[steps]), name


@pytest.mark.parametrize("limits", LIMITS, ids=lambda limits: f"{limits.steps}-steps")
@pytest.mark.parametrize("seed", [1, 2])
def test_all_engines_agree_sample_by_sample(seed, limits):
    deck = drawn(seed, 8)
    entries = plan(compile_deck(deck).graph).entries
    assert sum(entry.level is Level.TASK for entry in entries) > 40
    samples = samples_of(TASKS.select(random.Random(seed).sample(TASKS.ids, 6)))
    compare(deck, samples, [(a, b) for b in range(len(samples)) for a in range(len(deck))], limits)


def test_all_engines_agree_where_tasks_come_back_in_any_order():
    deck = drawn(3, 5)
    samples = samples_of(TASKS.select(random.Random(3).sample(TASKS.ids, 6)))
    pairs = [(a, b) for b in range(len(samples)) for a in range(len(deck))]
    random.Random(3).shuffle(pairs)
    compare(deck, samples, pairs, LIMITS[0])


def test_a_task_without_demonstrations_fails_alike_everywhere():
    deck = drawn(4, 5)
    samples = [replace(sample, demonstrations=()) for sample in samples_of(TASKS.select(count=1))]
    compare(deck, samples, [(a, b) for b in range(len(samples)) for a in range(len(deck))], LIMITS[0])


@pytest.mark.parametrize("workers", [1, 3])
def test_a_run_on_threads_gives_what_the_reference_engine_gives(workers):
    deck, tasks = drawn(5, 4), TASKS.select(random.Random(5).sample(TASKS.ids, 8))
    wanted = evaluate(deck, tasks, engine="reference", limits=LIMITS[0])
    for share in (True, False):
        got = evaluate(deck, tasks, engine="cpu", limits=LIMITS[0], workers=workers, share=share, compiled=True)
        assert np.array_equal(got.records, wanted.records)
        assert got.steps == wanted.steps
