"""The size of blocks, and who is handed which."""

from __future__ import annotations

import numpy as np
import pytest

from batt.runtime.blocks import BLOCK_S, FIRST_BLOCK, MAX_BLOCK, MIN_BLOCK, Blocks, parted
from batt.runtime.evaluations import Block, Evaluations
from handmade import evaluations_of

SOME = evaluations_of(5, 4, np.array([0, 0, 2, 2, 4, 1]), np.array([1, 3, 3, 0, 1, 3]))


def all_of(evaluations: Evaluations, workers: int = 2) -> list[Block]:
    blocks = Blocks(evaluations, workers)
    found = []
    while (block := blocks.next()) is not None:
        found.append(block)
    return found


@pytest.mark.parametrize("evaluations", [evaluations_of(3, 7), evaluations_of(400, 60), evaluations_of(1, 1), SOME])
@pytest.mark.parametrize("workers", [1, 3])
def test_every_evaluation_comes_once_and_sample_by_sample(evaluations: Evaluations, workers: int):
    blocks = all_of(evaluations, workers)
    numbers = np.concatenate([block.numbers for block in blocks])
    assert sorted(numbers.tolist()) == list(range(evaluations.total))
    samples = np.concatenate([block.samples for block in blocks])
    assert (np.diff(samples) >= 0).all()


def test_no_evaluations_are_no_blocks():
    assert all_of(evaluations_of(0, 7)) == all_of(evaluations_of(7, 0)) == []


def test_blocks_end_with_a_sample_where_they_can():
    blocks = Blocks(evaluations_of(10, 1000), 1)
    blocks.size = 57
    first, second = blocks.next(), blocks.next()
    assert first is not None
    assert second is not None
    assert (len(first), len(second)) == (50, 50)


def test_a_sample_larger_than_a_block_is_cut():
    blocks = Blocks(evaluations_of(10_000, 2), 1)
    block = blocks.next()
    assert block is not None
    assert len(block) == FIRST_BLOCK


def test_blocks_grow_and_shrink_towards_their_time():
    blocks = Blocks(evaluations_of(100, 100), 1)
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
    blocks = Blocks(evaluations_of(7, 1000), 4)
    blocks.size = MAX_BLOCK
    left = 7000
    while (block := blocks.next()) is not None:
        assert len(block) <= max(-(-left // 8), FIRST_BLOCK)
        left -= len(block)


def test_a_few_evaluations_are_one_block():
    assert [len(block) for block in all_of(evaluations_of(FIRST_BLOCK // 4, 4), workers=8)] == [FIRST_BLOCK]


def test_an_order_of_no_pairs_is_empty():
    none = np.empty(0, np.int64)
    assert all_of(evaluations_of(5, 4, none, none).by_solver(np.array([30, 10, 20, 10]))) == []


@pytest.mark.parametrize("evaluations", [evaluations_of(40, 60), SOME])
def test_small_blocks_from_the_front_and_large_ones_from_the_end_meet(evaluations: Evaluations):
    blocks = Blocks(evaluations, 2)
    found = []
    while blocks.left:
        found += [each for each in (blocks.last(500), blocks.next()) if each is not None]
    assert (blocks.next(), blocks.last(500)) == (None, None)
    assert sorted(np.concatenate([block.numbers for block in found]).tolist()) == list(range(evaluations.total))


def test_large_blocks_begin_with_a_sample_where_they_can():
    blocks = Blocks(evaluations_of(10, 1000), 2)
    sizes = [len(blocks.last(count) or ()) for count in (57, 40, 9, 14)]
    # Nine are less than a sample, and one more is no half of what was asked for.
    assert sizes == [50, 40, 9, 11]
    assert blocks.end == 10_000 - sum(sizes)
    blocks.at = blocks.end - 7
    assert len(blocks.last(100) or ()) == 7


@pytest.mark.parametrize(("count", "solvers"), [(1, [0]), (6, [0]), (7, [0]), (13, [0]), (14, [0, 1]), (20, [0, 1])])
def test_a_block_is_parted_by_solver(count: int, solvers: list[int]):
    block = evaluations_of(3, 7).block(0, 21)
    first, others = parted(block, count)
    assert sorted(set(first.solvers.tolist())) == solvers
    assert len(first) == 7 * len(solvers)
    assert sorted([*first.numbers, *others.numbers]) == list(range(21))
    assert (np.diff(others.samples) >= 0).all()


def test_what_comes_back_is_handed_out_again_before_all_else():
    blocks = Blocks(evaluations_of(4, 1000), 2)
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
    blocks = Blocks(evaluations_of(1, 1000), 2)
    block = blocks.last(1000)
    assert blocks.next() is None
    blocks.large.append(block)
    numbers = []
    while (small := blocks.next()) is not None:
        assert len(small) <= 250
        numbers += small.numbers.tolist()
    assert numbers == list(range(1000))
    assert blocks.left == 0
