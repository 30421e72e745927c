"""Registers: every value in a slot for as long as it is read, no register wasted, and nothing changed by it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import batt
from batt.bytecode.image import NOTHING, ImageBuilder
from batt.codegen.encode import encode
from batt.codegen.plan import Planned, StagePlan, plan
from batt.codegen.registers import Allocation, allocate
from batt.front import Deck
from batt.ir.graph import INPUTS, LEAVES, Body, Builder, Graph, Level, NodeKind, Slice
from batt.ir.interpreter import Interpreter
from batt.ops import OPS
from batt.passes.specialize import specialize
from batt.runtime import Limits, outcome_of
from image_machine import ImageMachine, same
from rearc import verifiers

GRID = ((1, 2), (3, 4))
SAMPLE = (((GRID, GRID),), GRID, None)


def graph_of(*programs: str) -> Graph:
    """The graph of programs, each given as its lines without the return of x."""
    sources = {f"s{n}": f"def s{n}(S, I, C):\n    {each}\n    return x\n" for n, each in enumerate(programs)}
    return specialize([(solver.name, solver.program) for solver in Deck.from_sources(sources)]).graph


def allocations(graph: Graph, staged: StagePlan) -> Iterator[tuple[Slice | Body, Allocation]]:
    elsewhere = {number for number, node in enumerate(graph.nodes) if node.kind in LEAVES}.union(staged.nodes)
    for sequence in (*graph.slices, *graph.bodies):
        yield sequence, allocate(graph.nodes, elsewhere, sequence)


def first_slice(*programs: str) -> Allocation:
    return next(allocations(graph_of(*programs), StagePlan()))[1]


def assert_sound(graph: Graph, staged: StagePlan) -> None:
    """Every operand is in the slot that holds its node then, and no more registers are there than needed."""
    for sequence, made in allocations(graph, staged):
        assert [each.node for each in made.entries] == list(sequence.entries)
        slots: dict[int | None, int] = {}
        counters: dict[int, int] = {}
        for each in made.entries:
            if not each.is_run:
                assert each.node in staged.nodes or counters[each.counter] == each.node
                continue
            for arg, slot in zip(graph.nodes[each.node].args, each.slots, strict=True):
                is_elsewhere = arg in staged.nodes or graph.nodes[arg].kind in LEAVES
                assert slot is None if is_elsewhere else slots[slot] == arg
            slots[each.destination] = counters[each.counter] = each.node
        assert made.result_slot is None or slots[made.result_slot] == sequence.result
        assert (made.slots, made.counters) == most_alive(made)


def most_alive(made: Allocation) -> tuple[int, int]:
    """The most slots and counters that hold, after some entry, what a later one reads."""
    slots = {made.result_slot} - {None}
    counters: set[int] = set()
    most = len(slots), 0
    for each in reversed(made.entries):
        if not each.is_run:
            counters |= {each.counter} - {NOTHING}
        else:
            assert {each.destination} - {NOTHING} <= slots, "what nothing reads needs no slot"
            assert {each.counter} - {NOTHING} <= counters, "what nothing charges again needs no counter"
            slots -= {each.destination}
            counters -= {each.counter}
            slots |= {slot for slot in each.slots if slot is not None}
        most = max(most[0], len(slots)), max(most[1], len(counters))
    return most


# Small sequences


def test_a_result_may_take_the_slot_of_an_operand_that_nothing_reads_later():
    made = first_slice("x = rot90(hmirror(vmirror(I)))")
    assert (made.slots, made.result_slot) == (1, 0)


def test_a_value_keeps_its_slot_up_to_its_last_reader():
    made = first_slice(
        "a = vmirror(I)\n    b = hmirror(a)\n    c = hconcat(a, b)\n    d = rot90(c)\n    x = vconcat(c, d)"
    )
    assert [each.destination for each in made.entries] == [0, 1, 0, 1, 0]


def test_what_nothing_reads_has_no_slot():
    made = first_slice("y = vmirror(I)\n    x = I")
    assert (made.entries[0].destination, made.slots, made.result_slot) == (NOTHING, 0, None)


def test_a_repeated_entry_is_charged_from_a_counter_and_its_value_is_free_meanwhile():
    made = first_slice("a = vmirror(I)\n    b = hmirror(a)\n    c = rot90(b)\n    d = vmirror(I)\n    x = c")
    assert (made.slots, made.counters) == (1, 1)
    first, again = made.entries[0], made.entries[3]
    assert (again.node, again.is_run, again.counter) == (first.node, False, first.counter)


def test_counters_are_used_again():
    twice = "a = vmirror(%s)\n    b = vmirror(%s)\n    "
    assert first_slice(twice % ("I", "I") + twice % ("S", "S") + "x = a").counters == 1


def test_a_charge_without_operands_is_run_again():
    graph = graph_of("f = compose(first, first)\n    g = compose(last, last)\n    x = add(f(I), g(I))")
    _, made = next(allocations(graph, StagePlan()))
    charges = [each for each in made.entries if graph.nodes[each.node].kind is NodeKind.CHARGE]
    assert [(each.is_run, each.counter) for each in charges] == [(True, NOTHING)] * 2


# Random sequences


@st.composite
def sequences(draw: st.DrawFn) -> tuple[Graph, StagePlan]:
    """Sequences with repeats, dead values and errors, as slices and as the body of a loop; some nodes planned."""
    builder = Builder()
    inputs = [builder.add(NodeKind.INPUT, value=name) for name in INPUTS]
    constants = [builder.add(NodeKind.CONST, value=value) for value in (0, 3, (1, 2))]
    arg = builder.add(NodeKind.ARG, value=0)
    entries, result = draw(entries_over(builder, [*constants, arg]))
    body = builder.add_body(Body(1, tuple(entries), result))
    for number in range(draw(st.integers(1, 3))):
        entries, result = draw(entries_over(builder, [*inputs, *constants]))
        if draw(st.booleans()):
            result = builder.add(NodeKind.LOOP, OPS["apply"], (result,), (body,))
            entries = [*entries, result]
        builder.slices.append(Slice(f"s{number}", tuple(entries), result))
    graph = builder.graph()
    return graph, draw(closed_plans(graph))


@st.composite
def entries_over(draw: st.DrawFn, builder: Builder, leaves: list[int]) -> tuple[list[int], int]:
    known, entries = list(leaves), list[int]()
    for _ in range(draw(st.integers(0, 10))):
        if entries and draw(st.integers(0, 3)) == 0:
            entries.append(draw(st.sampled_from(entries)))
            continue
        name = draw(st.sampled_from(["astuple", "add", "first", "size", "combine", "identity", "tuple", "charge"]))
        if name == "charge":
            operands = draw(st.lists(st.sampled_from(known), max_size=2))
            entries.append(builder.add(NodeKind.CHARGE, args=tuple(operands), value=draw(st.integers(0, 3))))
            continue
        count = OPS[name].arity if name in OPS else draw(st.integers(0, 3))
        args = tuple([draw(st.sampled_from(known)) for _ in range(count)])
        kind, op = (NodeKind.CALL, OPS[name]) if name in OPS else (NodeKind.TUPLE, None)
        entries.append(builder.add(kind, op, args))
        known.append(entries[-1])
    return entries, draw(st.sampled_from(known))


@st.composite
def closed_plans(draw: st.DrawFn, graph: Graph) -> StagePlan:
    """Any nodes of slices whose operands are planned too."""
    levels, leaves = graph.levels(), (NodeKind.INPUT, NodeKind.CONST)
    chosen: list[int] = []
    for number in sorted({number for each in graph.slices for number in each.entries}):
        node = graph.nodes[number]
        ready = all(arg in chosen or graph.nodes[arg].kind in leaves for arg in node.args)
        if node.kind is not NodeKind.CHARGE and ready and draw(st.booleans()):
            chosen.append(number)
    chosen.sort(key=lambda number: (list(Level).index(levels[number]), number))
    return StagePlan(tuple([Planned(number, levels[number], "", 2.0, 1.0, 8.0) for number in chosen]))


@given(sequences())
def test_no_slot_is_overwritten_before_its_last_reader_and_none_is_wasted(given_: tuple[Graph, StagePlan]):
    graph, staged = given_
    assert_sound(graph, staged)
    assert_sound(graph, StagePlan())


@given(sequences(), st.integers(1, 60) | st.just(10_000), st.integers(1, 12) | st.just(10_000))
def test_random_sequences_run_as_the_graph_says(given_: tuple[Graph, StagePlan], steps: int, max_items: int):
    graph, staged = given_
    builder, limits = ImageBuilder(), Limits(steps, max_items)
    for name, routine in encode(builder, graph, staged).numbers.items():
        builder.slice(name, routine)
    machine = ImageMachine(builder.image(), SAMPLE, limits)
    for number, each in enumerate(graph.slices):
        run = Interpreter(graph, SAMPLE).run_slice
        expected = outcome_of(lambda each=each, run=run: run(each), limits)
        assert same(machine.outcome(number, limits), expected)


# Decks


@pytest.mark.parametrize("load", [batt.load_deck, verifiers], ids=["first-132", "re-arc"])
def test_the_registers_of_a_deck_are_sound(load: Any):
    graph = specialize([(solver.name, solver.program) for solver in load()]).graph
    assert_sound(graph, StagePlan())
    assert_sound(graph, plan(graph))
