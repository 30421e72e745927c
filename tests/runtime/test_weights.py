"""The order by weight: every evaluation comes once, and what was found heavy comes first."""

from __future__ import annotations

import numpy as np
import pytest

from batt.bytecode.abi import Cause
from batt.runtime.evaluations import Block, Evaluations, Integers
from batt.runtime.records import RECORD_TYPE
from batt.runtime.tier import CPU, CUDA_THREADS, Part
from batt.runtime.waiting import TO_THE_END, Waiting
from batt.runtime.weights import (
    LENGTH,
    MANY_FOR_EACH,
    MOST_RUNS,
    STEPS_AT_ONCE,
    UNKNOWN_AT_ONCE,
    Weighed,
    pays_to_weigh,
)
from handmade import evaluations_of

SAMPLES = 1000
SIZES = np.arange(SAMPLES)[::-1].copy()


def steps_of(block: Block) -> Integers:
    """Solver 1 is heavy on large samples, solver 2 on all, the others nowhere."""
    return np.where(block.solvers == 2, 10**6, np.where(block.solvers == 1, 2000 * SIZES[block.samples], 10))


def some_pairs(solvers: int) -> Evaluations:
    generator = np.random.default_rng(6)
    chosen = np.flatnonzero(generator.random(solvers * SAMPLES) < 0.5)
    return evaluations_of(solvers, SAMPLES, *divmod(generator.permutation(chosen), SAMPLES), sizes=SIZES)


EVERY = evaluations_of(4, SAMPLES, sizes=SIZES)
ALL = [EVERY, some_pairs(5), evaluations_of(3, 1, sizes=SIZES[:1]), evaluations_of(2, LENGTH, sizes=SIZES[:LENGTH])]


def part_of(block: Block, tier: object = CPU, **more: object) -> Part:
    return Part(tier, block, np.zeros(len(block), RECORD_TYPE), steps_of(block), **more)  # type: ignore[arg-type]


def weighed(evaluations: Evaluations) -> Weighed:
    """The order when all that is tried is known."""
    made = Weighed(evaluations)
    for block in made.tried(3):
        made.learn(block, steps_of(block))
    made.sort(0, len(made))
    return made


@pytest.mark.parametrize("evaluations", ALL)
@pytest.mark.parametrize("pieces", [1, 3, 1000])
def test_every_evaluation_is_tried_or_in_the_order(evaluations: Evaluations, pieces: int):
    made = weighed(evaluations)
    tried = made.tried(pieces)
    assert all(len(block) for block in tried)
    assert len(tried) <= pieces
    blocks = [*tried, *[made.block(at, min(at + 70, len(made))) for at in range(0, len(made), 70)]]
    assert sorted([number for block in blocks for number in block.numbers.tolist()]) == list(range(evaluations.total))
    for block in blocks:
        solvers, samples = evaluations.pairs(block.numbers)
        assert (block.solvers.tolist(), block.samples.tolist()) == (solvers.tolist(), samples.tolist())


def test_the_heaviest_runs_come_first():
    made = weighed(EVERY)
    block = made.block(0, len(made))
    heavy = block.solvers[: LENGTH - 1 + SAMPLES % LENGTH]
    assert set(heavy.tolist()) == {1, 2}
    light = np.flatnonzero(~np.isin(block.solvers, (1, 2)))
    assert (steps_of(block)[light[0] :] <= 2000 * LENGTH).all()
    # Of a solver that is heavy on large samples, those come before the small ones.
    at = np.flatnonzero(block.solvers == 1)
    assert SIZES[block.samples[at[:50]]].min() > SIZES[block.samples[at[-50:]]].max()


def test_a_solver_has_a_few_runs_of_whole_groups():
    count = LENGTH * MOST_RUNS * 3 + 1
    made = Weighed(evaluations_of(2, count, sizes=np.zeros(count, np.int64)))
    tried = made.tried(1)[0]
    counts = np.bincount(tried.solvers)
    runs = MOST_RUNS * 3 // 4 + 1
    assert counts.tolist() == [runs, runs]
    assert np.diff(tried.samples[: runs - 1]).tolist() == [LENGTH * 4] * (runs - 2)


def test_runs_that_have_begun_stay_where_they_are():
    made = Weighed(EVERY)
    before = made.block(0, len(made))
    for block in made.tried(1):
        made.learn(block, steps_of(block))
    made.sort(10, len(made) - 10)
    after = made.block(0, len(made))
    run = LENGTH - 1
    assert after.numbers[:run].tolist() == before.numbers[:run].tolist()
    last = SAMPLES % LENGTH - 1
    assert after.numbers[-last:].tolist() == before.numbers[-last:].tolist()
    assert after.numbers.tolist() != before.numbers.tolist()
    assert sorted(after.numbers.tolist()) == sorted(before.numbers.tolist())


def test_what_has_not_ended_is_taken_to_be_heavy():
    made = Weighed(EVERY)
    tried = made.tried(1)[0]
    known = tried[tried.solvers != 3]
    made.learn(known, steps_of(known))
    made.sort(0, len(made))
    assert set(made.block(0, 500).solvers.tolist()) == {3}
    assert made.most(0) == UNKNOWN_AT_ONCE


def test_what_was_deferred_counts_as_light():
    made = Weighed(EVERY)
    tried = made.tried(1)[0]
    is_deferred = tried.solvers == 2
    made.learn(tried[is_deferred], None)
    made.learn(tried[~is_deferred], steps_of(tried[~is_deferred]))
    made.sort(0, len(made))
    assert made.block(len(made) - 1, len(made)).solvers.tolist() == [2]


def test_blocks_of_heavy_evaluations_are_small():
    made = weighed(EVERY)
    assert made.most(0) in range(1, 1 + STEPS_AT_ONCE // 10**6)
    assert made.most(len(made) - 1) == STEPS_AT_ONCE // 10


@pytest.mark.parametrize(
    ("solvers", "samples", "pays"),
    [(1, 10**4, False), (2, MANY_FOR_EACH - 1, False), (2, MANY_FOR_EACH, True), (0, 5, False), (5, 0, False)],
)
def test_weights_need_many_evaluations_of_several_solvers(solvers: int, samples: int, pays: bool):
    assert pays_to_weigh(evaluations_of(solvers, samples)) is pays


def waiting_by_weight(evaluations: Evaluations) -> Waiting:
    made = Waiting(evaluations)
    assert evaluations.sizes is not None
    made.by_solver(evaluations.sizes, 2)
    return made


@pytest.mark.parametrize("evaluations", ALL)
@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_lost_when_weights_are_learned_while_both_ends_are_taken(evaluations: Evaluations, seed: int):
    generator = np.random.default_rng(seed)
    made, running, found = waiting_by_weight(evaluations), list[Block](), list[int]()
    while True:
        block = made.last(300) if generator.random() < 0.3 else made.first(100, 2)
        if block is None and not made.new:
            break
        if block is not None:
            found += block.numbers.tolist()
            running.append(block)
        if running and generator.random() < 0.7:
            made.learn(part_of(running.pop(int(generator.integers(len(running))))))
    assert sorted(found) == list(range(evaluations.total))


def test_the_cpu_first_tries_a_few_of_each_solver_and_runs_all_to_their_ends():
    made = waiting_by_weight(EVERY)
    tried = [made.first(100, 2) for _ in range(4)]
    assert made.new == EVERY.total - sum([len(block) for block in tried if block is not None])
    for block in tried:
        assert block is not None
        assert block.cause in TO_THE_END
        made.learn(part_of(block))
    first, last = made.first(100, 2), made.last(100)
    assert first is not None
    assert last is not None
    assert first.cause in TO_THE_END
    assert last.cause is None
    assert set(first.solvers.tolist()) <= {1, 2}
    assert set(last.solvers.tolist()) <= {0, 3}


def test_gpus_and_deferred_evaluations_teach_no_weights():
    made = waiting_by_weight(EVERY)
    tried = [made.first(100, 2) for _ in range(4)]
    for block in tried:
        assert block is not None
        made.learn(part_of(block, CUDA_THREADS))
        nothing = block[:0]
        made.learn(part_of(nothing, deferred={Cause.WIDE_INT: block}))
    last = made.last(100)
    assert last is not None
    # All are equally light, so their order is the old one.
    assert set(last.solvers.tolist()) == {3}


def test_few_evaluations_run_solver_by_solver():
    few = evaluations_of(3, MANY_FOR_EACH - 1, sizes=SIZES[: MANY_FOR_EACH - 1])
    made = waiting_by_weight(few)
    assert made.new == few.total
    block = made.first(1000, 1)
    assert block is not None
    assert block.cause is None
