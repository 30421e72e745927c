"""The order of evaluations, and the size of blocks."""

from __future__ import annotations

import numpy as np
import pytest

from batt.runtime.blocks import BLOCK_S, FIRST_BLOCK, MAX_BLOCK, MIN_BLOCK, Block, Blocks, Order

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
        assert len(block) <= max(-(-left // 8), MIN_BLOCK)
        left -= len(block)


def test_a_part_of_a_block_keeps_its_columns_together():
    block = Order(3, 7).block(0, 21)
    part = block[block.solvers == 1]
    assert len(part) == 7
    assert part.numbers.tolist() == list(range(7, 14))
    assert block[2:5].numbers.tolist() == block.numbers[2:5].tolist()
