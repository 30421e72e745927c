"""The rules that every graph must obey between passes.

Rules are checked in four rounds: numbers, shapes, sequences, the whole. A round relies on those before it, so checking
stops after the first round that finds a problem.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from batt.errors import InternalError
from batt.ir.graph import BY_NUMBER, BY_TRUTH, LEAVES, Body, Graph, Node, NodeKind, Slice, is_input, reached
from batt.ir.interpreter import RAISED, function_position
from batt.ir.text import node_text
from batt.types import Kind, unordered

FUNCTIONS = "functions"
"""The family of ops that make functions."""


class Stage(Enum):
    """The stage of compilation of a graph. Simplifying keeps the form; inferring adds a hint for every node."""

    FIRST_ORDER = "first-order"
    SIMPLIFIED = "simplified"
    INFERRED = "inferred"


def check(graph: Graph, stage: Stage) -> None:
    """Raise InternalError with the first broken rule and its place, if any."""
    found = problems(graph, stage)
    if found:
        more = f" (and {len(found) - 1:,} more)" if len(found) > 1 else ""
        raise InternalError(f"not a {stage.value} graph: {found[0]}{more}")


def problems(graph: Graph, stage: Stage) -> list[str]:
    """Return every broken rule of the first round that finds one, with its place."""
    for rounds in ((_numbers,), (_shapes,), (_sequences, _arguments), (_interning, _slices, _unreached)):
        found = [problem for rule in rounds for problem in rule(graph)]
        if found:
            return found
    return list(_hints(graph, stage))


# Numbers: references are in range and point backwards.


def _numbers(graph: Graph) -> Iterator[str]:
    for number, body in enumerate(graph.bodies):
        if not _are_below(len(graph.nodes), (*body.entries, body.result)):
            yield f"@{number}: a body holds nodes that exist"
    latest = [max((*body.entries, body.result)) for body in graph.bodies]
    for number, node in enumerate(graph.nodes):
        if not _are_below(number, node.args):
            yield _at(graph, number, "operands come before the node that reads them")
        if not _are_below(len(graph.bodies), node.bodies):
            yield _at(graph, number, "a node runs bodies that exist")
        elif any(latest[body] >= number for body in node.bodies):
            yield _at(graph, number, "a body's nodes come before the node that runs it")
    for each in graph.slices:
        if not _are_below(len(graph.nodes), (*each.entries, each.result)):
            yield f"{each.name}: a slice holds nodes that exist"


def _are_below(end: int, numbers: Iterable[int]) -> bool:
    return all(0 <= number < end for number in numbers)


# Shapes: every node has the operands, bodies and value of its kind.

ANY, SOME, TWO_OR_MORE = [range(least, sys.maxsize) for least in range(3)]
NONE, ONE = range(1), range(1, 2)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and value >= 0


def _is_data(value: Any) -> bool:
    """Tell whether `value` consists of ints, None, tuples and sets alone."""
    waiting, seen = [value], set()
    while waiting:
        top = waiting.pop()
        if isinstance(top, tuple | frozenset):
            if id(top) not in seen:
                seen.add(id(top))
                waiting.extend(unordered(top))
        elif not (top is None or isinstance(top, int)):
            return False
    return True


def _is_nothing(value: Any) -> bool:
    return value is None


@dataclass(frozen=True, slots=True)
class NodeShape:
    """The operands, bodies and value that a kind of node must have, and whether it has an op."""

    args: range = NONE
    bodies: range = NONE
    is_value: Callable[[Any], bool] = _is_nothing
    has_op: bool = False


SHAPES = {
    NodeKind.INPUT: NodeShape(is_value=lambda value: isinstance(value, str) and is_input(value)),
    NodeKind.ARG: NodeShape(is_value=_is_count),
    NodeKind.CONST: NodeShape(is_value=_is_data),
    NodeKind.CALL: NodeShape(ANY, has_op=True),
    NodeKind.TUPLE: NodeShape(ANY),
    NodeKind.LOOP: NodeShape(SOME, ONE, has_op=True),
    NodeKind.REPEAT: NodeShape(TWO_OR_MORE, ONE),
    NodeKind.SELECT: NodeShape(SOME, SOME, lambda value: isinstance(value, str) and value in (BY_TRUTH, BY_NUMBER)),
    NodeKind.INVOKE: NodeShape(ANY, ONE),
    NodeKind.COUNT: NodeShape(ONE),
    NodeKind.CHARGE: NodeShape(ANY, is_value=_is_count),
    NodeKind.LIMIT: NodeShape(is_value=_is_count),
    NodeKind.RAISE: NodeShape(is_value=lambda value: isinstance(value, str) and value in RAISED),
}


def _shapes(graph: Graph) -> Iterator[str]:
    for number, node in enumerate(graph.nodes):
        rule = _broken_shape(node, [graph.bodies[body] for body in node.bodies])
        if rule:
            yield _at(graph, number, rule)


def _broken_shape(node: Node, bodies: Sequence[Body]) -> str:
    """Return the rule that a node alone breaks, or an empty text."""
    shape, kind = SHAPES[node.kind], node.kind.value
    if (node.op is not None) != shape.has_op:
        return f"a {kind} node has {'an' if shape.has_op else 'no'} op"
    if node.op is not None and node.op.family == FUNCTIONS:
        return "no node makes a function"
    if not shape.is_value(node.value):
        return (
            "a constant is made of ints, None, tuples and sets" if kind == "const" else f"not a value of a {kind} node"
        )
    if len(node.args) not in shape.args or len(node.bodies) not in shape.bodies:
        return f"a {kind} node has {_counted(shape.args)} operands and {_counted(shape.bodies)} bodies"
    if node.kind is NodeKind.CALL and node.op and len(node.args) != node.op.arity:
        return f"{node.op.name} takes {node.op.arity} operands"
    return _broken_bodies(node, bodies) if bodies else ""


def _broken_bodies(node: Node, bodies: Sequence[Body]) -> str:
    """Return the rule that a node and its bodies break, or an empty text."""
    params = {body.params for body in bodies}
    if node.kind is NodeKind.LOOP and node.op:
        if function_position(node.op) is None:
            return f"{node.op.name} calls no function"
        if len(node.args) < node.own_operands:
            return f"{node.op.name} takes {node.own_operands} operands besides its function"
    if node.kind is NodeKind.SELECT and node.value == BY_TRUTH and len(bodies) != 2:
        return "truth picks one of two bodies"
    given = _own_params(node)
    if given is None and (len(params) > 1 or max(params) > len(node.args) - node.own_operands):
        return "bodies take the same number of arguments, and no more than are passed"
    if given is not None and params != {given}:
        return f"the body takes {given} before its captures"
    return ""


def _own_params(node: Node) -> int | None:
    """Return how many arguments a body gets before its captures, if the node determines it."""
    if node.kind is NodeKind.LOOP and node.op:
        return node.own_operands  # an item of each container
    return 1 if node.kind is NodeKind.REPEAT else None


def _counted(bounds: range) -> str:
    return str(bounds.start) if len(bounds) == 1 else f"{bounds.start} or more"


# Sequences: an entry reads only values computed before it, in the same slice or body.


def _sequences(graph: Graph) -> Iterator[str]:
    for number, body in enumerate(graph.bodies):
        yield from _sequence(graph, f"@{number}", body, NodeKind.INPUT, "a body is closed: it reads no input")
    for each in graph.slices:
        yield from _sequence(graph, each.name, each, NodeKind.ARG, "only a body has arguments")


def _sequence(graph: Graph, owner: str, sequence: Body | Slice, foreign: NodeKind, rule: str) -> Iterator[str]:
    """Yield the problems of a sequence in which the leaf kind `foreign` must not be read."""
    nodes, run = graph.nodes, set[int]()

    def reading(number: int) -> str:
        kind = nodes[number].kind
        if kind is foreign:
            return rule
        if kind in (NodeKind.CHARGE, NodeKind.LIMIT):
            return f"a {kind.value} has no value to read"
        return "" if kind in LEAVES or number in run else f"%{number} is read before it is run"

    for entry in sequence.entries:
        if nodes[entry].kind in LEAVES:
            yield f"{owner}: {_at(graph, entry, 'a leaf is in no sequence')}"
        yield from [f"{owner}: {_at(graph, entry, broken)}" for arg in nodes[entry].args if (broken := reading(arg))]
        run.add(entry)
    broken = reading(sequence.result)
    if broken:
        yield f"{owner}: the result: {broken}"


def _arguments(graph: Graph) -> Iterator[str]:
    """Check that every node passes its bodies all the arguments that they read."""
    needed = []
    for body in graph.bodies:
        read = {body.result}.union(*[graph.nodes[entry].args for entry in body.entries])
        args = [graph.nodes[number].value for number in read if graph.nodes[number].kind is NodeKind.ARG]
        needed.append(1 + max(args, default=-1))
    for number, node in enumerate(graph.nodes):
        from_loop = (_own_params(node) or 0) if node.kind is NodeKind.LOOP else 0
        passed = len(node.args) - node.own_operands + from_loop
        for each in node.bodies:
            if needed[each] > passed:
                yield _at(graph, number, f"@{each} reads {needed[each]} arguments, {passed} are passed")


# The whole: nodes, bodies and names are unique and in use, and hints exist for all nodes or none.


def _interning(graph: Graph) -> Iterator[str]:
    nodes: dict[Node, int] = {}
    for number, node in enumerate(graph.nodes):
        if nodes.setdefault(node, number) != number:
            yield _at(graph, number, f"equal nodes are one, and %{nodes[node]} is equal")
    bodies: dict[Body, int] = {}
    for number, body in enumerate(graph.bodies):
        if bodies.setdefault(body, number) != number:
            yield f"@{number}: equal bodies are one, and @{bodies[body]} is equal"


def _slices(graph: Graph) -> Iterator[str]:
    names: set[str] = set()
    for each in graph.slices:
        if each.name in names:
            yield f"{each.name}: a name belongs to one slice"
        names.add(each.name)
        if each.lines and len(each.lines) != len(each.entries):
            yield f"{each.name}: every entry has a line, or none has"


def _unreached(graph: Graph) -> Iterator[str]:
    found = reached(graph)
    run = {body for number in found for body in graph.nodes[number].bodies}
    for number in range(len(graph.nodes)):
        if number not in found:
            yield _at(graph, number, "every node is reached by some slice")
    for number in range(len(graph.bodies)):
        if number not in run:
            yield f"@{number}: every body is reached by some slice"


def _hints(graph: Graph, stage: Stage) -> Iterator[str]:
    if len(graph.hints) != len(graph.nodes) and (graph.hints or stage is Stage.INFERRED):
        yield f"{len(graph.hints):,} hints for {len(graph.nodes):,} nodes"
    yield from [
        f"%{number}: {hint!r} is no kind" for number, hint in enumerate(graph.hints) if not isinstance(hint, Kind)
    ]


def _at(graph: Graph, number: int, rule: str) -> str:
    return f"{node_text(number, graph.nodes[number])}: {rule}"
