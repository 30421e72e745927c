"""Graphs of decks and of single programs, run under watch: every value that a node gives, and where it was made."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import batt
from batt.front import Deck
from batt.ir.graph import Graph, NodeKind, Slice
from batt.ir.interpreter import Interpreter
from batt.jobs import samples_of
from batt.ops import METER, RAISABLE, OverBudget
from batt.passes.specialize import specialize

SILENT = (NodeKind.CHARGE, NodeKind.LIMIT)


def graph_of(*programs: Sequence[str]) -> Graph:
    """The graph of programs, each given as its lines without the return of x."""
    sources = {
        f"s{n}": "\n    ".join([f"def s{n}(S, I, C):", *lines, "return x\n"]) for n, lines in enumerate(programs)
    }
    return _graph(Deck.from_sources(sources))


def _graph(deck: Deck) -> Graph:
    return specialize([(solver.name, solver.program) for solver in deck]).graph


@cache
def _samples() -> Any:
    return samples_of(batt.load_tasks("arc1-training"))


class Watcher(Interpreter):
    """An interpreter that keeps each node's values, and which nodes gave one while a slice ran which entry."""

    def __init__(self, graph: Graph, inputs: Sequence[Any]) -> None:
        super().__init__(graph, inputs)
        self.values: list[tuple[int, Any]] = []
        self.gave: set[tuple[int, int]] = set()
        self._entry: int | None = None

    def run_node(self, number: int, values: Any, args: Sequence[Any]) -> Any:
        outer = self._entry
        self._entry = entry = number if outer is None else outer
        value = super().run_node(number, values, args)
        self._entry = outer
        self.gave.add((entry, number))
        if self.graph.nodes[number].kind not in SILENT:
            self.values.append((number, value))
        return value


def watch(graph: Graph, each: Slice, inputs: Sequence[Any], steps: int = 100_000) -> Watcher:
    """A watcher that has run a slice as far as it goes."""
    watcher = Watcher(graph, inputs)
    METER.reset(steps, steps)
    try:
        watcher.run_slice(each)
    except (*RAISABLE, OverBudget):
        pass
    finally:
        METER.reset()
    return watcher


def watched(graph: Graph, own: bool, most: int) -> Iterator[tuple[Slice, Watcher]]:
    """Up to so many slices, spread over a deck's graph, each run on its task's first sample or on any."""
    rng = random.Random(0)
    for each in graph.slices[:: -(-len(graph.slices) // most)]:
        task = each.name.split("_")[1]
        sample = next(each for each in _samples() if each.task == task) if own else rng.choice(_samples())
        yield each, watch(graph, each, (sample.demonstrations, sample.input, None))
