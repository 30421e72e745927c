"""Forms of everyday Python against Python itself, on the reference and in native code."""

from __future__ import annotations

import builtins
from itertools import product
from typing import Any

import pytest

from batt.bytecode.wire import write_value
from batt.dsl import compose, first, last, vmirror
from batt.errors import DeckError
from batt.front import Deck
from batt.front.module import read_module
from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ops import EVERY_OP, METER, NEW_WORDS, OPS, PYTHON, RAISABLE, OverBudget, families, groups
from batt.runtime import ERROR_KINDS, Limits, Status, evaluate_one
from batt.types import OrderedSet
from handmade import sample
from native_library import needs_library
from native_values import Native

VALUES: tuple[Any, ...] = (
    *(0, 1, -3, 7, True, False, 2**63 - 1, -(2**63), 2**70, None),
    *((), (1,), (1, 2), (2, 1), (0, 300, -5), ((1, 2), (3, 4)), ((),), ((1,), (1, 2)), (1, (2, 3)), (None, 1)),
    *((vmirror,), (1, OrderedSet([1])), (1, OrderedSet([1, 2]))),
    *(OrderedSet(), OrderedSet([1]), OrderedSet([1, 2]), OrderedSet([(0, 1), (2, 5)]), OrderedSet([(0, 1)])),
    *(OrderedSet([(1, (0, 0)), (2, (0, 1))]), OrderedSet([OrderedSet([1]), OrderedSet()]), OrderedSet([None, 3])),
    *(vmirror, compose(first, last), compose(first, last)),
)
TWO_SIDED = ("+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=")
FORMS = [
    *[f"a {sign} b" for sign in TWO_SIDED],
    *["-a", "not a", "tuple(a)", "frozenset(a)", "frozenset({a, 1})", "frozenset()", "tuple([a, a])"],
    *["a[0]", "a[-1]", "a[1][0]", "a[b]", "(a, b) < (b, a)", "a - -b", "(a == b) + 1"],
    *["(lambda v: v + 1)(a)", "(lambda v: (lambda w: w == v)(b))(a)"],
]
UNPACKED = {
    "x, y = a": "(y, x)",
    "(x,) = a": "x",
    "x, (y, z) = a": "(x, y, z)",
    "(x, _), y = a": "(x, y)",
    "_, _ = a": "a",
    "[x, y] = a, b": "(y, x)",
    "x = a; x += b": "x",
    "x = a; x *= 2; x -= b": "x",
}
LIMITS = Limits()


def arity(form: str) -> int:
    return 2 if " b" in f" {form}".replace("(b", " b").replace("[b", " b") else 1


def given(definition: Program, values: tuple[Any, ...]) -> Program:
    """A program that calls nothing but the steps of a definition of (a, b) on these values."""

    def placed(operand: Operand) -> Operand:
        if isinstance(operand, Literal):
            return operand
        return Literal(values[operand.index]) if operand.index < 2 else Slot(operand.index - 1)

    steps = [
        Step(step.callee and placed(step.callee), tuple(map(placed, step.args)), step.target, 1)
        for step in definition.steps
    ]
    return Program(("I",), 1, tuple(steps), placed(definition.result))


def by_python(text: str, a: Any, b: Any) -> Any:
    """What Python makes of the definition, or the class of what it raises."""
    space: dict[str, Any] = {}
    exec(text, space)
    try:
        return space["f"](a, b)
    except Exception as raised:
        return type(raised)


def cases(text: str) -> list[tuple[Program, Any]]:
    module = read_module(text, "deck.py")
    assert not module.mistakes
    program = module.definitions["f"].program
    seconds = VALUES if arity(text.partition(":")[2]) == 2 else (1,)
    found = []
    for a, b in product(VALUES, seconds):
        huge = "a * b" in text and any(
            isinstance(x, tuple) and isinstance(y, int) and y > 1e6 for x, y in ((a, b), (b, a))
        )
        found.append((given(program, (a, b)), OverBudget if huge else by_python(text, a, b)))
    return found


def hold(program: Program, expected: Any) -> None:
    """Compare the reference with Python."""
    outcome = evaluate_one(program, sample(), LIMITS)
    if expected is OverBudget:
        assert outcome.status is Status.OVER_BUDGET
    elif isinstance(expected, type) and issubclass(expected, Exception):
        assert (outcome.status, outcome.error) == (Status.RAISED, expected.__name__)
    else:
        assert outcome.status is Status.OK, outcome
        assert outcome.value == expected
        assert isinstance(outcome.value, frozenset) is isinstance(expected, frozenset)


TEXTS = [
    *[f"def f(a, b):\n    return {form}\n" for form in FORMS],
    *[f"def f(a, b):\n    {line}\n    return {end}\n" for line, end in UNPACKED.items()],
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_form_means_what_python_means(text: str):
    for program, expected in cases(text):
        try:
            hold(program, expected)
        except AssertionError as error:
            raise AssertionError(f"{program.steps}: expected {expected}") from error


@needs_library
@pytest.mark.parametrize("text", TEXTS)
def test_native_code_means_the_same(text: str):
    programs = [program for program, _ in cases(text)]
    native = Native(programs)
    left = 0
    for number, program in enumerate(programs):
        if str(number) in native.encoded.refused:
            left += 1
            continue
        result, value = native.run(number)
        outcome = evaluate_one(program, sample(), LIMITS)
        if int(result["status"]) > Status.OVER_BUDGET:
            left += 1  # an int beyond 64 bits
            continue
        assert int(result["status"]) == outcome.status, program.steps
        assert ERROR_KINDS[int(result["error"])] == outcome.error or outcome.status is not Status.RAISED, program.steps
        if outcome.status is Status.OK:
            assert value == write_value(outcome.value), program.steps
        if outcome.status is not Status.OVER_BUDGET:
            assert int(result["steps"]) == outcome.steps, program.steps
    assert left < len(programs) / 3


def test_the_forms_are_a_group_apart():
    assert groups() == ["language", "python", "words"]
    forms = [each for members in families(PYTHON).values() for each in members]
    assert {**OPS, **NEW_WORDS, **{each.name: each for each in forms}} == EVERY_OP
    assert [each.group for each in forms] == [PYTHON] * len(forms)
    assert OPS.keys().isdisjoint([each.name for each in forms])


@pytest.mark.parametrize("name", [each.name for each in EVERY_OP.values() if each.group == PYTHON])
def test_an_op_of_a_form_is_no_word_of_a_deck(name: str):
    args = ", ".join(["I"] * EVERY_OP[name].arity)
    source = f"def solve(I):\n    return {name}({args})\n"
    if hasattr(builtins, name):
        assert Deck.from_sources({"x": source})
        return
    with pytest.raises(DeckError, match="is not defined"):
        Deck.from_sources({"x": source})


@pytest.mark.parametrize(
    ("name", "args", "steps"),
    [
        ("py_item", ((1, 2, 3), 0), 1),
        ("py_part", ((1, 2, 3), 0, 3), 1),
        ("py_add", (1, 2), 1),
        ("py_add", ((1, 2), (3,)), 7),
        ("py_sub", (OrderedSet([1, 2]), OrderedSet([2])), 5),
        ("py_mul", (2, 3), 1),
        ("py_mul", (-(2**63), -(2**63)), 2),
        ("py_mul", (((1, 2), (3, 4)), 3), 13),
        ("py_mul", (5, ()), 6),
        ("py_mul", ((1, 2), -5), 1),
        ("py_floordiv", (7, 2), 1),
        ("py_neg", (7,), 1),
        ("py_le", ((1, 2), (1, 3)), 5),
        ("frozenset", ((1, 1, 2),), 6),
    ],
)
def test_what_forms_cost(name: str, args: tuple[Any, ...], steps: int):
    METER.reset(1_000)
    EVERY_OP[name](*args)
    assert METER.steps_left == 1_000 - steps
    METER.reset()


def test_a_product_is_charged_before_it_is_made():
    METER.reset(1_000)
    for args in (((1, 2), 2**40), (2**62, ()), ((1,), 2**70)):
        with pytest.raises(OverBudget):
            EVERY_OP["py_mul"](*args)
    METER.reset()


def test_a_part_is_counted_with_ints():
    for args in (((1, 2), None, 2), ((1, 2), 0, None)):
        with pytest.raises(RAISABLE):
            EVERY_OP["py_part"](*args)
