"""Facts of the applying family that its vectors do not make obvious."""

from __future__ import annotations

from typing import Any

import pytest

from batt.dsl import (
    add,
    apply,
    astuple,
    divide,
    first,
    identity,
    increment,
    lbind,
    mapply,
    mpapply,
    papply,
    prapply,
    rapply,
)
from batt.ops import METER, OverBudget
from batt.types import OrderedSet

EMPTY: OrderedSet[Any] = OrderedSet()


@pytest.mark.parametrize("call", [apply, mapply])
@pytest.mark.parametrize("container", [((),), OrderedSet(((),))])
def test_stop_iteration_of_a_call_becomes_a_runtime_error(call: Any, container: Any) -> None:
    with pytest.raises(RuntimeError):
        call(first, container)


def test_stop_iteration_becomes_a_runtime_error_in_rapply() -> None:
    with pytest.raises(RuntimeError):
        rapply((first,), ())


def test_nothing_to_call_means_the_function_is_not_looked_at() -> None:
    assert apply(None, ()) == ()
    assert mapply(5, EMPTY) == EMPTY
    assert papply(None, (), (1, 2)) == ()
    assert prapply(None, EMPTY, (1,)) == EMPTY
    with pytest.raises(TypeError):
        apply(increment, 5)


def test_prapply_looks_at_b_first() -> None:
    assert prapply(add, None, ()) == EMPTY
    with pytest.raises(TypeError):
        prapply(add, (), None)


def test_prapply_calls_all_of_a_for_each_item_of_b() -> None:
    with pytest.raises(ZeroDivisionError):
        prapply(divide, (1, None), (0, 1))
    with pytest.raises(TypeError):
        prapply(divide, (1, None), (1, 0))


def test_calls_on_a_set_go_in_canonical_order() -> None:
    with pytest.raises(IndexError):
        apply(increment, frozenset((None, (1,))))
    with pytest.raises(TypeError):
        apply(increment, (None, (1,)))


def test_all_calls_come_before_the_results_are_merged() -> None:
    with pytest.raises(ZeroDivisionError):
        mapply(lbind(divide, 6), (1, 0))
    with pytest.raises(TypeError):
        mapply(lbind(divide, 6), (1, 2))


def test_a_set_of_results_keeps_the_first_of_equal_ones() -> None:
    assert apply(first, frozenset(((1, 5), (True, 4)))).order[0] is True


def test_results_that_are_plain_sets_are_laid_out_in_canonical_order() -> None:
    assert mapply(identity, (frozenset((8, 1)), frozenset((8, 0)))) == (1, 8, 0, 8)
    assert mpapply(astuple, frozenset((2, 1)), (8, 9)) == (1, 8, 2, 9)


def test_rapply_on_a_set_of_functions_gives_a_set() -> None:
    assert rapply(OrderedSet((increment, lbind(add, 1), identity)), 5) == OrderedSet((5, 6))


@pytest.mark.usefixtures("small_budget")
def test_prapply_is_refused_before_its_first_call() -> None:
    many = OrderedSet(range(100))
    with pytest.raises(OverBudget):
        prapply(None, many, many)


@pytest.mark.usefixtures("small_budget")
def test_calls_charge_themselves_besides() -> None:
    apply(increment, (1, 2, 3))
    # 1 for apply, 3 items in, 3 calls of increment, 3 items out.
    assert METER.steps_left == 1000 - 10
