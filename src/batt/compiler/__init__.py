"""Decks to one graph, and to an image. Owns the order of the passes; knows no device and nothing of how results are
shown.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from batt.bytecode.direct import encode_solver
from batt.bytecode.image import Builder, Image
from batt.bytecode.table import STANDARD, Table
from batt.bytecode.wire import Unencodable
from batt.compiler.statistics import Statistics, fan_out, statistics
from batt.front import Deck
from batt.ir import Program
from batt.ir.graph import Graph
from batt.passes.encode import Routines, encode
from batt.passes.infer import Impossible, impossible, infer
from batt.passes.measure import Costs
from batt.passes.plan import Plan
from batt.passes.schedule import schedule
from batt.passes.simplify import simplify
from batt.passes.specialize import Specialized, specialize

__all__ = [
    "Batt",
    "Encoded",
    "Statistics",
    "compile_deck",
    "compile_programs",
    "encode_deck",
    "encode_programs",
    "fan_out",
    "statistics",
]


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


def compile_programs(programs: Iterable[tuple[str, Program]], hints: bool = True) -> Specialized:
    """Compile programs, given by name, into one graph; without hints, which only people read, a little sooner."""
    with _uncollected():
        made = specialize(programs)
        graph = simplify(made.graph)
        return Specialized(infer(graph) if hints else graph, made.left_out)


def compile_deck(deck: Deck, hints: bool = True) -> Batt:
    """Compile all solvers of a deck into one graph, in the same way."""
    made = compile_programs([(solver.name, solver.program) for solver in deck], hints)
    return Batt(deck, made.graph, made.left_out)


@dataclass(frozen=True, slots=True)
class Encoded:
    """An image, the number of each solver's slice in it, and the reason for each solver that has none."""

    image: Image
    slice_of: Mapping[str, int]
    refused: Mapping[str, str]


def encode_deck(batt: Batt, plan: Plan, table: Table = STANDARD) -> Encoded:
    """The image of a deck, slices in its order: compiled where it is in the graph, else as it stands."""
    with _uncollected():
        builder = Builder(table)
        compiled = encode(builder, batt.graph, schedule(batt.graph, plan))
        return _encoded(builder, [(solver.name, solver.program) for solver in batt.deck], compiled)


def encode_programs(programs: Iterable[tuple[str, Program]], table: Table = STANDARD) -> Encoded:
    """The image of programs, given by name, each encoded as it stands."""
    return _encoded(Builder(table), programs, Routines({}, {}))


def _encoded(builder: Builder, programs: Iterable[tuple[str, Program]], compiled: Routines) -> Encoded:
    slice_of: dict[str, int] = {}
    refused: dict[str, str] = dict(compiled.refused)
    for name, program in programs:
        if name in refused:
            continue
        try:
            routine = compiled.numbers.get(name)
            slice_of[name] = builder.slice(name, encode_solver(builder, program) if routine is None else routine)
        except Unencodable as reason:
            refused[name] = str(reason)
    return Encoded(builder.image(), slice_of, refused)


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
