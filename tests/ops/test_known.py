"""What the declarations say about ops can be read, and speaks of parameters that are there."""

from __future__ import annotations

import pytest

from batt.errors import InternalError
from batt.ops import EVERY_OP, Op
from batt.ops.known import ALL_GIVEN, GIVEN, NOTHING_KNOWN, RESULT, Called, called, known_of, knows
from batt.ops.schemes import Maps, schemes
from batt.types import Kind


def ops(field: str) -> list[Op]:
    return [op for op in EVERY_OP.values() if getattr(op.known, field)]


@pytest.mark.parametrize("op", EVERY_OP.values(), ids=str)
def test_schemes_have_the_parameters_of_their_op(op: Op):
    for scheme in (*schemes(op.known.types), *schemes(op.known.usual)):
        assert len(scheme.params) == op.arity
    for scheme in schemes(op.known.types):
        expected = [kind is Kind.FN for kind in op.signatures[0].params]
        assert [isinstance(param, Maps) for param in scheme.params] == expected


@pytest.mark.parametrize("op", ops("usual"), ids=str)
def test_what_is_usual_is_written_in_kinds(op: Op):
    assert all(isinstance(each, Kind) for scheme in schemes(op.known.usual) for each in (*scheme.params, scheme.result))


@pytest.mark.parametrize("op", ops("colours"), ids=str)
def test_colours_are_parameters_or_the_result(op: Op):
    assert set(op.known.colours.split()) <= {*op.params, RESULT}
    assert RESULT not in op.params


@pytest.mark.parametrize("op", [op for op in EVERY_OP.values() if op.family == "functions"], ids=str)
def test_a_maker_says_what_its_function_calls(op: Op):
    call = called(op.known.calls)
    assert call.reading(GIVEN) or call.reading(ALL_GIVEN)
    assert _names(call) <= {*op.params, *EVERY_OP, GIVEN, ALL_GIVEN}


def _names(call: Called) -> set[str]:
    inner = [_names(arg) if isinstance(arg, Called) else {arg} for arg in call.args]
    return {call.function}.union(*inner)


def test_calls_are_read_from_the_outside_in():
    call = called("outer(a(x), b(x))")
    assert call == Called("outer", (Called("a", ("x",)), Called("b", ("x",))))
    assert [each.function for each in call.reading("x")] == ["a", "b"]
    assert called("function(*x, fixed)").args == (ALL_GIVEN, "fixed")
    with pytest.raises(InternalError, match="not a call"):
        called("x")


def test_a_body_carries_what_is_known_until_it_is_declared():
    def body(x: int) -> int:
        return x

    assert known_of(body) is NOTHING_KNOWN
    assert known_of(knows(types="a -> a")(body)).types == "a -> a"
    assert known_of(print) is NOTHING_KNOWN


def test_the_symmetries_are_numbered_in_one_row():
    assert sorted(op.known.symmetry for op in ops("symmetry")) == list(range(1, 9))
