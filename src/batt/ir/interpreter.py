"""Run a graph in plain Python: the definition of what a graph means.

A loop runs the op's own reference body with a Python function as its function argument, so its order, errors and steps
are those of the language by construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from batt.errors import InternalError
from batt.ir.graph import BY_TRUTH, Graph, Node, NodeKind, Slice, inputs_of
from batt.ops.functions import check_count
from batt.ops.meter import METER, OverBudget, charge, items
from batt.ops.table import OWN, RAISABLE, Op
from batt.types import Kind

Done: TypeAlias = tuple[Any, BaseException | None, int]
"""The value of a node or the error it raised, and its steps."""

RAISED: dict[str, type[Exception]] = {kind.__name__: kind for kind in RAISABLE}


def function_position(op: Op) -> int | None:
    """Return the index of the function argument of a loop op, or None for other ops."""
    params = op.signatures[0].params
    return params.index(Kind.FN) if Kind.FN in params and op.family not in ("functions", OWN) else None


class Interpreter:
    """Runs the slices of a graph on one sample: on S, I, C and the parameters. A parameter that is not given is None.

    `stage` holds nodes that were computed before the slices run. `recharged_steps` counts the steps that were charged
    again without computing.
    """

    def __init__(self, graph: Graph, inputs: Sequence[Any]) -> None:
        self.graph = graph
        self.inputs = dict(zip(inputs_of(len(inputs)), inputs, strict=True))
        self.stage: dict[int, Done] = {}
        self.recharged_steps = 0

    def run_slice(self, each: Slice) -> Any:
        """Return the value of a slice within the meter's budget, or raise the error of the first failing node."""
        return self._sequence(each.entries, each.result, {}, ())

    def _sequence(self, entries: Sequence[int], result: int, values: dict[int, Done], args: Sequence[Any]) -> Any:
        for number in entries:
            done = values.get(number) or self.stage.get(number)
            if done is None:
                before = METER.steps_left
                value = self.run_node(number, values, args)
                values[number] = (value, None, before - METER.steps_left)
                continue
            # Computed before, here or in the stage: charge the steps again, but do not compute again.
            self.recharged_steps += done[2]
            charge(done[2])
            if done[1] is not None:
                # An error raised for many readers would collect the frames of all of them.
                raise done[1].with_traceback(None)
            values[number] = done
        return self._operand(result, values, args)

    def _operand(self, number: int, values: dict[int, Done], args: Sequence[Any]) -> Any:
        done = values.get(number)
        if done is not None:
            return done[0]
        node = self.graph.nodes[number]
        match node.kind:
            case NodeKind.CONST:
                return node.value
            case NodeKind.ARG if node.value < len(args):
                return args[node.value]
            case NodeKind.INPUT:
                return self.inputs.get(node.value)
        raise InternalError(f"node {number} is read where it has no value")

    def run_node(self, number: int, values: dict[int, Done], args: Sequence[Any]) -> Any:
        """Compute one node. Observers of executions override this."""
        node = self.graph.nodes[number]
        return self.apply(node, [self._operand(arg, values, args) for arg in node.args])

    def apply(self, node: Node, operands: list[Any]) -> Any:
        """Return the value of `node` for `operands`."""
        match node.kind:
            case NodeKind.CALL:
                assert node.op
                return node.op(*operands)
            case NodeKind.TUPLE:
                charge(1)
                return tuple(operands)
            case NodeKind.LOOP:
                return self._loop(node, operands)
            case NodeKind.REPEAT:
                count, value, *captured = operands
                for _ in range(count):
                    value = self.run_body(node.bodies[0], [value, *captured])
                return value
            case NodeKind.SELECT:
                picked, *given = operands
                return self.run_body(node.bodies[(0 if picked else 1) if node.value == BY_TRUTH else picked], given)
            case NodeKind.INVOKE:
                return self.run_body(node.bodies[0], operands)
            case NodeKind.COUNT:
                return check_count(operands[0])
            case NodeKind.CHARGE:
                return charge(node.value + sum(map(items, operands)))
            case NodeKind.LIMIT:
                if node.value > METER.max_items:
                    raise OverBudget
                return None
            case NodeKind.RAISE:
                raise RAISED[node.value]
        raise InternalError(f"a {node.kind.value} node cannot be run")

    def run_body(self, number: int, args: Sequence[Any]) -> Any:
        """Return the value of a body for `args`."""
        body = self.graph.bodies[number]
        return self._sequence(body.entries, body.result, {}, args)

    def _loop(self, node: Node, operands: list[Any]) -> Any:
        assert node.op
        position = function_position(node.op)
        assert position is not None
        given, captured = operands[: node.op.arity - 1], operands[node.op.arity - 1 :]
        number = node.bodies[0]

        def function(*items: Any) -> Any:
            return self.run_body(number, [*items, *captured])

        return node.op(*given[:position], function, *given[position:])
