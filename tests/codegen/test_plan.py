"""Planning: what is worked out ahead, for how long it is kept, and that it never shows."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import batt
from batt.codegen.plan import Planned, StagePlan, plan
from batt.front import Deck
from batt.ir.graph import LEAVES, Graph, Level, NodeKind
from batt.ir.interpreter import Interpreter
from batt.jobs import samples_of
from batt.ops import METER, RAISABLE, OverBudget
from batt.passes.specialize import specialize
from batt.runtime import Limits, Status, evaluate_one
from batt.types.plain import weight
from rearc import deck_graph, verifiers
from staged import Stages, StagingInterpreter

GRID = ((1, 2), (3, 4))
WIDE = ((1, 2, 3, 4), (5, 6, 7, 8))
SHOWN = ((GRID, WIDE), (WIDE, GRID))
OTHERS = ((WIDE, WIDE),)
SAMPLES = [(SHOWN, GRID, None), (SHOWN, WIDE, None), (OTHERS, GRID, None), (OTHERS, WIDE, None)]

LEVELS = (
    "x = add(size(canvas(0, (9, 9))), size(merge(apply(first, S))))",
    "x = vconcat(hmirror(vmirror(I)), canvas(0, (9, 9)))",
    "x = hconcat(hmirror(vmirror(I)), first(apply(first, S)))",
    "y = divide(size(S), subtract(size(I), 2))\n    x = hmirror(vmirror(I))",
    "y = merge(size(S))\n    x = hmirror(vmirror(I))",
)
"""Programs that share nodes of every level; some fail."""


def graph_of(*programs: str) -> Graph:
    """The graph of programs, each given as its lines without the return of x."""
    sources = {f"s{n}": f"def s{n}(S, I, C):\n    {each}\n    return x\n" for n, each in enumerate(programs)}
    return specialize([(solver.name, solver.program) for solver in Deck.from_sources(sources)]).graph


def ops_at(graph: Graph, made: StagePlan, level: Level) -> list[str]:
    nodes = [graph.nodes[entry.node] for entry in made.entries if entry.level is level]
    return sorted([node.op.name for node in nodes if node.op])


def outcomes(interpreter: Interpreter, steps: int, max_items: int) -> list[tuple[Any, ...]]:
    """How every slice ends: status, error kind or value, and steps where they are part of the meaning."""
    found: list[tuple[Any, ...]] = []
    for each in interpreter.graph.slices:
        METER.reset(steps, max_items)
        try:
            found.append(("ok", interpreter.run_slice(each), METER.steps_left))
        except RAISABLE as error:
            found.append(("raised", type(error).__name__, METER.steps_left))
        except OverBudget:
            found.append(("over_budget",))
    METER.reset()
    return found


def assert_never_shows(graph: Graph, made: StagePlan, samples: Iterable[Any], steps: int, max_items: int):
    stages = Stages(graph, made, steps, max_items)
    for inputs in samples:
        shared = outcomes(stages.interpreter(inputs), steps, max_items)
        assert shared == outcomes(Interpreter(graph, inputs), steps, max_items)


def every_node(graph: Graph) -> StagePlan:
    """A plan of all nodes of slices that have a value."""
    levels = graph.levels()
    numbers = sorted({number for each in graph.slices for number in each.entries})
    chosen = [n for n in numbers if graph.nodes[n].kind not in (NodeKind.CHARGE, NodeKind.RAISE)]
    order = list(Level)
    chosen.sort(key=lambda n: (order.index(levels[n]), n))
    return StagePlan(tuple([Planned(n, levels[n], "", 2.0, 1.0, 8.0) for n in chosen]))


# The choice


def bytes_of(made: StagePlan) -> float:
    return sum(entry.bytes for entry in made.entries)


def test_nodes_are_chosen_for_the_level_that_they_depend_on():
    graph = graph_of(*LEVELS)
    made = plan(graph)
    assert ops_at(graph, made, Level.CONSTANT) == ["canvas"]
    assert ops_at(graph, made, Level.TASK) == ["apply", "merge", "merge", "size"]
    assert ops_at(graph, made, Level.SAMPLE) == ["hmirror", "vmirror"]


def test_what_one_slice_reads_is_not_worked_out_for_the_sample():
    graph = graph_of("x = vmirror(I)", "x = hmirror(I)")
    assert plan(graph) == StagePlan()


def test_what_is_as_cheap_to_run_as_to_read_is_left_alone():
    assert plan(graph_of("x = increment(size(I))", "x = decrement(size(I))", "x = add(1, 2)")) == StagePlan()


def test_a_cheap_operand_comes_along():
    made = plan(graph_of("x = canvas(0, astuple(3, 4))"))
    assert [entry.label for entry in made.entries] == ["astuple", "canvas"]


def test_nodes_of_bodies_are_not_chosen():
    graph = graph_of("x = apply(compose(vmirror, first), S)", "x = mapply(compose(vmirror, first), S)")
    assert all(graph.nodes[number].kind is NodeKind.LOOP for number in plan(graph).nodes)


def test_charges_and_raises_are_not_chosen():
    graph = graph_of("x = apply(fork(astuple, first, size), I)", "x = mapply(fork(astuple, first, size), I)", "x = 1()")
    kinds = {graph.nodes[number].kind for number in plan(graph).nodes}
    assert not kinds & {NodeKind.CHARGE, NodeKind.RAISE}


@pytest.mark.parametrize("cap", [0, 16, 100, 2_000, 3_000, 10_000])
def test_the_stage_stays_under_the_cap(cap: int):
    graph = graph_of(*LEVELS)
    assert bytes_of(plan(graph, cap_bytes=cap)) <= cap


def test_a_shared_operand_takes_its_bytes_once():
    graph = graph_of(*LEVELS)
    made = plan(graph)
    assert plan(graph, cap_bytes=bytes_of(made)) == made


def test_under_a_cap_the_best_by_reads_work_and_bytes_is_kept():
    graph = graph_of(*["x = objects(I, T, F, F)"] * 2, *["x = vmirror(I)"] * 3)
    assert [entry.label for entry in plan(graph, cap_bytes=1_200).entries] == ["objects"]


def test_every_operand_of_a_planned_node_is_planned_before_it():
    graph = deck_graph("first-132")
    for cap in (1_000, 5_000, 20_000, 1 << 20):
        ready: set[int] = set()
        for number in plan(graph, cap_bytes=cap).nodes:
            assert all(arg in ready or graph.nodes[arg].kind in LEAVES for arg in graph.nodes[number].args)
            ready.add(number)


def test_a_plan_is_the_same_every_time():
    one, other = plan(deck_graph("first-132")), plan(deck_graph("first-132"))
    assert one == other
    assert one.describe() == other.describe()


def test_a_plan_is_described_in_a_line_for_each_node():
    made = plan(graph_of(*["x = vmirror(I)"] * 3, "x = canvas(0, (3, 3))"))
    assert made.describe() == (
        "constant t4 canvas: 1.0 readers, 200 steps of work, 1200 bytes\n"
        "sample   t1 vmirror: 3.0 readers, 200 steps of work, 1200 bytes"
    )
    assert StagePlan().describe() == ""


# Stages


@pytest.fixture
def executions(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How often each node is run, by any interpreter."""
    counted: Counter[int] = Counter()
    run_node = Interpreter.run_node

    def counting(self: Interpreter, number: int, values: Any, args: Any) -> Any:
        counted[number] += 1
        return run_node(self, number, values, args)

    monkeypatch.setattr(Interpreter, "run_node", counting)
    return counted


def test_kept_values_are_worked_out_once_per_run_per_task_and_per_sample(executions: Counter[int]):
    graph = graph_of(*LEVELS)
    made = plan(graph)
    stages = Stages(graph, made, 10_000, 10_000)
    for inputs in SAMPLES:
        outcomes(stages.interpreter(inputs), 10_000, 10_000)
    times = {Level.CONSTANT: 1, Level.TASK: 2, Level.SAMPLE: len(SAMPLES)}
    assert {entry.level for entry in made.entries} == set(times)
    assert all(executions[entry.node] == times[entry.level] for entry in made.entries)


def test_what_failed_ahead_is_not_tried_again(executions: Counter[int]):
    graph = graph_of(*["y = merge(size(S))\n    x = hmirror(y)"] * 3)
    made = every_node(graph)
    stages = Stages(graph, made, 10_000, 10_000)
    for inputs in SAMPLES:
        assert {found[:2] for found in outcomes(stages.interpreter(inputs), 10_000, 10_000)} == {
            ("raised", "TypeError")
        }
    merge, hmirror = [n for n in made.nodes if graph.nodes[n].op and graph.nodes[n].op.name != "size"]
    assert (executions[merge], executions[hmirror]) == (2, 0)


def test_interpreters_of_one_task_keep_their_own_samples():
    graph = graph_of(*LEVELS)
    stages = Stages(graph, plan(graph), 10_000, 10_000)
    made = [stages.interpreter(inputs) for inputs in SAMPLES]
    for inputs, interpreter in zip(SAMPLES, made, strict=True):
        assert outcomes(interpreter, 10_000, 10_000) == outcomes(Interpreter(graph, inputs), 10_000, 10_000)


def test_shared_work_is_counted_once():
    graph = graph_of("x = vmirror(I)", "x = vmirror(I)\n    y = vmirror(I)")
    alone = StagingInterpreter(graph, SAMPLES[0])
    outcomes(alone, 1_000, 1_000)
    assert (alone.executed_steps, alone.recharged_steps) == (9 + 9, 9)
    stages = Stages(graph, plan(graph), 1_000, 1_000)
    shared = stages.interpreter(SAMPLES[0])
    outcomes(shared, 1_000, 1_000)
    assert (stages.executed_steps, shared.executed_steps, shared.recharged_steps) == (0, 9, 27)


def test_steps_within_bodies_are_counted_once():
    graph = graph_of("x = apply(compose(increment, first), I)")
    alone = StagingInterpreter(graph, SAMPLES[0])
    ((_, _, left),) = outcomes(alone, 1_000, 1_000)
    assert alone.executed_steps == 1_000 - left


def test_errors_that_are_kept_hold_no_frames():
    graph = graph_of(*["x = merge(size(S))"] * 2)
    interpreter = Stages(graph, plan(graph), 1_000, 1_000).interpreter(SAMPLES[0])
    for _ in range(3):
        outcomes(interpreter, 1_000, 1_000)
    (error,) = [done[1] for done in interpreter.stage.values() if done[1]]
    depth, traceback = 0, error.__traceback__
    while traceback:
        depth, traceback = depth + 1, traceback.tb_next
    assert depth < 10


@pytest.mark.parametrize("max_items", [1, 3, 4, 7, 8, 80, 81, 1_000])
def test_sharing_never_shows_at_any_budget(max_items: int):
    graph = graph_of(*LEVELS)
    for made in (plan(graph), every_node(graph), StagePlan()):
        for steps in range(1, 300):
            assert_never_shows(graph, made, SAMPLES, steps, max_items)


LINES = (
    *("vmirror(%s)", "hmirror(%s)", "objects(%s, T, F, T)", "size(%s)", "first(%s)", "last(%s)", "merge(%s)"),
    *("astuple(%s, %s)", "add(%s, %s)", "combine(%s, %s)", "canvas(1, (%s, %s))", "divide(%s, %s)", "repeat(%s, 3)"),
    *("apply(size, %s)", "mapply(compose(first, astuple(first, last)), %s)", "apply(compose(vmirror, first), %s)"),
    *("sfilter(%s, compose(lbind(greater, 3), size))", "argmax(%s, size)", "power(vmirror, 3)(%s)", "(%s, 2)"),
)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Lines over S, I, small numbers and earlier lines; the first ones are alike in many programs."""
    lines: list[str] = []
    for at in range(draw(st.integers(1, 7))):
        names = st.sampled_from(["S", "I", "2", "3", *[f"x{n}" for n in range(at)]])
        line = draw(st.sampled_from(LINES))
        lines.append(f"x{at} = " + line % tuple([draw(names) for _ in range(line.count("%s"))]))
    return "\n    ".join([*lines, f"x = {lines[-1].partition(' ')[0]}"])


@given(st.lists(programs(), min_size=2, max_size=4), st.integers(1, 400), st.integers(1, 40) | st.just(1_000))
def test_sharing_never_shows_in_random_programs(lines: list[str], steps: int, max_items: int):
    graph = graph_of(*lines, *lines)
    for made in (plan(graph), every_node(graph)):
        assert_never_shows(graph, made, SAMPLES, steps, max_items)


# Decks


@pytest.mark.parametrize("load", [batt.load_deck, verifiers], ids=["first-132", "re-arc"])
def test_a_deck_with_sharing_ends_as_on_the_reference_engine(load: Any):
    deck = load()
    graph = specialize([(solver.name, solver.program) for solver in deck]).graph
    chance = random.Random(7)
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 12_000))
    for sample in chance.sample(samples_of(batt.load_tasks("arc1-training")), 6):
        limits = Limits(steps=chance.choice([20_000, chance.randint(1, 3_000)]), max_items=chance.randint(1, 2_000))
        stages = Stages(graph, plan(graph), limits.steps, limits.max_items)
        interpreter = stages.interpreter((sample.demonstrations, sample.input, None))
        for each, found in zip(graph.slices, outcomes(interpreter, limits.steps, limits.max_items), strict=True):
            expected = evaluate_one(deck[each.name].program, sample, limits)
            if found[0] == "ok" and weight(found[1], limits.max_items) > limits.max_items:
                found = ("over_budget",)
            assert found[0] == expected.status.word
            if expected.status is not Status.OVER_BUDGET:
                shown = expected.value if expected.status is Status.OK else expected.error
                assert found[1:] == (shown, limits.steps - expected.steps)
