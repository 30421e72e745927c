"""Graphs as routines: what an image does is what the graph and the reference engine do."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import batt
from agreement import BUDGETS, GRIDS, read
from batt.bytecode import image as image_module
from batt.bytecode.disassemble import disassemble
from batt.bytecode.image import Image, ImageBuilder
from batt.bytecode.layout import layout_of
from batt.check.generate import random_source
from batt.codegen.encode import Routines, encode
from batt.codegen.plan import Planned, StagePlan, plan
from batt.front import Deck
from batt.ir.graph import BY_NUMBER, Body, Builder, Graph, Level, NodeKind, Slice
from batt.ir.interpreter import Interpreter
from batt.jobs import samples_of
from batt.ops import OPS
from batt.passes.simplify import simplify
from batt.passes.specialize import specialize
from batt.runtime import Limits, evaluate_one, outcome_of
from handmade import sample
from image_machine import ImageMachine, inputs_of, same
from rearc import whole_deck

INPUT, CONST, ARG, CHARGE = NodeKind.INPUT, NodeKind.CONST, NodeKind.ARG, NodeKind.CHARGE


def planned(graph: Graph, *numbers: int) -> StagePlan:
    levels = graph.levels()
    return StagePlan(tuple([Planned(number, levels[number], "", 2.0, 1.0, 8.0) for number in numbers]))


def encoded(graph: Graph, chosen: StagePlan | None = None) -> tuple[Image, Routines]:
    builder = ImageBuilder()
    made = encode(builder, graph, chosen or StagePlan())
    for name, routine in made.numbers.items():
        builder.slice(name, routine)
    return builder.image(), made


def assert_runs_alike(graph: Graph, image: Image, inputs: Any, limits: Limits) -> None:
    machine = ImageMachine(image, inputs, limits)
    for number, each in enumerate(graph.slices):
        interpreter = Interpreter(graph, inputs)
        expected = outcome_of(lambda each=each, run=interpreter.run_slice: run(each), limits)
        assert same(machine.outcome(number, limits), expected), each.name


def graph_of(*programs: str) -> Graph:
    sources = {f"s{n}": f"def s{n}(S, I, C):\n    {each}\n    return x\n" for n, each in enumerate(programs)}
    return specialize([(solver.name, solver.program) for solver in Deck.from_sources(sources)]).graph


class Made(Builder):
    """A graph built by hand, of one slice."""

    def slice(self, entries: list[int], result: int, name: str = "s") -> Graph:
        self.slices.append(Slice(name, tuple(entries), result))
        return self.graph()


def routines_of(image: Image) -> str:
    return "\n\n".join(disassemble(image).split("\n\n")[2:])


# What nodes become


def test_an_image_is_the_schedule_in_words():
    graph = graph_of(
        "a = objects(I, T, F, F)\n    b = apply(compose(size, first), a)\n    x = fill(I, 3, first(a))",
        "x = fill(I, 3, (I, 2))\n    y = fill(I, 3, (I, 2))",
        "y = vmirror(I)\n    z = objects(I, T, F, F)\n    x = S",
    )
    objects = next(n for n, node in enumerate(graph.nodes) if node.op is OPS["objects"])
    assert routines_of(encoded(graph, planned(graph, objects))[0]) == EXPECTED


EXPECTED = """\
stage
    T0 := objects(I, #1, #0, #0)  (sample)

r0 (body): 1 params, 1 slots, 0 counters
    R0 := first(A0)
    R0 := size(R0)
    return R0

r2 (s0): 0 params, 1 slots, 0 counters
    charge T0
    charge 1
    apply[r0](T0)
    R0 := first(T0)
    R0 := fill(I, #3, R0)
    return R0

r3 (s1): 0 params, 1 slots, 2 counters
    R0, N0 := tuple(I, #2)
    R0, N1 := fill(I, #3, R0)
    charge N0
    charge N1
    return R0

r4 (s2): 0 params, 0 slots, 0 counters
    vmirror(I)
    charge T0
    return S
"""


def test_nothing_is_encoded_after_an_error_that_is_certain():
    made = Made()
    grid = made.add(INPUT, value="I")
    raising = made.add(NodeKind.RAISE, value="IndexError")
    size = made.add(NodeKind.CALL, OPS["size"], (raising,))
    mirrored = made.add(NodeKind.CALL, OPS["vmirror"], (grid,))
    graph = made.slice([mirrored, raising, size], size)
    image, _ = encoded(graph)
    assert "    vmirror(I)\n    raise IndexError\n    return #None\n" in disassemble(image)
    assert_runs_alike(graph, image, (None, ((1,),), None), BUDGETS[0])
    staged, _ = encoded(graph, planned(graph, raising, size))
    assert "    T0 := raise IndexError  (constant)\n    T1 := size(T0)  (constant)\n" in disassemble(staged)
    assert_runs_alike(graph, staged, (None, ((1,),), None), BUDGETS[0])


def test_a_charge_that_is_charged_again_is_invoked_since_it_has_no_counter():
    made = Made()
    grid = made.add(INPUT, value="I")
    charge = made.add(CHARGE, args=(grid,), value=2)
    graph = made.slice([charge, charge, charge], grid)
    image, _ = encoded(graph)
    assert "    N0 := invoke[r0](I)\n    charge N0\n    charge N0\n" in disassemble(image)
    for steps in range(1, 20):
        assert_runs_alike(graph, image, (None, ((1, 2),), None), Limits(steps, 10))


def test_a_body_has_a_routine_for_every_number_of_arguments_that_it_is_given():
    made = Made()
    grid, one = made.add(INPUT, value="I"), made.add(CONST, value=1)
    arg = made.add(ARG, value=0)
    body = made.add_body(Body(1, (first := made.add(NodeKind.CALL, OPS["first"], (arg,)),), first))
    plain = made.add(NodeKind.LOOP, OPS["apply"], (grid,), (body,))
    more = made.add(NodeKind.LOOP, OPS["apply"], (grid, one), (body,))
    graph = made.slice([plain, more], more)
    image, _ = encoded(graph)
    assert [row.params for row in layout_of(image).routines] == [1, 2, 0]
    assert_runs_alike(graph, image, (None, ((1, 2), (3, 4)), None), BUDGETS[0])


def test_bodies_come_before_what_runs_them_whatever_their_numbers_in_the_graph():
    made = Made()
    grid, arg = made.add(INPUT, value="I"), made.add(ARG, value=0)
    first = made.add(NodeKind.CALL, OPS["first"], (arg,))
    made.bodies += [Body(1, (3,), 3), Body(1, (first,), first)]
    outer = made.add(NodeKind.INVOKE, args=(arg,), bodies=(1,))
    graph = made.slice([last := made.add(NodeKind.INVOKE, args=(grid,), bodies=(0,))], last)
    assert outer == 3
    assert_runs_alike(graph, encoded(graph)[0], (None, ((1, 2),), None), BUDGETS[0])


def test_bodies_read_constants_of_the_stage():
    helper = "def wider(a):\n    b = canvas(3, (3, 3))\n    return hconcat(a, b)\n\n"
    solver = "def s(I):\n    c = canvas(3, (3, 3))\n    x = apply(wider, (I, c))\n    return x\n"
    graph = specialize([("s", read(helper + solver.replace("def s(", "def solve(")))]).graph
    canvas = next(n for n, node in enumerate(graph.nodes) if node.op is OPS["canvas"])
    loop = next(n for n, node in enumerate(graph.nodes) if node.kind is NodeKind.LOOP)
    image, _ = encoded(graph, planned(graph, canvas, *graph.nodes[loop].args, loop))
    body = "r0 (body): 1 params, 1 slots, 0 counters\n    charge T0\n    R0 := hconcat(A0, T0)\n"
    assert body in disassemble(image).replace("    charge 1\n", "")
    for limits in BUDGETS:
        assert_runs_alike(graph, image, (None, ((1,), (1,), (1,)), None), limits)


# What cannot be encoded


def refusing(bad: str) -> tuple[Graph, Image, Routines]:
    """Two good solvers and a bad one; 777 stands for an int that only folding constants can make."""
    graph = graph_of(*[f"x = astuple(canvas({number}, (9, 9)), I)" for number in range(2)], bad)
    nodes = [node._replace(value=2**63) if node.value == 777 else node for node in graph.nodes]
    graph = replace(graph, nodes=tuple(nodes))
    image, made = encoded(graph, plan(graph))
    assert list(made.numbers) == ["s0", "s1"]
    return graph, image, made


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("x = astuple(I, 777)", "an int of 64 bits"),
        ("x = 777", "an int of 64 bits"),
        ("x = apply(lbind(astuple, 777), I)", "an int of 64 bits"),
        ("x = apply(chain(lbind(astuple, 777), size, first), (I, I))", "an int of 64 bits"),
        ("a = canvas(0, (9, 9))\n    b = astuple(777, a)\n    x = astuple(b, b)", "an int of 64 bits"),
        ("x = (" + ",\n".join(["I"] * 4097) + ")", "an instruction of 4,097 operands"),
    ],
    ids=["constant", "result", "capture", "body", "stage", "tuple"],
)
def test_one_bad_solver_does_not_spoil_the_others(bad: str, reason: str):
    graph, image, made = refusing(bad)
    assert made.refused == {"s2": reason}
    good = replace(graph, slices=graph.slices[:2])
    assert_runs_alike(good, image, (None, ((1,),), None), BUDGETS[0])


def test_what_only_refused_solvers_need_is_left_out():
    _, image, _ = refusing("x = apply(lbind(astuple, 777), objects(vmirror(I), T, F, T))")
    text = disassemble(image)
    assert "objects" not in text
    assert "(body)" not in text


def test_steps_slots_and_bodies_beyond_their_fields_are_refused(monkeypatch: pytest.MonkeyPatch):
    made = Made()
    grid, arg, zero = made.add(INPUT, value="I"), made.add(ARG, value=0), made.add(CONST, value=0)
    charge = made.add(CHARGE, value=2**62)
    limit = made.add(NodeKind.LIMIT, value=2**62)
    body = made.add_body(Body(1, (charge,), arg))
    invoked = made.add(NodeKind.INVOKE, args=(grid,), bodies=(body,))
    other = made.add_body(Body(1, (), arg))
    many = made.add(NodeKind.SELECT, args=(zero, grid), bodies=(other,) * 4097, value=BY_NUMBER)
    made.slices += [Slice("charge", (charge,), grid), Slice("limit", (limit,), grid), Slice("good", (), grid)]
    made.slices += [Slice("body", (invoked,), invoked), Slice("many", (many,), many)]
    image, routines = encoded(made.graph())
    steps = "a number of steps of 63 bits"
    many_bodies = "an instruction of 4,097 immediates"
    assert routines.refused == {"charge": steps, "limit": steps, "body": steps, "many": many_bodies}
    assert image.slices == ("good",)
    monkeypatch.setattr("batt.codegen.encode.MAX_SLOTS", 1)
    graph = graph_of("x = vmirror(I)", "x = astuple(vmirror(I), hmirror(I))")
    assert encoded(graph)[1].refused == {"s1": "a routine of 2 slots"}


def test_a_deck_of_more_routines_than_an_image_holds_is_refused_whole(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(image_module, "MAX_ROUTINES", 1)
    image, routines = encoded(graph_of("x = vmirror(I)", "x = hmirror(I)"))
    assert routines == Routines({}, dict.fromkeys(("s0", "s1"), "more routines than an image holds"))
    assert image == ImageBuilder().image()


# Random programs and whole decks


@pytest.mark.parametrize("chunk", range(3))
def test_random_programs_run_as_the_reference_says(chunk: int):
    for seed in range(100 * chunk, 100 * chunk + 100):
        program = read(random_source(seed))
        graph = simplify(specialize([("a", program), ("b", program)]).graph)
        if not graph.slices:
            continue
        for chosen in (StagePlan(), plan(graph)):
            image, made = encoded(graph, chosen)
            assert not made.refused
            for grid in GRIDS[:2]:
                for limits in BUDGETS[:3]:
                    machine = ImageMachine(image, inputs_of(sample(grid)), limits)
                    expected = evaluate_one(program, sample(grid), limits)
                    assert same(machine.outcome(0, limits), expected), seed
                    assert same(machine.outcome(1, limits), expected), seed


@pytest.mark.parametrize(("name", "count"), [("first-132", 3), ("re-arc", 1)])
def test_decks_run_as_the_graph_says(name: str, count: int):
    graph = simplify(specialize([(solver.name, solver.program) for solver in whole_deck(name)]).graph)
    chance = random.Random(5)
    samples = chance.sample(samples_of(batt.load_tasks("arc1-training")), count)
    for chosen in (StagePlan(), plan(graph)):
        image, made = encoded(graph, chosen)
        assert not made.refused
        for each in samples:
            limits = Limits(chance.choice([8_000, chance.randint(1, 2_000)]), 2_000)
            assert_runs_alike(graph, image, inputs_of(each), limits)


def test_the_levels_of_the_stage_are_numbers_in_order():
    graph = graph_of(*["x = astuple(canvas(0, (3, 3)), hconcat(vmirror(I), first(merge(S))))"] * 2)
    chosen = plan(graph)
    numbers = [level for level, _ in layout_of(encoded(graph, chosen)[0]).stage]
    order = [Level.CONSTANT, Level.TASK, Level.SAMPLE]
    assert numbers == sorted(numbers) == [order.index(each.level) for each in chosen.entries]
    assert set(numbers) == {0, 1, 2}
