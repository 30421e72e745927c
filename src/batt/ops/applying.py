"""Call a function on the items of containers, in their order, so that the first error is the one raised.

The calls are inside generator expressions, which turn a StopIteration into RuntimeError, as the rule is. If there is
nothing to call, the function is not checked.
"""

from __future__ import annotations

from typing import Any

from batt.ops.containers import in_order, joined, like, product_cost, united
from batt.ops.known import knows
from batt.ops.table import op, sig
from batt.types import Kind, OrderedSet, ordered
from batt.types.kinds import Container, Fn, Set, Tuple

ANY, CONTAINER, FN, SET, TUPLE = Kind.ANY, Kind.CONTAINER, Kind.FN, Kind.SET, Kind.TUPLE


def _prapply_cost(function: Any, a: Any, b: Any) -> int:
    """1 + items of a × items of b, besides what the calls cost"""
    return product_cost(a, b)


def _side_by_side(function: Fn, a: Container, b: Container) -> Tuple:
    """The function of a's and b's items side by side, up to the shorter of the two."""
    return tuple(function(x, y) for x, y in zip(in_order(a), in_order(b), strict=False))


@op(FN, TUPLE, result=TUPLE, also=(sig(FN, SET, result=SET),))
@knows(
    types="(a -> b), many a -> many b",
    gives="container: e>e z>z s>s *>pgt",
    refuses="container: in; function: inepgtzs if container=pgts",
    proves="f, s ~> set",
)
def apply(function: Fn, container: Container) -> Container:
    """The function of each item, in the container's kind.

    >>> apply(increment, (2, 0, 2))
    (3, 1, 3)
    >>> apply(even, {1, 2, 3, 4})
    {0, 1}
    """
    return like(container, (function(item) for item in in_order(container)))


@op(TUPLE, ANY, result=TUPLE, also=(sig(SET, ANY, result=SET),))
@knows(types="many (a -> b), a -> many b", gives="e>e z>z s>s *>pgt", refuses="functions: inpg")
def rapply(functions: Container, value: Any) -> Container:
    """Each function of the value, in the container's kind.

    >>> rapply((increment, double), 5)
    (6, 10)
    """
    return like(functions, (function(value) for function in in_order(functions)))


@op(FN, TUPLE, result=TUPLE, also=(sig(FN, SET, result=SET),))
@knows(
    types="(a -> many b), many a -> many b",
    gives="container: e>e z>z s>sz *>epgt",
    refuses="container: in; function: inepgtzs if container=pgts",
)
def mapply(function: Fn, container: Container) -> Container:
    """The items of the function's results: of a tuple one after the other, of a set united.

    >>> mapply(initset, (2, 1, 2))
    (2, 1, 2)
    >>> mapply(identity, {(2, 1), (2, 3)})
    {1, 2, 3}
    """
    results = tuple(function(item) for item in in_order(container))
    return joined(results) if isinstance(container, tuple) else united(results)


@op(FN, CONTAINER, CONTAINER, result=TUPLE)
@knows(
    types="(a, b -> c), tuple a, tuple b -> tuple c",
    gives="*>epgt",
    refuses="a b: in; function: inepgtzs if a=pgts b=pgts",
)
def papply(function: Fn, a: Container, b: Container) -> Tuple:
    """The function of a's and b's items side by side, up to the shorter of the two.

    >>> papply(add, (1, 2, 3), (10, 20))
    (11, 22)
    """
    return _side_by_side(function, a, b)


@op(FN, CONTAINER, CONTAINER, result=TUPLE)
@knows(
    types="(a, b -> tuple c), tuple a, tuple b -> tuple c",
    gives="*>epgt",
    refuses="a b: in; function: inepgtzs if a=pgts b=pgts",
)
def mpapply(function: Fn, a: Container, b: Container) -> Tuple:
    """The items of what papply gives, one result after the other in one tuple.

    >>> mpapply(astuple, (1, 2), (8, 9))
    (1, 8, 2, 9)
    """
    return joined(_side_by_side(function, a, b))


@op(FN, CONTAINER, CONTAINER, result=SET, cost=_prapply_cost)
@knows(
    types="(a, b -> c), many a, set b -> set c",
    gives="*>sz",
    refuses="b: in; a: in if b=pgts; function: inepgtzs if a=pgts b=pgts",
)
def prapply(function: Fn, a: Container, b: Container) -> Set:
    """The function of every item of a with every item of b; if b is empty, a is not checked.

    >>> prapply(add, {1, 2}, (10, 20))
    {11, 12, 21, 22}
    """
    left = ordered(a)
    return OrderedSet(function(x, y) for y in in_order(b) for x in in_order(left))
