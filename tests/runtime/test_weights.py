"""The order by weight: every evaluation comes once, what was found heavy comes first, and GPUs wait for weights."""

from __future__ import annotations

import numpy as np
import pytest

from batt.bytecode.abi import Cause
from batt.runtime.evaluations import Block, Evaluations, Integers
from batt.runtime.records import RECORD_TYPE
from batt.runtime.tier import CPU, CUDA_THREADS, CUDA_WARPS, Part
from batt.runtime.waiting import OUTLIERS, PIECES, TO_THE_END, TRIED_BLOCKS, Waiting
from batt.runtime.weights import (
    LENGTH,
    LIGHT_STEPS,
    MANY_FOR_EACH,
    MOST_RUNS,
    MOST_UNKNOWN,
    NS_AT_ONCE,
    TRIES,
    UNKNOWN_AT_ONCE,
    WARP_NS,
    Weighed,
    pays_to_weigh,
)
from handmade import evaluations_of

SAMPLES = 1000
SIZES = np.arange(SAMPLES)[::-1].copy()
THREADS = 2
NS = 1
"""Nanoseconds of a step."""


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
    made = np.zeros(len(block), RECORD_TYPE)
    return Part(tier, block, made, steps_of(block), NS * steps_of(block), **more)  # type: ignore[arg-type]


def weighed(evaluations: Evaluations) -> Weighed:
    """The order when all that is tried is known."""
    made = Weighed(evaluations)
    for block in made.tried(3):
        learn(made, block)
    made.sort(0, len(made))
    return made


def learn(made: Weighed, block: Block) -> None:
    made.learn(block, steps_of(block), NS * steps_of(block))


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
    heavy = block.solvers[: made.light_from]
    assert set(heavy.tolist()) == {1, 2}
    light = np.flatnonzero(~np.isin(block.solvers, (1, 2)))
    assert made.light_from <= light[0]
    assert steps_of(block)[made.light_from :].mean() < LIGHT_STEPS
    # Of a solver that is heavy on large samples, those come before the small ones.
    at = np.flatnonzero(block.solvers == 1)
    assert SIZES[block.samples[at[:50]]].min() > SIZES[block.samples[at[-50:]]].max()


def test_a_solver_has_a_few_runs_of_whole_groups():
    count = LENGTH * MOST_RUNS * 3 + 1
    made = Weighed(evaluations_of(2, count, sizes=np.zeros(count, np.int64)))
    tried = made.tried(1)[0]
    counts = np.bincount(tried.solvers)
    parts = TRIES * MOST_RUNS * 3 // 4 + 1
    assert counts.tolist() == [parts, parts]
    assert np.diff(tried.samples[: parts - 1]).tolist() == [LENGTH * 4 // TRIES] * (parts - 2)


def test_runs_that_have_begun_stay_where_they_are():
    made = Weighed(EVERY)
    before = made.block(0, len(made))
    for block in made.tried(1):
        learn(made, block)
    made.sort(10, len(made) - 10)
    after = made.block(0, len(made))
    part = LENGTH // TRIES - 1
    assert after.numbers[:part].tolist() == before.numbers[:part].tolist()
    last = SAMPLES % (LENGTH // TRIES) - 1
    assert after.numbers[-last:].tolist() == before.numbers[-last:].tolist()
    assert after.numbers.tolist() != before.numbers.tolist()
    assert sorted(after.numbers.tolist()) == sorted(before.numbers.tolist())


def test_what_has_not_ended_is_taken_to_be_heavy():
    made = Weighed(EVERY)
    tried = made.tried(1)[0]
    learn(made, tried[tried.solvers != 3])
    made.sort(0, len(made))
    assert set(made.block(0, 500).solvers.tolist()) == {3}
    assert made.most(0, 1.0) == UNKNOWN_AT_ONCE


def test_a_run_is_known_when_one_of_its_parts_is():
    made = Weighed(EVERY)
    tried = made.tried(1)[0]
    for each in range(TRIES):
        chosen = tried[tried.samples % TRIES == each]
        learn(made, chosen)
    made.sort(0, len(made))
    assert made.most(len(made) - 1, 1.0) > UNKNOWN_AT_ONCE


def test_most_weights_are_known_before_the_last_ones_are():
    made = Weighed(EVERY)
    tried = made.tried(1)[0]
    enough = len(tried) - int(MOST_UNKNOWN * len(tried))
    learn(made, tried[: enough - 1])
    assert not made.is_known
    learn(made, tried[enough - 1 : enough])
    assert made.is_known


def test_what_was_deferred_counts_as_light():
    made = Weighed(EVERY)
    tried = made.tried(1)[0]
    is_deferred = tried.solvers == 2
    made.learn(tried[is_deferred], None)
    learn(made, tried[~is_deferred])
    made.sort(0, len(made))
    assert made.block(len(made) - 1, len(made)).solvers.tolist() == [2]


def test_blocks_of_heavy_evaluations_are_small():
    made = weighed(EVERY)
    least, most = NS_AT_ONCE
    assert made.most(0, 10.0) in range(1, 1 + most // (NS * 10**6))
    assert made.most(len(made) - 1, 10.0) == most // (10 * NS)
    # Towards the end, too.
    assert made.most(len(made) - 1, 0.0) == least // (10 * NS)


def test_a_block_ends_with_a_run_that_had_begun_before_heavier_ones():
    made = Weighed(EVERY)
    for block in made.tried(3):
        learn(made, block)
    # Eight evaluations of the first run, which is light, were taken before anything was known.
    made.sort(8, len(made))
    assert made.most(8, 10.0) == LENGTH // TRIES - 1 - 8
    assert made.most(LENGTH // TRIES - 1, 10.0) < 50


def test_the_time_that_is_left_is_that_of_the_runs():
    made = weighed(EVERY)
    block = made.block(0, len(made))
    true_s = NS * steps_of(block).cumsum() / 1e9
    assert made.left_s(0, len(made)) == pytest.approx(true_s[-1], rel=0.02)
    assert made.left_s(SAMPLES, len(made)) == pytest.approx(true_s[-1] - true_s[SAMPLES - 1], rel=0.05)
    assert made.left_s(700, 700) == 0.0


def test_what_would_take_warps_too_long_comes_before_what_would_not():
    made = weighed(EVERY)
    steps = steps_of(made.block(0, len(made)))
    assert 0 < made.light_from < len(made)
    assert made.warps_from == 0
    slow = Weighed(EVERY)
    for block in slow.tried(3):
        slow.learn(block, steps_of(block), np.where(block.solvers == 2, 2 * WARP_NS, 10))
    slow.sort(0, len(slow))
    assert set(slow.block(0, slow.warps_from).solvers.tolist()) == {2}
    assert slow.warps_from == int((slow.block(0, len(slow)).solvers == 2).sum())
    assert slow.light_from > slow.warps_from
    assert steps[: made.light_from].mean() > LIGHT_STEPS


@pytest.mark.parametrize(
    ("solvers", "samples", "pays"),
    [(1, 10**4, False), (2, MANY_FOR_EACH - 1, False), (2, MANY_FOR_EACH, True), (0, 5, False), (5, 0, False)],
)
def test_weights_need_many_evaluations_of_several_solvers(solvers: int, samples: int, pays: bool):
    assert pays_to_weigh(evaluations_of(solvers, samples)) is pays


def waiting_by_weight(evaluations: Evaluations) -> Waiting:
    made = Waiting(evaluations, threads=THREADS)
    assert evaluations.sizes is not None
    made.by_solver(evaluations.sizes, with_gpus=True)
    return made


def all_tried(made: Waiting, known: bool = True) -> Waiting:
    """Take what is tried first, and learn how long it takes."""
    for _ in range(TRIED_BLOCKS * THREADS):
        block = made.first(100, 2)
        assert block is not None
        assert block.cause in TO_THE_END
        if known:
            made.learn(part_of(block))
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
    made = all_tried(waiting_by_weight(EVERY))
    assert made.new == EVERY.total - 4 * -(-SAMPLES // (LENGTH // TRIES))
    first, last = made.first(100, 2), made.last(100)
    assert first is not None
    assert last is not None
    assert first.cause in TO_THE_END
    assert last.cause is None
    assert set(first.solvers.tolist()) <= {1, 2}
    assert set(last.solvers.tolist()) <= {0, 3}


def test_gpus_wait_until_weights_are_known():
    made = waiting_by_weight(EVERY)
    assert (made.for_gpu_threads, made.new_for_warps, made.last(100)) == (0, 0, None)
    all_tried(made)
    assert made.for_gpu_threads == made.new
    assert len(made.last(100) or ()) == 100


def test_gpus_do_not_wait_for_what_no_part_tells():
    made = all_tried(waiting_by_weight(EVERY), known=False)
    for _ in range(TRIED_BLOCKS * THREADS):
        assert made.last(100) is None
        assert made.first(10, 2) is not None
    assert len(made.last(100) or ()) == 100


def test_warps_take_heavy_ones_when_threads_of_gpus_have_taken_all_others():
    made = all_tried(waiting_by_weight(EVERY))
    made.workers[CUDA_WARPS] = 1
    light = made.for_gpu_threads
    assert 0 < light < made.new
    assert made.heavy_s > 0
    assert made.new_for_warps == 0
    found = []
    while (block := made.last(300)) is not None:
        found.append(block)
    assert sum(map(len, found)) == light
    assert {each.cause for each in found} == {None}
    heavy = made.new
    assert made.new_for_warps == heavy
    assert made.cpu_s == pytest.approx(made.heavy_s)
    block = made.new_heavy(200)
    assert len(block) == 200
    assert block.cause is Cause.HEAVY
    assert set(block.solvers.tolist()) <= {1, 2}
    assert (made.new, made.new_for_warps) == (heavy - 200, heavy - 200)
    assert len(made.new_heavy(10**6)) == heavy - 200


def test_without_warps_threads_of_gpus_take_heavy_ones_too():
    made, found = all_tried(waiting_by_weight(EVERY)), 0
    while (block := made.last(300)) is not None:
        found += len(block)
    assert (made.new, found > 0) == (0, True)


@pytest.mark.parametrize("count", [1, 5, 3 * PIECES * THREADS, 2 * OUTLIERS * PIECES * THREADS])
def test_the_cpu_takes_what_was_thought_to_be_light_in_pieces_of_many_programs(count: int):
    made = waiting_by_weight(EVERY)
    assert made.outliers(THREADS) is None
    whole = EVERY.block(0, count)
    made.defer(CUDA_WARPS, Cause.ARENA_FULL, whole)
    before = made.cpu_s
    found: list[Block] = []
    while (block := made.outliers(THREADS)) is not None:
        found.append(block)
    assert made.cpu_s < before
    assert sorted(np.concatenate([each.numbers for each in found]).tolist()) == sorted(whole.numbers.tolist())
    sizes = [len(each) for each in found]
    assert max(sizes) <= OUTLIERS
    assert max(sizes) - min(sizes) <= 1
    assert len(sizes) >= min(count, PIECES * THREADS)


def test_outliers_that_come_later_are_divided_with_the_others():
    made = waiting_by_weight(EVERY)
    made.defer(CUDA_WARPS, Cause.THREAD_LIMIT, EVERY.block(0, 1000))
    first = made.outliers(THREADS)
    made.defer(CUDA_WARPS, Cause.THREAD_LIMIT, EVERY.block(1000, 1010))
    second = made.outliers(THREADS)
    assert first is not None
    assert second is not None
    assert made.deferred(CUDA_WARPS) == 1010 - len(first) - len(second)
    taken = made.for_warps(10**6, 1, 1.0)
    assert taken is not None
    numbers = [*first.numbers.tolist(), *second.numbers.tolist(), *taken.numbers.tolist()]
    assert sorted(numbers) == sorted(EVERY.block(0, 1010).numbers.tolist())


def test_without_weights_there_are_no_outliers():
    made = Waiting(EVERY)
    made.defer(CUDA_WARPS, Cause.THREAD_LIMIT, EVERY.block(0, 100))
    assert made.outliers(THREADS) is None
    assert made.cpu_s == made.heavy_s == 0.0


def test_gpus_and_deferred_evaluations_teach_no_weights():
    made = waiting_by_weight(EVERY)
    tried = [made.first(100, 2) for _ in range(TRIED_BLOCKS * THREADS)]
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
