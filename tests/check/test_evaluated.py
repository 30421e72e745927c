"""`batt.evaluate` as an engine to compare."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from batt.check.engines import Reference, SharedProgress, on_cpu
from batt.check.evaluated import NOT_SAMPLED, SAMPLED, Evaluated, Sampled, tasks_of
from batt.check.sharing import random_samples
from batt.jobs import samples_of
from batt.runtime import Limits, Sample, Split
from batt.runtime.memory import WorkerMemory
from handmade import MIRROR, RAISES, SAME, deck
from native_library import needs_library

DECK = deck(solve_a=MIRROR, solve_b=RAISES, solve_c=SAME)


def all_pairs(samples: list[Sample]) -> list[tuple[int, int]]:
    return [(solver, sample) for sample in range(len(samples)) for solver in range(len(DECK))]


@pytest.mark.parametrize("seed", range(5))
def test_tasks_have_the_samples_that_they_are_made_of(seed: int):
    rng = Random(seed)
    samples = random_samples(rng, 4)
    rng.shuffle(samples)
    # A demonstration that is not the one of its task is a test.
    odd = Sample("x", Split.TRAIN, 0, samples[0].demonstrations, ((1, 2, 3, 4),), None)
    samples.append(odd)
    tasks, place_of = tasks_of(samples)
    found = samples_of(tasks)
    for position, sample in enumerate(samples):
        same = found[place_of[position]]
        assert (same.demonstrations, same.input, same.expected) == (
            sample.demonstrations,
            sample.input,
            sample.expected,
        )
    assert len(set(place_of)) == len(samples)


@needs_library
@pytest.mark.parametrize("share", [False, True])
def test_evaluating_gives_records_and_steps_of_the_asked_pairs(share: bool):
    samples = random_samples(Random(1), 3)
    pairs = all_pairs(samples)[::-2]
    seen = Evaluated(share=share).open(DECK, samples)(pairs, Limits(), SharedProgress())
    expected = on_cpu().open(DECK, samples)(pairs, Limits(), SharedProgress())
    assert seen.records.tolist() == expected.records.tolist()
    assert seen.steps.tolist() == expected.steps.tolist()
    assert set(seen.causes) == {""}


@needs_library
def test_steps_of_deferred_evaluations_are_those_of_the_reference():
    many, samples = deck(solve_a=("x = upscale(I, 300)",), solve_b=MIRROR), random_samples(Random(2), 1)[:1]
    engine = Evaluated(memory=WorkerMemory(arena_bytes=1 << 15))
    seen = engine.open(many, samples)([(0, 0), (1, 0)], Limits(), SharedProgress())
    reference = Reference().open(many, samples)([(0, 0), (1, 0)], Limits(), SharedProgress())
    assert seen.records.tolist() == reference.records.tolist()
    assert seen.steps.tolist() == reference.steps.tolist()


def test_the_reference_runs_a_few_evaluations_and_the_rest_is_told():
    samples = random_samples(Random(3), 200)
    pairs = all_pairs(samples)
    seen = Sampled(seed=5).open(DECK, samples)(pairs, Limits(), SharedProgress())
    chosen = [number for number, cause in enumerate(seen.causes) if not cause]
    assert 0.3 * SAMPLED < len(chosen) / len(pairs) < 3 * SAMPLED
    assert {cause for cause in seen.causes if cause} == {NOT_SAMPLED}
    whole = Reference().open(DECK, samples)([pairs[number] for number in chosen], Limits(), SharedProgress())
    assert seen.records[chosen].tolist() == whole.records.tolist()
    assert np.array_equal(seen.steps[chosen], whole.steps)


def test_the_reference_runs_all_of_one_sample():
    samples = random_samples(Random(4), 1)[:1]
    assert Sampled().open(DECK, samples)(all_pairs(samples), Limits(), SharedProgress()).causes == ["", "", ""]


def test_a_call_is_told_as_a_person_writes_it():
    assert Evaluated(share=False).call == "evaluate(deck, tasks, engine='cpu', compiled=True, share=False, workers=1)"
    assert "memory=WorkerMemory(arena_bytes=" in Evaluated(memory=WorkerMemory(trim_bytes=1)).call
