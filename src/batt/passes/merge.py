"""Merge many graphs into one, sharing equal nodes. Owns node identity across graphs; knows nothing of devices."""

from __future__ import annotations

from collections.abc import Iterable

from batt.ir.graph import Body, Builder, Graph, Slice, reached, rebuild


def merge(graphs: Iterable[Graph]) -> Graph:
    """One graph with the slices of all; a node, or a body, that several of them have exists once.

    What no slice reaches is left behind.
    """
    builder = Builder()
    for graph in graphs:
        _add(builder, graph)
    return builder.graph()


def _add(builder: Builder, graph: Graph) -> None:
    """Add a graph's nodes in order; a body is added just before the first node that runs it."""
    numbers: dict[int, int] = {}
    bodies: dict[int, int] = {}
    for number in sorted(reached(graph)):
        node = graph.nodes[number]
        for body in node.bodies:
            if body not in bodies:
                bodies[body] = _add_body(builder, graph.bodies[body], numbers)
        numbers[number] = rebuild(builder, node, numbers, bodies)
    for each in graph.slices:
        entries = tuple([numbers[entry] for entry in each.entries])
        builder.slices.append(Slice(each.name, entries, numbers[each.result], each.lines))


def _add_body(builder: Builder, body: Body, numbers: dict[int, int]) -> int:
    entries = tuple([numbers[entry] for entry in body.entries])
    return builder.add_body(Body(body.params, entries, numbers[body.result]))
