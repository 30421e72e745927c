"""Bodies in the making, and choices among functions. Owns how a sequence is closed and how data picks what is run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from batt.ir.graph import Body, NodeKind
from batt.passes.specialize.emitter import Emitter
from batt.passes.specialize.frames import Captures, Frame
from batt.passes.specialize.values import AlwaysRaises, Data, NotFirstOrder, Selection, Symbol, TooLarge, selection

MAX_DEPTH = 60
"""Calls of functions within calls; the language allows 900, and deeper nesting is left to the reference engine."""

Lift: TypeAlias = Callable[[Symbol], Symbol]
"""How symbols of the frame around come into a body."""
Build: TypeAlias = Callable[[Lift, tuple[Symbol, ...]], Symbol]
"""What fills a body, given its parameters."""
Use: TypeAlias = Callable[[Lift, Symbol], Symbol]
"""What is done with a symbol of the frame that is being filled, where others have to be lifted into it."""


class Bodies(Emitter):
    """Frames within frames, and how deeply calls are nested in them."""

    depth = 0

    def reach(self, depth: int) -> None:
        """Take note of how deeply calls are nested here."""
        self.frame.deepest = max(self.frame.deepest, depth)
        if depth > MAX_DEPTH:
            raise TooLarge(f"functions call one another more than {MAX_DEPTH} deep")

    def close(self, build: Callable[[], Symbol]) -> int:
        """Fill the current frame; the node that is its result, which always raises where the sequence does."""
        try:
            return self.data(build()).node
        except AlwaysRaises as error:
            return self.emit(NodeKind.RAISE, value=error.kind).node

    def body(self, params: int, build: Build, captures: Captures | None = None) -> tuple[int, tuple[int, ...]]:
        """A new body, and the nodes of this frame that it captures."""
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
        """The alternative that data picks: worked out where all are data, else a choice."""
        if all(each is alternatives[0] for each in alternatives):
            return alternatives[0]
        made = selection(picked, by, alternatives)
        if all(isinstance(each, Data) for each in alternatives):
            return self.select(made, lambda _, alternative: alternative)
        return made

    def select(self, made: Selection, use: Use) -> Symbol:
        """Use the alternative that data picks: only that one is run."""
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
        """A choice among results, where every alternative runs the same nodes: those that make functions run none."""
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
        for entry, line in zip(tried[0].entries, tried[0].lines, strict=True):
            outer.append(entry, line)
        return self.choose(made.picked, made.by, tuple(results))


def _used(use: Use, alternative: Symbol) -> Build:
    return lambda lift, _: use(lift, lift(alternative))
