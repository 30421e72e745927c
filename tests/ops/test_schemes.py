"""Schemes as they are written and read."""

from __future__ import annotations

import pytest

from batt.errors import InternalError
from batt.ops import OPS
from batt.ops.schemes import Items, Maps, Never, Scheme, Two, Var, schemes
from batt.types import Kind

A, B, C = Var("a"), Var("b"), Var("c")


@pytest.mark.parametrize(
    ("text", "params", "result"),
    [
        ("a -> a", (A,), A),
        ("(a -> b), many a -> many b", (Maps((A,), B), Items("many", A)), Items("many", B)),
        (
            "(a, b -> tuple c), set a, set b -> tuple c",
            (Maps((A, B), Items("tuple", C)), Items("set", A), Items("set", B)),
            Items("tuple", C),
        ),
        ("many many a -> many a", (Items("many", Items("many", A)),), Items("many", A)),
        ("=a, many a -> some a", (Var("a", compared=True), Items("many", A)), Items("some", A)),
        ("many never -> int", (Items("many", Never()),), Kind.INT),
        ("many a, many b -> set (a, b)", (Items("many", A), Items("many", B)), Items("set", Two(A, B))),
        ("tuple, set -> patch", (Kind.TUPLE, Kind.SET), Kind.PATCH),
        ("(a -> b), a -> (a -> bool)", (Maps((A,), B), A), Maps((A,), Kind.BOOL)),
    ],
)
def test_a_scheme_is_read(text: str, params: tuple[object, ...], result: object):
    assert schemes(text) == (Scheme(params, result),)  # type: ignore[arg-type]


def test_schemes_are_parted_by_semicolons_and_there_may_be_none():
    assert [each.result for each in schemes("(a, b) -> a; many a -> a")] == [A, A]
    assert schemes("") == ()


@pytest.mark.parametrize("text", ["a", "(a -> b -> c", "a -> b c", "a, -> b"])
def test_a_text_that_is_no_scheme_is_refused(text: str):
    with pytest.raises((InternalError, ValueError, KeyError)):
        schemes(text)


@pytest.mark.parametrize(
    ("name", "positions"), [("identity", (0,)), ("branch", (1, 2)), ("both", (0, 1)), ("first", ())]
)
def test_a_result_that_is_one_of_the_arguments(name: str, positions: tuple[int, ...]):
    assert schemes(OPS[name].known.types)[-1].chosen_from == positions


def test_the_greatest_key_is_what_the_function_gives():
    found = [name for name, op in OPS.items() if any(each.gives_what_it_calls for each in schemes(op.known.types))]
    assert found == ["valmax", "valmin"]
