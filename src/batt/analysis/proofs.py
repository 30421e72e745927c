"""Prove what the value of a node is, how large it is, and whether running the node can fail, whatever the data.

What is proved starts at the inputs and the constants, and goes on through ops whose result is known from what their
operands are proved to be. An argument of a body may be anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from batt.analysis.domain import ALWAYS, CERTAIN, guarantee
from batt.analysis.values import FUNCTION, INT, SET, TUPLE, UNKNOWN, AbstractValue
from batt.ir.graph import Node, NodeKind
from batt.ir.interpreter import function_position
from batt.ops import items
from batt.ops.meter import unit


class Steps(NamedTuple):
    """A number of steps or items: some that are known, and the items of nodes, in order and as often as they count."""

    known: int = 0
    nodes: tuple[int, ...] = ()

    def __add__(self, other: Steps) -> Steps:  # type: ignore[override]
        if not self.nodes or not other.nodes:
            return Steps(self.known + other.known, self.nodes or other.nodes)
        return Steps(self.known + other.known, tuple(sorted(self.nodes + other.nodes)))

    def times(self, count: int) -> Steps:
        """Return `count` times as much."""
        return Steps(self.known * count, tuple(sorted(self.nodes * count)))

    def less(self, other: Steps) -> Steps | None:
        """Return what is left without `other`; None if it is not a part of this."""
        left = list(self.nodes)
        for node in other.nodes:
            if node not in left:
                return None
            left.remove(node)
        return Steps(self.known - other.known, tuple(left)) if self.known >= other.known else None


NOTHING = Steps()


class Fact(NamedTuple):
    """A proved fact about a node: its value and its size.

    `safe`: once its operands are computed it raises nothing, though it may go over budget. `checked`: its size was
    checked against the budget, so a value of that size is within the budget wherever the node was run.
    """

    value: AbstractValue
    size: Steps
    safe: bool = False
    checked: bool = False


_LOOPED = Fact(FUNCTION, NOTHING)
"""The function that a loop is given."""


class Facts:
    """The facts of a growing list of nodes."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes
        self._facts: list[Fact] = []

    def __getitem__(self, number: int) -> Fact:
        return self._facts[number] if number < len(self._facts) else self.all()[number]

    def all(self) -> Sequence[Fact]:
        """Return the facts of all nodes so far."""
        for number in range(len(self._facts), len(self._nodes)):
            self._facts.append(self._fact(number, self._nodes[number]))
        return self._facts

    def steps(self, node: Node, size: Steps) -> Steps | None:
        """Return the steps of a call with a result of `size`; None if they depend on more than sizes."""
        if node.kind in (NodeKind.TUPLE, NodeKind.LIMIT):
            return Steps(1 if node.kind is NodeKind.TUPLE else 0)
        if node.kind is not NodeKind.CALL or node.op is None or node.op.cost not in (None, unit):
            return None
        if node.op.cost is unit:
            return Steps(1)
        return sum([self[arg].size for arg in node.args], Steps(1)) + size

    def _fact(self, number: int, node: Node) -> Fact:
        own = Steps(0, (number,))
        match node.kind:
            case NodeKind.CALL | NodeKind.LOOP:
                return self._called(node, own)
            case NodeKind.INPUT:
                return Fact(CERTAIN.input(node.value), own)
            case NodeKind.CONST:
                return Fact(CERTAIN.constant(node.value), Steps(items(node.value)))
            case NodeKind.TUPLE:
                value = CERTAIN.tuple_of([self[arg].value for arg in node.args])
                return Fact(value, self._tuple_size(node, own), safe=True)
            case NodeKind.LIMIT:
                return Fact(UNKNOWN, Steps(node.value), safe=True, checked=True)
            case NodeKind.COUNT:
                return Fact(INT.if_true(), NOTHING)
        return Fact(UNKNOWN, own)

    def _tuple_size(self, node: Node, own: Steps) -> Steps:
        """Return the size of a tuple: its length, times that of its first item if that is a tuple with items."""
        if not node.args:
            return NOTHING
        first, value = self._nodes[node.args[0]], self[node.args[0]].value
        if first.kind is NodeKind.TUPLE:
            return Steps(len(node.args) * max(1, len(first.args)))
        if first.kind is NodeKind.CONST:
            return Steps(len(node.args) * (max(1, len(first.value)) if value.is_a(TUPLE) else 1))
        return Steps(len(node.args)) if value.is_a(INT) or value.is_a(SET) else own

    def _called(self, node: Node, own: Steps) -> Fact:
        op = node.op
        assert op
        operands = [self._facts[arg] for arg in node.args]
        position = function_position(op) if node.kind is NodeKind.LOOP else None
        if position is not None:
            operands = operands[: op.arity - 1]
            operands.insert(position, _LOOPED)
        value, size, safe = ALWAYS.get(op.name, UNKNOWN), own, False
        found = guarantee(op, tuple([each.value for each in operands]))
        if found is not None:
            at = found.params.index(found.size) if found.size.isalpha() else None
            value = found.result or operands[at or 0].value
            size = operands[at].size if at is not None else Steps(int(found.size)) if found.size else own
            safe = found.safe and position is None
        if value.is_a(INT):
            size = NOTHING
        return Fact(value.if_true() if size.known else value, size, safe, op.cost is not unit)
