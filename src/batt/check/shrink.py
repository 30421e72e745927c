"""Make an example of a difference small: its program, its sample and its budget. Runs nothing itself.

A given function tells whether a smaller case still differs. A person can paste the result into a deck.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from batt.check.smaller import (
    cut_short,
    smaller_samples,
    with_constants,
    with_helpers_inlined,
    with_plainer_literals,
    without_a_step,
)
from batt.errors import BattError
from batt.front import Deck
from batt.ir import Program
from batt.ir.writing import source_text
from batt.own import own_ops
from batt.runtime import Limits, Sample
from batt.types import form

MAX_S = 60.0
NAME = "solve_it"
PLENTY = Limits(steps=1_000_000, max_items=100_000)


@dataclass(frozen=True, slots=True)
class FailingCase:
    """A program that differs on a sample within a budget; `others` are the programs of its deck that this needs."""

    program: Program
    sample: Sample
    limits: Limits
    others: tuple[Program, ...] = ()

    @property
    def deck(self) -> Deck:
        """Return a deck of the program and, after it, the others."""
        others = {f"solve_other{number}": each for number, each in enumerate(self.others, 1)}
        programs = {NAME: self.program, **others}
        own = own_ops(programs.values())
        sources = {name: source_text(each, name) for name, each in programs.items()}
        return Deck.from_sources(sources, ops={each.name: each for each in own})

    @property
    def source(self) -> str:
        """Return the program as text."""
        return source_text(self.program, NAME)

    def __str__(self) -> str:
        sample, limits = self.sample, self.limits
        lines = [
            *self.source.splitlines(),
            f"# I = {form(sample.input)}",
            *([f"# S = {form(sample.demonstrations)}"] if self.program.arity == 3 else []),
            *([f"# expected = {form(sample.expected)}"] if sample.expected is not None else []),
            f"# steps {limits.steps:,}, items {limits.max_items:,}",
            *([f"# in a deck with {len(self.others):,} other programs"] if self.others else []),
        ]
        return "\n".join(lines)


Differs = Callable[[FailingCase], bool]
"""Tells whether a case shows the difference."""

Values = Callable[[FailingCase], Sequence[Any]]
"""Returns the values of a program's steps on its sample, as far as they are known."""


def shrunk(case: FailingCase, differs: Differs, values: Values = lambda case: (), max_s: float = MAX_S) -> FailingCase:
    """Return the smallest case found in `max_s` seconds that still differs."""
    return _Shrinking(case, differs, values, time.monotonic() + max_s).run()


class _Shrinking:
    """The smallest case found so far."""

    def __init__(self, case: FailingCase, differs: Differs, values: Values, until_s: float) -> None:
        self.case = case
        self.differs = differs
        self.values = values
        self.until_s = until_s

    def run(self) -> FailingCase:
        """Apply every way to make the case smaller until none helps."""
        fewer(self.case.others, lambda others: self._takes(replace(self.case, others=others)), self.until_s)
        self._takes(replace(self.case, limits=PLENTY))
        self._programs(cut_short)
        before = None
        while self.case != before and time.monotonic() < self.until_s:
            before = self.case
            self._programs(cut_short)
            self._programs(without_a_step)
            self._programs(with_helpers_inlined)
            self._programs(lambda program: with_constants(program, self.values(self.case)))
            self._programs(with_plainer_literals)
            self._try_all(lambda: (replace(self.case, sample=each) for each in smaller_samples(self.case.sample)))
        return self.case

    def _programs(self, ways: Callable[[Program], Iterator[Program]]) -> None:
        self._try_all(lambda: (replace(self.case, program=each) for each in ways(self.case.program)))

    def _try_all(self, ways: Callable[[], Iterator[FailingCase]]) -> None:
        """Take the first smaller case that differs, and begin again from it."""
        while any(self._takes(smaller) for smaller in ways()):
            pass

    def _takes(self, smaller: FailingCase) -> bool:
        """Continue from `smaller` if it still differs and there is time. Tell whether it does."""
        if smaller == self.case or time.monotonic() > self.until_s:
            return False
        try:
            is_taken = self.differs(smaller)
        except BattError:
            # Without a step, a program may be no program of the language.
            return False
        if is_taken:
            self.case = smaller
        return is_taken


def fewer(items: tuple[Any, ...], differs: Callable[[tuple[Any, ...]], bool], until_s: float) -> tuple[Any, ...]:
    """Leave out parts of `items`, first all, then ever smaller parts, as long as `differs` holds for the others."""
    size = len(items)
    while size:
        start = 0
        while start < len(items) and time.monotonic() < until_s:
            kept = items[:start] + items[start + size :]
            if differs(kept):
                items = kept
            else:
                start += size
        size //= 2
    return items
