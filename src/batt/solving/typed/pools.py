"""Pools of values: what is tried as each argument of each op, by its cost there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from batt.solving.typed.prior import PER_NAT, CallPrior
from batt.states import StateKind

Handles = npt.NDArray[np.int64]

MOST_COST = 40 * PER_NAT
NOT_TAKEN = -1
"""The cost of values where an argument does not take their kind, or where they cost too much."""


class ArgumentPools:
    """The values that each argument of each op may be. A position is the number of an argument, over all ops.

    Values of one kind that one op made at one cost are a group, and cost the same at a position. So a pool is put
    together only when it is asked for. A call costs more than each of its arguments, thus when calls of a cost are
    made, all values that they may take are there.
    """

    def __init__(self, priors: Sequence[CallPrior]) -> None:
        ends = np.cumsum([0, *[len(prior.arguments) for prior in priors]]).tolist()
        self._calls = [range(start, end) for start, end in pairwise(ends)]
        self._given: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._groups: list[Handles] = []
        self._costs = np.zeros((ends[-1], 1024), np.int16)
        self._present = np.zeros((ends[-1], MOST_COST), bool)
        self._made: dict[tuple[int, int], Handles] = {}
        arguments = [argument for prior in priors for argument in prior.arguments]
        self._takes = np.array([[kind in each.kinds for kind in StateKind] for each in arguments])
        # The maker is likelier at a position than elsewhere, or less; but a call costs more than each argument.
        own = np.repeat([prior.cost for prior in priors], [len(prior.arguments) for prior in priors])
        makers = np.array([prior.cost for prior in priors])
        costs = np.array([each.step_costs for each in arguments])
        self._more = np.maximum(costs - makers[None], 1 - own[:, None])

    def of_call(self, number: int) -> range:
        """Return the positions of the arguments of an op, given by its number."""
        return self._calls[number]

    def add_given(self, position: int, cost: int, handles: Sequence[int]) -> None:
        """Add values to one pool."""
        if cost < MOST_COST:
            self._given[position, cost] += handles
            self._present[position, cost] = True

    def add(self, makers: Handles, kinds: npt.NDArray[np.uint8], handles: Handles, cost: int) -> None:
        """Add new values, of which the ops with these numbers made each for `cost`, to the pools that take them."""
        if not len(handles):
            return
        keys = makers * len(StateKind) + kinds
        order = np.argsort(keys, kind="stable")
        found, starts = np.unique(keys[order], return_index=True)
        start, end = len(self._groups), len(self._groups) + len(found)
        self._groups += np.split(handles[order], starts[1:])
        if end > self._costs.shape[1]:
            more = np.zeros((len(self._costs), max(end, self._costs.shape[1])), np.int16)
            self._costs = np.concatenate([self._costs, more], axis=1)
        made_by, kind = np.divmod(found, len(StateKind))
        costs = np.maximum(cost + self._more[:, made_by], 0)
        is_taken = self._takes[:, kind] & (costs < MOST_COST)
        self._costs[:, start:end] = np.where(is_taken, costs, NOT_TAKEN)
        positions, groups = np.nonzero(is_taken)
        self._present[positions, costs[positions, groups]] = True

    def tuples(self, positions: Sequence[int], cost: int) -> Iterator[list[Handles]]:
        """Yield the values for these positions that cost `cost` together, as a column for each position."""
        if cost < 0:
            return
        first, *rest = positions
        present = self._present[first, : cost + 1]
        if not rest:
            if present[cost]:
                yield [self._pool(first, cost)]
            return
        if len(rest) == 1:
            present = present & self._present[rest[0], cost::-1]
        for spent in present.nonzero()[0].tolist():
            for columns in self.tuples(rest, cost - spent):
                values, count = self._pool(first, spent), len(columns[0])
                yield [values.repeat(count), *[_repeated(column, len(values)) for column in columns]]

    def _pool(self, position: int, cost: int) -> Handles:
        """Return the values that cost this at a position, the earliest first."""
        found = self._made.get((position, cost))
        if found is None:
            given = np.array(self._given.get((position, cost), []), np.int64)
            groups = np.flatnonzero(self._costs[position, : len(self._groups)] == cost).tolist()
            found = self._made[position, cost] = np.concatenate([given, *[self._groups[each] for each in groups]])
        return found


def _repeated(column: Handles, times: int) -> Handles:
    """Return the whole column, again and again."""
    found = np.empty((times, len(column)), np.int64)
    found[:] = column
    return found.ravel()
