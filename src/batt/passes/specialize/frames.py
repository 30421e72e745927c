"""The sequences that are being built, and what bodies capture of the frames around them.

Only its arguments are visible inside a body, so a symbol that crosses into a body is lifted: each node in it becomes an
argument of the body, passed by whatever runs it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from batt.ir.graph import Builder, NodeKind
from batt.passes.specialize.values import Closure, Data, Group, Mapped, Selection, Symbol


class Captures:
    """The nodes of the outer frame that a body reads, in the order of its further arguments."""

    def __init__(self, params: int) -> None:
        self.params = params
        self.position: dict[int, int] = {}

    def argument(self, node: int) -> int:
        """Return the number of the argument that passes an outer node in."""
        return self.position.setdefault(node, self.params + len(self.position))

    @property
    def nodes(self) -> tuple[int, ...]:
        """The captured nodes."""
        return tuple(self.position)


@dataclass(frozen=True, slots=True)
class Invoked:
    """The body of a function, None if it has none: its number, its captures, and how much deeper its calls go."""

    function: Symbol
    body: int | None
    captured: tuple[int, ...] = ()
    depth: int = 0


class Frame:
    """The sequence of a slice or of a body that is being built."""

    def __init__(self, builder: Builder, captures: Captures | None = None, depth: int = 0) -> None:
        self.builder = builder
        self.captures = captures
        self.deepest = depth
        self.entries: list[int] = []
        self.lines: list[int] = []
        self.invoked: dict[int, Invoked] = {}
        self._lifted: dict[int, tuple[Symbol, Symbol]] = {}

    def branch(self, depth: int) -> Frame:
        """Return a frame with the same outer frame, to try out what might come next."""
        tried = Frame(self.builder, self.captures, depth)
        tried._lifted = self._lifted
        return tried

    def lift(self, symbol: Symbol) -> Symbol:
        """Return a symbol of the outer frame as this body sees it."""
        if symbol.closed:
            return symbol
        known = self._lifted.get(id(symbol))
        if known is None:
            # The original is kept beside its copy: its identity is the key, and must not be used again.
            known = self._lifted[id(symbol)] = (symbol, self._lift(symbol))
        return known[1]

    def _lift(self, symbol: Symbol) -> Symbol:
        if isinstance(symbol, Data):
            assert self.captures is not None
            return Data(self.builder.add(NodeKind.ARG, value=self.captures.argument(symbol.node)))
        if isinstance(symbol, Closure):
            args = self._lift_all(symbol.args)
            return Closure(symbol.maker, args, symbol.arity, symbol.size, symbol.height, symbol.closed)
        if isinstance(symbol, Selection):
            picked = self.lift(symbol.picked)
            assert isinstance(picked, Data)
            return replace(symbol, picked=picked, alternatives=self._lift_all(symbol.alternatives))
        if isinstance(symbol, Group):
            return replace(symbol, items=self._lift_all(symbol.items))
        if isinstance(symbol, Mapped):
            states = self.lift(symbol.states)
            assert isinstance(states, Data)
            return replace(symbol, states=states, template=self.lift(symbol.template))
        return symbol

    def _lift_all(self, symbols: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
        return tuple([self.lift(each) for each in symbols])
