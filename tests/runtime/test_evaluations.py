"""Which solver meets which sample, under which number, and in which order."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.runtime.evaluations import Evaluations
from handmade import evaluations_of, sample

SOME = evaluations_of(5, 4, np.array([0, 0, 2, 2, 4, 1]), np.array([1, 3, 3, 0, 1, 3]))


@pytest.mark.parametrize("evaluations", [evaluations_of(3, 7), SOME])
def test_a_block_has_the_solver_and_the_sample_of_each_number(evaluations: Evaluations):
    block = evaluations.block(0, evaluations.total)
    pairs = list(zip(block.solvers.tolist(), block.samples.tolist(), strict=True))
    assert pairs == [evaluations.pair(number) for number in block.numbers.tolist()]


def test_the_number_of_an_evaluation_is_its_place_solver_by_solver():
    assert [evaluations_of(3, 7).pair(number) for number in (0, 6, 7, 20)] == [(0, 0), (0, 6), (1, 0), (2, 6)]


def test_a_part_of_a_block_keeps_its_columns_together():
    block = evaluations_of(3, 7).block(0, 21)
    part = block[block.solvers == 1]
    assert len(part) == 7
    assert part.numbers.tolist() == list(range(7, 14))
    assert block[2:5].numbers.tolist() == block.numbers[2:5].tolist()


SIZES = np.array([30, 10, 20, 10])


@pytest.mark.parametrize("evaluations", [evaluations_of(5, 4), SOME])
def test_by_solver_the_numbers_stay_and_samples_ascend_by_size(evaluations: Evaluations):
    block = evaluations.by_solver(SIZES).block(0, evaluations.total)
    assert sorted(block.numbers.tolist()) == list(range(evaluations.total))
    pairs = list(zip(block.solvers.tolist(), block.samples.tolist(), strict=True))
    assert pairs == [evaluations.pair(number) for number in block.numbers.tolist()]
    keys = [(solver, SIZES[sample]) for solver, sample in pairs]
    assert keys == sorted(keys)


def drawn(solvers: int, samples: int, count: int, repeated: bool) -> Evaluations:
    """Pairs in any order, some of them several times or each at most once."""
    generator = np.random.default_rng(count)
    numbers = generator.choice(solvers * samples, count, replace=False)
    if repeated:
        numbers[generator.integers(1, count, count // 5)] = numbers[0]
    return evaluations_of(solvers, samples, *np.divmod(numbers, samples))


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize(
    ("solvers", "samples", "count"),
    # All pairs, a part of them, and few: no more than one in four.
    [(40, 50, 2000), (40, 50, 700), (40, 50, 501), (40, 50, 400), (400, 900, 300), (1, 70, 50), (70, 1, 50)],
)
def test_orders_of_pairs_are_sorted_as_by_their_columns(solvers: int, samples: int, count: int, repeated: bool):
    evaluations = drawn(solvers, samples, count, repeated)
    sizes = np.random.default_rng(2).integers(1, 9, samples)
    ranks = np.argsort(np.argsort(sizes, kind="stable"))
    assert evaluations.solver_of is not None
    assert evaluations.sample_of is not None
    by_solver = evaluations.by_solver(sizes).block(0, count)
    assert by_solver.numbers.tolist() == np.lexsort((ranks[evaluations.sample_of], evaluations.solver_of)).tolist()
    assert by_solver.solvers.tolist() == evaluations.solver_of[by_solver.numbers].tolist()
    assert by_solver.samples.tolist() == evaluations.sample_of[by_solver.numbers].tolist()
    assert evaluations.block(0, count).numbers.tolist() == np.lexsort((evaluations.sample_of,)).tolist()


@pytest.mark.parametrize("evaluations", [evaluations_of(3, 4), SOME])
def test_pairs_and_columns_and_of_solver_say_what_pair_says(evaluations: Evaluations):
    pairs = [evaluations.pair(number) for number in range(evaluations.total)]
    for columns in (evaluations.columns(), evaluations.pairs(np.arange(evaluations.total))):
        assert list(zip(*[column.tolist() for column in columns], strict=True)) == pairs
    for solver in range(evaluations.solvers):
        numbers, samples = evaluations.of_solver(solver)
        assert [pairs[number] for number in numbers.tolist()] == [(solver, at) for at in samples.tolist()]
        assert len(numbers) == [each for each, _ in pairs].count(solver)


def test_only_a_product_needs_no_columns():
    assert evaluations_of(3, 4).is_product
    assert not SOME.is_product
    assert (len(evaluations_of(3, 4)), len(SOME)) == (12, 6)


@given(st.data())
def test_a_part_has_its_own_numbers_and_knows_those_of_the_whole(data: st.DataObject):
    whole = data.draw(st.sampled_from([evaluations_of(3, 4), SOME]))
    chosen = np.array(data.draw(st.lists(st.integers(0, whole.total - 1))), np.int64)
    part = whole.part(chosen)
    assert part.total == len(chosen)
    assert part.in_whole(np.arange(part.total)).tolist() == chosen.tolist()
    assert [part.pair(at) for at in range(part.total)] == [whole.pair(number) for number in chosen.tolist()]
    block = part.block(0, part.total)
    assert sorted(block.numbers.tolist()) == list(range(part.total))


@given(st.data())
def test_ranges_of_samples_cover_the_whole_once(data: st.DataObject):
    columns = data.draw(st.sampled_from([(), (SOME.solver_of, SOME.sample_of)]))
    samples = [sample(((at,),)) for at in range(4)]
    whole = Evaluations(samples, 5, *columns)
    cuts = sorted({0, 4, *data.draw(st.lists(st.integers(0, 4)))})
    seen: list[int] = []
    for start, stop in pairwise(cuts):
        part = whole.on_samples(samples[start:stop], start)
        numbers = part.in_whole(np.arange(part.total)).tolist()
        for at, number in enumerate(numbers):
            (solver, position), expected = part.pair(at), whole.pair(number)
            assert (solver, part.samples[position]) == (expected[0], samples[expected[1]])
        seen += numbers
    assert sorted(seen) == list(range(whole.total))


def test_the_whole_has_its_own_numbers():
    numbers = np.arange(9)
    assert evaluations_of(3, 4).in_whole(numbers) is numbers
