"""A graph run with facts in place of values. Owns how facts flow through bodies; knows no fact itself.

A body is walked once for each row of facts that it is given, up to a limit, so a walk takes time in proportion to the
graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from batt.errors import InternalError
from batt.ir.graph import Graph, Node, NodeKind
from batt.ir.interpreter import function_position
from batt.ops import Op

MAX_VARIANTS = 24
"""How often a body is walked with different facts, before it is walked once more knowing nothing."""
MAX_ROUNDS = 12
"""How often a repeated body is walked until what goes in covers what comes out."""

T = TypeVar("T", bound=Hashable)
Variant: TypeAlias = tuple[int, tuple[T, ...]]
"""A body and the facts about its arguments."""


class Domain(Protocol[T]):
    """The facts that a walk collects."""

    never: T
    unknown: T

    def constant(self, value: Any) -> T:
        """Of a value that is known."""

    def input(self, name: str) -> T:
        """Of S, I or C."""

    def tuple_of(self, items: Sequence[T]) -> T:
        """Of the tuple of these."""

    def join(self, a: T, b: T) -> T:
        """Of what is one or the other."""

    def item(self, container: T) -> T:
        """Of any item of a container."""

    def call(self, op: Op, args: Sequence[T]) -> T:
        """Of an op's result."""

    def loop(self, op: Op, position: int, given: Sequence[T], made: T) -> T:
        """Of an op's result, where its argument at `position` is a function that gives `made`."""

    def count(self, number: T) -> T:
        """Of a number that `power` counts with."""


@dataclass(slots=True)
class Trace(Generic[T]):
    """A sequence as it was walked: the fact about each node, and the bodies that each node ran, with their facts."""

    args: tuple[T, ...] = ()
    facts: dict[int, T] = field(default_factory=dict)
    runs: dict[int, list[Variant[T]]] = field(default_factory=dict)


class Walk(Generic[T]):
    """A graph run with facts in place of values. What raises for certain has the fact `never`."""

    def __init__(self, graph: Graph, domain: Domain[T]) -> None:
        self.graph = graph
        self.domain = domain
        self.variants: Counter[int] = Counter()
        self.results: dict[Variant[T], T] = {}
        self.traces: dict[Variant[T], Trace[T]] = {}
        self.top: Trace[T] = Trace()
        for each in graph.slices:
            self._sequence(each.entries, each.result, self.top)

    def _sequence(self, entries: Sequence[int], result: int, trace: Trace[T]) -> T:
        facts, never = trace.facts, self.domain.never
        for number in entries:
            if number not in facts:
                facts[number] = self._fact(number, trace)
        last = self._operand(result, trace)
        return never if any(facts[number] == never for number in entries) else last

    def _operand(self, number: int, trace: Trace[T]) -> T:
        known = trace.facts.get(number)
        if known is None:
            known = trace.facts[number] = self._leaf(self.graph.nodes[number], trace.args)
        return known

    def _leaf(self, node: Node, args: tuple[T, ...]) -> T:
        match node.kind:
            case NodeKind.CONST:
                return self.domain.constant(node.value)
            case NodeKind.ARG:
                at: int = node.value
                return args[at]
            case NodeKind.INPUT:
                return self.domain.input(node.value)
        raise InternalError(f"a {node.kind.value} node is read before it is run")

    def _fact(self, number: int, trace: Trace[T]) -> T:
        node, domain = self.graph.nodes[number], self.domain
        args = [self._operand(arg, trace) for arg in node.args]
        if domain.never in args:
            return domain.never
        match node.kind:
            case NodeKind.CALL:
                assert node.op
                return domain.call(node.op, args)
            case NodeKind.TUPLE:
                return domain.tuple_of(args)
            case NodeKind.LOOP:
                return self._loop(number, node, args, trace)
            case NodeKind.REPEAT:
                return self._repeat(number, node, args, trace)
            case NodeKind.SELECT:
                return reduce(domain.join, [self._body(number, body, args[1:], trace) for body in node.bodies])
            case NodeKind.INVOKE:
                return self._body(number, node.bodies[0], args, trace)
            case NodeKind.COUNT:
                return domain.count(args[0])
            case NodeKind.CHARGE | NodeKind.LIMIT:
                return domain.unknown
            case NodeKind.RAISE:
                return domain.never
        raise InternalError(f"a {node.kind.value} node cannot be run")

    def _loop(self, number: int, node: Node, args: list[T], trace: Trace[T]) -> T:
        assert node.op
        position = function_position(node.op)
        assert position is not None
        given, captured = args[: node.op.arity - 1], args[node.op.arity - 1 :]
        items = [self.domain.item(container) for container in given]
        made = self._body(number, node.bodies[0], [*items, *captured], trace)
        return self.domain.loop(node.op, position, given, made)

    def _repeat(self, number: int, node: Node, args: list[T], trace: Trace[T]) -> T:
        """Widen what goes into the body until it covers what comes out."""
        _, value, *captured = args
        for _ in range(MAX_ROUNDS):
            # Only the last round, which covers all others, counts as a run.
            trace.runs.pop(number, None)
            made = self._body(number, node.bodies[0], [value, *captured], trace)
            wider = self.domain.join(value, made)
            if wider == value:
                return made
            value = wider
        trace.runs.pop(number, None)
        return self._body(number, node.bodies[0], [self.domain.unknown, *captured], trace)

    def _body(self, number: int, body: int, args: Sequence[T], trace: Trace[T]) -> T:
        variant = (body, tuple(args))
        if variant not in self.results:
            if self.variants[body] >= MAX_VARIANTS:
                variant = (body, (self.domain.unknown,) * len(args))
            self.variants[body] += 1
        if variant not in self.results:
            inner = self.traces[variant] = Trace(variant[1])
            made = self.graph.bodies[body]
            self.results[variant] = self._sequence(made.entries, made.result, inner)
        trace.runs.setdefault(number, []).append(variant)
        return self.results[variant]
