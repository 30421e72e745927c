"""How many evaluations a launch of threads takes. What runs on it: cuda/test_tier.py and cuda/test_stages.py."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from batt.runtime.cuda.grouping import GROUP
from batt.runtime.cuda.launch import SLOTS, THREAD_SLOTS
from batt.runtime.cuda_threads import CudaThreadsTier
from batt.runtime.cuda_threads.tier import MANY
from batt.runtime.evaluations import Block, Evaluations
from batt.runtime.tier import CUDA_THREADS
from batt.runtime.waiting import Waiting
from handmade import evaluations_of


def by_solver(solvers: int, samples: int) -> Evaluations:
    return evaluations_of(solvers, samples, sizes=np.zeros(samples, np.int64))


class Asked:
    """A tier with one free slot, and all of some evaluations to take."""

    def __init__(self, evaluations: Evaluations, rows: int, arenas: int, samples: int = 0, workers: int = 1) -> None:
        room = SimpleNamespace(evaluations=rows, arenas=arenas, samples=samples)
        job: Any = SimpleNamespace(evaluations=evaluations)
        slots: Any = [SimpleNamespace(room=room)]
        nobody: Any = None
        self.tier = CudaThreadsTier(job, nobody, slots, nobody)
        self.waiting = Waiting(evaluations)
        self.waiting.workers = Counter({CUDA_THREADS: workers})

    def blocks(self) -> list[Block]:
        """All blocks that the tier takes, one after the other."""
        found = []
        while (block := self.tier.take(self.waiting)) is not None:
            found.append(block)
        return found


@pytest.mark.parametrize("workers", [1, 3])
def test_blocks_shrink_towards_the_end_but_not_below_what_runs_at_once(workers: int):
    sizes = [len(block) for block in Asked(by_solver(10, 1000), 4000, 256, workers=workers).blocks()]
    assert sum(sizes) == 10_000
    left = 10_000
    for size in sizes:
        assert size == min(left, max(256, min(4000, left // (2 * workers))))
        left -= size


def test_no_block_is_larger_than_a_launch():
    sizes = [len(block) for block in Asked(by_solver(10, 1000), 700, 256).blocks()]
    assert max(sizes) == 700
    assert sum(sizes) == 10_000


def test_blocks_come_from_the_end_of_the_order():
    first, *_ = Asked(by_solver(10, 1000), 700, 256).blocks()
    assert first.numbers.tolist() == list(range(9300, 10_000))


def test_with_shared_values_blocks_are_whole_groups_of_samples():
    blocks = Asked(evaluations_of(6, 1500), 6 * 512, 256, samples=512).blocks()
    assert [len(block) for block in blocks] == [6 * count for count in (512, 256, 256, 256, 220)]
    assert all(len(set(block.samples.tolist())) * 6 == len(block) for block in blocks)
    assert GROUP == 256


def test_a_group_of_samples_that_no_launch_holds_is_parted_by_solver():
    asked = Asked(evaluations_of(6, 300), 2 * 256, 256, samples=256)
    blocks = asked.blocks()
    assert all(len(block) <= 512 for block in blocks)
    assert [sorted(set(block.solvers.tolist())) for block in blocks[:3]] == [[0, 1], [2, 3], [4, 5]]
    assert sorted(number for block in blocks for number in block.numbers.tolist()) == list(range(1800))


def test_a_tier_without_a_free_slot_takes_nothing():
    asked = Asked(by_solver(10, 10), 700, 256)
    asked.tier.free.clear()
    assert asked.blocks() == []
    assert asked.waiting.new == 100


@pytest.mark.parametrize(("left", "launches"), [(MANY - 1, SLOTS), (MANY, THREAD_SLOTS)])
def test_few_evaluations_are_not_worth_many_launches_at_the_same_time(left: int, launches: int):
    asked = Asked(by_solver(64, 2 * MANY // 64), 1 << 10, 256)
    asked.tier.free *= THREAD_SLOTS
    asked.tier.usable = THREAD_SLOTS
    taken = 0
    while True:
        # As many are left each time.
        asked.waiting.at = asked.waiting.end - left
        if asked.tier.take(asked.waiting) is None:
            break
        asked.tier.free.pop()
        taken += 1
    assert taken == launches
