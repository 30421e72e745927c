"""Ordering and choosing items of a container. Keys are compared by Python's own `<`; the first item wins a tie.

"First" is the first of a tuple or the canonical first of a set. The conditions are inside generator expressions, which
turn a StopIteration into RuntimeError, as the rule is; a StopIteration raised by a key is passed on.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from batt.ops.containers import in_order, merged
from batt.ops.known import knows
from batt.ops.shapes import lowest_counted
from batt.ops.table import op, sig
from batt.types import Kind, OrderedSet, unordered
from batt.types.kinds import Container, Fn, Objects, Set, Tuple

ANY, CONTAINER, FN, INT = Kind.ANY, Kind.CONTAINER, Kind.FN, Kind.INT
OBJECTS, SET, TUPLE = Kind.OBJECTS, Kind.SET, Kind.TUPLE


def _filtered(container: Container, condition: Fn) -> Container:
    """The items for which the condition is true, in the container's kind."""
    found = (item for item in in_order(container) if condition(item))
    return tuple(found) if isinstance(container, tuple) else OrderedSet.from_ascending(found)


def _counted(container: Tuple) -> Counter[Any]:
    """Count each item; a set, which has no counts, is an AttributeError."""
    if isinstance(container, frozenset):
        raise AttributeError("items are counted in a tuple, got a set")
    counts = Counter(in_order(container))
    if not counts:
        raise ValueError("an empty tuple has no items to count")
    return counts


@op(CONTAINER, FN, result=TUPLE)
@knows(
    types="many a, (a -> int) -> tuple a",
    gives="e>e z>e p>p g>g t>t s>pgt",
    refuses="container: in; compfunc: iepgtzs if container=pgts",
)
def order(container: Container, compfunc: Fn) -> Tuple:
    """The items ascending by a key, stable; None as the key compares the items themselves.

    >>> order({(5, 5), (7,), (8,)}, size)
    ((7,), (8,), (5, 5))
    """
    return tuple(sorted(in_order(container), key=compfunc))


@op(CONTAINER, result=ANY)
@knows(types="many never -> int; many a -> a", gives="p>i g>pgt t>* s>* e>i z>i", refuses="container: in")
def maximum(container: Container) -> Any:
    """The greatest item, the first of equal ones; 0 if there is none.

    >>> maximum({1, 5, 3})
    5
    """
    return max(in_order(container), default=0)


@op(CONTAINER, result=ANY)
@knows(types="many never -> int; many a -> a", gives="p>i g>pgt t>* s>* e>i z>i", refuses="container: in")
def minimum(container: Container) -> Any:
    """The least item, the first of equal ones; 0 if there is none.

    >>> minimum(())
    0
    """
    return min(in_order(container), default=0)


@op(CONTAINER, FN, result=ANY)
@knows(
    types="many a, (a -> int) -> a",
    gives="p>i g>pgt t>* s>* e>i z>i",
    refuses="container: inez; compfunc: iepgtzs",
)
def argmax(container: Container, compfunc: Fn) -> Any:
    """The first item with the greatest key; ValueError if there is none.

    >>> argmax(((1,), (2, 2), (3, 3)), size)
    (2, 2)
    """
    return max(in_order(container), key=compfunc)


@op(CONTAINER, FN, result=ANY)
@knows(
    types="many a, (a -> int) -> a",
    gives="p>i g>pgt t>* s>* e>i z>i",
    refuses="container: inez; compfunc: iepgtzs",
)
def argmin(container: Container, compfunc: Fn) -> Any:
    """The first item with the least key; ValueError if there is none.

    >>> argmin({(2, 2), (1,), (0,)}, size)
    (0,)
    """
    return min(in_order(container), key=compfunc)


@op(CONTAINER, FN, result=ANY)
@knows(types="many a, (a -> c) -> c", refuses="container: in; compfunc: inepgtzs")
def valmax(container: Container, compfunc: Fn) -> Any:
    """The greatest key, computed once more of its item; of an empty container the key of 0.

    >>> valmax(((1,), (2, 2)), size)
    2
    """
    return compfunc(max(in_order(container), key=compfunc, default=0))


@op(CONTAINER, FN, result=ANY)
@knows(types="many a, (a -> c) -> c", refuses="container: in; compfunc: inepgtzs")
def valmin(container: Container, compfunc: Fn) -> Any:
    """The least key, computed once more of its item; of an empty container the key of 0.

    >>> valmin(((1,), (2, 2)), size)
    1
    >>> valmin((), increment)
    1
    """
    return compfunc(min(in_order(container), key=compfunc, default=0))


@op(TUPLE, result=ANY)
@knows(types="tuple a -> a", gives="p>i g>pgt t>* s>* e>i z>i", refuses="container: inezs")
def mostcommon(container: Tuple) -> Any:
    """The item that occurs most often, the smallest of tied ones; a set is an AttributeError.

    >>> mostcommon((2, 1, 1, 2, 3))
    1
    """
    counts = _counted(container)
    return lowest_counted(counts, max(counts.values()))


@op(TUPLE, result=ANY)
@knows(types="tuple a -> a", gives="p>i g>pgt t>* s>* e>i z>i", refuses="container: inezs")
def leastcommon(container: Tuple) -> Any:
    """The item that occurs least often, the smallest of tied ones; a set is an AttributeError.

    >>> leastcommon((1, 1, 3, 2))
    2
    """
    counts = _counted(container)
    return lowest_counted(counts, min(counts.values()))


@op(CONTAINER, INT, result=SET, also=(sig(OBJECTS, INT, result=OBJECTS),))
@knows(
    types="many a, int -> set a",
    usual="objects, int -> objects",
    gives="*>sz",
    refuses="container: inp",
)
def sizefilter(container: Container, n: int) -> Set:
    """The set of the items that have exactly n items.

    >>> sizefilter(((1, 2), (3,), {4, 5}), 2)
    {(1, 2), {4, 5}}
    """
    return OrderedSet([item for item in unordered(container) if len(item) == n])


@op(OBJECTS, INT, result=OBJECTS, also=(sig(CONTAINER, INT, result=OBJECTS),))
@knows(
    types="many a, int -> set a",
    usual="objects, int -> objects",
    gives="*>sz",
    refuses="objs: inp",
    colours="value",
)
def colorfilter(objs: Container, value: int) -> Objects:
    """The set of the objects whose first cell has that colour; an empty object is a RuntimeError.

    >>> colorfilter({{(3, (0, 0)), (5, (0, 1))}, {(5, (2, 2))}}, 5)
    {{(5, (2, 2))}}
    """
    found = (obj for obj in in_order(objs) if next(iter(in_order(obj)))[0] == value)
    return OrderedSet(found) if isinstance(objs, tuple) else OrderedSet.from_ascending(found)


@op(TUPLE, FN, result=TUPLE, also=(sig(SET, FN, result=SET),))
@knows(
    types="many a, (a -> bool) -> some a",
    gives="e>e p>ept g>eg t>epgt s>sz z>z",
    refuses="container: in; condition: inepgtzs if container=pgts",
    proves="s, f ~> set",
)
def sfilter(container: Container, condition: Fn) -> Container:
    """The items for which the condition is true, in the container's kind.

    >>> sfilter((3, 4, 6, 5), even)
    (4, 6)
    """
    return _filtered(container, condition)


@op(TUPLE, FN, result=TUPLE, also=(sig(SET, FN, result=SET),))
@knows(
    types="many many a, (many a -> bool) -> many a",
    gives="e>e z>z s>sz *>epgt",
    refuses="container: in; function: inepgtzs if container=pgts",
)
def mfilter(container: Container, function: Fn) -> Container:
    """The items of those items for which the function is true, in the outer container's kind.

    >>> mfilter(({2, 1}, {3}, (4, 4)), matcher(size, 2))
    (1, 2, 4, 4)
    """
    return merged(_filtered(container, function))


@op(CONTAINER, FN, result=ANY)
@knows(
    types="many a, (a -> bool) -> a",
    gives="p>i g>pgt t>* s>* e>i z>i",
    refuses="container: inez; condition: inepgtzs",
)
def extract(container: Container, condition: Fn) -> Any:
    """The first item for which the condition is true; StopIteration if there is none.

    >>> extract({3, 6, 4}, even)
    4
    """
    return next(item for item in in_order(container) if condition(item))
