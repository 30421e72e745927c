"""Graphs: when two nodes are one, what a node depends on, what a slice reaches."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.errors import UsageError
from batt.ir.graph import (
    Body,
    Builder,
    Graph,
    Level,
    Node,
    NodeKind,
    Slice,
    inputs_of,
    is_input,
    parameter_number,
    reached,
    rebuild,
)
from batt.ops import OPS
from batt.types import Kind, OrderedSet
from graph_text import from_text

LEVELS = """
%0 = input S
%1 = input I
%2 = input C
%3 = arg 0
%4 = const 1
%5 = call increment(%4)
%6 = call size(%0)
%7 = call add(%6, %5)
%8 = call vmirror(%1)
%9 = tuple(%7, %8)
%10 = tuple(%2)
%11 = call increment(%3)
@0 = body(1): %11 -> %11
%12 = loop apply[@0](%0)
%13 = loop apply[@0](%8)
%14 = raise TypeError
%15 = charge 3
%16 = charge 3(%6)
solve: %5 %6 %7 %8 %9 %10 %12 %13 %15 %16 %14 -> %14
"""

ALIKE = Node(NodeKind.LOOP, OPS["apply"], (1, 2), (0,))


def test_a_node_that_is_there_is_not_added_again():
    builder = Builder()
    grid = builder.add(NodeKind.INPUT, value="I")
    first = builder.add(NodeKind.CALL, OPS["vmirror"], (grid,))
    assert builder.add(NodeKind.CALL, OPS["vmirror"], (grid,)) == first
    assert builder.nodes == [Node(NodeKind.INPUT, value="I"), Node(NodeKind.CALL, OPS["vmirror"], (grid,))]


@pytest.mark.parametrize(
    "other",
    [
        Node(NodeKind.CALL, OPS["apply"], (1, 2), (0,)),
        Node(NodeKind.LOOP, OPS["mapply"], (1, 2), (0,)),
        Node(NodeKind.LOOP, OPS["apply"], (2, 1), (0,)),
        Node(NodeKind.LOOP, OPS["apply"], (1, 2), (1,)),
        Node(NodeKind.LOOP, OPS["apply"], (1, 2), (0,), 5),
    ],
)
def test_nodes_that_differ_in_anything_are_two(other: Node):
    builder = Builder()
    numbers = [builder.add(n.kind, n.op, n.args, n.bodies, n.value) for n in (ALIKE, other, ALIKE)]
    assert numbers == [0, 1, 0]


@pytest.mark.parametrize(
    ("one", "other", "are_one"),
    [
        (1, True, True),
        ((0, 1), (False, True), True),
        (OrderedSet([2, 1]), frozenset([1, 2]), True),
        ((), OrderedSet(), False),
        (0, None, False),
        ((1,), 1, False),
    ],
)
def test_constants_are_one_node_where_their_values_are_equal(one: Any, other: Any, are_one: bool):
    builder = Builder()
    numbers = {builder.add(NodeKind.CONST, value=value) for value in (one, other)}
    assert (len(numbers) == 1) is are_one


def test_a_body_that_is_there_is_not_added_again():
    builder = Builder()
    bodies = [Body(1, (3, 4), 4), Body(1, (3, 4), 4), Body(2, (3, 4), 4), Body(1, (4, 3), 4), Body(1, (3, 4), 3)]
    assert [builder.add_body(body) for body in bodies] == [0, 0, 1, 2, 3]


def test_a_graph_is_not_changed_by_what_is_added_after_it():
    builder = Builder()
    builder.add(NodeKind.CONST, value=1)
    graph = builder.graph()
    builder.add(NodeKind.CONST, value=2)
    builder.slices.append(Slice("a", (), 0))
    assert graph == Graph((Node(NodeKind.CONST, value=1),), (), ())


def test_hints_and_lines_are_no_part_of_what_a_graph_is():
    node = Node(NodeKind.INPUT, value="I")
    plain = Graph((node,), (), (Slice("a", (), 0),))
    noted = Graph((node,), (), (Slice("a", (), 0, (1,)),), (Kind.GRID,))
    assert plain == noted
    assert hash(plain) == hash(noted)


def test_a_slice_is_found_by_its_name():
    graph = from_text("%0 = input I\na: -> %0\nb: -> %0\n")
    assert graph.slice_of("b") == Slice("b", (), 0)
    with pytest.raises(UsageError, match="no program 'c' in the graph"):
        graph.slice_of("c")


def test_a_node_depends_on_the_most_that_its_operands_depend_on():
    task, sample, body, constant = Level.TASK, Level.SAMPLE, Level.BODY, Level.CONSTANT
    expected = [task, sample, sample, body, constant, constant, task, task, sample, sample, sample, body]
    assert from_text(LEVELS).levels() == (*expected, task, sample, constant, constant, task)


def test_what_reads_a_parameter_is_constant_for_an_assignment_only():
    graph = from_text("%0 = input P0\n%1 = input S\n%2 = tuple(%0, %1)\n%3 = tuple(%1)\na: %2 %3 -> %2\n")
    assert graph.levels() == (Level.ASSIGNMENT, Level.TASK, Level.ASSIGNMENT, Level.TASK)


def test_programs_of_more_than_three_parameters_have_parameters_beside_the_inputs():
    assert inputs_of(1) == ("I",)
    assert inputs_of(3) == ("S", "I", "C")
    assert inputs_of(5) == ("S", "I", "C", "P0", "P1")
    assert [parameter_number(name) for name in inputs_of(5)] == [None, None, None, 0, 1]
    assert [name for name in ("S", "P0", "P16", "P01", "P", "x", "P-1") if is_input(name)] == ["S", "P0", "P16"]


@pytest.mark.parametrize(
    ("node", "own"),
    [
        (Node(NodeKind.CALL, OPS["add"], (1, 2)), 2),
        (Node(NodeKind.TUPLE, None, (1, 2, 3)), 3),
        (Node(NodeKind.LOOP, OPS["apply"], (1, 2, 3), (0,)), 1),
        (Node(NodeKind.LOOP, OPS["papply"], (1, 2, 3), (0,)), 2),
        (Node(NodeKind.REPEAT, None, (1, 2, 3), (0,)), 1),
        (Node(NodeKind.SELECT, None, (1, 2, 3), (0, 1), "truth"), 1),
        (Node(NodeKind.INVOKE, None, (1, 2, 3), (0,)), 0),
        (Node(NodeKind.CHARGE, None, (1, 2), (), 4), 2),
    ],
)
def test_operands_beyond_a_nodes_own_go_to_its_bodies(node: Node, own: int):
    assert node.own_operands == own


def test_a_slice_reaches_what_it_runs_and_reads_and_what_its_bodies_do():
    graph = from_text(
        """
%0 = input I
%1 = arg 0
%2 = const 7
%3 = call vmirror(%1)
@0 = body(1): %3 -> %3
%4 = loop apply[@0](%1)
%5 = call hmirror(%1)
@1 = body(1): %4 -> %2
%6 = loop apply[@1](%0)
%7 = call rot90(%0)
a: %6 -> %6
b: %7 -> %0
"""
    )
    assert reached(graph, [graph.slice_of("a")]) == {0, 1, 2, 3, 4, 6}
    assert reached(graph, [graph.slice_of("b")]) == {0, 7}
    assert reached(graph) == {0, 1, 2, 3, 4, 6, 7}
    assert reached(graph, []) == set()


def test_a_node_of_another_graph_is_added_under_new_numbers():
    builder = Builder()
    for value in range(9):
        builder.add(NodeKind.CONST, value=value)
    number = rebuild(builder, ALIKE, {1: 8, 2: 3}, {0: 5})
    assert builder.nodes[number] == Node(NodeKind.LOOP, OPS["apply"], (8, 3), (5,))
    assert rebuild(builder, ALIKE, {1: 8, 2: 3}, {0: 5}) == number


@given(st.lists(st.tuples(st.sampled_from(["rot90", "vmirror", "add", "astuple"]), st.integers(0), st.integers(0))))
def test_the_same_nodes_have_the_same_numbers_whatever_else_is_added(calls: list[tuple[str, int, int]]):
    builder = Builder()
    numbers = [builder.add(NodeKind.INPUT, value="I")]
    for _ in range(2):
        made = numbers[:1]
        for name, a, b in calls:
            args = [made[a % len(made)], made[b % len(made)]][: OPS[name].arity]
            made.append(builder.add(NodeKind.CALL, OPS[name], tuple(args)))
        numbers = made
    assert len(set(builder.nodes)) == len(builder.nodes) == len(set(numbers))
    assert all(arg < number for number, node in enumerate(builder.nodes) for arg in node.args)
