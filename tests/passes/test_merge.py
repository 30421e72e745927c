"""Merging graphs: equal nodes become one, and every program still does what it did."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import batt
from agreement import difference
from batt.bench.frozen import first_132
from batt.check.generate import random_source
from batt.front import Deck
from batt.ir import Program
from batt.ir.graph import Body, Graph, Slice
from batt.ir.spec import Stage, check, problems
from batt.ir.text import to_text
from batt.jobs import samples_of
from batt.passes.merge import merge, tidy
from batt.passes.specialize import specialize
from batt.runtime import Limits
from graph_text import from_text
from handmade import sample
from rearc import verifiers

GRIDS = [((1, 2), (3, 4)), ((0,),), ((5, 0, 0), (0, 5, 0))]
LIMITS = Limits(100_000, 5_000)


def single(name: str, program: Program) -> Graph | None:
    """The graph of one program, where it has one."""
    graph = specialize([(name, program)]).graph
    return graph if graph.slices else None


@cache
def singles() -> dict[str, tuple[Program, Graph]]:
    """The solvers of both decks, each as a graph of its own."""
    solvers = [*first_132(), *verifiers()]
    made = {solver.name: (solver.program, single(solver.name, solver.program)) for solver in solvers}
    return {name: (program, graph) for name, (program, graph) in made.items() if graph is not None}


def assert_same_slice(one: Graph, other: Graph, name: str) -> None:
    """Both graphs run the same nodes in that slice, wired alike, down into bodies; numbers aside."""
    theirs_of: dict[int, int] = {}
    ours_of: dict[int, int] = {}
    waiting: list[tuple[Body | Slice, Body | Slice]] = [(one.slice_of(name), other.slice_of(name))]

    def compare(ours: Sequence[int], theirs: Sequence[int]) -> None:
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs, strict=True):
            is_met = a in theirs_of or b in ours_of
            assert theirs_of.setdefault(a, b) == b, f"{name}: %{a} is not %{b}"
            assert ours_of.setdefault(b, a) == a, f"{name}: %{b} is not %{a}"
            if is_met:
                continue
            x, y = one.nodes[a], other.nodes[b]
            assert (x.kind, x.op, x.value, len(x.bodies)) == (y.kind, y.op, y.value, len(y.bodies))
            compare(x.args, y.args)
            waiting.extend(zip([one.bodies[n] for n in x.bodies], [other.bodies[n] for n in y.bodies], strict=True))

    while waiting:
        x, y = waiting.pop()
        compare([*x.entries, x.result], [*y.entries, y.result])
        assert getattr(x, "params", None) == getattr(y, "params", None)
        assert getattr(x, "lines", None) == getattr(y, "lines", None)


# What is shared.

LEFT = """
%0 = input I
%1 = call vmirror(%0)
%2 = call hmirror(%1)
%3 = call rot90(%2)
left: 2: %1 3: %2 4: %3 -> %3
"""
RIGHT = """
%0 = const 3
%1 = input I
%2 = call hmirror(%1)
%3 = call vmirror(%1)
%4 = call hmirror(%3)
%5 = call upscale(%4, %0)
right: 2: %3 %4 3: %2 4: %5 -> %5
"""


def test_equal_nodes_become_one_and_slices_are_wired_to_them():
    assert to_text(merge([from_text(LEFT), from_text(RIGHT)])) == (
        "%0 = input I\n"
        "%1 = call vmirror(%0)\n"
        "%2 = call hmirror(%1)\n"
        "%3 = call rot90(%2)\n"
        "%4 = const 3\n"
        "%5 = call hmirror(%0)\n"
        "%6 = call upscale(%2, %4)\n"
        "left: 2: %1 3: %2 4: %3 -> %3\n"
        "right: 2: %1 %2 3: %5 4: %6 -> %6\n"
    )


def test_equal_bodies_become_one():
    looping = "%0 = input I\n%1 = arg 0\n%2 = call size(%1)\n@0 = body(1): %2 -> %2\n%3 = loop {}[@0](%0)\n{}: %3 -> %3"
    merged = merge([from_text(looping.format(op, op)) for op in ("apply", "mapply", "argmax")])
    assert len(merged.bodies) == 1
    assert [node.bodies for node in merged.nodes[3:]] == [(0,), (0,), (0,)]


def test_bodies_that_only_look_alike_stay_two():
    one = "%0 = input I\n%1 = arg 0\n%2 = call size(%1)\n@0 = body(1): %2 -> %2\n%3 = loop apply[@0](%0)\na: %3 -> %3"
    other = one.replace("call size(%1)", "call palette(%1)").replace("a:", "b:")
    merged = merge([from_text(one), from_text(other)])
    assert len(merged.bodies) == 2
    assert merged.nodes[merged.slice_of("a").result] != merged.nodes[merged.slice_of("b").result]


def test_what_no_slice_reaches_is_left_behind():
    text = "%0 = input I\n%1 = const 1\n%2 = call rot90(%0)\n@0 = body(0): -> %1\n%3 = invoke[@0]()\na: %2 -> %2"
    assert to_text(merge([from_text(text)])) == "%0 = input I\n%1 = call rot90(%0)\na: %1 -> %1\n"


def test_a_charge_of_a_tidy_graph_comes_with_its_sequence():
    text = (
        "%0 = charge 1\n%1 = input I\n%2 = arg 0\n%3 = charge 2\n%4 = call size(%2)\n@0 = body(1): %3 %4 -> %4\n"
        "%5 = loop apply[@0](%1)\n%6 = call rot90(%1)\na: %0 %5 -> %5"
    )
    assert to_text(tidy(from_text(text))) == (
        "%0 = input I\n%1 = arg 0\n%2 = call size(%1)\n%3 = charge 2\n@0 = body(1): %3 %2 -> %2\n"
        "%4 = loop apply[@0](%0)\n%5 = charge 1\na: %5 %4 -> %4\n"
    )


def test_of_nothing_comes_nothing():
    assert merge([]) == merge([Graph((), (), ())]) == Graph((), (), ())


def test_two_slices_of_one_name_break_a_rule():
    assert problems(merge([from_text(LEFT), from_text(LEFT)]), Stage.FIRST_ORDER) == [
        "left: a name belongs to one slice"
    ]


def test_merging_again_changes_nothing():
    merged = merge([graph for _, graph in singles().values()])
    assert merge([merged]) == merged


def test_merged_graphs_merge_to_the_same_as_their_parts():
    graphs = [graph for _, graph in singles().values()]
    assert merge([merge(graphs[:50]), merge(graphs[50:])]) == merge(graphs)


def test_a_merged_deck_keeps_all_rules_and_shares():
    graphs = [graph for _, graph in singles().values()]
    merged = merge(graphs)
    check(merged, Stage.FIRST_ORDER)
    assert len(merged.nodes) < 0.9 * sum(len(graph.nodes) for graph in graphs)
    assert [each.name for each in merged.slices] == list(singles())


# Wiring: a shared line must not be wired to another program's step.


def test_every_solver_is_wired_in_the_merged_deck_as_it_is_alone():
    merged = merge([graph for _, graph in singles().values()])
    for name, (_, graph) in singles().items():
        assert_same_slice(graph, merged, name)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("hmirror(%1)", "hmirror(%0)"), ("%2 4: %3 -> %3", "%2 4: %3 -> %2"), ("rot90", "rot180"), ("4: %3", "4: %2 %3")],
)
def test_a_wrong_wire_would_be_noticed(wrong: str, right: str):
    merged = from_text(LEFT.replace(wrong, right))
    with pytest.raises(AssertionError):
        assert_same_slice(from_text(LEFT), merged, "left")


def interleaved(graphs: Sequence[Graph], chooser: random.Random) -> Graph:
    """The graphs merged in any order, some of them merged with one another before."""
    waiting = list(graphs)
    while len(waiting) > 1:
        chooser.shuffle(waiting)
        count = chooser.randint(2, max(2, len(waiting) // 2))
        waiting = [merge(waiting[:count]), *waiting[count:]]
    return merge(waiting)


@pytest.mark.parametrize("seed", range(3))
def test_solvers_of_both_decks_merged_in_any_order_are_wired_as_they_are_alone(seed: int):
    merged = interleaved([graph for _, graph in singles().values()], random.Random(seed))
    check(merged, Stage.FIRST_ORDER)
    for name, (_, graph) in singles().items():
        assert_same_slice(graph, merged, name)


def test_solvers_of_both_decks_merged_in_any_order_do_what_the_reference_does():
    chooser = random.Random(11)
    merged = interleaved([graph for _, graph in singles().values()], chooser)
    samples = samples_of(batt.load_tasks("arc1-training"))
    for name, (program, _) in singles().items():
        limits = Limits(chooser.choice([50_000, chooser.randint(1, 3_000)]), 50_000)
        assert difference(merged, name, program, chooser.choice(samples), limits) == "", name


PREFIX = ["vmirror({0})", "hmirror({0})", "rot90({0})", "rot180({0})", "fill({0}, 0, ofcolor({0}, 1))"]
LATER = [
    "hconcat({0}, {1})",
    "vconcat({1}, {0})",
    "apply(rbind(apply, {0}), compose(initset, identity)({1}))",
    "mapply(lbind(mapply, identity), ({0}, {1}))",
    "first(rapply(initset(lbind(hconcat, {0})), {1}))",
    "branch(equality({0}, {1}), vmirror, hmirror)({0})",
    "power(vmirror, size(palette({1})))({0})",
    "astuple(size({0}), width({1}))",
]


@st.composite
def variants(draw: st.DrawFn) -> dict[str, str]:
    """Sources that begin alike, part at any line, and use what they share in different ways."""
    shared = draw(st.lists(st.sampled_from(PREFIX), min_size=1, max_size=5))
    sources = {}
    for number in range(draw(st.integers(2, 5))):
        names = ["I"]
        lines = []
        for form in [
            *shared[: draw(st.integers(0, len(shared)))],
            *draw(st.lists(st.sampled_from(PREFIX), max_size=2)),
        ]:
            lines.append(f"x{len(names)} = {form.format(names[-1])}")
            names.append(f"x{len(names)}")
        for form in draw(st.lists(st.sampled_from(LATER), min_size=1, max_size=3)):
            given = [draw(st.sampled_from(names)) for _ in range(2)]
            lines.append(f"x{len(names)} = {form.format(*given)}")
            names.append(f"x{len(names)}")
        body = "".join([f"    {line}\n" for line in [*lines, f"return {draw(st.sampled_from(names))}"]])
        sources[f"solve_{number}"] = f"def solve_{number}(I):\n{body}"
    return sources


@given(variants(), st.integers(0, 10**6))
def test_programs_that_begin_alike_and_part_do_what_the_reference_does(sources: dict[str, str], seed: int):
    agree_when_merged(Deck.from_sources(sources), random.Random(seed))


@given(st.lists(st.integers(0, 10**9), min_size=2, max_size=5, unique=True))
def test_any_programs_merged_in_any_order_do_what_the_reference_does(seeds: list[int]):
    sources = {f"solve_{seed}": random_source(seed) for seed in seeds}
    agree_when_merged(Deck.from_sources(sources), random.Random(seeds[0]))


def agree_when_merged(deck: Deck, chooser: random.Random) -> None:
    made = {solver.name: single(solver.name, solver.program) for solver in deck}
    alone = {name: graph for name, graph in made.items() if graph is not None}
    merged = interleaved(list(alone.values()), chooser)
    check(merged, Stage.FIRST_ORDER)
    for name, graph in alone.items():
        assert_same_slice(graph, merged, name)
        for grid in GRIDS:
            limits = chooser.choice([LIMITS, Limits(chooser.randint(1, 300), 5_000)])
            assert difference(merged, name, deck[name].program, sample(grid), limits) == ""
