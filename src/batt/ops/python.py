"""Everyday Python in decks: `x[0]`, `a, b = x`, operators and `frozenset(x)`, each as Python means it on every value.

A group apart from the primitives: a deck does not call these ops by name, it writes the form. Sets iterate ascending,
True is 1, and functions have neither items nor an order.
"""

from __future__ import annotations

import operator
from typing import Any

from batt.ops.containers import in_order
from batt.ops.known import knows
from batt.ops.meter import items, unit, whole
from batt.ops.table import PYTHON, Op, op, sig
from batt.types import Kind, OrderedSet
from batt.types.kinds import Container, Set, Tuple

ANY, BOOL, CONTAINER, INT, SET, TUPLE = Kind.ANY, Kind.BOOL, Kind.CONTAINER, Kind.INT, Kind.SET, Kind.TUPLE

PART = "py_part"
"""The op that unpacks a value, which is written as names to the left of an equals sign."""
SET_TYPE = frozenset
"""Python's own type under another name: an op of this family takes its name."""


def _mul_cost(a: Any, b: Any) -> int:
    """1 + items of the tuple (at least 1) × the int; of two ints 1, plus the product of their whole 64-bit words"""
    if isinstance(a, tuple):
        return 1 + max(1, items(a)) * whole(b)
    if isinstance(b, tuple):
        return 1 + max(1, items(b)) * whole(a)
    return 1 + _words(a) * _words(b)


def _words(value: Any) -> int:
    return value.bit_length() // 64 if isinstance(value, int) else 0


def _are_ints(a: Any, b: Any) -> None:
    if not isinstance(a, int) or not isinstance(b, int):
        raise TypeError(f"expected two ints, got {type(a).__name__} and {type(b).__name__}")


@op(TUPLE, INT, result=ANY, cost=unit, group=PYTHON, written="{}[{}]")
@knows(types="tuple a, int -> a")
def py_item(x: Tuple, index: int) -> Any:
    """The item of a tuple at an index, from the end if that is negative; a set has none, which is a TypeError.

    >>> (5, 6, 7)[-1]
    7
    >>> (5, 6, 7)[3]
    IndexError
    """
    if not isinstance(x, tuple) or not isinstance(index, int):
        raise TypeError(f"no item of {type(x).__name__} at {type(index).__name__}")
    return x[index]


@op(CONTAINER, INT, INT, result=ANY, cost=unit, group=PYTHON)
@knows(types="many a, int, int -> a")
def py_part(x: Container, index: int, count: int) -> Any:
    """One name of `a, b = x`: the item at an index, in order, if x has exactly that many items, else a ValueError.

    >>> py_part((5, 6), 1, 2)
    6
    """
    if not isinstance(index, int) or not isinstance(count, int):
        raise TypeError("parts are counted with ints")
    found = in_order(x)
    if len(found) != count:
        raise ValueError(f"{len(found)} items for {count} names")
    return found[index]


@op(INT, INT, result=INT, also=(sig(TUPLE, TUPLE, result=TUPLE),), group=PYTHON, written="{} + {}")
def py_add(a: Any, b: Any) -> Any:
    """The sum of two ints, or two tuples one after the other; anything else is a TypeError.

    >>> (1, 2) + (3,)
    (1, 2, 3)
    """
    if not (isinstance(a, tuple) and isinstance(b, tuple)):
        _are_ints(a, b)
    return a + b


@op(INT, INT, result=INT, also=(sig(SET, SET, result=SET),), group=PYTHON, written="{} - {}")
@knows(types="int, int -> int; set a, any -> some a")
def py_sub(a: Any, b: Any) -> Any:
    """The difference of two ints, or the items of a set that are not in the other; anything else is a TypeError.

    >>> {1, 2, 3} - {2}
    {1, 3}
    """
    if isinstance(a, SET_TYPE) and isinstance(b, SET_TYPE):
        return OrderedSet(a - b)
    _are_ints(a, b)
    return a - b


@op(
    INT,
    INT,
    result=INT,
    also=(sig(TUPLE, INT, result=TUPLE), sig(INT, TUPLE, result=TUPLE)),
    cost=_mul_cost,
    group=PYTHON,
    written="{} * {}",
)
def py_mul(a: Any, b: Any) -> Any:
    """The product of two ints, or a tuple repeated; anything else is a TypeError.

    >>> (1, 2) * 2
    (1, 2, 1, 2)
    """
    if isinstance(a, tuple) == isinstance(b, tuple):
        _are_ints(a, b)
    if not isinstance(a, int | tuple) or not isinstance(b, int | tuple):
        raise TypeError(f"no product of {type(a).__name__} and {type(b).__name__}")
    return a * b  # type: ignore[operator]


@op(INT, INT, result=INT, cost=unit, group=PYTHON, written="{} // {}")
@knows(proves="... ~> int")
def py_floordiv(a: int, b: int) -> int:
    """The quotient of two ints, rounded down; by zero it is a ZeroDivisionError.

    >>> -7 // 2
    -4
    """
    _are_ints(a, b)
    return a // b


@op(INT, INT, result=INT, cost=unit, group=PYTHON, written="{} % {}")
@knows(proves="... ~> int")
def py_mod(a: int, b: int) -> int:
    """The remainder of `//`, with the sign of b; by zero it is a ZeroDivisionError.

    >>> -7 % 3
    2
    """
    _are_ints(a, b)
    return a % b


@op(INT, result=INT, cost=unit, group=PYTHON, written="-{}")
@knows(proves="... ~> int")
def py_neg(x: int) -> int:
    """The int with its sign changed; anything else is a TypeError.

    >>> -(5)
    -5
    """
    _are_ints(x, x)
    return -x


@op(ANY, ANY, result=BOOL, group=PYTHON, written="{} <= {}")
@knows(usual="int, int -> bool; pair, pair -> bool", proves="... ~> bool")
def py_le(a: Any, b: Any) -> bool:
    """Tell whether a is at most b: ints by value, tuples by their first difference, sets as subset; else a TypeError.

    >>> {1, 2} <= {1, 2, 3}
    True
    >>> 1 <= (1,)
    TypeError
    """
    return bool(operator.le(a, b))


@op(CONTAINER, result=SET, group=PYTHON)
@knows(types="many a -> set a", proves="... ~> set")
def frozenset(container: Container) -> Set:
    """The set of a container's items; anything else is a TypeError.

    >>> frozenset((2, 1, 2))
    {1, 2}
    """
    return container if isinstance(container, OrderedSet) else OrderedSet(in_order(container))


def call_text(op: Op) -> str:
    """Return a call of an op as source text, with the names of its parameters."""
    if op.name == PART:
        return "…, item, … = x"
    return op.written.format(*op.params)
