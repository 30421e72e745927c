"""What random programs promise."""

from __future__ import annotations

from collections import Counter
from random import Random

from agreement import read
from batt.check.batches import AMPLE, RandomBatch, by_budget, random_sample, sources
from batt.check.engines import Reference, SharedProgress
from batt.check.generate import random_source
from batt.front import Deck
from batt.ops import OPS
from batt.own.inputs import random_grid
from batt.runtime import Status


def test_a_seed_gives_the_same_program_and_another_seed_another():
    assert random_source(7) == random_source(7)
    assert len({random_source(seed) for seed in range(200)}) > 190


def test_three_evaluations_in_ten_end_in_a_value_and_all_kinds_of_programs_occur():
    texts = [random_source(seed) for seed in range(400)]
    deck = Deck.from_sources({f"p{number}": text for number, text in enumerate(texts)})
    rng = Random(0)
    samples = [random_sample(rng) for _ in range(40)]
    pairs = sorted([(number, (number + k) % 40) for number in range(400) for k in range(3)], key=lambda pair: pair[1])
    seen = Reference(count_ops=True).open(deck, samples)(pairs, AMPLE, SharedProgress())
    ends = Counter(seen.records["status"].tolist())
    assert ends[Status.OK] >= 0.3 * len(pairs)
    assert ends[Status.RAISED] >= 0.1 * len(pairs)
    assert sum("def helper" in text for text in texts) > 100
    assert sum("solve(S, I, C)" in text for text in texts) > 50
    assert sum(seen.executed.values()) > 10 * len(pairs)


def test_every_op_occurs_in_a_few_thousand_programs():
    found = {name for seed in range(3_000) for name in _names(random_source(seed))}
    assert OPS.keys() - found == set()


def _names(text: str) -> set[str]:
    for mark in "(),=\n":
        text = text.replace(mark, " ")
    return set(text.split())


def test_every_op_is_executed_in_a_thousand_programs():
    batch = RandomBatch(1, 1_000)
    bench = batch.made()
    run = Reference(count_ops=True).open(bench.deck, bench.samples)
    executed = Counter[str]()
    for pairs in by_budget(batch.pairs(bench.limits, 1_000), bench.limits):
        executed.update(run(pairs, bench.limits[pairs[0][1]], SharedProgress()).executed)
    assert OPS.keys() - executed.keys() == set()


def test_counting_leaves_the_ops_as_they_were():
    before = {name: each.body for name, each in OPS.items()}
    bench = RandomBatch(2, 5).made()
    Reference(count_ops=True).open(bench.deck, bench.samples)([(0, 0)], AMPLE, SharedProgress())
    assert {name: each.body for name, each in OPS.items()} == before


def test_a_batch_is_the_same_wherever_it_is_made():
    first, second = RandomBatch(9, 30).made(), RandomBatch(9, 30).made()
    assert [each.program for each in first.deck] == [each.program for each in second.deck]
    assert (first.samples, first.limits) == (second.samples, second.limits)
    assert first.deck[3].program == read(sources(9, 30)["p3"])


def test_the_evaluations_of_a_batch_are_in_pieces_of_one_budget():
    bench = RandomBatch(4, 50).made()
    pairs = RandomBatch(4, 50).pairs((), 50)
    pieces = by_budget(pairs, bench.limits)
    assert [pair for piece in pieces for pair in piece] == pairs
    assert len(set(pairs)) == len(pairs) == 150
    assert all(len({bench.limits[sample] for _, sample in piece}) == 1 for piece in pieces)
    assert len(pieces) == len(set(bench.limits))


def test_random_grids_are_grids_of_all_sizes():
    rng = Random(3)
    grids = [random_grid(rng) for _ in range(3_000)]
    assert all(len({len(row) for row in grid}) == 1 for grid in grids)
    assert all(0 <= cell <= 9 for grid in grids for row in grid for cell in row)
    assert {len(grid) for grid in grids} == {len(grid[0]) for grid in grids} == set(range(1, 30 + 1))
