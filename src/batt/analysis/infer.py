"""Infer likely kinds of all nodes, and find calls that can never succeed. The meaning of a graph stays the same.

Likely kinds become the graph's hints. Calls that can never succeed are found from what is certain alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from batt.analysis.domain import CERTAIN, LIKELY, refused
from batt.analysis.values import FUNCTION, INT, NEVER, OF_KIND, AbstractValue, join, kind_of, lettered
from batt.analysis.walk import Variant, Walk, WalkTrace
from batt.ir.graph import Graph, NodeKind, Slice
from batt.ir.interpreter import function_position
from batt.ops import OPS, Op
from batt.types import Kind


def infer(graph: Graph) -> Graph:
    """Return the graph with the likely kind of every node as its hints; ANY if nothing is known."""
    walk = Walk(graph, LIKELY)
    found = [NEVER] * len(graph.nodes)
    for trace in (walk.top, *walk.traces.values()):
        for number, value in trace.values.items():
            found[number] = join(found[number], value)
    return replace(graph, hints=tuple([each.kind for each in found]))


@dataclass(frozen=True, slots=True)
class Impossible:
    """A call that raises whenever it is reached, with its place and the reason.

    The entry of the slice is the node itself, or one that runs it in a body; the line is that of the entry.
    """

    slice: str
    line: int
    entry: int
    node: int
    op: str
    message: str


def impossible(graph: Graph) -> tuple[Impossible, ...]:
    """Return the calls that can never succeed, by slice, whatever the sample. Its grids have cells, as in all tasks."""
    return _ImpossibleCalls(graph if graph.hints else infer(graph)).found()


class _ImpossibleCalls:
    """Finds the calls of a graph that can never succeed, entry by entry."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.walk = Walk(graph, CERTAIN)
        self._known: dict[int, tuple[tuple[int, str], ...]] = {}
        self._is_bad: dict[Variant, bool] = {}

    def found(self) -> tuple[Impossible, ...]:
        return tuple([call for each in self.graph.slices for call in self._of_slice(each)])

    def _of_slice(self, each: Slice) -> Iterator[Impossible]:
        seen: set[int] = set()
        for at, entry in enumerate(each.entries):
            if entry in seen:
                continue
            seen.add(entry)
            line = each.lines[at] if at < len(each.lines) else 0
            for node, message in self._of_entry(entry):
                op = self.graph.nodes[node].op or OPS["power"]
                yield Impossible(each.name, line, entry, node, op.name, message)

    def _of_entry(self, entry: int) -> tuple[tuple[int, str], ...]:
        """Return the failing nodes of an entry with the reasons, which are the same in every slice."""
        if entry not in self._known:
            message = self._fault(entry, self.walk.top)
            self._known[entry] = ((entry, message),) if message else tuple(self._inside(entry))
        return self._known[entry]

    def _inside(self, entry: int) -> Iterator[tuple[int, str]]:
        """Yield the nodes in the bodies of an entry that fail whenever the entry runs them."""
        waiting = list(self.walk.top.runs.get(entry, ()))
        if not any(self._bad(variant) for variant in waiting):
            return
        seen: set[Variant] = set()
        verdicts: dict[int, str | None] = {}
        while waiting:
            variant = waiting.pop()
            if variant in seen:
                continue
            seen.add(variant)
            trace = self.walk.traces[variant]
            waiting += [inner for runs in trace.runs.values() for inner in runs]
            for node in trace.values:
                message = self._fault(node, trace)
                verdicts[node] = message and verdicts.get(node, message)
        yield from sorted([(node, message) for node, message in verdicts.items() if message])

    def _bad(self, variant: Variant) -> bool:
        """Tell whether a call inside a body fails."""
        if variant not in self._is_bad:
            trace = self.walk.traces[variant]
            inner = [each for runs in trace.runs.values() for each in runs]
            own = any(self._fault(node, trace) for node in trace.values)
            self._is_bad[variant] = own or any(self._bad(each) for each in inner)
        return self._is_bad[variant]

    def _fault(self, number: int, trace: WalkTrace) -> str | None:
        """Return why the call of a node raises, None if it may succeed."""
        node = self.graph.nodes[number]
        op = OPS["power"] if node.kind is NodeKind.COUNT else node.op
        if op is None or trace.values[number] != NEVER:
            return None
        operands: list[int | None] = list(node.args[: node.own_operands])
        if len(operands) < op.arity:
            operands.insert(function_position(op) or 0, None)
        args = [FUNCTION if each is None else trace.values[each] for each in operands]
        position = refused(op, args)
        blamed = None if position is None else operands[position]
        if position is None or blamed is None:
            return None
        return f"{op.name}: {complaint(op, args, position, self.graph.hints[blamed])}"


def complaint(op: Op, args: Sequence[AbstractValue], position: int, hint: Kind) -> str:
    """Say what is wrong with the argument at `position`, whose likely kind is `hint`."""
    expected = str(kind_of(reduce(or_, [OF_KIND[signature.params[position]].shapes for signature in op.signatures])))
    if op.name == "greater":
        expected = _word(args[1 - position].shapes & ~lettered("n") or INT.shapes, Kind.ANY)
    return f"{op.params[position]!r} expects {expected}, got {_word(args[position].shapes, hint)}"


def _word(found: int, hint: Kind) -> str:
    """Return shapes in words: by the hint if it is narrower and agrees with them."""
    exact = {lettered("e"): "()", lettered("z"): "{}", lettered("p"): "pair"}.get(found)
    if exact:
        return exact
    kinds = [kind for kind in (Kind.INT, Kind.TUPLE, Kind.SET) if found & OF_KIND[kind].shapes]
    words = [str(hint if OF_KIND[hint].is_a(OF_KIND[kind]) else kind) for kind in kinds]
    return " or ".join([*words, *["None"] * bool(found & lettered("n")), *["fn"] * bool(found & lettered("f"))])
