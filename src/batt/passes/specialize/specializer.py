"""Turn programs into first-order sequences by symbolic evaluation.

The specializer runs a program as the reference engine does, step by step, with symbols in place of values. A call whose
operands are data becomes a node. A call that makes a function is remembered; calling that function runs what it was
made of. So a node is in the sequence where the reference engine would compute it, and making functions is charged where
the reference engine charges it.
"""

from __future__ import annotations

from collections.abc import Sequence

from batt.ir import Literal, Operand, Program
from batt.ir.graph import Builder, NodeKind, Slice, inputs_of
from batt.ir.interpreter import function_position
from batt.ops import OPS, Op
from batt.ops.functions import check_count
from batt.passes.specialize.containers import Containers
from batt.passes.specialize.emitter import Emitter, Lift
from batt.passes.specialize.frames import Invoked
from batt.passes.specialize.loops import functions_of
from batt.passes.specialize.values import (
    AlwaysRaises,
    Closure,
    Data,
    Defined,
    Group,
    NotFirstOrder,
    Primitive,
    Selection,
    Symbol,
    TooLarge,
    arity_of,
    closure,
    group,
    is_function,
    refuse_mapped,
)

INLINE_SIZE = 64
"""A larger function is not inlined: it becomes a body that is invoked."""


class Specializer(Emitter):
    """Evaluates one program symbolically into a builder's graph."""

    def __init__(self, builder: Builder) -> None:
        super().__init__(builder)
        self.invoked: dict[int, Invoked] = {}

    def slice_of(self, name: str, program: Program) -> Slice:
        """Return the slice of a program; raise NotFirstOrder if it has none."""
        params = [self.leaf(NodeKind.INPUT, each) for each in inputs_of(program.arity)]
        result = self.close(lambda: self.run(program, params))
        return Slice(name, tuple(self.frame.entries), result, tuple(self.frame.lines))

    def run(self, program: Program, params: Sequence[Symbol]) -> Symbol:
        """Run the steps of a program on `params`. Return its result."""
        slots: list[Symbol] = list(params)
        self.fill(program, slots)
        return self._symbol(program.result, slots)

    def fill(self, program: Program, slots: list[Symbol]) -> None:
        """Append the symbol of each step to `slots`, which holds the parameters. What raises ends it."""
        for step in program.steps:
            self.line = step.line
            args = tuple([self._symbol(arg, slots) for arg in step.args])
            made = self.tuple_of(args) if step.callee is None else self.call(self._symbol(step.callee, slots), args)
            slots.append(made)

    def _symbol(self, operand: Operand, slots: Sequence[Symbol]) -> Symbol:
        return self.known(operand.value) if isinstance(operand, Literal) else slots[operand.index]

    def tuple_of(self, items: tuple[Symbol, ...]) -> Symbol:
        """Return the tuple of `items`."""
        nodes = [item.node for item in items if isinstance(item, Data)]
        if len(nodes) == len(items):
            return self.emit(NodeKind.TUPLE, args=nodes)
        refuse_mapped(items)
        self.charge(1)
        return group(items, is_set=False)

    # Calls

    def call(self, function: Symbol, args: tuple[Symbol, ...]) -> Symbol:
        """Return the result of calling a function."""
        self.spend()
        match function:
            case Primitive():
                return self.call_op(function.op, args)
            case Closure() | Defined():
                arity = arity_of(function)
                if arity is None:
                    raise NotFirstOrder("functions to choose from that take different numbers of arguments")
                if len(args) != arity:
                    self.refuse_power_by_data(function)
                    raise AlwaysRaises("TypeError")
                return self.nested(function, args)
            case Selection():
                return self.select(function, lambda lift, each: self.call(each, tuple(map(lift, args))))
        raise AlwaysRaises("TypeError")  # data and containers are not callable

    def nested(self, function: Closure | Defined, args: tuple[Symbol, ...]) -> Symbol:
        """Call one level deeper: inlined, or as a body if that is long."""
        line = self.line
        self.depth += 1
        self.reach(self.depth)
        try:
            if isinstance(function, Defined):
                self.charge(1)
            if function.size > INLINE_SIZE and all(isinstance(arg, Data) for arg in args):
                made = self.invoke(function, args)
                if made is not None:
                    return made
            return self.inlined(function, args)
        finally:
            self.depth -= 1
            self.line = line

    def inlined(self, function: Closure | Defined, args: tuple[Symbol, ...]) -> Symbol:
        """Inline a function."""
        if isinstance(function, Defined):
            return self.run(function.helper.program, args)
        parts = function.args
        match function.maker.name:
            case "compose":
                return self.call(parts[0], (self.call(parts[1], args),))
            case "chain":
                return self.call(parts[0], (self.call(parts[1], (self.call(parts[2], args),)),))
            case "matcher":
                return self.call_op(OPS["equality"], (self.call(parts[0], args), parts[1]))
            case "fork":
                first = self.call(parts[1], args)
                return self.call(parts[0], (first, self.call(parts[2], args)))
            case "lbind":
                return self.call(parts[0], (parts[1], *args))
            case "rbind":
                return self.call(parts[0], (*args, parts[1]))
        return self.repeated(function, args[0])

    def repeated(self, function: Closure, value: Symbol) -> Symbol:
        """Call what `power` made: a counted loop, or inlined if the count is small or the value is a function."""
        inner, count = function.args
        assert isinstance(count, Data)
        if self.is_constant(count) and (function.size <= INLINE_SIZE or not isinstance(value, Data)):
            for _ in range(self.constant(count)):
                value = self.call(inner, (value,))
            return value
        body, captured = self.body(1, lambda lift, params: self.call(lift(inner), params))
        return self.emit(NodeKind.REPEAT, args=[count.node, self.data(value).node, *captured], bodies=[body])

    def invoke(self, function: Closure | Defined, args: tuple[Symbol, ...]) -> Symbol | None:
        """Invoke the body of a function; return None if it has none, since it makes functions."""
        # A helper captures nothing, so its body serves everywhere.
        invoked = self.invoked if isinstance(function, Defined) else self.frame.invoked
        known = invoked.get(id(function))
        if known is None:
            known = invoked[id(function)] = self.body_of(function, len(args))
        if known.body is None:
            return None
        self.reach(self.depth + known.depth)
        operands = [*[self.data(arg).node for arg in args], *known.captured]
        return self.emit(NodeKind.INVOKE, args=operands, bodies=[known.body])

    def body_of(self, function: Closure | Defined, params: int) -> Invoked:
        """Build the body of a function, if its result is data."""

        def build(lift: Lift, given: tuple[Symbol, ...]) -> Symbol:
            inside = lift(function)
            assert isinstance(inside, Closure | Defined)
            return self.inlined(inside, given)

        outer, before = self.frame, self.frame.deepest
        outer.deepest = self.depth
        try:
            body, captured = self.body(params, build)
        except TooLarge:
            raise
        except NotFirstOrder:
            return Invoked(function, None)
        finally:
            depth, outer.deepest = outer.deepest - self.depth, max(before, outer.deepest)
        return Invoked(function, body, captured, depth)

    # Ops

    def call_op(self, op: Op, args: tuple[Symbol, ...]) -> Symbol:
        """Call a primitive: a node if the operands are data."""
        if len(args) != op.arity:
            # The reference charges the call before Python refuses it.
            self.charge(1, *(args if op.cost is None else ()))
            raise AlwaysRaises("TypeError")
        if op.family == "functions":
            return self.make(op, args)
        nodes = [arg.node for arg in args if isinstance(arg, Data)]
        if len(nodes) == len(args):
            return self.emit(NodeKind.CALL, op, nodes)
        position = function_position(op)
        if position is not None and len(nodes) == len(args) - 1 and is_function(args[position]):
            return self.loop(op, args[position], nodes)
        return Containers(self).call(op, args)

    def loop(self, op: Op, function: Symbol, nodes: list[int]) -> Symbol:
        """Emit the loop of an op that calls a function on the items of data."""
        # The body gets an item of each container.
        try:
            body, captured = self.body(len(nodes), lambda lift, params: self.call(lift(function), params))
        except TooLarge:
            raise
        except NotFirstOrder:
            if op.name != "apply" or not self.is_tuple(Data(nodes[0])):
                raise
            return functions_of(self, function, Data(nodes[0]))
        return self.emit(NodeKind.LOOP, op, [*nodes, *captured], [body])

    def make(self, op: Op, args: tuple[Symbol, ...]) -> Symbol:
        """Make a function for one step, or raise the error of making it."""
        self.charge(1)
        if op.name == "power":
            return self.make_power(op, *args)
        if op.name in ("lbind", "rbind") and not is_function(args[0]):
            if isinstance(args[0], Data | Group):
                raise AlwaysRaises("AttributeError")
            raise NotFirstOrder("a choice between a function and data")
        return closure(op, args)

    def refuse_power_by_data(self, function: Closure | Defined) -> None:
        """Refuse a wrong call of `power` by a count that is data: by 1 it is a call of the function itself."""
        if isinstance(function, Closure) and function.maker.name == "power":
            count = function.args[1]
            if isinstance(count, Data) and not self.is_constant(count):
                raise NotFirstOrder("a call of power with a wrong number of arguments, by a count that is data")

    def make_power(self, op: Op, function: Symbol, count: Symbol) -> Symbol:
        """Make a function by `power`, which checks its count at once."""
        if isinstance(count, Selection) and not is_function(count):
            raise NotFirstOrder("a count that is a choice between data and functions")
        if not isinstance(count, Data):
            raise AlwaysRaises("TypeError")
        if not self.is_constant(count):
            checked = self.emit(NodeKind.COUNT, args=[count.node])
            # A count of 1 gives the function itself, which shows where that does not take one argument.
            if not is_function(function) or arity_of(function) != 1:
                raise NotFirstOrder("power of data, or of a function of several arguments, by a count that is data")
            return closure(op, (function, checked), times=900)
        try:
            times = check_count(self.constant(count))
        except (TypeError, RecursionError) as error:
            raise AlwaysRaises(type(error).__name__) from None
        return function if times == 1 else closure(op, (function, count), times)
