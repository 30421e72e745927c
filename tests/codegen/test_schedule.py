"""Scheduling: every value in a slot for as long as it is read, and nothing changed by it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import batt
from batt.codegen.plan import Planned, StagePlan, plan
from batt.codegen.schedule import Action, Code, Instruction, Ref, Schedule, Space, schedule
from batt.front import Deck
from batt.ir.graph import INPUTS, Body, Builder, Graph, Level, NodeKind, Slice
from batt.ir.interpreter import Done, Interpreter
from batt.jobs import samples_of
from batt.ops import METER, OPS, RAISABLE, OverBudget
from batt.ops.meter import charge
from batt.passes.specialize import specialize
from rearc import verifiers
from schedule_text import text

GRID = ((1, 2), (3, 4))
SHOWN = ((GRID, GRID),)
SAMPLE = (SHOWN, GRID, None)


def graph_of(*programs: str) -> Graph:
    """The graph of programs, each given as its lines without the return of x."""
    sources = {f"s{n}": f"def s{n}(S, I, C):\n    {each}\n    return x\n" for n, each in enumerate(programs)}
    return specialize([(solver.name, solver.program) for solver in Deck.from_sources(sources)]).graph


def planned(graph: Graph, numbers: Sequence[int]) -> StagePlan:
    levels = graph.levels()
    return StagePlan(tuple([Planned(number, levels[number], "", 2.0, 1.0, 8.0) for number in numbers]))


class Machine(Interpreter):
    """Runs schedules: a file of slots, a file of counters and a stage, in place of values by node."""

    def __init__(self, graph: Graph, inputs: Sequence[Any], made: Schedule, steps: int, max_items: int) -> None:
        super().__init__(graph, inputs)
        self.made = made
        self.entries: list[Done] = []
        for each in made.stage:
            METER.reset(steps, max_items)
            self.entries.append(self.ahead(each.instruction))
        METER.reset()

    def ahead(self, each: Instruction) -> Done:
        assert each.destination == Ref(Space.STAGE, len(self.entries))
        before = METER.steps_left
        for ref in each.operands:
            if ref.space is Space.STAGE and self.entries[ref.number][1]:
                return None, self.entries[ref.number][1], 0
        try:
            value = self.apply(self.graph.nodes[each.node], [self.read(ref, {}, ()) for ref in each.operands])
            return value, None, before - METER.steps_left
        except (*RAISABLE, OverBudget) as error:
            return None, error, before - METER.steps_left

    def run_slice(self, each: Slice) -> Any:
        return self.run_code(self.made.slices[self.graph.slices.index(each)], ())

    def run_body(self, number: int, args: Sequence[Any]) -> Any:
        return self.run_code(self.made.bodies[number], args)

    def run_code(self, code: Code, args: Sequence[Any]) -> Any:
        files: dict[Ref, Any] = {}
        for each in code.instructions:
            if each.action is Action.RECHARGE:
                self.recharge(each.counter, files)
                continue
            operands = [self.read(ref, files, args) for ref in each.operands]
            before = METER.steps_left
            value = self.apply(self.graph.nodes[each.node], operands)
            if each.destination:
                assert each.destination.number < code.slots
                files[each.destination] = value
            if each.counter:
                assert each.counter.number < code.counters
                files[each.counter] = before - METER.steps_left
        return self.read(code.result, files, args)

    def recharge(self, source: Ref | None, files: dict[Ref, Any]) -> None:
        assert source
        if source.space is Space.COUNTER:
            charge(files[source])
            return
        _, error, steps = self.entries[source.number]
        charge(steps)
        if error:
            raise error.with_traceback(None)

    def read(self, ref: Ref, files: dict[Ref, Any], args: Sequence[Any]) -> Any:
        match ref.space:
            case Space.CONSTANT:
                return self.graph.nodes[self.made.constants[ref.number]].value
            case Space.INPUT:
                return self.inputs[INPUTS[ref.number]]
            case Space.ARGUMENT:
                return args[ref.number]
            case Space.STAGE:
                return self.entries[ref.number][0]
        return files[ref]


def outcome(machine: Interpreter, each: Slice, steps: int, max_items: int) -> tuple[Any, ...]:
    METER.reset(steps, max_items)
    try:
        return "ok", machine.run_slice(each), METER.steps_left
    except RAISABLE as error:
        return "raised", type(error).__name__, METER.steps_left
    except OverBudget:
        return ("over_budget",)
    finally:
        METER.reset()


def assert_runs_alike(graph: Graph, made: Schedule, inputs: Any, steps: int, max_items: int) -> None:
    machine, plain = Machine(graph, inputs, made, steps, max_items), Interpreter(graph, inputs)
    for each in graph.slices:
        assert outcome(machine, each, steps, max_items) == outcome(plain, each, steps, max_items)


def assert_sound(graph: Graph, code: Code, sequence: Slice | Body) -> None:
    """Every operand refers to the register that holds its node then, and no more registers are there than needed."""
    assert [each.node for each in code.instructions] == list(sequence.entries)
    holder: dict[Ref, int] = {}
    for each in code.instructions:
        if each.action is Action.RECHARGE:
            assert each.counter
            assert each.counter.space is Space.STAGE or holder[each.counter] == each.node
            continue
        for arg, ref in zip(graph.nodes[each.node].args, each.operands, strict=True):
            assert ref.space is not Space.SLOT or holder[ref] == arg
        holder |= {ref: each.node for ref in (each.destination, each.counter) if ref}
    assert code.result.space is not Space.SLOT or holder[code.result] == sequence.result
    assert (code.slots, code.counters) == (most_alive(code, Space.SLOT), most_alive(code, Space.COUNTER))


def most_alive(code: Code, space: Space) -> int:
    """The most registers that hold, after some instruction, what a later one reads."""
    alive = {code.result} if code.result.space is space else set()
    most = len(alive)
    for each in reversed(code.instructions):
        if each.action is Action.RECHARGE:
            alive |= {ref for ref in (each.counter,) if ref and ref.space is space}
        else:
            written = {ref for ref in (each.destination, each.counter) if ref and ref.space is space}
            assert written <= alive, "what nothing reads needs no register"
            alive -= written
            alive |= {ref for ref in each.operands if ref.space is space}
        most = max(most, len(alive))
    return most


def assert_all_sound(graph: Graph, made: Schedule) -> None:
    for code, sequence in zip((*made.slices, *made.bodies), (*graph.slices, *graph.bodies), strict=True):
        assert_sound(graph, code, sequence)


# What a schedule looks like


def test_a_schedule_is_printed_for_people():
    graph = graph_of(
        "a = objects(I, T, F, F)\n    b = apply(compose(size, first), a)\n    x = fill(I, 3, first(a))",
        "x = fill(I, 3, (I, 2))\n    y = fill(I, 3, (I, 2))",
        "y = vmirror(I)\n    z = objects(I, T, F, F)\n    x = S",
    )
    objects = next(n for n, node in enumerate(graph.nodes) if node.op is OPS["objects"])
    assert text(graph, schedule(graph, planned(graph, [objects]))) == EXPECTED


EXPECTED = """\
stage: 1 entries
    T0 := objects(I, #1, #0, #0)  (sample)

b0: 1 slots, 0 counters
    R0 := first(A0)
    R0 := size(R0)
    return R0

s0: 1 slots, 0 counters
    charge T0
    charge 1
    apply[b0](T0)
    R0 := first(T0)
    R0 := fill(I, #3, R0)
    return R0

s1: 1 slots, 2 counters
    R0, N0 := tuple(I, #2)
    R0, N1 := fill(I, #3, R0)
    charge N0
    charge N1
    return R0

s2: 0 slots, 0 counters
    vmirror(I)
    charge T0
    return S
"""


def test_a_result_may_take_the_slot_of_an_operand_that_nothing_reads_later():
    code = schedule(graph_of("x = rot90(hmirror(vmirror(I)))"), StagePlan.none()).slices[0]
    assert (code.slots, code.result) == (1, Ref(Space.SLOT, 0))


def test_a_value_keeps_its_slot_up_to_its_last_reader():
    graph = graph_of(
        "a = vmirror(I)\n    b = hmirror(a)\n    c = hconcat(a, b)\n    d = rot90(c)\n    x = vconcat(c, d)"
    )
    instructions = schedule(graph, StagePlan.none()).slices[0].instructions
    assert [each.destination.number for each in instructions if each.destination] == [0, 1, 0, 1, 0]


def test_what_nothing_reads_has_no_slot():
    code = schedule(graph_of("y = vmirror(I)\n    x = I"), StagePlan.none()).slices[0]
    assert (code.instructions[0].destination, code.slots, code.result) == (None, 0, Ref(Space.INPUT, 1))


def test_a_repeated_entry_is_charged_from_a_counter_and_its_value_is_free_meanwhile():
    graph = graph_of("a = vmirror(I)\n    b = hmirror(a)\n    c = rot90(b)\n    d = vmirror(I)\n    x = c")
    code = schedule(graph, StagePlan.none()).slices[0]
    assert (code.slots, code.counters) == (1, 1)
    assert code.instructions[3] == Instruction(
        code.instructions[0].node, Action.RECHARGE, counter=code.instructions[0].counter
    )


def test_counters_are_used_again():
    twice = "a = vmirror(%s)\n    b = vmirror(%s)\n    "
    assert (
        schedule(graph_of(twice % ("I", "I") + twice % ("S", "S") + "x = a"), StagePlan.none()).slices[0].counters == 1
    )


def test_a_charge_without_operands_is_run_again():
    graph = graph_of("f = compose(first, first)\n    g = compose(last, last)\n    x = add(f(I), g(I))")
    first, second = [
        each
        for each in schedule(graph, StagePlan.none()).slices[0].instructions
        if graph.nodes[each.node].kind is NodeKind.CHARGE
    ]
    assert first == second == Instruction(first.node)


def test_the_stage_is_filled_level_by_level():
    graph = graph_of(*["x = astuple(canvas(0, (3, 3)), hconcat(vmirror(I), first(merge(S))))"] * 2)
    levels = [each.level for each in schedule(graph, plan(graph)).stage]
    assert set(levels) == {Level.CONSTANT, Level.TASK, Level.SAMPLE}
    assert levels == sorted(levels, key=list(Level).index)


def test_a_schedule_is_the_same_every_time():
    graph = graph_of("x = hconcat(vmirror(I), hmirror(I))")
    assert schedule(graph, plan(graph)) == schedule(graph, plan(graph))


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
    return planned(graph, sorted(chosen, key=lambda number: (list(Level).index(levels[number]), number)))


@given(sequences())
def test_no_slot_is_overwritten_before_its_last_reader_and_none_is_wasted(given_: tuple[Graph, StagePlan]):
    graph, made = given_
    assert_all_sound(graph, schedule(graph, made))
    assert_all_sound(graph, schedule(graph, StagePlan.none()))


@given(sequences(), st.integers(1, 60) | st.just(10_000), st.integers(1, 12) | st.just(10_000))
def test_random_sequences_run_as_the_graph_says(given_: tuple[Graph, StagePlan], steps: int, max_items: int):
    graph, made = given_
    assert_runs_alike(graph, schedule(graph, made), SAMPLE, steps, max_items)


# Decks


@pytest.mark.parametrize("load", [batt.load_deck, verifiers], ids=["built-in", "re-arc"])
def test_the_schedule_of_a_deck_is_sound_and_runs_as_the_graph_says(load: Any):
    graph = specialize([(solver.name, solver.program) for solver in load()]).graph
    chance = random.Random(11)
    samples = chance.sample(samples_of(batt.load_tasks("arc1-training")), 4)
    for made in (schedule(graph, StagePlan.none()), schedule(graph, plan(graph))):
        assert_all_sound(graph, made)
        for sample in samples:
            inputs = sample.demonstrations, sample.input, None
            assert_runs_alike(graph, made, inputs, chance.choice([8_000, chance.randint(1, 2_000)]), 2_000)
