"""Rewrite a graph by the table of rules. Steps, errors and over-budgets stay where they were.

A removed node leaves its steps behind, at its place in every sequence. A call also checks the size of its result
against the budget, so a call that nothing reads is removed only if that check is known to pass: a result of the same
size was checked before it, or is checked after it with nothing that could raise in between.
"""

from __future__ import annotations

from collections.abc import Sequence

from batt.analysis.proofs import NOTHING, Facts, Steps
from batt.ir.graph import Body, Builder, Graph, Node, NodeKind, Slice
from batt.passes.merge import tidy
from batt.passes.rewrite import Entry, Placed, Rewriter, is_tiny

MAX_OPERANDS = 16
"""The most operands of a charge that others are joined to."""


def simplify(graph: Graph) -> Graph:
    """Return the graph with rules applied until none applies."""
    rewriter = Rewriter(Builder())
    graph = _Round(graph, rewriter).graph()
    # From here on numbers are those of one builder: equal slices mean equal graphs.
    while (simpler := _Round(graph, rewriter).graph()).slices != graph.slices:
        graph = simpler
    return tidy(simpler)


class _Round:
    """Rewrites every node of a graph once, and builds every sequence anew."""

    def __init__(self, graph: Graph, rewriter: Rewriter) -> None:
        self.old = graph
        self.rewriter = rewriter
        self.bodies: dict[int, int] = {}
        self.placed: list[Placed] = []

    def graph(self) -> Graph:
        """Return the graph after this round, in the numbers of the rewriter's builder."""
        placed, place = self.placed, self.rewriter.place
        for kind, op, args, bodies, value in self.old.nodes:
            operands = tuple([placed[arg].value for arg in args])
            runs = tuple([self._body(body) for body in bodies]) if bodies else ()
            placed.append(place(Node(kind, op, operands, runs, value)))
        builder = self.rewriter.builder
        builder.slices = [self._slice(each) for each in self.old.slices]
        return builder.graph()

    def _slice(self, each: Slice) -> Slice:
        entries, result = self._sequence(each.entries, each.lines, each.result)
        lines = tuple([line for _, line in entries]) if each.lines else ()
        return Slice(each.name, tuple([entry for entry, _ in entries]), result, lines)

    def _body(self, number: int) -> int:
        if number not in self.bodies:
            body = self.old.bodies[number]
            entries, result = self._sequence(body.entries, (), body.result)
            made = Body(body.params, tuple([entry for entry, _ in entries]), result)
            self.bodies[number] = self.rewriter.builder.add_body(made)
        return self.bodies[number]

    def _sequence(self, entries: Sequence[int], lines: Sequence[int], result: int) -> tuple[list[tuple[int, int]], int]:
        """Return the entries that replace `entries`, with their lines, and the result."""
        builder = self.rewriter.builder
        found, value = self._replaced(entries, lines or [0] * len(entries), result)
        kept = _joined(_without_unread(found, value, builder.nodes, self.rewriter.facts), builder.nodes)
        numbered = [
            (each if isinstance(each, int) else builder.add(NodeKind.CHARGE, None, each.nodes, (), each.known), line)
            for each, line in kept
        ]
        return numbered, value

    def _replaced(
        self, entries: Sequence[int], lines: Sequence[int], result: int
    ) -> tuple[list[tuple[Entry, int]], int]:
        """Return what was placed for `entries` and `result`, up to the first error."""
        nodes, found = self.rewriter.builder.nodes, list[tuple[Entry, int]]()
        for entry, line in zip(entries, lines, strict=True):
            for each in self.placed[entry].entries:
                found.append((each, line))
                if isinstance(each, int) and nodes[each].kind is NodeKind.RAISE:
                    # What follows an error is never run.
                    return found, each
        return found, self.placed[result].value


def _joined(entries: Sequence[tuple[Entry, int]], nodes: Sequence[Node]) -> list[tuple[Entry, int]]:
    """Join charges that follow one another; only a limit, which can only go over budget, may be between them."""
    found: list[tuple[Entry, int]] = []
    charge = -1
    for each, line in entries:
        if isinstance(each, int):
            charge = charge if nodes[each].kind is NodeKind.LIMIT else -1
        elif each == NOTHING:
            continue
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
) -> Sequence[tuple[Entry, int]]:
    """Replace nodes that nothing reads and that cannot fail by their steps."""
    known = facts.all()
    first_run: dict[int, int] = {}
    read = {result}
    for at, (each, _) in enumerate(entries):
        if not isinstance(each, int):
            read.update(each.nodes)
        elif each not in first_run:
            first_run[each] = at
            read.update(nodes[each].args)
    if not any(known[each].safe for each in first_run.keys() - read):
        # No node is removed, so no other becomes unread.
        return entries
    first_checked: dict[Steps, int] = {}
    for each, at in first_run.items():
        if known[each].checked:
            first_checked.setdefault(known[each].size, at)
    read, charges = {result}, dict[int, Steps]()
    # Sizes that are checked from here on before anything can raise.
    ahead: set[Steps] = set()
    for at, (each, _) in reversed(list(enumerate(entries))):
        if isinstance(each, Steps):
            read.update(each.nodes)
        elif first_run[each] == at:
            fact, node = known[each], nodes[each]
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
