"""Count what the tiers of a run did."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from batt.runtime.tier import CACHE, REFERENCE, Part, StoppedBy, TierName


@dataclass(slots=True)
class Counts:
    """The evaluations that each tier finished, including those that timed out there, and the deferred ones.

    `by_worker` counts what each GPU and each worker of a cluster finished. `deferred_by_gpus` counts by cause what GPUs
    deferred to others, `deferred_to_reference` what native code deferred. `crashed` counts evaluations that ended their
    process, `out_of_memory` those that needed more memory than a process may use.
    """

    finished: Counter[TierName] = field(default_factory=Counter)
    by_worker: Counter[str] = field(default_factory=Counter)
    deferred_by_gpus: Counter[str] = field(default_factory=Counter)
    deferred_to_reference: Counter[str] = field(default_factory=Counter)
    crashed: int = 0
    out_of_memory: int = 0

    @property
    def native(self) -> int:
        """Count the evaluations that native code finished."""
        return self.finished.total() - self.finished[REFERENCE] - self.finished[CACHE]

    @property
    def cached(self) -> int:
        """Count the evaluations whose outcomes came from the cache."""
        return self.finished[CACHE]

    @property
    def on_gpus(self) -> int:
        """Count the evaluations that GPUs finished."""
        return sum([count for tier, count in self.finished.items() if tier.is_gpu])

    def add_part(self, part: Part) -> None:
        """Add what a tier finished."""
        self.finished[part.tier] += len(part.block)
        if part.worker:
            self.by_worker[part.worker] += len(part.block)
        if part.timed_out is not None:
            self.crashed += part.stopped is StoppedBy.CRASH
            self.out_of_memory += part.stopped is StoppedBy.MEMORY

    def add(self, other: Counts) -> None:
        """Add the counts of another run."""
        self.finished += other.finished
        self.by_worker += other.by_worker
        self.deferred_by_gpus += other.deferred_by_gpus
        self.deferred_to_reference += other.deferred_to_reference
        self.crashed += other.crashed
        self.out_of_memory += other.out_of_memory
