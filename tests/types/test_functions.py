"""Functions as values: when two are the same, how they are ordered and printed, how they are called."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.dsl import (
    add,
    apply,
    astuple,
    branch,
    chain,
    color,
    colorcount,
    colorfilter,
    compose,
    double,
    first,
    fork,
    identity,
    increment,
    initset,
    last,
    lbind,
    matcher,
    objects,
    power,
    rbind,
    size,
    subtract,
)
from batt.ops import METER
from batt.ops.meter import MAX_DEPTH
from batt.runtime.reference.evaluation import FRAMES
from batt.types import Function, Made, OrderedSet, ascending, form
from batt.types import functions as functions_module
from strategies import few_functions, functions, primitives, rebuilt, values

EMPTY: OrderedSet[Any] = OrderedSet()


def whole_form(value: Any) -> str:
    return form(value, limit=10**9)


def forty_fold(seed: Function) -> Function:
    """A function whose printed form has a trillion parts."""
    for _ in range(40):
        seed = compose(seed, seed)
    return seed


@pytest.fixture
def _many_frames() -> Iterator[None]:
    """As many Python frames as an engine allows."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(FRAMES)
    yield
    sys.setrecursionlimit(before)


@given(functions)
def test_functions_made_twice_are_one_value(function: Function) -> None:
    again = rebuilt(function)
    assert again == function
    assert hash(again) == hash(function)
    assert whole_form(again) == whole_form(function)


@given(few_functions, few_functions)
def test_functions_are_equal_exactly_when_their_forms_are(a: Function, b: Function) -> None:
    assert (a == b) is (whole_form(a) == whole_form(b))
    assert (a != b) is (whole_form(a) != whole_form(b))
    assert a != b or hash(a) == hash(b)


@given(st.lists(few_functions | functions, max_size=6))
def test_functions_are_ordered_by_their_forms(pool: list[Function]) -> None:
    assert list(ascending(pool)) == sorted(pool, key=whole_form)
    assert sorted(pool, key=Function.form_key) == sorted(pool, key=whole_form)


def test_a_form_that_begins_another_comes_first() -> None:
    assert ascending([colorfilter, colorcount, color]) == (color, colorcount, colorfilter)
    assert ascending([lbind(colorcount, 1), lbind(color, 1)]) == (lbind(color, 1), lbind(colorcount, 1))


@given(few_functions, few_functions)
def test_form_keys_compare_as_forms(a: Function, b: Function) -> None:
    assert (a.form_key() < b.form_key()) is (whole_form(a) < whole_form(b))
    assert (a.form_key() == b.form_key()) is (a == b)


@given(values)
def test_no_function_equals_a_value_of_another_kind(value: Any) -> None:
    assert isinstance(value, Function) or compose(first, last) != value


@given(functions)
def test_functions_survive_pickling(function: Function) -> None:
    assert pickle.loads(pickle.dumps(function)) == function


def test_a_function_from_another_process_equals_one_made_here() -> None:
    source = (
        "import pickle, sys\nfrom batt.dsl import compose, first, last\n"
        "function = compose(first, last)\nhash(function)\nsys.stdout.buffer.write(pickle.dumps(function))"
    )
    # Another seed, as in a fresh interpreter, so that not even the hash of a name is the same.
    environment = {**os.environ, "PYTHONHASHSEED": "12345", "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", source], capture_output=True, check=True, env=environment)
    assert pickle.loads(ran.stdout) == compose(first, last)


@pytest.mark.parametrize("make", [lbind, rbind, matcher])
def test_true_and_one_make_one_function(make: Callable[..., Any]) -> None:
    assert make(add, True) == make(add, 1)
    assert hash(make(add, True)) == hash(make(add, 1))
    assert form(make(add, (True, False))) == form(make(add, (1, 0))) == f"{make}(add, (1, 0))"
    assert power(double, True) is double


def test_a_plain_set_and_an_ordered_one_make_one_function() -> None:
    assert lbind(add, frozenset([2, 1])) == lbind(add, OrderedSet([1, 2]))
    assert form(lbind(add, frozenset([2, 1]))) == "lbind(add, {1, 2})"


def test_the_form_is_the_call_that_makes_the_function() -> None:
    made = fork(astuple, lbind(add, ((1,), (), OrderedSet([3, 2]), None, EMPTY)), power(double, 2))
    assert repr(made) == form(made) == "fork(astuple, lbind(add, ((1,), (), {2, 3}, None, {})), power(double, 2))"
    assert repr(chain(first, matcher(last, -1), size)) == "chain(first, matcher(last, -1), size)"


def test_a_huge_int_prints_in_hexadecimal() -> None:
    assert form(2**5000) == hex(2**5000)
    assert form(-(2**5000)) == hex(-(2**5000))
    assert form(2**4000) == str(2**4000)


@given(values, st.integers(1, 40))
def test_a_form_beyond_the_limit_is_cut_with_an_ellipsis(value: Any, limit: int) -> None:
    whole = whole_form(value)
    assert form(value, limit) == (whole if len(whole) <= limit else whole[: limit - 1] + "…")


def test_a_function_of_a_trillion_parts_is_hashed_compared_ordered_and_printed() -> None:
    one, same, other = forty_fold(first), forty_fold(first), forty_fold(last)
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert len({one, same, other}) == 2
    assert ascending([other, one]) == (one, other)
    assert ascending([compose(one, last), compose(same, first)]) == (compose(one, first), compose(one, last))
    assert form(one).startswith("compose(compose(")
    assert form(one).endswith("…")
    assert len(form(one)) == functions_module.FORM_LIMIT


def test_a_function_nested_ten_thousand_deep_is_hashed_compared_ordered_and_printed() -> None:
    one, same = first, first
    for _ in range(10_000):
        one, same = compose(one, last), compose(same, last)
    assert hash(one) == hash(same)
    assert one == same
    assert ascending([compose(one, last), same]) == (compose(one, last), same)
    assert len(whole_form(one)) > 10_000


def test_functions_whose_parts_stand_in_tuples_are_compared_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    one, same = first, first
    for _ in range(12):
        one, same = matcher(identity, (one, one)), matcher(identity, (same, same))
    calls = []
    compare = functions_module._same
    monkeypatch.setattr(functions_module, "_same", lambda a, b: calls.append(a) or compare(a, b))
    assert one == same
    assert len(calls) < 100


@pytest.mark.parametrize("bind", [lbind, rbind])
@pytest.mark.parametrize(
    ("function", "arity"),
    [(first, 3), (compose(first, last), 3), (add, 1), (astuple, 1), (branch, 2), (chain, 2), (objects, 3)],
)
def test_binding_takes_one_argument_off_and_three_remain_of_any_odd_number(
    bind: Any, function: Function, arity: int
) -> None:
    assert bind(function, 0).arity == arity
    assert bind(bind(function, 0), 0).arity == {3: 2, 2: 1, 1: 3}[arity]


@given(st.sampled_from([lbind, rbind]), functions, values)
def test_binding_any_function_succeeds(bind: Any, function: Function, fixed: Any) -> None:
    made = bind(function, fixed)
    assert isinstance(made, Made)
    assert made.arity == {2: 1, 3: 2}.get(function.arity, 3)


@pytest.mark.parametrize("bind", [lbind, rbind])
@pytest.mark.parametrize("thing", [None, 5, True, (), (first,), EMPTY, len, int])
def test_binding_what_is_no_function_is_an_attribute_error(bind: Any, thing: Any) -> None:
    with pytest.raises(AttributeError):
        bind(thing, 1)


@pytest.mark.parametrize("bind", [lbind, rbind])
@pytest.mark.parametrize("given", range(5))
def test_a_bound_unary_function_is_a_type_error_whenever_it_is_called(bind: Any, given: int) -> None:
    made = bind(size, ())
    with pytest.raises(TypeError):
        made(*[()] * given)


def test_binding_fixes_the_first_or_the_last_argument() -> None:
    assert lbind(subtract, 5)(3) == 2
    assert rbind(subtract, 5)(3) == -2
    assert lbind(branch, True)(1, 2) == 1
    assert rbind(branch, 7)(False, 2) == 7
    assert lbind(lbind, add)(4)(5) == 9
    assert rbind(compose, size)(increment)((1, 1)) == 3
    assert lbind(objects, ((0, 1),))(True, True, False) == objects(((0, 1),), True, True, False)


@given(functions, st.integers(0, 5))
def test_a_function_called_with_another_number_of_arguments_is_a_type_error(function: Function, given: int) -> None:
    if given != function.arity:
        with pytest.raises(TypeError):
            function(*[()] * given)


@given(primitives, st.integers(0, 5))
def test_a_primitive_called_with_another_number_of_arguments_is_a_type_error(function: Function, given: int) -> None:
    if given != function.arity:
        with pytest.raises(TypeError):
            function(*[()] * given)


@given(primitives, primitives, primitives)
def test_making_a_function_calls_none(f: Function, g: Function, h: Function) -> None:
    for made in (compose(f, g), chain(f, g, h), fork(f, g, h), matcher(f, None), power(f, 2)):
        assert isinstance(made, Made)
        assert made.arity == 1


def test_making_a_function_of_what_is_none_fails_only_when_called() -> None:
    for made in (compose(1, first), chain(None, (), 5), fork(1, 2, 3), matcher(0, 0), power((), 2)):
        with pytest.raises(TypeError):
            made((1,))


def test_an_error_of_an_inner_function_passes_through() -> None:
    for made in (compose(first, identity), chain(identity, first, identity), matcher(first, 1), power(first, 2)):
        with pytest.raises(StopIteration):
            made(())


def test_a_fork_calls_its_first_branch_first() -> None:
    with pytest.raises(StopIteration):
        fork(astuple, first, last)(())
    with pytest.raises(ValueError, match="empty"):
        fork(astuple, last, first)(())


@given(st.integers(1, 900), st.integers(-5, 5))
def test_power_applies_so_many_times(n: int, x: int) -> None:
    assert power(increment, n)(x) == x + n


def test_the_first_power_is_the_function_itself_whatever_its_arity() -> None:
    assert power(add, 1) is add
    assert power(5, True) == 5


@pytest.mark.parametrize("n", [0, False, -1, -(10**30), 901, 10**30])
def test_power_below_one_or_above_900_is_a_recursion_error(n: int) -> None:
    with pytest.raises(RecursionError):
        power(increment, n)


@pytest.mark.parametrize("n", [None, (), (2,), EMPTY, first])
def test_power_counts_with_an_int(n: Any) -> None:
    with pytest.raises(TypeError):
        power(increment, n)


@pytest.mark.usefixtures("_many_frames")
def test_calls_900_deep_succeed_and_one_more_is_a_recursion_error() -> None:
    nested = identity
    for _ in range(MAX_DEPTH):
        nested = compose(nested, identity)
    assert nested(5) == 5
    assert METER.depth == 0
    with pytest.raises(RecursionError, match="too deeply"):
        compose(nested, identity)(5)


@pytest.mark.usefixtures("_many_frames")
def test_a_function_that_calls_itself_for_ever_is_a_recursion_error_at_the_allowed_depth() -> None:
    omega = fork(apply, identity, initset)
    with pytest.raises(RecursionError, match="too deeply"):
        omega(omega)
    assert METER.depth == 0


def test_calls_that_raised_leave_no_depth_behind() -> None:
    for _ in range(MAX_DEPTH + 1):
        with pytest.raises(StopIteration):
            compose(first, identity)(())
    assert METER.depth == 0
