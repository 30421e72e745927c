"""The order of evaluations, and the size of blocks."""

from __future__ import annotations

import numpy as np
import pytest

from batt.runtime.blocks import BLOCK_S, FIRST_BLOCK, MAX_BLOCK, MIN_BLOCK, Block, Blocks, Order, parted

SOME = Order(5, 4, np.array([0, 0, 2, 2, 4, 1]), np.array([1, 3, 3, 0, 1, 3]))


def all_of(order: Order, workers: int = 2) -> list[Block]:
    blocks = Blocks(order, workers)
    found = []
    while (block := blocks.next()) is not None:
        found.append(block)
    return found


@pytest.mark.parametrize("order", [Order(3, 7), Order(400, 60), Order(1, 1), SOME])
@pytest.mark.parametrize("workers", [1, 3])
def test_every_evaluation_comes_once_and_sample_by_sample(order: Order, workers: int):
    blocks = all_of(order, workers)
    numbers = np.concatenate([block.numbers for block in blocks])
    assert sorted(numbers.tolist()) == list(range(order.total))
    samples = np.concatenate([block.samples for block in blocks])
    assert (np.diff(samples) >= 0).all()


@pytest.mark.parametrize("order", [Order(3, 7), SOME])
def test_a_block_has_the_solver_and_the_sample_of_each_number(order: Order):
    block = order.block(0, order.total)
    pairs = list(zip(block.solvers.tolist(), block.samples.tolist(), strict=True))
    assert pairs == [order.pair(number) for number in block.numbers.tolist()]


def test_the_number_of_an_evaluation_is_its_place_solver_by_solver():
    assert [Order(3, 7).pair(number) for number in (0, 6, 7, 20)] == [(0, 0), (0, 6), (1, 0), (2, 6)]


def test_no_evaluations_are_no_blocks():
    assert all_of(Order(0, 7)) == all_of(Order(7, 0)) == []


def test_blocks_end_with_a_sample_where_they_can():
    blocks = Blocks(Order(10, 1000), 1)
    blocks.size = 57
    first, second = blocks.next(), blocks.next()
    assert first is not None
    assert second is not None
    assert (len(first), len(second)) == (50, 50)


def test_a_sample_larger_than_a_block_is_cut():
    blocks = Blocks(Order(10_000, 2), 1)
    block = blocks.next()
    assert block is not None
    assert len(block) == FIRST_BLOCK


def test_blocks_grow_and_shrink_towards_their_time():
    blocks = Blocks(Order(100, 100), 1)
    for _ in range(100):
        blocks.took(blocks.size, blocks.size * BLOCK_S / 5000)
    assert blocks.size == pytest.approx(5000, rel=0.01)
    for _ in range(100):
        blocks.took(blocks.size, 60.0)
    assert blocks.size == MIN_BLOCK
    for _ in range(100):
        blocks.took(blocks.size, 0.0)
    assert blocks.size == MAX_BLOCK


def test_no_block_is_more_than_a_fair_share_of_what_is_left():
    blocks = Blocks(Order(7, 1000), 4)
    blocks.size = MAX_BLOCK
    left = 7000
    while (block := blocks.next()) is not None:
        assert len(block) <= max(-(-left // 8), FIRST_BLOCK)
        left -= len(block)


def test_a_few_evaluations_are_one_block():
    assert [len(block) for block in all_of(Order(FIRST_BLOCK // 4, 4), workers=8)] == [FIRST_BLOCK]


def test_a_part_of_a_block_keeps_its_columns_together():
    block = Order(3, 7).block(0, 21)
    part = block[block.solvers == 1]
    assert len(part) == 7
    assert part.numbers.tolist() == list(range(7, 14))
    assert block[2:5].numbers.tolist() == block.numbers[2:5].tolist()


SIZES = np.array([30, 10, 20, 10])


@pytest.mark.parametrize("order", [Order(5, 4), SOME])
def test_by_solver_the_numbers_stay_and_samples_ascend_by_size(order: Order):
    block = order.by_solver(SIZES).block(0, order.total)
    assert sorted(block.numbers.tolist()) == list(range(order.total))
    pairs = list(zip(block.solvers.tolist(), block.samples.tolist(), strict=True))
    assert pairs == [order.pair(number) for number in block.numbers.tolist()]
    keys = [(solver, SIZES[sample]) for solver, sample in pairs]
    assert keys == sorted(keys)


def drawn(solvers: int, samples: int, count: int, repeated: bool) -> Order:
    """Pairs in any order, some of them several times or each at most once."""
    generator = np.random.default_rng(count)
    numbers = generator.choice(solvers * samples, count, replace=False)
    if repeated:
        numbers[generator.integers(1, count, count // 5)] = numbers[0]
    return Order(solvers, samples, *np.divmod(numbers, samples))


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize(
    ("solvers", "samples", "count"),
    # All pairs, a part of them, and few: no more than one in four.
    [(40, 50, 2000), (40, 50, 700), (40, 50, 501), (40, 50, 400), (400, 900, 300), (1, 70, 50), (70, 1, 50)],
)
def test_orders_of_pairs_are_sorted_as_by_their_columns(solvers: int, samples: int, count: int, repeated: bool):
    order = drawn(solvers, samples, count, repeated)
    sizes = np.random.default_rng(2).integers(1, 9, samples)
    ranks = np.argsort(np.argsort(sizes, kind="stable"))
    assert order.solver_of is not None
    assert order.sample_of is not None
    by_solver = order.by_solver(sizes).block(0, count)
    assert by_solver.numbers.tolist() == np.lexsort((ranks[order.sample_of], order.solver_of)).tolist()
    assert by_solver.solvers.tolist() == order.solver_of[by_solver.numbers].tolist()
    assert by_solver.samples.tolist() == order.sample_of[by_solver.numbers].tolist()
    assert order.block(0, count).numbers.tolist() == np.lexsort((order.sample_of,)).tolist()


def test_an_order_of_no_pairs_is_empty():
    none = np.empty(0, np.int64)
    assert all_of(Order(5, 4, none, none).by_solver(SIZES)) == []


@pytest.mark.parametrize("order", [Order(40, 60), SOME])
def test_small_blocks_from_the_front_and_large_ones_from_the_end_meet(order: Order):
    blocks = Blocks(order, 2)
    found = []
    while blocks.left:
        found += [each for each in (blocks.last(500), blocks.next()) if each is not None]
    assert (blocks.next(), blocks.last(500)) == (None, None)
    assert sorted(np.concatenate([block.numbers for block in found]).tolist()) == list(range(order.total))


def test_large_blocks_begin_with_a_sample_where_they_can():
    blocks = Blocks(Order(10, 1000), 2)
    sizes = [len(blocks.last(count) or ()) for count in (57, 40, 9, 14)]
    # Nine are less than a sample, and one more is no half of what was asked for.
    assert sizes == [50, 40, 9, 11]
    assert blocks.end == 10_000 - sum(sizes)
    blocks.at = blocks.end - 7
    assert len(blocks.last(100) or ()) == 7


@pytest.mark.parametrize(("count", "solvers"), [(1, [0]), (6, [0]), (7, [0]), (13, [0]), (14, [0, 1]), (20, [0, 1])])
def test_a_block_is_parted_by_solver(count: int, solvers: list[int]):
    block = Order(3, 7).block(0, 21)
    first, others = parted(block, count)
    assert sorted(set(first.solvers.tolist())) == solvers
    assert len(first) == 7 * len(solvers)
    assert sorted([*first.numbers, *others.numbers]) == list(range(21))
    assert (np.diff(others.samples) >= 0).all()


def test_what_comes_back_is_handed_out_again_before_all_else():
    blocks = Blocks(Order(4, 1000), 2)
    large, left_over = blocks.last(1000), blocks.last(300)
    assert large is not None
    assert left_over is not None
    blocks.large.append(large)
    blocks.small.append(left_over)
    assert blocks.left == 3700
    again = []
    while blocks.small:
        again.append(blocks.next(returned_only=True))
    assert blocks.next(returned_only=True) is None
    # Shared out evenly, down to the last ones.
    assert len(again[0]) == 75
    assert len(again[-1]) == 1
    assert np.concatenate([each.numbers for each in again]).tolist() == left_over.numbers.tolist()
    first = blocks.last(600)
    assert first.numbers.tolist() == large.numbers[:600].tolist()
    assert len(blocks.last(600)) == 400


def test_large_blocks_that_come_back_may_become_small_ones():
    blocks = Blocks(Order(1, 1000), 2)
    block = blocks.last(1000)
    assert blocks.next() is None
    blocks.large.append(block)
    numbers = []
    while (small := blocks.next()) is not None:
        assert len(small) <= 250
        numbers += small.numbers.tolist()
    assert numbers == list(range(1000))
    assert blocks.left == 0
