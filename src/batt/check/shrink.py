"""A small example of a difference. Owns how a program, its sample and its budget are made smaller; runs nothing itself.

What still differs is found out by a function that is given; a person can paste the result into a deck.
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
class Case:
    """A program that differs on a sample within a budget, in a deck with other programs where it takes them."""

    program: Program
    sample: Sample
    limits: Limits
    others: tuple[Program, ...] = ()

    @property
    def deck(self) -> Deck:
        """The program first, then the others."""
        others = {f"solve_other{number}": each for number, each in enumerate(self.others, 1)}
        programs = {NAME: self.program, **others}
        own = own_ops(programs.values())
        sources = {name: source_text(each, name) for name, each in programs.items()}
        return Deck.from_sources(sources, ops={each.name: each for each in own})

    @property
    def source(self) -> str:
        """The program as text."""
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


Differs = Callable[[Case], bool]
"""Whether a case shows the difference that is looked for."""


Values = Callable[[Case], Sequence[Any]]
"""The values of a program's steps on its sample, as far as they are known."""


def shrunk(case: Case, differs: Differs, values: Values = lambda case: (), max_s: float = MAX_S) -> Case:
    """A smaller case that still differs: as small as it gets within the time."""
    return _Search(case, differs, values, time.monotonic() + max_s).run()


class _Search:
    """The smallest case found so far."""

    def __init__(self, case: Case, differs: Differs, values: Values, until_s: float) -> None:
        self.case = case
        self.differs = differs
        self.values = values
        self.until_s = until_s

    def run(self) -> Case:
        """Apply every way of making it smaller until none helps."""
        self._try_all(self._without_others)
        self._try_all(lambda: iter([replace(self.case, limits=PLENTY)]))
        self._programs(cut_short)
        changed = True
        while changed and time.monotonic() < self.until_s:
            before = self.case
            self._programs(cut_short)
            self._programs(without_a_step)
            self._programs(with_helpers_inlined)
            self._programs(lambda program: with_constants(program, self.values(self.case)))
            self._programs(with_plainer_literals)
            self._try_all(lambda: (replace(self.case, sample=each) for each in smaller_samples(self.case.sample)))
            changed = self.case != before
        return self.case

    def _programs(self, ways: Callable[[Program], Iterator[Program]]) -> None:
        self._try_all(lambda: (replace(self.case, program=each) for each in ways(self.case.program)))

    def _without_others(self) -> Iterator[Case]:
        """All others left out, then ever smaller parts of them."""
        others = self.case.others
        size = len(others)
        while size:
            for start in range(0, len(others), size):
                yield replace(self.case, others=(*others[:start], *others[start + size :]))
            size //= 2

    def _try_all(self, ways: Callable[[], Iterator[Case]]) -> None:
        """Take the first smaller case that differs, and begin again from it."""
        found = True
        while found:
            found = False
            for smaller in ways():
                if time.monotonic() > self.until_s:
                    return
                if smaller != self.case and self._still_differs(smaller):
                    self.case = smaller
                    found = True
                    break

    def _still_differs(self, case: Case) -> bool:
        try:
            return self.differs(case)
        except BattError:
            # What it became is no program of the language.
            return False
