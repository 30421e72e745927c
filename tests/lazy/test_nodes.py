"""Recorded nodes as programs."""

from __future__ import annotations

from batt.ir import Literal
from batt.ir.writing import describe
from batt.lazy.nodes import DEMONSTRATIONS, AfterNode, CallNode, GivenNode, Inputs, program_of
from batt.ops import OPS
from batt.runtime import Limits, evaluate_one

ADD, FIRST, PAIR = (Literal(OPS[name]) for name in ("add", "first", "astuple"))


def given(*values: object, name: str = "") -> GivenNode:
    return GivenNode(values, name)


def values(node: CallNode | AfterNode, length: int) -> list[object]:
    program, inputs = program_of(node)
    return [evaluate_one(program, sample, Limits()).value for sample in inputs.samples(length)]


def test_one_input_is_the_input_of_the_program():
    program, inputs = program_of(CallNode(ADD, (given(1, 2), Literal(5)), 2))
    assert (program.arity, len(program.steps), inputs.first) == (1, 1, None)


def test_demonstrations_stand_in_the_place_of_s():
    shown, other = given(7, name=DEMONSTRATIONS), given(1)
    program, inputs = program_of(CallNode(ADD, (other, shown), 1))
    assert (program.arity, len(program.steps)) == (3, 1)
    assert (inputs.first, inputs.rest) == (shown, (other,))
    assert values(CallNode(ADD, (other, shown), 1), 1) == [8]


def test_several_inputs_are_taken_out_of_pairs():
    a, b, c, d = given((1,), (2,)), given(10, 20), given(3, 4), given(5, 6, name=DEMONSTRATIONS)
    node = CallNode(PAIR, (CallNode(PAIR, (a, b), 2), CallNode(PAIR, (c, d), 2)), 2)
    assert values(node, 2) == [(((1,), 10), (3, 5)), (((2,), 20), (4, 6))]


def test_no_input_at_all_is_an_empty_one():
    assert values(CallNode(ADD, (Literal(1), Literal(2)), None), 1) == [3]
    assert Inputs.of([]).samples(2)[1].input == ()


def test_steps_stand_in_the_order_in_which_they_were_recorded():
    xs = given(())
    early, late = CallNode(FIRST, (xs,), 1), CallNode(Literal(OPS["last"]), (xs,), 1)
    program, _ = program_of(CallNode(PAIR, (late, early), 1))
    assert [program.slot_name(step.callee) for step in program.steps if step.callee] == ["first", "last", "astuple"]


def test_what_a_value_comes_after_is_run_before_it_and_not_read():
    xs = given(4)
    dead = CallNode(FIRST, (xs,), 1)
    program, _ = program_of(AfterNode(CallNode(ADD, (xs, Literal(1)), 1), (dead,), 1))
    assert [describe(program, step) for step in program.steps] == ["t1 = first(I)", "t2 = add(I, 1)"]
