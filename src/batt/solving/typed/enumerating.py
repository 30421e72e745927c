"""Typed expressions: values of all kinds that ops make of given ones, step by step, the likely calls first.

The values are states of an open engine, so that expressions with the same values are one. A value costs what the calls
that make it cost, by the prior; calls are made in the order of their cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from batt.runtime import Limits
from batt.solving.typed.pools import MOST_COST, ArgumentPools, Handles
from batt.solving.typed.prior import MOST_ARGUMENTS, call_priors, cost_of
from batt.solving.work import Work
from batt.states import Applied, StateKind, States
from batt.statistics import Producer

LIMITS = Limits(steps=20_000, max_items=4_000)
"""The budget of a call on a sample."""
MOST_BYTES = 1 << 28
"""The memory of the values of a task."""
FULL_BYTES = MOST_BYTES // 4 * 3
"""No more values are enumerated in this memory: the rest is for what is made of them."""
AT_ONCE = 6_000
"""Calls that are made together, between which the work is checked."""
CALL_UNITS, STEP_UNITS = 70, 0.18
"""The units of work for a call on a sample, and for each of its steps."""


@dataclass(frozen=True, slots=True)
class GivenValue:
    """A value that expressions start from, and what stands for it in the prior."""

    handle: int
    producer: Producer


class Enumeration:
    """The values that are made of given ones, in the order of their cost: `handles`, with the kind of each."""

    def __init__(self, states: States, given: Sequence[GivenValue], colours: Sequence[int]) -> None:
        self.states = states
        self.handles: Handles = np.zeros(0, np.int64)
        self._priors = call_priors()
        self._ops = [each.op.name for each in self._priors]
        self._pools = ArgumentPools(self._priors)
        kinds = states.kinds([each.handle for each in given]).tolist()
        for number, prior in enumerate(self._priors):
            for position, argument in zip(self._pools.of_call(number), prior.arguments, strict=True):
                for value, kind in zip(given, kinds, strict=True):
                    if kind in argument.kinds or (argument.is_shown and value.handle == states.S):
                        self._pools.add_given(position, argument.cost(value.producer), [value.handle])
                for constant, cost in argument.constants:
                    self._pools.add_given(position, cost, [states.constant(constant)])
                if argument.is_colour and colours:
                    handles = [states.constant(each) for each in colours]
                    self._pools.add_given(position, argument.colour_cost + cost_of(1 / len(colours)), handles)

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
                    self._pools.add(makers, self.states.kinds(handles), handles, cost)
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
            for columns in self._pools.tuples(self._pools.of_call(number), cost - prior.cost):
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
