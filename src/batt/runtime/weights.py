"""The order of evaluations by weight: what takes many steps runs first, on the CPU, and what takes few last, on GPUs.

Weights are not known before a run. So the evaluations of each solver are divided into runs of samples of similar sizes,
and the CPU first tries the last evaluation of each run.
"""

from __future__ import annotations

import numpy as np

from batt.runtime.evaluations import Block, Evaluations, Integers

LENGTH = 256
"""Evaluations of a run, or a multiple: a launch puts this number of one solver next to one another."""
MOST_RUNS = 32
"""The most runs of a solver: large samples take many times as many steps as small ones."""
MANY_FOR_EACH = 64
"""Evaluations for each solver from which weights pay: one of each run is tried when nothing is known yet."""
STEPS_AT_ONCE = 10_000_000
"""Steps of a block of the CPU, about: a thread takes 30 ms for them."""
UNKNOWN_AT_ONCE = 8
"""Evaluations of a block if their weight is not known yet."""


def pays_to_weigh(evaluations: Evaluations) -> bool:
    """Tell whether there are enough evaluations of each of several solvers."""
    return evaluations.solvers > 1 and evaluations.total >= MANY_FOR_EACH * evaluations.solvers


class Weighed:
    """Evaluations in runs, the heaviest first, without those that are `tried`. They must run solver by solver.

    The weight of a run is the mean of the steps that the tried evaluations at its two ends take.
    """

    def __init__(self, evaluations: Evaluations) -> None:
        self._evaluations = evaluations
        counts = evaluations.counts()
        length = LENGTH * np.maximum(1, -(-counts // (LENGTH * MOST_RUNS)))
        runs = -(-counts // length)
        solvers = np.repeat(np.arange(len(counts)), runs)
        place = np.arange(len(solvers)) - np.repeat(np.cumsum(runs) - runs, runs)
        begins = (np.cumsum(counts) - counts)[solvers] + place * length[solvers]
        self._is_first = place == 0
        self._begins = begins
        self._solvers = solvers
        self._lengths = np.minimum(length[solvers], counts[solvers] - place * length[solvers]) - 1
        self._steps = np.full(len(solvers), np.inf)
        self._weights = self._steps
        # The runs in their order, and where each begins in it.
        self._order = np.arange(len(solvers))
        self._starts = np.concatenate([[0], np.cumsum(self._lengths)])
        self._tried = evaluations.at(begins + self._lengths)
        self._by_number = np.argsort(self._tried.numbers)
        self._wanted = len(solvers)
        self._is_news = False

    def __len__(self) -> int:
        """Return the number of evaluations that are not tried."""
        return int(self._starts[-1])

    def tried(self, pieces: int) -> list[Block]:
        """Return the evaluations to try, in `pieces`: those of a solver, which may all be heavy, in several."""
        return [self._tried[each::pieces] for each in range(min(pieces, len(self._tried)))]

    def block(self, start: int, stop: int) -> Block:
        """Return the evaluations from `start` to `stop` in the order."""
        first, last = np.searchsorted(self._starts, start, "right") - 1, np.searchsorted(self._starts, stop)
        chosen, begins = self._order[first:last], self._starts[first:last]
        starts = np.maximum(begins, start)
        counts = np.minimum(self._starts[first + 1 : last + 1], stop) - starts
        return self._evaluations.runs(self._solvers[chosen], self._begins[chosen] + starts - begins, counts)

    def most(self, at: int) -> int:
        """Return how many evaluations, from this place in the order on, are a block for a thread of the CPU."""
        run = self._order[np.searchsorted(self._starts, at, "right") - 1]
        weight = float(self._weights[run])
        return UNKNOWN_AT_ONCE if np.isinf(weight) else max(1, int(STEPS_AT_ONCE / max(1.0, weight)))

    def learn(self, block: Block, steps: Integers | None) -> None:
        """Learn the `steps` that evaluations took, as long as some of the tried ones are not known; None if deferred.

        Those that were deferred count as light: GPUs find that out, too.
        """
        if not self._wanted or not len(block):
            return
        numbers = self._tried.numbers[self._by_number]
        places = np.minimum(np.searchsorted(numbers, block.numbers), len(numbers) - 1)
        is_tried = numbers[places] == block.numbers
        if is_tried.any():
            runs = self._by_number[places[is_tried]]
            self._steps[runs] = 0 if steps is None else steps[is_tried]
            self._wanted -= len(runs)
            self._is_news = True

    def sort(self, start: int, stop: int) -> None:
        """Sort the runs that lie between `start` and `stop` in the order, if weights were learned since the last time.

        Runs of unknown weight come first: what has not ended yet is heavy.
        """
        if not self._is_news:
            return
        self._is_news = False
        before = np.where(self._is_first, self._steps, np.roll(self._steps, 1))
        self._weights = (self._steps + before) / 2
        first, last = np.searchsorted(self._starts, start), np.searchsorted(self._starts, stop, "right") - 1
        if first < last:
            chosen = self._order[first:last]
            chosen = chosen[np.argsort(-self._weights[chosen], kind="stable")]
            self._order[first:last] = chosen
            self._starts[first + 1 : last + 1] = self._starts[first] + np.cumsum(self._lengths[chosen])
