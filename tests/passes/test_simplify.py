"""Simplifying whole programs: what is left of them, and that outcomes and steps stay what they were."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import batt
from agreement import difference, read
from batt.bench.frozen import first_132
from batt.check.generate import random_source
from batt.front import Deck
from batt.ir.graph import BY_TRUTH, Body, Builder, Graph, NodeKind, Slice
from batt.ir.spec import Stage, check
from batt.jobs import samples_of
from batt.ops import METER, OPS
from batt.passes.merge import merge
from batt.passes.rewrite import fold
from batt.passes.simplify import simplify
from batt.passes.specialize import specialize
from batt.runtime import Limits, Sample, Split
from rearc import verifiers

GRID = ((1, 2, 3), (4, 5, 6))
SAMPLE = Sample("task", Split.TRAIN, 0, ((GRID, GRID),), GRID, None)


def graph_of(*lines: str, head: str = "solve(I)") -> Graph:
    source = "\n    ".join([f"def {head}:", *lines])
    return specialize([("solve", read(source))]).graph


def listed(graph: Graph) -> list[str]:
    """The entries of the first slice: ops by name, other nodes by kind, charges with their steps."""
    nodes = [graph.nodes[entry] for entry in graph.slices[0].entries]
    return [
        node.op.name if node.op else f"{node.kind.value} {'' if node.value is None else node.value}".strip()
        for node in nodes
    ]


def simplified(*lines: str, head: str = "solve(I)") -> list[str]:
    return listed(simplify(graph_of(*lines, head=head)))


# What is left


def test_a_mirror_of_the_input_stays_to_check_its_size_where_nothing_else_does():
    assert simplified("x = vmirror(I)", "return vmirror(x)") == ["vmirror", "charge 1"]


def test_a_mirror_that_nothing_reads_goes_where_the_size_was_checked_before():
    assert simplified("w = hconcat(I, I)", "x = vmirror(w)", "return vmirror(x)") == ["hconcat", "charge 2"]


def test_a_mirror_that_nothing_reads_goes_where_the_size_is_checked_after_it():
    assert simplified("x = vmirror(I)", "return hmirror(x)") == ["charge 1", "rot180"]


def test_it_stays_where_an_error_could_come_between():
    lines = ["x = vmirror(I)", "y = first(merge(I))", "return hmirror(x)"]
    assert simplified(*lines) == ["vmirror", "merge", "first", "rot180"]


def test_charges_that_follow_one_another_are_one():
    lines = ["f = compose(first, last)", "g = compose(f, last)", "h = fork(add, f, g)", "return identity(I)"]
    assert simplified(*lines) == ["charge 4"]


def test_a_dead_line_that_may_fail_stays():
    assert simplified("x = first(last(I))", "y = merge(I)", "return I") == ["last", "first", "merge"]


def test_a_dead_line_that_cannot_fail_leaves_its_steps():
    assert simplified("x = height(I)", "y = (I, x)", "return I") == ["charge 2"]


def test_constants_are_worked_out():
    assert simplified("x = multiply(THREE, TWO)", "return astuple(x, add(x, ONE))") == ["charge 3"]


def test_an_error_of_constants_is_worked_out_with_the_steps_before_it():
    assert simplified("x = astuple(ONE, TWO)", "return shift(x, UNITY)") == ["charge 6", "raise TypeError"]


def test_a_constant_of_several_items_is_still_held_against_the_budget():
    assert simplified("return interval(ZERO, THREE, ONE)") == ["charge 4", "limit 3"]


def test_what_follows_an_error_is_left_out():
    graph = simplify(graph_of("x = first(())", "y = vmirror(I)", "return hmirror(y)"))
    assert listed(graph) == ["charge 1", "raise StopIteration"]
    assert graph.slices[0].result == graph.slices[0].entries[-1]


def test_every_entry_keeps_the_line_it_came_from():
    graph = simplify(graph_of("x = identity(I)", "y = identity(x)", "z = merge(y)", "return identity(z)"))
    assert listed(graph) == ["charge 2", "merge", "charge 1"]
    assert graph.slices[0].lines == (2, 4, 5)


def test_a_constant_that_repeats_its_parts_endlessly_is_not_worked_out():
    doubled = [f"x{n} = astuple(x{n - 1}, x{n - 1})" for n in range(1, 61)]
    graph = simplify(graph_of("x0 = astuple(ONE, ONE)", *doubled, "return size(x60)"))
    assert graph.nodes[graph.slices[0].result].value == 2


def test_working_out_a_constant_leaves_the_meter_alone():
    METER.reset(5, 7)
    METER.depth = 3
    folded = fold(OPS["add"], [1, 2])
    assert folded is not None
    assert (folded.value, folded.error, folded.steps) == (3, "", 1)
    assert (METER.steps_left, METER.max_items, METER.depth) == (5, 7, 3)


@pytest.mark.parametrize(
    ("name", "values"),
    [("repeat", [1, 10**9]), ("canvas", [0, (10**6, 10**6)]), ("interval", [0, 10**9, 1]), ("double", [2**62])],
)
def test_what_is_dear_or_large_is_not_worked_out(name, values):
    assert fold(OPS[name], values) is None


# Choices and bodies


class Making:
    """A graph with one slice, made by hand."""

    def __init__(self) -> None:
        self.builder = Builder()
        self.entries: list[int] = []
        self.grid = self.builder.add(NodeKind.INPUT, value="I")
        self.argument = self.builder.add(NodeKind.ARG, value=0)

    def const(self, value) -> int:
        return self.builder.add(NodeKind.CONST, value=value)

    def body(self, *names: str) -> int:
        value, entries = self.argument, []
        for name in names:
            value = self.builder.add(NodeKind.CALL, OPS[name], (value,))
            entries.append(value)
        return self.builder.add_body(Body(1, tuple(entries), value))

    def run(self, kind: NodeKind, args, bodies=(), value=None) -> Graph:
        number = self.builder.add(kind, None, tuple(args), tuple(bodies), value)
        self.builder.slices.append(Slice("solve", (number,), number))
        return merge([self.builder.graph()])


def test_a_choice_by_a_constant_is_made():
    making = Making()
    bodies = [making.body("vmirror"), making.body("first")]
    assert listed(simplify(making.run(NodeKind.SELECT, [making.const(0), making.grid], bodies, BY_TRUTH))) == ["first"]


def test_a_choice_by_what_is_proved_is_made():
    making = Making()
    bodies = [making.body("vmirror"), making.body("first")]
    assert listed(simplify(making.run(NodeKind.SELECT, [making.grid, making.grid], bodies, BY_TRUTH))) == ["vmirror"]


def test_a_choice_among_equals_is_none():
    making = Making()
    bodies = [making.body("merge"), making.body("merge")]
    condition = making.builder.add(NodeKind.INPUT, value="C")
    assert listed(simplify(making.run(NodeKind.SELECT, [condition, making.grid], bodies, BY_TRUTH))) == ["merge"]


def test_a_tiny_body_is_written_out_and_a_long_one_is_not():
    for names, left in ((["merge", "first"], ["merge", "first"]), (["merge"] * 9, ["invoke"])):
        making = Making()
        assert listed(simplify(making.run(NodeKind.INVOKE, [making.grid], [making.body(*names)]))) == left


def test_a_short_repetition_is_written_out_and_a_long_one_is_not():
    for times, left in ((3, ["merge"] * 3), (9, ["repeat"])):
        making = Making()
        operands = [making.const(times), making.grid]
        assert listed(simplify(making.run(NodeKind.REPEAT, operands, [making.body("merge")]))) == left


def test_a_body_that_always_raises_ends_the_sequence():
    making = Making()
    body = making.builder.add_body(Body(1, (failed := making.builder.add(NodeKind.RAISE, value="KeyError"),), failed))
    assert listed(simplify(making.run(NodeKind.INVOKE, [making.grid], [body]))) == ["raise KeyError"]


@pytest.mark.parametrize(("count", "left"), [(0, ["raise RecursionError"]), ((), ["raise TypeError"]), (5, [])])
def test_a_constant_count_is_checked(count, left):
    making = Making()
    assert listed(simplify(making.run(NodeKind.COUNT, [making.const(count)]))) == left


def test_a_body_is_simplified_as_well():
    graph = simplify(graph_of("return apply(compose(identity, compose(merge, identity)), (I,))"))
    (body,) = graph.bodies
    assert Counter([graph.nodes[entry].kind for entry in body.entries]) == {NodeKind.CHARGE: 2, NodeKind.CALL: 1}


# Whole programs, decks of them


def budgets(chooser: random.Random) -> Limits:
    steps = chooser.choice([300_000, 300_000, chooser.randint(1, 20_000), chooser.randint(1, 300)])
    return Limits(steps=steps, max_items=chooser.choice([200_000, chooser.randint(1, 900), chooser.randint(1, 9)]))


def agrees(deck: Deck, per_solver: int, seed: int) -> Graph:
    graph = specialize([(solver.name, solver.program) for solver in deck]).graph
    simpler = simplify(graph)
    check(simpler, Stage.SIMPLIFIED)
    assert simplify(simpler) == simpler
    chooser, samples = random.Random(seed), samples_of(batt.load_tasks("arc1-training"))
    for each in simpler.slices:
        for sample in chooser.sample(samples, per_solver):
            limits = budgets(chooser)
            assert difference(simpler, each.name, deck[each.name].program, sample, limits) == "", (sample, limits)
    sequences = [[*made.slices, *made.bodies] for made in (graph, simpler)]
    before, after = [sum([len(each.entries) for each in every]) for every in sequences]
    assert after < before
    return simpler


def test_the_built_in_deck_does_what_it_did():
    agrees(first_132(), per_solver=2, seed=1)


def test_verifiers_of_rearc_do_what_they_did():
    deck = verifiers()
    agrees(Deck([solver for at, solver in enumerate(deck) if at % 5 == 0]), per_solver=2, seed=2)


@settings(max_examples=150)
@given(seed=st.integers(0, 10**6))
def test_random_programs_do_what_they_did(seed):
    program = read(random_source(seed))
    made = specialize([("solve", program)]).graph
    simpler = simplify(made)
    check(simpler, Stage.SIMPLIFIED)
    assert simplify(simpler) == simpler
    chooser = random.Random(seed)
    for _ in range(4 if made.slices else 0):
        assert difference(simpler, "solve", program, SAMPLE, budgets(chooser)) == ""
