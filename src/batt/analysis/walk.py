"""Run a graph with abstract values in place of values, through its bodies as well.

A body is walked once for each row of arguments that it is given, up to a limit, so a walk takes time in proportion to
the graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import TypeAlias

from batt.analysis.domain import Domain
from batt.analysis.values import FUNCTION, NEVER, UNKNOWN, AbstractValue
from batt.errors import InternalError
from batt.ir.graph import Graph, Node, NodeKind
from batt.ir.interpreter import function_position

MAX_VARIANTS = 24
"""The most walks of a body with different arguments. After that it is walked once more with unknown ones."""
MAX_ROUNDS = 12
"""The most walks of a repeated body until its argument covers its result."""

Variant: TypeAlias = tuple[int, tuple[AbstractValue, ...]]
"""A body and what its arguments are."""


@dataclass(slots=True)
class WalkTrace:
    """A sequence as it was walked: the value of each node, and the bodies that each node ran, with their arguments."""

    args: tuple[AbstractValue, ...] = ()
    values: dict[int, AbstractValue] = field(default_factory=dict)
    runs: dict[int, list[Variant]] = field(default_factory=dict)


class Walk:
    """A graph run with the abstract values of a domain. What certainly raises is NEVER made."""

    def __init__(self, graph: Graph, domain: Domain) -> None:
        self.graph = graph
        self.domain = domain
        self.variants: Counter[int] = Counter()
        self.results: dict[Variant, AbstractValue] = {}
        self.traces: dict[Variant, WalkTrace] = {}
        self.top = WalkTrace()
        for each in graph.slices:
            self._sequence(each.entries, each.result, self.top)

    def _sequence(self, entries: Sequence[int], result: int, trace: WalkTrace) -> AbstractValue:
        values = trace.values
        for number in entries:
            if number not in values:
                values[number] = self._run(number, trace)
        last = self._operand(result, trace)
        return NEVER if any(values[number] == NEVER for number in entries) else last

    def _operand(self, number: int, trace: WalkTrace) -> AbstractValue:
        known = trace.values.get(number)
        if known is None:
            known = trace.values[number] = self._leaf(self.graph.nodes[number], trace.args)
        return known

    def _leaf(self, node: Node, args: tuple[AbstractValue, ...]) -> AbstractValue:
        match node.kind:
            case NodeKind.CONST:
                return self.domain.constant(node.value)
            case NodeKind.ARG:
                at: int = node.value
                return args[at]
            case NodeKind.INPUT:
                return self.domain.input(node.value)
        raise InternalError(f"a {node.kind.value} node is read before it is run")

    def _run(self, number: int, trace: WalkTrace) -> AbstractValue:
        node, domain = self.graph.nodes[number], self.domain
        args = [self._operand(arg, trace) for arg in node.args]
        if NEVER in args:
            return NEVER
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
                return UNKNOWN
            case NodeKind.RAISE:
                return NEVER
        raise InternalError(f"a {node.kind.value} node cannot be run")

    def _loop(self, number: int, node: Node, args: list[AbstractValue], trace: WalkTrace) -> AbstractValue:
        assert node.op
        position = function_position(node.op)
        assert position is not None
        given, captured = args[: node.op.arity - 1], args[node.op.arity - 1 :]
        items = [self.domain.item(container) for container in given]
        made = self._body(number, node.bodies[0], [*items, *captured], trace)
        return self.domain.call(node.op, [*given[:position], FUNCTION, *given[position:]], made)

    def _repeat(self, number: int, node: Node, args: list[AbstractValue], trace: WalkTrace) -> AbstractValue:
        """Widen the argument of the body until it covers the result."""
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
        return self._body(number, node.bodies[0], [UNKNOWN, *captured], trace)

    def _body(self, number: int, body: int, args: Sequence[AbstractValue], trace: WalkTrace) -> AbstractValue:
        variant = (body, tuple(args))
        if variant not in self.results:
            if self.variants[body] >= MAX_VARIANTS:
                variant = (body, (UNKNOWN,) * len(args))
            self.variants[body] += 1
        if variant not in self.results:
            inner = self.traces[variant] = WalkTrace(variant[1])
            made = self.graph.bodies[body]
            self.results[variant] = self._sequence(made.entries, made.result, inner)
        trace.runs.setdefault(number, []).append(variant)
        return self.results[variant]
