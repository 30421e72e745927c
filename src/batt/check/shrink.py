"""Make an example of a difference small: its program, its sample and its budget. Runs nothing itself.

A given function tells whether a smaller case still differs. A person can paste the result into a deck.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
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
from batt.own.inputs import smallest
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
    until_s = time.monotonic() + max_s

    def still_differs(smaller: FailingCase) -> bool:
        try:
            return differs(smaller)
        except BattError:
            # Without a step, a program may be no program of the language.
            return False

    case = replace(case, others=fewer(case.others, lambda kept: still_differs(replace(case, others=kept)), until_s))
    ways: list[Callable[[FailingCase], Iterable[FailingCase]]] = [
        lambda case: [replace(case, limits=PLENTY)],
        *map(_on_programs, (cut_short, without_a_step, with_helpers_inlined)),
        lambda case: (replace(case, program=each) for each in with_constants(case.program, values(case))),
        _on_programs(with_plainer_literals),
        lambda case: (replace(case, sample=each) for each in smaller_samples(case.sample)),
    ]
    before = None
    while case != before and time.monotonic() < until_s:
        before = case
        for way in ways:
            case = smallest(case, way, still_differs, until_s)
    return case


def _on_programs(
    way: Callable[[Program], Iterable[Program]],
) -> Callable[[FailingCase], Iterable[FailingCase]]:
    """Return the way to make a case smaller that makes its program smaller by `way`."""
    return lambda case: (replace(case, program=each) for each in way(case.program))


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
