"""Logic and comparison. Truth is Python's: 0, None and empty containers are false, everything else is true."""

from __future__ import annotations

from typing import Any

from batt.ops.known import knows
from batt.ops.meter import unit
from batt.ops.table import op
from batt.types import Kind

ANY, BOOL = Kind.ANY, Kind.BOOL


@op(ANY, result=ANY, cost=unit)
@knows(types="a -> a", symmetry=8)
def identity(x: Any) -> Any:
    """The value itself.

    >>> identity((1, 2))
    (1, 2)
    """
    return x


@op(ANY, result=BOOL, cost=unit)
@knows(gives="*>i", proves="x -> bool")
def flip(b: Any) -> bool:
    """Tell whether the value is not true.

    >>> flip(())
    True
    """
    return not b


@op(ANY, ANY, result=ANY, cost=unit)
@knows(types="a, a -> a", proves="b, c -> bool; i, j -> int; x, y -> any")
def both(a: Any, b: Any) -> Any:
    """The second value if the first is true, else the first.

    >>> both(5, (1, 2))
    (1, 2)
    >>> both(0, 5)
    0
    """
    return a and b


@op(ANY, ANY, result=ANY, cost=unit)
@knows(types="a, a -> a", proves="b, c -> bool; i, j -> int; x, y -> any")
def either(a: Any, b: Any) -> Any:
    """The first value if it is true, else the second.

    >>> either((), 5)
    5
    """
    return a or b


@op(ANY, ANY, result=BOOL)
@knows(gives="*>i", proves="i, j -> bool; g, h -> bool; ... ~> bool")
def equality(a: Any, b: Any) -> bool:
    """Tell whether two values are equal; functions are equal if their printed forms are.

    >>> equality(compose(first, last), compose(first, last))
    True
    """
    return bool(a == b)


@op(ANY, ANY, result=BOOL)
@knows(
    usual="int, int -> bool; pair, pair -> bool",
    gives="*>i",
    refuses="a: n if b=inepgtzs; b: nepgtzs if a=in; b: inzs if a=nepgt; b: inepgt if a=nzs; b: nzs if a=inepgt; "
    "b: nepgt if a=inzs; b: in if a=nepgtzs; b: n if a=inepgtzs",
    proves="i, j -> bool; ... ~> bool",
)
def greater(a: Any, b: Any) -> bool:
    """Tell whether a is greater than b: ints by value, tuples by their first difference, sets as strict superset.

    >>> greater((1, 2), (1, 1))
    True
    >>> greater(1, (1, 1))
    TypeError
    """
    return bool(a > b)


@op(ANY, ANY, ANY, result=ANY, cost=unit)
@knows(types="any, a, a -> a", proves="x, b, c -> bool; x, i, j -> int; x, g, h -> grid; x, y, z -> any")
def branch(condition: Any, a: Any, b: Any) -> Any:
    """The value a if the condition is true, else b.

    >>> branch(greater(2, 1), 5, 6)
    5
    """
    return a if condition else b
