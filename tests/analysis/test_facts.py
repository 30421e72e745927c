"""What the table of guarantees says, against the ops themselves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batt.analysis.facts import ALWAYS, GUARANTEED, LETTERS, REST, Facts, Form, Steps, form_of
from batt.ir.graph import Builder, NodeKind
from batt.ops import EVERY_OP, METER, OPS, RAISABLE, OverBudget, items
from batt.types import Function, OrderedSet
from strategies import anything, colours, grids, ints, of_kind, sets_of, small_grids

rows = st.lists(st.integers(-2, 3), max_size=4).map(tuple)
ways = [anything, rows, st.lists(rows, max_size=4).map(tuple), sets_of(rows, max_size=3)]
values = st.sampled_from(ways).flatmap(lambda way: way)
"""Anything, and as often what almost is a pair, a grid or a patch: rows of any length, tuples and sets of them."""

rects = grids(st.integers(1, 4), st.integers(1, 4), values=colours | st.none() | st.tuples(colours))
pairs = st.tuples(small_grids, small_grids)

OF_FORM = {
    Form.ANY: values,
    Form.FUNCTION: st.sampled_from([OPS[name] for name in ("first", "identity", "size", "initset", "astuple")]),
    Form.INT: ints,
    Form.BOOL: st.booleans(),
    Form.SET: sets_of(values, max_size=4),
    Form.TUPLE: st.lists(values, max_size=4).map(tuple) | small_grids,
    Form.RECT: rects,
    Form.GRID: small_grids,
    Form.PAIR: pairs,
    Form.PAIRS: st.lists(pairs, max_size=3).map(tuple),
}


def has_form(value, form: Form) -> bool:
    match form:
        case Form.PAIR:
            return len(value) == 2 and all(form_of(each) is Form.GRID for each in value)
        case Form.BOOL:
            return value in (0, 1) and isinstance(value, int)
    return form_of(value).is_a(form)


def result(name, args):
    """What an op gives, in a tuple, within a small budget; nothing where it raises or goes over."""
    METER.reset(20_000, 20_000)
    try:
        return (EVERY_OP[name](*args),)
    except (*RAISABLE, OverBudget):
        return ()


LINES = [each for lines in GUARANTEED.values() for each in lines]
SAID = [(each.result, each.op) for each in LINES if each.params == (REST,) and each.result is not Form.FUNCTION]
CERTAIN = [(form, name) for name, form in ALWAYS.items() if form is not Form.ANY]


@pytest.mark.parametrize(
    "each", [each for each in LINES if REST not in each.params], ids=lambda each: f"{each.op}({', '.join(each.params)})"
)
@settings(max_examples=40)
@given(data=st.data())
def test_a_guarantee_holds(each, data):
    args = [data.draw(OF_FORM[LETTERS[letter]]) for letter in each.params]
    found = result(each.op, args)
    assert found or not each.safe
    for value in found:
        assert has_form(value, each.result or LETTERS[each.size])
        if each.size in each.params:
            assert items(value) == items(args[each.params.index(each.size)])
        elif each.size:
            assert items(value) == int(each.size)


@pytest.mark.parametrize(("form", "name"), SAID + CERTAIN)
@settings(max_examples=40)
@given(data=st.data())
def test_what_an_op_always_gives(form, name, data):
    signature = data.draw(st.sampled_from(EVERY_OP[name].signatures))
    odd = data.draw(st.integers(0, 2 * EVERY_OP[name].arity), "the argument that is of another kind")
    args = [data.draw(values if at == odd else of_kind(kind)) for at, kind in enumerate(signature.params)]
    assert all(has_form(value, form) for value in result(name, args))


MAKING = [each for each in LINES if each.result is Form.FUNCTION]


@pytest.mark.parametrize("each", MAKING, ids=lambda each: each.op)
@settings(max_examples=40)
@given(data=st.data())
def test_an_op_that_is_proved_to_make_a_function_makes_one(each, data):
    forms = [LETTERS[letter] for letter in each.params if letter != REST]
    forms += [Form.ANY] * (EVERY_OP[each.op].arity - len(forms))
    ((made,),) = [result(each.op, [data.draw(OF_FORM[form]) for form in forms])]
    assert each.safe
    assert isinstance(made, Function)


def test_what_stands_for_the_rest_applies_to_any_operands():
    lines = GUARANTEED["lbind"]
    assert any(each.applies([Form.FUNCTION, Form.ANY]) for each in lines)
    assert any(each.applies([Form.FUNCTION, Form.FUNCTION]) for each in lines)
    assert not any(each.applies([Form.ANY, Form.ANY]) for each in lines)


def test_no_declaration_says_twice_what_an_op_always_gives():
    assert not set(SAID) & set(CERTAIN)


def test_an_argument_of_a_body_may_be_anything():
    builder = Builder()
    argument = builder.add(NodeKind.ARG, value=0)
    assert Facts(builder.nodes)[argument].form is Form.ANY


def test_forms_of_values():
    assert form_of(((1, 2), (3, 4))) is Form.GRID
    assert form_of(((1, None),)) is Form.RECT
    assert form_of(((1, 2), (3,))) is Form.TUPLE
    assert form_of(((),)) is Form.TUPLE
    assert form_of(()) is Form.TUPLE
    assert form_of(OrderedSet()) is Form.SET
    assert form_of(None) is Form.ANY
    assert form_of(1) is form_of(True) is Form.BOOL


def test_a_grid_is_a_rect_and_a_tuple_and_no_set():
    assert Form.GRID.is_a(Form.RECT)
    assert Form.GRID.is_a(Form.TUPLE)
    assert not Form.GRID.is_a(Form.SET)
    assert not Form.RECT.is_a(Form.GRID)
    assert not Form.FUNCTION.is_a(Form.ANY)


def test_steps_are_a_sum_of_known_ones_and_items_of_nodes():
    steps = Steps(1, (4,)) + Steps(2, (3, 4))
    assert steps == Steps(3, (3, 4, 4))
    assert steps.times(2) == Steps(6, (3, 3, 4, 4, 4, 4))
    assert steps.less(Steps(1, (4,))) == Steps(2, (3, 4))
    assert steps.less(Steps(0, (5,))) is None
    assert steps.less(Steps(4)) is None
