"""Steps of a program whose values nobody reads, and whether they can fail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from batt.analysis.proofs import Facts
from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ir.graph import INPUTS, Node, NodeKind
from batt.ir.slicing import live_slots, slots_read
from batt.ops import Op


@dataclass(frozen=True, slots=True)
class DeadLine:
    """A line whose value does not reach the result."""

    line: int
    target: str
    is_read: bool
    """Whether a step reads it, which is then dead as well."""
    can_fail: bool


def dead_lines(program: Program, is_solver: bool) -> Iterator[DeadLine]:
    """Yield the named values that do not reach the result. A name with a leading underscore is unread on purpose."""
    live, read = live_slots(program), _read(program)
    dead = [at for at in range(len(program.steps)) if at + program.arity not in live]
    if not dead:
        return
    safe = cannot_fail(program, is_solver)
    failing_lines = {program.steps[at].line for at in dead if not safe[at]}
    found: dict[tuple[int, str], bool] = {}
    for at in dead:
        step = program.steps[at]
        if not step.target.startswith("_"):
            # One line can be several steps with the same name.
            key = step.line, step.target
            found[key] = found.get(key, True) and at + program.arity in read
    for (line, target), is_read in found.items():
        yield DeadLine(line, target, is_read, line in failing_lines)


def _read(program: Program) -> set[int]:
    """Return the slots that some step reads."""
    return {slot for step in program.steps for slot in slots_read(step)}


def unread_parameters(program: Program) -> list[str]:
    """Return the parameters that no step reads and that are not the result."""
    read = _read(program) | ({program.result.index} if isinstance(program.result, Slot) else set())
    return [name for at, name in enumerate(program.params) if at not in read]


def cannot_fail(program: Program, is_solver: bool) -> list[bool]:
    """Return for each step whether it provably raises no error once reached. A helper's parameters can be anything."""
    nodes = _Nodes(program, is_solver)
    facts = Facts(nodes.nodes)
    return [facts[node].safe for node in nodes.slots[program.arity :]]


class _Nodes:
    """A program as nodes about which facts can be proved. Calls of helpers and function values are unknown."""

    def __init__(self, program: Program, is_solver: bool) -> None:
        self.nodes: list[Node] = []
        inputs = INPUTS if program.arity == 3 else ("I",)
        params = [Node(NodeKind.INPUT, value=name) for name in inputs] if is_solver else [_UNKNOWN] * program.arity
        self.slots = [self._add(each) for each in params]
        for step in program.steps:
            self.slots.append(self._add(self._node(step)))

    def _add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _node(self, step: Step) -> Node:
        args = tuple([self._operand(each) for each in step.args])
        op = step.callee.value if isinstance(step.callee, Literal) else None
        if step.callee is None:
            return Node(NodeKind.TUPLE, args=args)
        return Node(NodeKind.CALL, op, args) if isinstance(op, Op) and len(args) == op.arity else _UNKNOWN

    def _operand(self, operand: Operand) -> int:
        if isinstance(operand, Slot):
            return self.slots[operand.index]
        return self._add(Node(NodeKind.CONST, value=operand.value))


_UNKNOWN = Node(NodeKind.ARG)
