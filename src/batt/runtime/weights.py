"""The order of evaluations by weight: what takes many steps runs first, on the CPU, and what takes few last, on GPUs.

Weights are not known before a run. So the evaluations of each solver are divided into runs of samples of similar sizes,
and the CPU first tries a few of each run. GPUs wait until most of these are known: they are one evaluation of 64, and
what GPUs would take before is as heavy as any.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from batt.runtime.evaluations import Block, Evaluations, Integers

LENGTH = 256
"""Evaluations of a run, or a multiple: a launch puts this number of one solver next to one another."""
TRIES = 4
"""Parts of a run, of each of which the last evaluation is tried: one alone often misses those that take long."""
MOST_RUNS = 32
"""The most runs of a solver: large samples take many times as many steps as small ones."""
MANY_FOR_EACH = 64
"""Evaluations for each solver from which weights pay: a few of each run are tried when nothing is known yet."""
NS_AT_ONCE = 8_000_000, 40_000_000
"""The least and the most nanoseconds of a block of the CPU, about. To hand out and collect a block takes the main
thread half a millisecond beside 16 threads, so threads would wait for shorter ones."""
PART_AT_ONCE = 1 / 4
"""The largest part of a thread's remaining time that a block takes: heavy evaluations vary, and all threads should end
together."""
UNKNOWN_AT_ONCE = 8
"""Evaluations of a block if their weight is not known yet."""
MOST_UNKNOWN = 1 / 8
"""The fraction of the tried evaluations that may be unknown when GPUs begin."""
NEWS = 1 / 64
"""The fraction of them for which the order is made again: it takes a millisecond."""
LIGHT_STEPS = 50_000
"""The largest mean of the steps of a run that is light: threads of a GPU run it. Warps run what is heavier."""
WARP_NS = 3_000_000
"""The largest mean of the CPU times of a run for warps: one takes about 60 times as long, and has a quarter of a
second."""


def pays_to_weigh(evaluations: Evaluations) -> bool:
    """Tell whether there are enough evaluations of each of several solvers."""
    return evaluations.solvers > 1 and evaluations.total >= MANY_FOR_EACH * evaluations.solvers


class Weighed:
    """Evaluations in runs, the heaviest first, without those that are `tried`. They must run solver by solver.

    A run has up to `TRIES` parts. Its weight is the mean of the steps that the tried evaluations take, the last of each
    of its parts and the one just before it; so is its time. Heavy runs come first, then light ones, and among both
    those that take longest. From `warps_from` on in the order, heavy runs are not too long for warps; from `light_from`
    on, all runs are light.
    """

    def __init__(self, evaluations: Evaluations) -> None:
        self._evaluations = evaluations
        counts = evaluations.counts()
        length = LENGTH * np.maximum(1, -(-counts // (LENGTH * MOST_RUNS))) // TRIES
        parts = -(-counts // length)
        solvers = np.repeat(np.arange(len(counts)), parts)
        place = np.arange(len(solvers)) - np.repeat(np.cumsum(parts) - parts, parts)
        begins = (np.cumsum(counts) - counts)[solvers] + place * length[solvers]
        self._begins = begins
        self._solvers = solvers
        self._lengths = np.minimum(length[solvers], counts[solvers] - place * length[solvers]) - 1
        # The first part of each run, the run of each part, and the runs with another one of their solver before them.
        self._firsts = np.flatnonzero(place % TRIES == 0)
        self._run_of = np.cumsum(place % TRIES == 0) - 1
        self._has_before = place[self._firsts] > 0
        self._steps = np.full(len(solvers), np.inf)
        self._ns = np.full(len(solvers), np.inf)
        self._weights, self._times_ns = self._steps, self._ns
        self.warps_from = self.light_from = 0
        # The parts in their order, and where each begins in it.
        self._order = np.arange(len(solvers))
        self._starts = np.concatenate([[0], np.cumsum(self._lengths)])
        # How long a thread of the CPU takes up to each of these places.
        self._until_s = np.zeros(len(self._starts))
        self._tried = evaluations.at(begins + self._lengths)
        self._by_number = np.argsort(self._tried.numbers)
        self._numbers = self._tried.numbers[self._by_number]
        self._wanted = len(solvers)
        self._news = 0

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

    @property
    def is_known(self) -> bool:
        """Tell whether most of the tried evaluations are known."""
        return self._wanted <= MOST_UNKNOWN * len(self._solvers)

    def most(self, at: int, left_s: float) -> int:
        """Return how many evaluations, from this place in the order on, are a block for a thread of the CPU.

        What is left takes each thread `left_s`.
        """
        place = int(np.searchsorted(self._starts, at, "right")) - 1
        time_ns, *after_ns = self._times_ns[self._order[place : place + 2]].tolist()
        if np.isinf(time_ns):
            return UNKNOWN_AT_ONCE
        least, most = NS_AT_ONCE
        count = int(max(least, min(most, PART_AT_ONCE * 1e9 * left_s)) / max(1.0, time_ns))
        if max(after_ns, default=0.0) > time_ns:
            # A run that had begun when the order was made, or the last heavy one: what follows takes longer.
            count = min(count, int(self._starts[place + 1]) - at)
        return max(1, count)

    def left_s(self, start: int, end: int) -> float:
        """Return about how long a thread of the CPU takes from `start` to `end` in the order, without unknown runs."""
        begun, ended = np.interp((start, end), self._starts, self._until_s).tolist()
        return max(0.0, float(ended - begun))

    def learn(self, block: Block, steps: Integers | None, times_ns: npt.NDArray[Any] | None = None) -> None:
        """Learn the `steps` that evaluations took, as long as some of the tried ones are not known; None if deferred.

        `times_ns` are their times. Those that were deferred count as light: GPUs find that out, too.
        """
        if not self._wanted or not len(block):
            return
        places = np.minimum(np.searchsorted(self._numbers, block.numbers), len(self._numbers) - 1)
        is_tried = self._numbers[places] == block.numbers
        if is_tried.any():
            parts = self._by_number[places[is_tried]]
            self._steps[parts] = 0 if steps is None else steps[is_tried]
            self._ns[parts] = 0 if times_ns is None else times_ns[is_tried]
            self._wanted -= len(parts)
            self._news += len(parts)

    def sort(self, start: int, stop: int) -> None:
        """Sort the runs that lie between `start` and `stop` in the order, if enough was learned since the last time.

        Runs of unknown weight come first: what has not ended yet is heavy.
        """
        if not self._news or (self._wanted and self._news < NEWS * len(self._solvers)):
            return
        self._news = 0
        self._weights, self._times_ns = [self._of_runs(each) for each in (self._steps, self._ns)]
        first, last = np.searchsorted(self._starts, start), np.searchsorted(self._starts, stop, "right") - 1
        if first < last:
            chosen = self._order[first:last]
            is_light, times_ns = self._weights[chosen] <= LIGHT_STEPS, self._times_ns[chosen]
            by_weight = np.lexsort((-times_ns, is_light))
            chosen, is_light, times_ns = chosen[by_weight], is_light[by_weight], times_ns[by_weight]
            self._order[first:last] = chosen
            self._starts[first + 1 : last + 1] = self._starts[first] + np.cumsum(self._lengths[chosen])
            self.light_from = int(self._starts[first + (~is_light).sum()])
            self.warps_from = int(self._starts[first + (~is_light & (times_ns > WARP_NS)).sum()])
        ns = self._times_ns[self._order]
        self._until_s[1:] = np.cumsum(np.where(np.isinf(ns), 0, ns) * self._lengths[self._order]) / 1e9

    def _of_runs(self, tried: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return for each part the mean of what is known of its run; inf if nothing is."""
        is_known = np.isfinite(tried)
        sums, counts = [
            np.add.reduceat(each, self._firsts) for each in (np.where(is_known, tried, 0.0), 1.0 * is_known)
        ]
        before = self._firsts[self._has_before] - 1
        sums[self._has_before] += np.where(is_known[before], tried[before], 0.0)
        counts[self._has_before] += is_known[before]
        means: npt.NDArray[Any] = np.where(counts > 0, sums / np.maximum(counts, 1), np.inf)[self._run_of]
        return means
