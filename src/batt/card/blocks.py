"""A batt as blocks of lines, one block for each solver.

A block holds the steps that no earlier solver has, in the solver's order. Steps of earlier blocks run when they are
first needed: the operands of a line depth first, the callee before its arguments. If the solver's order differs from
that, or it repeats a step, a separate line names the steps in the solver's order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from batt.card.steps import DealtSolver, Number, SharedSteps

WINDOW = 64
"""The number of steps ahead in which to search for a shorter way to name them."""


BattLine: TypeAlias = int | tuple[int, ...]
"""The number of the step that a line defines, or the numbers of earlier steps that it names in the solver's order."""


def blocks_of(steps: SharedSteps) -> list[list[BattLine]]:
    """Return the lines of each solver, without its result. Together they define every step once."""
    known = 0
    found: list[list[BattLine]] = []
    for dealt in steps.dealt:
        found.append(list(_Laying(steps, known).lines(dealt)))
        known = max((known, *dealt.entries))
    return found


class _Laying:
    """Builds the lines of one block: `placed` are the steps that the lines so far have run."""

    def __init__(self, steps: SharedSteps, known: int) -> None:
        self.steps = steps
        self.known = known
        self.placed: set[int] = set()

    def lines(self, dealt: DealtSolver) -> Iterator[BattLine]:
        waiting: list[int] = []
        for number in dealt.entries:
            if number <= self.known or number in self.placed:
                waiting.append(number)
                continue
            yield from self._name(waiting, self.steps[number].reads)
            waiting = []
            self.placed.add(number)
            yield number
        result = dealt.result
        yield from self._name(waiting, (result.number,) if isinstance(result, Number) else ())

    def _name(self, waiting: Sequence[int], reads: tuple[int, ...]) -> Iterator[BattLine]:
        """Name as few of `waiting` as needed so that all of them are placed when `reads` are read."""
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
            yield tuple(named)

    def _is_implied(self, wanted: Sequence[int], reads: tuple[int, ...]) -> bool:
        """Tell whether reading `reads` runs exactly the steps `wanted`, in this order."""
        at = 0
        for number in self._coming_in(reads):
            if at == len(wanted) or wanted[at] != number:
                return False
            at += 1
        return at == len(wanted)

    def _coming_in(self, reads: tuple[int, ...]) -> Iterator[int]:
        """Yield the steps not placed yet that `reads` depend on, depth first."""
        seen: set[int] = set()
        # Each level holds a step and those of its reads that are still to be visited.
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
