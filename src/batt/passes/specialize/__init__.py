"""Compile function values away: programs become slices of first-order nodes, or the reason why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from batt.ir import Program
from batt.ir.graph import Builder, Graph
from batt.passes.merge import merge
from batt.passes.specialize.specializer import Specializer
from batt.passes.specialize.values import NotFirstOrder

__all__ = ["NotFirstOrder", "Specialized", "specialize"]


@dataclass(frozen=True, slots=True)
class Specialized:
    """The graph of all programs that became first-order, and the reason for each that did not."""

    graph: Graph
    left_out: Mapping[str, str]


def specialize(programs: Iterable[tuple[str, Program]]) -> Specialized:
    """Compile programs, given by name, into one graph. Every shared node exists once."""
    builder = Builder()
    left_out: dict[str, str] = {}
    for name, program in programs:
        try:
            builder.slices.append(Specializer(builder).slice_of(name, program))
        except NotFirstOrder as reason:
            left_out[name] = str(reason)
    # Merging drops what was tried and given up.
    return Specialized(merge([builder.graph()]), left_out)
