"""Graphs run with abstract values: how often bodies are walked."""

from __future__ import annotations

from collections import Counter

import pytest

from batt.analysis.domain import CERTAIN, LIKELY
from batt.analysis.infer import impossible, infer
from batt.analysis.values import UNKNOWN
from batt.analysis.walk import MAX_VARIANTS, Walk
from batt.ir.graph import Body, Builder, Graph, NodeKind, Slice
from batt.ops import OPS
from watching import graph_of


def doubling(levels: int, wrap: str) -> Graph:
    """Bodies that each run the one before twice: on their argument, and on that with something around it."""
    builder = Builder()
    argument, one = builder.add(NodeKind.ARG, value=0), builder.add(NodeKind.CONST, value=1)
    wrapped = builder.add(NodeKind.CALL, OPS[wrap], (argument, one)[: OPS[wrap].arity])
    body = builder.add_body(Body(1, (wrapped,), wrapped))
    for _ in range(levels):
        left, right = (builder.add(NodeKind.INVOKE, args=(each,), bodies=(body,)) for each in (argument, wrapped))
        both = builder.add(NodeKind.CALL, OPS["astuple"], (left, right))
        body = builder.add_body(Body(1, (wrapped, left, right, both), both))
    result = builder.add(NodeKind.INVOKE, args=(builder.add(NodeKind.INPUT, value="I"),), bodies=(body,))
    builder.slices.append(Slice("s", (result,), result))
    return builder.graph()


@pytest.mark.parametrize("wrap", ["initset", "astuple", "identity"])
def test_a_body_is_walked_a_bounded_number_of_times(wrap: str):
    graph = doubling(40, wrap)
    for walk in (Walk(graph, LIKELY), Walk(graph, CERTAIN)):
        walked = Counter([body for body, _ in walk.traces])
        assert len(walked) == len(graph.bodies)
        assert max(walked.values()) <= MAX_VARIANTS + 1
    assert len(infer(graph).hints) == len(graph.nodes)
    assert impossible(graph) == ()


def test_a_body_beyond_that_is_walked_knowing_nothing():
    kinds = ["I", "S", "ONE", "UP", "asindices(I)", "asobject(I)", "fgpartition(I)", "first(I)", "first(S)"]
    pairs = [(a, b) for a in kinds for b in kinds]
    graph = infer(graph_of(*[[f"x = apply(lbind(astuple, {a}), initset({b}))"] for a, b in pairs]))
    walk = Walk(graph, LIKELY)
    assert len(walk.traces) < len(pairs)
    assert (0, (UNKNOWN,) * 2) in walk.traces
    assert {str(graph.hints[each.result]) for each in graph.slices} == {"set", "indices", "object"}
