"""Programs encoded as they stand do what the reference engine does."""

from __future__ import annotations

import pytest

from agreement import BUDGETS, GRIDS, read
from batt.bench.frozen import first_132
from batt.bytecode.disassemble import disassemble
from batt.bytecode.image import Image, ImageBuilder
from batt.bytecode.wire import Unencodable
from batt.check.generate import random_source
from batt.codegen.direct import encode_helper, encode_solver
from batt.compiler import encode_programs
from batt.ir import Helper, Literal, Program, Slot, Step
from batt.ops import OPS
from batt.runtime import evaluate_one
from handmade import sample, source
from image_machine import ImageMachine, inputs_of, same

TWICE = "def twice(f, a):\n    b = f(a)\n    return f(b)\n\n"


def encoded(program: Program) -> Image:
    builder = ImageBuilder()
    builder.slice("solve", encode_solver(builder, program))
    return builder.image()


def code(*lines: str, helpers: str = "", params: str = "I") -> list[str]:
    """The instructions of the solver of these lines."""
    text = disassemble(encoded(read(helpers + source("solve", *lines, params=params))))
    return [line.strip() for line in text.split("(solve)")[1].splitlines()[1:]]


def test_a_call_of_an_op_is_its_instruction_and_any_other_is_decided_by_the_machine():
    assert code(
        "f = compose(size, first)", "a = f(I)", "b = (a, 2)", "x = apply(f, I)", "y = twice(f, x)", helpers=TWICE
    ) == [
        "R0 := compose(#size, #first)",
        "R1 := call R0(I)",
        "tuple(R1, #2)",
        "R1 := apply(R0, I)",
        "call #twice(R0, R1)",
        "return R1",
    ]


def test_wrong_numbers_of_arguments_and_what_is_no_function_are_called():
    step = Step(Literal(OPS["first"]), (Slot(0), Slot(0)), "x", 1)
    other = Step(Literal(3), (Slot(1),), "y", 2)
    text = disassemble(encoded(Program(("I",), 1, (step, other), Literal(7))))
    assert "    R0 := call #first(I, I)\n    call #3(R0)\n    return #7\n" in text


def test_parameters_are_inputs_in_a_solver_and_arguments_in_a_helper():
    assert code("x = astuple(S, astuple(I, C))", params="S, I, C") == [
        "R0 := astuple(I, C)",
        "R0 := astuple(S, R0)",
        "return R0",
    ]
    text = disassemble(encoded(read(TWICE + source("solve", "x = twice(first, I)"))))
    assert "(helper twice): 2 params, 1 slots, 0 counters\n    R0 := call A0(A1)\n    R0 := call A0(R0)\n" in text


def test_slots_are_used_again_after_the_last_reader():
    lines = ["a = vmirror(I)", "b = hmirror(a)", "c = hconcat(a, b)", "d = rot90(c)", "x = vconcat(c, d)"]
    assert "0 params, 2 slots, 0 counters" in disassemble(encoded(read(source("solve", *lines))))


def test_equal_helpers_have_one_routine_and_namesakes_have_their_own():
    one = "def f(a):\n    return first(a)\n\n"
    other = "def f(a):\n    return last(a)\n\n"
    programs = [read(text + source("solve", "x = f(I)")) for text in (one, other, one)]
    made = encode_programs({str(number): program for number, program in enumerate(programs)}).image
    assert sorted(helper.name for helper in made.helpers.values()) == ["f", "f"]
    machine = ImageMachine(made, (None, ((1, 2), (3, 4)), None), BUDGETS[0])
    assert [machine.outcome(number, BUDGETS[0]).value for number in range(3)] == [(1, 2), (3, 4), (1, 2)]


def test_a_helper_that_calls_helpers_comes_after_them():
    helpers = "def one(a):\n    return first(a)\n\ndef two(a):\n    return one(one(a))\n\n"
    made = encoded(read(helpers + source("solve", "f = compose(two, two)", "x = f(I)")))
    assert [helper.name for _, helper in sorted(made.helpers.items())] == ["one", "two"]


def test_what_cannot_be_encoded_is_refused_by_its_reason():
    named = Helper("größe", Program(("a",), 1, (), Slot(0)))
    with pytest.raises(Unencodable, match="größe, which is not ASCII"):
        encode_helper(ImageBuilder(), named)
    with pytest.raises(Unencodable, match="2 parameters"):
        encode_solver(ImageBuilder(), Program(("a", "b"), 2, (), Slot(0)))
    with pytest.raises(Unencodable, match="70 bits"):
        encode_solver(ImageBuilder(), Program(("I",), 1, (), Literal(2**69)))
    long = Step(None, (Slot(0),) * 4097, "x", 1)
    with pytest.raises(Unencodable, match="4,097 operands"):
        encode_solver(ImageBuilder(), Program(("I",), 1, (long,), Slot(1)))


def test_a_solver_that_is_refused_leaves_nothing_behind():
    builder = ImageBuilder()
    program = read(TWICE + source("solve", "x = twice(first, I)"))
    with pytest.raises(Unencodable):
        encode_solver(builder, Program(("I",), 1, program.steps, Literal(2**64)))
    assert builder.image() == ImageBuilder().image()


@pytest.mark.parametrize("chunk", range(3))
def test_random_programs_run_as_they_stand(chunk: int):
    for seed in range(100 * chunk, 100 * chunk + 100):
        program = read(random_source(seed))
        image = encoded(program)
        for grid in GRIDS[:2]:
            for limits in BUDGETS[:3]:
                got = ImageMachine(image, inputs_of(sample(grid)), limits).outcome(0, limits)
                assert same(got, evaluate_one(program, sample(grid), limits)), seed


def test_the_built_in_deck_runs_as_it_stands():
    deck = first_132()
    made = encode_programs({solver.name: solver.program for solver in deck})
    assert made.refused == {}
    for grid in GRIDS:
        machine = ImageMachine(made.image, inputs_of(sample(grid)), BUDGETS[0])
        for number, solver in enumerate(deck):
            got = machine.outcome(number, BUDGETS[0])
            assert same(got, evaluate_one(solver.program, sample(grid), BUDGETS[0])), solver.name
