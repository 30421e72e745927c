"""Measuring: the steps that nodes take on samples."""

from __future__ import annotations

import sys
from typing import Any

from batt.analysis.measure import measure
from batt.front import Deck
from batt.ir.graph import LEAVES, Graph
from batt.ops import METER
from batt.passes.specialize import specialize

GRID = ((1, 2), (3, 4))
WIDE = ((1, 2, 3, 4), (5, 6, 7, 8))
SHOWN = ((GRID, GRID),)


def graph_of(*programs: str) -> Graph:
    """The graph of programs, each given as its lines without the return of x."""
    sources = {f"s{n}": f"def s{n}(S, I, C):\n    {each}\n    return x\n" for n, each in enumerate(programs)}
    return specialize([(solver.name, solver.program) for solver in Deck.from_sources(sources)]).graph


def number_of(graph: Graph, name: str) -> int:
    (found,) = [n for n, node in enumerate(graph.nodes) if node.op and node.op.name == name]
    return found


def steps_of(graph: Graph, name: str, *grids: Any, **budget: int) -> int:
    return measure(graph, [(SHOWN, grid, None) for grid in grids], **budget)[number_of(graph, name)]


def test_the_steps_of_a_node_are_added_up_over_the_samples():
    # 1 + cells in + cells out
    assert steps_of(graph_of("x = vmirror(I)"), "vmirror", GRID, WIDE) == 9 + 17


def test_a_node_takes_its_steps_for_every_slice_that_reaches_it():
    graph = graph_of("x = vmirror(I)", "x = hmirror(vmirror(I))", "x = add(first(()), size(vmirror(I)))")
    assert steps_of(graph, "vmirror", GRID, GRID, GRID) == 6 * 9
    assert steps_of(graph, "size", GRID) == 0


def test_an_entry_that_is_only_charged_again_is_no_run():
    assert steps_of(graph_of("x = vmirror(I)\n    y = vmirror(I)"), "vmirror", GRID) == 9


def test_the_steps_of_a_failed_run_count():
    graph = graph_of("x = divide(1, subtract(size(I), 2))")
    assert steps_of(graph, "divide", GRID, (*GRID, (5, 6))) == 2


def test_a_run_ends_with_the_budget():
    graph = graph_of("x = size(vmirror(I))")
    assert steps_of(graph, "size", GRID, steps=8) == 0
    assert steps_of(graph, "size", GRID, max_items=3) == 0
    assert steps_of(graph, "size", GRID, steps=10, max_items=4) == 1


def test_nodes_of_bodies_are_run_for_every_item_and_count_for_the_loop_too():
    graph = graph_of("x = apply(compose(increment, first), I)")
    assert steps_of(graph, "increment", GRID) == 2
    assert steps_of(graph, "apply", GRID) > 2
    assert steps_of(graph_of("x = apply(compose(increment, first), ())"), "increment", GRID) == 0


def test_leaves_are_never_run():
    graph = graph_of("x = add(1, size(I))")
    costs = measure(graph, [(SHOWN, GRID, None)])
    assert [costs[n] for n, node in enumerate(graph.nodes) if node.kind in LEAVES] == [0, 0]


def test_no_samples_measure_nothing():
    graph = graph_of("x = vmirror(I)")
    assert measure(graph, []) == [0] * len(graph.nodes)


def test_measuring_leaves_the_meter_endless():
    measure(graph_of("x = vmirror(I)"), [(SHOWN, GRID, None)], steps=1)
    assert (METER.steps_left, METER.max_items) == (sys.maxsize, sys.maxsize)
