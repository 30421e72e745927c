"""Compile decks to one graph, and to an image. Knows no device."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batt.bytecode.image import Encoded, ImageBuilder
from batt.bytecode.table import STANDARD, Table
from batt.codegen.direct import encode_each
from batt.codegen.encode import Routines, encode
from batt.codegen.plan import StagePlan
from batt.compiler.statistics import Statistics, fan_out, statistics
from batt.errors import DataError, InternalError
from batt.front import Deck
from batt.importing import on_first_use
from batt.ir import Program
from batt.ir.graph import Graph
from batt.ir.spec import Stage, check

if TYPE_CHECKING:
    from batt.analysis.infer import Impossible
    from batt.analysis.measure import Costs
    from batt.compiler.slots import SlotKind, slot_kinds
    from batt.passes.specialize import Specialized

__all__ = [
    "Batt",
    "Encoded",
    "SlotKind",
    "Statistics",
    "compile_deck",
    "compile_programs",
    "encode_programs",
    "fan_out",
    "slot_kinds",
    "statistics",
    "verifies",
]


__getattr__ = on_first_use(__name__, dict.fromkeys(("SlotKind", "slot_kinds"), "batt.compiler.slots"))

VERIFY = False
"""The default of `verify`: check graphs and images. The tests set it. Verifying takes half as long again as compiling,
and only a bug of a pass makes a graph or image that breaks a rule."""


def verifies(verify: bool | None) -> bool:
    """Tell whether graphs and images are checked under this option."""
    return VERIFY if verify is None else verify


@dataclass(frozen=True, slots=True)
class Batt:
    """A deck as one graph: a step that solvers share exists once. `left_out` holds why some are not compiled."""

    deck: Deck
    graph: Graph
    left_out: Mapping[str, str]

    def statistics(self, costs: Costs | None = None) -> Statistics:
        """Count what the solvers share, with measured `costs` if given."""
        return statistics(self.graph, self.left_out, sum(len(solver.program.steps) for solver in self.deck), costs)

    @property
    def impossible(self) -> tuple[Impossible, ...]:
        """The calls that can never succeed, with their places."""
        from batt.analysis.infer import impossible

        return impossible(self.graph)

    def __repr__(self) -> str:
        return f"<Batt | {len(self.graph.slices):,} of {len(self.deck):,} solvers | {len(self.graph.nodes):,} nodes>"


def compile_programs(
    programs: Iterable[tuple[str, Program]], hints: bool = True, verify: bool | None = None
) -> Specialized:
    """Compile programs, given by name, into one graph. Hints are for people; without them it is a little faster.

    With `verify`, check the graph after every pass; a broken rule is an InternalError.
    """
    # Code that stands for each program alone needs no passes, and they take long to import.
    from batt.analysis.infer import infer
    from batt.passes.simplify import simplify
    from batt.passes.specialize import Specialized, specialize

    with _uncollected():
        made = specialize(programs)
        graph = simplify(_checked(made.graph, Stage.FIRST_ORDER, verify))
        if hints:
            graph = infer(_checked(graph, Stage.SIMPLIFIED, verify))
        return Specialized(_checked(graph, Stage.INFERRED if hints else Stage.SIMPLIFIED, verify), made.left_out)


def _checked(graph: Graph, stage: Stage, verify: bool | None) -> Graph:
    if verifies(verify):
        check(graph, stage)
    return graph


def compile_deck(deck: Deck, hints: bool = True, verify: bool | None = None) -> Batt:
    """Compile all solvers of a deck into one graph, as `compile_programs` does."""
    made = compile_programs(deck.programs.items(), hints, verify)
    return Batt(deck, made.graph, made.left_out)


def encode_programs(
    programs: Mapping[str, Program],
    table: Table = STANDARD,
    verify: bool | None = None,
    graph: Graph | None = None,
    staged: StagePlan | None = None,
) -> Encoded:
    """Encode programs as an image, slices in their order: from `graph` if they are in it, else step by step.

    The nodes of the graph in `staged` are staged. With `verify`, check the image; a broken rule is an InternalError.
    """
    with _uncollected():
        builder, made = ImageBuilder(table), Routines({}, {})
        if graph is not None:
            made = encode(builder, graph, staged or StagePlan())
        found = encode_each(builder, programs, made.numbers, made.refused)
    if verifies(verify):
        from batt.bytecode.verify import verify as verify_image

        try:
            verify_image(found.image)
        except DataError as fault:
            # The image is no input: the encoder made it.
            raise InternalError(str(fault)) from fault
    return found


@contextmanager
def _uncollected() -> Iterator[None]:
    """Turn off the search for cycles of garbage, which takes long among many objects. Passes make no cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
