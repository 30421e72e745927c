"""Likely kinds of all nodes, and calls that can never succeed. Decides nothing: what a graph means stays the same.

Likely kinds become the graph's hints. Calls that can never succeed are found with what is certain alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from batt.analysis.certain import (
    ANY,
    EMPTY,
    FUNCTION,
    GRID,
    INT,
    NONE,
    PAIR,
    SETS,
    TUPLES,
    made,
    refused,
    shape,
    shape_of,
    tuple_shape,
)
from batt.analysis.kinds import NEVER, Kinds, Type, join, join_kinds
from batt.analysis.walk import Trace, Variant, Walk
from batt.ir.graph import Graph, NodeKind, Slice
from batt.ir.interpreter import function_position
from batt.ops import OPS, Op
from batt.ops.schemes import schemes
from batt.types import Kind


def infer(graph: Graph) -> Graph:
    """The same graph with the likely kind of every node as its hints; ANY where nothing is known."""
    walk = Walk[Type](graph, Kinds())
    found = [NEVER] * len(graph.nodes)
    for trace in (walk.top, *walk.traces.values()):
        for number, fact in trace.facts.items():
            found[number] = join(found[number], fact)
    return replace(graph, hints=tuple([each.kind or Kind.ANY for each in found]))


@dataclass(frozen=True, slots=True)
class Impossible:
    """A call that raises whenever it is reached: where it stands, and why.

    The entry of the slice is the node itself, or one that runs it in a body; the line is that of the entry.
    """

    slice: str
    line: int
    entry: int
    node: int
    op: str
    message: str


def impossible(graph: Graph) -> tuple[Impossible, ...]:
    """The calls that can never succeed, slice by slice, whatever the sample; its grids have cells, as all tasks' do."""
    return _Search(graph if graph.hints else infer(graph)).found()


class _Search:
    """The calls of a graph that can never succeed, entry by entry."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.walk = Walk[int](graph, Shapes())
        self._known: dict[int, tuple[tuple[int, str], ...]] = {}
        self._is_bad: dict[Variant[int], bool] = {}

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
        """The nodes that an entry runs in vain, and why; top-level facts are the same in every slice."""
        if entry not in self._known:
            message = self._fault(entry, self.walk.top)
            self._known[entry] = ((entry, message),) if message else tuple(self._inside(entry))
        return self._known[entry]

    def _inside(self, entry: int) -> Iterator[tuple[int, str]]:
        """The nodes in an entry's bodies that fail wherever the entry runs them."""
        waiting = list(self.walk.top.runs.get(entry, ()))
        if not any(self._bad(variant) for variant in waiting):
            return
        seen: set[Variant[int]] = set()
        verdicts: dict[int, str | None] = {}
        while waiting:
            variant = waiting.pop()
            if variant in seen:
                continue
            seen.add(variant)
            trace = self.walk.traces[variant]
            waiting += [inner for runs in trace.runs.values() for inner in runs]
            for node in trace.facts:
                message = self._fault(node, trace)
                verdicts[node] = message and verdicts.get(node, message)
        yield from sorted([(node, message) for node, message in verdicts.items() if message])

    def _bad(self, variant: Variant[int]) -> bool:
        """Whether a call somewhere inside a body fails."""
        if variant not in self._is_bad:
            trace = self.walk.traces[variant]
            inner = [each for runs in trace.runs.values() for each in runs]
            own = any(self._fault(node, trace) for node in trace.facts)
            self._is_bad[variant] = own or any(self._bad(each) for each in inner)
        return self._is_bad[variant]

    def _fault(self, number: int, trace: Trace[int]) -> str | None:
        """Why a node's own call raises, None where it may succeed."""
        node = self.graph.nodes[number]
        op = OPS["power"] if node.kind is NodeKind.COUNT else node.op
        if op is None or trace.facts[number]:
            return None
        operands: list[int | None] = list(node.args[: node.own_operands])
        if len(operands) < op.arity:
            operands.insert(function_position(op) or 0, None)
        args = [FUNCTION if each is None else trace.facts[each] for each in operands]
        position = refused(op, args)
        blamed = None if position is None else operands[position]
        if position is None or blamed is None:
            return None
        return f"{op.name}: {complaint(op, args, position, self.graph.hints[blamed])}"


def complaint(op: Op, args: Sequence[int], position: int, hint: Kind) -> str:
    """What is wrong with the argument that is to blame, whose likely kind is the hint."""
    expected = str(reduce(join_kinds, [signature.params[position] for signature in op.signatures]))
    if op.name == "greater":
        expected = _word(args[1 - position] & ~NONE or INT, Kind.ANY)
    return f"{op.params[position]!r} expects {expected}, got {_word(args[position], hint)}"


def _word(found: int, hint: Kind) -> str:
    """A shape in words, by the narrower hint where that agrees with it."""
    exact = {EMPTY: "()", shape("z"): "{}", PAIR: "pair"}.get(found)
    if exact:
        return exact
    kinds = {INT: Kind.INT, TUPLES: Kind.TUPLE, SETS: Kind.SET}
    words = [str(hint if join_kinds(hint, kind) is kind else kind) for shapes, kind in kinds.items() if found & shapes]
    return " or ".join([*words, *["None"] * bool(found & NONE), *["fn"] * bool(found & FUNCTION)])


class Shapes:
    """The certain shape of every node, for a walk over a graph. Of items nothing is certain."""

    never, unknown = 0, ANY

    def constant(self, value: Any) -> int:
        """The shape of the value."""
        return shape_of(value)

    def input(self, name: str) -> int:
        """I is a grid with cells, as every task's is; there may be no demonstrations, and no C."""
        return {"S": GRID | EMPTY, "I": GRID}.get(name, GRID | NONE)

    def tuple_of(self, items: Sequence[int]) -> int:
        """The shape of a tuple display."""
        return tuple_shape(items)

    def join(self, a: int, b: int) -> int:
        """The shapes of both."""
        return a | b

    def item(self, container: int) -> int:
        """Anything."""
        return ANY

    def call(self, op: Op, args: Sequence[int]) -> int:
        """The shape of an op's result, none where it certainly raises."""
        return made(op, args) if refused(op, args) is None else 0

    def loop(self, op: Op, position: int, given: Sequence[int], made: int) -> int:
        """The same for an op that is given a function; the greatest and the least key are what that gives."""
        found = self.call(op, [*given[:position], FUNCTION, *given[position:]])
        return found and made if any(each.gives_what_it_calls for each in schemes(op.known.types)) else found

    def count(self, number: int) -> int:
        """An int, where it can be one."""
        return number & INT
