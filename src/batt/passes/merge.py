"""Merge many graphs into one, in which equal nodes are one node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from batt.ir.graph import Body, Builder, Graph, NodeKind, Slice, reached, rebuild


def merge(graphs: Iterable[Graph]) -> Graph:
    """Return one graph with the slices of all `graphs`. Equal nodes are one, equal bodies, too.

    What no slice reaches is dropped.
    """
    builder = Builder()
    for graph in graphs:
        _add(builder, graph)
    return builder.graph()


def tidy(graph: Graph) -> Graph:
    """Return the graph without what no slice reaches, with each charge just before what runs or holds its sequence.

    Nothing reads a charge, so any number would do. This one does not depend on how the graph was made.
    """
    builder = Builder()
    _add(builder, graph, postponed=NodeKind.CHARGE)
    return builder.graph()


def _add(builder: Builder, graph: Graph, postponed: NodeKind | None = None) -> None:
    """Add a graph's nodes in order, a body before the first node that runs it, `postponed` ones with their sequence."""
    numbers: dict[int, int] = {}
    bodies: dict[int, int] = {}

    def sequence(entries: Sequence[int]) -> tuple[int, ...]:
        for entry in entries:
            if entry not in numbers:
                numbers[entry] = rebuild(builder, graph.nodes[entry], numbers, bodies)
        return tuple([numbers[entry] for entry in entries])

    for number in sorted(reached(graph)):
        node = graph.nodes[number]
        for body in node.bodies:
            if body not in bodies:
                params, entries, result = graph.bodies[body]
                bodies[body] = builder.add_body(Body(params, sequence(entries), numbers[result]))
        if node.kind is not postponed:
            numbers[number] = rebuild(builder, node, numbers, bodies)
    for each in graph.slices:
        builder.slices.append(Slice(each.name, sequence(each.entries), numbers[each.result], each.lines))
