"""Programs as data: what running one means, and when two are equal."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.front import Deck
from batt.front.module import read_module
from batt.ir import Helper, Literal, Program, Slot, Step
from batt.ir.writing import describe
from batt.ops import METER, OPS, OverBudget
from batt.ops.meter import MAX_DEPTH

GRID = ((1, 2), (3, 4))


def program(text: str) -> Program:
    return Deck.from_sources({"given": text})[0].program


def helper(text: str, name: str = "h") -> Helper:
    return Helper(name, read_module(text, "f").definitions[name].program)


def test_steps_fill_slots_after_those_of_the_parameters():
    double = Program(
        ("a", "b"),
        2,
        (
            Step(Literal(OPS["add"]), (Slot(0), Slot(1)), "x", 1),
            Step(None, (Slot(2), Literal(7), Slot(0)), "y", 2),
        ),
        Slot(3),
    )
    assert double.run([1, 2]) == (3, 7, 1)


def test_a_callee_may_be_the_value_of_a_step():
    made = program("def f(I):\n    g = compose(vmirror, hmirror)\n    return g(I)\n")
    assert made.run([GRID]) == ((4, 3), (2, 1))


def test_a_result_may_be_a_parameter_or_a_literal():
    assert program("def f(S, I, C):\n    return I\n").run([1, 2, 3]) == 2
    assert program("def f(I):\n    return (1, 2)\n").run([GRID]) == (1, 2)


def test_the_first_step_that_raises_decides_even_where_nothing_reads_it():
    raising = program("def f(I):\n    dead = first(())\n    x = divide(1, 0)\n    return I\n")
    with pytest.raises(StopIteration):
        raising.run([GRID])


def test_every_step_is_observed_with_its_value():
    seen: list[tuple[str, Any]] = []
    made = program("def f(I):\n    x = rot90(vmirror(I))\n    y = (x, 1)\n    return x\n")
    made.run([((1, 2),)], lambda step, value: seen.append((step.target, value)))
    assert seen == [("_1", ((2, 1),)), ("x", ((2,), (1,))), ("y", (((2,), (1,)), 1))]


def test_making_a_tuple_costs_a_step():
    METER.reset(2)
    made = program("def f(I):\n    x = (I, 1)\n    y = (x, 1)\n    z = (y, 1)\n    return z\n")
    with pytest.raises(OverBudget):
        made.run([GRID])


def test_equal_programs_differ_at_most_in_names_and_places():
    one = program("def f(I):\n    x = vmirror(I)\n    return x\n")
    two = program("'''Other.'''\n\ndef g(grid):\n    '''Turn.'''\n\n    return vmirror(grid)\n")
    assert one == two
    assert hash(one) == hash(two)
    assert one.params != two.params


@pytest.mark.parametrize(
    "text",
    [
        "def f(I):\n    x = hmirror(I)\n    return x\n",
        "def f(I):\n    x = vmirror(I)\n    return I\n",
        "def f(S, I, C):\n    x = vmirror(S)\n    return x\n",
        "def f(I):\n    x = vmirror(I)\n    y = vmirror(I)\n    return x\n",
        "def f(I):\n    x = (I,)\n    return x\n",
    ],
)
def test_programs_that_do_something_else_are_not_equal(text: str):
    assert program(text) != program("def f(I):\n    x = vmirror(I)\n    return x\n")


def test_programs_survive_pickling():
    made = program("K = 3\ndef h(x):\n    return (x, K)\ndef f(I):\n    return apply(h, compose(h, h)(I))\n")
    copy = pickle.loads(pickle.dumps(made))
    assert copy == made
    assert [describe(copy, step) for step in copy.steps] == [describe(made, step) for step in made.steps]


@pytest.mark.parametrize(
    ("line", "described"),
    [
        ("x = fill(I, 2, y)", "x = fill(I, 2, y)"),
        ("x = fill(value=ZERO, grid=I, patch=y)", "x = fill(I, 0, y)"),
        ("x = y(I)", "x = y(I)"),
        ("x = (I,)", "x = (I,)"),
        ("x = (I, 1)", "x = (I, 1)"),
        ("x = compose(vmirror, h)", "x = compose(vmirror, h)"),
        ("x = shift(I, (1, (2,)))", "x = shift(I, (1, (2,)))"),
        ("x = astuple(T, None)", "x = astuple(1, None)"),
    ],
)
def test_a_step_is_described_as_a_line(line: str, described: str):
    made = program(f"def h(x):\n    return x\ndef solve(I):\n    y = rot90(I)\n    {line}\n    return x\n")
    assert describe(made, made.steps[1]) == described
    assert made.slot_name(made.result) == "x"
    assert made.slot_name(Slot(0)) == "I"


# Helpers.


def test_a_helper_is_called_with_as_many_arguments_as_it_takes():
    pair = helper("def h(a, b):\n    return (b, a)\n")
    assert pair(1, 2) == (2, 1)
    assert pair.arity == 2
    assert pair.params == ("a", "b")
    assert repr(pair) == "h"
    with pytest.raises(TypeError, match="h takes 2 arguments, 1 given"):
        pair(1)


def test_calling_a_helper_costs_a_step_and_a_level():
    METER.reset(100)
    same = helper("def h(a):\n    return a\n")
    assert same(1) == 1
    assert (METER.steps_left, METER.depth) == (99, 0)
    METER.depth = MAX_DEPTH
    with pytest.raises(RecursionError):
        same(1)
    METER.reset(0)
    with pytest.raises(OverBudget):
        same(1)


def test_helpers_are_equal_where_name_and_program_are():
    one = helper("def h(a):\n    return rot90(a)\n")
    assert one == helper("def h(b):\n    '''Turn.'''\n    x = rot90(b)\n    return x\n")
    assert hash(one) == hash(helper("def h(b):\n    x = rot90(b)\n    return x\n"))
    assert one != helper("def k(a):\n    return rot90(a)\n", "k")
    assert one != helper("def h(a):\n    return rot180(a)\n")
    assert one != helper("def h(a, b):\n    return rot90(a)\n")
    assert one != OPS["rot90"]
    assert pickle.loads(pickle.dumps(one)) == one


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("K = 1", "K = 2"),
        ("K = 1", "K = (1,)"),
        ("K = (1, 2)", "K = (2, 1)"),
        ("def K(x):\n    return x", "def K(x):\n    return (x,)"),
        ("K = 1", "def K(x):\n    return x"),
        ("K = None", "K = 0"),
    ],
)
def test_helpers_differ_where_what_they_use_does(one: str, other: str):
    text = "\ndef h(a):\n    return astuple(a, K)\n"
    assert helper(one + text) != helper(other + text)
    assert helper(one + text) == helper(one + text)


def test_a_bool_equals_the_integer_in_a_helper_as_everywhere():
    assert helper("def h(a):\n    return fill(a, T, a)\n") == helper("def h(a):\n    return fill(a, 1, a)\n")


def test_helpers_that_call_two_helpers_each_are_compared_once_each():
    texts = ["def h0(x):\n    return x\n"]
    texts += [f"def h{n}(x):\n    return astuple(h{n - 1}(x), h{n - 1}(x))\n" for n in range(1, 50)]
    one, two = [Deck.from_sources({"h49": "".join(texts)})[0].program for _ in range(2)]
    assert one == two
    assert hash(one) == hash(two)


# Programs made at random.

UNARY = ["rot90", "vmirror", "identity", "initset", "first", "size"]
BINARY = ["astuple", "add", "combine", "compose", "hconcat"]


@st.composite
def sources(draw: st.DrawFn) -> tuple[list[str], str]:
    """Lines of a definition that is in the language, in the form in which steps are described, and the result."""
    names = ["I"]
    lines: list[str] = []
    for number in range(draw(st.integers(1, 12))):
        atoms = st.sampled_from([*names, "0", "7", "-3", "(1, 2)", "()", "(0,)", "vmirror", "size"])
        unary = st.builds("{}({})".format, st.sampled_from(UNARY), atoms)
        binary = st.builds("{}({}, {})".format, st.sampled_from(BINARY), atoms, atoms)
        called = st.builds("{}({})".format, st.sampled_from(names), atoms)
        display = st.builds("({}, {})".format, st.sampled_from(names), atoms)
        lines.append(f"x{number} = {draw(st.one_of(unary, binary, called, display))}")
        names.append(f"x{number}")
    return lines, draw(st.sampled_from(names))


@given(sources())
def test_lines_with_one_call_each_are_described_as_they_were_written(source: tuple[list[str], str]):
    lines, result = source
    body = "".join([f"    {line}\n" for line in [*lines, f"return {result}"]])
    made = program(f"def solve(I):\n{body}")
    described = [describe(made, step) for step in made.steps]
    assert described == lines
    assert made.slot_name(made.result) == result
    assert [step.line for step in made.steps] == list(range(2, 2 + len(lines)))


@st.composite
def expressions(draw: st.DrawFn, name: str, depth: int = 4) -> str:
    """Nested calls and displays that read `I` and a name."""
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from(["I", name, "3", "ZERO", "vmirror", "True", "(1, 2)"]))
    parts = [draw(expressions(name, depth - 1)) for _ in range(2)]
    form = draw(
        st.sampled_from(["rot90({0})", "add({0}, {1})", "add(b={0}, a={1})", "I({0}, {1})", "({0}, {1})", "{0}({1})"])
    )
    return form.format(*parts)


@given(expressions("I"), expressions("y"))
def test_a_program_described_line_by_line_is_the_same_program(first: str, second: str):
    made = program(f"def solve(I):\n    y = rot90({first})\n    return ({second}, I)\n")
    body = "".join([f"    {describe(made, step)}\n" for step in made.steps])
    again = program(f"def solve(I):\n{body}    return {made.slot_name(made.result)}\n")
    assert [describe(again, step) for step in again.steps] == [describe(made, step) for step in made.steps]
    assert again == made
