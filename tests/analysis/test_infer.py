"""Likely kinds: what they say, and how often the values of a run bear them out."""

from __future__ import annotations

from typing import Any

import pytest

from batt.analysis.infer import infer
from batt.ir.graph import Graph, Node, NodeKind, Slice
from batt.ir.text import to_text
from batt.ops import OPS
from batt.types import Kind
from graph_text import from_text
from rearc import deck_graph
from watching import graph_of, watched


def hint_of(*lines: str) -> str:
    graph = infer(graph_of(lines))
    return str(graph.hints[graph.slices[0].result])


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("x = vmirror(I)", "grid"),
        ("x = first(I)", "tuple"),
        ("x = first(first(I))", "int"),
        ("x = objects(I, T, F, T)", "objects"),
        ("x = first(objects(I, T, F, T))", "object"),
        ("x = first(asobject(I))", "cell"),
        ("x = last(first(asobject(I)))", "pair"),
        ("x = first(first(asobject(I)))", "int"),
        ("x = vmirror(first(fgpartition(I)))", "object"),
        ("x = shift(ofcolor(I, ONE), UP)", "indices"),
        ("x = merge(fgpartition(I))", "object"),
        ("x = apply(first, asindices(I))", "set"),
        ("x = maximum(apply(first, asindices(I)))", "int"),
        ("x = apply(lbind(shift, asindices(I)), asindices(I))", "set"),
        ("x = mapply(lbind(shift, asindices(I)), asindices(I))", "indices"),
        ("x = sfilter(fgpartition(I), hline)", "objects"),
        ("x = sfilter(I, size)", "grid"),
        ("x = argmax(fgpartition(I), size)", "object"),
        ("x = valmax(fgpartition(I), size)", "int"),
        ("x = product(interval(ZERO, TWO, ONE), interval(ZERO, TWO, ONE))", "indices"),
        ("x = papply(astuple, first(I), first(I))", "tuple"),
        ("x = astuple(ONE, size(I))", "pair"),
        ("x = astuple(ONE, UP)", "cell"),
        ("x = (ONE, TWO)", "pair"),
        ("x = (I, I)", "tuple"),
        ("x = merge((I, I))", "grid"),
        ("x = hsplit(I, TWO)", "tuple"),
        ("x = first(hsplit(I, TWO))", "grid"),
        ("x = combine((), I)", "grid"),
        ("x = insert(UP, initset(DOWN))", "indices"),
        ("x = branch(size(I), UP, ONE)", "num"),
        ("x = branch(size(I), I, first(fgpartition(I)))", "element"),
        ("x = branch(size(I), vmirror, hmirror)(I)", "grid"),
        ("x = branch(size(I), asindices, asobject)(I)", "patch"),
        ("x = branch(size(I), first, size)(I)", "any"),
        ("x = power(vmirror, size(I))(I)", "grid"),
        ("x = power(initset, size(I))(I)", "set"),
        ("x = power(increment, size(I))(UP)", "pair"),
        ("x = add(UP, size(I))", "pair"),
        ("x = first(S)", "tuple"),
        ("x = last(first(S))", "grid"),
        ("x = apply(first, S)", "tuple"),
        ("x = first(apply(first, S))", "grid"),
        ("x = C", "grid"),
        ("x = first(())", "any"),
        ("x = maximum(())", "int"),
        ("x = rbind(even, ONE)(I)", "any"),
    ],
)
def test_the_kind_of_a_result(line: str, kind: str):
    assert hint_of(line) == kind


def test_functions_become_bodies_that_are_followed():
    lines = ["f = identity", *["f = fork(combine, f, f)"] * 8, "y = f(I)", "x = first(y)"]
    assert NodeKind.INVOKE in {node.kind for node in graph_of(lines).nodes}
    assert hint_of(*lines) == "tuple"


def test_a_node_that_several_bodies_share_has_the_kind_that_covers_all():
    graph = infer(graph_of(["x = apply(first, fgpartition(I))"], ["x = apply(first, asindices(I))"]))
    (shared,) = [n for n, node in enumerate(graph.nodes) if node.op is OPS["first"]]
    assert graph.hints[shared] is Kind.ANY
    assert [str(graph.hints[each.result]) for each in graph.slices] == ["object", "set"]


def test_what_no_slice_reaches_may_be_anything():
    graph = Graph((Node(NodeKind.CONST, value=1), Node(NodeKind.INPUT, value="I")), (), (Slice("s", (), 1),))
    assert infer(graph).hints == (Kind.ANY, Kind.GRID)


def fits(value: Any, kind: Kind) -> bool:
    """Whether a value is of a kind; empty tuples and sets are of every kind of tuple or set."""
    match kind:
        case Kind.BOOL | Kind.INT:
            return isinstance(value, int) and (kind is Kind.INT or value in (0, 1))
        case Kind.PAIR:
            return isinstance(value, tuple) and [isinstance(item, int) for item in value] == [True, True]
        case Kind.CELL:
            return isinstance(value, tuple) and list(map(fits, value, (Kind.INT, Kind.PAIR))) == [True, True]
        case Kind.GRID:
            rows = isinstance(value, tuple) and all(
                isinstance(row, tuple) and len(row) == len(value[0]) for row in value
            )
            return rows and all(isinstance(item, int) for row in value for item in row)
        case Kind.OBJECT | Kind.INDICES | Kind.OBJECTS:
            of = {Kind.OBJECT: Kind.CELL, Kind.INDICES: Kind.PAIR, Kind.OBJECTS: Kind.OBJECT}[kind]
            return isinstance(value, frozenset) and all(fits(item, of) for item in value)
        case Kind.TUPLE | Kind.SET:
            return isinstance(value, tuple if kind is Kind.TUPLE else frozenset)
    either = {
        Kind.NUM: (Kind.INT, Kind.PAIR),
        Kind.PATCH: (Kind.OBJECT, Kind.INDICES),
        Kind.ELEMENT: (Kind.GRID, Kind.OBJECT),
        Kind.PIECE: (Kind.GRID, Kind.OBJECT, Kind.INDICES),
        Kind.CONTAINER: (Kind.TUPLE, Kind.SET),
    }
    return kind is Kind.ANY or any(fits(value, each) for each in either[kind])


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize(("name", "most"), [("first-132", 132), ("re-arc", 80)])
def test_values_are_of_the_kind_that_is_hinted(name: str, most: int, own: bool):
    graph = infer(deck_graph(name))
    hinted: dict[int, bool] = {}
    for _, watcher in watched(graph, own, most):
        for number, value in watcher.values:
            if graph.hints[number] is not Kind.ANY:
                hinted[number] = hinted.get(number, True) and fits(value, graph.hints[number])
    share = sum(hinted.values()) / len(hinted)
    print(f"{name}, {'own' if own else 'foreign'} samples: {share:.2%} of {len(hinted):,} hinted nodes always fit")
    assert share > 0.98
    assert len([hint for hint in graph.hints if hint is Kind.ANY]) < 0.02 * len(graph.hints)


@pytest.mark.parametrize("name", ["first-132", "re-arc"])
def test_inferring_again_changes_nothing_and_the_text_keeps_it(name: str):
    graph = deck_graph(name)
    inferred = infer(graph)
    assert inferred == graph
    assert infer(graph).hints == infer(inferred).hints == inferred.hints
    assert len(inferred.hints) == len(graph.nodes)
    assert from_text(to_text(inferred)).hints == inferred.hints


@pytest.mark.parametrize("line", ["x = astuple(x, x)", "x = initset(x)", "x = (x, x, x)", "x = repeat(x, TWO)"])
def test_kinds_of_items_are_followed_a_few_levels_deep(line: str):
    graph = infer(graph_of(["x = I", *[line] * 60]))
    assert {str(graph.hints[n]) for n in graph.slices[0].entries} <= {"tuple", "set"}
