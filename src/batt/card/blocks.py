"""A batt as blocks of lines, one for each solver. Owns how a solver's own order can be told from the file.

A block holds the steps that no solver before had, in the solver's order. Steps that are there already come in where
they are first needed: the operands of a line depth first, callee before arguments. Where that is not the solver's
order, or it does a step twice, a line of its own names the steps that it goes through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from batt.card.steps import Dealt, Number, Steps

WINDOW = 64
"""How many steps ahead a shorter way to name them is looked for."""


@dataclass(frozen=True, slots=True)
class New:
    """A line that makes a step."""

    number: int


@dataclass(frozen=True, slots=True)
class Through:
    """A line that names steps made above, in the order in which this solver goes through them."""

    numbers: tuple[int, ...]


Line: TypeAlias = New | Through


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of one solver, up to the one that hands its result out."""

    dealt: Dealt
    lines: tuple[Line, ...]


def blocks_of(steps: Steps) -> list[Block]:
    """The blocks of a batt; together they hold every step once."""
    known = 0
    found: list[Block] = []
    for dealt in steps.dealt:
        found.append(Block(dealt, tuple(_Laying(steps, known).lines(dealt))))
        known = max((known, *dealt.entries))
    return found


class _Laying:
    """The lines of one block in the making: steps placed so far, and those gone through since the last line."""

    def __init__(self, steps: Steps, known: int) -> None:
        self.steps = steps
        self.known = known
        self.placed: set[int] = set()

    def lines(self, dealt: Dealt) -> Iterator[Line]:
        waiting: list[int] = []
        for number in dealt.entries:
            if number <= self.known or number in self.placed:
                waiting.append(number)
                continue
            yield from self._name(waiting, self.steps[number].reads)
            waiting = []
            self.placed.add(number)
            yield New(number)
        result = dealt.result
        yield from self._name(waiting, (result.number,) if isinstance(result, Number) else ())

    def _name(self, waiting: Sequence[int], reads: tuple[int, ...]) -> Iterator[Line]:
        """Name what has to be named, so that all that waits is placed when these are read."""
        named: list[int] = []
        at = 0
        while at < len(waiting) and not (at < WINDOW and self._is_implied(waiting[at:], reads)):
            ahead = range(min(at + WINDOW, len(waiting)) - 1, at, -1)
            end = next((n for n in ahead if self._is_implied(waiting[at:n], self.steps[waiting[n]].reads)), at)
            named.append(waiting[end])
            self.placed.update(waiting[at : end + 1])
            at = end + 1
        self.placed.update(waiting)
        if named:
            yield Through(tuple(named))

    def _is_implied(self, wanted: Sequence[int], reads: tuple[int, ...]) -> bool:
        """Whether just these steps, in this order, come in where these are read."""
        at = 0
        for number in self._coming_in(reads):
            if at == len(wanted) or wanted[at] != number:
                return False
            at += 1
        return at == len(wanted)

    def _coming_in(self, reads: tuple[int, ...]) -> Iterator[int]:
        """The steps not placed that these reads bring in, depth first."""
        seen: set[int] = set()
        # Each level holds the reads still to be looked at, and the step that they belong to.
        stack: list[tuple[int, list[int]]] = [(0, list(reversed(reads)))]
        while stack:
            owner, rest = stack[-1]
            if not rest:
                stack.pop()
                if owner:
                    yield owner
                continue
            number = rest.pop()
            if number not in self.placed and number not in seen:
                seen.add(number)
                stack.append((number, list(reversed(self.steps[number].reads))))
