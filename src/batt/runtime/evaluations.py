"""The evaluations of a run: which solver runs on which sample, their numbers, and the order in which they run.

If every solver runs on every sample, nothing here holds a list of all evaluations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Cause
from batt.runtime.sample import Sample

Integers: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Block:
    """Evaluations by number, the solver and the sample of each, and the cause for which a tier deferred them."""

    numbers: Integers
    solvers: Integers
    samples: Integers
    cause: Cause | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, chosen: Any) -> Block:
        """Return the evaluations that a slice, a mask or positions choose."""
        return Block(self.numbers[chosen], self.solvers[chosen], self.samples[chosen], self.cause)

    def because(self, cause: Cause | None) -> Block:
        """Return the same evaluations, deferred for `cause`."""
        return Block(self.numbers, self.solvers, self.samples, cause)


@dataclass(frozen=True, eq=False)
class Evaluations:
    """Every solver on every sample, numbered solver by solver; with `solver_of` and `sample_of` only those pairs.

    They run sample by sample, so that the staged values of a sample are used while they are kept. With the `sizes` of
    the samples they run solver by solver instead, on ascending samples.

    A part has the numbers of its evaluations in the whole: `numbers`, or if all solvers run on a range of the whole's
    `width` samples, the `start` of that range.
    """

    samples: Sequence[Sample]
    solvers: int
    solver_of: Integers | None = None
    sample_of: Integers | None = None
    sizes: Integers | None = None
    numbers: Integers | None = None
    start: int = 0
    width: int | None = None

    def __len__(self) -> int:
        return self.total

    @property
    def total(self) -> int:
        """Return the number of evaluations."""
        return self.solvers * len(self.samples) if self.solver_of is None else len(self.solver_of)

    @property
    def is_product(self) -> bool:
        """Tell whether every solver runs on every sample."""
        return self.solver_of is None

    @property
    def is_by_sample(self) -> bool:
        """Tell whether they run sample by sample, not solver by solver."""
        return self.sizes is None

    def pair(self, number: int) -> tuple[int, int]:
        """Return the solver and the sample of an evaluation."""
        if self.solver_of is None or self.sample_of is None:
            return divmod(number, len(self.samples))
        return int(self.solver_of[number]), int(self.sample_of[number])

    def pairs(self, numbers: Integers) -> tuple[Integers, Integers]:
        """Return the solvers and the samples of these evaluations."""
        if self.solver_of is None or self.sample_of is None:
            return _divided(numbers, len(self.samples))
        return self.solver_of[numbers], self.sample_of[numbers]

    def columns(self) -> tuple[Integers, Integers]:
        """Return the solvers and the samples of all evaluations."""
        if self.solver_of is None or self.sample_of is None:
            return self.pairs(np.arange(self.total))
        return self.solver_of, self.sample_of

    def of_solver(self, solver: int) -> tuple[Integers, Integers]:
        """Return the numbers of a solver's evaluations, and the sample of each."""
        if self.solver_of is None or self.sample_of is None:
            samples = np.arange(len(self.samples))
            return solver * len(self.samples) + samples, samples
        numbers = np.flatnonzero(self.solver_of == solver)
        return numbers, self.sample_of[numbers]

    def counts(self) -> Integers:
        """Return the number of evaluations of each solver."""
        if self.solver_of is None:
            return np.full(self.solvers, len(self.samples))
        return np.bincount(self.solver_of, minlength=self.solvers)

    def by_solver(self, sizes: Integers) -> Evaluations:
        """Return the same evaluations with the same numbers, run solver by solver on samples of ascending `sizes`."""
        return replace(self, sizes=sizes)

    def part(self, numbers: Integers) -> Evaluations:
        """Return only these evaluations, numbered from 0 in this order."""
        return Evaluations(self.samples, self.solvers, *self.pairs(numbers), numbers=self.in_whole(numbers))

    def on_samples(self, samples: Sequence[Sample], start: int) -> Evaluations:
        """Return the evaluations on a range of the samples, which begins at `start` and has these `samples`."""
        if self.solver_of is None or self.sample_of is None:
            width = len(self.samples) if self.width is None else self.width
            return Evaluations(samples, self.solvers, start=self.start + start, width=width)
        stop = start + len(samples)
        numbers = np.flatnonzero((self.sample_of >= start) & (self.sample_of < stop))
        columns = self.solver_of[numbers], self.sample_of[numbers] - start
        return Evaluations(samples, self.solvers, *columns, numbers=self.in_whole(numbers))

    @property
    def is_whole(self) -> bool:
        """Tell whether the numbers in this part are those in the whole."""
        return self.numbers is None and self.width is None

    def in_whole(self, numbers: Integers) -> Integers:
        """Return the numbers in the whole for numbers in this part."""
        if self.numbers is not None:
            return self.numbers[numbers]
        if self.width is None:
            return numbers
        solvers, samples = _divided(numbers, len(self.samples))
        return solvers * self.width + self.start + samples

    def block(self, start: int, stop: int) -> Block:
        """Return the evaluations from `start` to `stop` in the order in which they run."""
        if self._places is not None:
            numbers = self._places[start:stop]
            return Block(numbers, *self.pairs(numbers))
        return self.at(np.arange(start, stop, dtype=np.int64))

    def runs(self, solvers: Integers, begins: Integers, counts: Integers) -> Block:
        """Return runs of evaluations, each of one solver: from a place in the order on, as many as `counts` says.

        The order must be solver by solver.
        """
        places = np.repeat(begins - np.cumsum(counts) + counts, counts)
        places += np.arange(len(places))
        if self._by_size is None or self._places is not None:
            return self.at(places)
        # No division, which takes NumPy as long as all else.
        solver_of = np.repeat(solvers, counts)
        firsts = np.repeat(solvers * len(self.samples), counts)
        samples = self._by_size[places - firsts]
        return Block(firsts + samples, solver_of, samples)

    def at(self, places: Integers) -> Block:
        """Return the evaluations at these places of the order in which they run."""
        if self._places is not None:
            numbers = self._places[places]
            return Block(numbers, *self.pairs(numbers))
        if self._by_size is None:
            samples, solvers = _divided(places, self.solvers)
        else:
            solvers, at = _divided(places, len(self.samples))
            samples = self._by_size[at]
        return Block(solvers * len(self.samples) + samples, solvers, samples)

    @cached_property
    def _by_size(self) -> Integers | None:
        """Return the samples by ascending size, if they run in that order."""
        return None if self.sizes is None else np.argsort(self.sizes, kind="stable")

    @cached_property
    def _places(self) -> Integers | None:
        """Return the numbers in the order in which they run; None if a position determines the number."""
        if self.solver_of is None or self.sample_of is None:
            return None
        if self._by_size is None:
            return np.argsort(self.sample_of, kind="stable")
        ranks = np.empty(len(self.samples), np.int64)
        ranks[self._by_size] = np.arange(len(self.samples))
        return order_of(self.solver_of * len(self.samples) + ranks[self.sample_of])


def _divided(numbers: Integers, by: int) -> tuple[Integers, Integers]:
    """Return the quotients and the remainders, like `divmod`, which takes NumPy several times as long."""
    quotients = numbers // by
    return quotients, numbers - quotients * by


def order_of(keys: Integers) -> Integers:
    """Return the positions of the keys in ascending order, like a stable argsort but faster for dense keys."""
    most = int(keys.max(initial=0)) + 1
    if most > 4 * len(keys):
        return np.argsort(keys, kind="stable")
    at = np.full(most, -1, np.int64)
    at[keys] = np.arange(len(keys))
    places = at[at >= 0]
    # Of equal keys, only one has a position here.
    return places if len(places) == len(keys) else np.argsort(keys, kind="stable")
