"""A run in parts. Owns how the samples of a set that may be larger than memory are cut into spans, one at a time.

A set whose tasks are all at hand is one span. No outcome depends on the cuts: evaluations do not know of one another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from batt.jobs.plan import Plan, RowSamples, samples_of
from batt.runtime import Sample
from batt.runtime.blocks import Integers
from batt.tasks import Tasks

SPAN_CELLS = 8 << 20
"""Cells of the grids of a span, where it has more than one task; as Python's tuples each takes about ten bytes."""


@dataclass(frozen=True, slots=True)
class Span:
    """Samples at hand, and the evaluations on them with numbers of their own.

    `chosen` gives the number of each in the whole; without, all solvers meet the samples from `start` on.
    """

    samples: tuple[Sample, ...]
    whole: Plan
    start: int = 0
    chosen: Integers | None = None

    @property
    def plan(self) -> Plan:
        """The evaluations of the span."""
        columns = self.whole.solver_of, self.whole.sample_of
        if self.chosen is not None and columns[0] is not None and columns[1] is not None:
            columns = columns[0][self.chosen], columns[1][self.chosen] - self.start
        return Plan(self.samples, self.whole.solvers, *columns)

    def numbers(self, own: Integers) -> Integers:
        """The numbers in the whole of evaluations by their own."""
        if self.chosen is not None:
            return self.chosen[own]
        if len(self.samples) == len(self.whole.samples):
            return own
        solvers, samples = np.divmod(own, len(self.samples))
        return solvers * len(self.whole.samples) + self.start + samples


def spans(plan: Plan, span_cells: int | None = None) -> Iterator[Span]:
    """The spans of a plan, each made when it is asked for."""
    samples = plan.samples
    if not isinstance(samples, RowSamples):
        yield Span(tuple(samples), plan)
        return
    for first, last in _cuts(samples.rows.cells, SPAN_CELLS if span_cells is None else span_cells):
        start, stop = int(samples.starts[first]), int(samples.starts[last])
        # Not even the tasks are kept: samples hold their grids.
        yield _span(plan, samples_of(Tasks(samples.rows.at(range(first, last)), "")), start, stop)


def _span(plan: Plan, samples: tuple[Sample, ...], start: int, stop: int) -> Span:
    if plan.sample_of is None:
        return Span(samples, plan, start)
    chosen = np.flatnonzero((plan.sample_of >= start) & (plan.sample_of < stop))
    return Span(samples, plan, start, chosen)


def _cuts(cells: Integers, most: int) -> Iterator[tuple[int, int]]:
    """The first task of each span and the one after its last: as many as have so many cells, and at least one."""
    ends = np.cumsum(cells)
    first = 0
    while first < len(cells):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + most, "right")))
        yield first, last
        first = last
