"""Typed expressions: values of all kinds that ops make of given ones, step by step, the likely calls first.

The values are states of an open engine, so that expressions with the same values are one. A value costs what the calls
that make it cost, by the prior; calls are made in the order of their cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from batt.runtime import Limits
from batt.solving.typed.prior import MOST_ARGUMENTS, PER_NAT, call_priors, cost_of
from batt.solving.work import Work
from batt.states import Applied, StateKind, States
from batt.statistics import Producer

Handles = npt.NDArray[np.int64]

LIMITS = Limits(steps=20_000, max_items=4_000)
"""The budget of a call on a sample."""
MOST_BYTES = 1 << 28
"""The memory of the values of a task."""
FULL_BYTES = MOST_BYTES // 4 * 3
"""No more values are enumerated in this memory: the rest is for what is made of them."""
AT_ONCE = 6_000
"""Calls that are made together, between which the work is checked."""
MOST_COST = 40 * PER_NAT
CALL_UNITS, STEP_UNITS = 70, 0.18
"""The units of work for a call on a sample, and for each of its steps."""


@dataclass(frozen=True, slots=True)
class GivenValue:
    """A value that expressions start from, and what stands for it in the prior."""

    handle: int
    producer: Producer


@dataclass(slots=True, eq=False)
class _Pool:
    """The states that are tried as an argument, by their cost there."""

    by_cost: dict[int, list[Handles]] = field(default_factory=dict)

    def add(self, cost: int, handles: Handles) -> None:
        self.by_cost.setdefault(cost, []).append(handles)

    def of(self, cost: int) -> Handles:
        found = self.by_cost[cost]
        if len(found) > 1:
            found[:] = [np.concatenate(found)]
        return found[0]


class Enumeration:
    """The values that are made of given ones, in the order of their cost: `handles`, with the kind of each."""

    def __init__(self, states: States, given: Sequence[GivenValue], colours: Sequence[int]) -> None:
        self.states = states
        self.handles: Handles = np.zeros(0, np.int64)
        self._priors = call_priors()
        self._ops = [each.op.name for each in self._priors]
        self._pools = [[_Pool() for _ in prior.arguments] for prior in self._priors]
        kinds = states.kinds([each.handle for each in given]).tolist()
        for pools, prior in zip(self._pools, self._priors, strict=True):
            for pool, argument in zip(pools, prior.arguments, strict=True):
                for value, kind in zip(given, kinds, strict=True):
                    if kind in argument.kinds or (argument.is_shown and value.handle == states.S):
                        pool.add(argument.cost(value.producer), np.array([value.handle], np.int64))
                for constant, cost in argument.constants:
                    pool.add(cost, np.array([states.constant(constant)], np.int64))
                if argument.is_colour and colours:
                    handles = np.array([states.constant(each) for each in colours], np.int64)
                    pool.add(argument.colour_cost + cost_of(1 / len(colours)), handles)

    def run(self, work: Work, share: float) -> None:
        """Make values in the order of their cost, as far as this share of the effort and the memory go."""
        found: list[Handles] = []
        for cost in range(1, MOST_COST):
            made: list[tuple[Handles, Handles]] = []
            for calls in self._batches(cost):
                if not self._is_left(work, share):
                    break
                made.append(self._apply(calls, work))
            for makers, handles in made:
                found.append(handles)
                if self._is_left(work, share):
                    self._insert(makers, handles, cost)
            if not self._is_left(work, share):
                break
        self.handles = np.concatenate([self.handles, *found])

    def _is_left(self, work: Work, share: float) -> bool:
        return work.is_left(share) and self.states.used_bytes < FULL_BYTES

    def of_kind(self, *kinds: StateKind) -> Handles:
        """Return the values of some kinds, the cheapest first."""
        found: Handles = self.handles[np.isin(self.states.kinds(self.handles), kinds)]
        return found

    def apply(self, op: str, work: Work, *arguments: int | Handles) -> Applied:
        """Apply an op to values; none of what it makes is a value of the enumeration."""
        made = self.states.apply(op, *arguments)
        self._spend(made, work)
        return made

    def _batches(self, cost: int) -> Iterator[list[tuple[int, list[Handles]]]]:
        """Yield the calls of a cost, as ops with the columns of their arguments, many together."""
        calls: list[tuple[int, list[Handles]]] = []
        count = 0
        for number, prior in enumerate(self._priors):
            for columns in _tuples(self._pools[number], cost - prior.cost):
                calls.append((number, columns))
                count += len(columns[0])
                if count >= AT_ONCE:
                    yield calls
                    calls, count = [], 0
        if calls:
            yield calls

    def _apply(self, calls: Sequence[tuple[int, list[Handles]]], work: Work) -> tuple[Handles, Handles]:
        """Make calls; return the ops and handles of the new states."""
        total = sum([len(columns[0]) for _, columns in calls])
        arguments = np.full((MOST_ARGUMENTS, total), -1, np.int64)
        called = np.empty(total, np.int64)
        start = 0
        for number, columns in calls:
            end = start + len(columns[0])
            called[start:end] = number
            for position, column in enumerate(columns):
                arguments[position, start:end] = column
            start = end
        made = self.states.apply_each(self._ops, called, *arguments)
        self._spend(made, work)
        is_new = made.is_new & (made.handles >= 0)
        return called[is_new], made.handles[is_new]

    def _spend(self, made: Applied, work: Work) -> None:
        work.spend(len(made) * len(self.states.samples) * CALL_UNITS + int(made.steps.sum()) * STEP_UNITS)

    def _insert(self, makers: Handles, handles: Handles, cost: int) -> None:
        """Make new states arguments of later calls."""
        kinds = self.states.kinds(handles)
        for maker in np.unique(makers).tolist():
            mine = makers == maker
            for kind in np.unique(kinds[mine]).tolist():
                self._insert_kind(handles[mine & (kinds == kind)], kind, maker, cost)

    def _insert_kind(self, handles: Handles, kind: int, maker: int, cost: int) -> None:
        made_by = self._priors[maker]
        for pools, prior in zip(self._pools, self._priors, strict=True):
            for pool, argument in zip(pools, prior.arguments, strict=True):
                if kind in argument.kinds:
                    # The maker is likelier here than elsewhere, or less; but a call costs more than each argument.
                    more = max(argument.cost(made_by.producer) - made_by.cost, 1 - prior.cost)
                    pool.add(max(cost + more, 0), handles)


def _tuples(pools: Sequence[_Pool], cost: int) -> Iterator[list[Handles]]:
    """Yield the argument tuples of this cost, as a column for each position."""
    if cost < 0:
        return
    first, *rest = pools
    if not rest:
        if cost in first.by_cost:
            yield [first.of(cost)]
        return
    for spent in [each for each in first.by_cost if each <= cost]:
        for columns in _tuples(rest, cost - spent):
            handles, count = first.of(spent), len(columns[0])
            yield [np.repeat(handles, count), *[np.tile(column, len(handles)) for column in columns]]
