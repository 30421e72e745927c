"""Random programs: what becomes of them in a graph is what the reference engine makes of them, steps included."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

import batt
from agreement import difference, read, shrunk
from batt.check.generate import random_source
from batt.ir.spec import Stage, check
from batt.jobs import samples_of
from batt.passes.specialize import specialize, specializer
from batt.runtime import Limits, Sample, Split, Status, evaluate_one

CHUNK = 250
AMPLE = Limits(steps=20_000, max_items=5_000)


@cache
def small_samples() -> list[Sample]:
    samples = samples_of(batt.load_tasks("arc1-training"))
    return [each for each in samples if len(each.input) * len(each.input[0]) <= 36]


def random_sample(rng: Random) -> Sample:
    """A real sample, or a grid of three colours."""
    if rng.random() < 0.5:
        return rng.choice(small_samples())
    height, width = rng.randint(1, 6), rng.randint(1, 6)
    grid = tuple([tuple([rng.choice((0, 0, 1, 2)) for _ in range(width)]) for _ in range(height)])
    return Sample("random", Split.TRAIN, 0, ((grid, grid),), grid, None)


def trials(seed: int) -> list[tuple[Sample, Limits]]:
    """Samples with ample and with tiny budgets."""
    rng = Random(seed)
    samples = [random_sample(rng), random_sample(rng)]
    tiny = Limits(rng.randint(1, 400), rng.randint(1, 40))
    return [
        (samples[0], AMPLE),
        (samples[1], AMPLE),
        (samples[0], tiny),
        (samples[1], Limits(20_000, rng.randint(1, 9))),
    ]


def disagreement(source: str, seed: int) -> str:
    """What the graph of a program does otherwise than the reference engine; empty where it has none."""
    program = read(source)
    graph = specialize([("solve", program)]).graph
    return next(
        filter(
            None, [difference(graph, each.name, program, *trial) for each in graph.slices for trial in trials(seed)]
        ),
        "",
    )


def assert_agreement(seed: int) -> None:
    source = random_source(seed)
    if disagreement(source, seed):
        small = shrunk(source, lambda text: bool(disagreement(text, seed)))
        pytest.fail(f"seed {seed}: {disagreement(small, seed)}\n{small}")


@pytest.mark.parametrize("chunk", range(12))
def test_a_random_program_does_in_the_graph_what_it_does_on_the_reference_engine(chunk):
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        assert_agreement(seed)


@pytest.mark.parametrize("inline_size", [1, 4, 12])
def test_it_makes_no_difference_how_soon_functions_become_bodies_of_their_own(inline_size, monkeypatch):
    monkeypatch.setattr(specializer, "INLINE_SIZE", inline_size)
    for seed in range(10_000 + CHUNK * inline_size, 10_000 + CHUNK * inline_size + CHUNK):
        assert_agreement(seed)


def test_programs_in_one_graph_do_what_each_does_alone():
    for first in range(20_000, 20_400, 20):
        programs = {f"p{seed}": read(random_source(seed)) for seed in range(first, first + 20)}
        graph = specialize(programs.items()).graph
        check(graph, Stage.FIRST_ORDER)
        for each in graph.slices:
            for sample, limits in trials(first)[::2]:
                assert not difference(graph, each.name, programs[each.name], sample, limits), (first, each.name)


def test_most_random_programs_are_first_order_and_a_third_end_in_a_value():
    programs = {f"p{seed}": read(random_source(seed)) for seed in range(500)}
    found = specialize(programs.items())
    reasons = Counter(found.left_out.values())
    ends = Counter(evaluate_one(each, random_sample(Random(0)), AMPLE).status for each in programs.values())
    print(
        f"{len(found.graph.slices)} of 500 first-order",
        *[f"{count:>4} {why}" for why, count in reasons.most_common()],
        sep="\n",
    )
    assert len(found.graph.slices) >= 300
    assert ends[Status.OK] >= 500 / 3


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(200))
def test_fifty_thousand_random_programs_agree(chunk):
    for seed in range(1_000_000 + chunk * CHUNK, 1_000_000 + (chunk + 1) * CHUNK):
        assert_agreement(seed)
