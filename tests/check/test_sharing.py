"""Fuzzing with sharing: what a seed stands for, and that a difference is found and kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import pytest

from batt.check.engines import EngineResults, NativeEngine, Reference, Run, SharedProgress, on_cpu, on_gpus
from batt.check.fuzz import Request, fuzz
from batt.check.sharing import (
    MOST_ITEMS,
    NOT_SAMPLED,
    SAMPLED,
    SOLVERS,
    Sampled,
    SharingBatch,
    evaluating,
    random_samples,
    sharing_engines,
)
from batt.errors import UsageError
from batt.front import load_deck
from batt.runtime import Limits, Sample
from batt.runtime.memory import WorkerMemory
from batt.tasks import load_tasks
from handmade import MIRROR, RAISES, SAME, deck
from native_library import needs_library

ENGINES = sharing_engines("cpu")


def test_a_seed_stands_for_one_batch():
    first, second = SharingBatch(3, 6, ENGINES).made(), SharingBatch(3, 6, ENGINES).made()
    assert [solver.program for solver in first.deck] == [solver.program for solver in second.deck]
    assert (first.samples, first.limits, first.engines) == (second.samples, second.limits, second.engines)


def test_batches_differ_in_memory_samples_and_budgets():
    benches = [SharingBatch(seed, 6, ENGINES).made() for seed in range(40)]
    memories = [bench.engines[0].options.memory for bench in benches]
    assert len({each.trim_bytes for each in memories}) > 3
    assert len({each.arena_bytes for each in memories}) > 3
    assert len({each.trim_steps for each in memories}) > 2
    assert len({each.stage_bytes for each in memories}) > 3
    assert len({len(bench.samples) for bench in benches}) > 10
    assert len({bench.limits[0] for bench in benches}) > 3
    assert all(bench.engines[-1] == evaluating(share=False) for bench in benches)


def test_values_of_up_to_the_limit_of_items_occur():
    text = "".join(solver.source for seed in range(60) for solver in SharingBatch(seed, 6, ENGINES).made().deck)
    numbers = [int(word) for word in "".join([each if each.isdigit() else " " for each in text]).split()]
    assert max(numbers) > 0.5 * MOST_ITEMS


def test_engines_are_those_asked_for_and_the_measure_shares_nothing():
    assert (evaluating(), Sampled(), evaluating(share=False)) == ENGINES
    assert sharing_engines("cpu,reference") == ENGINES
    for wrong in ("gpu", "reference", "cpu-direct", ""):
        with pytest.raises(UsageError, match="--sharing runs on cpu and cuda, got"):
            sharing_engines(wrong)
    assert on_gpus(share=True) != on_gpus()


@needs_library
def test_sharing_shows_nothing(tmp_path: Path):
    told: list[str] = []
    request = Request(50, 30, None, 1, tmp_path, ENGINES, SharingBatch, SOLVERS, 60.0, 5.0)
    done = fuzz(request, told.append)
    assert told == []
    assert (done.differences, done.programs, done.batches) == (0, 30, 5)
    assert done.tally.compared >= done.tally.evaluations > 100


@dataclass(frozen=True, slots=True)
class Forgetful(NativeEngine):
    """Wrong in the last evaluation of a run, where there are several."""

    def open(self, deck, samples) -> Run:
        run = evaluating(share=False).open(deck, samples)

        def wrong(pairs, limits, progress) -> EngineResults:
            seen = run(pairs, limits, progress)
            if len(pairs) > 3:
                records = np.array(seen.records)
                records["hash"][-1] ^= 1
                return EngineResults(records, seen.steps, seen.causes)
            return seen

        return wrong


FORGETFUL = Forgetful("evaluate-cpu", evaluating().options, evaluating().tiers)


@needs_library
def test_what_several_evaluations_show_is_kept_with_as_few_as_it_takes(tmp_path: Path):
    request = Request(50, 6, None, 1, tmp_path, (FORGETFUL, evaluating(share=False)), SharingBatch, SOLVERS, 60.0, 5.0)
    done = fuzz(request, lambda line: None)
    assert done.differences == 1
    deck, tasks = load_deck(tmp_path / "50-0.py"), load_tasks(tmp_path / "50-0.json")
    assert 3 < len(deck) * sum(len(task.test) for task in tasks) <= 6
    text = (tmp_path / "50-0.py").read_text()
    assert "# batt check --fuzz --sharing --seed 50 --count 6\n" in text
    assert "# evaluate(deck, tasks, engine='cpu', compiled=True, share=True" in text


DECK = deck(solve_a=MIRROR, solve_b=RAISES, solve_c=SAME)


def all_pairs(samples: list[Sample]) -> list[tuple[int, int]]:
    return [(solver, sample) for sample in range(len(samples)) for solver in range(len(DECK))]


@needs_library
@pytest.mark.parametrize("share", [False, True])
def test_evaluating_gives_records_and_steps_of_the_asked_pairs(share: bool):
    samples = random_samples(Random(1), 3)
    pairs = all_pairs(samples)[::-2]
    seen = evaluating(share=share).open(DECK, samples)(pairs, Limits(), SharedProgress())
    expected = on_cpu().open(DECK, samples)(pairs, Limits(), SharedProgress())
    assert seen.records.tolist() == expected.records.tolist()
    assert seen.steps.tolist() == expected.steps.tolist()
    assert set(seen.causes) == {""}


@needs_library
def test_steps_of_deferred_evaluations_are_those_of_the_reference():
    many, samples = deck(solve_a=("x = upscale(I, 300)",), solve_b=MIRROR), random_samples(Random(2), 1)[:1]
    engine = evaluating(memory=WorkerMemory(arena_bytes=1 << 15))
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
