"""Canonical order, and the set type that iterates in it.

ints < tuples < sets < None < functions; ints by value, tuples item by item (a proper prefix first), sets as the
ascending tuple of their items, functions by their printed form. Comparisons that a primitive makes use Python's own
order instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, TypeVar

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_INTS = {int, bool}


class OrderedSet(frozenset[T_co]):
    """An immutable set that iterates in canonical order. It equals the frozenset of its items and has the same hash."""

    __slots__ = ("_order",)
    _order: tuple[T_co, ...]

    @classmethod
    def from_ascending(cls, items: Iterable[T]) -> OrderedSet[T]:
        """Make a set of distinct items that are already in canonical order, so that they are not sorted."""
        order = tuple(items)
        made = OrderedSet(order)
        made._order = order
        return made

    @property
    def order(self) -> tuple[T_co, ...]:
        """The items in ascending order, sorted on first use."""
        try:
            return self._order
        except AttributeError:
            self._order = ascending(frozenset.__iter__(self))
            return self._order

    def __iter__(self) -> Iterator[T_co]:
        return iter(self.order)

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, self)) + "}"

    __str__ = __repr__

    def __reduce__(self) -> tuple[Any, ...]:
        return OrderedSet, (list(frozenset.__iter__(self)),)


def unordered(items: Iterable[T]) -> Iterator[T]:
    """Iterate a container without sorting it, where the order does not matter."""
    return frozenset.__iter__(items) if isinstance(items, frozenset) else iter(items)


def ordered(items: Iterable[T]) -> Iterable[T]:
    """Return `items` in a form that iterates in canonical order; a tuple keeps its own order."""
    return OrderedSet(items) if type(items) is frozenset else items


def ascending(items: Iterable[T]) -> tuple[T, ...]:
    """Return `items` as a tuple in canonical order."""
    pool: list[Any] = list(items)
    if len(pool) > 1:
        pool.sort(key=_quickest_key(pool))
    return tuple(pool)


def canonical_key(value: Any) -> tuple[int, Any]:
    """Return a key under which Python's `<` is the canonical order, for values of any kind."""
    if isinstance(value, int):
        return 0, value
    if isinstance(value, tuple):
        return 1, [canonical_key(item) for item in value]
    if isinstance(value, frozenset):
        return 2, [canonical_key(item) for item in ascending(value)]
    if value is None:
        return 3, 0
    return 4, value.form_key()


def _quickest_key(pool: list[Any]) -> Any:
    """Return None if Python's `<` is the canonical order of `pool`, else the cheapest key that makes it so."""
    if _natively_ordered(pool):
        return None
    if set(map(type, pool)) == {OrderedSet} and _natively_ordered([item.order for item in pool]):
        return _order_of
    return canonical_key


def _order_of(items: OrderedSet[T]) -> tuple[T, ...]:
    return items.order


def _natively_ordered(items: list[Any]) -> bool:
    """Tell whether `items` are ints, or tuples nested alike that end in ints or cells."""
    while True:
        kinds = set(map(type, items))
        if kinds <= _INTS:
            return True
        if kinds != {tuple}:
            return False
        inner = list(chain.from_iterable(items))
        if not set(map(type, inner)).isdisjoint(_INTS):
            return set(map(type, inner)) <= _INTS or _are_cells(items)
        items = inner


def _are_cells(items: list[tuple[Any, ...]]) -> bool:
    """Tell whether every tuple is (int, (int, …)), so that no comparison meets two kinds."""
    if set(map(len, items)) != {2}:
        return False
    heads, tails = zip(*items, strict=True)
    return (
        set(map(type, heads)) <= _INTS
        and set(map(type, tails)) == {tuple}
        and set(map(type, chain.from_iterable(tails))) <= _INTS
    )
