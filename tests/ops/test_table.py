"""The op table tests itself: what is declared, what it says of itself, what calls cost, and that any call ends well."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batt import dsl
from batt.dsl import (
    apply,
    asobject,
    astuple,
    combine,
    first,
    hsplit,
    identity,
    increment,
    repeat,
    size,
    totuple,
    vmirror,
)
from batt.errors import InternalError
from batt.ops import CONSTANTS, METER, NEW_WORDS, OPS, RAISABLE, Op, OverBudget, families, find_op, items
from batt.ops.meter import unit
from batt.ops.table import op, sig
from batt.types import Kind, OrderedSet, encode, form
from examples import evaluate, outcome
from strategies import anything, containers, of_kind, rebuilt, small_grids, values

SPECIFIED_CONSTANTS = {
    "F": False,
    "T": True,
    "ZERO": 0,
    "ONE": 1,
    "TWO": 2,
    "THREE": 3,
    "FOUR": 4,
    "FIVE": 5,
    "SIX": 6,
    "SEVEN": 7,
    "EIGHT": 8,
    "NINE": 9,
    "TEN": 10,
    "NEG_ONE": -1,
    "NEG_TWO": -2,
    "DOWN": (1, 0),
    "RIGHT": (0, 1),
    "UP": (-1, 0),
    "LEFT": (0, -1),
    "ORIGIN": (0, 0),
    "UNITY": (1, 1),
    "NEG_UNITY": (-1, -1),
    "UP_RIGHT": (-1, 1),
    "DOWN_LEFT": (1, -1),
    "ZERO_BY_TWO": (0, 2),
    "TWO_BY_ZERO": (2, 0),
    "TWO_BY_TWO": (2, 2),
    "THREE_BY_THREE": (3, 3),
}

CALLED = OPS | NEW_WORDS
"""The ops that decks call by name."""
every_op = pytest.mark.parametrize("op", CALLED.values(), ids=CALLED)
WITH_OWN_COST = [each for each in CALLED.values() if each.cost not in (None, unit)]
AT_DEFAULT_COST = [vmirror, asobject, totuple, combine]
"""Ops that call no function and are charged by the items in and out."""


@cache
def fitting(op: Op) -> st.SearchStrategy[Any]:
    """Arguments as one of the op's signatures asks for."""
    return st.one_of([st.tuples(*map(of_kind, signature.params)) for signature in op.signatures])


@cache
def arguments(op: Op) -> st.SearchStrategy[Any]:
    """Arguments that fit, some of which fit, or any at all."""
    half_fitting = [st.tuples(*[of_kind(kind) | anything for kind in signature.params]) for signature in op.signatures]
    return st.one_of(fitting(op), *half_fitting, st.tuples(*[anything] * op.arity))


def ending(op: Op, args: tuple[Any, ...]) -> Any:
    """How a call under a small budget ends: the class of what it raises, or the value and what it left of the steps."""
    METER.reset(20_000, 20_000)
    try:
        value = op(*args)
    except RAISABLE as raised:
        return type(raised)
    except OverBudget:
        return OverBudget
    else:
        return value, METER.steps_left
    finally:
        METER.reset()


def test_every_op_is_in_its_family() -> None:
    assert {op.name: op for ops in families().values() for op in ops} == OPS
    assert all(op.family == family for family, ops in families().items() for op in ops)


@every_op
def test_an_op_tells_what_it_is(op: Op) -> None:
    assert CALLED[op.name] is find_op(op.name) is op
    assert op.params
    assert op.arity == len(op.params)
    assert op.signatures
    for signature in op.signatures:
        assert len(signature.params) == op.arity
        assert all(isinstance(kind, Kind) for kind in (*signature.params, signature.result))
        assert str(signature).count(",") == op.arity - 1
    assert len(set(op.signatures)) == len(op.signatures)
    assert op.doc[0].isupper()
    assert op.doc.endswith(".")
    assert op.cost_text
    assert op.args == ()
    assert repr(op) == form(op) == op.name


@every_op
def test_an_op_stands_in_the_module_of_its_family(op: Op) -> None:
    assert getattr(importlib.import_module(f"batt.ops.{op.family}"), op.name) is op


@every_op
def test_the_examples_of_an_op_give_what_they_say(op: Op) -> None:
    assert op.examples
    for example in op.examples:
        assert op.name in example.call
        result, expected = outcome(example.call), evaluate(example.gives)
        assert result == expected, example
        assert isinstance(result, bool) is isinstance(expected, bool), example


@every_op
def test_what_an_example_gives_is_the_printed_form(op: Op) -> None:
    for example in op.examples:
        expected = evaluate(example.gives)
        if not isinstance(expected, bool | type):
            assert example.gives == form(expected)


def test_a_second_declaration_of_a_name_is_refused() -> None:
    before = dict(OPS)

    def size(container: Any) -> int:
        """Again.

        >>> size(())
        0
        """
        return len(container)

    with pytest.raises(InternalError, match="'size' is declared twice"):
        op(Kind.CONTAINER, result=Kind.INT)(size)
    assert before == OPS


def test_a_declaration_without_an_example_or_a_docstring_is_refused() -> None:
    before = dict(OPS)

    def unexplained(x: Any) -> Any:
        return x

    def unexampled(x: Any) -> Any:
        """The value itself."""
        return x

    def undescribed(x: Any) -> Any:
        """>>> undescribed(1)
        1
        """
        return x

    for body in (unexplained, unexampled, undescribed):
        with pytest.raises(InternalError, match="needs a docstring with an example"):
            op(Kind.ANY, result=Kind.ANY)(body)
    assert before == OPS


def test_a_signature_of_another_length_is_refused() -> None:
    before = dict(OPS)

    def alone(x: Any) -> Any:
        """The value itself.

        >>> alone(1)
        1
        """
        return x

    for params, also in (((), ()), ((Kind.ANY,) * 2, ()), ((Kind.ANY,), (sig(Kind.INT, Kind.INT, result=Kind.INT),))):
        with pytest.raises(InternalError, match="does not have its 1 parameters"):
            op(*params, result=Kind.ANY, also=also)(alone)
    assert before == OPS


def test_the_constants_are_those_of_the_specification() -> None:
    assert CONSTANTS == SPECIFIED_CONSTANTS
    assert all(type(CONSTANTS[name]) is type(value) for name, value in SPECIFIED_CONSTANTS.items())


def test_the_language_is_the_ops_and_the_constants() -> None:
    imported: dict[str, Any] = {}
    exec("from batt.dsl import *", imported)
    del imported["__builtins__"]
    assert imported == {**OPS, **CONSTANTS}
    assert all(getattr(dsl, name) is value for name, value in imported.items())
    assert len(dsl.__all__) == len(OPS) + len(CONSTANTS)


def test_a_name_that_is_neither_op_nor_constant_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'Grid' is neither a primitive nor a constant"):
        _ = dsl.Grid


@pytest.mark.parametrize("op", WITH_OWN_COST, ids=str)
@given(data=st.data())
def test_a_cost_is_at_least_one_step_for_any_arguments(op: Op, data: st.DataObject) -> None:
    args = data.draw(arguments(op))
    cost = op.cost(*args)
    assert isinstance(cost, int)
    assert cost >= 1
    assert op.cost(*[rebuilt(arg, frozenset) for arg in args]) == cost


@pytest.mark.parametrize(
    ("op", "args"), [(repeat, (5, -(2**70))), (hsplit, (((),), -(2**70)))], ids=["repeat", "hsplit"]
)
def test_a_count_far_below_zero_counts_nothing(op: Op, args: tuple[Any, ...]) -> None:
    assert op(*args) == ()


@every_op
@settings(max_examples=15)
@given(data=st.data())
def test_any_call_gives_a_value_or_an_error_of_the_language(op: Op, data: st.DataObject) -> None:
    args = data.draw(arguments(op))
    ended = ending(op, args)
    assert isinstance(ended, type) or encode(ended[0])


@every_op
@settings(max_examples=15)
@given(data=st.data())
def test_a_call_ends_alike_for_plain_sets(op: Op, data: st.DataObject) -> None:
    args = data.draw(fitting(op))
    assert ending(op, args) == ending(op, tuple([rebuilt(arg, frozenset) for arg in args]))


@pytest.mark.parametrize("op", AT_DEFAULT_COST, ids=str)
@given(data=st.data())
def test_by_default_a_call_costs_one_and_the_items_in_and_out(op: Op, data: st.DataObject) -> None:
    args = data.draw(st.tuples(*[small_grids] * op.arity))
    expected = 1 + sum(map(items, args)) + items(op.body(*args))
    METER.reset(expected)
    op(*args)
    assert METER.steps_left == 0
    METER.reset(expected - 1)
    with pytest.raises(OverBudget):
        op(*args)
    METER.reset()


@pytest.mark.parametrize("op", [each for each in OPS.values() if each.cost is unit and each.arity == 1], ids=str)
def test_a_unit_cost_is_one_step_whatever_the_size(op: Op) -> None:
    METER.reset(10)
    argument = 5 if op.signatures[0].params[0] in (Kind.INT, Kind.BOOL) else ((1, 2), (3, 4), (5, 6))
    if op.signatures[0].params[0] is Kind.PAIR:
        argument = (1, 2)
    op(argument)
    assert METER.steps_left == 9


def test_a_function_called_by_an_op_is_charged_besides() -> None:
    METER.reset(100)
    apply(increment, (1, 2, 3))
    assert METER.steps_left == 100 - (1 + 3 + 3 * 1 + 3)


def test_items_in_are_charged_before_the_op_runs() -> None:
    METER.reset(3)
    with pytest.raises(OverBudget):
        apply(None, (1, 2, 3))


def test_a_value_of_too_many_items_is_over_budget_whatever_it_cost() -> None:
    METER.reset(1_000, 5)
    assert len(repeat(0, 5)) == len(combine((0, 0), (0, 0, 0))) == 5
    with pytest.raises(OverBudget):
        repeat(0, 6)
    with pytest.raises(OverBudget):
        combine((0, 0, 0), (0, 0, 0))


def test_no_op_catches_the_end_of_the_budget() -> None:
    assert not issubclass(OverBudget, Exception)


def test_a_wrong_number_of_arguments_is_a_type_error_and_not_a_cost() -> None:
    for each in OPS.values():
        for count in {0, each.arity - 1, each.arity + 1}:
            with pytest.raises(TypeError):
                each(*[()] * count)


@given(containers | small_grids)
def test_the_size_of_a_value_is_its_cells_or_its_items(value: Any) -> None:
    expected = len(value)
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        expected *= max(1, len(value[0]))
    assert items(value) == expected


@given(values)
def test_what_holds_no_items_has_size_zero(value: Any) -> None:
    if not isinstance(value, tuple | frozenset):
        assert items(value) == 0


def test_a_meter_begins_endless_and_can_be_reset() -> None:
    METER.reset(0, 0)
    with pytest.raises(OverBudget):
        identity(1)
    METER.reset()
    assert size(astuple(first, OrderedSet())) == 2
    assert METER.depth == 0


@pytest.mark.parametrize(("value", "kind"), [([[1, 2], [3, 4]], "list"), ({(0, 1)}, "set"), ({}, "dict")])
def test_a_value_that_the_language_does_not_have_is_refused_where_no_engine_calls(value: Any, kind: str):
    for call in (lambda: dsl.vmirror(value), lambda: dsl.size(value), lambda: dsl.fill(((1,),), 2, value)):
        with pytest.raises(TypeError, match=rf"^\w+: '\w+' is a {kind}; the language has tuples and frozensets: "):
            call()
    with pytest.raises(TypeError, match=r"^vmirror: 'piece' is a list"):
        dsl.apply(dsl.vmirror, (((1, 2),), [[1, 2]]))
    METER.reset(1_000)
    assert dsl.size([1, 2]) == 2
