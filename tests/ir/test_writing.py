"""Programs as source text: what is written reads back as the same program, and what no text can say is refused."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import handmade
from agreement import read
from batt.bench.frozen import first_132
from batt.check.generate import random_source
from batt.errors import InternalError
from batt.front import Deck
from batt.ir import Helper, Literal, Program, Slot, Step
from batt.ir.functions import all_helpers, words_lines
from batt.ir.writing import (
    INTEGERS,
    Numbering,
    Style,
    constant_name,
    definition_text,
    describe,
    is_writable,
    literal_text,
    names_of,
    source_text,
)
from batt.ops import CONSTANTS, EVERY_OP, OPS
from batt.types import OrderedSet
from rearc import verifiers
from variants import variants

ODD_NAMES = (
    *("_", "__", "_1", "I", "S", "x", "x1", "x1_2", "a1", "solve", "match", "type", "case", "tuple", "frozenset"),
    *("lambda", "None", "def", "T", "F", "ONE", "DOWN", "vmirror", "add", "helper0", "helper1", "identity", "é"),
)
HERE = ("t", 0)


def exact(program: Program) -> list[Any]:
    """All that a program holds, in which True is not 1, with its helpers."""
    steps = [(repr(step.callee), repr(step.args)) for step in program.steps]
    helpers = {each.name: exact(each.program) for each in all_helpers(program)}
    return [program.arity, steps, repr(program.result), helpers]


def with_odd_names(program: Program, rng: Random) -> str:
    """A program in each style, under names that a text cannot always have."""
    names = rng.choices(ODD_NAMES, k=program.arity + len(program.steps))
    texts = [definition_text(each.program, each.name, names_of(each.program)) for each in all_helpers(program)]
    written = definition_text(program, "solve", names, 'Says """so"', rng.choice(list(Style)))
    return "\n\n".join([*words_lines([program]), *texts, written])


def made(callee: Any, *args: Any, arity: int = 1) -> Program:
    """A program of one step, of literals but for the slots among its arguments."""
    operands = [each if isinstance(each, Slot) else Literal(each) for each in args]
    step = Step(None if callee is None else Literal(callee), tuple(operands), *HERE)
    return Program(("I",), arity, (step,), Slot(arity))


# Whole programs


@pytest.mark.parametrize("start", range(0, 2000, 500))
def test_random_programs_read_back_as_they_were_written(start: int):
    for seed in range(start, start + 500):
        program = read(random_source(seed))
        assert exact(read(source_text(program))) == exact(program), seed
        assert exact(read(with_odd_names(program, Random(seed)))) == exact(program), seed


@pytest.mark.parametrize("deck", [first_132(), verifiers()], ids=["first-132", "re-arc"])
@pytest.mark.parametrize("style", Style)
def test_every_solver_of_a_deck_reads_back_as_it_was_written(deck: Deck, style: Style):
    for solver in deck:
        program = solver.program
        text = definition_text(program, "solve", names_of(program), "Said.", style)
        helpers = [definition_text(each.program, each.name) for each in all_helpers(program)]
        assert exact(read("\n".join([*helpers, text]))) == exact(program)


def test_variants_read_back_as_they_were_written():
    for name, program in variants([first_132(), verifiers()], 600):
        assert exact(Deck.from_sources({name: source_text(program, name)})[0].program) == exact(program)


@pytest.mark.parametrize(
    "lines",
    [
        ("x1 = (1, 2)", "x = (x1, (3, 4))"),
        ("x1 = (1, 2)", "x2 = (x1,)", "x3 = (x2, x2)", "x2_2 = (x1, 5, x1)", "x = (x3, x2_2)"),
        ("x1 = ()", "x = (x1, ZERO, T)"),
        ("x = (T, 1)", "y = (x, x)", "z = (y, (x, I))"),
        ("x = branch(I, ((1, 0), (0, 2)), ((1, 1), ((0, 0), T)))",),
        ("x = (DOWN, RIGHT)", "y = (DOWN, I)", "z = ((1, 0), (T, F))"),
        ("x = (vmirror, (hmirror, frozenset), None)", "y = (x, None)"),
        ("n = None", "y = 3", "z = (1, 2)", "x = n(I)", "x = y(x)", "x = z(x)", "x = z()"),
        ("n = None", "y = 3", "z = (1, 2)", "x = -n", "x = -y", "x = y[0]", "x = z[-1]", "x = z[(1, 2)]", "x = -T"),
        ("a, _ = I", "_, (b, _), c = I", "d, = I", "_, _ = I", "x = (a, b, c, d)"),
        ("x = -3 + 2 * -1", "x = (1, 2) + (3,)", "x = not (x <= -3 // 4) == (x % 5 > x)", "x = frozenset([x, 1])"),
        ("g = lambda v: (v, I, ONE)", "h = lambda v, w: (lambda u: u + v)(w)", "x = (g, h)", "x = h(1, 2)"),
        (f"x = add({INTEGERS[0]}, {INTEGERS[-1]})",),
    ],
)
@pytest.mark.parametrize("style", Style)
def test_literals_and_forms_stay_what_they_are(lines: tuple[str, ...], style: Style):
    program = handmade.program(*lines)
    helpers = [definition_text(each.program, each.name) for each in all_helpers(program)]
    text = definition_text(program, "solve", names_of(program), style=style)
    assert exact(read("\n".join([*helpers, text]))) == exact(program)
    assert exact(read(source_text(program))) == exact(program)


def test_names_and_constants_are_those_of_the_language_and_the_source():
    program = handmade.program("objs = objects(I, T, F, T)", "x = fill(I, TWO, first(objs))", "y = shift(x, (1, 0))")
    assert definition_text(program, "solve_a", names_of(program), "Said.", Style.NAMES).splitlines() == [
        "def solve_a(I):",
        '    """Said."""',
        "    objs = objects(I, T, F, T)",
        "    x2 = first(objs)",
        "    x = fill(I, TWO, x2)",
        "    y = shift(x, DOWN)",
        "    return x",
    ]


def test_a_name_that_is_assigned_twice_or_means_something_else_gets_a_number():
    program = handmade.program("x = vmirror(I)", "x = hmirror(x)")
    assert definition_text(program, "solve_a", ["vmirror", "x", "x"]) == (
        "def solve_a(vmirror_2):\n    x = vmirror(vmirror_2)\n    x_2 = hmirror(x)\n    return x_2\n"
    )


def test_an_op_or_helper_with_the_name_of_a_slot_keeps_it():
    helper = Helper("x1", handmade.program("x = vmirror(I)"))
    program = Program(("I",), 1, (*made(helper, Slot(0)).steps, *made(helper, Slot(1)).steps), Slot(2))
    assert source_text(program) == (
        "def x1(a1):\n    x1 = vmirror(a1)\n    return x1\n\n\n"
        "def solve(I):\n    x1_2 = x1(I)\n    x2 = x1(x1_2)\n    return x2\n"
    )
    assert exact(read(source_text(program))) == exact(program)


def test_each_step_is_a_line_and_helpers_come_first():
    program = read("def twice(a):\n    return astuple(a, a)\n\ndef solve(I):\n    return first(twice(vmirror(I)))\n")
    assert source_text(program) == (
        "def twice(a1):\n    x1 = astuple(a1, a1)\n    return x1\n\n\n"
        "def solve(I):\n    x1 = vmirror(I)\n    x2 = twice(x1)\n    x3 = first(x2)\n    return x3\n"
    )


def test_helpers_that_helpers_call_come_before_them():
    text = "def a(x):\n    return b(x)\n\ndef b(x):\n    return trim(x)\n\ndef solve(I):\n    return apply(a, (I, I))\n"
    written = source_text(read(text))
    assert written.index("def b(") < written.index("def a(") < written.index("def solve(")
    assert read(written) == read(text)


# What no text can say


@pytest.mark.parametrize(
    "program",
    [
        made(None),
        made(None, 1, 2),
        made(None, OPS["vmirror"]),
        made(OPS["add"], 1),
        made(Helper("h", handmade.program("x = I")), 1, 2),
        made(OPS["identity"], OPS["compose"](OPS["first"], OPS["last"])),
        made(OPS["identity"], OrderedSet([1])),
        made(OPS["identity"], (1, OrderedSet())),
        made(OPS["identity"], INTEGERS.stop),
        made(EVERY_OP["py_part"], Slot(0), 2, 2),
        made(EVERY_OP["py_part"], Slot(0), (), 2),
        made(EVERY_OP["py_part"], Slot(0), 0, Slot(0)),
        made(EVERY_OP["py_add"], 1),
    ],
    ids=repr,
)
def test_what_no_text_can_say_is_refused(program: Program):
    with pytest.raises(InternalError):
        source_text(program)


def test_two_helpers_of_one_name_are_refused():
    first, second = [Helper("h", handmade.program(line)) for line in ("x = vmirror(I)", "x = hmirror(I)")]
    steps = (*made(first, Slot(0)).steps, *made(second, Slot(0)).steps)
    with pytest.raises(InternalError, match="two different helpers 'h'"):
        source_text(Program(("I",), 1, steps, Slot(1)))
    with pytest.raises(InternalError, match="'h' is the name of a helper"):
        source_text(made(first, Slot(0)), "h")


# Parts


LITERALS = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.sampled_from([OPS["add"], EVERY_OP["frozenset"]]),
    lambda items: st.lists(items, max_size=3).map(tuple),
    max_leaves=8,
)


@given(LITERALS, st.sampled_from(Style))
def test_a_literal_reads_back_as_itself(value: Any, style: Style):
    program = read(f"def solve(I):\n    return {literal_text(value, style)}\n")
    assert not program.steps
    assert repr(program.result) == repr(Literal(value))


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (3, ("3", "THREE", "THREE")),
        (True, ("T", "T", "T")),
        ((1, 0), ("(1, 0)", "DOWN", "DOWN")),
        ((True, 0), ("(T, 0)", "(T, 0)", "(T, ZERO)")),
        (((1, 0), 3), ("((1, 0), 3)", "((1, 0), 3)", "((ONE, ZERO), THREE)")),
        ((None, OPS["add"]), ("(None, add)",) * 3),
        ((5,), ("(5,)", "(5,)", "(FIVE,)")),
    ],
)
def test_a_style_says_which_constants_are_words(value: Any, texts: tuple[str, ...]):
    assert tuple(literal_text(value, style) for style in Style) == texts


def test_every_constant_has_its_name():
    assert all(constant_name(value) == name for name, value in CONSTANTS.items())
    assert constant_name(11) is constant_name((True, False)) is constant_name(OPS["add"]) is None


def test_sets_and_large_values_do_not_stand_in_a_source():
    assert is_writable((1, (None, True), OPS["add"], ()))
    assert not is_writable(OrderedSet([1]))
    assert not is_writable((0, OrderedSet([1])))
    assert not is_writable(2**63)
    assert not is_writable(tuple(range(300)))


def test_a_step_is_described_whatever_values_it_holds():
    steps = [
        made(OPS["identity"], OrderedSet([2, 1])),
        made(OPS["identity"], OPS["compose"](OPS["first"], OPS["last"])),
        made(EVERY_OP["py_part"], Slot(0), 1, 3),
        made(None, 1, 2),
        made(3, True),
    ]
    assert [describe(each, each.steps[0]) for each in steps] == [
        "t = identity({1, 2})",
        "t = identity(compose(first, last))",
        "_, t, _ = I",
        "t = (1, 2)",
        "t = 3(1)",
    ]


@given(st.text(alphabet='a"\\ '))
def test_a_docstring_says_any_text(text: str):
    space: dict[str, Any] = {}
    exec(definition_text(handmade.program("x = I"), "said", doc=text), space)
    assert (space["said"].__doc__ or "") == text


def test_a_name_is_given_once():
    names = Numbering(["taken", "a_2"])
    assert [names.free(each) for each in ["a", "a", "taken", "a", "a_3", "b"]] == [
        "a",
        "a_3",
        "taken_2",
        "a_4",
        "a_3_2",
        "b",
    ]


def test_every_op_of_python_is_written_as_python_writes_it():
    for op in EVERY_OP.values():
        if op.name not in OPS:
            program = made(op, *[Slot(0)] * op.arity) if op.name != "py_part" else made(op, Slot(0), 0, 2)
            assert exact(read(source_text(program))) == exact(program)
