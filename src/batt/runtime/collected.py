"""Collect what a run gives for each evaluation, by number."""

from __future__ import annotations

import numpy as np

from batt.runtime.evaluations import Block
from batt.runtime.records import put, unfilled
from batt.runtime.tier import Observer, Part, TierName


class Collected(Observer):
    """Keeps the record and the steps of each evaluation, and its time, or -1 if native code did not finish it.

    `past_gpus` marks the evaluations that GPUs deferred to the CPU.
    """

    def __init__(self, total: int) -> None:
        self.records = unfilled(total)
        self.steps = np.zeros(total, np.int64)
        self.times_ns = np.full(total, -1, np.int64)
        self.past_gpus = np.zeros(total, bool)

    def on_part(self, part: Part) -> None:
        """Keep the evaluations that a tier finished."""
        numbers = part.numbers
        put(self.records, numbers, part.records)
        self.steps[numbers] = part.steps
        if part.times_ns is not None:
            self.times_ns[numbers] = part.times_ns

    def on_deferred(self, tier: TierName, why: str, block: Block) -> None:
        """Mark the evaluations that GPUs deferred."""
        if tier.is_gpu:
            self.past_gpus[block.numbers] = True
