"""Arithmetic on ints and pairs. A pair is computed componentwise; of a longer tuple the first two items count."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from batt.ops.known import knows
from batt.ops.meter import unit
from batt.ops.table import op, sig
from batt.types import Kind
from batt.types.kinds import Num, Pair

BOOL, INT, PAIR = Kind.BOOL, Kind.INT, Kind.PAIR

_BINARY = (sig(PAIR, PAIR, result=PAIR), sig(INT, PAIR, result=PAIR), sig(PAIR, INT, result=PAIR))
_UNARY = (sig(PAIR, result=PAIR),)


def _multiply_cost(a: Any, b: Any) -> int:
    """1, plus the product of the operands' sizes in 64-bit words where both are wider than one"""
    return 1 + _words(a) * _words(b)


def _words(value: Any) -> int:
    widest = max(value[:2], key=_bits, default=0) if isinstance(value, tuple) else value
    return _bits(widest) // 64


def _bits(value: Any) -> int:
    return value.bit_length() if isinstance(value, int) else 0


def _componentwise(operate: Callable[[int, int], int], a: Any, b: Any) -> Num:
    """Apply a binary operator to ints or pairs; an int stands for both components of its side."""
    if isinstance(a, int):
        if isinstance(b, int):
            return operate(a, b)
        return operate(a, _int(b[0])), operate(a, _int(b[1]))
    if isinstance(b, int):
        return operate(_int(a[0]), b), operate(_int(a[1]), b)
    return operate(_int(a[0]), _int(b[0])), operate(_int(a[1]), _int(b[1]))


def _each(operate: Callable[[int], int], x: Any) -> Num:
    """Apply a unary operator to an int or to both components of a pair."""
    return operate(x) if isinstance(x, int) else (operate(_int(x[0])), operate(_int(x[1])))


def _refuse_repetition(x: Any) -> None:
    """Refuse a tuple as first component: Python would repeat it and go on to the second, which may be missing."""
    if isinstance(x, tuple) and x and isinstance(x[0], tuple):
        _int(x[1])


def _int(component: Any) -> int:
    if isinstance(component, int):
        return component
    raise TypeError(f"expected an int, got {type(component).__name__}")


@op(INT, INT, result=INT, also=_BINARY, cost=unit)
@knows(gives="i+i>i *>p", refuses="a b: negzs", proves="i, j -> int")
def add(a: Num, b: Num) -> Num:
    """Add two numbers.

    >>> add(3, (1, 2))
    (4, 5)
    """
    return _componentwise(operator.add, a, b)


@op(INT, INT, result=INT, also=_BINARY, cost=unit)
@knows(gives="i+i>i *>p", refuses="a b: negzs", proves="i, j -> int")
def subtract(a: Num, b: Num) -> Num:
    """Subtract b from a.

    >>> subtract((5, 3), (1, 2))
    (4, 1)
    """
    return _componentwise(operator.sub, a, b)


@op(INT, INT, result=INT, also=_BINARY, cost=_multiply_cost)
@knows(gives="i+i>i *>p", refuses="a b: negzs", proves="i, j -> int")
def multiply(a: Num, b: Num) -> Num:
    """Multiply two numbers.

    >>> multiply((2, 3), 4)
    (8, 12)
    """
    _refuse_repetition(a)
    _refuse_repetition(b)
    return _componentwise(operator.mul, a, b)


@op(INT, INT, result=INT, also=_BINARY, cost=unit)
@knows(gives="i+i>i *>p", refuses="a b: negzs")
def divide(a: Num, b: Num) -> Num:
    """Divide a by b, rounding towards minus infinity.

    >>> divide(-7, 2)
    -4
    """
    return _componentwise(operator.floordiv, a, b)


@op(INT, result=INT, also=_UNARY, cost=unit)
@knows(gives="i>i *>p", refuses="n: negzs", proves="i -> int")
def invert(n: Num) -> Num:
    """Negate.

    >>> invert((1, -2))
    (-1, 2)
    """
    return _each(operator.neg, n)


@op(INT, result=INT, also=_UNARY, cost=unit)
@knows(gives="i>i *>p", refuses="n: negzs", proves="i -> int")
def double(n: Num) -> Num:
    """Multiply by two.

    >>> double(3)
    6
    """
    _refuse_repetition(n)
    return _each(lambda n: n * 2, n)


@op(INT, result=INT, also=_UNARY, cost=unit)
@knows(gives="i>i *>p", refuses="n: negzs", proves="i -> int")
def halve(n: Num) -> Num:
    """Divide by two, rounding down.

    >>> halve(-7)
    -4
    """
    return _each(lambda n: n // 2, n)


@op(INT, result=INT, also=_UNARY, cost=unit)
@knows(gives="i>i *>p", refuses="x: negzs", proves="i -> int")
def increment(x: Num) -> Num:
    """Add one.

    >>> increment((0, 1))
    (1, 2)
    """
    return _each(lambda x: x + 1, x)


@op(INT, result=INT, also=_UNARY, cost=unit)
@knows(gives="i>i *>p", refuses="x: negzs", proves="i -> int")
def decrement(x: Num) -> Num:
    """Subtract one.

    >>> decrement(5)
    4
    """
    return _each(lambda x: x - 1, x)


@op(INT, result=INT, also=_UNARY, cost=unit)
@knows(gives="i>i *>p", refuses="x: negzs", proves="i -> int")
def crement(x: Num) -> Num:
    """Move one step away from zero; zero stays.

    >>> crement((-2, 3))
    (-3, 4)
    """
    return _each(lambda x: x + _sign(x), x)


@op(INT, result=INT, also=_UNARY, cost=unit)
@knows(gives="i>i *>p", refuses="x: negzs", proves="i -> int")
def sign(x: Num) -> Num:
    """The sign: -1, 0 or 1.

    >>> sign((-5, 7))
    (-1, 1)
    """
    return _each(_sign, x)


@op(INT, result=BOOL, cost=unit)
@knows(gives="*>i", refuses="n: nepgtzs", proves="i -> bool; ... ~> bool")
def even(n: int) -> bool:
    """Tell whether the int is divisible by two.

    >>> even(-4)
    True
    """
    return _int(n) % 2 == 0


@op(INT, result=BOOL, cost=unit)
@knows(gives="*>i", refuses="x: nepgtzs", proves="i -> bool; ... ~> bool")
def positive(x: int) -> bool:
    """Tell whether the int is greater than zero.

    >>> positive(0)
    False
    """
    return _int(x) > 0


@op(INT, result=PAIR, cost=unit)
@knows(gives="i>p *>t")
def toivec(i: int) -> Pair:
    """The vector that points i rows down.

    >>> toivec(2)
    (2, 0)
    """
    return (i, 0)


@op(INT, result=PAIR, cost=unit)
@knows(gives="i>p *>t")
def tojvec(j: int) -> Pair:
    """The vector that points j columns to the right.

    >>> tojvec(2)
    (0, 2)
    """
    return (0, j)


def _sign(x: int) -> int:
    return (x > 0) - (x < 0)
