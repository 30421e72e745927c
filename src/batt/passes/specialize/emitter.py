"""Emit nodes in sequence, with bodies and choices among functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from batt.analysis.domain import ALWAYS
from batt.analysis.values import TUPLE
from batt.ir import Helper, Literal
from batt.ir.graph import Body, Builder, Node, NodeKind
from batt.ops import Op
from batt.passes.specialize.frames import Captures, Frame
from batt.passes.specialize.values import (
    AlwaysRaises,
    Data,
    Defined,
    Group,
    Mapped,
    NotFirstOrder,
    Primitive,
    Selection,
    Symbol,
    TooLarge,
    defined,
    group,
    is_function,
    selection,
)
from batt.types import Function

MAX_ENTRIES = 20_000
"""The most nodes and calls in all sequences of one program, also of failed attempts."""

NEVER_A_TUPLE = frozenset([name for name, given in ALWAYS.items() if not given.shapes & TUPLE.shapes])
"""Ops whose results are never tuples."""
ALWAYS_A_TUPLE = frozenset([name for name, given in ALWAYS.items() if not given.shapes & ~TUPLE.shapes])
"""Ops whose results are always tuples."""

MAX_DEPTH = 60
"""The deepest nesting of calls that is compiled. The language allows 900."""

Lift: TypeAlias = Callable[[Symbol], Symbol]
"""Brings a symbol of the outer frame into a body."""
Build: TypeAlias = Callable[[Lift, tuple[Symbol, ...]], Symbol]
"""Fills a body, given its parameters. Returns its result."""
Use: TypeAlias = Callable[[Lift, Symbol], Symbol]
"""Uses a symbol of the current frame. Other symbols must be lifted into it."""


class Emitter:
    """Fills frames: the current one, and bodies within it."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.frame = Frame(builder)
        self.helpers: dict[Helper, Defined] = {}
        self.constants: dict[int, tuple[Any, Symbol]] = {}
        self.entries = 0
        self.line = 0
        self.depth = 0

    def spend(self) -> None:
        """Count a node or a call, up to the limit."""
        self.entries += 1
        if self.entries > MAX_ENTRIES:
            raise TooLarge(f"more than {MAX_ENTRIES:,} steps when functions are inlined")

    def leaf(self, kind: NodeKind, value: Any) -> Data:
        """Return a leaf as data."""
        return Data(self.builder.add_node(Node(kind, value=value)), kind is NodeKind.CONST)

    def emit(
        self,
        kind: NodeKind,
        op: Op | None = None,
        args: Sequence[int] = (),
        bodies: Sequence[int] = (),
        value: Any = None,
    ) -> Data:
        """Append a node to the current frame. Return its value."""
        self.spend()
        number = self.builder.add_node(Node(kind, op, tuple(args), tuple(bodies), value))
        frame = self.frame
        frame.entries.append(number)
        frame.lines.append(self.line)
        return Data(number)

    def charge(self, steps: int, *symbols: Symbol) -> None:
        """Emit a charge of `steps` and the items of `symbols`."""
        nodes = []
        for symbol in symbols:
            if isinstance(symbol, Mapped):
                nodes.append(symbol.states.node)
            elif isinstance(symbol, Data):
                nodes.append(symbol.node)
            else:
                steps += self.items(symbol)
        if steps or nodes:
            self.emit(NodeKind.CHARGE, args=nodes, value=steps)

    def limit(self, made: Symbol) -> None:
        """Emit a limit: end the evaluation if a container of functions has too many items."""
        count = self.items(made)
        # Every budget allows one item.
        if count > 1:
            self.emit(NodeKind.LIMIT, value=count)

    def items(self, symbol: Symbol) -> int:
        """Return the size of a function or a container of functions, as the meter counts it."""
        if is_function(symbol):
            return 0
        if not isinstance(symbol, Group):
            raise NotFirstOrder("the size of a choice among containers of functions")
        first = symbol.items[0]
        if symbol.is_set or is_function(first) or (isinstance(first, Data) and self.is_no_tuple(first)):
            return len(symbol.items)
        if isinstance(first, Group):
            return len(symbol.items) * (1 if first.is_set else len(first.items))
        if self.is_constant(first):
            value = self.constant(first)
            return len(symbol.items) * (max(1, len(value)) if isinstance(value, tuple) else 1)
        raise NotFirstOrder("the size of a tuple of functions depends on data")

    def is_no_tuple(self, symbol: Data) -> bool:
        """Tell whether data is the result of an op that never gives a tuple."""
        op = self.builder.nodes[symbol.node].op
        return op is not None and op.name in NEVER_A_TUPLE

    def is_tuple(self, symbol: Data) -> bool:
        """Tell whether data is certainly a tuple: a constant, a display, or what an op gives that always gives one."""
        node = self.builder.nodes[symbol.node]
        if self.is_constant(symbol):
            return isinstance(node.value, tuple)
        return node.kind is NodeKind.TUPLE or (node.op is not None and node.op.name in ALWAYS_A_TUPLE)

    def is_constant(self, symbol: Symbol) -> bool:
        """Tell whether a symbol is a constant."""
        return isinstance(symbol, Data) and self.builder.nodes[symbol.node].kind is NodeKind.CONST

    def constant(self, symbol: Symbol) -> Any:
        """Return the value of a constant."""
        assert isinstance(symbol, Data)
        return self.builder.nodes[symbol.node].value

    def known(self, value: Any) -> Symbol:
        """Return the symbol of a value in the source."""
        match value:
            case Op():
                return Primitive(value)
            case Helper():
                if value not in self.helpers:
                    self.helpers[value] = self.defined(value)
                return self.helpers[value]
            case tuple():
                # By identity: a large constant that is used often is searched once.
                if id(value) not in self.constants:
                    self.constants[id(value)] = value, self.known_tuple(value)
                return self.constants[id(value)][1]
            case frozenset() if any(isinstance(item, Function) for item in value):
                raise NotFirstOrder("a set of functions as a constant")
            case Function():
                raise NotFirstOrder("a made function as a constant")
        return self.leaf(NodeKind.CONST, value)

    def known_tuple(self, value: tuple[Any, ...]) -> Symbol:
        """Return the symbol of a tuple: data, unless it holds functions."""
        items = tuple([self.known(item) for item in value])
        if all(isinstance(item, Data) for item in items):
            return self.leaf(NodeKind.CONST, value)
        return group(items, is_set=False)

    def defined(self, helper: Helper) -> Defined:
        """Return the symbol of a helper, with its size including all helpers that it names."""
        operands = [operand for step in helper.program.steps for operand in (step.callee, *step.args)]
        functions = [each.value for each in operands if isinstance(each, Literal) and isinstance(each.value, Helper)]
        return defined(helper, tuple([self.known(each) for each in functions]))

    def data(self, symbol: Symbol) -> Data:
        """Return a symbol as data; raise NotFirstOrder if it is a function or holds one."""
        if isinstance(symbol, Data):
            return symbol
        raise NotFirstOrder("a function as a value")

    # Bodies and choices

    def reach(self, depth: int) -> None:
        """Note how deeply calls are nested; raise TooLarge beyond the limit."""
        self.frame.deepest = max(self.frame.deepest, depth)
        if depth > MAX_DEPTH:
            raise TooLarge(f"functions call one another more than {MAX_DEPTH} deep")

    def close(self, build: Callable[[], Symbol]) -> int:
        """Fill the current frame. Return the node of its result, a RAISE if the sequence always raises."""
        try:
            return self.data(build()).node
        except AlwaysRaises as error:
            return self.emit(NodeKind.RAISE, value=error.kind).node

    def body(self, params: int, build: Build, captures: Captures | None = None) -> tuple[int, tuple[int, ...]]:
        """Build a body. Return its number, and the nodes of this frame that it captures."""
        outer, captures = self.frame, captures or Captures(params)
        self.frame = Frame(self.builder, captures, self.depth)
        try:
            given: tuple[Symbol, ...] = tuple([self.leaf(NodeKind.ARG, at) for at in range(params)])
            result = self.close(lambda: build(self.frame.lift, given))
            made = Body(params, tuple(self.frame.entries), result)
            outer.deepest = max(outer.deepest, self.frame.deepest)
        finally:
            self.frame = outer
        return self.builder.add_body(made), captures.nodes

    def choose(self, picked: Data, by: str, alternatives: tuple[Symbol, ...]) -> Symbol:
        """Return the alternative that data picks: data if all are data, else a choice."""
        if all(each is alternatives[0] for each in alternatives):
            return alternatives[0]
        made = selection(picked, by, alternatives)
        if all(isinstance(each, Data) for each in alternatives):
            return self.select(made, lambda _, alternative: alternative)
        return made

    def select(self, made: Selection, use: Use) -> Symbol:
        """Emit a node that uses only the alternative that data picks."""
        captures, bodies = Captures(0), []
        self.depth += 1
        self.reach(self.depth)
        try:
            for alternative in made.alternatives:
                bodies.append(self.body(0, _used(use, alternative), captures)[0])
        except TooLarge:
            raise
        except NotFirstOrder:
            return self.spread(made, use)
        finally:
            self.depth -= 1
        operands = [made.picked.node, *captures.nodes]
        return self.emit(NodeKind.SELECT, args=operands, bodies=bodies, value=made.by)

    def spread(self, made: Selection, use: Use) -> Symbol:
        """Return a choice among the results of alternatives that run the same nodes. Making a function runs none."""
        outer, tried, results = self.frame, [], []
        for alternative in made.alternatives:
            self.frame = outer.branch(self.depth)
            tried.append(self.frame)
            try:
                results.append(use(lambda symbol: symbol, alternative))
            except AlwaysRaises:
                raise NotFirstOrder("one of the functions to choose from cannot be used") from None
            finally:
                outer.deepest = max(outer.deepest, self.frame.deepest)
                self.frame = outer
        if any(frame.entries != tried[0].entries for frame in tried):
            raise NotFirstOrder("functions to choose from that do different work")
        outer.entries += tried[0].entries
        outer.lines += tried[0].lines
        return self.choose(made.picked, made.by, tuple(results))


def _used(use: Use, alternative: Symbol) -> Build:
    return lambda lift, _: use(lift, lift(alternative))
