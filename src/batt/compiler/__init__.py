"""Decks to one graph, and to an image. Owns the order of the passes; knows no device and nothing of how results are
shown.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from batt.analysis.infer import Impossible, impossible, infer
from batt.analysis.measure import Costs
from batt.bytecode.image import Encoded, ImageBuilder
from batt.bytecode.table import STANDARD, Table
from batt.bytecode.verify import verify as verify_image
from batt.codegen.direct import encode_each
from batt.codegen.encode import Routines, encode
from batt.codegen.plan import StagePlan
from batt.compiler.statistics import Statistics, fan_out, statistics
from batt.errors import DataError, InternalError
from batt.front import Deck
from batt.ir import Program
from batt.ir.graph import Graph
from batt.ir.spec import Stage, check
from batt.passes.simplify import simplify
from batt.passes.specialize import Specialized, specialize

__all__ = [
    "Batt",
    "Encoded",
    "Statistics",
    "compile_deck",
    "compile_programs",
    "encode_programs",
    "fan_out",
    "statistics",
]


VERIFY = False
"""Whether graphs and images are verified where a caller leaves `verify` open. The tests set it: verifying takes half as
long again as compiling, and a graph or image that breaks a rule is a bug of a pass."""


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


def compile_programs(
    programs: Iterable[tuple[str, Program]], hints: bool = True, verify: bool | None = None
) -> Specialized:
    """Compile programs, given by name, into one graph; without hints, which only people read, a little sooner.

    With `verify` the graph is checked after every pass; a broken rule is an InternalError.
    """
    with _uncollected():
        made = specialize(programs)
        graph = simplify(_checked(made.graph, Stage.FIRST_ORDER, verify))
        if hints:
            graph = infer(_checked(graph, Stage.SIMPLIFIED, verify))
        return Specialized(_checked(graph, Stage.INFERRED if hints else Stage.SIMPLIFIED, verify), made.left_out)


def _checked(graph: Graph, stage: Stage, verify: bool | None) -> Graph:
    if VERIFY if verify is None else verify:
        check(graph, stage)
    return graph


def compile_deck(deck: Deck, hints: bool = True, verify: bool | None = None) -> Batt:
    """Compile all solvers of a deck into one graph, in the same way."""
    made = compile_programs(deck.programs.items(), hints, verify)
    return Batt(deck, made.graph, made.left_out)


def encode_programs(
    programs: Mapping[str, Program],
    table: Table = STANDARD,
    verify: bool | None = None,
    graph: Graph | None = None,
    staged: StagePlan | None = None,
) -> Encoded:
    """The image of programs, slices in their order: compiled where they are in the graph, else step by step.

    What the graph computes ahead is `staged`. With `verify` the image is checked; a broken rule is an InternalError.
    """
    with _uncollected():
        builder, made = ImageBuilder(table), Routines({}, {})
        if graph is not None:
            made = encode(builder, graph, staged or StagePlan.none())
        found = encode_each(builder, programs, made.numbers, made.refused)
    if VERIFY if verify is None else verify:
        try:
            verify_image(found.image)
        except DataError as fault:
            # Nobody handed the image in: the encoder made it.
            raise InternalError(str(fault)) from fault
    return found


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without Python's search for cycles, which is long among so many objects and finds nothing: passes make none."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
