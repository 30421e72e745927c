"""The rules of graphs: decks keep them, every rule is noticed when it is broken, and a graph that keeps them runs."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import batt
from batt.errors import InternalError
from batt.ir.graph import Body, Graph, Node, NodeKind, Slice
from batt.ir.interpreter import Interpreter, function_position
from batt.ir.spec import SHAPES, Stage, check, problems
from batt.ir.text import to_text
from batt.ops import METER, OPS, RAISABLE, OverBudget
from batt.types import Kind
from graph_text import from_text
from rearc import deck_graph

GRID = ((1, 2), (3, 4))

GOOD = """
%0 = input I
%1 = arg 0
%2 = arg 1
%3 = call add(%1, %2)
@0 = body(1): %3 -> %3
%4 = const 5
%5 = call palette(%0)
%6 = loop apply[@0](%5; %4)
%7 = call size(%6)
@1 = body(1): %3 -> %1
%8 = select truth[@0, @1](%7; %7, %4)
%9 = count(%8)
%10 = repeat[@0](%9; %7, %4)
%11 = invoke[@1](%10, %4)
%12 = charge 2(%11)
@2 = body(2): %3 -> %3
%13 = loop papply[@2](%6, %6)
solve: 1: %5 %6 2: %7 %8 %9 %10 3: %11 %12 %13 -> %13
other: %5 %5 -> %4
"""


@pytest.mark.parametrize("name", ["first-132", "re-arc"])
def test_a_deck_keeps_all_rules(name: str):
    graph = deck_graph(name)
    assert problems(graph, Stage.FIRST_ORDER) == problems(graph, Stage.SIMPLIFIED) == []
    check(graph, Stage.FIRST_ORDER)


def test_a_good_graph_has_no_problems():
    assert problems(from_text(GOOD), Stage.FIRST_ORDER) == []


def test_every_kind_of_node_has_its_shape():
    assert set(SHAPES) == set(NodeKind)


def test_a_loop_hands_over_one_item_or_two_side_by_side():
    loops = [op for op in OPS.values() if function_position(op) is not None]
    assert {op.arity - 1 for op in loops} == {1, 2}
    assert {op.name for op in loops if op.arity == 3} == {"papply", "mpapply", "prapply"}


def test_inferred_graphs_have_a_hint_for_every_node():
    graph = from_text(GOOD)
    count = len(graph.nodes)
    assert problems(graph, Stage.INFERRED) == [f"0 hints for {count} nodes"]
    for stage in Stage:
        assert problems(Graph(graph.nodes, graph.bodies, graph.slices, (Kind.ANY,) * count), stage) == []
        some = Graph(graph.nodes, graph.bodies, graph.slices, (Kind.ANY,) * 3)
        assert problems(some, stage) == [f"3 hints for {count} nodes"]
    wrong: Any = ("grid",) * count
    assert problems(Graph(graph.nodes, graph.bodies, graph.slices, wrong), Stage.INFERRED)[0] == "%0: 'grid' is no kind"


BROKEN = [
    # Numbers
    ("%0 = tuple(%1)\n%1 = input I\na: %0 -> %0", "%0 = tuple(%1): operands come before the node that reads them"),
    ("%0 = tuple(%0)\na: %0 -> %0", "%0 = tuple(%0): operands come before the node that reads them"),
    (
        "%0 = input I\n%1 = invoke[@0](%0)\n%2 = arg 0\n@0 = body(1): -> %2\na: %1 -> %1",
        "%1 = invoke[@0](%0): a body's nodes come before the node that runs it",
    ),
    (
        "%0 = input I\n%1 = invoke[@0](%0)\n@0 = body(1): %1 -> %1\na: %1 -> %1",
        "%1 = invoke[@0](%0): a body's nodes come before the node that runs it",
    ),
    # Shapes
    ("%0 = input J\na: -> %0", "%0 = input J: not a value of a input node"),
    ("%0 = arg -1\na: -> %0", "%0 = arg -1: not a value of a arg node"),
    ("%0 = charge -1\na: %0 -> %0", "%0 = charge -1: not a value of a charge node"),
    ("%0 = raise OSError\na: %0 -> %0", "%0 = raise OSError: not a value of a raise node"),
    ("%0 = const 1(%0)\na: -> %0", "%0 = const 1(%0): operands come before the node that reads them"),
    ("%0 = const 1\n%1 = const 2(%0)\na: -> %0", "a const node has 0 operands and 0 bodies"),
    ("%0 = const 1\n%1 = call add(%0)\na: %1 -> %1", "%1 = call add(%0): add takes 2 operands"),
    ("%0 = const 1\n%1 = call power(%0, %0)\na: %1 -> %1", "%1 = call power(%0, %0): no node makes a function"),
    ("%0 = arg 0\n@0 = body(1): -> %0\n%1 = call size[@0](%0)\na: %1 -> %1", "call node has 0 or more operands and 0"),
    ("%0 = const 1\n%1 = count(%0, %0)\na: %1 -> %1", "a count node has 1 operands and 0 bodies"),
    ("%0 = const 1\n%1 = repeat(%0; %0)\na: %1 -> %1", "a repeat node has 2 or more operands and 1 bodies"),
    ("%0 = arg 0\n@0 = body(1): -> %0\n%1 = repeat[@0](%0)\na: %1 -> %1", "a repeat node has 2 or more operands"),
    ("%0 = arg 0\n@0 = body(1): -> %0\n%1 = loop size[@0](%0)\na: %1 -> %1", "size calls no function"),
    ("%0 = arg 0\n@0 = body(1): -> %0\n%1 = loop compose[@0](%0)\na: %1 -> %1", "no node makes a function"),
    (
        "%0 = const 1\n%1 = arg 0\n@0 = body(2): -> %1\n%2 = loop papply[@0](%0)\na: %2 -> %2",
        "%2 = loop papply[@0](%0): papply takes 2 operands besides its function",
    ),
    (
        "%0 = const 1\n%1 = arg 0\n@0 = body(1): -> %1\n%2 = loop papply[@0](%0, %0)\na: %2 -> %2",
        "%2 = loop papply[@0](%0, %0): the body takes 2 before its captures",
    ),
    (
        "%0 = const 1\n%1 = arg 0\n@0 = body(2): -> %1\n%2 = loop apply[@0](%0)\na: %2 -> %2",
        "%2 = loop apply[@0](%0): the body takes 1 before its captures",
    ),
    (
        "%0 = const 1\n%1 = arg 0\n@0 = body(2): -> %1\n%2 = repeat[@0](%0; %0)\na: %2 -> %2",
        "%2 = repeat[@0](%0; %0): the body takes 1 before its captures",
    ),
    ("%0 = const 1\n@0 = body(0): -> %0\n%2 = select truth[@0](%0)\na: %2 -> %2", "truth picks one of two bodies"),
    ("%0 = const 1\n@0 = body(0): -> %0\n%2 = select size[@0](%0)\na: %2 -> %2", "not a value of a select node"),
    (
        "%0 = const 1\n@0 = body(0): -> %0\n@1 = body(1): -> %0\n%1 = select truth[@0, @1](%0; %0)\na: %1 -> %1",
        "bodies take the same number of arguments, and no more than are passed",
    ),
    ("%0 = const 1\n@0 = body(2): -> %0\n%1 = invoke[@0](%0)\na: %1 -> %1", "and no more than are passed"),
    # Sequences
    ("%0 = input I\na: %0 -> %0", "a: %0 = input I: a leaf is in no sequence"),
    ("%0 = const 1\n%1 = call size(%0)\na: %1 %0 -> %1", "a: %0 = const 1: a leaf is in no sequence"),
    (
        "%0 = input I\n%1 = call size(%0)\n%2 = tuple(%1)\na: %2 %1 -> %2",
        "a: %2 = tuple(%1): %1 is read before it is run",
    ),
    ("%0 = input I\n%1 = call size(%0)\na: -> %1", "a: the result: %1 is read before it is run"),
    ("%0 = input I\n%1 = charge 1\n%2 = tuple(%1)\na: %1 %2 -> %2", "a: %2 = tuple(%1): a charge has no value to read"),
    ("%0 = charge 1\na: %0 -> %0", "a: the result: a charge has no value to read"),
    ("%0 = arg 0\n%1 = tuple(%0)\na: %1 -> %1", "a: %1 = tuple(%0): only a body has arguments"),
    ("%0 = arg 0\na: -> %0", "a: the result: only a body has arguments"),
    (
        "%0 = input I\n%1 = tuple(%0)\n@0 = body(0): %1 -> %1\n%2 = invoke[@0]()\na: %2 -> %2",
        "@0: %1 = tuple(%0): a body is closed: it reads no input",
    ),
    ("%0 = input I\n@0 = body(0): -> %0\n%1 = invoke[@0]()\na: %1 -> %1", "@0: the result: a body is closed"),
    (
        "%0 = const 1\n%1 = tuple(%0)\n@0 = body(0): -> %1\n%2 = invoke[@0]()\na: %1 %2 -> %2",
        "@0: the result: %1 is read before it is run",
    ),
    (
        "%0 = input I\n%1 = arg 1\n@0 = body(1): -> %1\n%2 = invoke[@0](%0)\na: %2 -> %2",
        "%2 = invoke[@0](%0): @0 reads 2 arguments, 1 are passed",
    ),
    (
        "%0 = input I\n%1 = arg 2\n%2 = tuple(%1)\n@0 = body(1): %2 -> %2\n%3 = loop apply[@0](%0; %0)\n"
        "%4 = loop apply[@0](%0; %0, %0)\na: %4 %3 -> %3",
        "%3 = loop apply[@0](%0; %0): @0 reads 3 arguments, 2 are passed",
    ),
    (
        "%0 = const 1\n%1 = arg 1\n@0 = body(1): -> %1\n%2 = repeat[@0](%0; %0)\na: %2 -> %2",
        "%2 = repeat[@0](%0; %0): @0 reads 2 arguments, 1 are passed",
    ),
    (
        "%0 = const 1\n%1 = arg 0\n@0 = body(0): -> %1\n%2 = select number[@0](%0)\na: %2 -> %2",
        "%2 = select number[@0](%0): @0 reads 1 arguments, 0 are passed",
    ),
    # The whole
    (
        "%0 = const 1\n%1 = const 1\n%2 = tuple(%0, %1)\na: %2 -> %2",
        "%1 = const 1: equal nodes are one, and %0 is equal",
    ),
    (
        "%0 = const 1\n@0 = body(0): -> %0\n@1 = body(0): -> %0\n%1 = select number[@0, @1](%0)\na: %1 -> %1",
        "@1: equal bodies are one, and @0 is equal",
    ),
    ("%0 = input I\na: -> %0\na: -> %0", "a: a name belongs to one slice"),
    ("%0 = input I\n%1 = input S\na: -> %0", "%1 = input S: every node is reached by some slice"),
    ("%0 = input I\n@0 = body(0): -> %0", "@0: the result: a body is closed: it reads no input"),
    ("%0 = const 1\n@0 = body(0): -> %0\na: -> %0", "@0: every body is reached by some slice"),
]


@pytest.mark.parametrize(("text", "rule"), BROKEN)
def test_a_broken_rule_is_told_with_its_place(text: str, rule: str):
    found = problems(from_text(text), Stage.FIRST_ORDER)
    assert any(rule in problem for problem in found), found
    with pytest.raises(InternalError, match=re.escape(f"not a first-order graph: {found[0]}")):
        check(from_text(text), Stage.FIRST_ORDER)


INPUT = Node(NodeKind.INPUT, value="I")
MISSHAPEN: list[tuple[Node, str]] = [
    (Node(NodeKind.CONST, value=OPS["size"]), "a constant is made of ints, None, tuples and sets"),
    (Node(NodeKind.CONST, value=(1, ((OPS["size"],),))), "a constant is made of ints, None, tuples and sets"),
    (Node(NodeKind.CONST, value=frozenset({OPS["size"]})), "a constant is made of ints, None, tuples and sets"),
    (Node(NodeKind.CONST, value=[1]), "a constant is made of ints, None, tuples and sets"),
    (Node(NodeKind.CONST, value="1"), "a constant is made of ints, None, tuples and sets"),
    (Node(NodeKind.INPUT, value=["I"]), "not a value of a input node"),
    (Node(NodeKind.RAISE, value=[]), "not a value of a raise node"),
    (Node(NodeKind.ARG, value=None), "not a value of a arg node"),
    (Node(NodeKind.TUPLE, value=1), "not a value of a tuple node"),
    (Node(NodeKind.TUPLE, OPS["size"]), "a tuple node has no op"),
    (Node(NodeKind.CALL), "a call node has an op"),
    (Node(NodeKind.LOOP), "a loop node has an op"),
    (Node(NodeKind.CALL, OPS["size"], (-1,)), "operands come before the node that reads them"),
    (Node(NodeKind.INVOKE, None, (), (0,)), "a node runs bodies that exist"),
]


@pytest.mark.parametrize(("node", "rule"), MISSHAPEN, ids=lambda value: value if isinstance(value, str) else "")
def test_what_cannot_be_printed_is_told_as_well(node: Node, rule: str):
    found = problems(Graph((INPUT, node), (), (Slice("a", (1,), 1),)), Stage.FIRST_ORDER)
    assert [problem.endswith(rule) for problem in found] == [True]


@pytest.mark.parametrize(
    ("graph", "rule"),
    [
        (Graph((INPUT,), (Body(0, (), 1),), (Slice("a", (), 0),)), "@0: a body holds nodes that exist"),
        (Graph((INPUT,), (), (Slice("a", (-1,), 0),)), "a: a slice holds nodes that exist"),
        (Graph((INPUT,), (), (Slice("a", (), 1),)), "a: a slice holds nodes that exist"),
        (Graph((INPUT,), (), (Slice("a", (), 0, (1,)),)), "a: every entry has a line, or none has"),
    ],
)
def test_numbers_must_be_there_and_lines_as_many_as_entries(graph: Graph, rule: str):
    assert problems(graph, Stage.FIRST_ORDER) == [rule]


def test_further_problems_are_counted():
    graph = Graph((INPUT,), (), (Slice("a", (5,), 0), Slice("b", (), 9)))
    with pytest.raises(InternalError, match=r"a: a slice holds nodes that exist \(and 1 more\)"):
        check(graph, Stage.SIMPLIFIED)


def test_a_value_that_repeats_its_parts_is_looked_at_once():
    value: Any = ()
    for _ in range(10_000):
        value = (value, value)
    assert SHAPES[NodeKind.CONST].is_value(value)


# Graphs rewired at random: those that keep the rules run, the others are told and not run.


@st.composite
def rewired(draw: st.DrawFn) -> Graph:
    """A good graph in which numbers of nodes and bodies, or words, are replaced by others of the same text."""
    graph = draw(st.sampled_from([deck_graph(name) for name in ("first-132", "re-arc")]))
    text = draw(st.sampled_from([GOOD, to_text(graph, [draw(st.sampled_from(graph.slices)).name])]))
    lines = text.strip().split("\n")
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        places = list(re.finditer(r"(?<!^)[%@]\d+|\b\w+\(", lines[at]))
        if places:
            place = draw(st.sampled_from(places))
            kind = place.group()[0]
            alike = [each for each in re.findall(r"[%@]\d+|\b\w+\(", text) if kind not in "%@" or each[0] == kind]
            lines[at] = lines[at][: place.start()] + draw(st.sampled_from(alike)) + lines[at][place.end() :]
    try:
        return from_text("\n".join(lines))
    except batt.BattError:
        return from_text(text)


@given(rewired())
def test_a_graph_that_keeps_the_rules_runs_and_any_other_has_a_problem(graph: Graph):
    if problems(graph, Stage.FIRST_ORDER):
        return
    interpreter = Interpreter(graph, (((GRID, GRID),), GRID, None))
    for each in graph.slices:
        METER.reset(20_000, 1_000)
        try:
            interpreter.run_slice(each)
        except (*RAISABLE, OverBudget):
            continue


@given(st.integers(0, 10**6))
def test_a_line_that_is_left_out_is_missed(seed: int):
    chooser = random.Random(seed)
    graph = chooser.choice([deck_graph(name) for name in ("first-132", "re-arc")])
    graph = from_text(to_text(graph, [chooser.choice(graph.slices).name]))
    (each,) = graph.slices
    dropped = chooser.choice([n for n in each.entries if graph.nodes[n].kind not in (NodeKind.CHARGE, NodeKind.LIMIT)])
    entries = tuple([entry for entry in each.entries if entry != dropped])
    is_read = dropped in {each.result}.union(*[graph.nodes[entry].args for entry in entries])
    found = problems(Graph(graph.nodes, graph.bodies, (Slice("a", entries, each.result),)), Stage.FIRST_ORDER)
    assert any(f"%{dropped} is read before it is run" in problem for problem in found) == is_read
