"""Facts of the choosing family that its vectors do not make obvious."""

from __future__ import annotations

from typing import Any

import pytest

from batt.dsl import (
    argmax,
    argmin,
    colorfilter,
    extract,
    first,
    identity,
    initset,
    leastcommon,
    maximum,
    mfilter,
    mostcommon,
    order,
    sfilter,
    size,
    sizefilter,
    valmax,
    valmin,
)
from batt.types import OrderedSet

EMPTY: OrderedSet[Any] = OrderedSet()


@pytest.mark.parametrize("choose", [sfilter, mfilter, extract])
def test_stop_iteration_of_a_condition_becomes_a_runtime_error(choose: Any) -> None:
    for container in (((),), initset(())):
        with pytest.raises(RuntimeError):
            choose(container, first)


@pytest.mark.parametrize("choose", [order, argmax, argmin, valmax, valmin])
def test_stop_iteration_of_a_key_stays(choose: Any) -> None:
    with pytest.raises(StopIteration):
        choose(((),), first)


def test_nothing_to_test_means_the_condition_is_not_looked_at() -> None:
    assert sfilter((), None) == ()
    assert mfilter(EMPTY, 5) == EMPTY
    with pytest.raises(StopIteration):
        extract((), None)


def test_extract_does_not_look_beyond_its_find() -> None:
    assert extract(((1,), 5), size) == (1,)


def test_none_as_a_condition_is_no_identity() -> None:
    with pytest.raises(TypeError):
        sfilter((1, 2), None)


def test_none_as_a_key_compares_the_items_themselves() -> None:
    assert order(OrderedSet((2, 1)), None) == (1, 2)
    assert argmax((1, 2), None) == 2


def test_ties_in_a_set_go_to_the_canonical_first() -> None:
    tied = OrderedSet(((9,), (1, 1), (2, 2), (0,)))
    assert argmax(tied, size) == (1, 1)
    assert argmin(tied, size) == (0,)
    assert order(tied, size) == ((0,), (9,), (1, 1), (2, 2))


def test_ties_of_counts_go_to_the_lowest_value_whatever_its_kind() -> None:
    assert mostcommon((None, (1,), 7, 3)) == 3
    assert leastcommon((EMPTY, None, (2,), (1, 5))) == (1, 5)


def test_the_first_of_equal_items_is_the_maximum() -> None:
    assert maximum((0, True, 1)) is True
    assert maximum((0, 1, True)) is not True


def test_the_key_of_an_empty_container_is_that_of_zero() -> None:
    assert valmax((), initset) == OrderedSet((0,))
    with pytest.raises(TypeError):
        valmin(EMPTY, size)


def test_functions_as_keys_cannot_be_compared() -> None:
    assert order((first,), identity) == (first,)
    with pytest.raises(TypeError):
        order((first, size), identity)


def test_colorfilter_raises_what_comes_first_in_canonical_order() -> None:
    with pytest.raises(TypeError):
        colorfilter(frozenset((EMPTY, 5)), 1)
    with pytest.raises(RuntimeError):
        colorfilter((EMPTY, 5), 1)


def test_filters_by_size_and_colour_give_a_set_of_a_tuple() -> None:
    cells = OrderedSet(((3, (0, 0)), (5, (0, 1))))
    assert colorfilter((cells, cells), 3) == initset(cells)
    assert sizefilter((cells, cells, ()), 2) == initset(cells)


@pytest.mark.parametrize("choose", [mostcommon, leastcommon])
def test_counting_in_nothing_tells_apart_what_was_given(choose: Any) -> None:
    for given, error in [((), ValueError), (EMPTY, AttributeError), (None, TypeError), (first, TypeError)]:
        with pytest.raises(error):
            choose(given)
