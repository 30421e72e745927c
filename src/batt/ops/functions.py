"""Functions that make functions. Making one evaluates nothing; the result takes a fixed number of arguments."""

from __future__ import annotations

from typing import Any

from batt.ops.known import knows
from batt.ops.logic import equality
from batt.ops.meter import enter, leave, unit
from batt.ops.table import op
from batt.types import Kind, Made
from batt.types.functions import Function
from batt.types.kinds import Fn

ANY, FN, INT = Kind.ANY, Kind.FN, Kind.INT

POWER_LIMIT = 900
"""`power` beyond this many applications is a RecursionError, by rule."""


class _Compose(Made):
    __slots__ = ()
    name, arity = "compose", 1

    def __call__(self, x: Any, /) -> Any:
        outer, inner = self.args
        enter()
        try:
            return outer(inner(x))
        finally:
            leave()


class _Chain(Made):
    __slots__ = ()
    name, arity = "chain", 1

    def __call__(self, x: Any, /) -> Any:
        h, g, f = self.args
        enter()
        try:
            return h(g(f(x)))
        finally:
            leave()


class _Matcher(Made):
    __slots__ = ()
    name, arity = "matcher", 1

    def __call__(self, x: Any, /) -> bool:
        function, target = self.args
        enter()
        try:
            return bool(equality(function(x), target))
        finally:
            leave()


class _Fork(Made):
    __slots__ = ()
    name, arity = "fork", 1

    def __call__(self, x: Any, /) -> Any:
        outer, a, b = self.args
        enter()
        try:
            return outer(a(x), b(x))
        finally:
            leave()


class _Bound(Made):
    """A function with one argument fixed. One more or fewer than its arity is a TypeError, as any wrong number is."""

    __slots__ = ("arity",)

    def __init__(self, function: Function, fixed: Any) -> None:
        super().__init__(function, fixed)
        self.arity = {2: 1, 3: 2}.get(function.arity, 3)

    def _check(self, given: int) -> None:
        if given != self.arity:
            raise TypeError(f"{self.name} made a function of {self.arity} arguments, {given} given")


class _LeftBound(_Bound):
    __slots__ = ()
    name = "lbind"

    def __call__(self, *rest: Any) -> Any:
        self._check(len(rest))
        function, fixed = self.args
        enter()
        try:
            return function(fixed, *rest)
        finally:
            leave()


class _RightBound(_Bound):
    __slots__ = ()
    name = "rbind"

    def __call__(self, *rest: Any) -> Any:
        self._check(len(rest))
        function, fixed = self.args
        enter()
        try:
            return function(*rest, fixed)
        finally:
            leave()


class _Power(Made):
    __slots__ = ()
    name, arity = "power", 1

    def __call__(self, x: Any, /) -> Any:
        function, n = self.args
        enter()
        try:
            for _ in range(n):
                x = function(x)
            return x
        finally:
            leave()


@op(FN, FN, result=FN, cost=unit)
@knows(types="(b -> c), (a -> b) -> (a -> c)", proves="... -> function", calls="outer(inner(x))")
def compose(outer: Fn, inner: Fn) -> Fn:
    """The function x ↦ outer(inner(x)).

    >>> compose(increment, double)(3)
    7
    """
    return _Compose(outer, inner)


@op(FN, FN, FN, result=FN, cost=unit)
@knows(types="(b -> c), (a -> b), (d -> a) -> (d -> c)", proves="... -> function", calls="h(g(f(x)))")
def chain(h: Fn, g: Fn, f: Fn) -> Fn:
    """The function x ↦ h(g(f(x))).

    >>> chain(invert, increment, double)(3)
    -7
    """
    return _Chain(h, g, f)


@op(FN, ANY, result=FN, cost=unit)
@knows(types="(a -> b), b -> (a -> bool)", proves="... -> function", calls="equality(function(x), target)")
def matcher(function: Fn, target: Any) -> Fn:
    """The function x ↦ whether function(x) equals target.

    >>> matcher(size, 2)((5, 6))
    True
    """
    return _Matcher(function, target)


@op(FN, FN, FN, result=FN, cost=unit)
@knows(types="(a, b -> c), (e -> a), (e -> b) -> (e -> c)", proves="... -> function", calls="outer(a(x), b(x))")
def fork(outer: Fn, a: Fn, b: Fn) -> Fn:
    """The function x ↦ outer(a(x), b(x)).

    >>> fork(multiply, height, width)(((1, 2), (3, 4), (5, 6)))
    6
    """
    return _Fork(outer, a, b)


@op(FN, ANY, result=FN, cost=unit)
@knows(types="(a, b -> c), a -> (b -> c)", proves="f, ... -> function; ... ~> function", calls="function(fixed, *x)")
def lbind(function: Fn, fixed: Any) -> Fn:
    """The function with its first argument fixed.

    >>> lbind(subtract, 5)(3)
    2
    """
    return _LeftBound(_bindable(function), fixed)


@op(FN, ANY, result=FN, cost=unit)
@knows(types="(a, b -> c), b -> (a -> c)", proves="f, ... -> function; ... ~> function", calls="function(*x, fixed)")
def rbind(function: Fn, fixed: Any) -> Fn:
    """The function with its last argument fixed.

    >>> rbind(subtract, 5)(3)
    -2
    """
    return _RightBound(_bindable(function), fixed)


@op(FN, INT, result=FN, cost=unit)
@knows(types="(e -> e), int -> (e -> e)", refuses="n: nepgtzs", proves="f, ... ~> function", calls="function(x)")
def power(function: Fn, n: int) -> Fn:
    """The function applied n times over; `power(f, 1)` is f itself, n below 1 or above 900 a RecursionError.

    >>> power(double, 3)(1)
    8
    """
    return function if check_count(n) == 1 else _Power(function, n)


def check_count(n: Any) -> int:
    """Return `n` if `power` accepts it as a count, else raise its error."""
    if not isinstance(n, int):
        raise TypeError(f"power counts with an int, got {type(n).__name__}")
    if not 1 <= n <= POWER_LIMIT:
        raise RecursionError(f"power of {n} never ends")
    return n


def _bindable(function: Any) -> Function:
    if isinstance(function, Function):
        return function
    raise AttributeError(f"cannot bind an argument of {type(function).__name__}: it is not a function")
