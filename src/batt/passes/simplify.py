"""Algebraic rewriting of a graph by the table of rules. Owns that steps, errors and over-budgets stay where they were.

A node that is removed leaves its steps behind, at its place in every sequence. A call also holds the size of its result
against the budget's largest, so a call that nothing reads goes only where that is known to pass: one of the same size
was checked before it, or is checked after it with nothing that could raise in between.
"""

from __future__ import annotations

from collections.abc import Sequence

from batt.ir.graph import Body, Builder, Graph, Node, NodeKind, Slice
from batt.passes.facts import Facts, Steps
from batt.passes.merge import merge
from batt.passes.rewrite import Entry, Placed, Rewriter, is_tiny

MAX_OPERANDS = 16
"""Operands of a charge that others were joined to."""


def simplify(graph: Graph) -> Graph:
    """The graph with every rule applied until none applies any more."""
    graph = merge([graph])
    while (simpler := merge([_Round(graph).graph()])) != graph:
        graph = simpler
    return simpler


class _Round:
    """Every node of a graph rewritten once, and every sequence put together anew."""

    def __init__(self, graph: Graph) -> None:
        self.old = graph
        self.rewriter = Rewriter(Builder())
        self.bodies: dict[int, int] = {}
        self.placed: list[Placed] = []

    def graph(self) -> Graph:
        """The graph after this round."""
        for node in self.old.nodes:
            bodies = tuple([self._body(body) for body in node.bodies])
            args = tuple([self.placed[arg].value for arg in node.args])
            self.placed.append(self.rewriter.place(Node(node.kind, node.op, args, bodies, node.value)))
        builder = self.rewriter.builder
        for each in self.old.slices:
            entries, result = self._sequence(each.entries, each.lines, each.result)
            lines = tuple([line for _, line in entries]) if each.lines else ()
            builder.slices.append(Slice(each.name, tuple([entry for entry, _ in entries]), result, lines))
        return builder.graph()

    def _body(self, number: int) -> int:
        if number not in self.bodies:
            body = self.old.bodies[number]
            entries, result = self._sequence(body.entries, (), body.result)
            made = Body(body.params, tuple([entry for entry, _ in entries]), result)
            self.bodies[number] = self.rewriter.builder.add_body(made)
        return self.bodies[number]

    def _sequence(self, entries: Sequence[int], lines: Sequence[int], result: int) -> tuple[list[tuple[int, int]], int]:
        """The entries that stand in place of these, with their lines, and the result."""
        builder, value = self.rewriter.builder, self.placed[result].value
        found = [
            (each, line)
            for entry, line in zip(entries, lines or [0] * len(entries), strict=True)
            for each in self.placed[entry].entries
        ]
        for at, (each, _) in enumerate(found):
            # What follows an error is never run.
            if isinstance(each, int) and builder.nodes[each].kind is NodeKind.RAISE:
                found, value = found[: at + 1], each
                break
        kept = _without_unread(found, value, builder.nodes, self.rewriter.facts)
        return [(self._number(each), line) for each, line in _joined(kept, builder.nodes)], value

    def _number(self, entry: Entry) -> int:
        if isinstance(entry, int):
            return entry
        return self.rewriter.builder.add(NodeKind.CHARGE, args=entry.nodes, value=entry.known)


def _joined(entries: Sequence[tuple[Entry, int]], nodes: Sequence[Node]) -> list[tuple[Entry, int]]:
    """The entries with charges that follow one another in one; what lies between them can go over budget at most."""
    found: list[tuple[Entry, int]] = []
    charge = -1
    for each, line in entries:
        if each == Steps():
            continue
        if isinstance(each, int):
            charge = charge if nodes[each].kind is NodeKind.LIMIT else -1
        else:
            last = found[charge][0] if charge >= 0 else None
            if isinstance(last, Steps) and len(last.nodes + each.nodes) <= MAX_OPERANDS:
                found[charge] = (last + each, found[charge][1])
                continue
            charge = len(found)
        found.append((each, line))
    return found


def _without_unread(
    entries: Sequence[tuple[Entry, int]], result: int, nodes: Sequence[Node], facts: Facts
) -> list[tuple[Entry, int]]:
    """The entries with only the steps left of a node that nothing reads and that cannot fail."""
    first_run: dict[int, int] = {}
    first_checked: dict[Steps, int] = {}
    for at, (each, _) in enumerate(entries):
        if isinstance(each, int):
            first_run.setdefault(each, at)
            fact = facts[each]
            if fact.checked:
                first_checked.setdefault(fact.size, at)
    read, charges = {result}, dict[int, Steps]()
    # Sizes that are checked from here on before anything can raise.
    ahead: set[Steps] = set()
    for at, (each, _) in reversed(list(enumerate(entries))):
        if isinstance(each, Steps):
            read.update(each.nodes)
        elif first_run[each] == at:
            fact, node = facts[each], nodes[each]
            passes = not fact.checked or is_tiny(fact.size) or first_checked[fact.size] < at or fact.size in ahead
            steps = facts.steps(node, fact.size) if fact.safe and passes and each not in read else None
            if steps is not None:
                charges[each] = steps
                read.update(steps.nodes)
                continue
            read.update(node.args)
            if not fact.safe:
                ahead.clear()
            elif fact.checked:
                ahead.add(fact.size)
    return [(charges.get(each, each) if isinstance(each, int) else each, line) for each, line in entries]
