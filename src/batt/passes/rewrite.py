"""Rewrite one node: by a rule, by computing it, or by inlining the body it runs. Knows no sequences.

What replaces a node must take the same steps, raise the same errors, and check the same sizes against the budget. All
three are decided here, from the op table and from what is proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from batt.analysis.proofs import NOTHING, Fact, Facts, Steps
from batt.ir.graph import BY_TRUTH, LEAVES, Body, Builder, Node, NodeKind
from batt.ir.interpreter import RAISED
from batt.ops import METER, OPS, OWN, RAISABLE, Op, OverBudget, items
from batt.ops.functions import check_count
from batt.ops.meter import unit
from batt.passes.rules import Bound, Constant, Matcher, Pattern, Term
from batt.types import unordered
from batt.types.plain import weight

INLINE_ENTRIES = 8
"""The most entries of a body, over all repetitions, that are inlined."""
FOLD_STEPS, FOLD_WEIGHT = 1_000, 100
"""The most steps of computing a constant, and its largest size."""

WRITTEN_OUT = frozenset(
    {NodeKind.CALL, NodeKind.TUPLE, NodeKind.COUNT, NodeKind.CHARGE, NodeKind.LIMIT, NodeKind.RAISE}
)
"""Nodes of a body that is inlined. None of them runs a body, so what is inlined cannot grow."""

Entry: TypeAlias = int | Steps
"""A node to run, or steps to take."""


class Placed(NamedTuple):
    """The entries that replace a node in a sequence, and the node with its value; -1 for a charge, which has none."""

    entries: tuple[Entry, ...]
    value: int

    def after(self, steps: Steps) -> Placed:
        """Return the same, with `steps` taken first."""
        if steps == NOTHING:
            return self
        if self.entries and isinstance(first := self.entries[0], Steps):
            return Placed((steps + first, *self.entries[1:]), self.value)
        return Placed((steps, *self.entries), self.value)


class Rewriter:
    """Adds rewritten nodes to a builder. Operands are numbers of the builder."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.facts = Facts(builder.nodes)
        self.matcher = Matcher(builder.nodes, builder.bodies, self.facts)
        self._placed: dict[Node, Placed] = {}

    def place(self, node: Node) -> Placed:
        """Add what a node becomes. Return what replaces it."""
        match node.kind:
            case NodeKind.CALL | NodeKind.TUPLE | NodeKind.LOOP:
                placed = self._placed.get(node)
                if placed is None:
                    placed = self._placed[node] = self._rewritten(node)
                return placed
            case NodeKind.CHARGE:
                return Placed((self._sizes(node.args, Steps(node.value)),), -1)
            case NodeKind.COUNT:
                return self._count(node)
            case NodeKind.SELECT:
                return self._select(node)
            case NodeKind.INVOKE:
                tiny = self._repeated(node.bodies[0], 1, None, node.args)
                return tiny or self._kept(node)
            case NodeKind.REPEAT:
                count = self.builder.nodes[node.args[0]]
                times = count.value if count.kind is NodeKind.CONST else None
                tiny = self._repeated(node.bodies[0], times, node.args[1], node.args[2:])
                return tiny or self._kept(node)
        return self._kept(node)

    def _constant(self, value: Any) -> int:
        return self.builder.add(NodeKind.CONST, value=value)

    def _kept(self, node: Node) -> Placed:
        number = self.builder.add_node(node)
        return Placed(() if node.kind in LEAVES else (number,), number)

    def _sizes(self, numbers: Iterable[int], steps: Steps) -> Steps:
        return sum([self.facts[number].size for number in numbers], steps)

    # Calls

    def _rewritten(self, node: Node) -> Placed:
        """Apply rules to a call until none applies."""
        taken = NOTHING
        while True:
            known = self._placed.get(node) or self._folded(node)
            if known:
                return known.after(taken)
            found = self._simpler(node)
            if found is None:
                number = self.builder.add_node(node)
                return Placed((number,), number).after(taken)
            steps, simpler = found
            taken += steps
            if isinstance(simpler, int):
                return Placed((taken,), simpler)
            node = simpler

    def _simpler(self, node: Node) -> tuple[Steps, int | Node] | None:
        """Return what a rule makes of a call, a known node or another call, and the steps that this saves."""
        for rule, bound in self.matcher.find(node):
            right = self._right(rule.right, bound)
            steps = self._steps_saved(node, right)
            if steps is not None:
                return steps, right
        return None

    def _right(self, pattern: Pattern, bound: Bound) -> int | Node:
        if pattern in bound:
            return bound[pattern]
        if isinstance(pattern, Constant):
            return self._constant(pattern.value)
        assert isinstance(pattern, Term)
        args = [self._right(arg, bound) for arg in pattern.args]
        numbers = tuple([arg for arg in args if isinstance(arg, int)])
        return Node(NodeKind.CALL if pattern.op else NodeKind.TUPLE, OPS[pattern.op] if pattern.op else None, numbers)

    def _steps_saved(self, node: Node, right: int | Node) -> Steps | None:
        """Return the steps that a call takes in addition to what replaces it; None if replacing it is not exact."""
        number = right if isinstance(right, int) else self.builder.add_node(right)
        result = self.facts[number]
        steps = self._steps(node, result.size)
        taken = Steps() if isinstance(right, int) else self.facts.steps(right, result.size)
        if steps is None or taken is None:
            return None
        if not is_tiny(result.size) and not self._stays_checked(node, result, isinstance(right, int)):
            return None
        return steps.less(taken)

    def _stays_checked(self, node: Node, result: Fact, is_there: bool) -> bool:
        """Tell whether the size of a result is checked against the budget as before if a call is replaced."""
        checked = node.op is not None and node.op.cost is not unit
        if not is_there:
            return checked == result.checked
        # A known node was run before the call, and so were the operands of the call.
        others = [result, *[self.facts[arg] for arg in node.args]]
        return not checked or any(fact.checked and fact.size == result.size for fact in others)

    def _steps(self, node: Node, size: Steps) -> Steps | None:
        """Return the steps of a call, or of a loop over a set whose body takes a fixed number of steps."""
        if node.kind is not NodeKind.LOOP:
            return self.facts.steps(node, size)
        calls = self.facts[node.args[0]].size
        each = self.matcher.body_steps(self.builder.bodies[node.bodies[0]])
        return None if each is None else Steps(1) + calls + calls.times(each) + size

    def _folded(self, node: Node) -> Placed | None:
        """Compute a call of constants: its steps and its size, and a constant or an error."""
        nodes, values = self.builder.nodes, []
        for arg in node.args:
            if nodes[arg].kind is not NodeKind.CONST:
                return None
            values.append(nodes[arg].value)
        if node.kind is NodeKind.LOOP:
            return None
        if node.op is None:
            return Placed((Steps(1),), self._constant(tuple(values))) if is_small(tuple(values)) else None
        folded = fold(node.op, values)
        if folded is None:
            return None
        if folded.error:
            return self._raised(folded.error, Steps(folded.steps))
        size = 0 if node.op.cost is unit else items(folded.value)
        limit = self.builder.add(NodeKind.LIMIT, value=size)
        return Placed((Steps(folded.steps), limit), self._constant(folded.value))

    def _raised(self, error: str, steps: Steps) -> Placed:
        number = self.builder.add(NodeKind.RAISE, value=error)
        return Placed((steps, number), number)

    # Counts and bodies

    def _count(self, node: Node) -> Placed:
        operand = self.builder.nodes[node.args[0]]
        if operand.kind is NodeKind.COUNT:
            return Placed((), node.args[0])
        if operand.kind is not NodeKind.CONST:
            return self._kept(node)
        try:
            return Placed((), self._constant(check_count(operand.value)))
        except (TypeError, RecursionError) as error:
            return self._raised(type(error).__name__, Steps())

    def _select(self, node: Node) -> Placed:
        """Replace a choice that is known, or among equal bodies, by a call of the body."""
        picked, bodies = node.args[0], node.bodies
        body = bodies[0] if len(set(bodies)) == 1 and node.value == BY_TRUTH else None
        truth = self.facts[picked].value.truth
        if node.value == BY_TRUTH and truth is not None:
            body = bodies[0] if truth else bodies[1]
        if node.value != BY_TRUTH and self.builder.nodes[picked].kind is NodeKind.CONST:
            number = self.builder.nodes[picked].value
            body = bodies[number] if isinstance(number, int) and 0 <= number < len(bodies) else None
        return self._kept(node) if body is None else self.place(Node(NodeKind.INVOKE, None, node.args[1:], (body,)))

    def _repeated(self, number: int, times: Any, value: int | None, others: tuple[int, ...]) -> Placed | None:
        """Inline a body `times` times, each with the value of the last, if there is one; return None if it is long."""
        body = self.builder.bodies[number]
        flat = all(self.builder.nodes[entry].kind in WRITTEN_OUT for entry in body.entries)
        if not flat or not isinstance(times, int) or times * max(1, len(body.entries)) > INLINE_ENTRIES:
            return None
        entries: list[Entry] = []
        for _ in range(times):
            placed = self._inline(body, others if value is None else (value, *others))
            entries.extend(placed.entries)
            value = placed.value
        assert value is not None
        return Placed(tuple(entries), value)

    def _inline(self, body: Body, args: Sequence[int]) -> Placed:
        """Return the entries of a body with `args` in place of its arguments."""
        nodes, values, entries = self.builder.nodes, dict[int, int](), list[Entry]()

        def value_of(number: int) -> int:
            return args[nodes[number].value] if nodes[number].kind is NodeKind.ARG else values.get(number, number)

        for entry in body.entries:
            node = nodes[entry]
            operands = tuple(map(value_of, node.args))
            placed = self.place(Node(node.kind, node.op, operands, node.bodies, node.value))
            entries.extend(placed.entries)
            values[entry] = placed.value
        return Placed(tuple(entries), value_of(body.result))


@dataclass(frozen=True, slots=True)
class Folded:
    """The value or error of a call of constants, and its steps."""

    value: Any
    error: str
    steps: int


def fold(op: Op, values: Sequence[Any]) -> Folded | None:
    """Compute a call; return None if it takes many steps, makes a large value, or is of a user's own op."""
    if op.family == OWN:
        return None
    before = METER.steps_left, METER.max_items, METER.depth
    METER.reset(FOLD_STEPS, FOLD_STEPS)
    value, error = None, ""
    try:
        value = op(*values)
    except RAISABLE as raised:
        error = type(raised).__name__
    except OverBudget:
        return None
    finally:
        steps = FOLD_STEPS - METER.steps_left
        METER.steps_left, METER.max_items, METER.depth = before
    fits = error in RAISED if error else is_small(value)
    return Folded(value, error, steps) if fits else None


def is_tiny(size: Steps) -> bool:
    """Tell whether a value of `size` is within every budget: the least one allows a single item."""
    return not size.nodes and size.known <= 1


def is_small(value: Any) -> bool:
    """Tell whether every engine can hold `value` as a constant. It may repeat its parts many times."""
    if weight(value, FOLD_WEIGHT) > FOLD_WEIGHT:
        return False
    waiting = [value]
    while waiting:
        top = waiting.pop()
        if isinstance(top, tuple | frozenset):
            waiting.extend(unordered(top))
        elif isinstance(top, int) and top.bit_length() > 63:
            return False
    return True
