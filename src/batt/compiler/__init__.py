"""Decks to one graph. Owns the order of the passes; knows no device and nothing of how results are shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from batt.compiler.statistics import Statistics, fan_out, statistics
from batt.front import Deck
from batt.ir import Program
from batt.ir.graph import Graph
from batt.passes.infer import Impossible, impossible, infer
from batt.passes.measure import Costs
from batt.passes.simplify import simplify
from batt.passes.specialize import Specialized, specialize

__all__ = ["Batt", "Statistics", "compile_deck", "compile_programs", "fan_out", "statistics"]


@dataclass(frozen=True, slots=True)
class Batt:
    """A deck as one graph: every step that solvers share exists once. What cannot be compiled is left out, by name."""

    deck: Deck
    graph: Graph
    left_out: Mapping[str, str]

    def statistics(self, costs: Costs | None = None) -> Statistics:
        """What sharing makes of the deck, with measured costs where there are any."""
        return statistics(self.graph, self.left_out, sum(len(solver.program.steps) for solver in self.deck), costs)

    @property
    def impossible(self) -> tuple[Impossible, ...]:
        """Calls that can never succeed, with their places."""
        return impossible(self.graph)

    def __repr__(self) -> str:
        return f"<Batt | {len(self.graph.slices):,} of {len(self.deck):,} solvers | {len(self.graph.nodes):,} nodes>"


def compile_programs(programs: Iterable[tuple[str, Program]]) -> Specialized:
    """Compile programs, given by name, into one graph."""
    made = specialize(programs)
    return Specialized(infer(simplify(made.graph)), made.left_out)


def compile_deck(deck: Deck) -> Batt:
    """Compile all solvers of a deck into one graph."""
    made = compile_programs([(solver.name, solver.program) for solver in deck])
    return Batt(deck, made.graph, made.left_out)
