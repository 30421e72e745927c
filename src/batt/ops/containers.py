"""Tuples and sets: size, membership, joining, taking apart.

A result made from a container is of its kind if the rule says so: a tuple gives a tuple, a set a set.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from batt.ops.known import knows
from batt.ops.meter import METER, OverBudget, items, unit, whole
from batt.ops.table import op, sig
from batt.types import Kind, OrderedSet, ascending, unordered
from batt.types.kinds import Container, Set, Tuple

ANY, BOOL, CONTAINER, INT, SET, TUPLE = Kind.ANY, Kind.BOOL, Kind.CONTAINER, Kind.INT, Kind.SET, Kind.TUPLE


def in_order(container: Any) -> Tuple:
    """Return the items as a tuple: a set in canonical order; anything but a container is a TypeError."""
    if isinstance(container, tuple):
        return container
    if isinstance(container, OrderedSet):
        return container.order
    if isinstance(container, frozenset):
        return ascending(container)
    raise _no_container(container)


def like(container: Container, results: Iterable[Any]) -> Container:
    """Return the results as a tuple if the container is one, else as a set that keeps the first of equal ones."""
    return tuple(results) if isinstance(container, tuple) else OrderedSet(results)


def joined(parts: Tuple) -> Tuple:
    """Return the items of all parts as one tuple, part after part."""
    count = sum(map(len, parts))
    # One part may occur many times, so the result can be too large to be made before it is charged.
    if count > METER.max_items or count > METER.steps_left:
        raise OverBudget
    return tuple(itertools.chain.from_iterable(map(in_order, parts)))


def united(parts: Iterable[Any]) -> Set:
    """Return the items of all parts as one set."""
    return OrderedSet(frozenset().union(*parts))


def merged(containers: Container) -> Container:
    """The items of the items, in the outer container's kind."""
    return joined(containers) if isinstance(containers, tuple) else united(unordered(containers))


def product_cost(a: Any, b: Any) -> int:
    """1 + items of a × items of b"""
    return 1 + items(a) * items(b)


def _repeat_cost(item: Any, num: Any) -> int:
    """1 + num"""
    return 1 + whole(num)


def _interval_cost(start: Any, stop: Any, step: Any) -> int:
    """1 + the number of ints it gives"""
    if not (isinstance(start, int) and isinstance(stop, int) and isinstance(step, int) and step):
        return 1
    return 1 + max(0, -((start - stop) // step))


def _no_container(value: Any) -> TypeError:
    return TypeError(f"expected a tuple or a set, got {type(value).__name__}")


@op(CONTAINER, result=INT, cost=unit)
@knows(gives="*>i", refuses="container: in", proves="t -> int; s -> int")
def size(container: Container) -> int:
    """The number of items.

    >>> size({3, 5})
    2
    """
    return len(container)


@op(ANY, CONTAINER, result=BOOL)
@knows(types="=a, many a -> bool", gives="*>i", refuses="container: in", proves="... ~> bool")
def contained(value: Any, container: Container) -> bool:
    """Tell whether an item of the container equals the value.

    >>> contained((1, 2), ((1, 2), (3, 4)))
    True
    """
    return value in container


@op(TUPLE, CONTAINER, result=TUPLE, also=(sig(SET, CONTAINER, result=SET),))
@knows(
    types="many a, many a -> many a",
    gives="e+ez>e e+p>p e+g>g e+t>t e+s>pgt p+ez>p g+ez>g t+ez>t g+g>g g+s>pgt pgt+pgts>pt z+ez>z z+pgts>s s>s",
    refuses="a b: in",
)
def combine(a: Container, b: Container) -> Container:
    """All items of a and then all of b, in a's kind.

    >>> combine((3, 1), {2, 1})
    (3, 1, 1, 2)
    >>> combine({3, 1}, (2, 1))
    {1, 2, 3}
    """
    if isinstance(a, tuple):
        return a + in_order(b)
    if isinstance(a, frozenset):
        return OrderedSet(a.union(b))
    raise _no_container(a)


@op(SET, SET, result=SET)
@knows(types="set a, set a -> some a", gives="*>sz", refuses="a b: inepgt")
def intersection(a: Set, b: Set) -> Set:
    """The items that two sets share.

    >>> intersection({1, 2, 3}, {2, 3, 4})
    {2, 3}
    """
    if not isinstance(a, frozenset) or not isinstance(b, frozenset):
        raise TypeError(f"intersection is of two sets, got {type(a).__name__} and {type(b).__name__}")
    return OrderedSet(a & b)


@op(TUPLE, CONTAINER, result=TUPLE, also=(sig(SET, CONTAINER, result=SET),))
@knows(types="many a, any -> some a", gives="e>e p>ept g>eg t>epgt s>sz z>z", refuses="a: in; b: in if a=pgts")
def difference(a: Container, b: Container) -> Container:
    """The items of a that are not in b; if a is empty, b is not checked.

    >>> difference((1, 2, 3, 1), {1})
    (2, 3)
    """
    if isinstance(a, frozenset):
        return OrderedSet(a.difference(b)) if a else OrderedSet()
    if not isinstance(a, tuple):
        raise _no_container(a)
    if not a:
        return a
    taken = b if isinstance(b, frozenset) else frozenset(b)
    return tuple([item for item in a if item not in taken])


@op(TUPLE, result=TUPLE)
@knows(types="tuple a -> tuple a", gives="e>e z>e p>pt g>g t>pgt", refuses="tup: ins")
def dedupe(tup: Tuple) -> Tuple:
    """The tuple with only the first of equal items; a set that is not empty is an AttributeError.

    >>> dedupe((3, 1, 3, 2, 1))
    (3, 1, 2)
    """
    if isinstance(tup, frozenset) and tup:
        raise AttributeError("dedupe needs a tuple, got a set")
    return tuple(dict.fromkeys(tup))


@op(ANY, INT, result=TUPLE, cost=_repeat_cost)
@knows(types="a, int -> tuple a", gives="i>ept p>eg g>eg t>eg *>et", refuses="num: nepgtzs")
def repeat(item: Any, num: int) -> Tuple:
    """A tuple that holds the item num times.

    >>> repeat(5, 3)
    (5, 5, 5)
    """
    if not isinstance(num, int):
        raise TypeError(f"repeat counts with an int, got {type(num).__name__}")
    return (item,) * max(0, num)


@op(TUPLE, result=TUPLE, also=(sig(SET, result=SET),))
@knows(types="many many a -> many a", gives="e>e z>z s>sz g>pgt *>epgt", refuses="containers: inp")
def merge(containers: Container) -> Container:
    """The items of the items, in the outer container's kind.

    >>> merge(({2, 1}, (2, 3)))
    (1, 2, 2, 3)
    >>> merge({(2, 1), (2, 3)})
    {1, 2, 3}
    """
    return merged(containers)


@op(ANY, result=SET, cost=unit)
@knows(types="a -> set a", gives="*>s", proves="x -> set[1]")
def initset(value: Any) -> Set:
    """The set that holds only the value.

    >>> initset((1, 2))
    {(1, 2)}
    """
    return OrderedSet.from_ascending((value,))


@op(ANY, SET, result=SET)
@knows(types="a, set a -> set a", gives="*>s", refuses="container: inepgt")
def insert(value: Any, container: Set) -> Set:
    """The set with the value added; anything but a set is an AttributeError.

    >>> insert(2, {1, 3})
    {1, 2, 3}
    """
    if not isinstance(container, frozenset):
        raise AttributeError(f"insert needs a set, got {type(container).__name__}")
    return OrderedSet(container.union((value,)))


@op(ANY, TUPLE, result=TUPLE, also=(sig(ANY, SET, result=SET),))
@knows(types="=a, many a -> some a", gives="container: e>e p>ept g>eg t>epgt s>sz z>z", refuses="container: in")
def remove(value: Any, container: Container) -> Container:
    """The container without any item that equals the value.

    >>> remove(1, (1, 2, 1, 3))
    (2, 3)
    """
    if isinstance(container, tuple):
        return tuple([item for item in container if item != value])
    if isinstance(container, frozenset):
        return OrderedSet(container.difference((value,)))
    raise _no_container(container)


@op(CONTAINER, ANY, result=ANY)
@knows(types="many a, =a -> a", gives="p>i g>pgt t>* s>* e>i z>i", refuses="container: inez")
def other(container: Container, value: Any) -> Any:
    """The first item that does not equal the value; StopIteration if there is none.

    >>> other({1, 2}, 1)
    2
    """
    return next(item for item in in_order(container) if item != value)


@op(CONTAINER, result=TUPLE)
@knows(types="many a -> tuple a", gives="e>e z>e p>p g>g t>t s>pgt", refuses="container: in", proves="t -> t")
def totuple(container: Container) -> Tuple:
    """The items as a tuple; those of a set in canonical order.

    >>> totuple({3, 1, 2})
    (1, 2, 3)
    """
    return in_order(container)


@op(CONTAINER, result=ANY, cost=unit)
@knows(
    types="(a, b) -> a; many a -> a",
    gives="p>i g>pgt t>* s>* e>i z>i",
    refuses="container: inez",
    proves="p -> grid; q ~> pair; r -> tuple",
)
def first(container: Container) -> Any:
    """The first item, of a set the smallest in canonical order; StopIteration if there is none.

    >>> first({(5, (0, 1)), (3, (2, 2))})
    (3, (2, 2))
    """
    return next(iter(in_order(container)))


@op(CONTAINER, result=ANY, cost=unit)
@knows(
    types="(a, b) -> b; many a -> a",
    gives="p>i g>pgt t>* s>* e>i z>i",
    refuses="container: inez",
    proves="p -> grid; q ~> pair; r -> tuple",
)
def last(container: Container) -> Any:
    """The last item, of a set the largest in canonical order; ValueError if there is none.

    >>> last((3, 1, 2))
    2
    """
    order = in_order(container)
    if not order:
        raise ValueError("an empty container has no last item")
    return order[-1]


@op(INT, INT, INT, result=TUPLE, cost=_interval_cost)
@knows(types="int, int, int -> tuple int", gives="*>epgt", refuses="start stop step: nepgtzs")
def interval(start: int, stop: int, step: int) -> Tuple:
    """The ints from start in steps up to, but not including, stop.

    >>> interval(5, 0, -2)
    (5, 3, 1)
    """
    return tuple(range(start, stop, step))


@op(ANY, ANY, result=TUPLE, cost=unit)
@knows(types="a, b -> (a, b)")
def astuple(a: Any, b: Any) -> Tuple:
    """The tuple of two values.

    >>> astuple(1, (2, 3))
    (1, (2, 3))
    """
    return (a, b)


@op(CONTAINER, CONTAINER, result=SET, cost=product_cost)
@knows(types="many a, many b -> set (a, b)", gives="*>sz", refuses="b: in; a: in if b=pgts")
def product(a: Container, b: Container) -> Set:
    """Every pair of an item of a and one of b; if b is empty, a is not checked.

    >>> product({1, 2}, (8, 9))
    {(1, 8), (1, 9), (2, 8), (2, 9)}
    """
    right = in_order(b)
    if not right:
        return OrderedSet()
    pairs = itertools.product(in_order(a), right)
    if isinstance(a, tuple) or isinstance(b, tuple):
        return OrderedSet(pairs)
    return OrderedSet.from_ascending(pairs)


@op(CONTAINER, CONTAINER, result=TUPLE)
@knows(types="many a, many b -> tuple (a, b)", gives="*>eg", refuses="a b: in")
def pair(a: Container, b: Container) -> Tuple:
    """The items of a and b side by side, up to the shorter of the two.

    >>> pair((1, 2, 3), (7, 8))
    ((1, 7), (2, 8))
    """
    return tuple(zip(in_order(a), in_order(b), strict=False))
