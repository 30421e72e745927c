"""The fewest solvers and samples of a bench that still differ, where no single evaluation does by itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from batt.check.child import Child, Lost
from batt.check.compare import Bench, Found
from batt.front import Deck


def smallest(bench: Bench, found: Found, child: Child, max_s: float) -> Bench | None:
    """The smallest bench with a difference of the same engine that is found in time; None where it does not show again.

    The bench keeps the samples of one budget, and two engines: the one that differs and the measure.
    """
    engine = next(each for each in bench.engines if each.name == found.engine)
    search = _Search(replace(bench, engines=(engine, bench.engines[-1])), child, time.monotonic() + max_s)
    limits = bench.limits[found.sample]
    return search.run([number for number, each in enumerate(bench.limits) if each == limits])


class _Search:
    """Solvers and samples by number, ever fewer of them."""

    def __init__(self, bench: Bench, child: Child, until_s: float) -> None:
        self.bench = bench
        self.child = child
        self.until_s = until_s

    def run(self, samples: list[int]) -> Bench | None:
        """Leave out samples, then solvers, until nothing can be left out."""
        solvers = list(range(len(self.bench.deck)))
        if not self._differs(solvers, samples):
            return None
        before = None
        while before != (solvers, samples) and time.monotonic() < self.until_s:
            before = solvers, samples
            samples = self._fewer(samples, partial(self._differs, solvers))
            solvers = self._fewer(solvers, partial(self._differs, samples=samples))
        return self._part(solvers, samples)

    def _fewer(self, numbers: list[int], differs: Callable[[list[int]], bool]) -> list[int]:
        """Leave out halves, then ever smaller parts, while they still differ."""
        size = (len(numbers) + 1) // 2
        while size and len(numbers) > 1:
            start = 0
            while start < len(numbers) > 1 and time.monotonic() < self.until_s:
                kept = numbers[:start] + numbers[start + size :]
                if kept and differs(kept):
                    numbers = kept
                else:
                    start += size
            size //= 2
        return numbers

    def _part(self, solvers: Sequence[int], samples: Sequence[int]) -> Bench:
        bench = self.bench
        return replace(
            bench,
            deck=Deck([bench.deck[number] for number in solvers]),
            samples=tuple([bench.samples[number] for number in samples]),
            limits=tuple([bench.limits[number] for number in samples]),
        )

    def _differs(self, solvers: Sequence[int], samples: Sequence[int]) -> bool:
        pairs = [(solver, sample) for sample in range(len(samples)) for solver in range(len(solvers))]
        try:
            self.child.open(self._part(solvers, samples))
            return bool(self.child.compare(pairs).found)
        except Lost as lost:
            return not lost.timed_out
