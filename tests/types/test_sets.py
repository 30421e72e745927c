"""The canonical order, and the set that iterates in it and is a frozenset in all else."""

from __future__ import annotations

import operator
import pickle
from collections.abc import Iterable
from functools import cmp_to_key
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cells, few_values, functions, ints, nested, pairs, primitives, rebuilt, small_ints, values

from batt.dsl import compose, first, last
from batt.types import OrderedSet, ascending, canonical_key, form, ordered, unordered

ONE_OF_EACH_KIND = (-5, True, 7, (), (0,), OrderedSet(), OrderedSet([0]), None, compose(first, last), first)
"""Values of every kind, ascending."""

pools = st.one_of(
    st.lists(values, max_size=6),
    st.lists(few_values, max_size=6),
    st.lists(nested(small_ints), max_size=8),
    st.lists(ints, max_size=8),
    st.lists(pairs | cells, max_size=8),
    st.lists(st.tuples(small_ints, pairs | small_ints | cells), max_size=8),
    st.lists(st.lists(cells, max_size=3).map(OrderedSet) | st.lists(pairs, max_size=3).map(OrderedSet), max_size=6),
    st.lists(st.lists(st.lists(small_ints, max_size=2).map(tuple), max_size=2).map(tuple), max_size=8),
    st.lists(functions, max_size=5),
)
"""Items of a set: mixed kinds, and each of the uniform kinds that are sorted without keys."""


def compare(a: Any, b: Any) -> int:
    """The order as the specification words it: -1, 0 or 1."""
    kinds = [next(rank for rank, kind in enumerate((int, tuple, frozenset)) if isinstance(x, kind)) if is_data(x) else
             3 + (x is not None) for x in (a, b)]
    if kinds[0] != kinds[1]:
        return sign(kinds[0], kinds[1])
    if kinds[0] == 0:
        return sign(a, b)
    if kinds[0] == 3:
        return 0
    if kinds[0] == 4:
        return sign(form(a, 10**9), form(b, 10**9))
    return compare_items(a, b) if kinds[0] == 1 else compare_items(in_order(a), in_order(b))


def compare_items(a: tuple[Any, ...], b: tuple[Any, ...]) -> int:
    found = [compare(x, y) for x, y in zip(a, b, strict=False)]
    return next((each for each in found if each), sign(len(a), len(b)))


def in_order(items: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(sorted(unordered(items), key=cmp_to_key(compare)))


def is_data(value: Any) -> bool:
    return isinstance(value, int | tuple | frozenset)


def sign(a: Any, b: Any) -> int:
    return (a > b) - (a < b)
