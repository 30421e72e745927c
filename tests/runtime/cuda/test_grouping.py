"""Which evaluations of a block a launch runs, and where they stand in it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.runtime.cuda.grouping import GROUP, Placement, by_sample, grouped, in_order
from batt.runtime.evaluations import Block
from handmade import evaluations_of


@pytest.mark.parametrize(
    ("slices", "rows", "groups"),
    [
        ([], [], []),
        ([3], [0], [3]),
        ([3] * 3 + [5] * 2, [0, 1, 2, 256, 257], [3, 5]),
        ([0] * 257 + [1], [*range(257), 512], [0, 0, 1]),
        ([0] * 256 + [0], [*range(257)], [0, 0]),
        # Unsorted ones need more rows, and are as right.
        ([2, 1, 2], [0, 256, 512], [2, 1, 2]),
    ],
)
def test_every_slice_begins_a_group(slices: list[int], rows: list[int], groups: list[int]):
    found, slice_of_group = grouped(np.array(slices, np.int64), 1 << 20)
    assert (found.tolist(), slice_of_group.tolist()) == (rows, groups)


@pytest.mark.parametrize(
    ("most", "fitting", "groups"),
    [(256, 256, 1), (511, 256, 1), (512, 300, 2), (768, 301, 3), (1024, 302, 4), (1 << 30, 302, 4)],
)
def test_what_does_not_fit_waits(most: int, fitting: int, groups: int):
    rows, slices = grouped(np.array([0] * 300 + [1] + [2]), most)
    assert (len(rows), len(slices)) == (fitting, groups)
    assert GROUP * len(slices) <= most


def block_of(solvers: int, samples: int) -> Block:
    return evaluations_of(solvers, samples).block(0, solvers * samples)


def assert_whole(placement: Placement, block: Block, slices: np.ndarray) -> None:
    """Everything is there once, each group runs one slice, and each row is of the sample that it says."""
    ran, rest, rows = placement.ran, placement.rest, placement.rows
    assert sorted([*ran.numbers, *rest.numbers]) == sorted(block.numbers)
    assert len(set(rows.tolist())) == len(rows) == len(ran) == len(placement.numbers)
    slice_of = dict(zip(block.numbers.tolist(), slices.tolist(), strict=True))
    found = placement.slices[rows // placement.size]
    assert found.tolist() == [slice_of[number] for number in ran.numbers.tolist()]
    samples = placement.samples[placement.numbers] if len(placement.samples) else placement.numbers
    assert samples.tolist() == ran.samples.tolist()


def test_in_order_the_first_evaluations_run():
    block = evaluations_of(3, 7, sizes=np.zeros(7, np.int64)).block(0, 21)
    placement = in_order(block, block.solvers, 512, GROUP)
    assert placement.ran.numbers.tolist() == list(range(14))
    assert placement.rest.numbers.tolist() == list(range(14, 21))
    assert_whole(placement, block, block.solvers)


def test_by_sample_the_largest_samples_come_first():
    block = block_of(2, 5)
    placement = by_sample(block, block.solvers, 1024, GROUP, 5, np.array([3, 9, 1, 9, 5]))
    assert placement.samples.tolist() == [1, 3, 4, 0, 2]
    # In the order of the block, which is sample by sample.
    assert placement.ran.numbers.tolist() == block.numbers.tolist()
    assert placement.rows.tolist() == [3, 259, 0, 256, 4, 260, 1, 257, 2, 258]
    assert_whole(placement, block, block.solvers)


@pytest.mark.parametrize(
    ("most", "most_samples", "ran", "samples"),
    [
        (3 * 1024, 1000, 3 * 1000, 1000),
        # Groups of samples that fit whole.
        (3 * 1024 - 1, 1000, 3 * 768, 768),
        (3 * 512, 1000, 3 * 512, 512),
        (3 * 1024, 999, 3 * 999, 999),
        (3 * 1024, 10, 3 * 10, 10),
        # Not even one group does: two slices of it.
        (3 * 256 - 1, 1000, 2 * 256, 256),
        (2 * 256, 10, 2 * 10, 10),
    ],
)
def test_a_block_is_cut_between_samples(most: int, most_samples: int, ran: int, samples: int):
    block = block_of(3, 1000)
    placement = by_sample(block, block.solvers, most, GROUP, most_samples, np.zeros(1000, np.int64))
    assert (len(placement.ran), len(placement.samples)) == (ran, samples)
    assert_whole(placement, block, block.solvers)
    # What is left is still sample by sample.
    assert (np.diff(placement.rest.samples) >= 0).all()


@given(st.data(), st.integers(1, 6), st.integers(1, 12), st.sampled_from([1, 4]))
def test_any_block_stands_whole_in_its_rows(data: st.DataObject, solvers: int, samples: int, size: int):
    chosen = data.draw(st.lists(st.integers(0, solvers * samples - 1), min_size=1, unique=True))
    block = block_of(solvers, samples)[np.array(chosen)]
    slice_of = np.array(data.draw(st.lists(st.integers(0, 3), min_size=solvers, max_size=solvers)))
    most, most_samples = data.draw(st.integers(size, 80)), data.draw(st.integers(1, 12))
    sizes = np.array(data.draw(st.lists(st.integers(0, 5), min_size=samples, max_size=samples)))
    slices = slice_of[block.solvers]
    placement = by_sample(block, slices, most, size, most_samples, sizes)
    assert_whole(placement, block, slices)
    assert len(placement.ran) > 0
    assert placement.count <= most
    assert len(placement.samples) <= most_samples
