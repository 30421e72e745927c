"""The graph of many programs.

Nodes are interned: nodes of the same kind with the same operands are one node, across all programs of the graph. A
node's value is a pure function of the inputs, or an error. A program is a slice: its nodes in the order in which its
source evaluates them, with repetitions, since every occurrence costs its steps. A body is a function that loops and
choices call: closed, with its parameters and captured values as arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from batt.errors import UsageError
from batt.ops import Op
from batt.types import IdentityEnum, Kind


class NodeKind(IdentityEnum):
    """The kinds of nodes. The values are the words of the printed form."""

    INPUT = "input"
    ARG = "arg"
    CONST = "const"
    CALL = "call"
    TUPLE = "tuple"
    LOOP = "loop"
    REPEAT = "repeat"
    SELECT = "select"
    INVOKE = "invoke"
    COUNT = "count"
    CHARGE = "charge"
    LIMIT = "limit"
    RAISE = "raise"


LEAVES = frozenset({NodeKind.INPUT, NodeKind.ARG, NodeKind.CONST})
"""Nodes that no sequence runs: their values exist from the start."""

INPUTS = ("S", "I", "C")
"""The inputs of every solver: the demonstrations, the input grid, the candidate. Programs made by code may also have
parameters, which are inputs called P0, P1 and so on."""

_PARAMETER = re.compile(r"P(0|[1-9]\d{0,4})")

BY_TRUTH, BY_NUMBER = "truth", "number"
"""The ways in which a SELECT reads its first operand."""


class Level(IdentityEnum):
    """The levels of nodes, by what they depend on: nothing, the demonstrations, the sample, parameters, arguments.

    What depends on parameters comes after what depends on the sample: many assignments are tried on one sample.
    """

    CONSTANT = "constant"
    TASK = "task"
    SAMPLE = "sample"
    ASSIGNMENT = "assignment"
    BODY = "body"


class Node(NamedTuple):
    """One step of a graph.

    | kind   | value of the node |
    |--------|---|
    | INPUT  | S, I, C or a parameter, by `value` |
    | ARG    | argument number `value` of the body it stands in |
    | CONST  | `value` |
    | CALL   | `op` of the operands |
    | TUPLE  | the tuple of the operands |
    | LOOP   | `op` with a body as its function argument: operands are its other arguments, then captures |
    | REPEAT | the body applied to operand 1 as often as operand 0 says; then captures |
    | SELECT | operand 0 picks a body, which is given the other operands: by truth (the first if true) or number |
    | INVOKE | the body of the operands |
    | COUNT  | operand 0, where `power` accepts it as a count, else the error that `power` raises |
    | CHARGE | nothing; takes `value` steps and the items of the operands from the budget |
    | LIMIT  | nothing; ends the evaluation where `value` items are more than one value may have |
    | RAISE  | the error of kind `value` |
    """

    kind: NodeKind
    op: Op | None = None
    args: tuple[int, ...] = ()
    bodies: tuple[int, ...] = ()
    value: Any = None

    @property
    def own_operands(self) -> int:
        """The number of operands that the node reads itself; the others go to its bodies."""
        if self.kind is NodeKind.LOOP and self.op:
            return self.op.arity - 1
        own = {NodeKind.REPEAT: 1, NodeKind.SELECT: 1, NodeKind.INVOKE: 0}
        return own.get(self.kind, len(self.args))


class Body(NamedTuple):
    """A closed function: the number of its arguments before its captures, its nodes in order, and its result."""

    params: int
    entries: tuple[int, ...]
    result: int


@dataclass(frozen=True, slots=True)
class Slice:
    """One program in the graph: its nodes in evaluation order, its result, and the source line of each entry."""

    name: str
    entries: tuple[int, ...]
    result: int
    lines: tuple[int, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes, bodies and slices; operands and bodies come before what uses them. Immutable.

    `hints` holds the likely kind of each node, if the graph was inferred; no result depends on it.
    """

    nodes: tuple[Node, ...]
    bodies: tuple[Body, ...]
    slices: tuple[Slice, ...]
    hints: tuple[Kind, ...] = field(default=(), compare=False)

    def slice_of(self, name: str) -> Slice:
        """Return the slice of the program `name`."""
        for each in self.slices:
            if each.name == name:
                return each
        raise UsageError(f"no program {name!r} in the graph")

    def levels(self) -> tuple[Level, ...]:
        """Return the level of every node: the lowest that covers its operands. Bodies are closed: they add nothing."""
        order = tuple(Level)
        found: list[int] = []
        for node in self.nodes:
            rank = max([found[arg] for arg in node.args], default=0)
            if node.kind is NodeKind.INPUT:
                rank = order.index(_input_level(node.value))
            elif node.kind is NodeKind.ARG:
                rank = order.index(Level.BODY)
            found.append(rank)
        return tuple([order[rank] for rank in found])


def inputs_of(arity: int) -> tuple[str, ...]:
    """Return the inputs that the parameters of a program are, by their number: I, or S, I, C, P0, P1 and so on."""
    return ("I",) if arity == 1 else (*INPUTS, *[f"P{number}" for number in range(arity - len(INPUTS))])


def parameter_number(name: str) -> int | None:
    """Return the number of the parameter that an input is; None for S, I and C."""
    return None if name in INPUTS else int(name[1:])


def is_input(name: str) -> bool:
    """Tell whether an input has this name."""
    return name in INPUTS or _PARAMETER.fullmatch(name) is not None


def _input_level(name: str) -> Level:
    if name == "S":
        return Level.TASK
    return Level.SAMPLE if name in INPUTS else Level.ASSIGNMENT


@dataclass(slots=True)
class Builder:
    """Builds a graph. Adding an equal node again returns the id of the first."""

    nodes: list[Node] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    slices: list[Slice] = field(default_factory=list)
    _node_ids: dict[Node, int] = field(default_factory=dict)
    _body_ids: dict[Body, int] = field(default_factory=dict)

    def add(
        self,
        kind: NodeKind,
        op: Op | None = None,
        args: tuple[int, ...] = (),
        bodies: tuple[int, ...] = (),
        value: Any = None,
    ) -> int:
        """Intern the node and return its id."""
        return self.add_node(Node(kind, op, args, bodies, value))

    def add_node(self, node: Node) -> int:
        """Intern `node` and return its id."""
        number = self._node_ids.setdefault(node, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
        return number

    def add_body(self, body: Body) -> int:
        """Intern `body` and return its id."""
        number = self._body_ids.setdefault(body, len(self.bodies))
        if number == len(self.bodies):
            self.bodies.append(body)
        return number

    def graph(self) -> Graph:
        """Return the graph built so far."""
        return Graph(tuple(self.nodes), tuple(self.bodies), tuple(self.slices))


def reached(graph: Graph, slices: Iterable[Slice] | None = None) -> set[int]:
    """Return the nodes that `slices`, or all slices, run or read, including those inside bodies."""
    found: set[int] = set()
    bodies: set[int] = set()
    for each in graph.slices if slices is None else slices:
        found.add(each.result)
        found.update(each.entries)
    waiting = list(found)
    while waiting:
        node = graph.nodes[waiting.pop()]
        read = [arg for arg in node.args if arg not in found]
        for body in node.bodies:
            if body not in bodies:
                bodies.add(body)
                read += (graph.bodies[body].result, *graph.bodies[body].entries)
        waiting += read
        found.update(read)
    return found


def rebuild(builder: Builder, node: Node, numbers: Mapping[int, int], bodies: Mapping[int, int]) -> int:
    """Add a node of another graph with its operands and bodies renumbered. Return its id."""
    args = tuple([numbers[arg] for arg in node.args])
    return builder.add_node(Node(node.kind, node.op, args, tuple([bodies[body] for body in node.bodies]), node.value))
