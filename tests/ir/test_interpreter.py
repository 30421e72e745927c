"""Graphs run in plain Python: every kind of node, what repetition costs, and what is staged."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import batt
from agreement import compiled, difference
from batt.bench.frozen import first_132
from batt.check.generate import random_source
from batt.errors import InternalError
from batt.front import Deck
from batt.ir.graph import LEAVES, Graph, Level, NodeKind
from batt.ir.interpreter import RAISED, Interpreter, function_position
from batt.ir.text import to_text
from batt.jobs import samples_of
from batt.ops import METER, OPS, RAISABLE, OverBudget
from batt.passes.specialize import specialize
from batt.runtime import Limits
from batt.types import OrderedSet
from graph_text import from_text
from handmade import sample
from staged import StagingInterpreter

GRID = ((1, 2), (3, 4))
DEMONSTRATIONS = ((GRID, GRID),)
PLENTY = 1_000_000


def interpreter(text: str | Graph, grid: Any = GRID) -> StagingInterpreter:
    graph = from_text(text) if isinstance(text, str) else text
    return StagingInterpreter(graph, (DEMONSTRATIONS, grid, None))


def run(made: Interpreter, name: str = "a", steps: int = PLENTY, max_items: int = PLENTY) -> tuple[Any, int]:
    """The value of a slice, or the kind of error it ends with, and the steps it took."""
    METER.reset(steps, max_items)
    try:
        value = made.run_slice(made.graph.slice_of(name))
    except (*RAISABLE, OverBudget) as error:
        value = type(error)
    used = steps - METER.steps_left
    METER.reset()
    return value, used


KINDS: dict[NodeKind, list[tuple[str, Any, int]]] = {
    NodeKind.INPUT: [
        ("%0 = input S\na: -> %0", DEMONSTRATIONS, 0),
        ("%0 = input I\na: -> %0", GRID, 0),
        ("%0 = input C\na: -> %0", None, 0),
    ],
    NodeKind.CONST: [("%0 = const {(0, 1)}\na: -> %0", OrderedSet([(0, 1)]), 0)],
    NodeKind.ARG: [
        ("%0 = input I\n%1 = const 7\n%2 = arg 1\n@0 = body(2): -> %2\n%3 = invoke[@0](%0, %1)\na: %3 -> %3", 7, 0)
    ],
    NodeKind.CALL: [
        ("%0 = input I\n%1 = call vmirror(%0)\na: %1 -> %1", ((2, 1), (4, 3)), 9),
        ("%0 = const 7\n%1 = const 2\n%2 = call subtract(%0, %1)\na: %2 -> %2", 5, 1),
        ("%0 = const ()\n%1 = call first(%0)\na: %1 -> %1", StopIteration, 1),
    ],
    NodeKind.TUPLE: [
        ("%0 = input I\n%1 = const 7\n%2 = tuple(%1, %0, %1)\na: %2 -> %2", (7, GRID, 7), 1),
        ("%0 = tuple()\na: %0 -> %0", (), 1),
    ],
    NodeKind.LOOP: [
        # 1 + 3 items in, three times subtract, 3 items out.
        (
            "%0 = const (1, 2, 1)\n%1 = const 5\n%2 = arg 0\n%3 = arg 1\n%4 = call subtract(%2, %3)\n"
            "@0 = body(1): %4 -> %4\n%5 = loop apply[@0](%0; %1)\na: %5 -> %5",
            (-4, -3, -4),
            1 + 3 + 3 * 1 + 3,
        ),
        # The function is the second argument of argmax.
        (
            "%0 = const (1, 3, 2)\n%1 = arg 0\n@0 = body(1): -> %1\n%2 = loop argmax[@0](%0)\na: %2 -> %2",
            3,
            1 + 3,
        ),
        (
            "%0 = const (1, 2)\n%1 = const (5, 9)\n%2 = const 4\n%3 = arg 0\n%4 = arg 1\n%5 = arg 2\n"
            "%6 = tuple(%3, %4, %5)\n@0 = body(2): %6 -> %6\n%7 = loop papply[@0](%0, %1; %2)\na: %7 -> %7",
            ((1, 5, 4), (2, 9, 4)),
            1 + 4 + 2 + 6,
        ),
    ],
    NodeKind.REPEAT: [
        (
            "%0 = const 3\n%1 = const 2\n%2 = const 10\n%3 = arg 0\n%4 = arg 1\n%5 = tuple(%3, %4)\n"
            "@0 = body(1): %5 -> %5\n%6 = repeat[@0](%0; %1, %2)\na: %6 -> %6",
            (((2, 10), 10), 10),
            3,
        )
    ],
    NodeKind.SELECT: [
        (
            f"%0 = const {picked}\n%1 = const 7\n%2 = arg 0\n%3 = tuple(%2)\n%4 = tuple(%2, %2)\n"
            f"@0 = body(1): %3 -> %3\n@1 = body(1): %4 -> %4\n%5 = select truth[@0, @1](%0; %1)\na: %5 -> %5",
            value,
            1,
        )
        for picked, value in [("1", (7,)), ("0", (7, 7)), ("()", (7, 7)), ("{0}", (7,)), ("None", (7, 7))]
    ]
    + [
        (
            f"%0 = const {picked}\n%1 = const 5\n%2 = const 6\n%3 = const 7\n@0 = body(0): -> %1\n"
            f"@1 = body(0): -> %2\n@2 = body(0): -> %3\n%4 = select number[@0, @1, @2](%0)\na: %4 -> %4",
            value,
            0,
        )
        for picked, value in [("0", 5), ("1", 6), ("2", 7)]
    ],
    NodeKind.INVOKE: [
        (
            "%0 = const 1\n%1 = const 2\n%2 = arg 0\n%3 = arg 1\n%4 = tuple(%3, %2)\n@0 = body(2): %4 -> %4\n"
            "%5 = invoke[@0](%0, %1)\na: %5 -> %5",
            (2, 1),
            1,
        )
    ],
    NodeKind.COUNT: [
        ("%0 = const 900\n%1 = count(%0)\na: %1 -> %1", 900, 0),
        ("%0 = const 901\n%1 = count(%0)\na: %1 -> %1", RecursionError, 0),
        ("%0 = const 0\n%1 = count(%0)\na: %1 -> %1", RecursionError, 0),
        ("%0 = const ()\n%1 = count(%0)\na: %1 -> %1", TypeError, 0),
    ],
    NodeKind.CHARGE: [
        ("%0 = const 5\n%1 = charge 3\na: %1 -> %0", 5, 3),
        ("%0 = input I\n%1 = const {1, 2, 3}\n%2 = charge 2(%0, %1, %0)\na: %2 -> %0", GRID, 2 + 4 + 3 + 4),
    ],
    NodeKind.LIMIT: [("%0 = const 5\n%1 = limit 8\na: %1 -> %0", 5, 0)],
    NodeKind.RAISE: [(f"%0 = raise {kind}\na: %0 -> %0", RAISED[kind], 0) for kind in RAISED],
}


def test_every_kind_of_node_is_tested():
    assert set(KINDS) == set(NodeKind)


every_case = pytest.mark.parametrize(
    ("text", "value", "steps"),
    [case for cases in KINDS.values() for case in cases],
    ids=[kind.value for kind, cases in KINDS.items() for _ in cases],
)


@every_case
def test_a_node_gives_its_value_and_takes_its_steps(text: str, value: Any, steps: int):
    assert run(interpreter(text)) == (value, steps)


@every_case
def test_one_step_less_than_needed_is_over_budget(text: str, value: Any, steps: int):
    assert run(interpreter(text), steps=steps)[0] == value
    if steps:
        assert run(interpreter(text), steps=steps - 1)[0] is OverBudget


def test_a_limit_ends_the_evaluation_where_its_items_are_too_many():
    made = interpreter("%0 = const 5\n%1 = limit 8\na: %1 -> %0")
    assert run(made, max_items=8)[0] == 5
    assert run(made, max_items=7)[0] is OverBudget


def test_a_stop_iteration_inside_a_loop_is_a_runtime_error():
    loop = "%0 = const ((),)\n%1 = arg 0\n%2 = call first(%1)\n@0 = body(1): %2 -> %2\n"
    assert run(interpreter(f"{loop}%3 = loop apply[@0](%0)\na: %3 -> %3"))[0] is RuntimeError
    assert run(interpreter(f"{loop}%3 = const ()\n%4 = invoke[@0](%3)\na: %4 -> %4"))[0] is StopIteration


def test_the_function_of_a_loop_is_the_first_parameter_that_is_one():
    assert function_position(OPS["mapply"]) == 0
    assert function_position(OPS["argmax"]) == 1
    assert function_position(OPS["size"]) is None
    assert function_position(OPS["compose"]) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%0 = input I\n%1 = tuple(%0)\n%2 = tuple(%1)\na: %2 -> %2", "node 1 is read where it has no value"),
        ("%0 = input I\n%1 = tuple(%0)\na: -> %1", "node 1 is read where it has no value"),
        ("%0 = arg 0\na: -> %0", "node 0 is read where it has no value"),
        ("%0 = arg 1\n@0 = body(1): -> %0\n%1 = invoke[@0](%0)\na: %1 -> %1", "node 0 is read where it has no value"),
        ("%0 = input I\na: %0 -> %0", "a input node cannot be run"),
    ],
)
def test_a_graph_that_breaks_the_rules_is_a_bug_and_no_outcome(text: str, message: str):
    with pytest.raises(InternalError, match=message):
        run(interpreter(text))


# Entries that are repeated.

TWICE = "%0 = input I\n%1 = call vmirror(%0)\n%2 = call hmirror(%1)\n"


def test_an_entry_that_is_repeated_is_charged_again_and_not_run_again():
    made = interpreter(f"{TWICE}a: %1 %1 %2 %1 %2 -> %2")
    assert run(made) == (((4, 3), (2, 1)), 5 * 9)
    assert (made.executed_steps, made.recharged_steps) == (2 * 9, 3 * 9)


def test_a_repeated_entry_may_be_what_the_budget_ends_at():
    made = interpreter(f"{TWICE}a: %1 %1 -> %0")
    assert run(made, steps=17)[0] is OverBudget
    assert run(made, steps=18)[0] == GRID


def test_a_body_remembers_nothing_from_one_call_to_the_next():
    made = interpreter(
        "%0 = const (1, 2)\n%1 = arg 0\n%2 = tuple(%1)\n@0 = body(1): %2 %2 -> %2\n"
        "%3 = loop apply[@0](%0)\n%4 = tuple(%3)\na: %3 %4 %3 -> %4"
    )
    # 1 + 2 in, 2 out, and two tuples for each of two items; the loop is charged twice, the tuple once.
    assert run(made) == ((((1,), (2,)),), 2 * (1 + 2 + 2 + 4) + 1)
    assert (made.executed_steps, made.recharged_steps) == (1 + 2 + 2 + 2 + 1, 2 + 9)


def test_a_node_that_stands_in_a_slice_and_in_a_body_is_run_in_both():
    made = interpreter(
        "%0 = const (1, 2)\n%1 = const 3\n%2 = tuple(%1)\n@0 = body(1): %2 -> %2\n%3 = loop apply[@0](%0)\n"
        "a: %2 %3 -> %3"
    )
    assert run(made) == (((3,), (3,)), 1 + 3 + 2 + 2)
    assert made.executed_steps == 1 + 3 + 2 + 2


def test_slices_are_run_apart_from_one_another():
    made = interpreter(f"{TWICE}a: %1 -> %1\nb: %1 %2 -> %2")
    assert [run(made, name)[1] for name in ("a", "b", "a")] == [9, 18, 9]
    assert (made.executed_steps, made.recharged_steps) == (36, 0)


def test_steps_are_counted_as_executed_up_to_where_a_slice_ends():
    made = interpreter(f"{TWICE}%3 = raise ValueError\na: %1 %1 %2 %3 -> %3")
    assert run(made) == (ValueError, 27)
    assert (made.executed_steps, made.recharged_steps) == (18, 9)


# Nodes that are worked out ahead.

STAGED = """
%0 = input I
%1 = call vmirror(%0)
%2 = call hmirror(%1)
%3 = const ()
%4 = call first(%3)
%5 = tuple(%4)
%6 = const (1, 2)
%7 = arg 0
@0 = body(1): %4 -> %4
%8 = loop apply[@0](%6)
%9 = const 1
%10 = call first(%9)
good: %1 %2 -> %2
again: %1 %1 %2 -> %2
bad: %1 %4 %5 -> %5
worse: %10 %4 -> %4
looping: %8 -> %8
once: %1 -> %1
"""


def test_nodes_that_were_worked_out_ahead_are_charged_and_not_run():
    made = interpreter(STAGED)
    made.materialise([1, 2], PLENTY, PLENTY)
    assert made.executed_steps == 18
    assert run(made, "good") == (((4, 3), (2, 1)), 18)
    assert run(made, "again") == (((4, 3), (2, 1)), 27)
    assert (made.executed_steps, made.recharged_steps) == (18, 45)


def test_only_part_of_a_slice_may_be_worked_out_ahead():
    made = interpreter(STAGED)
    made.materialise([1], PLENTY, PLENTY)
    assert run(made, "again") == (((4, 3), (2, 1)), 27)
    assert (made.executed_steps, made.recharged_steps) == (18, 18)


def test_an_error_waits_until_a_slice_comes_to_it():
    made = interpreter(STAGED)
    made.materialise([1, 4, 5, 10], PLENTY, PLENTY)
    assert [run(made, name) for name in ("good", "again", "bad", "worse")] == [
        run(interpreter(STAGED), name) for name in ("good", "again", "bad", "worse")
    ]
    assert run(made, "bad")[0] is StopIteration
    assert run(made, "worse")[0] is TypeError


def test_what_reads_an_error_that_waits_is_not_run():
    made = interpreter(STAGED)
    made.materialise([4, 5], PLENTY, PLENTY)
    assert made.stage[5] == (None, made.stage[4][1], 0)


def test_an_error_that_waits_becomes_what_a_loop_makes_of_it():
    made = interpreter(STAGED)
    plain = run(made, "looping")
    made.materialise([4], PLENTY, PLENTY)
    assert run(made, "looping") == plain
    assert plain[0] is RuntimeError


def test_an_error_that_waits_does_not_keep_what_its_readers_held():
    made = interpreter(STAGED)
    made.materialise([4], PLENTY, PLENTY)
    for _ in range(3):
        run(made, "bad")
    error = made.stage[4][1]
    assert error is not None
    frames, trace = 0, error.__traceback__
    while trace is not None:
        frames, trace = frames + 1, trace.tb_next
    assert frames < 6


def test_a_node_of_more_steps_than_the_whole_budget_is_over_budget_for_its_readers_alone():
    made = interpreter(
        "%0 = input I\n%1 = call vmirror(%0)\n%2 = tuple(%1)\n%3 = tuple(%0)\na: %1 %2 -> %2\nb: %3 -> %3"
    )
    made.materialise([1, 2, 3], 8, PLENTY)
    assert run(made, "a", steps=8)[0] is OverBudget
    assert run(made, "b", steps=8) == ((GRID,), 1)


def test_a_node_of_too_many_items_is_over_budget_for_its_readers_alone():
    made = interpreter(STAGED)
    made.materialise([1, 4], PLENTY, 3)
    assert run(made, "once", max_items=3)[0] is OverBudget
    assert run(made, "worse", max_items=3)[0] is TypeError


def test_each_node_is_worked_out_with_a_budget_of_its_own():
    made = interpreter(STAGED)
    made.materialise([1, 2], 9, PLENTY)
    assert run(made, "good", steps=18) == (((4, 3), (2, 1)), 18)
    assert METER.steps_left > PLENTY


@pytest.mark.parametrize("number", [7, 2])
def test_what_has_no_value_ahead_is_not_worked_out_ahead(number: int):
    with pytest.raises(InternalError):
        interpreter(STAGED).materialise([number], PLENTY, PLENTY)


def test_a_node_of_a_bodys_arguments_is_not_worked_out_ahead():
    made = interpreter(
        "%0 = arg 0\n%1 = tuple(%0)\n@0 = body(1): %1 -> %1\n%2 = const 1\n%3 = invoke[@0](%2)\na: %3 -> %3"
    )
    with pytest.raises(InternalError, match="node 0 is read where it has no value"):
        made.materialise([1], PLENTY, PLENTY)


def test_what_is_met_again_while_working_ahead_counts_once_as_executed():
    made = interpreter(
        "%0 = const (1, 2)\n%1 = const 3\n%2 = tuple(%1)\n@0 = body(1): %2 -> %2\n%3 = loop apply[@0](%0)\n"
        "a: %2 %3 -> %3"
    )
    made.materialise([2, 3], PLENTY, PLENTY)
    assert made.executed_steps == 1 + 1 + 2 + 2
    assert run(made) == (((3,), (3,)), 1 + 1 + 2 + 2 + 2)
    assert made.executed_steps == 1 + 1 + 2 + 2


# Against the reference engine.


def ahead(graph: Graph, chooser: random.Random) -> list[int]:
    """Some of the nodes that can be worked out ahead, with their operands."""
    levels = graph.levels()
    chosen: set[int] = set()
    for number in reversed(range(len(graph.nodes))):
        node = graph.nodes[number]
        is_open = levels[number] is not Level.BODY and node.kind not in LEAVES
        if is_open and (number in chosen or chooser.random() < 0.3):
            chosen.update([number, *node.args])
    return sorted(number for number in chosen if graph.nodes[number].kind not in LEAVES)


def staged_difference(graph: Graph, name: str, given: Any, limits: Limits, chooser: random.Random) -> str:
    """How a slice ends when nodes are worked out ahead, where that is not how it ends without."""
    expected = compiled(graph, name, given, limits)
    made = StagingInterpreter(graph, (given.demonstrations, given.input, None))
    made.materialise(ahead(graph, chooser), limits.steps, limits.max_items)
    value, steps = run(made, name, limits.steps, limits.max_items)
    match expected.status.word:
        case "over_budget":
            wanted: tuple[Any, int] = (OverBudget, steps)
        case "raised":
            wanted = (RAISED[expected.error], expected.steps)
        case _:
            wanted = (expected.value, expected.steps)
    return "" if (value, steps) == wanted else f"{name}: {value} in {steps}, expected {wanted}"


def test_solvers_do_in_a_graph_what_they_do_on_the_reference_engine():
    deck, chooser = first_132(), random.Random(5)
    graph = specialize([(solver.name, solver.program) for solver in deck]).graph
    samples = samples_of(batt.load_tasks("arc1-training"))
    for each in graph.slices:
        given = chooser.choice(samples)
        for steps in (300_000, chooser.randint(1, 3_000)):
            limits = Limits(steps, 100_000)
            assert difference(graph, each.name, deck[each.name].program, given, limits) == ""
            alone = from_text(to_text(graph, [each.name]))
            assert staged_difference(alone, each.name, given, limits, chooser) == ""


@given(st.integers(0, 10**9), st.integers(1, 3_000) | st.just(100_000))
def test_programs_end_alike_whatever_is_worked_out_ahead(seed: int, steps: int):
    program = Deck.from_sources({"solve": random_source(seed)})[0].program
    graph = specialize([("solve", program)]).graph
    limits = Limits(steps, 2_000)
    for each in graph.slices:
        assert staged_difference(graph, each.name, sample(GRID), limits, random.Random(seed)) == ""
