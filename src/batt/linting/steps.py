"""Steps of a program whose values nobody reads, and whether they can fail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from batt.analysis.facts import Facts, Form, guarantee
from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ir.graph import INPUTS, Node, NodeKind
from batt.ops import Op
from batt.types import Function


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
    live, read = _live(program), _read(program)
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


def _live(program: Program) -> set[int]:
    """Return the slots that the result depends on."""
    live = {program.result.index} if isinstance(program.result, Slot) else set()
    for at in reversed(range(len(program.steps))):
        if at + program.arity in live:
            live.update(_slots(program.steps[at]))
    return live


def _read(program: Program) -> set[int]:
    """Return the slots that some step reads."""
    return {slot for step in program.steps for slot in _slots(step)}


def _slots(step: Step) -> list[int]:
    return [each.index for each in (step.callee, *step.args) if isinstance(each, Slot)]


def unread_parameters(program: Program) -> list[str]:
    """Return the parameters that no step reads and that are not the result."""
    read = _read(program) | ({program.result.index} if isinstance(program.result, Slot) else set())
    return [name for at, name in enumerate(program.params) if at not in read]


def cannot_fail(program: Program, is_solver: bool) -> list[bool]:
    """Return for each step whether it provably raises no error once reached. A helper's parameters can be anything."""
    reading = _Nodes(program, is_solver)
    facts = Facts(reading.nodes)
    return [safe or facts[node].safe for node, safe in reading.steps]


class _Nodes:
    """A program as nodes about which facts can be proved. Calls of helpers and function values are unknown."""

    def __init__(self, program: Program, is_solver: bool) -> None:
        self.nodes: list[Node] = []
        inputs = INPUTS if program.arity == 3 else ("I",)
        params = [Node(NodeKind.INPUT, value=name) for name in inputs] if is_solver else [_UNKNOWN] * program.arity
        self.slots = [self._add(each) for each in params]
        self.functions: set[int] = set()
        self.steps: list[tuple[int, bool]] = []
        for step in program.steps:
            self._step(step)

    def _add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _step(self, step: Step) -> None:
        args = tuple([self._operand(each) for each in step.args])
        op = step.callee.value if isinstance(step.callee, Literal) else None
        maker = op if isinstance(op, Op) and op.known.calls else None
        if step.callee is None:
            node = self._add(Node(NodeKind.TUPLE, args=args))
        elif isinstance(op, Op) and len(args) == op.arity and not maker:
            node = self._add(Node(NodeKind.CALL, op, args))
        else:
            node = self._add(_UNKNOWN)
        if maker:
            self.functions.add(len(self.slots))
        self.slots.append(node)
        self.steps.append((node, maker is not None and self._can_make(maker, step.args)))

    def _can_make(self, maker: Op, args: Sequence[Operand]) -> bool:
        """Whether a primitive certainly makes a function of `args`."""
        forms = tuple([Form.FUNCTION if self._is_function(arg) else Form.ANY for arg in args])
        found = guarantee(maker.name, forms)
        return found is not None and found.safe

    def _operand(self, operand: Operand) -> int:
        if isinstance(operand, Slot):
            return self.slots[operand.index]
        return self._add(Node(NodeKind.CONST, value=operand.value))

    def _is_function(self, operand: Operand) -> bool:
        if isinstance(operand, Slot):
            return operand.index in self.functions
        return isinstance(operand.value, Function)


_UNKNOWN = Node(NodeKind.ARG)
