"""The printed form of graphs: it reads back as the same graph, and what is malformed has a place."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from batt.check.generate import random_source
from batt.errors import SourceError
from batt.front import Deck
from batt.ir.graph import Graph, Node, NodeKind, Slice, reached
from batt.ir.text import to_text
from batt.passes.merge import merge
from batt.passes.specialize import specialize
from batt.types import Kind, OrderedSet
from graph_text import MAX_NESTING, from_text
from marked import marks, told, unmarked
from rearc import deck_graph
from strategies import edge_ints, nested, small_ints

EVERY_KIND = """\
%0 = input S
%1 = input I
%2 = arg 0
%3 = const {(0, 1), (2,)}
%4 = call vmirror(%1)
%5 = call add(%2, %2)
@0 = body(1): %5 -> %5
%6 = loop apply[@0](%3)
%7 = arg 1
%8 = call add(%2, %7)
@1 = body(1): %8 %8 -> %2
%9 = loop mapply[@1](%3; %4)
%10 = tuple(%9)
%11 = tuple()
%12 = count(%9)
%13 = repeat[@1](%12; %9, %4)
%14 = select truth[@0, @1](%6; %9, %4)
@2 = body(0): -> %3
%15 = select number[@2, @2, @2](%12)
%16 = invoke[@1](%9, %4)
%17 = invoke[@2]()
%18 = charge 1
%19 = charge 12(%4, %9)
%20 = raise StopIteration
%21 = limit 30
solve_a: 2: %4 %6 %9 3: %10 %11 2: %12 %13 -> %13
"another one: 3 -> \\u2028": %4 %4 %18 %21 %20 -> %20
b: -> %1
"""


@pytest.fixture(params=["first-132", "re-arc"])
def graph(request: pytest.FixtureRequest) -> Graph:
    return deck_graph(request.param)


def hinted(graph: Graph, seed: int = 0) -> Graph:
    """The graph with hints made up."""
    kinds = random.Random(seed).choices(list(Kind), k=len(graph.nodes))
    return Graph(graph.nodes, graph.bodies, graph.slices, tuple(kinds))


def parts(graph: Graph) -> Any:
    """All that a graph holds, also what its equality leaves out."""
    return graph, graph.hints, [each.lines for each in graph.slices]


def test_every_kind_of_node_reads_and_prints_the_same():
    graph = from_text(EVERY_KIND)
    assert {node.kind for node in graph.nodes} == set(NodeKind)
    assert to_text(graph) == EVERY_KIND


def test_a_slice_has_the_line_of_each_entry_or_none():
    one, other, empty = from_text(EVERY_KIND).slices
    assert one == Slice("solve_a", (4, 6, 9, 10, 11, 12, 13), 13)
    assert one.lines == (2, 2, 2, 3, 3, 2, 2)
    assert (other.name, other.lines) == ("another one: 3 -> \u2028", ())
    assert (empty.entries, empty.lines) == ((), ())


def test_a_deck_reads_back_as_it_was_printed(graph: Graph):
    assert parts(from_text(to_text(graph))) == parts(graph)
    assert parts(from_text(to_text(hinted(graph)))) == parts(hinted(graph))


@given(st.integers(0, 10**9))
def test_a_program_reads_back_as_it_was_printed(seed: int):
    program = Deck.from_sources({"solve": random_source(seed)})[0].program
    graph = hinted(specialize([("solve", program)]).graph, seed)
    assert parts(from_text(to_text(graph))) == parts(graph)


@given(nested(small_ints | edge_ints | st.none() | st.sampled_from([2**4095, 2**4096, -(2**5000)])))
def test_a_constant_reads_back_equal_and_its_sets_are_ordered(value: Any):
    graph = Graph((Node(NodeKind.CONST, value=value),), (), (Slice("a", (), 0),))
    again = from_text(to_text(graph))
    assert again == graph
    waiting = [again.nodes[0].value]
    while waiting:
        top = waiting.pop()
        assert isinstance(top, int | tuple | OrderedSet | None)
        waiting.extend(top if isinstance(top, tuple | OrderedSet) else ())


@given(st.text(min_size=1) | st.sampled_from(["solve_a", "%1", "@1", "a b", '"', "\\", "input", "é", "#a", "->"]))
def test_a_slice_of_any_name_reads_back(name: str):
    graph = Graph((Node(NodeKind.INPUT, value="I"),), (), (Slice(name, (), 0),))
    assert from_text(to_text(graph)) == graph
    assert to_text(graph).count("\n") == 2


def test_nothing_prints_as_nothing():
    assert to_text(Graph((), (), ())) == ""
    assert from_text("") == Graph((), (), ())


def test_blank_lines_and_comments_are_passed_over():
    assert from_text("# what\n\n  \t\r\n%0 = input I\r\na: -> %0") == from_text("%0 = input I\na: -> %0\n")


def test_chosen_slices_are_printed_with_what_they_reach_under_its_own_numbers():
    text = to_text(hinted(from_text(EVERY_KIND)), ["b", "solve_a"])
    lines = text.splitlines()
    graph = from_text(EVERY_KIND)
    numbers = sorted(reached(graph, [graph.slice_of("solve_a")]))
    assert [int(line.split(" ")[0][1:]) for line in lines if line.startswith("%")] == numbers
    assert [line.split(" ")[0] for line in lines if line.startswith("@")] == ["@0", "@1"]
    assert lines[-2:] == ["b: -> %1", "solve_a: 2: %4 %6 %9 3: %10 %11 2: %12 %13 -> %13"]


def test_what_a_slice_reaches_reads_back_as_a_graph_of_its_own(graph: Graph):
    for each in graph.slices[::7]:
        alone = merge([Graph(graph.nodes, graph.bodies, (each,))])
        # Merging numbers bodies by the first node that runs them.
        assert merge([from_text(to_text(graph, [each.name]))]) == alone


def test_gaps_in_the_numbers_are_closed():
    graph = from_text(
        "%9 = call vmirror(%7)\n@8 = body(1): %9 -> %9\n%7 = input I\n%11 = invoke[@8](%7)\na: %11 -> %11"
    )
    assert to_text(graph) == (
        "%0 = input I\n%1 = call vmirror(%0)\n@0 = body(1): %1 -> %1\n%2 = invoke[@0](%0)\na: %2 -> %2\n"
    )


MALFORMED = [
    "%0 = input I\n%0 = input S\n^ %0 is defined twice",
    "%0 = vmirror I\n     ^ vmirror is no kind of node",
    "%0 = call mirror()\n          ^ mirror is no primitive",
    "%0 = input\n          ^ expected a word, got the end of the line",
    "%0 = input I J\n             ^ expected the end of the line, got J",
    "%0 = arg x\n         ^ expected an int, got x",
    "%0 = const x\n           ^ expected a constant, got x",
    "%0 = const (1)\n           ^ a tuple of one has a comma: (x,)",
    "%0 = const (1 2)\n              ^ expected ,, got 2",
    "%0 = const {1,}\n              ^ expected a constant, got }",
    "%0 = const (,)\n            ^ expected a constant, got ,",
    "%0 = const (1, 2\n                ^ expected ,, got the end of the line",
    "%0 = const {1)\n             ^ expected ,, got )",
    "%0 = const 0.5\n            ^ unexpected '.'",
    "%0 = const 1_0\n            ^ expected the end of the line, got _0",
    "%0 = tuple(%1)\n           ^ %1 is not defined",
    "%0 = invoke[@3]()\n            ^ @3 is not defined",
    "%0 = invoke[]()\n            ^ expected a body, got ]",
    "%0 = tuple(%0 %0)\n              ^ expected ,, got %0",
    "%0 = tuple(; %0)\n           ^ expected a node, got ;",
    "%0 = tuple(%0; %0)\n     ^ a tuple node reads 2 operands before the semicolon",
    "%0 = repeat(%0, %0; %0)\n     ^ a repeat node reads 1 operands before the semicolon",
    "%0 = repeat(%0; %0; %0)\n                  ^ expected ,, got ;",
    "%0 = input I : I\n               ^ I is no kind of value",
    "%0 = input I : grid\n%1 = input S\n            ^ no hint, where other nodes have one",
    "@0 = bodies(1): -> %0\n     ^ expected body, got bodies",
    "@0 = body(): -> %0\n          ^ expected a number of parameters, got )",
    "@0 = body(1): 2: %0 -> %0\n              ^ expected a node, got 2",
    "%0 = input I\na: %0\n     ^ expected a node, got the end of the line",
    "%0 = input I\na -> %0\n  ^ expected :, got ->",
    "%0 = input I\na: %0 2: %0 -> %0\n      ^ expected a node, got 2",
    "%0 = input I\na: 2: 3: %0 -> %0\n      ^ expected a node, got 3",
    "%0 = input I\na: -> %1\n      ^ %1 is not defined",
    "%0 = input I\na: -> @1\n      ^ expected a node, got @1",
    '"a\\q": -> %0\n^ a name in quotes is written as JSON writes it',
    "\"a: -> %0\n^ unexpected '\"'",
    "= 3\n^ expected a node, a body or the name of a slice, got =",
    "%1234567890 = input I\n          ^ expected =, got 0",
    "é½٣: -> ½\n        ^ expected a node, got ½",
]


@pytest.mark.parametrize("case", MALFORMED)
def test_what_is_malformed_is_told_with_its_place(case: str):
    with pytest.raises(SourceError) as error:
        from_text(unmarked(case))
    assert told([error.value]) == marks(case)
    assert str(error.value).startswith(f"graph:{marks(case)[0][0]}:")


def test_constants_are_nested_only_so_deeply():
    deepest = "(" * MAX_NESTING + "1" + ",)" * MAX_NESTING
    assert to_text(from_text(f"%0 = const {deepest}")) == f"%0 = const {deepest}\n"
    for levels in (MAX_NESTING + 1, 100_000):
        with pytest.raises(SourceError, match="nested deeper than 200 levels"):
            from_text("%0 = const " + "{" * levels)


def test_an_int_of_too_many_digits_is_malformed_in_decimal():
    with pytest.raises(SourceError, match="expected the end of the line"):
        from_text("%0 = const " + "9" * 5_000)
    assert from_text("%0 = const -0x" + "f" * 5_000).nodes[0].value == 1 - 16**5_000


# Texts made wrong at random.

PIECES = [
    *'%@=(){}[],;:->#"\\ \n\r\t\0é½٣',
    "%0",
    "@0",
    "const",
    "None",
    "0x",
    "-",
    "99999999999",
    "loop apply",
    "{",
    "(",
]
"""What is put into a text: among it digits that are no ASCII, and characters that other readers take for a new line."""


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """A printed graph with a few pieces dropped, doubled, swapped or put in."""
    graph = draw(st.sampled_from([deck_graph(name) for name in ("first-132", "re-arc")]))
    texts = [to_text(graph, [draw(st.sampled_from(graph.slices)).name]), EVERY_KIND]
    text = draw(st.sampled_from([*texts, to_text(hinted(from_text(EVERY_KIND)))]))
    for _ in range(draw(st.integers(1, 4))):
        start, length = draw(st.integers(0, len(text))), draw(st.integers(0, 12))
        middle = draw(st.sampled_from(["", text[start : start + length] * 2, *PIECES]) | st.text(max_size=3))
        text = text[:start] + middle + text[start + length :]
    return text


@given(spoilt() | st.text())
@example("%0 = const " + "1" * 1301)
@example('"\\ud800": -> %0\n%0 = input I')
def test_any_text_is_a_graph_or_has_a_mistake_with_a_place(text: str):
    graph, mistake = None, None
    try:
        graph = from_text(text)
    except SourceError as error:
        mistake = error
    if graph is not None:
        assert parts(from_text(to_text(graph))) == parts(graph)
    if mistake is not None:
        line = text.split("\n")[mistake.place.line - 1]
        assert mistake.line == line
        assert 1 <= mistake.place.column <= len(line) + 1
