"""Measuring: what nodes take on samples, and how large values are."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given

from batt.analysis.measure import WORD_BYTES, Costs, NodeCost, measure, value_bytes
from batt.front import Deck
from batt.ir.graph import Graph, NodeKind
from batt.ops import METER
from batt.passes.specialize import specialize
from batt.types import OrderedSet
from strategies import anything

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


def test_steps_and_bytes_are_means_over_the_samples():
    graph = graph_of("x = vmirror(I)")
    costs = measure(graph, [(SHOWN, GRID, None), (SHOWN, WIDE, None)])
    # 1 + cells in + cells out; a word for the value and one for each cell.
    assert costs.nodes[number_of(graph, "vmirror")] == NodeCost(2, 0, (9 + 17) / 2, WORD_BYTES * (5 + 9) / 2)
    assert costs.samples == 2


def test_a_node_counts_as_run_for_every_slice_that_comes_to_it():
    graph = graph_of("x = vmirror(I)", "x = hmirror(vmirror(I))", "x = add(first(()), size(vmirror(I)))")
    costs = measure(graph, [(SHOWN, GRID, None)] * 3)
    assert costs.nodes[number_of(graph, "vmirror")].runs == 6
    assert costs.runs_per_sample(number_of(graph, "vmirror")) == 2
    assert costs.nodes[number_of(graph, "size")] == NodeCost()


def test_an_entry_that_is_only_charged_again_is_no_run():
    graph = graph_of("x = vmirror(I)\n    y = vmirror(I)")
    assert measure(graph, [(SHOWN, GRID, None)]).nodes[number_of(graph, "vmirror")].runs == 1


def test_failures_are_counted_and_their_steps_are_too():
    graph = graph_of("x = divide(1, subtract(size(I), 2))")
    costs = measure(graph, [(SHOWN, GRID, None), (SHOWN, (*GRID, (5, 6)), None)])
    cost = costs.nodes[number_of(graph, "divide")]
    assert cost == NodeCost(runs=2, failures=1, steps=1.0, bytes=float(WORD_BYTES))
    assert cost.failure_share == 0.5
    assert NodeCost().failure_share == 0.0


def test_what_exceeds_the_budget_fails():
    graph = graph_of("x = vmirror(I)")
    assert measure(graph, [(SHOWN, GRID, None)], steps=8).nodes[number_of(graph, "vmirror")].failures == 1
    assert measure(graph, [(SHOWN, GRID, None)], max_items=3).nodes[number_of(graph, "vmirror")].failures == 1
    assert measure(graph, [(SHOWN, GRID, None)], steps=9, max_items=4).nodes[number_of(graph, "vmirror")].failures == 0


def test_nodes_of_bodies_are_run_for_every_item():
    graph = graph_of("x = apply(compose(increment, first), I)")
    costs = measure(graph, [(SHOWN, GRID, None)])
    assert costs.nodes[number_of(graph, "increment")].runs == 2
    assert costs.nodes[number_of(graph, "apply")].runs == 1


def test_a_failure_in_a_body_is_one_of_the_loop_too():
    graph = graph_of("x = apply(compose(increment, first), ())")
    assert measure(graph, [(SHOWN, GRID, None)]).nodes[number_of(graph, "increment")].runs == 0
    graph = graph_of("x = apply(size, (I, 1))")
    costs = measure(graph, [(SHOWN, GRID, None)])
    assert costs.nodes[number_of(graph, "size")] == NodeCost(2, 1, 1.0, float(WORD_BYTES))
    assert costs.nodes[number_of(graph, "apply")].failures == 1


def test_leaves_are_never_run():
    graph = graph_of("x = add(1, size(I))")
    costs = measure(graph, [(SHOWN, GRID, None)])
    leaves = [n for n, node in enumerate(graph.nodes) if node.kind in (NodeKind.CONST, NodeKind.INPUT)]
    assert leaves
    assert all(costs.nodes[n] == NodeCost() for n in leaves)


def test_no_samples_measure_nothing():
    graph = graph_of("x = vmirror(I)")
    costs = measure(graph, [])
    assert costs == Costs(0, (NodeCost(),) * len(graph.nodes))
    assert costs.runs_per_sample(number_of(graph, "vmirror")) == 0.0


def test_measuring_leaves_the_meter_endless():
    measure(graph_of("x = vmirror(I)"), [(SHOWN, GRID, None)], steps=1)
    assert (METER.steps_left, METER.max_items) == (sys.maxsize, sys.maxsize)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (7, 1),
        (None, 1),
        ((), 1),
        ((3, 4), 3),
        (GRID, 5),
        (OrderedSet({(1, (0, 0)), (2, (0, 1))}), 3),
        (OrderedSet({OrderedSet({(1, (0, 0)), (2, (0, 1))}), OrderedSet({(3, (5, 5))})}), 1 + 2 + 3),
        ((GRID, WIDE), 1 + 4 + 4 + 8),
    ],
)
def test_a_value_takes_a_word_for_itself_for_its_items_and_for_the_cells_in_them(value: Any, words: int):
    assert value_bytes(value) == WORD_BYTES * words


def test_a_value_that_repeats_its_parts_endlessly_is_estimated():
    value: Any = GRID
    for _ in range(60):
        value = (value, value)
    assert value_bytes(value) == WORD_BYTES * (1 + 4 + 4 + 4)


@given(anything)
def test_every_value_has_a_size(value: Any):
    assert value_bytes(value) >= WORD_BYTES
