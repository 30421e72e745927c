"""Nodes put in sequence. Owns what a program under way has emitted, and the sizes of containers of functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from batt.analysis.domain import ALWAYS
from batt.analysis.values import TUPLE
from batt.ir import Helper, Literal
from batt.ir.graph import Builder, Node, NodeKind
from batt.ops import Op
from batt.passes.specialize.frames import Frame
from batt.passes.specialize.values import (
    Data,
    Defined,
    Group,
    NotFirstOrder,
    Primitive,
    Symbol,
    TooLarge,
    defined,
    group,
    is_function,
)
from batt.types import Function

MAX_ENTRIES = 20_000
"""Nodes and calls in all sequences of one program, those tried in vain included."""

NEVER_A_TUPLE = frozenset([name for name, given in ALWAYS.items() if not given.shapes & TUPLE.shapes])
"""Ops whose results are ints or sets, whatever they are given."""


class Emitter:
    """The frame that is being filled, and the builder that its nodes go to."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.frame = Frame(builder)
        self.helpers: dict[Helper, Defined] = {}
        self.constants: dict[int, tuple[Any, Symbol]] = {}
        self.entries = 0
        self.line = 0

    def spend(self) -> None:
        """Count a node or a call."""
        self.entries += 1
        if self.entries > MAX_ENTRIES:
            raise TooLarge(f"more than {MAX_ENTRIES:,} steps when functions are written out")

    def leaf(self, kind: NodeKind, value: Any) -> Data:
        """A node that is there from the start."""
        return Data(self.builder.add_node(Node(kind, value=value)), kind is NodeKind.CONST)

    def emit(
        self,
        kind: NodeKind,
        op: Op | None = None,
        args: Sequence[int] = (),
        bodies: Sequence[int] = (),
        value: Any = None,
    ) -> Data:
        """Run a node here."""
        self.spend()
        number = self.builder.add_node(Node(kind, op, tuple(args), tuple(bodies), value))
        frame = self.frame
        frame.entries.append(number)
        frame.lines.append(self.line)
        return Data(number)

    def charge(self, steps: int, *symbols: Symbol) -> None:
        """Take steps, and the items of these symbols, from the budget."""
        nodes = []
        for symbol in symbols:
            if isinstance(symbol, Data):
                nodes.append(symbol.node)
            else:
                steps += self.items(symbol)
        if steps or nodes:
            self.emit(NodeKind.CHARGE, args=nodes, value=steps)

    def limit(self, made: Symbol) -> None:
        """End the evaluation if a container of functions that an op made has too many items."""
        count = self.items(made)
        # Every budget allows one item.
        if count > 1:
            self.emit(NodeKind.LIMIT, value=count)

    def items(self, symbol: Symbol) -> int:
        """The size of a function, or of a container of functions, by the rule of the meter."""
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
        raise NotFirstOrder("the size of a tuple of functions hangs on data")

    def is_no_tuple(self, symbol: Data) -> bool:
        """Whether data is the result of an op that never gives a tuple."""
        op = self.builder.nodes[symbol.node].op
        return op is not None and op.name in NEVER_A_TUPLE

    def is_constant(self, symbol: Symbol) -> bool:
        """Whether a symbol is data that is known already."""
        return isinstance(symbol, Data) and self.builder.nodes[symbol.node].kind is NodeKind.CONST

    def constant(self, symbol: Symbol) -> Any:
        """The value of constant data."""
        assert isinstance(symbol, Data)
        return self.builder.nodes[symbol.node].value

    def known(self, value: Any) -> Symbol:
        """The symbol of a value that stands in the source."""
        match value:
            case Op():
                return Primitive(value)
            case Helper():
                if value not in self.helpers:
                    self.helpers[value] = self.defined(value)
                return self.helpers[value]
            case tuple():
                # By identity: a large constant that is named often is looked through once.
                if id(value) not in self.constants:
                    self.constants[id(value)] = value, self.known_tuple(value)
                return self.constants[id(value)][1]
            case frozenset() if any(isinstance(item, Function) for item in value):
                raise NotFirstOrder("a set of functions as a constant")
            case Function():
                raise NotFirstOrder("a made function as a constant")
        return self.leaf(NodeKind.CONST, value)

    def known_tuple(self, value: tuple[Any, ...]) -> Symbol:
        """The symbol of a tuple: data, unless it holds functions."""
        items = tuple([self.known(item) for item in value])
        if all(isinstance(item, Data) for item in items):
            return self.leaf(NodeKind.CONST, value)
        return group(items, is_set=False)

    def defined(self, helper: Helper) -> Defined:
        """A helper, and how large it is with all the helpers that it names."""
        operands = [operand for step in helper.program.steps for operand in (step.callee, *step.args)]
        functions = [each.value for each in operands if isinstance(each, Literal) and isinstance(each.value, Helper)]
        return defined(helper, tuple([self.known(each) for each in functions]))

    def data(self, symbol: Symbol) -> Data:
        """A symbol as data; raises where it is a function or holds one."""
        if isinstance(symbol, Data):
            return symbol
        raise NotFirstOrder("a function as a value")
