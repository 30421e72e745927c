"""Programs that take long, and what the CPU and warps ran of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from batt.bytecode.abi import Cause
from batt.runtime import Limits
from batt.runtime.cpu.worker import ThreadWorker
from batt.runtime.cuda.launch import LaunchSlot
from batt.runtime.cuda.modes import WARPS
from batt.runtime.evaluations import Block
from batt.runtime.ladder import Ladder
from batt.runtime.native import Budget
from batt.runtime.records import unfilled
from batt.runtime.tier import MakePart, Part, TierName
from fake_cards import Cards
from gathered import Once

HEAVY_STEPS = 6_000
"""In these tests: above what a launch of threads gives."""
PATIENT = Limits(wall_s=600)
COUNTED = ("a = upscale(I, 40)", "x = size(asindices(a))")
PAINTED = ("a = upscale(I, 40)", "x = fill(a, 3, asindices(a))")
FAILS_LATE = ("a = asindices(upscale(I, 40))", "x = first(sfilter(a, matcher(first, 99)))")
HEAVY = (COUNTED, PAINTED, FAILS_LATE)
"""All of them are, on every sample."""
COUNT = 150
"""Samples of a job whose second, third and fourth programs are heavy."""
ARE_HEAVY = set(range(COUNT, 4 * COUNT))


class Ran:
    """What the CPU ran for a few steps (`capped`) and to its end (`full`), and what warps ran."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.capped: Counter[int] = Counter()
        self.full: Counter[int] = Counter()
        self.by_warps: Counter[int] = Counter()
        run, launch = ThreadWorker.run, LaunchSlot.run

        def noting(
            worker: ThreadWorker, block: Block, slices: Any, budget: Budget, defers: Mapping[int, Cause]
        ) -> MakePart:
            make_part = run(worker, block, slices, budget, defers)
            (self.capped if defers else self.full).update(begun(make_part()))
            return make_part

        def noting_launch(slot: LaunchSlot, block: Block, slices: Any) -> MakePart:
            make_part = launch(slot, block, slices)
            if slot.mode is WARPS:
                self.by_warps.update(begun(make_part()))
            return make_part

        monkeypatch.setattr(ThreadWorker, "run", noting)
        monkeypatch.setattr(LaunchSlot, "run", noting_launch)

    @property
    def most(self) -> int:
        """How often any evaluation ran in one of the three ways."""
        return max([*self.full.values(), *self.capped.values(), *self.by_warps.values()], default=1)


def begun(part: Part) -> list[int]:
    """The numbers of the evaluations that a tier ran, whatever it made of them."""
    numbers: list[int] = np.concatenate([each.numbers for each in (part.block, *part.deferred.values())]).tolist()
    return numbers


class Noting(Once):
    """Keeps the numbers of what GPUs deferred, as often as they did."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.deferred: list[int] = []

    def on_deferred(self, tier: TierName, why: Any, block: Block) -> None:
        assert tier.is_gpu
        self.deferred += block.numbers.tolist()


def deferred(ladder: Ladder) -> list[int]:
    """The numbers of what GPUs deferred."""
    assert isinstance(ladder.observer, Noting)
    return ladder.observer.deferred


def warp_launches(cards: Cards) -> list[int]:
    """How many evaluations each launch of warps had."""
    return [count for count, mode in zip(cards.kernel.counts, cards.kernel.modes, strict=True) if mode is WARPS]


def assert_whole(records: list[Any], expected: list[Any]) -> None:
    """Every record is the cpu engine's, or there is none."""
    none = unfilled(1).tolist()[0]
    assert [(each, whole) for each, whole in zip(records, expected, strict=True) if each not in (whole, none)] == []
