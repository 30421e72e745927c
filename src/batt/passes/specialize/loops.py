"""Compile loops over data that make functions.

Such a loop collects the one piece of data that each function holds, its state. A loop over the functions becomes a loop
over the states.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from batt.ir.graph import NodeKind
from batt.ops import OPS
from batt.passes.specialize.emitter import Lift
from batt.passes.specialize.frames import Captures
from batt.passes.specialize.values import HOLE, Data, Mapped, NotFirstOrder, Symbol, is_function, mapped, with_data

if TYPE_CHECKING:
    from batt.passes.specialize.specializer import Specializer


def functions_of(by: Specializer, function: Symbol, container: Data) -> Symbol:
    """Return the functions that `function` makes of the items of `container`, a tuple.

    The loop has the steps of making functions: a tuple of functions and a tuple of values that are no tuples have the
    same size.
    """
    captures, made = Captures(1), []

    def build(lift: Lift, params: tuple[Symbol, ...]) -> Symbol:
        states: dict[int, Data] = {}
        result = by.call(lift(function), params)
        if not is_function(result):
            raise NotFirstOrder("functions beside data in one container")
        made.append(with_data(result, partial(_outside, by, captures, states)))
        if len(states) > 1:
            raise NotFirstOrder("a loop that makes functions of several pieces of data")
        return next(iter(states.values()), by.leaf(NodeKind.CONST, 0))

    body, captured = by.body(1, build, captures)
    states = by.emit(NodeKind.LOOP, OPS["apply"], [container.node, *captured], [body])
    # A body that always raises makes no function, but the tuple may be empty.
    return mapped(states, made[0]) if made else states


def _outside(by: Specializer, captures: Captures, states: dict[int, Data], inside: Data) -> Data:
    """Return data of a body as it is outside: HOLE for what the body computes, which is added to `states`."""
    node = by.builder.nodes[inside.node]
    if inside.closed:
        return inside
    if node.kind is NodeKind.ARG and node.value >= captures.params:
        return Data(captures.nodes[node.value - captures.params])
    if node.kind is not NodeKind.COUNT and not by.is_no_tuple(inside):
        raise NotFirstOrder("a loop that makes functions of what may be tuples")
    states[inside.node] = inside
    return HOLE


def each_of(by: Specializer, functions: Mapped, value: Symbol) -> Data:
    """Return the result of each of `functions` for a value."""

    def build(lift: Lift, params: tuple[Symbol, ...]) -> Symbol:
        given, state = lift(functions), params[0]
        assert isinstance(given, Mapped)
        assert isinstance(state, Data)
        function = with_data(given.template, lambda data: state if data is HOLE else data)
        return by.call(function, (lift(value),))

    body, captured = by.body(1, build)
    by.charge(0, value)
    return by.emit(NodeKind.LOOP, OPS["apply"], [functions.states.node, *captured], [body])
